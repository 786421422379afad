"""What an editor and a type checker know of the package: mypy reads this file, and nobody runs it."""

from typing import Any

import polars as pl
from typing_extensions import assert_type

import shoal

frame = pl.DataFrame()
policy = shoal.suggest(frame)
policy["age"] = shoal.quasi(intervals=[5, 10, 20], top=90, min_level=1)
policy["zip code"] = shoal.quasi(mask="right")
policy["born"] = shoal.quasi(dates=["month", "year"])
policy["illness"] = shoal.sensitive(hierarchy="icd10.csv")
policy.require("k-anonymity", k=11)
policy.require("t-closeness", column="illness", t=0.2, distance="hierarchical")
policy.set({"output.seed": 7}, method="mondrian", max_suppressed=0.05)

assert_type(shoal.anonymize(frame, policy, k=5).table, pl.DataFrame)
assert_type(shoal.anonymize(frame.lazy(), policy).table, pl.DataFrame)
assert_type(shoal.anonymize("people.csv", policy).table, shoal.Table)
assert_type(shoal.anonymize(shoal.generate("census", rows=10), policy).sensitive_table, shoal.Table | None)
assert_type(shoal.anonymize(None, policy).table, shoal.Table | None)
assert_type(shoal.Study(frame, policy).with_settings(k=20).release(), shoal.Release[pl.DataFrame])
assert_type(shoal.apply("recipe.json", frame).table, pl.DataFrame)
of_any: shoal.Release = shoal.anonymize(frame, policy)
assert_type(of_any.table, Any)
shoal.audit(frame, quasi=["age"], confidence=0.8, near="age=2", reveal=True).check(risk=0.09, homogeneity=True)

# Each of these is wrong, and mypy is told to say so: it complains where there is nothing to be silent about.
policy.require("k-anonimity", k=11)  # type: ignore[arg-type]
policy.require("k-anonymity", q=11)  # type: ignore[call-arg]
shoal.quasi(intervalls=[5, 10])  # type: ignore[call-arg]
shoal.quasi(dates=["fortnight"])  # type: ignore[list-item]
shoal.anonymize(frame, policy, metod="mondrian")  # type: ignore[call-overload]
shoal.anonymize(frame, policy).table.to_pandaz()  # type: ignore[attr-defined]
shoal.audit(frame, quasi=["age"], confidense=0.8)  # type: ignore[call-arg]
