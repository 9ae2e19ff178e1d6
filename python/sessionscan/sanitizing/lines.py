"""Lines without their content: records rewritten, damage kept as damage of its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionscan.reference.decode import decode, read_objects
from sessionscan.reference.json_text import MAX_DEPTH, Parser
from sessionscan.reference.json_values import JsonStop
from sessionscan.reference.repair import BOM, repair
from sessionscan.reference.torn import rescue
from sessionscan.schema import REASONS

if TYPE_CHECKING:
    from sessionscan.reference.repair import Repaired
    from sessionscan.reference.split import Line
    from sessionscan.reference.torn import Spanned
    from sessionscan.sanitizing.values import Values

# Bytes that are not UTF-8, by how many belong together: while text is handled each such
# part is one lone half of a surrogate, which no text can hold, and then other bytes that
# are as wrong.
_WRONG = {1: ("\udc01", b"\xff"), 2: ("\udc02", b"\xe1\x80"), 3: ("\udc03", b"\xf1\x80\x80")}


def sanitized(line: Line, values: Values) -> bytes:
    """Return a line without its content, byte for byte as long, without its LF.

    What is found wrong with it is found wrong with the new one: in a line that does not
    parse nothing is kept but its length and what kind of damage it was.
    """
    data = line.data
    start = len(BOM) if line.offset == 0 and data.startswith(BOM) else 0
    repaired = repair(data[start:], start)
    if not repaired.text:
        return data
    place = repaired.start
    text = _marked(repaired)
    new = _bytes(_rewritten(text, line, values))
    return data[:place] + new + data[place + len(repaired.data) :]


def _marked(repaired: Repaired) -> str:
    """Return the text with a mark for each part that is not UTF-8."""
    pieces, place = [], 0
    for span in repaired.replaced:
        first = span.offset - repaired.start
        pieces.append(repaired.data[place:first].decode())
        pieces.append(_WRONG[span.length][0])
        place = first + span.length
    return "".join((*pieces, repaired.data[place:].decode()))


def _bytes(text: str) -> bytes:
    data = text.encode("utf-8", "surrogatepass")
    for mark, wrong in _WRONG.values():
        data = data.replace(mark.encode("utf-8", "surrogatepass"), wrong)
    return data


def _rewritten(text: str, line: Line, values: Values) -> str:
    parser = Parser(text)
    objects: list[Spanned] = []
    try:
        read_objects(parser, objects)
    except JsonStop as stopped:
        rescued = rescue(parser, stopped) if stopped.reason in REASONS else None
        objects = [] if rescued is None else [rescued]
    if not objects:
        return _damaged(text, line)
    made, place = [], 0
    for found in objects:
        # Between records stand spaces and NUL; before the first one what was cut off.
        between = text[place : found.start]
        made.append(between if place else _nothing(between))
        made.append(values.of(text[found.start : found.end]))
        place = found.end
    return "".join((*made, text[place:]))


def _damaged(text: str, line: Line) -> str:
    codes = {finding.code for finding in decode(line, None).findings}
    if "not_an_object" in codes:
        return f'"{_filled(text[1:-1])}"' if len(text) > 1 else "0"
    if "too_deep" in codes:
        length = len(_bytes(text))
        return "[" * (MAX_DEPTH + 1) + "x" * (length - MAX_DEPTH - 1)
    return _nothing(text)


def _nothing(text: str) -> str:
    """Return an object that breaks off at once, as long as `text`."""
    if not text:
        return text
    first = text[0] if "\ud800" <= text[0] <= "\udfff" else "{"
    return (
        first + _filled(text[0])[len(first.encode("utf-8", "surrogatepass")) :] + _filled(text[1:])
    )


def _filled(text: str) -> str:
    """Return an `x` for every byte, but for the marks of what is not UTF-8."""
    return "".join(
        char if "\udc01" <= char <= "\udc03" else "x" * len(char.encode("utf-8", "surrogatepass"))
        for char in text
    )
