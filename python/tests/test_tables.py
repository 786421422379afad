"""Do tables come out as they went in?"""

from __future__ import annotations

import datetime as dt
import decimal
from typing import Any

import duckdb
import nanoarrow
import pandas as pd
import polars as pl
import polars.testing
import pyarrow as pa
import pytest

import shoal

ROWS = 60
DAYS = [dt.date(2020, 1, 1) + dt.timedelta(days=31 * row) for row in range(ROWS)]
COLUMNS: dict[str, tuple[list[Any], pa.DataType]] = {
    "int8": ([row % 100 for row in range(ROWS)], pa.int8()),
    "uint64": ([row * 10**15 for row in range(ROWS)], pa.uint64()),
    "float32": ([row / 4 for row in range(ROWS)], pa.float32()),
    "float64": ([row / 3 if row % 7 else None for row in range(ROWS)], pa.float64()),
    "bool": ([bool(row % 2) if row % 5 else None for row in range(ROWS)], pa.bool_()),
    "decimal": ([decimal.Decimal(row) / 8 for row in range(ROWS)], pa.decimal128(12, 3)),
    "date": (DAYS, pa.date32()),
    "moment": ([dt.datetime(2020, 1, 1) + dt.timedelta(seconds=row) for row in range(ROWS)], pa.timestamp("us")),
    "zoned": (
        [dt.datetime(2020, 1, 1, tzinfo=dt.timezone.utc) + dt.timedelta(hours=row) for row in range(ROWS)],
        pa.timestamp("ns", "Europe/Berlin"),
    ),
    "time": ([dt.time(row % 24, row) for row in range(ROWS)], pa.time64("us")),
    "text": ([f"text {row}" if row % 9 else None for row in range(ROWS)], pa.string()),
    "large": ([f"a long text with the number {row}" for row in range(ROWS)], pa.large_string()),
    "view": ([f"a long text with the number {row}" for row in range(ROWS)], pa.string_view()),
    "word": ([["red", "green", "blue"][row % 3] for row in range(ROWS)], pa.dictionary(pa.int8(), pa.string())),
}


def table() -> pa.Table:
    """A quasi-identifier, a sensitive column, a number to know rows by, and a column of every type."""
    arrays = {name: pa.array(values, kind) for name, (values, kind) in COLUMNS.items()}
    age = pa.array([20 + row % 30 for row in range(ROWS)], pa.int64())
    pay = pa.array([row % 4 for row in range(ROWS)], pa.int64())
    return pa.table({"row": pa.array(range(ROWS)), "age": age, "pay": pay, **arrays})


def policy(**keys: Any) -> shoal.Policy:
    made = shoal.Policy()
    made["age"] = shoal.quasi(intervals=[5, 10, 20])
    made["pay"] = shoal.sensitive()
    made.require("k-anonymity", k=2)
    made.set({"input.other-columns": "insensitive"}, **keys)
    return made


def test_arrow_types_survive() -> None:
    for shuffle in [True, False]:
        released = shoal.anonymize(table(), policy(), k=3, settings={"output.shuffle": shuffle}).table
        assert isinstance(released, pa.Table)
        order = released.column("row").to_pylist()
        for name in ["row", "pay", *COLUMNS]:
            assert released.schema.field(name).type == table().schema.field(name).type, name
            expected = table().column(name).to_pylist()
            assert released.column(name).to_pylist() == [expected[row] for row in order], name
        ages = [f"[{age // 5 * 5}, {age // 5 * 5 + 5})" for age in table().column("age").to_pylist()]
        assert released.column("age").to_pylist() == [ages[row] for row in order]


def test_polars_comes_out_as_polars() -> None:
    frame = pl.DataFrame(table()).with_columns(pl.col("word").cast(pl.Categorical))
    released = shoal.anonymize(frame, policy()).table
    assert isinstance(released, pl.DataFrame)
    polars.testing.assert_frame_equal(released.sort("row").drop("age"), frame.drop("age"), categorical_as_str=True)
    assert released.schema["word"] == frame.schema["word"]
    lazy = shoal.anonymize(frame.lazy(), policy()).table
    assert isinstance(lazy, pl.DataFrame)


