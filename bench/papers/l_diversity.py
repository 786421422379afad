"""l-diversity (Machanavajjhala et al. 2006), section 6: are minimal k-anonymous tables open to homogeneity, and what do
time and utility cost?"""

import itertools

import numpy
import pandas

import intervals
import plots
import releases
import sweep
from policies import Policy, k_anonymity, requirement
from tables import ADULT, SALES

PARAMETERS = [2, 4, 6, 8]
SAMPLES = 20
QUICK = ["average-class-size", "monotonicity", "skew", "sample-ages", "estimate-by-lot"]
PURE = ["skew", "sample-ages", "skewed-groups", "estimate-by-lot"]
# No table has so many values, which the program sees as soon as it has counted: what is left is reading.
NO_NODE = requirement("distinct-l-diversity", l=1_000_000)


def experiments(workshop):
    return {
        "homogeneity-adult": lambda: homogeneity_adult(workshop),
        "homogeneity-sales": lambda: homogeneity_sales(workshop),
        "figure-5": lambda: figure_5(workshop),
        "figure-6": lambda: figure_6(workshop),
        "figure-7": lambda: figure_7(workshop),
        "average-class-size": lambda: average_class_size(workshop),
        "skew": lambda: skew(workshop),
        "sample-ages": lambda: sample_ages(workshop),
        "skewed-groups": lambda: skewed_groups(workshop),
        "estimate-by-lot": lambda: estimate(workshop, "l-diversity-estimate-by-lot", GROUPED[:1]),
        "estimate": lambda: estimate(workshop, "l-diversity-estimate", GROUPED[1:]),
        "monotonicity": lambda: monotonicity(workshop),
    }


def entropy(l):
    return requirement("entropy-l-diversity", l=l)


def recursive(l):
    return requirement("recursive-cl-diversity", c=3, l=l)


def by_levels(solutions):
    """In an order that stays the same, whatever the program puts first."""
    return sorted(solutions, key=lambda one: tuple(one["levels"].values()))


def minimal_tables(workshop, policy, sensitive):
    """Every minimal table, released by the program, and what it gives away."""
    for solution in by_levels(workshop.solutions(policy).json["minimal"]):
        answer = workshop.anonymize(policy.but(levels=solution["levels"]), keep=True)
        quasi = list(policy.quasi)
        classes, records = releases.homogeneity(answer.release, quasi, sensitive)
        audited = workshop.audit_of_last(policy).json
        largest_c = next((model["achieved"] for model in audited["models"]
                          if model["model"] == "recursive-cl-diversity" and model.get("l") == 2), None)
        yield {"levels": " ".join(map(str, solution["levels"].values())), "classes": answer.json["classes"],
               "average_class_size": answer.json["class_size"]["mean"], "homogeneous_classes": classes,
               "records_in_them": records, "homogeneous_class_size": records / classes if classes else None,
               "entropy_l": releases.entropy_l(answer.release, quasi, sensitive), "c_must_exceed_for_l_2": largest_c,
               "audit_exposed_records": exposed_by_audit(audited, "homogeneity")}


def exposed_by_audit(audited, attack):
    """The same by the program itself, where its audit knows the attack."""
    found = [entry["exposed_records"] for entry in audited.get("attacks") or [] if entry.get("attack") == attack]
    return found[0] if found else None


def homogeneity_adult(workshop):
    tables, rows = workshop.tables, []
    for variant in ["", "_4groups"]:
        quasi = tables.hierarchies(ADULT[:5]) | {"marital-status": tables.hierarchy("marital-status", variant)}
        for sensitive in ["occupation", "salary-class"]:
            policy = Policy(tables.adult, quasi, {sensitive: ""}, require=(k_anonymity(6),))
            rows += [{"marital_tree": f"marital-status{variant}", "sensitive": sensitive, **row}
                     for row in minimal_tables(workshop, policy, sensitive)]
    workshop.keep("l-diversity-homogeneity-adult", rows)


def homogeneity_sales(workshop):
    table = workshop.tables.sales(workshop.options.sales)
    quasi = dict(list(SALES.items())[:5])
    policy = Policy(table, quasi, {"cost": ""}, require=(k_anonymity(3),))
    workshop.keep("l-diversity-homogeneity-sales", list(minimal_tables(workshop, policy, "cost")))


