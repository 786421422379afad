"""t-closeness (Li, Li, Venkatasubramanian 2007), section 6: how common is the similarity attack, and what do five
measures cost in time and quality?"""

import itertools

import pandas

import plots
import releases
from l_diversity import NO_NODE, by_levels, exposed_by_audit
from policies import Policy, file, k_anonymity, requirement
from tables import ADULT_T

SIZES = range(2, 8)
PARAMETERS = [2, 4, 6, 8]
WORST = 5  # the largest of three groups of 14 occupations that are roughly equal
QUICK = ["summary", "sizes"]
PURE = ["sizes"]


def experiments(workshop):
    return {
        "summary": lambda: summary(workshop),
        "sizes": lambda: sizes(workshop),
        "similarity": lambda: similarity(workshop),
        "race-trees": lambda: race_trees(workshop),
        "figure-3": lambda: figure_3(workshop),
        "figure-4": lambda: figure_4(workshop),
        "distances": lambda: distances(workshop),
        "suppression": lambda: suppression(workshop),
    }


def closeness(t):
    return requirement("t-closeness", t=t, distance="hierarchical")


DIVERSE = {"entropy 2-diversity": requirement("entropy-l-diversity", l=2),
           "recursive (4,4)-diversity": requirement("recursive-cl-diversity", c=4, l=4)}
# The paper gives no c for its third measure; 4 is the one it uses for the similarity attack.
MEASURES = {
    "k-anonymity": lambda k: (k_anonymity(k),),
    "entropy l-diversity": lambda l: (requirement("entropy-l-diversity", l=l),),
    "recursive (4,l)-diversity": lambda l: (requirement("recursive-cl-diversity", c=4, l=l),),
    "k-anonymity, 0.2-closeness": lambda k: (k_anonymity(k), closeness(0.2)),
    "k-anonymity, 0.15-closeness": lambda k: (k_anonymity(k), closeness(0.15)),
}


def adult(workshop, columns=ADULT_T, sensitive=None, race="_3levels"):
    """Heights as in Figure 2 of the paper, which counts the leaves: race has three levels there."""
    tables = workshop.tables
    occupation = sensitive or tables.hierarchy("occupation")
    quasi = tables.hierarchies(columns)
    if "race" in quasi:
        quasi["race"] = tables.hierarchy("race", race)
    return Policy(tables.adult_train, quasi, {"occupation": occupation})


def summary(workshop):
    """The lattice, how many tables satisfy, and how many of them are minimal: what everything else stands on."""
    rows = []
    for name, required in {"5-anonymity": k_anonymity(5), **DIVERSE, "0.2-closeness": closeness(0.2)}.items():
        found = workshop.solutions(adult(workshop).but(require=(required,))).json
        rows.append({"required": name, "nodes": found["nodes"], "satisfying": found["satisfying"],
                     "minimal": len(found["minimal"]), "least_height": min(
                         (one["objectives"]["height"] for one in found["minimal"]), default=None)})
    workshop.keep("t-closeness-summary", rows)


# Figure 2, in its order.
PRINTED_SIZES = {"age": 74, "workclass": 8, "education": 16, "native-country": 41, "marital-status": 7, "race": 5, "sex": 2,
                 "occupation": 14, "salary-class": 2}


def sizes(workshop):
    """Figure 2: how many values has each column, in the 30,162 rows and in all 45,222?"""
    rows = workshop.tables.adult_rows
    workshop.keep("t-closeness-sizes", [{"column": column, "printed": printed, "values": rows[column].head(30_162).nunique(),
                                         "values_in_all_45222_rows": rows[column].nunique()}
                                        for column, printed in PRINTED_SIZES.items()])


def similarity(workshop):
    """How many minimal diverse tables have a class whose occupations are all of one group?"""
    trees = {"occupation": "", "occupation_table-5": "_table-5", "occupation_arx": "_arx"}
    groups = {tree: groups_of(workshop, suffix) for tree, suffix in trees.items()}
    rows = []
    for (demand, required), race in itertools.product(DIVERSE.items(), ["_3levels", ""]):
        policy = adult(workshop, race=race).but(require=(required,))
        for solution in by_levels(workshop.solutions(policy).json["minimal"]):
            answer = workshop.anonymize(policy.but(levels=solution["levels"]), keep=True)
            worst_records, worst_classes = worst_group(answer.release)
            row = {"required": demand, "race_levels": 3 if race else 2, "levels": " ".join(map(str, solution["levels"].values())),
                   "classes": answer.json["classes"]}
            rows.append({**row, "groups": f"the worst {WORST}", "exposed_classes": worst_classes,
                         "exposed_records": worst_records})
            for tree, suffix in trees.items():
                classes, records = releases.similarity(answer.release, ADULT_T, "occupation", groups[tree])
                grouped = policy.but(sensitive={"occupation": workshop.tables.hierarchy("occupation", suffix)})
                audited = workshop.audit_of_last(grouped).json
                rows.append({**row, "groups": tree, "exposed_classes": classes, "exposed_records": records,
                             "audit_exposed_records": exposed_by_audit(audited, "similarity")})
    frame = workshop.keep("t-closeness-similarity", rows)
    by_groups = frame.groupby(["required", "race_levels", "groups"], sort=False).agg(
        minimal_tables=("levels", "size"), vulnerable=("exposed_classes", lambda column: int((column > 0).sum())),
        most_records=("exposed_records", "max")).reset_index()
    workshop.keep("t-closeness-similarity-summary", by_groups)


