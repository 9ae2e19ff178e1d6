"""A bucket behind a URL, over HTTP: what pyarrow makes of objects, and of a password."""

from pathlib import Path

import pytest
import sessionscan as ss
from filesystem.buckets import BUCKET, served
from parity.compare import scan
from pyarrow import fs

FIXTURES = Path(__file__).parents[2] / "fixtures"
HOME = FIXTURES / "claude" / "persisted_output"
SECRET = "hunter2hunter2"  # noqa: S105

pytestmark = pytest.mark.skipif(
    not hasattr(fs, "S3FileSystem"), reason="this pyarrow is built without S3"
)


def url(port, path):
    return (
        f"s3://key:{SECRET}@{BUCKET}/{path}?region=eu-central-1&scheme=http"
        f"&endpoint_override=127.0.0.1:{port}"
    )


def objects(folder, below):
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {f"{below}/{path.relative_to(folder)}": path.read_bytes() for path in files}


def without_prefix(table, prefix):
    """Return the rows of a table, as if what is shown of a root were not there."""
    rows = table.to_pylist()
    for row in rows:
        for column, value in row.items():
            if isinstance(value, str):
                row[column] = value.removeprefix(prefix)
            elif isinstance(value, list):
                row[column] = [each.removeprefix(prefix) for each in value]
    return rows


def test_a_bucket_gives_the_tables_of_the_disk(engine):
    with served(objects(HOME, "home")) as port:
        ours = scan(url(port, "home"), engine, text=True)
        first = next(iter(ours.sidecar(0, max_bytes=16)))
    plain = scan(HOME, engine, text=True)
    assert first == b"2026-08-03 00:00"
    assert ours.coverage == plain.coverage
    assert ours.files["path"][0].as_py().startswith(f"s3://{BUCKET}/home/projects/")
    for name in plain.table_names:
        told = without_prefix(ours.table(name), f"s3://{BUCKET}/home")
        assert told == without_prefix(plain.table(name), str(HOME)), name


def test_what_a_bucket_refuses_is_unreadable(engine):
    there = objects(HOME, "home")
    refused = next(key for key in there if key.endswith(".jsonl") and "tool-results" not in key)
    with served(there, {refused}) as port:
        corpus = ss.scan(url(port, "home"), engine=engine)
        with pytest.raises(FileNotFoundError) as raised:
            ss.scan(url(port, "elsewhere"), engine=engine)
    assert raised.value.filename == f"s3://{BUCKET}/elsewhere"
    (row,) = [row for row in corpus.files.to_pylist() if row["path"].endswith(refused)]
    assert row["status"] == "unreadable"
    said = corpus.diagnostics.to_pylist()
    assert "unreadable" in [row["code"] for row in said]
    assert SECRET not in str(said)