def times(workshop, name, title, table, quasi, sensitive):
    """Time to find all 6-anonymous tables and all entropy 6-diverse ones, by the number of quasi-identifiers."""
    measures = {"reading and counting alone": NO_NODE, "6-anonymity": k_anonymity(6), "entropy 6-diversity": entropy(6)}
    rows = []
    for size in range(3, len(quasi) + 1):
        policy = Policy(table, dict(list(quasi.items())[:size]), sensitive)
        for measure, required in measures.items():
            answer = workshop.solutions(policy.but(require=(required,)), runs=workshop.options.runs, threads=1)
            if required is NO_NODE:
                to_read = answer.cpu
            rows.append({"quasi_identifiers": size, "measure": measure, **answer.seconds(),
                         "cpu_seconds_to_search": max(0.0, answer.cpu - to_read),
                         "satisfying": answer.json["satisfying"], "nodes": answer.json["nodes"],
                         "checked": answer.json["checked"]})
    draw_times(workshop, name, title, workshop.keep(name, rows))


def draw_times(workshop, name, title, frame):
    measures = list(frame.measure.unique())
    figure = plots.Figure(title, 2, legend_below=True)
    by = lambda column, names: {measure: (part.quasi_identifiers, part[column])
                                for measure, part in frame.groupby("measure", sort=False) if measure in names}
    figure.lines(0, by("cpu_seconds_to_search", measures[1:]), "quasi-identifiers", "CPU seconds without reading")
    figure.lines(1, by("checked", measures[1:]), "quasi-identifiers", "nodes that Incognito looked at")
    figure.write(workshop, name)


def figure_5(workshop):
    tables = workshop.tables
    # A quasi-identifier of eight columns needs the salary class: the paper lists only seven that are not sensitive.
    quasi = tables.hierarchies([*ADULT, "salary-class"])
    times(workshop, "l-diversity-figure-5", "All 6-anonymous and all entropy 6-diverse tables: Adult, 45,222 rows",
          tables.adult, quasi, {"occupation": ""})


def figure_6(workshop):
    rows = workshop.options.sales
    times(workshop, "l-diversity-figure-6",
          f"All 6-anonymous and all entropy 6-diverse tables: made-up orders, {rows:,} rows",
          workshop.tables.sales(rows), SALES, {"cost": ""})


def figure_7(workshop):
    """Least height on all of Adult, least average class size and discernibility on 5% samples."""
    tables, rows = workshop.tables, []
    places = {"all": [tables.adult], "5% sample": [tables.adult_sample(seed) for seed in range(1, SAMPLES + 1)]}
    measures = {"k-anonymity": k_anonymity, "entropy l-diversity": entropy, "recursive (3,l)-diversity": recursive}
    for place, paths in places.items():
        for measure, required in measures.items():
            for parameter in PARAMETERS:
                found = [least(workshop, Policy(path, tables.hierarchies(ADULT[:4]), {"occupation": ""},
                                                require=(required(parameter),))) for path in paths]
                if not all(found):
                    continue
                row = {"table": place, "measure": measure, "parameter": parameter, "samples": len(found)}
                for key in found[0]:
                    row |= intervals.columns(key, [one[key] for one in found])
                rows.append(row)
    frame = workshop.keep("l-diversity-figure-7", rows)
    figure = plots.Figure("k-anonymity and l-diversity by utility: Adult; age, sex, race, marital status; occupation "
                          "sensitive", 4, legend_below=True)
    panels = [("all", "height", "least height"), ("5% sample", "height", "least height"),
              ("5% sample", "average-class-size", "least average class size"),
              ("5% sample", "discernibility", "least discernibility")]
    for panel, (place, column, label) in enumerate(panels):
        part = frame[frame.table == place].pivot(index="parameter", columns="measure", values=column)
        part = part.reindex(index=PARAMETERS, columns=list(measures))
        title = "45,222 rows" if place == "all" else f"mean of {SAMPLES} Bernoulli samples of 5%"
        ends = {name: (frame[(frame.table == place) & (frame.measure == name)][f"{column}_low"].to_numpy(),
                       frame[(frame.table == place) & (frame.measure == name)][f"{column}_high"].to_numpy())
                for name in part} if place != "all" else None
        figure.bars(panel, PARAMETERS, {name: part[name] for name in part}, "k, l", label, title, ends=ends)
    figure.write(workshop, "l-diversity-figure-7")


def least(workshop, policy):
    """The least of each measure of utility over all tables that satisfy; None if there is no table."""
    answer = workshop.solutions(policy, every=True).json
    objectives = ["height", "average-class-size", "discernibility"]
    return answer["all"] and {name: min(one["objectives"][name] for one in answer["all"]) for name in objectives}