def test_pandas_comes_out_as_pandas() -> None:
    frame = pd.DataFrame(
        {
            "row": range(ROWS),
            "age": [20 + row % 30 for row in range(ROWS)],
            "pay": [row % 4 for row in range(ROWS)],
            "nullable": pd.array([row if row % 3 else None for row in range(ROWS)], dtype="Int64"),
            "truth": pd.array([bool(row % 2) if row % 3 else None for row in range(ROWS)], dtype="boolean"),
            "word": pd.Categorical([["red", "green", "blue"][row % 3] for row in range(ROWS)]),
            "size": pd.Categorical(
                [["small", "large"][row % 2] for row in range(ROWS)], categories=["small", "large"], ordered=True
            ),
            "moment": pd.date_range("2020-01-01", periods=ROWS, tz="Europe/Berlin"),
            "arrow": pd.array([f"text {row}" for row in range(ROWS)], dtype=pd.ArrowDtype(pa.string())),
            "text": [f"text {row}" if row % 9 else None for row in range(ROWS)],
            "number": [row / 3 for row in range(ROWS)],
            "long": pd.Series([2**53 + row if row % 3 else None for row in range(ROWS)], dtype=object).to_numpy(),
        },
        index=[f"patient {row}" for row in range(ROWS)],
    )
    released = shoal.anonymize(frame, policy()).table
    assert isinstance(released, pd.DataFrame)
    released = released.sort_values("row").reset_index(drop=True)
    expected = frame.reset_index(drop=True)
    pd.testing.assert_frame_equal(released.drop(columns="age"), expected.drop(columns="age"), check_categorical=False)
    assert list(released["word"].cat.categories) == list(frame["word"].cat.categories)
    assert released["size"].cat.ordered
    assert "patient" not in str(list(released.columns)) and isinstance(released.index, pd.RangeIndex)


def test_other_exporters_come_out_as_something_that_exports() -> None:
    relation = duckdb.sql("SELECT i AS row, 20 + i % 30 AS age, i % 4 AS pay FROM range(60) t(i)")
    for exporter in [relation, nanoarrow.ArrayStream(table().select(["row", "age", "pay"]))]:
        released = shoal.anonymize(exporter, policy()).table
        assert isinstance(released, shoal.Table) and len(released) == ROWS
        assert duckdb.sql("SELECT count(*) FROM released").fetchall() == [(ROWS,)]
        assert sorted(released.to_polars()["row"]) == list(range(ROWS))
        assert released.to_arrow().num_rows == len(released.to_pandas()) == ROWS


def test_a_release_holds_nothing_of_rows_that_are_not_in_it() -> None:
    """Categories and the buffers of texts are those of the release, not of the table."""
    secret = "the only one with this very long word"
    words = [secret if row == 7 else ["red", "green"][row % 2] for row in range(ROWS)]
    ages = [99 if row == 7 else 20 + row % 30 for row in range(ROWS)]
    base = {"row": list(range(ROWS)), "age": ages, "pay": [row % 4 for row in range(ROWS)]}
    for shuffle in [True, False]:
        settings = {"output.shuffle": shuffle}
        arrow = pa.table({**base, "word": pa.array(words).dictionary_encode(), "view": pa.array(words, pa.string_view())})
        release = shoal.anonymize(arrow, policy(max_suppressed=0.05), settings=settings)
        assert 7 not in release.table.column("row").to_pylist() and release.suppressed <= 3
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, release.table.schema) as writer:
            writer.write_table(release.table)
        assert secret.encode() not in sink.getvalue().to_pybytes()
        pandas = pd.DataFrame({**base, "word": pd.Categorical(words)})
        released = shoal.anonymize(pandas, policy(max_suppressed=0.05), settings=settings).table
        assert secret not in released["word"].cat.categories


def test_what_cannot_be_read_is_refused_with_a_clear_word() -> None:
    nested = table().select(["row", "age", "pay"]).append_column("list", pa.array([[1]] * ROWS))
    with pytest.raises(shoal.TableError, match="column `list` is nested"):
        shoal.anonymize(nested, policy())
    with pytest.raises(shoal.TableError, match="column `list` is nested"):
        shoal.suggest(pl.DataFrame(nested))
    twice = pd.DataFrame([[1, 2, 3]], columns=["age", "age", "pay"])
    with pytest.raises(shoal.TableError, match="two columns are named `age`"):
        shoal.anonymize(twice, policy())
    with pytest.raises(shoal.TableError, match="both named `age`"):
        shoal.anonymize(pa.table([[1], [2], [3]], names=["age", "age", "pay"]), policy())
    mixed = pd.DataFrame({"age": [1, "Ann Smith"], "pay": [1, 2]})
    with pytest.raises(shoal.TableError, match="column `age` has values of several types") as caught:
        shoal.anonymize(mixed, policy())
    assert "Smith" not in str(caught.value)
    vast = pd.DataFrame({"age": pd.Series([2**70, 1], dtype=object), "pay": [1, 2]})
    with pytest.raises(shoal.TableError, match="column `age` has values .* whole numbers that are too large"):
        shoal.anonymize(vast, policy())
    periods = pd.DataFrame({"age": pd.period_range("2020", periods=2, freq="M"), "pay": [1, 2]})
    with pytest.raises(shoal.TableError, match="type that has no text"):
        shoal.anonymize(periods, policy())
    for nothing in [5, [1, 2], {"age": [1]}, pl.Series([1])]:
        with pytest.raises(TypeError, match="is no table"):
            shoal.anonymize(nothing, policy())
    with pytest.raises(shoal.PlaceError, match=r"nowhere\.csv"):
        shoal.anonymize("nowhere.csv", policy())


