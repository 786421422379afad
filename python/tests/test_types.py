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
