"""Tables handed to pandas, Polars, DuckDB and Parquet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import pyarrow.parquet as pq

from sessionscan.atomic import replacing

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    import duckdb
    import pandas as pd
    import polars as pl
    import pyarrow as pa


# So that reading gives an equal schema, names inside lists included.
PARQUET: Final[dict[str, Any]] = {"compression": "zstd", "use_compliant_nested_type": False}


def to_pandas(table: pa.Table) -> pd.DataFrame:
    """Return a DataFrame whose columns stay Arrow's: an int64 with nulls stays exact."""
    try:
        import pandas as pd  # noqa: PLC0415
    except ImportError as error:
        raise ImportError(_missing("pandas")) from error
    return table.to_pandas(types_mapper=pd.ArrowDtype)


def to_polars(table: pa.Table) -> pl.DataFrame:
    """Return a Polars DataFrame."""
    try:
        import polars as pl  # noqa: PLC0415
    except ImportError as error:
        raise ImportError(_missing("polars")) from error
    frame = pl.from_arrow(table)
    if not isinstance(frame, pl.DataFrame):
        raise TypeError("Polars made no DataFrame of a table")
    return frame


def register(
    connection: duckdb.DuckDBPyConnection, tables: Mapping[str, pa.Table], prefix: str
) -> tuple[str, ...]:
    """Make each table a view of the connection; return the views' names."""
    for name, table in tables.items():
        connection.register(prefix + name, table)
    return tuple(prefix + name for name in tables)


def to_parquet(tables: Mapping[str, pa.Table], folder: str | os.PathLike[str]) -> list[Path]:
    """Write one file per table, each whole or not at all; return their paths."""
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    return [_write(table, target / f"{name}.parquet") for name, table in tables.items()]


def _write(table: pa.Table, path: Path) -> Path:
    with replacing(path) as file:
        write_parquet(table, file)
    return path


def write_parquet(table: pa.Table, file: BinaryIO | pa.BufferOutputStream) -> None:
    """Write a table so that reading it gives an equal schema, names inside lists included."""
    pq.write_table(table, file, **PARQUET)


def _missing(package: str) -> str:
    return f"{package} is not installed: pip install 'sessionscan[{package}]'"
