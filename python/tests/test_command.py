"""Is the command of the package the command?"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import shoal


def run(*words: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "shoal", *words], cwd=folder, capture_output=True, text=True)


def test_words_and_exit_codes(tmp_path: Path) -> None:
    assert run("--version").stdout == f"shoal {shoal.__version__}\n"
    help = run("--help")
    assert help.returncode == 0 and "Publish data about people safely" in help.stdout and "Usage: shoal" in help.stdout
    wrong = run("anonimize")
    assert wrong.returncode == 2 and "anonymize" in wrong.stderr and wrong.stdout == ""
    assert run("explain", "k-anonymity").stdout == shoal.explain("k-anonymity")
    missing = run("anonymize", "nowhere.toml", folder=tmp_path)
    assert missing.returncode == 2 and missing.stderr.startswith("error: cannot read nowhere.toml")


def test_all_formats_are_in_it(tmp_path: Path) -> None:
    frame = shoal.generate("census", rows=200).to_polars()
    frame.write_parquet(tmp_path / "people.parquet")
    assert run("init", "people.parquet", "-o", "policy.toml", folder=tmp_path).returncode == 0
    assert run("anonymize", "policy.toml", folder=tmp_path).returncode == 0
    assert (tmp_path / "people.release.parquet").exists()


def test_an_interruption_ends_it_as_ever(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "shoal", "generate", "census", "--rows", "2000000000", "-o", "people.csv"]
    process = subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    # It listens to signals on a thread of its own.
    until = time.monotonic() + 60
    while len(os.listdir(f"/proc/{process.pid}/task")) < 2 and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(0.3)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 128 + signal.SIGINT and "interrupted" in err and "Traceback" not in err
    assert time.monotonic() - begin < 2 and os.listdir(tmp_path) == []
