"""How much longer does Shoal count than the engine alone, and how much memory does it take meanwhile?

    bench/engines [--rows N] [--workers 1 2] [--runs N] [--program SHOAL]

Makes up a census, lets Spark turn it into Parquet, and then, for each number of workers, in turns: the bare
`SELECT .., count(*) .. GROUP BY` through Spark's own client, and the whole of `shoal anonymize`. The aim is a count stage of
at most 1.3 times the bare query. `services/run` starts the cluster; this file runs within it, too.
"""

import argparse
import json
import os
import subprocess
import sys
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
FOLDER = TARGET / "bench" / "engines"
CLIENT = TARGET / "services" / "client"
QUASI = {
    "age": "intervals = [5, 10, 20]",
    "sex": "suppress = {}",
    "race": "suppress = {}",
    "marital status": "suppress = {}",
    "education": "suppress = {}",
    "country of birth": "suppress = {}",
    "work class": "suppress = {}",
}
SENSITIVE = "occupation"


def policy(server, table, release):
    """The policy of the measured run; columns that it does not name are dropped."""
    lines = ["[input]", f'spark = "{server}"', f'path = "{table}"', 'other-columns = "drop"']
    lines += ["[output]", f'path = "{release}"']
    for name, hierarchy in QUASI.items():
        lines += [f'[columns."{name}"]', 'role = "quasi-identifier"', f"hierarchy = {{ {hierarchy} }}"]
    lines += [f"[columns.{SENSITIVE}]", 'role = "sensitive"']
    lines += ["[[require]]", 'model = "k-anonymity"', "k = 5", "[method]", "max-suppressed = 0.02"]
    return "\n".join(lines) + "\n"


def bare_query(table):
    columns = ", ".join(f"`{name}`" for name in [*QUASI, SENSITIVE])
    return f"SELECT {columns}, count(*) FROM parquet.`{table}` GROUP BY {columns}"


def build():
    """The program, with all that makes it fast."""
    subprocess.run(["cargo", "build", "--release", "--features", "engines", "-p", "shoal-cli"], cwd=ROOT, check=True)
    return TARGET / "release" / "shoal"


def prepare(rows, program):
    """The client library and the table as CSV."""
    if not (CLIENT / "ready").exists():
        venv.create(CLIENT, with_pip=True, clear=True)
        pip = [CLIENT / "bin" / "pip", "install", "--quiet", "--cache-dir", TARGET / "services" / "downloads"]
        subprocess.run([*pip, "pyspark[connect]==4.3.0"], check=True)
        (CLIENT / "ready").touch()
    FOLDER.mkdir(parents=True, exist_ok=True)
    table = FOLDER / f"census-{rows}.csv"
    if not table.exists():
        subprocess.run([program, "generate", "census", "--rows", str(rows), "--output", table], check=True)


def within_cluster(arguments):
    """Measures, in a process that `services/run` has started."""
    from pyspark.sql import SparkSession

    server = os.environ["SHOAL_TEST_SPARK"]
    spark = SparkSession.builder.remote(server).create()
    table = FOLDER / f"census-{arguments.rows}.parquet"
    if not (table / "_SUCCESS").exists():
        csv = spark.read.option("header", "true").csv(str(table.with_suffix(".csv")))
        csv.write.mode("overwrite").parquet(str(table))
    spark.sql(bare_query(table) + " LIMIT 1").toArrow()  # the first query pays for the start of the executors
    print(f"{arguments.rows} rows, {arguments.worker} worker(s)")
    ratios = []
    for run in range(arguments.runs):
        begin = time.monotonic()
        groups = spark.sql(bare_query(table)).toArrow().num_rows
        bare = time.monotonic() - begin
        release = FOLDER / f"release-{arguments.worker}-{run}.parquet"
        file = FOLDER / "policy.toml"
        file.write_text(policy(server, table, release))
        ran = subprocess.run([arguments.program, "anonymize", file, "--json", "--quiet", "--overwrite"], stdout=subprocess.PIPE, check=True)
        summary = json.loads(ran.stdout)
        seconds = summary["seconds"]
        count = seconds["read"] + seconds["count"]
        ratios.append(count / bare)
        print(
            f"  {groups} tuples; bare query {bare:.1f} s, count stage {count:.1f} s ({count / bare:.2f} times); "
            f"search {seconds['search']:.1f}, recode and write {seconds['recode'] + seconds['write']:.1f}, "
            f"verify {seconds['verify']:.1f}, total {seconds['total']:.1f} s; "
            f"client memory {summary['peak_memory_bytes'] / 1e6:.0f} MB",
            flush=True,
        )
    best = min(ratios)
    print(f"  count stage / bare query: {best:.2f} at best, aim 1.3")
    return 0 if best <= 1.3 else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--program", type=Path, help="measure this program instead of building one")
    parser.add_argument("--worker", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        return within_cluster(arguments)
    program = arguments.program or build()
    prepare(arguments.rows, program)
    failed = 0
    for workers in arguments.workers:
        again = [CLIENT / "bin" / "python", __file__, "--rows", str(arguments.rows), "--runs", str(arguments.runs)]
        again += ["--program", program, "--worker", str(workers)]
        cluster = [ROOT / "services" / "run", "spark", "--", *again]
        environment = {**os.environ, "SHOAL_SPARK_WORKERS": str(workers)}
        failed |= subprocess.run(cluster, env=environment).returncode
    return failed


if __name__ == "__main__":
    sys.exit(main())
