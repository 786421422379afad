"""How long does the whole program take for a configuration, and is its answer right?"""

import json
import re
import resource
import subprocess
import time
from dataclasses import dataclass, field
from typing import Optional

# What makes up an answer; all runs must agree on it.
ANSWER = ["levels", "objective_value", "classes", "suppressed_rows", "released_rows"]
SEED = 1


@dataclass
class Row:
    """A line of the results: a configuration and what came of it."""

    configuration: object
    seconds: dict = field(default_factory=dict)  # the stages of the run with the least total
    search: Optional[float] = None  # the least of all runs
    cpu: Optional[float] = None  # the least of all runs
    summary: dict = field(default_factory=dict)
    peak_bytes: int = 0  # the most of all runs
    bytes_read: Optional[float] = None  # seconds that it takes to read the bytes of the table and do nothing with them
    note: str = ""
    problem: str = ""

    @property
    def answer(self):
        return {key: self.summary.get(key) for key in ANSWER} if self.summary else None

    @property
    def times_arx(self):
        """How many times faster the search is than ARX once it is warm."""
        warm, _, _ = self.configuration.arx()
        return warm / self.search if warm and self.search else None

    @property
    def times_first(self):
        """How many times faster the whole program is than the first run of ARX."""
        _, first, _ = self.configuration.arx()
        return first / self.seconds["total"] if first and self.seconds else None


class Refused(Exception):
    """The program said no; its words."""


class Shoal:
    def __init__(self, binary, folder, runs, timeout):
        self.binary, self.folder, self.runs, self.timeout = binary, folder, runs, timeout
        self.made = set()

    def measure(self, configuration):
        """Runs a configuration several times."""
        row = Row(configuration)
        policy = self.folder / (re.sub(r"[^a-z0-9]+", "-", configuration.name) + ".toml")
        policy.write_text(configuration.policy())
        try:
            table = self.input_of(configuration)
            summaries = [self.run(configuration, policy, table) for _ in range(self.runs)]
        except subprocess.TimeoutExpired:
            row.note = f"given up after {self.timeout:g} s"
            return row
        except Refused as refused:
            if configuration.new_key and f"`{configuration.new_key}`" in str(refused):
                row.note = f"not supported: {refused}"
            else:
                row.problem = f"FAILED: {refused}"
            return row
        row.summary = min(summaries, key=lambda summary: summary["seconds"]["total"])
        row.seconds = row.summary["seconds"]
        row.search = min(summary["seconds"]["search"] for summary in summaries)
        row.cpu = min(summary["cpu_seconds"] for summary in summaries)
        row.bytes_read = seconds_to_read(table) if configuration.generated else None
        row.peak_bytes = max(summary["peak_memory_bytes"] or 0 for summary in summaries)
        # A search that ends by the clock may end elsewhere each time.
        is_optimal = row.summary["guarantee"] == "optimal"
        row.note = "" if is_optimal else row.summary["guarantee"]
        if is_optimal and any(summary[key] != row.summary[key] for summary in summaries for key in ANSWER):
            row.problem = "WRONG: the answer is not the same in every run"
        row.problem = row.problem or wrong(row.summary, configuration.expected)
        return row

    def run(self, configuration, policy, table):
        """One run: its summary."""
        release = self.folder / "release.csv"
        threads = ["--threads", str(configuration.threads)] if configuration.threads else []
        command = [self.binary, "anonymize", policy, "--input", table, "--output", release, "--json", "--quiet", *threads]
        before = cpu_seconds_of_children()
        done = subprocess.run(command, capture_output=True, text=True, timeout=self.timeout)
        cpu_seconds = cpu_seconds_of_children() - before
        release.unlink(missing_ok=True)
        if done.returncode != 0:
            first_line = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[0]
            # Where the policy lies tells nothing, and results are kept.
            raise Refused(first_line.removeprefix("error: ").replace(f"{self.folder}/", ""))
        return json.loads(done.stdout) | {"cpu_seconds": cpu_seconds}

    def input_of(self, configuration):
        """The table, made up first if need be; anew in every benchmark, since the generator may have changed."""
        rows = configuration.generated
        if not rows:
            return configuration.needs
        path = self.folder / f"census-{rows}.csv"
        if rows not in self.made:
            command = [self.binary, "generate", "census", "--rows", str(rows), "--seed", str(SEED), "--output", path]
            subprocess.run(command, check=True)
            self.made.add(rows)
        return path


def seconds_to_read(path, runs=3):
    """What it takes to read the bytes of a file that the system has in memory, as far as it fits: the best of some runs."""
    block = bytearray(1 << 20)

    def read():
        begin = time.perf_counter()
        with open(path, "rb", buffering=0) as file:
            while file.readinto(block):
                pass
        return time.perf_counter() - begin

    return min(read() for _ in range(runs))


def cpu_seconds_of_children():
    """What all programs run so far have used: on a busy machine steadier than the clock."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def wrong(summary, expected):
    """What is wrong with an answer of which something is known."""
    found = dict(summary, levels=list(summary["levels"].values()))
    for key, value in expected.items():
        same = abs(found[key] - value) < 1e-9 if isinstance(value, float) else found[key] == value
        if not same:
            return f"WRONG: {key} {found[key]}, not {value}"
    return ""


def compare_threads(rows):
    """Finds fault where the answer depends on the number of threads."""
    answers = {}
    for row in rows:
        if row.configuration.generated and row.answer:
            first = answers.setdefault(row.configuration.generated, row.answer)
            if first != row.answer:
                row.problem = "WRONG: not the answer that another number of threads gave"
