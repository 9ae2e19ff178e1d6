"""What a scan gives: its tables, what it covered, and the ways on from there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

from sessionscan import engines, exports, notebook, totals, usage_by
from sessionscan.errors import CorpusChangedError
from sessionscan.options import Scope, one_of
from sessionscan.schema import TABLE_NAMES

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    import duckdb
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from sessionscan.coverage import Coverage
    from sessionscan.options import Engine, ScanOptions
    from sessionscan.sources import Root


class Corpus:
    """The tables of one scan; `sessionscan.scan` makes it.

    Every table is an attribute, a `pyarrow.Table`: `corpus.usage`,
    `corpus.tool_calls` and so on (`corpus.table_names` lists them). A table that
    the scan was not asked for is computed when it is first looked at, from the same
    bytes of the same files.

    Example:
        >>> import sessionscan as ss
        >>> corpus = ss.scan("fixtures/corpus", tables=["usage"])
        >>> corpus.usage.num_rows == corpus.totals(scope="session")["responses"]
        True
    """

    def __init__(
        self,
        engine: Engine,
        roots: Sequence[Root],
        options: ScanOptions,
        tables: dict[str, pa.Table],
        coverage: Coverage,
    ) -> None:
        """Keep what was scanned, and how, so that more of it can be computed."""
        self._engine = engine
        self._roots = roots
        self._options = options
        self._tables = tables
        self._coverage = coverage

    @property
    def coverage(self) -> Coverage:
        """What was found, read, lost and unknown; `str()` is its one line."""
        return self._coverage

    @property
    def table_names(self) -> tuple[str, ...]:
        """Names of all tables, in the order of the schema."""
        return TABLE_NAMES

    def __getattr__(self, name: str) -> pa.Table:
        """Return the table of that name."""
        if name.startswith("_") or name not in TABLE_NAMES:
            raise AttributeError(
                f"a Corpus has no {name!r}; its tables are {', '.join(TABLE_NAMES)}"
            )
        return self.table(name)

    def __dir__(self) -> Iterable[str]:
        """List the tables among the attributes, for completion."""
        return sorted({*super().__dir__(), *TABLE_NAMES})

    def table(self, name: str) -> pa.Table:
        """Return the table `name`.

        Raises:
            ValueError: for a name that is no table.
            CorpusChangedError: where it must be computed, and the files changed.
        """
        one_of("table", name, TABLE_NAMES)
        self._compute([name])
        return self._tables[name]

    def totals(self, scope: Scope = "corpus") -> dict[str, Any]:
        """Return sums over `usage`, as plain Python without overflow.

        Args:
            scope: "corpus" counts each response once; "session" counts it in every
                session that repeats it (SPEC section 4).

        Returns:
            The token columns (None where no response says); `responses`; of these
            `lower_bound`, `uncertain` and `conflicts`; `copies`, the responses that
            repeat another session's, which scope "corpus" leaves out; and `side`,
            by type, the counts that stand outside the responses' own, such as an
            advisor's, never added in.

        Raises:
            ValueError: for another scope.

        Example:
            >>> import sessionscan as ss
            >>> corpus = ss.scan("fixtures/corpus")
            >>> once, everywhere = corpus.totals(), corpus.totals(scope="session")
            >>> everywhere["responses"] - once["responses"] == once["copies"]
            True
        """
        one_of("scope", scope, get_args(Scope))
        self._compute(["usage", "usage_iterations"])
        return totals.totals(self._tables["usage"], self._tables["usage_iterations"], scope)

    def usage_by(self, *by: usage_by.Key, tz: str = "UTC", scope: Scope = "corpus") -> pa.Table:
        """Return usage summed by one or more keys.

        Args:
            by: any of model, day, week (its Monday), month (its first day),
                session, project (of the session, else the working folder), agent,
                is_sidechain, version, git_branch, entrypoint.
            tz: the time zone of day, week and month, which go by first_timestamp.
            scope: as in `totals`.

        Returns:
            The keys; responses, the token columns, and how many responses are a
            lower_bound, uncertain, or had conflicts. Rows are sorted by the keys,
            nulls last; the schema's metadata name `tz` and `scope`. A sum beyond
            int64 is null.

        Raises:
            ValueError: for no key, another key, time zone or scope.

        Example:
            >>> import sessionscan as ss
            >>> corpus = ss.scan("fixtures/corpus")
            >>> corpus.usage_by("day", "model", tz="Europe/Berlin").column_names[:3]
            ['day', 'model', 'responses']
        """
        usage_by.check_keys(by)
        usage_by.check_tz(tz)
        one_of("scope", scope, get_args(Scope))
        return usage_by.usage_by(self.table("usage"), lambda: self.table("sessions"), by, tz, scope)

    def to_pandas(self, name: str) -> pd.DataFrame:
        """Return a table as a DataFrame of Arrow-backed columns, integers exact."""
        return exports.to_pandas(self.table(name))

    def to_polars(self, name: str) -> pl.DataFrame:
        """Return a table as a Polars DataFrame."""
        return exports.to_polars(self.table(name))

    def register(self, connection: duckdb.DuckDBPyConnection, prefix: str = "") -> tuple[str, ...]:
        """Make every table a view of a DuckDB connection; return the views' names.

        Example:
            >>> import duckdb
            >>> import sessionscan as ss
            >>> connection = duckdb.connect()
            >>> corpus = ss.scan("fixtures/corpus")
            >>> "usage" in corpus.register(connection)
            True
            >>> connection.execute("select count(*) from usage").fetchone()[0] > 0
            True
        """
        self._compute(TABLE_NAMES)
        ordered = {name: self._tables[name] for name in TABLE_NAMES}
        return exports.register(connection, ordered, prefix)

    def to_parquet(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write every table to `<folder>/<name>.parquet`; return the paths.

        The folder is made where it is missing. A file that is there is replaced, by
        a rename once the new one is whole.

        Raises:
            OSError: where the folder cannot be made or written to.
        """
        self._compute(TABLE_NAMES)
        return exports.to_parquet({name: self._tables[name] for name in TABLE_NAMES}, folder)

    def __repr__(self) -> str:
        """Say what it holds, computing nothing."""
        return notebook.as_text(self._tables, self._coverage)

    def _repr_html_(self) -> str:
        return notebook.as_html(self._tables, self._coverage)

    def _compute(self, names: Iterable[str]) -> None:
        """Scan again for the tables among `names` that are not there yet.

        The length of each file is that of the first scan, so what was appended since
        stays out; a file that changed in any other way is an error.
        """
        missing = tuple(name for name in names if name not in self._tables)
        if not missing:
            return
        files = self._tables["files"]
        again = replace(self._options, tables=missing, sizes=_sizes(files), on_progress=None)
        tables, _ = engines.run(self._engine, self._roots, again)
        if not _without_sizes(tables["files"]).equals(_without_sizes(files)):
            raise CorpusChangedError(
                f"{', '.join(missing)} cannot be computed: the files changed since the scan; "
                "scan again, naming these tables"
            )
        self._tables |= {name: tables[name] for name in missing}


def _without_sizes(files: pa.Table) -> pa.Table:
    """Leave out the one column that grows where a file is appended to."""
    return files.drop_columns(["size_bytes"])


def _sizes(files: pa.Table) -> dict[str, int]:
    """Return the length of each file by its path.

    Two names that are not UTF-8 may show as one path: it gets the larger length, so
    that neither file is cut.
    """
    sizes: dict[str, int] = {}
    for path, size in zip(files["path"], files["size_bytes"], strict=True):
        sizes[str(path)] = max(size.as_py() or 0, sizes.get(str(path), 0))
    return sizes
