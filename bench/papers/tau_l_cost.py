"""Which requirements can a table satisfy at all, and what does SWEEP cost as tables grow ((tau,l)-diversity, sections I and
III)?"""

import numpy
import pandas

import plots
import sweep
from l_diversity import NO_NODE
from policies import Policy, requirement
from tables import ADULT
from tau_l_setting import adult

QUICK = ["eligible"]
DEMAND = (0.5, 4)
SIZES = [2_500, 5_000, 10_000, 20_000, 45_222]
LARGE = [25_000, 50_000, 100_000, 200_000]


def experiments(workshop):
    return {"eligible": lambda: eligible(workshop), "theorem-3": lambda: theorem_3(workshop)}


def uci(workshop):
    """Class columns of the data sets of the UCI repository that are here: four come with scikit-learn."""
    from sklearn import datasets

    for name in ["iris", "wine", "breast_cancer", "digits"]:
        found = getattr(datasets, f"load_{name}")()
        yield name.replace("_", " "), "class", pandas.Series(found.target)
    tables = workshop.tables
    if tables.data.joinpath("adult", "adult.csv").exists():
        for column in ["salary-class", "occupation", "education", "marital-status", "workclass", "native-country", "race",
                       "sex"]:
            yield "adult", column, tables.adult_rows[column]
    if tables.data.joinpath("nursery", "nursery.csv").exists():
        rows = pandas.read_csv(tables.nursery, dtype=str)
        for column in ["class", "parents", "has_nurs", "form", "children", "housing", "finance", "social", "health"]:
            yield "nursery", column, rows[column]


def eligible(workshop):
    """Section I: what simple l, and which c for (c,l), the whole table as one class allows: no release can do better."""
    rows = []
    for table, column, values in uci(workshop):
        counts = values.value_counts().to_numpy()
        tails = counts[::-1].cumsum()[::-1]  # r_l + .. + r_m for l = 1, 2, ..
        row = {"table": table, "column": column, "rows": len(values), "values": len(counts),
               "most_frequent_share": counts[0] / len(values), "largest_simple_l": int(len(values) // counts[0])}
        for l in [2, 3, 4]:
            row[f"c_must_exceed_for_l_{l}"] = counts[0] / tails[l - 1] if l <= len(counts) else None
        least_tau = lambda l: max((counts[:j].sum() / counts.sum() - (j - 1) / (l - 1)) / (1 - (j - 1) / (l - 1))
                                  for j in range(1, l))
        row["least_tau_for_l_3"] = least_tau(3) if len(counts) > 2 else None
        rows.append(row)
    if {"adult", "nursery"} - {row["table"] for row in rows}:
        from workshop import Absent

        raise Absent("../shared/data/adult and nursery are not here")
    workshop.keep("tau-l-diversity-eligible", rows)


def theorem_3(workshop):
    """O((H + h_SA) n): moves of tuples, which do not depend on the machine, and CPU seconds."""
    setting, rows = adult(workshop), []
    five = ADULT[:5]
    random = numpy.random.default_rng(1).permutation(len(setting.original))
    for size in SIZES:
        part = setting.original.iloc[numpy.sort(random[:size])].reset_index(drop=True)
        rows.append(cost(workshop, setting, part, five, "rows", size))
    for many in range(2, 7):
        if many != 5:
            rows.append(cost(workshop, setting, setting.original, ADULT[:many], "quasi-identifiers", many))
    for size in LARGE:
        rows.append(made_up(workshop, size))
    frame = workshop.keep("tau-l-diversity-theorem-3", rows)
    figure = plots.Figure(f"SWEEP's cost for {DEMAND}-diversity", 3, legend_below=True)
    by_rows = frame[(frame.varied == "rows")]
    figure.lines(0, {"Adult, five quasi-identifiers (H = 240)": (by_rows.rows, by_rows.moves)}, "rows n",
                 "moves of tuples (sweep.py)")
    wide = frame[frame.rows == len(setting.original)].sort_values("combinations")
    figure.lines(1, {"Adult, 45,222 rows": (wide.combinations, wide.moves)}, "combinations of levels H",
                 "moves of tuples (sweep.py)")
    census = frame[frame.varied == "rows of a made-up census"]
    figure.lines(2, {"Adult, five quasi-identifiers (H = 240)": (by_rows.rows, by_rows.cpu_seconds_to_search),
                     "made-up census": (census.rows, census.cpu_seconds_to_search)}, "rows n",
                 "CPU seconds of shoal, reading taken off")
    figure.axes[2].legend(fontsize=7)
    figure.write(workshop, "tau-l-diversity-theorem-3")


def cost(workshop, setting, part, columns, varied, value):
    paths = {name: setting.paths[name] for name in columns}
    swept = sweep.sweep(part, paths, ("occupation", sweep.from_file(setting.hierarchy)), *DEMAND)
    combinations = int(numpy.prod([len(rows[0]) for rows in paths.values()]))
    policy = Policy(workshop.tables.written("part", part), {name: setting.policy.quasi[name] for name in columns},
                    setting.policy.sensitive)
    return {"varied": varied, "value": value, "rows": len(part), "combinations": combinations, "moves": swept.moves,
            "moves_per_row": swept.moves / len(part), "most_that_theorem_3_allows": combinations * len(part),
            **seconds(workshop, policy)}


def seconds(workshop, policy):
    runs = workshop.options.runs
    demand = requirement("tau-l-diversity", tau=DEMAND[0], l=DEMAND[1])
    whole = workshop.anonymize(policy.but(require=(demand,), method={"name": "sweep"}), runs=runs, threads=1)
    read = workshop.solutions(policy.but(require=(NO_NODE,)), runs=runs, threads=1)
    return {"cpu_seconds": whole.cpu, "cpu_seconds_to_search": max(0.0, whole.cpu - read.cpu)}


def made_up(workshop, size):
    import configurations

    columns = next(configurations.census()).columns
    hierarchies = {name: text.split("hierarchy = ")[1] for name, text in columns.items()}
    occupation = hierarchies.pop("occupation")
    policy = Policy(workshop.tables.generated("census", size), dict(list(hierarchies.items())[:4]), {"occupation": occupation})
    return {"varied": "rows of a made-up census", "value": size, "rows": size, **seconds(workshop, policy)}
