#!/usr/bin/env python3
"""How does Shoal compare with what people use in Python: pycanon, anjana and anonypy?

Needs an environment with these, pandas, pyarrow and Shoal (`pip install pycanon anjana anonypy pyarrow ./python`), and the Adult table
of ARX with its hierarchies in `../shared/data/arx/adult`. It prints the tables and the wrong answers of docs/python.md. The best of three
runs counts; anjana, which may take minutes, runs once for each setting, in a process of its own, and no longer than ten minutes.
"""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.dont_write_bytecode = True
# This file is called like the language, and its folder comes first where modules are looked for.
sys.path = [path for path in sys.path if Path(path or ".").resolve() != Path(__file__).resolve().parent]

import anjana.anonymity
import anonypy
import numpy as np
import pandas as pd
import pycanon.anonymity as pycanon

import shoal

DATA = Path(__file__).resolve().parent.parent.parent / "shared" / "data" / "arx" / "adult"
QUASI = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "salary-class"]
#: With all eight, pycanon takes longer than anybody waits.
FEW = ["sex", "age", "race", "marital-status"]
SENSITIVE = "occupation"
RUNS = 3
#: How many seconds anjana may take for a release.
PATIENCE = 600

warnings.filterwarnings("ignore")


def adult() -> pd.DataFrame:
    return pd.read_csv(DATA / "adult.csv", sep=";")


def hierarchy(column: str) -> Path:
    return DATA / f"adult_hierarchy_{column}.csv"


def policy(k: int, suppressed: float, quasi: list[str] = QUASI) -> shoal.Policy:
    made = shoal.Policy()
    for column in quasi:
        made[column] = shoal.quasi(hierarchy(column))
    made[SENSITIVE] = shoal.sensitive()
    made.require("k-anonymity", k=k)
    made.set({"input.other-columns": "drop"}, max_suppressed=suppressed)
    return made


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """The best time, and what came of it."""
    best, result = float("inf"), None
    for _ in range(RUNS):
        begin = time.perf_counter()
        with contextlib.redirect_stdout(io.StringIO()):
            result = work()
        best = min(best, time.perf_counter() - begin)
    return best, result


def table(head: list[str], rows: list[list[str]]) -> None:
    widths = [max(len(row[place]) for row in [head, *rows]) for place in range(len(head))]
    line = lambda row: "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |"
    print(line(head))
    print("|" + "|".join("-" * (width + 2) for width in widths) + "|")
    print("\n".join(line(row) for row in rows) + "\n")


def checks(frame: pd.DataFrame) -> None:
    """What does a table promise? Adult as it is, four quasi-identifiers and a sensitive column."""
    asked = {
        "k": lambda: pycanon.k_anonymity(frame, FEW),
        "l": lambda: pycanon.l_diversity(frame, FEW, [SENSITIVE]),
        "entropy l": lambda: pycanon.entropy_l_diversity(frame, FEW, [SENSITIVE]),
        "t": lambda: pycanon.t_closeness(frame, FEW, [SENSITIVE]),
    }
    seconds, found = timed(lambda: shoal.audit(frame, quasi=FEW, sensitive=[SENSITIVE]))
    models = {one.model: one.achieved for one in found.models if one.get("distance", "equal") == "equal"}
    ours = {
        "k": models["k-anonymity"],
        "l": models["distinct-l-diversity"],
        "entropy l": models["entropy-l-diversity"],
        "t": models["t-closeness"],
    }
    rows = []
    for name, ask in asked.items():
        theirs, answer = timed(ask)
        rows.append([f"pycanon: {name}", f"{theirs:.2f}", f"{answer:.4g}", f"{ours[name]:.4g}"])
    rows.append(["Shoal: all of them, with attacks and risks", f"{seconds:.2f}", "", ""])
    table(["check", "seconds", "pycanon says", "Shoal says"], rows)


def labels_of(frame: pd.DataFrame, columns: list[str]) -> dict[str, dict[int, Any]]:
    """What each row shows of a column on each level: hierarchies as anjana takes them."""
    hierarchies = {}
    for column in columns:
        levels = pd.read_csv(hierarchy(column), sep=";", header=None, dtype=str)
        level = dict(zip(levels[0], levels.index))
        values = frame[column].astype(str).map(level).to_numpy()
        hierarchies[column] = {number: levels[number].to_numpy()[values] for number in levels.columns}
    return hierarchies


def run_anjana(k: int, suppressed: float, columns: list[str]) -> dict[str, Any]:
    """One release of anjana: the seconds, and the level of each column."""
    frame = adult()[[*columns, SENSITIVE]]
    hierarchies, texts = labels_of(frame, columns), frame.astype(str)
    begin = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):
        released = anjana.anonymity.k_anonymity(texts, [], columns, k, suppressed * 100, hierarchies)
    seconds = time.perf_counter() - begin
    levels = {
        column: next(number for number, labels in hierarchies[column].items() if set(released[column]) <= set(labels))
        for column in columns
    }
    return {"seconds": seconds, "rows": len(released), "levels": levels}