def average_class_size(workshop):
    """Minimal 4-anonymous tables over five quasi-identifiers: how large are their classes on average?"""
    policy = Policy(workshop.tables.adult, workshop.tables.hierarchies(ADULT[:5]), require=(k_anonymity(4),))
    rows = [{"levels": " ".join(map(str, one["levels"].values())), "height": one["objectives"]["height"],
             "average_class_size": one["objectives"]["average-class-size"]}
            for one in workshop.solutions(policy).json["minimal"]]
    workshop.keep("l-diversity-average-class-size", sorted(rows, key=lambda row: row["levels"]))


def skew(workshop):
    """How many are 81 to 90, and 31 to 40, years old? And what is in the table besides?"""
    rows = workshop.tables.adult_rows
    age = rows.age.astype(int)
    shares = rows["salary-class"].value_counts()
    printed = [("rows", 45_222, len(rows)), ("aged 81 to 90", 114, int(age.between(81, 90).sum())),
               ("aged 31 to 40", 12_291, int(age.between(31, 40).sum())),
               ("ages", 74, age.nunique()), ("marital statuses", 7, rows["marital-status"].nunique()),
               ("educations", 16, rows.education.nunique()), ("countries", 41, rows["native-country"].nunique()),
               ("work classes", 7, rows.workclass.nunique()), ("occupations", 41, rows.occupation.nunique()),
               ("times one salary class is as frequent as the other", 4, round(shares.iloc[0] / shares.iloc[1], 3))]
    workshop.keep("l-diversity-adult", [{"what": what, "printed": printed, "here": here} for what, printed, here in printed])


def sample_ages(workshop):
    """Section 6: "most of the Age values appeared in around 20 tuples each, while only a few values appeared in less than 10"."""
    rows = workshop.tables.adult_rows
    found = []
    for seed in range(1, SAMPLES + 1):
        counts = rows.age[numpy.random.default_rng(seed).random(len(rows)) < 0.05].value_counts()
        found.append({"sample": seed, "rows": int(counts.sum()), "ages": len(counts), "median_rows_of_an_age": counts.median(),
                      "ages_of_15_to_25_rows": int(counts.between(15, 25).sum()), "ages_below_10_rows": int((counts < 10).sum())})
    workshop.keep("l-diversity-sample-ages", found)


def skewed_groups(workshop):
    """Section 6: "the large groups were caused by data skew". The same table with ages that are no longer skewed, and with
    every column dealt out anew, evenly over its values: how large are the smallest 4-anonymous groups then?"""
    rows = workshop.tables.adult_rows[ADULT[:5]]
    random = numpy.random.default_rng(1)
    even = lambda column: random.choice(sorted(rows[column].unique()), len(rows))
    shuffled = rows.apply(lambda column: random.permutation(column.to_numpy()))
    tables = {"as it is": rows, "every column shuffled": shuffled, "ages even": rows.assign(age=even("age")),
              "every column even": rows.assign(**{column: even(column) for column in rows})}
    trees = {name: sweep.Taxonomy(rows[name], sweep.from_file(workshop.tables.tree(name))) for name in rows}
    found = []
    for name, table in tables.items():
        codes = {column: numpy.array([tree.number[value] for value in table[column]]) for column, tree in trees.items()}
        classes = {}
        for levels in itertools.product(*(range(tree.height + 1) for tree in trees.values())):
            key = numpy.zeros(len(rows), dtype=numpy.int64)
            for (column, tree), level in zip(trees.items(), levels):
                key = key * len(tree.values) + tree.codes[level][codes[column]]
            sizes = numpy.unique(key, return_counts=True)[1]
            if sizes.min() >= 4:
                classes[levels] = len(sizes)
        found.append({"ages_and_columns": name, "tables": 240, "k_anonymous_for_4": len(classes),
                      "least_average_class_size": len(rows) / max(classes.values())})
    workshop.keep("l-diversity-skewed-groups", found)


SEEDS = 40  # of three, the interval may well leave out what all of them come to
GROUPED = ["groups of five by lot", "mondrian", "one-dimensional"]


