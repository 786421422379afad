"""(a,d)-diversity (Wang, Shi 2009), section 5: how long does the clustering take for 3 to 7 quasi-identifiers?"""

import pandas

import plots
from policies import Policy, requirement
from tables import ADULT

TABLE_6 = {"Age": "age", "Gender": "sex", "Race": "race", "Marital Status": "marital-status", "Education": "education",
           "Native Country": "native-country", "Work Class": "workclass"}
# The paper does not say for which a and d; its category 2 has three values, so 3 is the largest a.
DEMANDS = [(2, 2), (2, 3), (3, 3)]


def experiments(workshop):
    return {"figure-1": lambda: figure_1(workshop)}


def figure_1(workshop):
    workshop.need_method("similarity-blocks")
    tables = workshop.tables
    weights = pandas.read_csv(tables.printed("ad_diversity_table6_weights"), index_col="Attribute")
    groups = tables.printed("ad_diversity_table5_occupation_groups")
    marital = {"marital-status": tables.hierarchy("marital-status", "_4groups")}
    rows = []
    for a, d in DEMANDS:
        for size in range(3, 8):
            quasi = tables.hierarchies(ADULT[:size])
            quasi |= {name: tree for name, tree in marital.items() if name in quasi}
            of = {TABLE_6[name]: weight for name, weight in weights[f"qi{size}"].dropna().items()}
            policy = Policy(tables.adult_with_occupation, quasi, {"occupation": ""}, weights=of,
                            require=(requirement("a-d-diversity", a=a, d=d, groups={"file": str(groups)}),),
                            method={"name": "similarity-blocks"})
            answer = workshop.anonymize(policy, runs=workshop.options.runs, threads=1)
            found = answer.json or {}
            rows.append({"a": a, "d": d, "quasi_identifiers": size, "cpu_seconds": answer.cpu,
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