def partitions(values):
    """Every way to group some values."""
    if not values:
        yield []
        return
    for rest in partitions(values[1:]):
        yield [[values[0]], *rest]
        for place, group in enumerate(rest):
            yield rest[:place] + [[values[0], *group]] + rest[place + 1:]


def race_trees(workshop):
    """How many minimal tables are there for every race tree of three levels, and for both trees of marital status?"""
    tables, rows = workshop.tables, []
    races = ["White", "Black", "Asian-Pac-Islander", "Amer-Indian-Eskimo", "Other"]
    trees = [groups for groups in partitions(races) if 1 < len(groups) < len(races)]
    for place, groups in enumerate(trees):
        path = tables.folder / "race-tree.csv"
        path.write_text("".join(f"{race};{group};*\n" for group, members in enumerate(groups) for race in members))
        for marital in ["", "_4groups"]:
            policy = adult(workshop)
            quasi = policy.quasi | {"race": file(path), "marital-status": tables.hierarchy("marital-status", marital)}
            row = {"race_tree": " / ".join("+".join(sorted(members)) for members in groups),
                   "marital_tree": f"marital-status{marital}"}
            for demand, required in DIVERSE.items():
                found = workshop.solutions(policy.but(quasi=quasi, require=(required,)), threads=1).json
                row[f"minimal_{demand.split()[0]}"] = len(found["minimal"])
            rows.append(row)
    workshop.keep("t-closeness-race-trees", rows)


def worst_group(release):
    """Records and classes exposed by the group of five occupations that exposes most: no choice of groups, and with it
    none of the authors', could do more for a group of that size."""
    counts = releases.class_counts(release, ADULT_T, "occupation")
    sizes, held = counts.sum(axis=1), counts > 0
    few = held.sum(axis=1) <= WORST
    candidates = ({value for value in counts if row[value]} for _, row in held[few].iterrows())
    supports = [(frozenset(support), size) for support, size in zip(candidates, sizes[few])]
    best = (0, 0)
    for group in itertools.combinations(list(counts), WORST):
        inside = [size for support, size in supports if support <= set(group)]
        best = max(best, (int(sum(inside)), len(inside)))
    return best


def groups_of(workshop, suffix):
    path = workshop.tables.tree("occupation", suffix)
    return dict(pandas.read_csv(path, sep=";", header=None, dtype=str)[[0, 1]].itertuples(index=False))


def timed(workshop, policy, reading, **key):
    """`reading`: CPU seconds to read and count, which are taken off."""
    answer = workshop.solutions(policy, runs=workshop.options.runs, threads=1)
    return {**key, **answer.seconds(), "cpu_seconds_to_read": reading,
            "cpu_seconds_to_search": max(0.0, answer.cpu - reading), "satisfying": answer.json["satisfying"],
            "nodes": answer.json["nodes"], "checked": answer.json["checked"]}


def reading(workshop, policy):
    """CPU seconds to read and count: what a requirement takes that no table can satisfy."""
    return workshop.solutions(policy.but(require=(NO_NODE,)), runs=2 * workshop.options.runs, threads=1).cpu


def figure_3(workshop):
    rows = []
    to_read = {size: reading(workshop, adult(workshop, ADULT_T[:size])) for size in SIZES}
    for measure, required in MEASURES.items():
        for size in SIZES:
            policy = adult(workshop, ADULT_T[:size]).but(require=required(5))
            rows.append(timed(workshop, policy, to_read[size], panel="quasi-identifiers", value=size, measure=measure))
        for parameter in PARAMETERS:
            policy = adult(workshop).but(require=required(parameter))
            rows.append(timed(workshop, policy, to_read[7], panel="k, l", value=parameter, measure=measure))
    draw_3(workshop, workshop.keep("t-closeness-figure-3", rows))


