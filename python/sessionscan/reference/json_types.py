"""The JSON type of a value, by the names of the schema's `json_type`."""

from __future__ import annotations

import re

from sessionscan.reference.json_values import Number, Obj

_INTEGER = re.compile(r"-?[0-9]+").fullmatch


def json_type(value: object) -> str:
    """Name the type of a value; an integer is one of any size, without fraction or exponent."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, Number):
        return "integer" if _INTEGER(value.text) else "number"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, str):
        return "string"
    return "object" if isinstance(value, Obj) else "array"
