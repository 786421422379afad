"""What does every experiment need: the program, the tables, a folder to work in, a place for figures?"""

import datetime
import io
import json
import re
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Optional

import numpy
import pandas

import machine
import tables
from program import cpu_seconds_of_children


class Absent(Exception):
    """A table or a method that is not here."""


class Failed(Exception):
    """The program broke off for another reason than that no release exists."""


@dataclass
class Answer:
    """What the program answered, and what it took."""

    json: Optional[dict]  # None: there is no such release
    cpu: float  # seconds of all threads, the least of all runs
    wall: float  # seconds by the clock, the least of all runs
    words: str = ""  # what it said instead
    release: Optional[pandas.DataFrame] = field(default=None, repr=False)
    of_runs: tuple = ()  # CPU seconds of each run

    def seconds(self):
        """The least, how many runs there were, and how far they lie apart: columns of a CSV."""
        return {"cpu_seconds": self.cpu, "cpu_seconds_median": statistics.median(self.of_runs or [self.cpu]),
                "cpu_seconds_most": max(self.of_runs or [self.cpu]), "runs": len(self.of_runs) or 1}

    def __bool__(self):
        return self.json is not None


class Workshop:
    def __init__(self, root, target, options, say):
        self.root, self.options, self.say = root, options, say
        self.binary = options.program or target / "release" / "shoal"
        self.differences = []  # of --check
        self.stamp = stamp(root, options.runs)
        # Of its own, so that two runs at a time do not read each other's policies.
        (target / "bench").mkdir(parents=True, exist_ok=True)
        self.temporary = tempfile.TemporaryDirectory(prefix="papers-", dir=target / "bench")
        self.folder = Path(self.temporary.name)
        self.output = options.output
        # For the table of all methods, which is no paper's.
        self.bench = root / "bench" if self.output == root / "bench" / "papers" / "results" else self.output
        self.output.mkdir(parents=True, exist_ok=True)
        self.tables = tables.Tables(options.data, self.folder, self)

    def run(self, *arguments, runs=1, threads=None):
        """Runs the program; of several runs the least time counts."""
        command = [str(argument) for argument in (self.binary, *arguments)]
        command += ["--threads", str(threads)] if threads else []
        cpu, wall = [], []
        for _ in range(runs):
            before, begin = cpu_seconds_of_children(), time.monotonic()
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=self.options.timeout)
            except subprocess.TimeoutExpired:
                return Answer(None, float("nan"), float("nan"), f"given up after {self.options.timeout:g} s")
            wall.append(time.monotonic() - begin)
            cpu.append(cpu_seconds_of_children() - before)
        words = done.stderr.strip().splitlines()
        if done.returncode == 2 or '"kind": "not-met"' in done.stdout:
            raise Failed(f"{' '.join(command)}\n{done.stderr}")
        # `solutions` that finds none and an audit that fails still answer.
        found = json.loads(done.stdout) if done.stdout.strip() else None
        said = words[0].removeprefix("error: ") if words else ""
        if found and "error" in found:
            found, said = None, found["error"]["text"].splitlines()[0]
        return Answer(found, min(cpu), min(wall), "" if found else said, of_runs=tuple(cpu))

    def policy(self, policy, name="policy"):
        path = self.folder / (re.sub(r"[^a-z0-9]+", "-", name.lower()) + ".toml")
        path.write_text(policy.text())
        return path

    def solutions(self, policy, every=False, runs=1, threads=None):
        """Every minimal combination of levels, or every satisfying one."""
        flags = ["--all"] if every else []
        return self.run("solutions", self.policy(policy), "--json", "--quiet", *flags, runs=runs, threads=threads)

    def anonymize(self, policy, keep=False, runs=1, threads=None):
        """A release; with `keep` its rows as well."""
        path = self.folder / "release.csv"
        answer = self.run("anonymize", self.policy(policy), "--output", path, "--overwrite", "--json", "--quiet", runs=runs,
                          threads=threads)
        if keep and answer:
            # Categories: of millions of rows, few values differ.
            answer.release = pandas.read_csv(path, dtype="category", keep_default_na=False)
        return answer

    def audit_of_last(self, policy):
        """What the release that was made last promises."""
        return self.run("audit", self.folder / "release.csv", "--policy", self.policy(policy), "--json", "--quiet")

    def audit(self, policy, release):
        """What a released table promises; `release` as rows."""
        path = self.folder / "audited.csv"
        release.to_csv(path, index=False)
        return self.run("audit", path, "--policy", self.policy(policy), "--json", "--quiet")

    def has_method(self, name):
        """Whether the program knows a method."""
        done = subprocess.run([str(self.binary), "explain", name], capture_output=True, text=True)
        return done.returncode == 0

    def need_method(self, name):
        if not self.has_method(name):
            raise Absent(f"the program has no method {name}")

    def keep(self, name, rows):
        """Writes the numbers behind a figure; `rows` as dictionaries or a frame."""
        frame = pandas.DataFrame(rows)
        text = frame.to_csv(index=False, float_format="%.6g", lineterminator="\n")
        if self.options.check:
            self.differences += differences(name, text, self.output / f"{name}.csv")
        else:
            (self.output / f"{name}.csv").write_text(f"{self.stamp}\n{text}")
        return frame


def stamp(root, runs):
    """With what, on which machine and when: the first line of every CSV."""
    about = machine.describe(root, apart_from=["bench/papers/results", "*.md"])
    return (f"# commit {about['commit']}; {about['cpu']}, {about['cores']} cores, {about['memory']}, {about['system']}, "
            f"load {about['load'].split()[0]}; {datetime.date.today()}; times of {runs} runs")


def foreign_stamps(root, results):
    """CSVs whose numbers nobody can make again, since the commit in their first line is not below the one checked out, or
    was not all there was."""
    found = []
    for path in sorted(results.glob("*.csv")):
        first = path.open().readline().strip()
        commit = re.match(r"# commit ([0-9a-f]+)", first)
        if not commit:
            found.append(f"{path.name}: no commit in its first line")
        elif "uncommitted" in first:
            found.append(f"{path.name}: {commit[1]} with uncommitted changes")
        elif subprocess.run(["git", "-C", str(root), "merge-base", "--is-ancestor", commit[1], "HEAD"],
                            capture_output=True).returncode:
            found.append(f"{path.name}: {commit[1]} is not in this history")
    return found


def kept(path):
    """The numbers of an earlier run."""
    return pandas.read_csv(path, skiprows=1, keep_default_na=True)


def differences(name, text, path):
    """Where what came out now is not what was kept; times may differ, numbers by rounding."""
    if not path.exists():
        return [f"{name}: there is no {path.name} to compare with"]
    now, before = pandas.read_csv(io.StringIO(text)), kept(path)
    if list(now) != list(before) or len(now) != len(before):
        return [f"{name}: {len(now)} lines of {', '.join(now)}; kept are {len(before)} of {', '.join(before)}"]
    found = []
    for column in now:
        if "seconds" in column:
            continue
        for line, (new, old) in enumerate(zip(now[column], before[column]), 2):
            if not same(new, old):
                found.append(f"{name}.csv, line {line + 1}, {column}: {new}, was {old}")
    return found


def same(new, old):
    if pandas.isna(new) or pandas.isna(old):
        return pandas.isna(new) and pandas.isna(old)
    if isinstance(new, (int, float, numpy.number)) and isinstance(old, (int, float, numpy.number)):
        return bool(numpy.isclose(float(new), float(old), rtol=1e-5, atol=1e-12))
    return str(new) == str(old)
