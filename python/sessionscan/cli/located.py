"""Findings with the path of their file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from sessionscan.schema import CODES, VOCABULARIES

if TYPE_CHECKING:
    from sessionscan.corpus import Corpus

# Tables that bring findings about paths and side files with them (ruling 37).
TABLES = ("sessions", "agents", "workflows", "sidecars", "file_history")

COLUMNS = (
    "path",
    "line",
    "byte_offset",
    "byte_length",
    "severity",
    "code",
    "count",
    "message",
)


def located(corpus: Corpus) -> pa.Table:
    """Return `diagnostics`, with the path of each file in place of its number."""
    rows = corpus.table("diagnostics")
    paths = corpus.table("files")["path"].take(rows["file_id"])
    return rows.append_column("path", paths).select(COLUMNS)


def by_code(diagnostics: pa.Table) -> pa.Table:
    """Return a row per code and severity, the worst first: on how many lines, how often."""
    rows = pa.table(
        {
            "severity": diagnostics["severity"].cast(pa.string()),
            "code": diagnostics["code"].cast(pa.string()),
            "lines": pa.array([1] * diagnostics.num_rows, pa.int64()),
            "count": diagnostics["count"],
        }
    )
    grouped = rows.group_by(["severity", "code"], use_threads=False).aggregate(
        [("lines", "sum"), ("count", "sum")]
    )
    named = grouped.select(["severity", "code", "lines_sum", "count_sum"]).rename_columns(
        ["severity", "code", "lines", "count"]
    )
    worst = pa.array(list(reversed(VOCABULARIES["severity"])))
    ranked = named.append_column("rank", pc.index_in(named["severity"], value_set=worst))
    ranked = ranked.append_column("order", pc.index_in(named["code"], value_set=pa.array(CODES)))
    ordered = ranked.sort_by([("rank", "ascending"), ("order", "ascending")])
    return ordered.drop_columns(["rank", "order"])
