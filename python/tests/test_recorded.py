"""Is a release in Python that of the command line, cell by cell and with the same warnings, for every recorded case?

`SHOAL_RECORDED_FOLDER` names what the recorded test of the command line kept: the tables, and in a folder for each case its policy and
what came of it. What was asked of each case stands in its text in `said/`.
"""

from __future__ import annotations

import csv
import datetime as dt
import gzip
import json
import os
import re
import shlex
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal

ROOT = Path(__file__).parents[2]
SAID = ROOT / "crates/shoal-cli/tests/recorded/said"
KEPT = Path(os.environ.get("SHOAL_RECORDED_FOLDER", "nowhere")) / "threads-1"

pytestmark = pytest.mark.skipif(not KEPT.exists(), reason="SHOAL_RECORDED_FOLDER does not say where recorded runs are kept")


def runs() -> list[Any]:
    """The case, the words of each run that made a release, and what it warned of; of several that wrote one file, the last."""
    found = {}
    for said in sorted(SAID.iterdir()):
        for run in re.split(r"^\$ shoal ", said.read_text(), flags=re.M):
            line, _, answer = run.partition("\n")
            words = shlex.split(line) if line.startswith("anonymize ") else []
            if "--output" in words:
                name = f"{said.stem}-{words[words.index('--output') + 1]}"
                # What a spreadsheet program would run is in a file, and not in memory.
                warnings = re.findall(r"^warning: (?!cells of the release begin like a formula)(.*)$", answer, re.M)
                found[name] = pytest.param(said.stem, words, warnings, id=name)
    return list(found.values())


def options(words: list[str]) -> dict[str, list[str]]:
    given: dict[str, list[str]] = {}
    for place, word in enumerate(words):
        if word.startswith("--") and word not in ("--json", "--overwrite"):
            given.setdefault(word, []).append(words[place + 1])
    return given


@pytest.mark.parametrize(("case", "words", "warnings"), runs())
def test_python_makes_the_same_release(
    case: str, words: list[str], warnings: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = KEPT / case
    monkeypatch.chdir(folder)
    given = options(words)
    policy = shoal.Policy.load(words[1])
    assert set(given) <= {"--output", "--input", "--report", "--certificate", "--recipe", "--set"}, given
    settings = dict(one.split("=", 1) for one in given.get("--set", []))
    table = given["--input"][0] if "--input" in given else None
    output = Path(given["--output"][0])
    if not output.exists():
        with pytest.raises(shoal.ShoalError):
            release = shoal.anonymize(table, policy, settings=settings)
            assert "--recipe" in given and release.recipe
        return
    release = shoal.anonymize(table, policy, settings=settings)
    assert [warning["text"] for warning in release.to_dict()["warnings"]] == warnings
    missing = (policy.get("input.missing") or [""])[0]
    same(release.table.to_arrow(), output, policy, missing)
    if release.sensitive_table is not None:
        separate = policy.get("output.sensitive-path")
        path = output.with_name(f"{output.stem}.sensitive{output.suffix}") if separate is None else Path(separate)
        same(release.sensitive_table.to_arrow(), path, policy, missing)
    saved = release.save(tmp_path, name=output.name)[0]
    assert saved.read_bytes() == output.read_bytes()
    if "--recipe" in given:
        assert release.recipe.to_dict() == json.loads(Path(given["--recipe"][0]).read_text())


def same(found: pa.Table, path: Path, policy: shoal.Policy, missing: str) -> None:
    """The cells of a table are those of a file. Rows stand in an order that follows from how they are written, so that only those of a
    Parquet file are in that of Arrow."""
    if path.suffix == ".parquet":
        expected = pq.read_table(path)
        assert found.column_names == expected.column_names
        for name in found.column_names:
            assert found.schema.field(name).type == expected.schema.field(name).type, name
            assert found.column(name).to_pylist() == expected.column(name).to_pylist(), name
        return
    if path.suffix == ".jsonl":
        expected_rows = [json.loads(line, parse_float=str, parse_int=str) for line in path.read_text().splitlines()]
        assert len(expected_rows) == found.num_rows
        as_texts = lambda row: json.dumps({name: as_text(row.get(name)) for name in found.column_names})
        assert sorted(map(as_texts, found.to_pylist())) == sorted(map(as_texts, expected_rows))
        return
    if {".jsonl", ".ndjson", ".zst"} & set(path.suffixes):
        # How it is packed is for the bytes of the saved file to say.
        return
    opened = gzip.open(path, "rt", newline="") if path.suffix == ".gz" else path.open(newline="", encoding=encoding(path, policy))
    with opened as file:
        text = file.read().lstrip("\ufeff")
    delimiter = policy.get("input.delimiter") or csv.Sniffer().sniff(text.split("\n", 1)[0], ";,\t|").delimiter
    quote = policy.get("input.quote") or '"'
    head, *rows = csv.reader(text.splitlines(keepends=True), delimiter=delimiter, quotechar=quote)
    assert found.column_names == head
    assert found.num_rows == len(rows)
    escapes = policy.get("output.formulas") == "escape"
    if escapes:
        rows = [[cell.removeprefix("'") for cell in row] for row in rows]
    columns = [[missing if cell is None else as_text(cell) for cell in column.to_pylist()] for column in found.columns]
    assert sorted(zip(*columns, strict=True)) == sorted(map(tuple, rows))


def encoding(path: Path, policy: shoal.Policy) -> str:
    if path.read_bytes()[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    return policy.get("input.encoding") or "utf-8-sig"


def as_text(cell: object) -> str | None:
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, dt.datetime):
        return cell.isoformat(timespec="milliseconds").removesuffix(".000")
    return {True: "true", False: "false"}[cell] if isinstance(cell, bool) else str(cell)
