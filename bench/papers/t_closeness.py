"""t-closeness (Li, Li, Venkatasubramanian 2007), section 6: how common is the similarity attack, and what do five
measures cost in time and quality?"""

import itertools

import pandas

import plots
import releases
from l_diversity import exposed_by_audit
from policies import Policy, k_anonymity, requirement
from tables import ADULT_T

SIZES = range(2, 8)
PARAMETERS = [2, 4, 6, 8]
WORST = 5  # the largest of three groups of 14 occupations that are roughly equal


def experiments(workshop):
    return {
        "similarity": lambda: similarity(workshop),
        "figure-3": lambda: figure_3(workshop),
        "figure-4": lambda: figure_4(workshop),
    }


def closeness(t):
    return requirement("t-closeness", t=t, distance="hierarchical")


# The paper gives no c for its third measure; 4 is the one it uses for the similarity attack.
MEASURES = {
    "k-anonymity": lambda k: (k_anonymity(k),),
    "entropy l-diversity": lambda l: (requirement("entropy-l-diversity", l=l),),
    "recursive (4,l)-diversity": lambda l: (requirement("recursive-cl-diversity", c=4, l=l),),
    "k-anonymity, 0.2-closeness": lambda k: (k_anonymity(k), closeness(0.2)),
    "k-anonymity, 0.15-closeness": lambda k: (k_anonymity(k), closeness(0.15)),
}


def adult(workshop, columns=ADULT_T, sensitive=None):
    tables = workshop.tables
    occupation = sensitive or tables.hierarchy("occupation")
    return Policy(tables.adult_train, tables.hierarchies(columns), {"occupation": occupation})


def similarity(workshop):
    """How many minimal diverse tables have a class whose occupations are all of one group?"""
    demands = {"entropy 2-diversity": requirement("entropy-l-diversity", l=2),
               "recursive (4,4)-diversity": requirement("recursive-cl-diversity", c=4, l=4)}
    trees = {"occupation": "", "occupation_ad-groups": "_ad-groups"}
    groups = {tree: groups_of(workshop, suffix) for tree, suffix in trees.items()}
    rows = []
    for demand, required in demands.items():
        policy = adult(workshop).but(require=(required,))
        for solution in workshop.solutions(policy).json["minimal"]:
            answer = workshop.anonymize(policy.but(levels=solution["levels"]), keep=True)
            worst_records, worst_classes = worst_group(answer.release)
            row = {"required": demand, "levels": " ".join(map(str, solution["levels"].values())),
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
    summary = frame.groupby(["required", "groups"], sort=False).agg(
        minimal_tables=("levels", "size"), vulnerable=("exposed_classes", lambda column: int((column > 0).sum())),
        most_records=("exposed_records", "max")).reset_index()
    workshop.keep("t-closeness-similarity-summary", summary)


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


def timed(workshop, policy, **key):
    answer = workshop.solutions(policy, runs=workshop.options.runs, threads=1)
    return {**key, "cpu_seconds": answer.cpu, "satisfying": answer.json["satisfying"], "nodes": answer.json["nodes"],
            "checked": answer.json["checked"]}


def figure_3(workshop):
    rows = []
    for measure, required in MEASURES.items():
        for size in SIZES:
            policy = adult(workshop, ADULT_T[:size]).but(require=required(5))
            rows.append(timed(workshop, policy, panel="quasi-identifiers", value=size, measure=measure))
        for parameter in PARAMETERS:
            policy = adult(workshop).but(require=required(parameter))
            rows.append(timed(workshop, policy, panel="k, l", value=parameter, measure=measure))
    frame = workshop.keep("t-closeness-figure-3", rows)
    figure = plots.Figure("Time of five measures: Adult, 30,162 rows, occupation sensitive", 3, legend_below=True)
    panels = [("quasi-identifiers", "cpu_seconds", "CPU seconds, one thread", "k = l = 5"),
              ("k, l", "cpu_seconds", "CPU seconds, one thread", "seven quasi-identifiers"),
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
