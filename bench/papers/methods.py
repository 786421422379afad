"""What does each method lose, and how long does it take?

Not an experiment of a paper: all methods side by side, on Adult and on a made-up census. Written to bench/methods.md.
"""

import re

import pandas

import configurations
import machine
from policies import Policy, file, k_anonymity, requirement

# ARX 3.9.2 on the same table with the same hierarchies, no row suppressed, in a warm JVM on the same kind of machine.
ARX = [{"method": "ARX, global optimum", "loss": 0.573150966, "classes": 24, "seconds": 0.122},
       {"method": "ARX, local recoding", "loss": 0.073, "classes": 4083, "seconds": 3.4}]
GROUPS = {"office": ["Adm-clerical", "Exec-managerial", "Prof-specialty", "Sales", "Tech-support"],
          "service": ["Armed-Forces", "Protective-serv", "Other-service"],
          "manual": ["Craft-repair", "Farming-fishing", "Handlers-cleaners", "Machine-op-inspct", "Priv-house-serv",
                     "Transport-moving"]}
# As the table shows them -> `[method]`.
METHODS = {
    "full-domain": {"name": "full-domain"},
    "full-domain, local": {"name": "full-domain", "local": True},
    "mondrian": {"name": "mondrian"},
    "mondrian, sets": {"name": "mondrian", "categories": "sets"},
    "mondrian, relaxed": {"name": "mondrian", "cuts": "relaxed"},
    "mondrian, as LeFevre et al.": {"name": "mondrian", "choose": "width", "refine": False},
    "mondrian, as LeFevre et al., relaxed": {"name": "mondrian", "choose": "width", "refine": False, "cuts": "relaxed"},
    "sweep": {"name": "sweep"},
    "one-dimensional": {"name": "one-dimensional"},
    "microaggregation": {"name": "microaggregation"},
    "similarity-blocks": {"name": "similarity-blocks"},
    "anatomy": {"name": "anatomy"},
    "best": {"name": "best"},
}
LARGE = ["full-domain", "mondrian", "sweep", "one-dimensional", "anatomy"]
COLUMNS = ["table", "required", "method", "loss", "classes", "seconds", "search_seconds", "cpu_seconds", "peak_mb",
           "note"]


def experiments(workshop):
    found = {"adult": lambda: adult(workshop), "census-1000000": lambda: census(workshop, 1_000_000, METHODS)}
    if workshop.options.large:
        found["census-10000000"] = lambda: census(workshop, 10_000_000, LARGE)
    return found


def distinct(l):
    return requirement("distinct-l-diversity", column="occupation", l=l)


def a_d(groups):
    return requirement("a-d-diversity", column="occupation", a=2, d=2, groups=groups)


def adult(workshop):
    folder = workshop.tables.need("arx", "adult")
    tree = lambda name: file(folder / f"adult_hierarchy_{name}.csv")
    nine = {name: tree(name) for name in configurations.ADULT}
    eight = {name: hierarchy for name, hierarchy in nine.items() if name != "occupation"}
    whole = Policy(folder / "adult.csv", nine)
    part = Policy(folder / "adult.csv", eight, {"occupation": tree("occupation")})
    close = requirement("t-closeness", column="occupation", t=0.2, distance="equal")
    rows = [{**row, "required": "k = 5", "note": "not measured in this run"} for row in ARX]
    rows += [measured(workshop, name, whole, "k = 5", (k_anonymity(5),)) for name in METHODS]
    rows += [measured(workshop, name, part, "k = 5, l = 3", (k_anonymity(5), distinct(3))) for name in METHODS]
    rows += [measured(workshop, name, part, "k = 5, t = 0.2", (k_anonymity(5), close)) for name in METHODS]
    keep(workshop, "Adult", [row for row in rows if row])


def census(workshop, rows, names):
    """All methods on the same made-up people; anatomy without k, which it cannot give."""
    hierarchies = {name: text.split("hierarchy = ")[1] for name, text in next(configurations.census()).columns.items()}
    occupation = hierarchies.pop("occupation")
    five = dict(list(hierarchies.items())[:5])
    table = workshop.tables.generated("census", rows)
    found = []
    for name in names:
        # Every combination of levels is visited: five quasi-identifiers, as many as that is meant for.
        quasi = five if name == "sweep" and rows > 1_000_000 else hierarchies
        if name == "best":
            continue  # all of the others, one after the other
        required = "k = 5, l = 3" + (", five quasi-identifiers" if quasi is five else "")
        policy = Policy(table, quasi, {"occupation": occupation})
        found.append(measured(workshop, name, policy, required, (k_anonymity(5), distinct(3)), runs=1))
        # Line by line: on so many rows each is worth keeping, whatever becomes of the next.
        keep(workshop, f"census, {rows:,} rows", [row for row in found if row])


