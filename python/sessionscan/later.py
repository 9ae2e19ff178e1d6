"""Tables that a scan did not make, computed later over the same bytes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sessionscan import engines
from sessionscan.errors import CorpusChangedError
from sessionscan.schema import ALL_TABLE_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pyarrow as pa

    from sessionscan.options import Engine, ScanOptions
    from sessionscan.sources import Root

# These bring findings about paths and side files with them (ruling 37).
_WITH_FINDINGS = frozenset({"sessions", "agents", "workflows", "sidecars", "file_history"})


def add(
    tables: dict[str, pa.Table],
    names: Iterable[str],
    engine: Engine,
    roots: Sequence[Root],
    options: ScanOptions,
) -> None:
    """Scan again for those of `names` that are not in `tables` yet, and add them.

    The length of each file is that of the first scan, so what was appended since
    stays out; a file that changed in any other way is an error.

    Where a new table brings findings with it, the scan makes those that brought
    theirs before once more, so that its diagnostics hold all of them and can take
    the place of the old ones.

    Raises:
        CorpusChangedError: where the files are not what they were.
    """
    missing = tuple(name for name in names if name not in tables)
    if not missing:
        return
    files = tables["files"]
    grows = not _WITH_FINDINGS.isdisjoint(missing)
    needed = {*missing, *(_WITH_FINDINGS & tables.keys() if grows else ())}
    asked = tuple(name for name in ALL_TABLE_NAMES if name in needed)
    again = replace(options, tables=asked, sizes=_sizes(files), on_progress=None)
    found, _ = engines.run(engine, roots, again)
    if not _without_sizes(found["files"]).equals(_without_sizes(files)):
        raise CorpusChangedError(
            f"{', '.join(missing)} cannot be computed: the files changed since the scan; "
            "scan again, naming these tables"
        )
    tables |= {name: found[name] for name in missing}
    if grows:
        tables["diagnostics"] = found["diagnostics"]


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
