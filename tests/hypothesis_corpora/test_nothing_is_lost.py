"""Every byte is part of a record, blank, or named in diagnostics (SPEC, promise 1)."""

from __future__ import annotations

import os
from pathlib import Path

import sessionscan as ss
from hypothesis import HealthCheck, given, settings
from hypothesis_corpora.files import corpora

EXAMPLES = int(os.environ.get("SESSIONSCAN_EXAMPLES", "2000")) // 20
BLANK = b" \t\r\n"


def unaccounted(corpus, file_id, text):
    """Return the places of bytes that neither a record nor a diagnostic holds."""
    held = bytearray(len(text))
    nul_lines = set()
    for table in (corpus.records, corpus.diagnostics):
        columns = ["file_id", "line", "byte_offset", "byte_length"]
        codes = table["code"].to_pylist() if "code" in table.column_names else [""] * len(table)
        for row, code in zip(table.select(columns).to_pylist(), codes, strict=True):
            if row["file_id"] != file_id or row["byte_offset"] is None:
                continue
            start, end = row["byte_offset"], row["byte_offset"] + row["byte_length"]
            held[start:end] = b"\x01" * (end - start)
            if code == "nul_run":
                nul_lines.add(row["line"])
    line, lost = 1, []
    for place, byte in enumerate(text):
        nul = byte == 0 and line in nul_lines
        if not held[place] and byte not in BLANK and not nul:
            lost.append(place)
        line += byte == 0x0A
    return lost


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    print_blob=True,
)
@given(corpora(damage=True))
def test_every_byte_is_accounted_for(engine, made):
    with made.on_disk() as roots:
        tables = ["files", "records", "diagnostics"]
        corpus = ss.scan(roots, engine=engine, copies="keep", tables=tables)
        for row in corpus.files.to_pylist():
            text = Path(row["path"]).read_bytes()
            assert row["bytes_read"] == len(text)
            assert unaccounted(corpus, row["file_id"], text) == []
