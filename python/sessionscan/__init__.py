"""Transcripts of coding agents as Arrow tables, each fact once and traced to its line.

Example:
    >>> import sessionscan as ss
    >>> corpus = ss.scan("fixtures/corpus")
    >>> corpus.usage.num_rows > 0
    True
"""

from sessionscan import reference
from sessionscan.agent_tree import AgentNode, AgentTree
from sessionscan.api import census, census_diff, reader, scan, schema
from sessionscan.corpus import Corpus
from sessionscan.coverage import Coverage
from sessionscan.errors import (
    CorpusChangedError,
    RecoverError,
    RegistryError,
    SessionScanError,
    StrictError,
    UnclearSessionError,
)
from sessionscan.hits import Hits, Searched
from sessionscan.lineage import Lineage, Link, SessionNode
from sessionscan.parquet import Written, to_parquet
from sessionscan.plans import Plan, plan
from sessionscan.reading import read_session
from sessionscan.recovery import recover
from sessionscan.sanitizing import sanitize
from sessionscan.source_list import sources
from sessionscan.tasks import Task, fold
from sessionscan.word_search import search

__version__ = "0.1.0"

__all__ = [
    "AgentNode",
    "AgentTree",
    "Corpus",
    "CorpusChangedError",
    "Coverage",
    "Hits",
    "Lineage",
    "Link",
    "Plan",
    "RecoverError",
    "RegistryError",
    "Searched",
    "SessionNode",
    "SessionScanError",
    "StrictError",
    "Task",
    "UnclearSessionError",
    "Written",
    "census",
    "census_diff",
    "fold",
    "plan",
    "read_session",
    "reader",
    "recover",
    "reference",
    "sanitize",
    "scan",
    "schema",
    "search",
    "sources",
    "to_parquet",
]