def test_empty_tables_are_refused() -> None:
    empty = table().select(["row", "age", "pay"]).slice(0, 0)
    for frame in [empty, empty.to_pandas(), pl.DataFrame(empty)]:
        with pytest.raises(shoal.TableError, match="the table has no rows"):
            shoal.anonymize(frame, policy())


def test_the_index_of_pandas_is_no_column() -> None:
    frame = pd.DataFrame({"age": [20, 21] * 5, "pay": [1, 2] * 5}, index=pd.Index([f"p{row}" for row in range(10)], name="who"))
    assert list(shoal.anonymize(frame, policy()).table.columns) == ["age", "pay"]


def test_dictionaries_of_arrow_that_have_an_order_keep_it() -> None:
    words = ["small", "nobody's", "medium", "large"]
    codes = pa.array([[3, 0, 2, None][row % 4] for row in range(ROWS)], pa.int8())
    size = pa.DictionaryArray.from_arrays(codes, words, ordered=True)
    sized = table().select(["row", "age", "pay"]).append_column("size", size)
    released = shoal.anonymize(sized, policy()).table
    assert released.schema.field("size").type == size.type
    assert released.column("size").chunk(0).dictionary.to_pylist() == ["small", "medium", "large"]
    expected = size.to_pylist()
    assert released.column("size").to_pylist() == [expected[row] for row in released.column("row").to_pylist()]


def test_nothing_is_copied_on_the_way_out() -> None:
    release = shoal.anonymize(table().select(["row", "age", "pay"]), policy())
    one, two = pa.table(release._release.table()), pa.table(release._release.table())
    address = [one.column("row").chunk(0).buffers()[1].address, two.column("row").chunk(0).buffers()[1].address]
    assert address[0] == address[1]


def test_columns_of_polars_in_which_nothing_stands() -> None:
    frame = pl.DataFrame(table().select(["row", "age", "pay"])).with_columns(nothing=pl.lit(None))
    released = shoal.anonymize(frame, policy()).table
    assert released.schema["nothing"] == pl.Null and released["nothing"].null_count() == ROWS
    assert "age" in shoal.suggest(frame)


def test_enums_of_polars_stay_enums_of_what_is_shown() -> None:
    secret = "the only one with this word"
    words = [secret if row == 7 else ["red", "green"][row % 2] for row in range(ROWS)]
    ages = [99 if row == 7 else 20 + row % 30 for row in range(ROWS)]
    kind = pl.Enum([secret, "red", "unused", "green"])
    frame = pl.DataFrame({"age": ages, "pay": [row % 4 for row in range(ROWS)], "word": pl.Series(words, dtype=kind)})
    released = shoal.anonymize(frame, policy(max_suppressed=0.05)).table
    assert released.schema["word"] == pl.Enum(["red", "green"])


def test_a_frame_of_another_package_is_that_of_its_parent() -> None:
    """As GeoPandas has it: its index is no column either."""

    class Frame(pd.DataFrame):
        pass

    frame = Frame({"age": [20, 21] * 5, "pay": [1, 2] * 5}, index=[f"patient {row}" for row in range(10)])
    released = shoal.anonymize(frame, policy()).table
    assert isinstance(released, pd.DataFrame) and list(released.columns) == ["age", "pay"]


def test_types_that_cannot_be_read_are_named_as_such() -> None:
    base = {"age": [20, 21] * 5, "pay": [1, 2] * 5}
    for odd in [pd.array([1j] * 10), pd.arrays.SparseArray([0] * 10)]:
        with pytest.raises(shoal.TableError, match="column `odd` is of a type that has no text"):
            shoal.anonymize(pd.DataFrame({**base, "odd": odd}), policy())
    with pytest.raises(shoal.TableError, match="a type that Shoal does not read"):
        shoal.anonymize(pl.DataFrame({**base, "odd": pl.Series([2**100] * 10, dtype=pl.Int128)}), policy())


def test_values_of_a_hierarchy_come_as_any_column() -> None:
    for values in [[1, 2, 3], pd.Index([1, 2, 3]), pd.Index([1, 2, 3], name="age"), pl.Series([1, 2, 3]), pa.array([1, 2, 3])]:
        assert len(shoal.hierarchy.intervals([2]).of(values).rows()) == 3
    with pytest.raises(TypeError, match="text is no column"):
        shoal.hierarchy.suggest("Ann Smith")
    with pytest.raises(shoal.TableError, match="whole numbers that are too large"):
        shoal.hierarchy.suggest([1, 2**70])
    with pytest.raises(shoal.TableError, match="several types") as caught:
        shoal.hierarchy.suggest([1, "Ann Smith"])
    assert "Smith" not in str(caught.value)
