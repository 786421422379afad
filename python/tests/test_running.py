"""Does a long run let others work, stop when it is told to, and keep to its memory?"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import shoal


def slow_policy() -> shoal.Policy:
    """One that keeps a search busy for minutes."""
    policy = shoal.Policy()
    for column in ["age", "race", "education", "zip code", "work class", "birth date"]:
        policy[column] = shoal.quasi(mask="right")
    policy["income"] = "sensitive"
    policy.require("k-anonymity", k=3)
    policy.set({"input.other-columns": "drop", "method.search": "exhaustive"}, max_suppressed=0.05)
    return policy


LONG = """
import shoal, sys, time, threading
from test_running import slow_policy
people, policy = shoal.generate("census", rows=20_000), slow_policy()
print("ready", flush=True)
begin = time.monotonic()
try:
    shoal.anonymize(people, policy)
except KeyboardInterrupt:
    print(f"interrupted", flush=True)
    sys.exit(7)
print("done")
"""


def python(code: str, **environment: str) -> subprocess.Popen[str]:
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parent), **environment}
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)


def test_an_interruption_stops_a_run_within_a_second(tmp_path: Path) -> None:
    run = python(LONG, TMPDIR=str(tmp_path))
    assert run.stdout is not None and run.stdout.readline() == "ready\n"
    time.sleep(1.0)
    assert run.poll() is None, "it is too quick to be interrupted"
    begin = time.monotonic()
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=30)
    assert (run.returncode, out) == (7, "interrupted\n"), err
    assert time.monotonic() - begin < 1.5
    assert list(tmp_path.iterdir()) == []


SLOW = """
import shoal, sys, time
import pyarrow as pa

batch = pa.record_batch({"age": list(range(100))})

def batches():
    print("ready", flush=True)
    for _ in range(600):
        time.sleep(0.1)
        yield batch

try:
    shoal.Table(pa.RecordBatchReader.from_batches(batch.schema, batches()))
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.exit(7)
print("done")
"""


def test_an_interruption_stops_a_table_that_comes_slowly() -> None:
    run = python(SLOW)
    assert run.stdout is not None and run.stdout.readline() == "ready\n"
    time.sleep(0.5)
    begin = time.monotonic()
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=30)
    assert (run.returncode, out) == (7, "interrupted\n"), err
    assert time.monotonic() - begin < 1.5


def test_python_goes_on_meanwhile(people: shoal.Table, policy: shoal.Policy) -> None:
    ticks = 0
    is_over = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not is_over.wait(0.001):
            ticks += 1

    ticker = threading.Thread(target=tick)
    ticker.start()
    begin = time.monotonic()
    shoal.anonymize(shoal.generate("census", rows=50_000), policy, method="mondrian")
    seconds = time.monotonic() - begin
    is_over.set()
    ticker.join()
    assert ticks > 50 * seconds, f"{ticks} ticks in {seconds} seconds"


def test_threads_share_tables_and_studies(people: shoal.Table, policy: shoal.Policy) -> None:
    study = shoal.Study(people, policy)
    expected = {k: study.with_settings(k=k).release().loss for k in range(2, 10)}
    with ThreadPoolExecutor(8) as pool:
        found = dict(pool.map(lambda k: (k, study.with_settings(k=k).release().loss), expected))
        releases = list(pool.map(lambda _: shoal.anonymize(people, policy).loss, range(8)))
    assert found == expected and len(set(releases)) == 1


def test_a_release_that_is_saved_does_not_catch_those_of_other_threads(
    people: shoal.Table, policy: shoal.Policy, tmp_path: Path
) -> None:
    study = shoal.Study(people, policy)
    release = study.release()
    (saved,) = release.save(tmp_path, name="expected.csv")
    with ThreadPoolExecutor(8) as pool:
        saves = [pool.submit(release.save, tmp_path, name=f"release{number}.csv") for number in range(12)]
        others = [pool.submit(study.with_settings(k=2 + number).release) for number in range(12)]
        files = [path for save in saves for path in save.result()]
        tables = [other.result().table for other in others]
    assert all(table is not None and len(table) == len(people) for table in tables)
    assert {path.read_bytes() for path in files} == {saved.read_bytes()} and len(files) == 12


def test_progress_is_shown_where_somebody_watches(monkeypatch: pytest.MonkeyPatch, policy: shoal.Policy) -> None:
    from shoal import _progress

    shown: list[tuple[str | None, int, int | None]] = []

    class Bars:
        def show(self, stage: str | None, done: int, of: int | None) -> None:
            shown.append((stage, done, of))

        def close(self) -> None:
            shown.append((None, 0, None))

    monkeypatch.setattr(_progress, "Bars", Bars)
    shoal.anonymize(shoal.generate("census", rows=200_000), policy, method="mondrian")
    assert shown and shown[-1] == (None, 0, None)
    assert any(stage for stage, _, _ in shown)


def test_bars_come_and_go(capsys: pytest.CaptureFixture[str]) -> None:
    from shoal._progress import Bars

    bars = Bars()
    for stage, done, of in [("reading", 5, 10), ("reading", 10, 10), ("searching", 3, None), (None, 0, None)]:
        bars.show(stage, done, of)
    bars.close()
    assert capsys.readouterr().out == ""


def test_what_python_raises_meanwhile_stops_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    from shoal import _progress

    class Bars:
        def show(self, *_: object) -> None:
            raise RuntimeError("enough")

        def close(self) -> None:
            pass

    policy, people = slow_policy(), shoal.generate("census", rows=20_000)
    monkeypatch.setattr(_progress, "Bars", Bars)
    begin = time.monotonic()
    with pytest.raises(RuntimeError, match="enough"):
        shoal.anonymize(people, policy)
    assert time.monotonic() - begin < 5


PEAK = """
import sys
import pyarrow as pa
import pyarrow.parquet as pq
import shoal

