"""The job as DuckDB does it: SQL over the JSON lines, blocks unnested and joined."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import duckdb
import loops

if TYPE_CHECKING:
    from pathlib import Path

# What is text in one record and an object in the next stays JSON, and is decoded on demand.
_RECORDS = """
create temp table records as
with read as (
  select type, uuid, sessionId as session, "timestamp", message, toolUseResult as carrier,
         filename as path, row_number() over () as line
  from read_json($paths, format = 'newline_delimited', filename = true,
    maximum_object_size = 268435456,
    columns = {type: 'VARCHAR', uuid: 'VARCHAR', sessionId: 'VARCHAR', timestamp: 'VARCHAR',
      toolUseResult: 'JSON', message: 'STRUCT(id VARCHAR, model VARCHAR, stop_reason VARCHAR,
        usage STRUCT(input_tokens BIGINT, output_tokens BIGINT,
          cache_creation_input_tokens BIGINT, cache_read_input_tokens BIGINT),
        content JSON)'}))
select type, session, "timestamp", carrier, path, line, message.id as id,
  message.model as model, message.stop_reason as stop, message.usage as usage,
  case when json_type(message.content) = 'ARRAY' then message.content end as content
from read where message is not null
qualify uuid is null or row_number() over (partition by path, uuid order by line) = 1
"""

_RESPONSES = """
with ranked as (
  select model, usage, row_number() over (
    partition by session, coalesce(id, line::varchar)
    order by coalesce(usage.output_tokens, 0) desc, stop is not null desc,
      coalesce("timestamp", '') desc, line desc) as rank
  from records where type = 'assistant' and usage is not null)
select model, count(*), sum(usage.input_tokens), sum(usage.output_tokens),
  sum(usage.cache_creation_input_tokens), sum(usage.cache_read_input_tokens)
from ranked where rank = 1 group by model order by model
"""

_CALLS = """
with blocks as (
  select path, line, message_id, carrier, place, block.* from (
    select path, line, id as message_id, carrier,
      generate_subscripts(list, 1) as place, unnest(list) as block
    from (select *, from_json(content, '[{"type": "VARCHAR", "id": "VARCHAR",
        "name": "VARCHAR", "tool_use_id": "VARCHAR", "is_error": "BOOLEAN",
        "content": "JSON"}]') as list
      from records where content is not null))),
first as (
  select * from blocks where suffix(type, 'tool_use')
  qualify row_number() over (partition by path, id, message_id order by line, place) = 1),
calls as (
  select path, id, name,
    row_number() over (partition by path, id order by line, place) as turn from first),
results as (
  select path, tool_use_id as id,
    row_number() over (partition by path, tool_use_id order by line, place) as turn,
    case when is_error then 'failed' when not is_error then 'not_failed'
      when carrier ->> '$.status' in ('async_launched', 'teammate_spawned') then 'launched'
      when carrier ->> '$.status' = 'completed' or content ->> '$.type' = 'advisor_redacted_result'
        then 'not_failed'
      else 'unknown' end as outcome
  from blocks where suffix(type, 'tool_result'))
select name, coalesce(outcome, 'no_result'), count(*)
from calls left join results using (path, id, turn) group by all
"""


def run(folder: Path) -> dict[str, Any]:
    """Return the totals of all transcripts below `folder`."""
    paths = sorted(str(path) for path in folder.rglob("*.jsonl"))
    with duckdb.connect(":memory:") as base:
        base.execute(_RECORDS, {"paths": paths})
        models = base.execute(_RESPONSES).fetchall()
        calls = base.execute(_CALLS).fetchall()
    return {
        "responses": sum(row[1] for row in models),
        "session": {
            name: int(sum(row[place] or 0 for row in models))
            for place, name in enumerate(loops.FLAT, start=2)
        },
        "models": {row[0]: row[1] for row in models},
        "calls": sum(row[2] for row in calls),
        "outcomes": _counts(calls, 1),
        "tools": _counts(calls, 0),
    }


def _counts(calls: list[tuple[Any, ...]], column: int) -> dict[str, int]:
    counts: dict[str, int] = {}
    for row in calls:
        counts[row[column]] = counts.get(row[column], 0) + row[2]
    return dict(sorted(counts.items()))
