"""Which requirements can a table satisfy at all, and what does SWEEP cost as tables grow ((tau,l)-diversity, sections I and
III)?"""

import numpy
import pandas

import plots
import sweep
from l_diversity import NO_NODE
from policies import Policy, requirement
from tables import ADULT
from tau_l_setting import adult, nursery

QUICK = ["eligible"]
PURE = ["eligible", "theorem-3-moves"]
DEMAND = (0.5, 4)
SIZES = [2_500, 5_000, 10_000, 20_000, 45_222]
LARGE = [25_000, 50_000, 100_000, 200_000]


def experiments(workshop):
    return {"eligible": lambda: eligible(workshop), "theorem-3-moves": lambda: moves(workshop),
            "theorem-3": lambda: theorem_3(workshop)}


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

        raise Absent("adult/adult.csv and nursery/nursery.csv are not both in the folder of data (--data)")
    workshop.keep("tau-l-diversity-eligible", rows)


def moves(workshop):
    """O((H + h_SA) n), as far as it does not depend on the machine: how often SWEEP moves a tuple from one class to the next,
    of the H times that the theorem allows each."""
    rows = [moved(setting, setting.original, list(setting.paths), demand, "requirement")
            for setting in [nursery(workshop)] for demand in setting.demands]
    setting = adult(workshop)
    random = numpy.random.default_rng(1).permutation(len(setting.original))
    for size in SIZES:
        part = setting.original.iloc[numpy.sort(random[:size])].reset_index(drop=True)
        rows.append(moved(setting, part, ADULT[:5], DEMAND, "rows"))
    rows += [moved(setting, setting.original, ADULT[:many], DEMAND, "quasi-identifiers") for many in [2, 3, 4, 6]]
    draw_moves(workshop, workshop.keep("tau-l-diversity-theorem-3-moves", rows))


def draw_moves(workshop, frame):
    figure = plots.Figure("SWEEP: moves of tuples (sweep.py)", 3, legend_below=True)
    by_rows = frame[(frame.table == "adult") & (frame.quasi_identifiers == 5)]
    figure.lines(0, {f"Adult, {DEMAND}, H = {by_rows.combinations.iloc[0]}": (by_rows.rows, by_rows.moves)}, "rows n", "moves")
    wide = frame[(frame.table == "adult") & (frame.rows == frame.rows.max())].sort_values("combinations")
    figure.lines(1, {f"Adult, {DEMAND}, all rows": (wide.combinations, wide.moves_per_row)}, "combinations of levels H",
                 "moves per row")
    by_demand = frame[frame.table == "nursery"]
    figure.lines(2, {"Nursery, H = 256": (range(len(by_demand)), by_demand.moves_per_row)}, "tau, l (stronger to the right)",
                 "moves per row", ticks=range(len(by_demand)),
                 tick_labels=[f"{tau:g},{l}" for tau, l in zip(by_demand.tau, by_demand.l)])
    figure.axes[2].tick_params(axis="x", labelrotation=45)
    figure.write(workshop, "tau-l-diversity-theorem-3-moves")


def moved(setting, part, columns, demand, varied):
    paths = {name: setting.paths[name] for name in columns}
    swept = sweep.sweep(part, paths, (setting.sensitive, sweep.from_file(setting.hierarchy)), *demand)
    combinations = int(numpy.prod([len(rows[0]) for rows in paths.values()]))
    return {"table": setting.name, "varied": varied, "tau": demand[0], "l": demand[1], "rows": len(part),
            "quasi_identifiers": len(columns), "combinations": combinations, "moves": swept.moves,
            "moves_per_row": swept.moves / len(part), "share_of_bound": swept.moves / (combinations * len(part))}


def theorem_3(workshop):
    """The same in CPU seconds of the program, reading taken off."""
    setting, rows = adult(workshop), []
    random = numpy.random.default_rng(1).permutation(len(setting.original))
    for size in SIZES:
        part = setting.original.iloc[numpy.sort(random[:size])].reset_index(drop=True)
        rows.append(cost(workshop, setting, part, ADULT[:5], "rows of Adult"))
    rows += [cost(workshop, setting, setting.original, ADULT[:many], "quasi-identifiers") for many in [2, 3, 4, 6]]
    rows += [made_up(workshop, size) for size in LARGE]
    frame = workshop.keep("tau-l-diversity-theorem-3", rows)
    figure = plots.Figure(f"SWEEP's CPU seconds for {DEMAND}-diversity, reading taken off", 2, legend_below=True)
    figure.lines(0, {varied: (part.rows, part.cpu_seconds_to_search) for varied, part in
                     frame[frame.varied != "quasi-identifiers"].groupby("varied", sort=False)}, "rows n", "CPU seconds")
    wide = frame[frame.rows == len(setting.original)].sort_values("combinations")
    figure.lines(1, {"Adult, all rows": (wide.combinations, wide.cpu_seconds_to_search)}, "combinations of levels H",
                 "CPU seconds")
    figure.write(workshop, "tau-l-diversity-theorem-3")


def cost(workshop, setting, part, columns, varied):
    combinations = int(numpy.prod([len(setting.paths[name][0]) for name in columns]))
    policy = Policy(workshop.tables.written("part", part), {name: setting.policy.quasi[name] for name in columns},
                    setting.policy.sensitive)
    return {"varied": varied, "rows": len(part), "quasi_identifiers": len(columns), "combinations": combinations,
            **seconds(workshop, policy)}


def seconds(workshop, policy):
    runs = workshop.options.runs
    demand = requirement("tau-l-diversity", tau=DEMAND[0], l=DEMAND[1])
    whole = workshop.anonymize(policy.but(require=(demand,), method={"name": "sweep"}), runs=runs, threads=1)
    read = workshop.solutions(policy.but(require=(NO_NODE,)), runs=runs, threads=1)
    return {**whole.seconds(), "cpu_seconds_to_search": max(0.0, whole.cpu - read.cpu)}


def made_up(workshop, size):
    import configurations

    columns = next(configurations.census()).columns
    hierarchies = {name: text.split("hierarchy = ")[1] for name, text in columns.items()}
    occupation = hierarchies.pop("occupation")
    four = dict(list(hierarchies.items())[:4])
    policy = Policy(workshop.tables.generated("census", size), four, {"occupation": occupation})
    return {"varied": "rows of a made-up census", "rows": size, "quasi_identifiers": len(four), **seconds(workshop, policy)}