def status(name):
    lines = dict(line.split(":", 1) for line in open("/proc/self/status"))
    return int(lines[name].split()[0]) * 1024

table = pq.read_table(sys.argv[1], columns=["age", "sex", "zip code", "occupation"])
policy = shoal.Policy.load(sys.argv[2])
# What reading needed for a moment is neither the table nor the run: it is given back, and the high-water mark begins anew.
pa.default_memory_pool().release_unused()
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")
before = status("VmRSS")
release = shoal.anonymize(table, policy)
assert release.table.num_rows == table.num_rows
print(status("VmHWM") - before, release.table.nbytes)
"""


def can_begin_the_mark_anew() -> bool:
    """Does this system forget how high memory stood before?"""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return False
    return True


@pytest.mark.skipif("SHOAL_TEST_ROWS" not in os.environ, reason="takes minutes: SHOAL_TEST_ROWS=10000000 asks for it")
@pytest.mark.skipif(not can_begin_the_mark_anew(), reason="memory is measured by /proc/self/clear_refs of Linux")
def test_memory_is_no_more_than_that_of_the_command(tmp_path: Path) -> None:
    """Peak above input and output, beside that of the command on the same table in a file."""
    import polars as pl

    rows = int(os.environ["SHOAL_TEST_ROWS"])
    subprocess.run([sys.executable, "-m", "shoal", "generate", "census", "--rows", str(rows), "-o", tmp_path / "people.csv"], check=True)
    columns = ["age", "sex", "zip code", "occupation"]
    lazy = pl.scan_csv(tmp_path / "people.csv", schema_overrides={"zip code": pl.String}).select(columns)
    lazy.sink_parquet(tmp_path / "people.parquet")
    text = '[input]\npath = "people.parquet"\n[columns.age]\nrole = "quasi-identifier"\nhierarchy = { intervals = [5, 10, 20, 40] }\n'
    text += '[columns.sex]\nrole = "quasi-identifier"\n[columns."zip code"]\nrole = "quasi-identifier"\nhierarchy = { mask = {} }\n'
    text += '[columns.occupation]\nrole = "sensitive"\n[[require]]\nmodel = "k-anonymity"\nk = 5\n'
    (tmp_path / "policy.toml").write_text(text)
    done = subprocess.run([sys.executable, "-c", PEAK, "people.parquet", "policy.toml"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    above, output = map(int, done.stdout.split())
    words = [sys.executable, "-m", "shoal", "anonymize", "policy.toml", "--output", "release.parquet", "--quiet"]
    process = subprocess.Popen(words, cwd=tmp_path)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0
    print(f"{rows} rows: {above - output:,} bytes above input and output; the command {usage.ru_maxrss * 1024:,}")
    assert above - output <= usage.ru_maxrss * 1024


def test_a_run_leaves_no_threads_of_its_own_behind(people: shoal.Table, policy: shoal.Policy) -> None:
    shoal.anonymize(people, policy)
    before = len(os.listdir("/proc/self/task"))
    for _ in range(20):
        shoal.anonymize(people, policy)
    # One that has just ended may still be listed, and other packages have threads that come and go.
    assert len(os.listdir("/proc/self/task")) < before + 10


def test_memory_is_given_back(people: shoal.Table, policy: shoal.Policy) -> None:
    frame = shoal.generate("census", rows=20_000).to_arrow()
    peaks = []
    for _ in range(30):
        shoal.anonymize(frame, policy).table
        peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    assert peaks[-1] - peaks[9] < 30_000, textwrap.shorten(str(peaks), 200)


FORKED = """
import multiprocessing
import shoal
from conftest import small_policy
people, policy = shoal.generate("census", rows=2000), small_policy()

def classes(k):
    return shoal.anonymize(people, policy, k=k).classes

if __name__ == "__main__":
    expected = [classes(k) for k in [2, 5, 10]]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(classes, [2, 5, 10]).get(timeout=60) == expected
    print("done")
"""


def test_a_process_that_was_forked_has_threads_of_its_own() -> None:
    out, err = python(FORKED).communicate(timeout=120)
    assert out == "done\n", err


def test_levels_that_cannot_be_are_refused(people: shoal.Table, policy: shoal.Policy) -> None:
    study = shoal.Study(people, policy)
    for level in [-1, 300]:
        with pytest.raises(shoal.PolicyError, match=f"level {level} of `age`"):
            study.release(levels={"age": level, "zip code": 0})