def estimate(workshop, name, ways):
    """Section 1.1: 60,000 distinct tuples, three equally frequent values that depend on nothing, 5-anonymous: how many
    groups have no diversity? The paper expects 148 of 12,000."""
    rows, size = [], 60_000
    for method in ways:
        found = []
        for seed in range(1, SEEDS + 1):
            random = numpy.random.default_rng(seed)
            table = pandas.DataFrame({"x": random.permutation(size), "y": random.integers(0, 1000, size),
                                      "s": random.choice(["a", "b", "c"], size)})
            if method == GROUPED[0]:
                fives = table.s.to_numpy().reshape(-1, 5)
                sizes, alone = numpy.full(len(fives), 5), (fives == fives[:, :1]).all(axis=1)
            else:
                policy = Policy(workshop.tables.written("estimate", table),
                                {name: "{ intervals = [100, 10000] }" for name in ["x", "y"]}, {"s": ""},
                                require=(k_anonymity(5),), method={"name": method}, numbers=("x", "y"))
                answer = workshop.anonymize(policy, keep=True, threads=1)
                counts = releases.class_counts(answer.release, ["x", "y"], "s")
                sizes, alone = counts.sum(axis=1).to_numpy(), ((counts > 0).sum(axis=1) == 1).to_numpy()
            found.append({"groups": len(sizes), "homogeneous": int(alone.sum()), "people_in_them": int(sizes[alone].sum())})
        row = {"groups_made_by": method, "seeds": len(found)}
        for key in found[0]:
            row |= intervals.columns(key, [one[key] for one in found])
        rows.append(row)
    workshop.keep(name, rows)


def monotonicity(workshop):
    """Theorems 5.2 and 5.3 on a sample of Adult: is every generalization of a table that satisfies one that does? All 240
    tables are counted here, in Python; the program, which prunes by these theorems, must find the same ones."""
    tables, rows = workshop.tables, []
    columns, sample = ADULT[:5], tables.adult_sample(1)
    people = pandas.read_csv(sample, dtype=str)
    trees = {name: sweep.Taxonomy(people[name], sweep.from_file(tables.tree(name))) for name in columns}
    nodes = {levels: node_counts(people, trees, levels)
             for levels in itertools.product(*(range(tree.height + 1) for tree in trees.values()))}
    demands = {"entropy 4-diversity": (entropy(4), entropy_4), "recursive (3,4)-diversity": (recursive(4), recursive_3_4),
               "npd-recursive (3,2,3)-diversity": (NPD, npd)}
    for demand, (required, holds) in demands.items():
        fit = {levels for levels, counts in nodes.items() if holds(counts).all()}
        above = [levels[:place] + (levels[place] + 1,) + levels[place + 1:] for levels in fit for place in range(len(levels))]
        above = [levels for levels in above if levels in nodes]
        policy = Policy(sample, tables.hierarchies(columns), {"occupation": ""}, require=(required,))
        answer = workshop.solutions(policy, every=True).json
        found = {tuple(one["levels"].values()) for one in answer["all"]}
        rows.append({"required": demand, "tables": len(nodes), "satisfying": len(fit), "steps_up_from_them": len(above),
                     "that_fail": sum(levels not in fit for levels in above), "satisfying_by_shoal": len(found),
                     "the_same": found == fit, "looked_at_by_shoal": answer["checked"]})
    workshop.keep("l-diversity-monotonicity", rows)


NPD = requirement("npd-recursive-cl-diversity", c1=3, c2=2, l=3, disclosable=["Prof-specialty"], guarded=["Sales"])


def node_counts(people, trees, levels):
    """Sensitive values of every class at these levels."""
    shown = pandas.DataFrame({name: people[name].map(dict(zip(tree.values, tree.labels[level])))
                              for (name, tree), level in zip(trees.items(), levels)})
    return releases.class_counts(shown.assign(occupation=people.occupation), list(trees), "occupation")


def entropy_4(counts):
    """Which classes (rows) are entropy 4-diverse."""
    shares = counts.to_numpy() / counts.sum(axis=1).to_numpy()[:, None]
    logs = numpy.log(shares, out=numpy.zeros_like(shares), where=shares > 0)
    return -(shares * logs).sum(axis=1) >= numpy.log(4) - 1e-12


def recursive_3_4(counts):
    ordered = -numpy.sort(-counts.to_numpy(), axis=1)
    return ordered[:, 0] < 3 * ordered[:, 3:].sum(axis=1)


def npd(counts):
    """Definitions 4.3 and 4.4 for c1 = 3, c2 = 2, l = 3; Prof-specialty may be disclosed, Sales not be excluded."""
    cells = counts.to_numpy()
    secret = numpy.where(counts.columns == "Prof-specialty", -1, cells)
    at, rows = secret.argmax(axis=1), numpy.arange(len(cells))
    largest = cells[rows, at].copy()
    others = cells.copy()
    others[rows, at] = -1
    tail = cells.sum(axis=1) - largest - others.max(axis=1)
    return ((largest == 0) | (largest < 3 * tail)) & (100 * counts["Sales"].to_numpy() >= 2 * cells.sum(axis=1))
