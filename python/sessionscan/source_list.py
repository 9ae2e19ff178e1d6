"""What a scan without sources reads, and what it does not: SPEC section 1."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import pyarrow as pa

from sessionscan import homes
from sessionscan.reference.discover import discover
from sessionscan.sources import shown

_FIELDS: list[pa.Field[Any]] = [
    *(pa.field(name, pa.string()) for name in ("provider", "kind", "label", "path", "named_by")),
    pa.field("required", pa.bool_()),
    *(pa.field(name, pa.string()) for name in ("status", "reason")),
    *(pa.field(name, pa.int64()) for name in ("n_transcripts", "size_bytes")),
]
SCHEMA = pa.schema(_FIELDS)


def sources() -> pa.Table:
    """List the places where transcripts may be on this machine, and what is there.

    Returns:
        A row per place, in the order of a scan: provider ("claude" or "codex"); kind
        ("home", "profile", "archive", or "registry" where that is malformed); label,
        as `files.source` has it; path; named_by, the variable, pattern or registry
        entry that leads there; required, of archives; status; reason, of all but
        "found"; n_transcripts and size_bytes, of what a scan would read, null where it
        reads nothing. Status is "found"; "repeated", the same folder as a place
        above; "missing", not there; "no_home", there, but without the folders of a
        home; or "error": a malformed registry, or a required archive that is missing,
        which a scan of all homes raises. Nothing is opened but the registry.

    Raises:
        OSError: where a folder of homes cannot be listed.

    Example:
        >>> import sessionscan as ss
        >>> ss.sources().column_names[:4]
        ['provider', 'kind', 'label', 'path']
    """
    places = homes.places()
    roots = [
        (str(number), str(place.walk))
        for number, place in enumerate(places)
        if place.status == "found"
    ]
    # Labels are numbers here: places are counted apart even where they are called the same.
    found = discover(roots).transcripts
    counts = Counter(transcript.source for transcript in found)
    sizes: Counter[str] = Counter()
    for transcript in found:
        sizes[transcript.source] += transcript.size or 0
    rows = [_row(place, str(number), counts, sizes) for number, place in enumerate(places)]
    return pa.Table.from_pylist(rows, schema=SCHEMA)


def _row(
    place: homes.Place, number: str, counts: Counter[str], sizes: Counter[str]
) -> dict[str, Any]:
    is_read = place.status == "found"
    return {
        "provider": place.provider,
        "kind": place.kind,
        "label": shown(place.label),
        "path": shown(os.fspath(place.home)),
        "named_by": shown(place.named_by),
        "required": place.required,
        "status": place.status,
        "reason": None if place.reason is None else shown(place.reason),
        "n_transcripts": counts[number] if is_read else None,
        "size_bytes": sizes[number] if is_read else None,
    }
