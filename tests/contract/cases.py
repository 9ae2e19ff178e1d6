"""Reads the contract cases and puts their files on disk (format: fixtures/README.md)."""

from __future__ import annotations

import gzip
import tomllib
from pathlib import Path

import pyarrow as pa

FOLDER = Path(__file__).parents[2] / "fixtures" / "contract"
KEYS = {"name", "rule", "why", "roots", "options", "files", "expect"}
FILE_KEYS = {"path", "lines", "text", "hex", "compress", "drop", "append_hex", "symlink", "folder"}


def load():
    """Return every case with the name of its file, in order."""
    return [
        (path.stem, case)
        for path in sorted(FOLDER.glob("*.toml"))
        for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]
    ]


def write(case, folder):
    """Write the files of a case below `folder`; return the roots to scan."""
    for entry in case["files"]:
        _write_entry(entry, folder / entry["path"])
    return [str(folder if root == "." else folder / root) for root in case.get("roots", ["."])]


def _write_entry(entry, path):
    unknown = set(entry) - FILE_KEYS
    assert not unknown, f"unknown keys of a file: {unknown}"
    path.parent.mkdir(parents=True, exist_ok=True)
    if "symlink" in entry:
        path.symlink_to(entry["symlink"])
    elif entry.get("folder"):
        path.mkdir(exist_ok=True)
    else:
        path.write_bytes(_compressed(entry, content(entry)))


def content(entry):
    """Return the bytes that an entry describes, before compression."""
    if "lines" in entry:
        return "".join(line + "\n" for line in entry["lines"]).encode()
    if "text" in entry:
        return entry["text"].encode()
    return bytes.fromhex(entry["hex"])


def _compressed(entry, data):
    if "compress" not in entry:
        return data
    if entry["compress"] == "gzip":
        data = gzip.compress(data, mtime=0)
    else:
        data = pa.compress(data, codec="zstd", asbytes=True)
    kept = data[: len(data) - entry.get("drop", 0)]
    return kept + bytes.fromhex(entry.get("append_hex", ""))
