"""How are the results shown, and kept?"""

import csv

STAGES = ["read", "count", "hierarchies", "search", "recode", "write", "verify", "total"]


def number(value, digits=3):
    """A number with some digits, or a blank."""
    if value is None or value == "":
        return ""
    return f"{value:,}" if isinstance(value, int) else f"{value:.{digits}f}"


class Report:
    def __init__(self, about, runs, rows, limits):
        self.about, self.runs, self.rows, self.limits = about, runs, rows, limits

    def main_table(self):
        head = ["configuration", "rows", "search s", "total s", "CPU s", "nodes", "checked", "classes", "suppressed",
                "objective", "peak MB", "ARX s", "ARX/search", "aim", "ARX first s", "first/total", ""]
        return head, [self.main_line(row) for row in self.rows]

    def main_line(self, row):
        of, lattice = row.summary.get, row.summary.get("lattice") or {}
        warm, first, aim = row.configuration.arx()
        value = of("objective_value")
        return [row.configuration.name, number(of("rows")), number(row.search), number(row.seconds.get("total")),
                number(row.cpu), number(lattice.get("nodes")), number(lattice.get("checked")), number(of("classes")),
                number(of("suppressed_rows")), "" if value is None else f"{value:.7g}",
                number(row.peak_bytes // 2**20 if row.peak_bytes else None), number(warm), number(row.times_arx, 1),
                number(aim), number(first), number(row.times_first, 1), row.problem or row.note]

    def stage_table(self):
        rows = [row for row in self.rows if row.configuration.generated and row.seconds]
        return ["seconds of each stage", *STAGES], [
            [row.configuration.name, *(number(row.seconds.get(stage)) for stage in STAGES)] for row in rows]

    def multiples_table(self):
        rows = [row for row in self.rows if row.bytes_read and row.seconds]
        times = lambda row, stage: number(row.seconds[stage] / row.bytes_read, 1) if row.seconds.get(stage) is not None else ""
        return ["each stage, as a multiple of reading the bytes", "reading s", *STAGES], [
            [row.configuration.name, number(row.bytes_read), *(times(row, stage) for stage in STAGES)] for row in rows]

    def limit_table(self):
        head = ["the limit", "DuckDB read", "group", "join, write", "DuckDB s", "Shoal s", "Shoal/DuckDB",
                "DuckDB CPU s", "Shoal CPU s"]
        return head, [[limit.row.configuration.name, *(number(limit.seconds[step]) for step in limit.seconds),
                       number(limit.row.seconds["total"]), number(limit.ratio, 2), number(limit.cpu),
                       number(limit.row.cpu)] for limit in self.limits]

    def tables(self):
        tables = [self.main_table(), self.stage_table(), self.multiples_table(), self.limit_table()]
        return [table for table in tables if table[1]]

    def text(self):
        """For a terminal."""
        return "\n".join("\n" + aligned(*table) for table in self.tables())

    def markdown(self):
        lines = ["# Benchmark", "", f"The best of {self.runs}; see [how to read it](../README.md).", ""]
        lines += [f"- {key}: {value}" for key, value in self.about.items()]
        for head, body in self.tables():
            lines += ["", "| " + " | ".join(head) + " |", "|---" + "|--:" * (len(head) - 1) + "|"]
            lines += ["| " + " | ".join(line) + " |" for line in body]
        return "\n".join(lines) + "\n"

    def write(self, folder, date):
        """Keeps the results as CSV, for programs, and as Markdown, for people."""
        folder.mkdir(parents=True, exist_ok=True)
        paths = folder / f"{date}.csv", folder / f"{date}.md"
        with open(paths[0], "w", newline="") as file:
            table = csv.writer(file)
            table.writerow(["configuration", "rows", "threads", *(f"{stage}_s" for stage in STAGES), "best_search_s",
                            "cpu_s", "nodes", "checked", "classes", "suppressed", "objective", "objective_value",
                            "peak_memory_bytes", "bytes_read_s", "arx_s", "arx_first_s", "aim", "duckdb_s", "note", "commit"])
            table.writerows(self.record(row) for row in self.rows)
        paths[1].write_text(self.markdown())
        return paths

    def record(self, row):
        of, lattice = row.summary.get, row.summary.get("lattice") or {}
        duckdb = next((limit.seconds["total"] for limit in self.limits if limit.row is row), None)
        return [row.configuration.name, of("rows"), row.configuration.threads,
                *(row.seconds.get(stage) for stage in STAGES), row.search, row.cpu,
                lattice.get("nodes"), lattice.get("checked"), of("classes"), of("suppressed_rows"),
                row.configuration.objective, of("objective_value"), row.peak_bytes or None, row.bytes_read, *row.configuration.arx(),
                duckdb, row.problem or row.note, self.about["commit"]]


def aligned(head, body):
    """Columns side by side: the first and the last to the left, numbers to the right."""
    widths = [max(len(line[place]) for line in [head, *body]) for place in range(len(head))]
    last = len(head) - 1 if not head[-1] else None
    cell = lambda place, text: text.ljust(widths[place]) if place in (0, last) else text.rjust(widths[place])
    return "\n".join("  ".join(cell(*pair) for pair in enumerate(line)).rstrip() for line in [head, *body])
