"""The reference engine: the flow from sources to tables, one stage after the other.

    discover -> map -> split -> decode -> fold -> join -> arrow

It answers what the extension answers, from plain Python, and never imports it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sessionscan.reference.arrow import table
from sessionscan.reference.discover import discover
from sessionscan.reference.fold import fold
from sessionscan.reference.join import join
from sessionscan.reference.map import read_text
from sessionscan.reference.storage import DISK, Elsewhere
from sessionscan.schema import ALL_TABLE_NAMES, CENSUS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from sessionscan.options import ScanOptions
    from sessionscan.reference.discover import Transcript
    from sessionscan.reference.facts import FileFacts

_ALWAYS = frozenset({"files", "diagnostics"})


def scan_tables(
    roots: Sequence[tuple[str, str]], options: ScanOptions
) -> tuple[dict[str, pa.Table], dict[str, Any]]:
    """Scan everything below `roots`, pairs of a label and a path.

    Returns:
        The tables that `options.tables` names, and always `files` and
        `diagnostics`; and the coverage as plain values.

    """
    storage = (
        DISK if options.store is None else Elsewhere(options.store, [path for _, path in roots])
    )
    transcripts, beside = discover(roots, options.sizes, storage)
    files = _fold_all(transcripts, options)
    names = [name for name in ALL_TABLE_NAMES if name in _ALWAYS or name in options.tables]
    corpus = join(files, beside, collapse=options.copies == "collapse", tables=names)
    tables = {name: table(name, corpus.rows[name], text=options.text) for name in names}
    return tables, corpus.coverage


def _fold(transcript: Transcript, options: ScanOptions) -> FileFacts:
    text = read_text(transcript)
    return fold(transcript, text, options.max_line_bytes, with_census=CENSUS in options.tables)


def _fold_all(transcripts: Sequence[Transcript], options: ScanOptions) -> list[FileFacts]:
    """Fold one file after the other, and say so after each."""
    total = sum(transcript.size or 0 for transcript in transcripts)
    done = 0
    facts = []
    for number, transcript in enumerate(transcripts, start=1):
        facts.append(_fold(transcript, options))
        done += transcript.size or 0
        if options.on_progress is not None:
            options.on_progress(number, len(transcripts), done, total)
    return facts
