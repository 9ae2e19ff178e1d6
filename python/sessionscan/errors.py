"""The errors that sessionscan raises itself.

Bad arguments raise ValueError or TypeError and name what is allowed; a source
that does not exist raises FileNotFoundError. What stands in a file, whatever its
bytes, raises nothing unless the caller asks for `strict=True`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionscan.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Sequence


class SessionScanError(Exception):
    """The base of the errors below."""


class StrictError(SessionScanError):
    """A scan with `strict=True` met a finding of severity error.

    Attributes:
        path: the file, as `files.path` shows it.
        line: its line, or 0 where the finding is about the file as a whole.
        byte_offset: its place in the file's text, or None for the file as a whole.
        code: the code, one of `sessionscan.schema.CODES`.
        reason: the message of the finding.
    """

    def __init__(
        self, path: str, line: int, byte_offset: int | None, code: str, reason: str
    ) -> None:
        """Keep where the finding is and what it says."""
        super().__init__(path, line, byte_offset, code, reason)
        self.path = path
        self.line = line
        self.byte_offset = byte_offset
        self.code = code
        self.reason = reason

    def __str__(self) -> str:
        """Say place, code and reason on one line."""
        return str(Finding(self.path, self.line, self.byte_offset, self.code, self.reason))


class CorpusChangedError(SessionScanError):
    """The files changed before a table that was not asked for could be computed."""


class UnclearSessionError(SessionScanError):
    """A transcript is not one session, or one session is several transcripts.

    Attributes:
        path: the file that shows it.
        line: its line, or 0 where the file as a whole is meant.
        byte_offset: where the record begins in the file's text, or None.
        reason: what was found, and what to do.
    """

    def __init__(self, path: str, line: int, byte_offset: int | None, reason: str) -> None:
        """Keep where it is and what was found."""
        super().__init__(path, line, byte_offset, reason)
        self.path = path
        self.line = line
        self.byte_offset = byte_offset
        self.reason = reason

    def __str__(self) -> str:
        """Say place and reason on one line."""
        place = "" if self.byte_offset is None else f":{self.line}:{self.byte_offset}"
        return f"{self.path}{place}: {self.reason}"


class RegistryError(SessionScanError, ValueError):
    """The registry of archives is malformed, or an archive that it requires is missing.

    Attributes:
        path: the registry.
        entry: which of its entries, as `sources[2] ('label')`; None for the whole.
        reason: what is wrong with it.
    """

    def __init__(self, path: str, entry: str | None, reason: str) -> None:
        """Keep what is wrong with which entry."""
        super().__init__(path, entry, reason)
        self.path = path
        self.entry = entry
        self.reason = reason

    def __str__(self) -> str:
        """Say file, entry and reason on one line."""
        return f"{self.path}: {'' if self.entry is None else f'{self.entry}: '}{self.reason}"


class RecoverError(SessionScanError):
    """Files cannot be recovered as asked; nothing was written.

    Attributes:
        problems: (original path, what is wrong) of each file with a problem.
    """

    SAID = "nothing was written; name other paths, or other sources, to go on:"

    def __init__(self, problems: Sequence[tuple[str, str]]) -> None:
        """Keep what is wrong with which file."""
        super().__init__(problems)
        self.problems = list(problems)

    def __str__(self) -> str:
        """Say every problem on a line of its own."""
        said = "".join(f"\n  {path}: {problem}" for path, problem in self.problems)
        return f"{self.SAID}{said}"
