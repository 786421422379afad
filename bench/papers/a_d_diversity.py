"""(a,d)-diversity (Wang, Shi 2009): how long does the clustering take, and what does somebody believe who knows a symptom?"""

import numpy
import pandas

import plots
import releases
from policies import Policy, requirement
from tables import ADULT

TABLE_6 = {"Age": "age", "Gender": "sex", "Race": "race", "Marital Status": "marital-status", "Education": "education",
           "Native Country": "native-country", "Work Class": "workclass"}
# The paper does not say for which a and d; its category 2 has three values, so 3 is the largest a.
DEMANDS = [(2, 2), (2, 3), (3, 2), (3, 3)]


QUICK = PURE = ["sizes"]
PRINTED_SIZES = {"age": 73, "sex": 2, "race": 5, "marital-status": 4, "education": 16, "native-country": 41, "workclass": 7,
                 "occupation": 14}


def experiments(workshop):
    return {"sizes": lambda: sizes(workshop), "figure-1": lambda: figure_1(workshop), "rows": lambda: by_rows(workshop),
            "risk": lambda: risk(workshop)}


def adult(workshop, size, a, d):
    """A policy for the first `size` quasi-identifiers of Table 4, with the weights of Table 6 and the groups of Table 5."""
    tables = workshop.tables
    weights = pandas.read_csv(tables.printed("ad_diversity_table6_weights"), index_col="Attribute")
    groups = tables.printed("ad_diversity_table5_occupation_groups")
    quasi = tables.hierarchies(ADULT[:size])
    if "marital-status" in quasi:
        quasi["marital-status"] = tables.hierarchy("marital-status", "_4groups")
    of = {TABLE_6[name]: weight for name, weight in weights[f"qi{size}"].dropna().items()}
    return Policy(tables.adult_with_occupation, quasi, {"occupation": ""}, weights=of,
                  require=(requirement("a-d-diversity", a=a, d=d, groups={"file": str(groups)}),),
                  method={"name": "similarity-blocks"})


def sizes(workshop):
    """Table 4: how many values has each column, in the 32,561 rows and in those with an occupation?"""
    people = pandas.read_csv(workshop.tables.need("adult", "adult.csv"), dtype=str, keep_default_na=False).head(32_561)
    known = people[people.occupation != "?"]
    values = lambda rows, column: int((rows[column].value_counts().drop("?", errors="ignore") > 0).sum())
    rows = [{"column": column, "printed": printed, "values": values(people, column),
             "values_with_an_occupation": values(known, column)} for column, printed in PRINTED_SIZES.items()]
    workshop.keep("a-d-diversity-sizes", rows)


def figure_1(workshop):
    workshop.need_method("similarity-blocks")
    rows = []
    for a, d in DEMANDS:
        for size in range(3, 8):
            answer = workshop.anonymize(adult(workshop, size, a, d), runs=workshop.options.runs, threads=1)
            found = answer.json or {}
            rows.append({"a": a, "d": d, "quasi_identifiers": size, **answer.seconds(),
                         "wall_seconds": answer.wall, "rows": found.get("rows"), "classes": found.get("classes"),
                         "suppressed": found.get("suppressed_rows"),
                         "loss": (found.get("objectives") or {}).get("loss"), "note": answer.words})
    frame = workshop.keep("a-d-diversity-figure-1", rows)
    figure = plots.Figure("Clustering for (a,d)-diversity: Adult, 30,718 rows, weights of Table 6, groups of Table 5",
                          2, legend_below=True)
    for panel, (column, label) in enumerate([("cpu_seconds", "CPU seconds, one thread"), ("loss", "loss")]):
        figure.lines(panel, {f"({a},{d})-diversity": (part.quasi_identifiers, part[column])
                             for (a, d), part in frame.groupby(["a", "d"], sort=False)}, "quasi-identifiers", label)
    figure.write(workshop, "a-d-diversity-figure-1")


SIZES = [2_000, 4_000, 8_000, 16_000, 30_718]


def by_rows(workshop):
    """Section 4 bounds the time by the square of the number of records."""
    rows, people = [], pandas.read_csv(workshop.tables.adult_with_occupation, dtype=str, keep_default_na=False)
    order = numpy.random.default_rng(1).permutation(len(people))
    for size in SIZES:
        table = workshop.tables.written("part", people.iloc[numpy.sort(order[:size])])
        answer = workshop.anonymize(adult(workshop, 7, 2, 2).but(table=table), runs=workshop.options.runs, threads=1)
        rows.append({"rows": size, **answer.seconds(), "classes": answer.json["classes"],
                     "loss": answer.json["objectives"]["loss"]})
    workshop.keep("a-d-diversity-rows", rows)


def risk(workshop):
    """Sections 3.3 and 3.4: what an attacker believes who knows a symptom that all values of a group share, and others have not.
    In the class of a record: the share of its group (what he believes before), and of its value within the group (after)."""
    groups = pandas.read_csv(workshop.tables.printed("ad_diversity_table5_occupation_groups"), index_col="Occupation").Category
    diverse = lambda l: adult(workshop, 7, 2, 2).but(require=(requirement("distinct-l-diversity", l=l),),
                                                    method={"name": "one-dimensional"})
    wishes = {"distinct 4-diversity (one-dimensional)": diverse(4), "distinct 6-diversity (one-dimensional)": diverse(6)}
    wishes |= {f"({a},{d})-diversity": adult(workshop, 7, a, d) for a, d in DEMANDS}
    rows = []
    for wish, policy in wishes.items():
        answer = workshop.anonymize(policy, keep=True, threads=1)
        counts = releases.class_counts(answer.release, list(policy.quasi), "occupation")
        group_of = groups.reindex(counts.columns).to_numpy()
        cells = counts.to_numpy(dtype=float)
        sizes = cells.sum(axis=1, keepdims=True)
        in_group = numpy.stack([cells[:, group_of == group].sum(axis=1) for group in group_of], axis=1)
        known = numpy.divide(cells, in_group, out=numpy.zeros_like(cells), where=in_group > 0)
        rows.append({"required": wish, "classes": len(counts), "loss": answer.json["objectives"]["loss"],
                     "known_for_certain_with_the_symptom": int(cells[known == 1].sum()),
                     "mean_belief_without": float((cells * cells / sizes).sum() / cells.sum()),
                     "mean_belief_with_the_symptom": float((cells * known).sum() / cells.sum()),
                     "mean_belief_in_the_group": float((cells * in_group / sizes).sum() / cells.sum())})
    workshop.keep("a-d-diversity-risk", rows)
