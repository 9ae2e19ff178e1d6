"""Outputs of tools that stand in files of their own: rule 46 of the rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sessionscan.reference.inside_folder import OUTSIDE, UNKNOWN, Sought, is_plain_name, seek
from sessionscan.reference.pairing import Spot
from sessionscan.reference.session_folder import session_folder, steps_to
from sessionscan.reference.white_space import trim

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionscan.reference.envelope import Columns
    from sessionscan.reference.joined import Joined

_MARK = "<persisted-output>"
_SAVED_TO = "saved to: "
_KINDS = {
    **dict.fromkeys((".txt", ".log", ".md"), "text"),
    **dict.fromkeys((".json", ".jsonl"), "json"),
    **dict.fromkeys((".png", ".jpg", ".jpeg", ".gif", ".webp"), "image"),
    ".pdf": "pdf",
}


class _Sidecar(NamedTuple):
    """A result whose output stands elsewhere, and what says so."""

    result: Spot
    path: str | None
    locator: str


def sidecar_rows(joined: Joined) -> list[Columns]:
    """Give a row for every result that names a file, and look whether it is there."""
    names = {
        id(result.block): call.pair.call.block.tool_name
        for call in joined.calls
        for result in call.pair.results
    }
    rows = []
    for sidecar in _sidecars(joined):
        result = sidecar.result
        sought = _look(sidecar)
        if sought.leads_outside:
            result.report("path_outside_session")
        rows.append(
            {
                "file_id": result.record.file_id,
                "line": result.record.line,
                "session_id": result.facts.session_of(result.record),
                "tool_use_id": result.block.tool_use_id,
                "tool_name": names.get(id(result.block)),
                "path": sidecar.path,
                "declared_bytes": result.record.tool_use_result.persisted_output_bytes,
                "exists": sought.exists,
                "size_bytes": sought.size_bytes,
                "locator": sidecar.locator,
                "kind": _kind(sidecar.path),
            }
        )
    return rows


def _sidecars(joined: Joined) -> Iterator[_Sidecar]:
    """Find the results that name a file; toolUseResult speaks of the first of its record."""
    for result, is_first in _results(joined):
        path = result.record.tool_use_result.persisted_output_path
        text = result.block.text or ""
        if is_first and path is not None:
            yield _Sidecar(result, path, "persistedOutputPath")
        elif trim(text).startswith(_MARK):
            yield _Sidecar(result, _path_in(text), "text")


def _results(joined: Joined) -> Iterator[tuple[Spot, bool]]:
    for facts in joined.read:
        for record in facts.counted:
            if record.rollout is not None:
                continue
            results = [block for block in record.blocks if block.result is not None]
            for number, block in enumerate(results):
                yield Spot(block, record, facts), number == 0


def _path_in(text: str) -> str | None:
    _, found, behind = text.partition(_SAVED_TO)
    return trim(behind.partition("\n")[0]) if found else None


def _look(sidecar: _Sidecar) -> Sought:
    """Look for a sidecar where its own session keeps such files, and nowhere else."""
    if sidecar.path is None:
        return UNKNOWN
    facts = sidecar.result.facts
    folder = session_folder(facts.transcript.raw_path, facts.session_of(sidecar.result.record))
    if folder is None:
        return UNKNOWN
    base, name = folder
    if not is_plain_name(name.decode("utf-8", "replace")):
        return OUTSIDE
    steps = steps_to(sidecar.path, name.decode("utf-8", "replace"))
    if steps is None:
        return OUTSIDE
    return seek(base, [name, *(step.encode() for step in steps)], facts.transcript.storage)


def _kind(path: str | None) -> str | None:
    if path is None:
        return None
    lowered = path.translate(_LOWER)
    return next((kind for end, kind in _KINDS.items() if lowered.endswith(end)), "other")


_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
