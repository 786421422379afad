"""How long would it take merely to read the same CSV, group it and write it back?

DuckDB is the measure: no program that does more can hope to be much faster. It is installed into a folder of its own,
below target/; run as a program, this file measures it there.
"""

import json
import resource
import subprocess
import sys
import time
import venv
from dataclasses import dataclass

THREADS = 2


@dataclass
class Limit:
    """What DuckDB took for the table of a row of the results."""

    row: object
    seconds: dict  # of each step of the run with the least total
    cpu: float  # the least of all runs

    @property
    def ratio(self):
        return self.row.seconds["total"] / self.seconds["total"]


class DuckDb:
    def __init__(self, folder, say):
        self.folder = folder
        self.python = folder / "venv" / "bin" / "python"
        self.version = self.installed() or self.install(say)

    def installed(self):
        """The version, if it is there."""
        if not self.python.exists():
            return None
        code = "import duckdb; print(duckdb.__version__)"
        done = subprocess.run([self.python, "-c", code], capture_output=True, text=True)
        return done.stdout.strip() if done.returncode == 0 else None

    def install(self, say):
        """Installs it; says so and goes on without where that is impossible."""
        say("installing duckdb")
        try:
            venv.create(self.folder / "venv", with_pip=True, clear=True)
            subprocess.run([self.python, "-m", "pip", "install", "--quiet", "duckdb"], check=True, timeout=600)
        except (OSError, subprocess.SubprocessError):
            say("duckdb could not be installed, so the limit is not measured")
            return None
        return self.installed()

    def measure(self, row, table, runs):
        """The best of several runs on the table of a row."""
        written = self.folder / "limit.csv"
        columns = json.dumps(list(row.configuration.columns))
        command = [self.python, __file__, str(table), str(written), columns]
        results = [json.loads(subprocess.run(command, check=True, capture_output=True).stdout) for _ in range(runs)]
        written.unlink()
        cpu = [result.pop("cpu") for result in results]
        best = min(results, key=lambda result: result["total"])
        if best.pop("rows") != row.summary["rows"]:
            row.problem = "WRONG: not as many rows as DuckDB counts"
        return Limit(row, best, min(cpu))


def read_group_write(table, written, columns):
    """Reads a CSV, groups it, joins the sizes of the groups back to the rows and writes all of it; seconds of each."""
    import duckdb

    table, written = (path.replace("'", "''") for path in (table, written))
    names = [f'"{column}"' for column in columns]
    # Missing values are values of their own, and equal: a plain join would lose their rows.
    same = " AND ".join(f"people.{name} IS NOT DISTINCT FROM sizes.{name}" for name in names)
    steps = {
        "read": f"CREATE TABLE people AS FROM read_csv('{table}')",
        "group": f"CREATE TABLE sizes AS SELECT {', '.join(names)}, count(*) AS size FROM people GROUP BY ALL",
        "write": f"COPY (SELECT people.*, size FROM people JOIN sizes ON {same}) TO '{written}' (FORMAT csv, HEADER)",
    }
    connection = duckdb.connect(config={"threads": THREADS})
    seconds = {}
    for step, statement in steps.items():
        begin = time.perf_counter()
        result = connection.execute(statement).fetchone()
        seconds[step] = time.perf_counter() - begin
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu = used.ru_utime + used.ru_stime
    return {**seconds, "total": sum(seconds.values()), "cpu": cpu, "rows": result[0]}


if __name__ == "__main__":
    print(json.dumps(read_group_write(sys.argv[1], sys.argv[2], json.loads(sys.argv[3]))))