def draw_3(workshop, frame):
    figure = plots.Figure("Time of five measures: Adult, 30,162 rows, occupation sensitive", 3, legend_below=True)
    panels = [("quasi-identifiers", "cpu_seconds_to_search", "CPU seconds without reading", "k = l = 5"),
              ("k, l", "cpu_seconds_to_search", "CPU seconds without reading",
               "seven quasi-identifiers"),
              ("k, l", "checked", "nodes that Incognito looked at", "seven quasi-identifiers")]
    for panel, (x, column, label, title) in enumerate(panels):
        figure.lines(panel, series(frame[frame.panel == x], "value", column), x, label, title)
    figure.write(workshop, "t-closeness-figure-3")


def series(frame, x, y):
    return {measure: (part[x], part[y]) for measure, part in frame.groupby("measure", sort=False)}


def figure_4(workshop):
    """Least discernibility and least average class size of each measure; the optimum, not merely a minimal table."""
    rows = []
    for measure, required in MEASURES.items():
        for parameter in PARAMETERS:
            row = {"measure": measure, "parameter": parameter}
            for objective in ["discernibility", "average-class-size"]:
                policy = adult(workshop).but(require=required(parameter), method={"objective": objective})
                answer = workshop.anonymize(policy)
                row[objective] = answer.json["objective_value"] if answer else None
            rows.append(row)
    frame = workshop.keep("t-closeness-figure-4", rows)
    figure = plots.Figure("Quality of five measures: Adult, 30,162 rows, seven quasi-identifiers, occupation sensitive",
                          2, legend_below=True)
    for panel, objective in enumerate(["discernibility", "average-class-size"]):
        figure.lines(panel, series(frame, "parameter", objective), "k, l", f"least {objective.replace('-', ' ')}",
                     log=True, ticks=PARAMETERS)
    figure.write(workshop, "t-closeness-figure-4")


def distances(workshop):
    """5-anonymity and 0.2-closeness by other distances and other groups of occupations."""
    tables, rows = workshop.tables, []
    ways = [("equal", ""), ("hierarchical", ""), ("hierarchical", "_table-5"), ("hierarchical", "_arx")]
    for (distance, groups), t in itertools.product([(None, ""), *ways], [0.2, 0.15]):
        if distance is None and t != 0.2:
            continue
        required = (k_anonymity(5),)
        if distance:
            required += (requirement("t-closeness", t=t, distance=distance),)
        policy = adult(workshop, sensitive=tables.hierarchy("occupation", groups)).but(require=required)
        found = workshop.solutions(policy, every=True).json
        best = lambda objective: min((one["objectives"][objective] for one in found["all"]), default=None)
        rows.append({"distance": distance or "none: k alone", "t": t if distance else None,
                     "groups": f"occupation{groups}" if distance == "hierarchical" else "",
                     "satisfying": found["satisfying"], "most_classes": max(
                         (one["classes"] for one in found["all"]), default=None),
                     "average_class_size": best("average-class-size"), "discernibility": best("discernibility")})
    workshop.keep("t-closeness-distances", rows)


LEFT_OUT = [0, 0.01, 0.02, 0.05, 0.1]


def suppression(workshop):
    """What does it help to leave records out? The best table by discernibility, which counts them dearly."""
    rows = []
    for measure, required in {"5-anonymity": (k_anonymity(5),), "5-anonymity, 0.2-closeness": (k_anonymity(5), closeness(0.2)),
                              "5-anonymity, 0.15-closeness": (k_anonymity(5), closeness(0.15))}.items():
        for most in LEFT_OUT:
            method = {"objective": "discernibility", **({"max-suppressed": most} if most else {})}
            answer = workshop.anonymize(adult(workshop).but(require=required, method=method), threads=1)
            found = answer.json or {}
            rows.append({"measure": measure, "at_most_suppressed": most, "suppressed": found.get("suppressed_rows"),
                         "classes": found.get("classes"), "average_class_size": (found.get("class_size") or {}).get("mean"),
                         "discernibility": found.get("objective_value"), "loss": (found.get("objectives") or {}).get("loss"),
                         "note": answer.words})
    frame = workshop.keep("t-closeness-suppression", rows)
    figure = plots.Figure("k = 5 and t-closeness where records may be left out: Adult, 30,162 rows", 2, legend_below=True)
    for panel, column in enumerate(["discernibility", "average_class_size"]):
        figure.lines(panel, {measure: (part.at_most_suppressed, part[column]) for measure, part in
                             frame.groupby("measure", sort=False)}, "share of records that may be suppressed",
                     column.replace("_", " "), log=True)
    figure.write(workshop, "t-closeness-suppression")