def anjana_within_limits(k: int, suppressed: float, columns: list[str]) -> dict[str, Any] | str:
    """The same in a process of its own; the seconds alone if it takes too many, or that it failed."""
    words = [sys.executable, __file__, "anjana", json.dumps([k, suppressed, columns])]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return f"> {PATIENCE} s"
    if done.returncode != 0:
        return f"fails: {done.stderr.strip().splitlines()[-1]}"
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def full_domain(frame: pd.DataFrame) -> None:
    """One level for each column: anjana's greedy way, and the least loss of all."""
    rows = []
    for columns in [FEW, QUASI]:
        study = shoal.Study(frame, policy(5, 1.0, columns))
        for k, suppressed in [(5, 0.0), (5, 0.05), (20, 0.05)]:
            ours, release = timed(lambda: shoal.anonymize(frame, policy(k, suppressed, columns)))
            theirs = anjana_within_limits(k, suppressed, columns)
            seconds, loss = theirs, ""
            if not isinstance(theirs, str):
                seconds = f"{theirs['seconds']:.2f}"
                loss = f"{study.with_settings(k=k).release(levels=theirs['levels']).loss:.4f}"
            what = f"{len(columns)} columns, k = {k}, {suppressed:.0%} suppressed"
            rows.append([what, seconds, loss, f"{ours:.2f}", f"{release.loss:.4f}"])
            print(f"{what}: anjana {seconds}", file=sys.stderr)
    table(["full-domain", "anjana s", "anjana loss", "Shoal s", "Shoal loss"], rows)


def local(frame: pd.DataFrame) -> None:
    """A range or a set for each class: anonypy's Mondrian and ours."""
    categories = frame.astype({column: "category" for column in frame.columns if column != "age"})
    rows = []
    for k in [5, 20]:
        seconds, released = timed(lambda: anonypy.Preserver(categories, QUASI, SENSITIVE).anonymize_k_anonymity(k))
        classes = len({tuple(str(row[column]) for column in QUASI) for row in released})
        settings = {"method": "mondrian", "columns.age.type": "number"}
        ours, release = timed(lambda: shoal.anonymize(frame, policy(k, 0.0), settings=settings))
        rows.append([f"k = {k}", f"{seconds:.2f}", str(classes), f"{ours:.2f}", str(release.classes)])
    table(["Mondrian", "anonypy s", "anonypy classes", "Shoal s", "Shoal classes"], rows)


def mistakes() -> list[str]:
    """Tables small enough to see that an answer is wrong."""
    found = []

    patients = pd.DataFrame({"age": [30, 30, 40, 40], "illness": ["flu", "flu", "gout", "gout"]})
    in_order = pycanon.l_diversity(patients, ["age"], ["illness"])
    shuffled = patients.loc[[0, 2, 1, 3]]
    other_order = pycanon.l_diversity(shuffled, ["age"], ["illness"])
    right = shoal.audit(shuffled, quasi=["age"], sensitive=["illness"])
    right = next(one.achieved for one in right.models if one.model == "distinct-l-diversity")
    found.append(
        f"pycanon: two patients aged 30 who have the flu, two aged 40 who have gout: l = {in_order}. The same in another order: l = {other_order}; "
        f"Shoal says {right:g}. (It takes the labels of the index for places.)"
    )

    unknown = pd.DataFrame({"age": [30, 30, None], "illness": ["flu", "gout", "cancer"]})
    k = pycanon.k_anonymity(unknown, ["age"])
    right = shoal.audit(unknown, quasi=["age"], sensitive=["illness"]).class_size.min
    found.append(f"pycanon: three patients, one of unknown age: k = {k}; Shoal says {right}. (Rows with a missing value are not looked at.)")

    people = pd.DataFrame({"sex": ["f", "f", "f", "m"], "illness": ["flu", "gout", "flu", "cancer"]})
    labels = {"sex": {0: people["sex"].to_numpy(), 1: np.array(["*"] * 4)}}
    with contextlib.redirect_stdout(io.StringIO()):
        released = anjana.anonymity.k_anonymity(people, [], ["sex"], 2, 50, labels)
    found.append(
        f"anjana: where it suppresses rows, its release has the columns {', '.join(released.columns)}: `index` is the number that "
        f"every row had in the original."
    )

    wages = pd.DataFrame({"age": list(range(20, 32)), "wage": pd.Categorical(["low"] * 6 + ["high"] * 6)})
    released = pd.DataFrame(anonypy.Preserver(wages, ["age"], "wage").anonymize_t_closeness(k=2, p=0.1))
    released["age"] = released["age"].astype(str)
    rows = released.loc[released.index.repeat(released["count"])].reset_index(drop=True)
    right = shoal.audit(rows[["age", "wage"]].astype(str), quasi=["age"], sensitive=["wage"])
    t = next(one.achieved for one in right.models if one.model == "t-closeness" and one.get("distance") == "equal")
    found.append(
        f"anonypy: asked for t = 0.1, it releases {released['age'].nunique()} classes at a distance of up to {t:g}. (The bound is lost "
        f"on the way.)"
    )
    return found


def main() -> None:
    if sys.argv[1:2] == ["anjana"]:
        print(json.dumps(run_anjana(*json.loads(sys.argv[2]))))
        return
    frame = adult()
    print(f"Adult of ARX: {len(frame):,} rows; the best of {RUNS} runs, of anjana the first.\n")
    # What takes seconds comes first.
    for mistake in mistakes():
        print(f"- {mistake}")
    print()
    checks(frame)
    local(frame)
    full_domain(frame)


if __name__ == "__main__":
    main()
