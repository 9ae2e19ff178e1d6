"""Transcripts of coding agents as Arrow tables, each fact once and traced to its line.

Example:
    >>> import sessionscan as ss
    >>> corpus = ss.scan("fixtures/corpus")
    >>> corpus.usage.num_rows > 0
    True
"""

from sessionscan import reference
from sessionscan.api import reader, scan, schema
from sessionscan.corpus import Corpus
from sessionscan.coverage import Coverage
from sessionscan.errors import CorpusChangedError, SessionScanError, StrictError

__version__ = "0.1.0"

__all__ = [
    "Corpus",
    "CorpusChangedError",
    "Coverage",
    "SessionScanError",
    "StrictError",
    "reader",
    "reference",
    "scan",
    "schema",
]
