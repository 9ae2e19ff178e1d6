"""URLs that lead to files, and what of them may be shown."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import unquote

_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://(.*)", re.DOTALL)
_PORT = re.compile(r"[0-9]*").fullmatch
_AUTHORITY_END = re.compile(r"[/?#]")
_PATH_END = re.compile(r"[?#]")
# What stands before the @ of these names a container or an account.
_NAMED_BY_USER = frozenset({"abfs", "abfss"})
# What a query says that is no secret, by the names that pyarrow gives it.
_PLAIN = frozenset(
    {
        "allow_bucket_creation",
        "allow_bucket_deletion",
        "blob_storage_authority",
        "blob_storage_scheme",
        "check_directory_existence_before_creation",
        "dfs_storage_authority",
        "dfs_storage_scheme",
        "enable_tls",
        "endpoint_override",
        "force_virtual_addressing",
        "region",
        "retry_limit_seconds",
        "scheme",
    }
)
_SHORTEST_SECRET = 3
HIDDEN = "***"


class Url(NamedTuple):
    """A URL without what must not be shown: `shown`, and `secrets`, what was left out."""

    scheme: str
    shown: str
    secrets: tuple[str, ...]


def parse(source: str) -> Url | None:
    """Take a URL apart; None for anything else, such as a path.

    >>> parse("s3://key:word@bucket/home?region=eu-west-1").shown
    's3://bucket/home'
    >>> parse("abfs://container:word@account.dfs.core.windows.net/home").shown
    'abfs://container@account.dfs.core.windows.net/home'
    >>> parse("home/projects") is None
    True
    """
    found = _URL.fullmatch(source)
    if found is None:
        return None
    scheme = found[1].lower()
    user, rest = _parted_from_user(found[2])
    name, _, password = user.partition(":")
    place, query = _parted(rest, _PATH_END)
    shown, hidden = f"{found[1]}://{place}", [password, *_hidden_in(query)]
    if name and scheme in _NAMED_BY_USER:
        shown = f"{found[1]}://{name}@{place}"
    else:
        hidden += [user, name]
    return Url(scheme, shown, _spelled(hidden))


def scrubbed(text: str, secrets: tuple[str, ...]) -> str:
    """Return a text without the secrets that stand in it."""
    for secret in secrets:
        text = text.replace(secret, HIDDEN)
    return text


def _parted_from_user(rest: str) -> tuple[str, str]:
    """Part user and password from what stands behind the @ that ends them.

    A password that was not escaped may hold a slash. What stands before the first
    slash then looks like a host with a port that is no number.
    """
    authority, _ = _parted(rest, _AUTHORITY_END)
    end = authority.rfind("@")
    if end < 0 and not _PORT(authority.partition(":")[2]):
        end = rest.rfind("@")
    return (rest[:end], rest[end + 1 :]) if end >= 0 else ("", rest)


def _parted(text: str, end: re.Pattern[str]) -> tuple[str, str]:
    found = end.search(text)
    return (text[: found.start()], text[found.start() :]) if found else (text, "")


def _hidden_in(query: str) -> list[str]:
    pairs = (pair.partition("=") for pair in re.split(r"[?&#;]", query) if pair)
    return [value or name for name, _, value in pairs if name not in _PLAIN]


def _spelled(secrets: list[str]) -> tuple[str, ...]:
    """Give each secret as it stands in the URL and as it is meant, the longest first."""
    spelled = {way for secret in secrets for way in (secret, unquote(secret))}
    long_enough = (way for way in spelled if len(way) >= _SHORTEST_SECRET)
    return tuple(sorted(long_enough, key=lambda way: (-len(way), way)))
