"""Tables as views of DuckDB."""

import duckdb
import pytest
import sessionscan as ss
from api.transcripts import HAIKU, OPUS, write_home
from sessionscan.schema import TABLE_NAMES


@pytest.fixture
def corpus(tmp_path, engine):
    return ss.scan(write_home(tmp_path), engine=engine)


def test_every_table_is_a_view(corpus):
    with duckdb.connect() as connection:
        assert corpus.register(connection) == TABLE_NAMES
        for name in TABLE_NAMES:
            rows = connection.execute(f"select count(*) from {name}").fetchone()[0]  # noqa: S608
            assert rows == corpus.table(name).num_rows


def test_a_prefix_keeps_two_corpora_apart(corpus):
    with duckdb.connect() as connection:
        assert corpus.register(connection, prefix="old_")[0] == "old_files"
        corpus.register(connection, "new_")
        joined = "select count(*) from old_usage join new_usage using (file_id, line)"
        assert connection.execute(joined).fetchone() == (4,)


def test_a_question_over_two_tables(corpus):
    question = """
        select model, sum(usage.output_tokens)::bigint from usage join sessions using (session_id)
        where not is_copy group by model order by model
    """
    with duckdb.connect() as connection:
        corpus.register(connection)
        assert connection.execute(question).fetchall() == [(HAIKU, 1), (OPUS, 240)]


def test_tables_that_were_not_asked_for_are_there_too(tmp_path, engine):
    corpus = ss.scan(write_home(tmp_path), engine=engine, tables=["usage"])
    with duckdb.connect() as connection:
        corpus.register(connection)
        assert connection.execute("select count(*) from records").fetchone() == (8,)