def measured(workshop, name, policy, required, models, runs=None):
    """A line of the table; None where a method does not apply."""
    method = METHODS[name]
    row = {"required": required, "method": name}
    if not workshop.has_method(method["name"]):
        return {**row, "note": "not there"}
    if name == "similarity-blocks":
        if not policy.sensitive:
            return None
        groups = {key: [*values, ""] if key == "office" else values for key, values in GROUPS.items()}
        models, row["note"] = (*models, a_d(groups)), "and (2,2)-diversity, which it needs"
    if name == "anatomy":
        if not policy.sensitive:
            return None
        models, row["note"] = models[1:], "without k, which it cannot give"
    from workshop import Failed

    try:
        answer = workshop.anonymize(policy.but(require=models, method=method), runs=runs or workshop.options.runs)
    except Failed as failed:
        return {**row, "note": refusal(failed)}
    if not answer:
        return {**row, "note": answer.words}
    found = answer.json
    # What is left as it was has lost nothing, and what it gives away is not in that figure.
    row["loss"] = None if name == "anatomy" else found["objectives"]["loss"]
    if name == "best":
        row["note"] = f"took {found['best']['chosen']}"
    generalized = sum((found.get("generalized_sensitive") or {}).values())
    if generalized:
        row["note"] = f"{generalized:,} records show a generalized occupation"
    return {**row, "classes": found["classes"], "seconds": answer.wall, "search_seconds": found["seconds"]["search"],
            "cpu_seconds": answer.cpu, "peak_mb": (found.get("peak_memory_bytes") or 0) / 2**20 or None}


def refusal(failed):
    """The program's words, without where the policy lay."""
    line = next(line for line in str(failed).splitlines() if line.startswith("error: "))
    return re.sub(r"^/\S*/", "", line.removeprefix("error: "))


def keep(workshop, table, rows):
    """Puts these lines in the place of those that were measured before for the same table."""
    path = workshop.bench / "methods.csv"
    frame = pandas.DataFrame(rows, columns=COLUMNS).assign(table=table)
    if path.exists():
        before = pandas.read_csv(path)
        frame = pandas.concat([part for part in (before[before.table != table], frame) if len(part)])
    # Adult first, then the smaller census before the larger one: the order of the lengths of their names.
    frame = frame.sort_values("table", key=lambda names: names.str.len(), kind="stable")
    frame.to_csv(path, index=False, float_format="%.6g")
    (workshop.bench / "methods.md").write_text(page(pandas.read_csv(path), machine.describe(workshop.root)))


def page(frame, about):
    lines = ["# All methods side by side", "",
             "Written by `bench/papers/run --only methods` (`--large` for ten million rows). No row is suppressed. "
             "`loss` is 0 for the original and 1 for a table of `*`; seconds are those of the whole program by the clock, "
             "CPU seconds those of all threads: where other work kept the machine busy, believe the latter. Adult: "
             "30,162 rows with ARX's hierarchies, ages as numbers, nine quasi-identifiers for `k = 5`, otherwise eight with occupation "
             "sensitive (distinct l, t with equal distance). Census: eight quasi-identifiers, occupation sensitive.", ""]
    lines += [f"- {key}: {value}" for key, value in about.items()]
    for (table, required), part in frame.groupby(["table", "required"], sort=False):
        lines += ["", f"## {table}: {required}", "", "| method | loss | classes | seconds | CPU seconds | peak MB | |",
                  "|---|--:|--:|--:|--:|--:|---|"]
        for row in part.itertuples():
            cells = [row.method, number(row.loss, ".4f"), number(row.classes, ",.0f"), number(row.seconds, ".2f"),
                     number(row.cpu_seconds, ".2f"), number(row.peak_mb, ",.0f"),
                     row.note if isinstance(row.note, str) else ""]
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def number(value, form):
    return "" if pandas.isna(value) else format(value, form)
