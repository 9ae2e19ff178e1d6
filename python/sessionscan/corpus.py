"""What a scan gives: its tables, what it covered, and the ways on from there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

import pyarrow.compute as pc

from sessionscan import (
    agent_tree,
    exports,
    later,
    lineage,
    notebook,
    one_session,
    projects,
    reconcile,
    sidecar_content,
    time_window,
    totals,
    usage_by,
)
from sessionscan import triage as triages
from sessionscan.options import Scope, one_of
from sessionscan.schema import ALL_TABLE_NAMES, CENSUS, TABLE_NAMES

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    import duckdb
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from sessionscan import selected
    from sessionscan.coverage import Coverage
    from sessionscan.options import Engine, ScanOptions
    from sessionscan.sources import Root
    from sessionscan.time_window import Moment


class Corpus:
    """The tables of one scan; `sessionscan.scan` makes it.

    Every table is an attribute, a `pyarrow.Table`: `corpus.usage`,
    `corpus.tool_calls` and so on (`corpus.table_names` lists them, and there is
    `corpus.census`). A table that the scan was not asked for is computed when it is
    first looked at, from the same bytes of the same transcripts; what stands beside
    them (metas, backups, outputs) is looked at as it is then. `diagnostics` grows by
    what is found out about that: findings about paths and side files come with the
    tables that need them (ruling 37).

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
        """Names of the tables that "all" stands for, in the order of the schema.

        `census` is not among them: it is about the format, and made where it is named.
        """
        return TABLE_NAMES

    def __getattr__(self, name: str) -> pa.Table:
        """Return the table of that name."""
        if name.startswith("_") or name not in ALL_TABLE_NAMES:
            raise AttributeError(
                f"a Corpus has no {name!r}; its tables are {', '.join(ALL_TABLE_NAMES)}"
            )
        return self.table(name)

    def __dir__(self) -> Iterable[str]:
        """List the tables among the attributes, for completion."""
        return sorted({*super().__dir__(), *ALL_TABLE_NAMES})

    def table(self, name: str) -> pa.Table:
        """Return the table `name`.

        Raises:
            ValueError: for a name that is no table.
            CorpusChangedError: where it must be computed, and the files changed.

        Example:
            >>> import sessionscan as ss
            >>> corpus = ss.scan("fixtures/corpus")
            >>> corpus.table("agents").equals(corpus.agents)
            True
        """
        one_of("table", name, ALL_TABLE_NAMES)
        self._compute([name])
        return self._tables[name]

    @property
    def prompts(self) -> pa.Table:
        """Every text that may be a person's; `kind` says what it is (SPEC section 7).

        A person's words are the rows of kind "prompt" whose `duplicate_of_line` is
        null; nothing is dropped, so the other kinds show what was told apart from
        them, and `reason` by which rule (rulings 51 to 53).

        Two of the rules need the whole corpus. A text that a hook appended is known
        by standing alone somewhere else (`known_block`), and an echo by an
        assistant's earlier words (`equal`, `contained`), in whatever file. So a scan
        that makes `prompts` or `sessions`, which counts them, holds the words of all
        assistants and hooks in memory until it ends; `text` is filled only where it
        was asked for. A scan of fewer files may see a prompt in what is an echo of a
        file that it did not read.

        Example:
            >>> import sessionscan as ss
            >>> corpus = ss.scan("fixtures/corpus", text=True)
            >>> kinds = set(corpus.prompts["kind"].to_pylist())
            >>> "prompt" in kinds and "notification" in kinds
            True
        """
        return self.table("prompts")

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

    def agent_tree(self, session_id: str | None) -> agent_tree.AgentTree:
        """Return the subagents of a session as a tree: who started whom.

        Args:
            session_id: the session; None gives the agents of files that name none.

        Returns:
            The tree. `str()` draws it, iterating gives each agent behind the one that
            started it, `to_table()` the rows of `agents` in that order. An agent
            whose parent is missing, or leads back to it, stands at the root and its
            `remark` says so. Parents are those of `agents` (SPEC section 6, ruling 41);
            any depth is drawn.

        Raises:
            ValueError: for a session that the corpus does not hold.

        Example:
            >>> import sessionscan as ss
            >>> corpus = ss.scan("fixtures/corpus")
            >>> tree = corpus.agent_tree("89f4e370-066a-4ed8-aa20-ca4df376c190")
            >>> [node.agent_type for node in tree.roots]
            ['Explore', 'general-purpose']
        """
        self._compute(["agents", "sessions"])
        agents = self._tables["agents"]
        if session_id is not None:
            self._check_session(session_id, agents["session_id"])
        return agent_tree.agent_tree(agents, session_id)

    def lineage(self, session_id: str | None = None) -> lineage.Lineage:
        """Return what sessions came from: forks, resumed and handed-over sessions.

        Args:
            session_id: None gives the trees of all sessions that are linked; a
                session gives the one tree that holds it, from its first ancestor
                down.

        Returns:
            Trees over `links` (SPEC section 6, ruling 43): ancestors above
            descendants. A session stands below the one that
            `sessions.forked_from_session_id` names; its links to others are in
            `others`. An ancestor that the corpus does not hold is a node that was not
            `found`; of sessions that name each other in a circle the first stands at
            the root, and its `remark` says so. `str()` draws the trees, `to_table()`
            gives a row per session.

        Raises:
            ValueError: for a session that is neither in `sessions` nor in `links`.

        Example:
            >>> import sessionscan as ss
            >>> corpus = ss.scan("fixtures/corpus")
            >>> for node in corpus.lineage():
            ...     print(node.depth, node.session_id[:8])
            0 89f4e370
            1 58a263db
        """
        self._compute(["links", "sessions"])
        links, sessions = self._tables["links"], self._tables["sessions"]
        if session_id is not None:
            self._check_session(session_id, links["other_session_id"])
        return lineage.lineage(links, sessions, session_id)

    def reconcile(self) -> pa.Table:
        """Set our token counts beside those of the clients' own cost records.

        Returns:
            A row per session and model that `usage` (in scope session) or the last
            cost record of a session in `ledger` names: `responses` and, of them,
            `lower_bound`; for each of input, output, cache creation and cache read
            our count, the client's, and the difference, ours minus the client's;
            `client_cost_usd`; and where the client says it. What one side does not
            say is null, and so is the difference. Rows are in the order of
            `sessions`, then by the model's bytes; models match as written.

        A difference is no error of either: a lower bound of output, a transcript that
        is gone or a client that counts otherwise all make one. Nothing is changed by
        it. A response or cost record without a session belongs to its file's (ruling
        37), and without one to the file.

        Example:
            >>> import sessionscan as ss
            >>> ss.scan("fixtures/corpus").reconcile().column_names[:3]
            ['session_id', 'model', 'responses']
        """
        self._compute(["usage", "ledger", "sessions"])
        needed = (self._tables[name] for name in ("usage", "ledger", "files", "sessions"))
        return reconcile.reconcile(*needed)

    def triage(
        self, *, kinds: Iterable[str] | None = None, tail_chars: int | None = None
    ) -> pa.Table:
        """List the sessions with how they ended, those first that may wait for a person.

        Args:
            kinds: only endings of these kinds; None is all.
            tail_chars: only so many characters of the last reply's end; None is all.

        Returns:
            A row per session: session_id, project, kind, last_assistant_kind, n_pending
            (calls that no result answers), last_timestamp, ends_with_question, tail
            (the end of the last reply, null unless the scan has text), file_id, line.
            Interrupted ones stand first, then api_error, no_reply, done, and empty; of
            these those that end with a question, and then the latest.

        The kind says what stands last in the transcript, not what is needed (SPEC
        section 7, ruling 54): a session that is done may wait for an answer without a
        question mark. Read the tail.

        Raises:
            ValueError: for a kind that is none, or a number of characters below 0.

        Example:
            >>> import sessionscan as ss
            >>> corpus = ss.scan("fixtures/claude/endings", text=True)
            >>> for row in corpus.triage(kinds=["done"], tail_chars=14).to_pylist():
            ...     print(row["kind"], row["ends_with_question"], row["tail"])
            done True measure again?
            done False Four fathoms.
        """
        asked = triages.KINDS["endings"] if kinds is None else list(kinds)
        for kind in asked:
            one_of("kind", kind, triages.KINDS["endings"])
        if tail_chars is not None and tail_chars < 0:
            raise ValueError(f"tail_chars must be 0 or more, not {tail_chars}")
        self._compute(["endings", "sessions"])
        return triages.triage(self._tables["endings"], self._tables["sessions"], asked, tail_chars)

    def kinds_by(self, table: triages.Kinds, by: triages.By, *, tz: str = "UTC") -> pa.Table:
        """Count prompts or endings of each kind, by project or day.

        Args:
            table: "prompts" or "endings".
            by: "project", that of the session, or "day", of the prompt's or ending's
                own time.
            tz: the time zone of days.

        Returns:
            A row per project or day, nulls last: the key, n, and a column per kind.

        Raises:
            ValueError: for another table, key or time zone.

        Example:
            >>> import sessionscan as ss
            >>> corpus = ss.scan("fixtures/corpus")
            >>> days = corpus.kinds_by("endings", "day", tz="Europe/Berlin")
            >>> days.column_names[:4]
            ['day', 'n', 'interrupted', 'api_error']
        """
        one_of("table", table, get_args(triages.Kinds))
        one_of("by", by, get_args(triages.By))
        usage_by.check_tz(tz)
        self._compute([table, "sessions"])
        return triages.kinds_by(self._tables[table], self._tables["sessions"], table, by, tz)

    def sidecar(self, row: int, max_bytes: int = 1 << 20) -> Iterator[bytes]:
        """Read an output that stands in a file of its own, as pieces of at most 64 KiB.

        A scan only looks whether such files exist; this opens one, inside the folder
        of its session and through no link (SPEC section 3, ruling 46).

        Args:
            row: the number of its row in `sidecars`.
            max_bytes: no more is read; 1 MiB where nothing is said.

        Raises:
            ValueError: for a row or a limit that cannot be, and a path that leads
                out of the session's folder or to what is no regular file.
            OSError: where it is not there, or a link stands on the way.

        Example:
            >>> import sessionscan as ss
            >>> corpus = ss.scan("fixtures/claude/persisted_output")
            >>> text = b"".join(corpus.sidecar(0, max_bytes=80)).decode()
            >>> text.splitlines()[0]
            '2026-08-03 00:00 gauge-7 120 cm'
        """
        sidecars = self.table("sidecars")
        if not 0 <= row < sidecars.num_rows or max_bytes < 0:
            raise ValueError(
                f"row {row} with at most {max_bytes} bytes: sidecars has {sidecars.num_rows} rows"
            )
        sidecar = sidecars.slice(row, 1).to_pylist()[0]
        path = self._tables["files"]["path"][sidecar["file_id"]].as_py()
        return sidecar_content.pieces(sidecar, path, max_bytes, self._options.store)

    def select(
        self,
        *,
        project: str | os.PathLike[str] | None = None,
        sessions: Iterable[str] | str | None = None,
        exclude_sessions: Iterable[str] | str | None = None,
        since: Moment | None = None,
        until: Moment | None = None,
        tz: str | None = None,
    ) -> selected.SelectedCorpus:
        """Return a part of the corpus, with all that a corpus can do.

        Args:
            project: only sessions with a record whose `cwd` is this folder or lies
                below it. A path, or the bare name of a folder where only one has it.
            sessions: only these, by id or its beginning.
            exclude_sessions: none of these.
            since: only rows from then on, each by its own time. A date is a whole day
                in `tz`; a moment, as datetime or text, must say its offset.
            until: only rows up to then, this day or moment included.
            tz: the time zone of dates; None is that of this machine.

        Returns:
            A corpus whose tables hold the rows of these sessions, in order, each dated
            by its own timestamp: usage by first_timestamp, calls by theirs, endings by
            last_timestamp; blocks, skills, sidecars and journal by their record.
            `sessions`, `agents`, `workflows` and `links` are kept where their session
            has a record in the span, and count all of it. `untimed` says, by table, how
            many rows the span left out because they have no time. `files`,
            `diagnostics`, `census` and the coverage are those of the whole.

        Raises:
            ValueError: for a project or session that is not there, a name that several
                have (they are listed), a moment without offset, another time zone.

        Example:
            >>> import sessionscan as ss
            >>> corpus = ss.scan("fixtures/corpus")
            >>> part = corpus.select(project="lighthouse-log", since="2026-08-04", tz="UTC")
            >>> part.sessions.num_rows, corpus.sessions.num_rows
            (2, 8)
        """
        from sessionscan import selected  # noqa: PLC0415 (it is a corpus)

        if tz is not None:
            usage_by.check_tz(tz)
        window = time_window.window(since, until, tz)
        kept: frozenset[str] | None = None
        pairs = selected.worked(self.records, self.files)
        known = {session for session, _ in pairs}
        if sessions is not None:
            kept = frozenset(one_session.find(name, known) for name in _each(sessions))
        if project is not None:
            worked = ((session, cwd) for session, cwd in pairs if cwd is not None)
            found = projects.sessions_in(project, worked)[1]
            kept = frozenset(found if kept is None else kept & found)
        excluded = frozenset(one_session.find(n, known) for n in _each(exclude_sessions or ()))
        return selected.SelectedCorpus(self, selected.Selection(kept, excluded, window))

    def to_pandas(self, name: str) -> pd.DataFrame:
        """Return a table as a DataFrame of Arrow-backed columns, integers exact."""
        return exports.to_pandas(self.table(name))

    def to_polars(self, name: str) -> pl.DataFrame:
        """Return a table as a Polars DataFrame."""
        return exports.to_polars(self.table(name))

    def register(self, connection: duckdb.DuckDBPyConnection, prefix: str = "") -> tuple[str, ...]:
        """Make every table a view of a DuckDB connection; return the views' names.

        `census` is among them where it was computed.

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
        return exports.register(connection, self._all(), prefix)

    def to_parquet(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write every table to `<folder>/<name>.parquet`; return the paths.

        `census` is among them where it was computed.
        The folder is made where it is missing. A file that is there is replaced, by
        a rename once the new one is whole.

        Raises:
            OSError: where the folder cannot be made or written to.
        """
        return exports.to_parquet(self._all(), folder)

    def __repr__(self) -> str:
        """Say what it holds, computing nothing."""
        return notebook.as_text(self._tables, self._coverage)

    def _repr_html_(self) -> str:
        return notebook.as_html(self._tables, self._coverage)

    def _all(self) -> dict[str, pa.Table]:
        """Return every table, computing what is missing of them; census only if it is there."""
        self._compute(TABLE_NAMES)
        names = (*TABLE_NAMES, CENSUS) if CENSUS in self._tables else TABLE_NAMES
        return {name: self._tables[name] for name in names}

    def _check_session(self, session_id: str, others: pa.ChunkedArray[Any]) -> None:
        """Refuse a session that neither `sessions` nor the ids in `others` hold."""
        if not isinstance(session_id, str):
            raise TypeError(f"session_id must be a string, not {type(session_id).__name__}")
        columns = (self._tables["sessions"]["session_id"], others)
        if all(pc.index(ids, session_id).as_py() < 0 for ids in columns):
            raise ValueError(f"the corpus holds no session {session_id!r}")

    def _compute(self, names: Iterable[str]) -> None:
        """Scan again for the tables among `names` that are not there yet."""
        later.add(self._tables, names, self._engine, self._roots, self._options)


def _each(names: Iterable[str] | str) -> Iterable[str]:
    return [names] if isinstance(names, str) else names
