"""How do tables come in, and how do they go out?

What comes in exports Arrow (``__arrow_c_stream__``), or is a path. What goes out is of the same kind as what came in.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Union

from shoal import _html, _shoal
from shoal._errors import ShoalError, TableError

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow
    from typing_extensions import Protocol, TypeVar

    class _DataFrame(Protocol):
        """What a DataFrame of pandas or polars has, and nothing else that is a table: known without either being installed."""

        def sample(self, *args: Any, **keys: Any) -> Any: ...
        def transpose(self, *args: Any, **keys: Any) -> Any: ...

    Frame = TypeVar("Frame", default=Any)
    #: A DataFrame that comes out as it went in.
    Given = TypeVar("Given", bound=_DataFrame)
else:
    from typing import TypeVar

    #: What a release is in: that in which its table came in.
    Frame = TypeVar("Frame")

#: What a table may be: something that exports Arrow (pandas, polars, pyarrow, DuckDB, ..), or the path of a file.
TableLike = Any
Path = Union[str, "os.PathLike[str]"]


#: What values are that are no column of one type; the numbers are those of Python, which have no end.
_MIXED = "of several types, or whole numbers that are too large"


class Table:
    """A table that exports itself to whatever knows Arrow.

    It is what comes out where neither pandas nor polars nor pyarrow went in.

    Parameters
    ----------
    table : anything that exports Arrow
        What it takes over.

    Examples
    --------
    >>> table = shoal.anonymize("patients.csv", policy).table  # doctest: +SKIP
    >>> duckdb.sql("SELECT count(*) FROM table")  # doctest: +SKIP
    """

    def __init__(self, table: Any) -> None:
        taken_over = table if isinstance(table, _shoal.ArrowTable) else taken(table)[0]
        if not isinstance(taken_over, _shoal.ArrowTable):
            raise TypeError("a path is read by whoever is given it; a shoal.Table is in memory")
        self._table = taken_over

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._table.columns

    def __len__(self) -> int:
        return len(self._table)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        return self._table.__arrow_c_schema__()

    def to_pandas(self) -> pandas.DataFrame:
        """The table in pandas; needs pyarrow."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """The table in polars."""
        import polars

        frame: polars.DataFrame = _to_polars(polars, self._table)
        return frame

    def to_arrow(self) -> pyarrow.Table:
        """The table in pyarrow."""
        import pyarrow

        return pyarrow.table(self._table)

    def __repr__(self) -> str:
        types = "\n".join(f"  {name}: {kind}" for name, kind in zip(self.columns, self._table.types, strict=True))
        return f"shoal.Table of {len(self):,} rows\n{types}"

    def _repr_html_(self) -> str:
        return _html.table(["column", "type"], zip(self.columns, self._table.types, strict=True))


def generate(name: str, rows: int, *, seed: int = 1) -> Table:
    """Make up realistic people to try things on: what `shoal generate` writes.

    Parameters
    ----------
    name : str
        Which table: ``census``, ``sales`` or ``visits``.
    rows : int
        How many rows.
    seed : int
        Another seed, other people.

    Returns
    -------
    Table

    Examples
    --------
    >>> len(shoal.generate("census", rows=100))
    100
    """
    return Table(_shoal.generate(name, rows, seed))


def taken(table: TableLike) -> tuple[_shoal.ArrowTable | str, Callable[[_shoal.ArrowTable], Any]]:
    """The table as the extension takes it, and what makes a release of it look like it."""
    if isinstance(table, (str, os.PathLike)):
        return os.fspath(table), Table
    if isinstance(table, Table):
        return table._table, Table
    # Frames of other packages that are frames of these, too: GeoPandas.
    packages = [kind.__module__.partition(".")[0] for kind in type(table).__mro__]
    package = next((name for name in packages if name in ("pandas", "polars", "pyarrow")), None)
    if package == "pandas":
        return _from_pandas(table)
    if package == "polars":
        return _from_polars(table)
    if package == "pyarrow" and hasattr(table, "__arrow_c_array__") and not hasattr(table, "__arrow_c_stream__"):
        import pyarrow

        table = pyarrow.Table.from_batches([table])
    if hasattr(table, "__arrow_c_stream__"):
        return _from_pyarrow(table) if package == "pyarrow" else (_taken_over(table), Table)
    raise TypeError(
        f"{type(table).__name__} is no table: give a DataFrame, anything else that exports Arrow "
        "(`__arrow_c_stream__`), or the path of a file"
    )


def _taken_over(exporter: Any) -> _shoal.ArrowTable:
    try:
        return _shoal.ArrowTable.of(exporter)
    except ShoalError:
        raise
    except ValueError:
        # Arrow names the type in words of its own, and no column.
        message = "a column is of a type that Shoal does not read\nhint: make it text or numbers, or leave it out"
        raise TableError(message) from None


def column_of(values: Any) -> tuple[_shoal.ArrowTable | str, str]:
    """A table with one column, and its name: for a series, an array or a list."""
    if isinstance(values, (str, bytes)):
        raise TypeError("text is no column: give a series, an array or a list")
    name = str(getattr(values, "name", None) or "values")
    if hasattr(values, "to_frame"):
        # An index of pandas first becomes a series.
        series = values.to_series() if hasattr(values, "to_series") else values
        return taken(series.to_frame(name))[0], name
    try:
        import pyarrow
    except ImportError:
        raise ImportError("a list becomes a column by pyarrow, which is not installed: pip install pyarrow") from None
    try:
        array = values if isinstance(values, (pyarrow.Array, pyarrow.ChunkedArray)) else pyarrow.array(values)
    except (pyarrow.ArrowException, TypeError, OverflowError):
        # What it says may quote a value.
        message = f"the values are {_MIXED}\nhint: make them alike, for example all of them text"
        raise TableError(message) from None
    return taken(pyarrow.table({name: array}))[0], name


def _from_pyarrow(table: Any) -> tuple[_shoal.ArrowTable, Callable[[_shoal.ArrowTable], Any]]:
    import pyarrow

    ordered = {}
    if isinstance(table, pyarrow.Table):
        for name, column in zip(table.column_names, table.columns, strict=True):
            if pyarrow.types.is_dictionary(column.type) and column.type.ordered:
                chunks = column.unify_dictionaries().chunks
                ordered[name] = chunks[0].dictionary if chunks else pyarrow.array([], column.type.value_type)
    return _taken_over(table), lambda released: _to_pyarrow(pyarrow, released, ordered)


def _to_pyarrow(pyarrow: Any, released: _shoal.ArrowTable, ordered: Mapping[str, Any]) -> Any:
    """A table whose dictionaries are in the order that they had, where they had one."""
    import pyarrow.compute as compute

    table = pyarrow.table(released)
    for place, name in enumerate(table.column_names):
        kind = table.column(place).type
        if name in ordered and pyarrow.types.is_dictionary(kind):
            values = table.column(place).cast(kind.value_type)
            # Only what the release shows: other entries are values of rows that are not in it.
            shown = ordered[name].filter(compute.is_in(ordered[name], value_set=values.unique()))
            codes = compute.index_in(values, value_set=shown).cast(kind.index_type)
            parts = [pyarrow.DictionaryArray.from_arrays(part, shown, ordered=True) for part in codes.chunks]
            kind = pyarrow.dictionary(kind.index_type, kind.value_type, ordered=True)
            table = table.set_column(place, name, pyarrow.chunked_array(parts, kind))
    return table


def _from_polars(frame: Any) -> tuple[_shoal.ArrowTable, Callable[[_shoal.ArrowTable], Any]]:
    import polars

    if isinstance(frame, polars.LazyFrame):
        frame = frame.collect()
    if not isinstance(frame, polars.DataFrame):
        raise TypeError(f"{type(frame).__name__} is no table: give a DataFrame or a LazyFrame")
    was = frame.schema
    # polars exports columns in which nothing stands in a way that others do not read.
    nothing = [name for name, kind in was.items() if kind == polars.Null]
    table = _taken_over(frame.with_columns(polars.col(nothing).cast(polars.String)) if nothing else frame)
    kinds = dict(zip(table.columns, table.types, strict=True))
    return table, lambda released: _as_it_was(polars, released, was, kinds)


def _as_it_was(polars: Any, released: _shoal.ArrowTable, was: Mapping[str, Any], kinds: Mapping[str, str]) -> Any:
    """A DataFrame whose columns have the types that they had, where they are still shown as they were."""
    frame = _to_polars(polars, released)
    for name, kind in zip(released.columns, released.types, strict=True):
        if kinds.get(name) != kind:
            continue
        if was[name] == polars.Null:
            frame = frame.with_columns(polars.lit(None).alias(name))
        elif isinstance(was[name], polars.Enum):
            # Only what the release shows: other categories are values of rows that are not in it.
            shown = set(frame[name].cast(polars.String).unique())
            kept = polars.Enum([category for category in was[name].categories if category in shown])
            frame = frame.with_columns(polars.col(name).cast(polars.String).cast(kept))
    return frame


def _to_polars(polars: Any, released: _shoal.ArrowTable) -> Any:
    return polars.DataFrame(released)


def _from_pandas(frame: Any) -> tuple[_shoal.ArrowTable, Callable[[_shoal.ArrowTable], Any]]:
    import pandas

    if not isinstance(frame, pandas.DataFrame):
        raise TypeError(f"{type(frame).__name__} is no table: give a DataFrame")
    try:
        import pyarrow
    except ImportError:
        raise ImportError("pandas hands out its tables by pyarrow, which is not installed: pip install pyarrow") from None
    names = [str(name) for name in frame.columns]
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        raise TableError(f"two columns are named `{twice}`")
    for name, dtype in zip(names, frame.dtypes, strict=True):
        if isinstance(dtype, (pandas.PeriodDtype, pandas.IntervalDtype, pandas.SparseDtype)) or dtype.kind == "c":
            raise TableError(f"column `{name}` is of a type that has no text\nhint: make it text with .astype(str)")
    try:
        # Rows of a release are no longer those of the index.
        arrow = pyarrow.Table.from_pandas(frame, preserve_index=False)
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError, pyarrow.ArrowNotImplementedError, OverflowError):
        # What it says may quote a cell.
        mixed = next((name for name in frame.columns if not _has_a_type(pyarrow, frame[name])), None)
        which = "a column" if mixed is None else f"column `{mixed}`"
        message = f"{which} has values {_MIXED}\nhint: make them alike, for example with .astype(str)"
        raise TableError(message) from None
    table = _taken_over(arrow.replace_schema_metadata(None))
    was = dict(zip(table.columns, zip(table.types, frame.dtypes, strict=True), strict=True))
    return table, lambda released: _to_pandas(pandas, pyarrow, released, was)


def _has_a_type(pyarrow: Any, series: Any) -> bool:
    try:
        pyarrow.array(series, from_pandas=True)
    except (pyarrow.ArrowException, OverflowError):
        return False
    return True


def _to_pandas(pandas: Any, pyarrow: Any, released: _shoal.ArrowTable, was: dict[str, Any]) -> Any:
    """A DataFrame whose columns have the types that they had, where they are still shown as they were."""
    table = pyarrow.table(released)
    columns = {}
    for name, column, kind in zip(table.column_names, table.columns, released.types, strict=True):
        before, dtype = was.get(name, (None, None))
        columns[name] = _series(pandas, column, dtype if kind == before else None)
    return pandas.DataFrame(columns, index=pandas.RangeIndex(len(released)))


def _series(pandas: Any, column: Any, dtype: Any) -> Any:
    if isinstance(dtype, pandas.CategoricalDtype):
        # Only what the release shows: other categories are values of rows that are not in it.
        values = column.to_pandas().astype("category")
        kept = [category for category in dtype.categories if category in set(values.cat.categories)]
        return values.cat.set_categories(kept, ordered=dtype.ordered)
    if dtype is not None and hasattr(dtype, "__from_arrow__"):
        return pandas.Series(dtype.__from_arrow__(column))
    # Objects may be whole numbers beside nothing, which are not to become decimals.
    return column.to_pandas(integer_object_nulls=dtype == object)
