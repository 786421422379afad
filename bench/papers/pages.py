"""How do the numbers get into the pages, so that none is copied by hand?

A page says `<!-- results/NAME.csv | column, column as Title | column = value -->` and `<!-- end -->`; between them stands
that part of the CSV as a table, written anew by every run.
"""

import re
from pathlib import Path

import pandas

from workshop import kept

HERE = Path(__file__).resolve().parent
BLOCK = re.compile(r"<!-- results/(?P<name>[\w.-]+)\.csv(?P<words>[^>]*?)-->\n(?P<table>.*?)<!-- end -->", re.S)


def write(results):
    for path, text, filled in all_pages(results):
        if text != filled:
            path.write_text(filled)


def stale(results):
    """Pages that do not show the numbers of the CSVs."""
    return [f"{path.name} does not show what the CSVs say: run bench/papers/run --pages"
            for path, text, filled in all_pages(results) if text != filled]


def all_pages(results):
    for path in sorted(HERE.glob("*.md")):
        text = path.read_text()
        yield path, text, BLOCK.sub(lambda found: block(found, results), text)


def block(found, results):
    source = results / f"{found['name']}.csv"
    head = f"<!-- results/{found['name']}.csv{found['words']}-->\n"
    if not source.exists():
        return head + "*Not measured yet: the command of this section does it.*\n<!-- end -->"
    try:
        return head + table(kept(source), [part.strip() for part in found["words"].split("|")[1:]]) + "<!-- end -->"
    except KeyError as missing:
        return f"{head}no column {missing} in {source.name}\n<!-- end -->"


def table(frame, parts):
    """`parts`: the columns, then conditions `column = value` or `column != value`."""
    for condition in parts[1:]:
        column, sign, value = re.match(r"(.+?) (!?=) ?(.*)", condition).groups()
        texts = frame[column].map(cell)
        frame = frame[(texts == value) if sign == "=" else (texts != value)]
    named = [one.split(" as ") if " as " in one else (one, one.replace("_", " ")) for one in parts[0].split(", ")] \
        if parts and parts[0] else [(one, one.replace("_", " ")) for one in frame]
    numbers = {column for column, _ in named if pandas.api.types.is_numeric_dtype(frame[column])}
    lines = ["| " + " | ".join(title for _, title in named) + " |",
             "|" + "|".join("--:" if column in numbers else "---" for column, _ in named) + "|"]
    lines += ["| " + " | ".join(cell(row[column]) for column, _ in named) + " |" for _, row in frame.iterrows()]
    return "\n".join(lines) + "\n"


def cell(value):
    if pandas.isna(value):
        return ""
    if isinstance(value, float):
        if value == int(value) and abs(value) < 1e15:
            return f"{int(value):,}"
        return f"{value:.3g}" if abs(value) < 0.01 else f"{value:.3f}" if abs(value) < 100 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value).replace("|", "\\|")
