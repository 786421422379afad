"""Does an editor know what the package takes and gives?"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import shoal

HERE = Path(__file__).parent


def test_type_checkers_follow(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--cache-dir", str(tmp_path), str(HERE / "typed.py")]
    env = {**os.environ, "MYPYPATH": str(Path(shoal.__file__).parents[1])}
    done = subprocess.run(words, env=env, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_types_of_keywords_are_those_of_the_schema() -> None:
    done = subprocess.run([sys.executable, str(HERE.parent / "keys"), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_completion_knows_what_an_answer_has(people: shoal.Table, policy: shoal.Policy) -> None:
    release = shoal.anonymize(people, policy)
    assert {"table", "loss", "released_rows", "objective_value", "lattice"} <= set(dir(release))
    assert {"risk", "utility", "not_tried", "notes"} <= set(dir(release.audit))
    assert all(hasattr(release, name) for name in release.to_dict())


def test_a_frame_keeps_its_type_where_others_are_not_installed(tmp_path: Path) -> None:
    """With pandas alone: what polars and pyarrow have is unknown then, and must not stand for everything."""
    (tmp_path / "pandas").mkdir()
    stub = "from typing import Any\nclass DataFrame:\n    def sample(self, n: int = ...) -> DataFrame: ...\n"
    (tmp_path / "pandas/__init__.pyi").write_text(f"{stub}    def transpose(self, *args: Any, copy: bool = ...) -> DataFrame: ...\n")
    calls = ["shoal.anonymize(frame, policy)", "shoal.Study(frame, policy).release()", 'shoal.apply("recipe.json", frame)']
    lines = ["import pandas, shoal", "from typing_extensions import assert_type", "frame, policy = pandas.DataFrame(), shoal.Policy()"]
    (tmp_path / "user.py").write_text("\n".join([*lines, *(f"assert_type({call}.table, pandas.DataFrame)" for call in calls)]) + "\n")
    words = ["--strict", "--no-site-packages", "--ignore-missing-imports", "--cache-dir", str(tmp_path / "cache"), "user.py"]
    env = {**os.environ, "MYPYPATH": os.pathsep.join([str(Path(shoal.__file__).parents[1]), str(tmp_path)])}
    done = subprocess.run([sys.executable, "-m", "mypy", *words], env=env, cwd=tmp_path, capture_output=True, text=True)
    # A pandas of one class is not enough for the package itself, which is not what is asked here.
    assert "checked 1 source file" in done.stdout and "user.py" not in done.stdout, done.stdout + done.stderr
