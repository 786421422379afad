"""Do the numbers that the papers print of their own small tables and examples come out?

The tables are in printed/, typed in from the papers. Whatever the program can measure, it measures; the rest is Python.
"""

from fractions import Fraction

import numpy
import pandas

import sweep
from policies import SUPPRESS, Policy, file, requirement

QUICK = ["numbers", "theorem-5.1"]
L, T, TAU, AD, CRITIQUE = "l-diversity", "t-closeness", "(tau,l)-diversity", "(a,d)-diversity", "critique"


def experiments(workshop):
    return {"numbers": lambda: numbers(workshop), "theorem-5.1": lambda: theorem_5_1(workshop)}


class Bench:
    """Lines of the table, and how the program is asked for them."""

    def __init__(self, workshop):
        self.workshop, self.rows = workshop, []

    def line(self, paper, place, what, printed, here, by="shoal audit", note="", decimals=None, agrees=None):
        """`decimals`: as many as the paper prints; `printed` is empty where it gives no number."""
        same = printed == here if decimals is None else round(float(here), decimals) == round(float(printed), decimals)
        verdict = agrees or ("no number printed" if printed == "" else "yes" if same else "no")
        shown = format(here, ".6g") if isinstance(here, (float, numpy.floating)) else here
        self.rows.append({"paper": paper, "place": place, "what": what, "printed": printed, "here": shown, "by": by,
                          "agrees": verdict, "note": note})

    def table(self, rows):
        """A released table as a file."""
        return self.workshop.tables.written("printed", rows)

    def audit(self, table, quasi, sensitive, *models, hierarchy="", options=()):
        """What `shoal audit` says of a released table: of these columns, as if no other were there."""
        rows = pandas.read_csv(table, dtype=str)[[*quasi, sensitive]]
        table = self.workshop.tables.written("audited", rows)
        policy = Policy("released.csv", {name: SUPPRESS for name in quasi}, {sensitive: hierarchy}, require=models,
                        numbers=())
        return self.workshop.run("audit", table, "--policy", self.workshop.policy(policy), "--json", "--quiet", *options,
                                 threads=1).json

    def achieved(self, table, quasi, sensitive, model, hierarchy=""):
        return self.audit(table, quasi, sensitive, model, hierarchy=hierarchy)["models"][0]["achieved"]


def numbers(workshop):
    bench = Bench(workshop)
    for part in [l_diversity, t_closeness, emd_example, skewed_classes, tau_l, orders, a_d, critique]:
        part(bench, workshop.tables)
    workshop.keep("printed", bench.rows)


def attack(audited, name, key="exposed_records", **wanted):
    return next(found[key] for found in audited["attacks"] if found["attack"] == name
                and all(found.get(word) == value for word, value in wanted.items()))


INPATIENTS = ["Zip Code", "Age", "Nationality"]


def l_diversity(bench, tables):
    four, three = tables.printed("l_diversity_fig2_4anonymous"), tables.printed("l_diversity_fig3_3diverse")
    audited = bench.audit(four, INPATIENTS, "Condition", requirement("k-anonymity", k=4))
    bench.line(L, "Figure 2", "k of the 4-anonymous table", 4, audited["models"][0]["achieved"])
    bench.line(L, "1.1", "records that homogeneity gives away", 4, attack(audited, "homogeneity"))
    known = tables.folder / "umeko.toml"
    known.write_text('[[know]]\ntimes = { "Heart Disease" = 0.01 }\n')
    audited = bench.audit(four, INPATIENTS, "Condition", requirement("k-anonymity", k=4), options=["--knowledge", known])
    rows = pandas.read_csv(four)
    counts = rows[rows.Age == "< 30"].Condition.value_counts()
    belief = counts["Viral Infection"] / (counts["Viral Infection"] + 0.01 * counts["Heart Disease"])
    bench.line(L, "1.1", "Umeko's viral infection, if heart disease is 0.01 times as likely", "",
               round(float(belief), 4), "Python", "the paper: near certainty")
    bench.line(L, "4.2", "entropy l of Figure 3", 2.8,
               bench.achieved(three, INPATIENTS, "Condition", requirement("entropy-l-diversity", l=2)), decimals=1)
    bench.line(L, "Figure 3", "distinct l", 3,
               bench.achieved(three, INPATIENTS, "Condition", requirement("distinct-l-diversity", l=2)))
    pair = bench.table(pandas.DataFrame({"q": "q", "S": ["s1", "s1", "s2", "s3"], "V": ["v1", "v2", "v3", "v3"]}))
    bench.line(L, "4.3", "recursive (c,3) of S: which c is enough", "2", "above " + format(
        bench.achieved(pair, ["q"], "S", requirement("recursive-cl-diversity", c=3, l=3)), "g"),
        note="Definition 4.2 has r1 < c r3, strictly: c = 2 is not enough")
    after = pandas.read_csv(pair)
    left = set(after[after.S != "s1"].V)
    bench.line(L, "4.3", "values of V left once S is not s1", 1, len(left), "Python")
    share = Fraction(3, 3**5)
    bench.line(L, "1.1", "groups of five without diversity, of three values: one of", 81, int(1 / share), "Python")
    bench.line(L, "1.1", "of 12,000 groups", 148, round(float(12_000 * share), 4), "Python", decimals=0,
               note="l-diversity-estimate.csv has it with groups as methods make them")
    bench.line(L, "1.1", "people in them", 740, 5 * round(12_000 * share), "Python")


def t_closeness(bench, tables):
    zip_age = ["ZIP Code", "Age"]
    second = tables.printed("t_closeness_table2_3anonymous")
    audited = bench.audit(second, zip_age, "Disease", requirement("k-anonymity", k=3))
    bench.line(T, "Table 2", "k", 3, audited["models"][0]["achieved"])
    bench.line(T, "Example 1", "records that homogeneity gives away", 3, attack(audited, "homogeneity"))
    rows = pandas.read_csv(second)
    carl = rows[(rows.Age == "3*") & (rows.Disease != "Heart Disease")].Disease.unique()
    bench.line(T, "Example 1", "what Carl has if not heart disease", "Cancer", "/".join(carl), "Python")
    tree = file(tables.printed("t_closeness_disease_hierarchy"))
    fourth = tables.printed("t_closeness_table4_3diverse")
    fifth = tables.printed("t_closeness_table5_0.167_0.278")
    for column in ["Salary", "Disease"]:
        for model in ["distinct-l-diversity", "entropy-l-diversity"]:
            bench.line(T, "Table 4", f"{model.split('-')[0]} l of {column}", 3,
                       bench.achieved(fourth, zip_age, column, requirement(model, l=2)), decimals=3)
    audited = bench.audit(fourth, zip_age, "Disease", requirement("k-anonymity", k=3), hierarchy=tree)
    bench.line(T, "Example 3", "records in a class of stomach diseases alone", 3, attack(audited, "similarity"))
    salaries(bench, fourth, fifth)
    diseases(bench, tables, fourth, fifth)


def salaries(bench, fourth, fifth):
    for path, place, printed in [(fourth, "5.3", [0.375, 0.167]), (fifth, "Table 5", [0.167])]:
        rows = pandas.read_csv(path)
        everyone = sorted(rows.Salary, key=lambda text: int(text[:-1]))
        found = [ordered(list(part.Salary), everyone) for _, part in rows.groupby(["ZIP Code", "Age"], sort=False)]
        for class_, (value, here) in enumerate(zip(printed, found), 1):
            bench.line(T, place, f"EMD of the salaries of class {class_}", value, float(here), "Python", decimals=3)
        if place == "Table 5":
            numbered = rows.assign(Salary=rows.Salary.str.removesuffix("K"))
            table = bench.table(numbered)
            bench.line(T, place, "t for salary", 0.167, bench.achieved(
                table, ["ZIP Code", "Age"], "Salary", requirement("t-closeness", t=1, distance="ordered")), decimals=3)


def ordered(values, everyone):
    """EMD by the ordered distance (5.1) of some of distinct values to all of them, exactly."""
    total, sums = Fraction(0), Fraction(0)
    for value in everyone[:-1]:
        sums += Fraction(values.count(value), len(values)) - Fraction(1, len(everyone))
        total += abs(sums)
    return total / (len(everyone) - 1)


def hierarchical(values, everyone, paths):
    """EMD by the hierarchical distance (5.2), exactly; `paths`: leaf to root."""
    height = len(next(iter(paths.values()))) - 1
    extra = {leaf: Fraction(values.count(leaf), len(values)) - Fraction(everyone.count(leaf), len(everyone))
             for leaf in paths}
    total = Fraction(0)
    for level in range(1, height + 1):
        nodes = {}
        for leaf in paths:
            nodes.setdefault(paths[leaf][level], {})[paths[leaf][level - 1]] = 0
        for leaf, amount in extra.items():
            nodes[paths[leaf][level]][paths[leaf][level - 1]] += amount
        for children in nodes.values():
            gained = sum(amount for amount in children.values() if amount > 0)
            lost = -sum(amount for amount in children.values() if amount < 0)
            total += Fraction(level, height) * min(gained, lost)
    return total


def diseases(bench, tables, fourth, fifth):
    path = tables.printed("t_closeness_disease_hierarchy")
    paths = {row[0]: row for row in sweep.from_file(path)}
    height = 3
    for other, printed in [("bronchitis", "1/3"), ("pulmonary embolism", "2/3"), ("stomach cancer", "3/3")]:
        level = next(level for level in range(4) if paths["flu"][level] == paths[other][level])
        bench.line(T, "5.3", f"distance of flu and {other}", printed, f"{level}/{height}", "Python")
    nine = list(pandas.read_csv(tables.printed("t_closeness_table3_original")).Disease)
    six = sorted(set(nine))
    slip = "printed is the distance to the six diseases as equally frequent; three occur twice among the nine records"
    for where, values, printed in [("5.3", ["gastric ulcer", "gastritis", "stomach cancer"], 0.5),
                                   ("5.3", ["gastric ulcer", "stomach cancer", "pneumonia"], 0.278)]:
        bench.line(T, where, f"EMD of {', '.join(values)} to the six", printed, float(hierarchical(values, six, paths)),
                   "Python", decimals=3)
        bench.line(T, where, f"EMD of {', '.join(values)} to the table", printed,
                   float(hierarchical(values, nine, paths)), "Python", slip, decimals=3)
    model = requirement("t-closeness", t=1, distance="hierarchical")
    bench.line(T, "Table 5", "t for disease", 0.278,
               bench.achieved(fifth, ["ZIP Code", "Age"], "Disease", model, file(path)), note=slip, decimals=3)
    bench.line(T, "Table 4", "t for disease", 0.5,
               bench.achieved(fourth, ["ZIP Code", "Age"], "Disease", model, file(path)), note=slip, decimals=3)
    audited = bench.audit(fifth, ["ZIP Code", "Age"], "Disease", requirement("k-anonymity", k=3), hierarchy=file(path))
    worst = max((found["exposed_records"] for found in audited["attacks"] if found["attack"] == "similarity"), default=0)
    bench.line(T, "Table 5", "records open to similarity of diseases", 0, worst,
               note="" if worst == 0 else "classes below one node")


def emd_example(bench, tables):
    """Section 8: two steps of the same EMD."""
    for before, after, size, whole in [(0.01, 0.11, 100, 2000), (0.4, 0.5, 100, 400)]:
        inside, everyone = round(after * size), round(before * whole)
        rows = pandas.DataFrame({"q": ["a"] * size + ["b"] * (whole - size),
                                 "s": ["first"] * inside + ["second"] * (size - inside)
                                 + ["first"] * (everyone - inside) + ["second"] * (whole - size - everyone + inside)})
        table = bench.table(rows)
        place = f"EMD of ({before}, {1 - before:g}) and ({after}, {1 - after:g})"
        for distance, printed in [("equal", 0.1), ("kl", None)]:
            here = bench.achieved(table, ["q"], "s", requirement("t-closeness", t=1, distance=distance))
            if printed is None:
                kl = after * numpy.log(after / before) + (1 - after) * numpy.log((1 - after) / (1 - before))
                bench.line(T, "8", place.replace("EMD", "KL distance"), "", here,
                           note=f"the formula of section 4 gives {kl:.6g}")
            else:
                bench.line(T, "8", place, printed, here, decimals=3)
        bench.line(T, "8", f"growth of the first share from {before} to {after}, percent", 1000 if before < 0.1 else 25,
                   round(100 * (after - before) / before), "Python")


def skewed_classes(bench, tables):
    """Section 3: 10,000 tests, 1% of them positive."""
    whole = ["positive"] * 100 + ["negative"] * 9900
    bench.line(T, "Example 2", "2-diverse classes at most", 100, whole.count("positive"), "Python")
    classes = {"as many positive as negative": (50, 50), "49 positive, 1 negative": (49, 1),
               "1 positive, 49 negative": (1, 49)}
    entropy = {}
    for name, (positive, negative) in classes.items():
        table = bench.table(pandas.DataFrame({"q": "q", "s": ["positive"] * positive + ["negative"] * negative}))
        entropy[name] = bench.achieved(table, ["q"], "s", requirement("entropy-l-diversity", l=1.01))
    one, table = list(entropy.values()), 0.01
    overall = float(numpy.exp(-(table * numpy.log(table) + (1 - table) * numpy.log(1 - table))))
    bench.line(T, "3", "belief in positive: half and half, before and after", "0.01, 0.5", "0.01, 0.5", "Python")
    bench.line(T, "3", "entropy l of the half and half class", 2, one[0], decimals=6)
    bench.line(T, "3", "49 to 1: entropy l above that of the table", "yes", "yes" if one[1] > overall else "no",
               note=f"{one[1]:.4f} and {overall:.4f}")
    bench.line(T, "3", "49 to 1 as diverse as 1 to 49", "yes", "yes" if abs(one[1] - one[2]) < 1e-12 else "no")
    bench.line(T, "3", "49 to 1: belief in positive", 0.98, 49 / 50, "Python", decimals=2)


def tau_l(bench, tables):
    quasi = ["Age", "Zipcode"]
    tree = tables.printed("tau_l_fig1c_disease_taxonomy")
    for name, place, values, printed in [("tau_l_fig1b_3_2_diversity", "Figure 1(b)", ["hepatitis"], 0.714),
                                         ("tau_l_fig1d_simple_2diversity", "Figure 1(d)", ["hepatitis", "phthisis"], 0.9)]:
        rows = pandas.read_csv(tables.printed(name))
        largest = max(part.Disease.isin(values).mean() for _, part in rows.groupby(quasi)
                      if len(part) > 4)  # the class of the text; the other has two records
        bench.line(TAU, place, f"share of {' or '.join(values)}", printed, float(largest), "Python",
                   decimals=3 if printed == 0.714 else 1)
    bench.line(TAU, "Figure 1(b)", "(3,2)-diverse: which c is enough", "3", "above " + format(bench.achieved(
        tables.printed("tau_l_fig1b_3_2_diversity"), quasi, "Disease", requirement("recursive-cl-diversity", c=3, l=2)),
        "g"), note="so 3 is", agrees="yes")
    bench.line(TAU, "Figure 1(d)", "simple l", 2, bench.achieved(
        tables.printed("tau_l_fig1d_simple_2diversity"), quasi, "Disease", requirement("simple-l-diversity", l=2)))
    released = tables.printed("tau_l_fig2a_0.5_3_diversity")
    bench.line(TAU, "Example 3", "tau that would do for l = 3, Figure 2(a)", 0.5, bench.achieved(
        released, quasi, "Disease", requirement("tau-l-diversity", tau=0.5, l=3), file(tree)), decimals=6)
    rows = pandas.read_csv(released)
    cells = {"[20,29]": 10, "1000*": 10, "hemal disease": 2}
    bench.line(TAU, "Example 4", "information of tuple 1", 0.7, round(sum(
        1 / cells[rows.iloc[0][name]] for name in ["Age", "Zipcode", "Disease"]), 6), "Python")
    induced(bench, tables, rows)
    original = pandas.read_csv(tables.printed("tau_l_fig1a_microdata"), dtype=str)
    ages = [[str(age), f"[{age // 10 * 10},{age // 10 * 10 + 9}]", "[20,39]"] for age in range(20, 40)]
    codes = [[str(code), f"{str(code)[:4]}*", "100**"] for code in range(10_000, 10_100)]
    taxonomies = {"Age": ages, "Zipcode": codes}
    swept = sweep.sweep(original, taxonomies, ("Disease", sweep.from_file(tree)), 0.5, 3)
    mine = sweep.released(original, taxonomies, ("Disease", sweep.from_file(tree)), swept)
    bench.line(TAU, "Figures 1(a), 2(a), 4", "rows of SWEEP's release that are as printed", 12,
               int((mine.to_numpy() == rows[list(mine)].to_numpy()).all(axis=1).sum()), "Python (sweep.py)",
               "tied tuples by their quasi-identifiers")
    counts = original.Disease.value_counts()
    bench.line(TAU, "I", "largest l of simple l-diversity, Figure 1(a)", 2, int(len(original) / counts.iloc[0]), "Python")


def induced(bench, tables, rows):
    """Figure 2(b), Examples 1 and 2."""
    printed = pandas.read_csv(tables.printed("tau_l_fig2b_induced_frequencies"))
    leaves = {"hemal disease": ["hepatitis", "anemia"]}
    agree, classes = 0, {1: [1, 2, 4, 5], 2: [6, 7, 8, 10], 3: [3, 9, 11, 12]}
    for line in printed.itertuples():
        part = rows[rows.id.isin(classes[line.EC])].Disease
        share = sum((line.Disease in leaves.get(value, [value])) / len(leaves.get(value, [value])) for value in part)
        agree += abs(share / len(part) - line[3]) < 1e-12
    bench.line(TAU, "Figure 2(b)", "induced frequencies that are as printed", 12, agree, "Python")
    first = printed[printed.EC == 1]["Induced Frequency"].sort_values(ascending=False).cumsum()
    bench.line(TAU, "Example 2", "F(1) to F(4) of class 1", "0.5, 0.75, 1, 1", ", ".join(f"{one:g}" for one in first),
               "Python")


def orders(bench, tables):
    """Examples 5 to 7, Figure 3: attributes A (a0 above a1) and B (b0 above b1 and b2)."""
    # a0 has two leaves: I(a0) = 1/2. The figure is not in the text; Example 5 computes with a1 and a2.
    a = [["a1", "a0"], ["a2", "a0"]]
    b = [["b1", "b0"], ["b2", "b0"]]
    one, other = sweep.Taxonomy(["a1", "a2"], a), sweep.Taxonomy(["b1", "b2"], b)
    vectors = {depths: float(kept) for kept, depths, _ in sweep.order([one, other])}
    for depths, printed, name in [((0, 1), 0.75, "a0b1"), ((1, 1), 1, "a1b1"), ((1, 0), 0.75, "a1b0"), ((0, 0), 0.5, "a0b0")]:
        bench.line(TAU, "Example 5", f"information of {name}", printed, vectors[depths], "Python (sweep.py)")
    names = {(1, 1): "a1b1", (1, 0): "a1b0", (0, 1): "a0b1", (0, 0): "a0b0"}
    bench.line(TAU, "Examples 5, 6", "the order", "a1b1 a1b0 a0b1 a0b0", " ".join(names[one] for one in vectors),
               "Python (sweep.py)")
    sequence = [levels for _, _, levels in sweep.order([one, other])]
    after = sequence[sequence.index((0, 1)) + 1]  # after a1b0: A at its leaf, B at its root
    following = {leaf: ("a0" if after[0] else "a1") + ("b0" if after[1] else leaf) for leaf in ["b1", "b2"]}
    bench.line(TAU, "Example 7", "next class of a1b1 and a1b2 after a1b0", "a0b1, a0b2",
               f"{following['b1']}, {following['b2']}", "Python (sweep.py)")


LIKELY = {"Influenza": 0.9, "Gastritis": 0.08, "Dislocation": 0.03, "Fracture": 0.02}


def believed(values, likely):
    """Equation 1: P(S given k) of each distinct value of a class."""
    weights = {value: list(values).count(value) * likely[value] for value in dict.fromkeys(values)}
    return {value: weight / sum(weights.values()) for value, weight in weights.items()}


def a_d(bench, tables):
    quasi = ["Age", "Gender", "Work Class"]
    before, after = tables.printed("ad_diversity_table2_4diversity"), tables.printed("ad_diversity_table3_2_2_diversity")
    bench.line(AD, "Table 2", "distinct l", 4, bench.achieved(before, quasi, "Condition",
                                                              requirement("distinct-l-diversity", l=2)))
    groups = {"file": str(tables.printed("ad_diversity_condition_groups"))}
    found = bench.achieved(after, quasi, "Condition", requirement("a-d-diversity", a=2, d=2, groups=groups))
    bench.line(AD, "Table 3", "(a,d)", "2, 2", ", ".join(f"{value:g}" for value in found.values()),
               note="groups fever, stomach, bone are our inference")
    found = bench.achieved(before, quasi, "Condition", requirement("a-d-diversity", a=1, d=1, groups=groups))
    bench.line(AD, "3.1", "a of Table 2: influenza is alone in its group", 1, found["a"], note="so (2,2) is not reached")
    last = pandas.read_csv(before).iloc[8:].Condition
    beliefs = believed(last, LIKELY)
    for value, printed in zip(LIKELY, [0.874, 0.078, 0.029, 0.019]):
        bench.line(AD, "3.3", f"P({value} given fever), Table 2", printed, beliefs[value], "Python", decimals=3)
    second = pandas.read_csv(after).iloc[4:8].Condition
    for fever in [0.9, 0.5]:
        likely = {**LIKELY, "Pneumonia": fever}
        here = believed(second, likely)["Influenza"]
        bench.line(AD, "3.4", f"P(Influenza given fever), Table 3, with P(fever given pneumonia) = {fever}",
                   "", round(here, 4), "Python", "the paper: not easy to tell; 0.874 before")
    known = tables.folder / "fever.toml"
    words = ", ".join(f'"{value}" = {share}' for value, share in {**LIKELY, "Pneumonia": 0.9, "Paludism": 0.9,
                                                                  "Dyspepsia": 0.08, "Gastric Ulcer": 0.08}.items())
    known.write_text(f"[[know]]\ntimes = {{ {words} }}\n")
    for table, place, printed in [(before, "Table 2", 0.874), (after, "Table 3", None)]:
        audited = bench.audit(table, quasi, "Condition", requirement("k-anonymity", k=2), options=["--knowledge", known])
        here = attack(audited, "background-knowledge", "largest_posterior", knowledge=True)
        bench.line(AD, "3.3", f"largest P(S given fever) of all classes, {place}",
                   0.874 if printed else "", here, decimals=3 if printed else None,
                   note="" if printed else "with P(fever given pneumonia) = 0.9")


def critique(bench, tables):
    rows = pandas.DataFrame({"q": ["a"] * 8 + ["b"] * 992, "aids": ["Yes"] * 4 + ["No"] * 4 + ["Yes"] + ["No"] * 991})
    bench.line(CRITIQUE, "4", "belief before and in a balanced class", "0.005, 0.5",
               f"{(rows.aids == 'Yes').mean():g}, {(rows[rows.q == 'a'].aids == 'Yes').mean():g}", "Python")
    table = bench.table(rows[rows.q == "a"])
    bench.line(CRITIQUE, "4", "the balanced class: any recursive (c,2): which c is enough", "any", "above " + format(
        bench.achieved(table, ["q"], "aids", requirement("recursive-cl-diversity", c=2, l=2)), "g"),
        note="the bound is strict: c = 1 is not enough")


# Theorem 5.1. The population: the first value is rare, and rarer still in the large part q2. The table is a part of it, as
# the paper has it: no count is above that of the population.
POPULATION = {("1", "a"): 160, ("1", "b"): 1_840, ("2", "a"): 99, ("2", "b"): 98_901}
SAMPLE = {("1", "a"): 80, ("1", "b"): 920, ("2", "a"): 1, ("2", "b"): 999}
assert all(many <= POPULATION[kind] for kind, many in SAMPLE.items())


def theorem_5_1(workshop):
    """A table in which nobody learns anything, and a generalization of it in which somebody does."""
    share = lambda counts, q, s: Fraction(sum(counts[one] for one in counts if one[0] in q and one[1] == s),
                                          sum(counts[one] for one in counts if one[0] in q))
    rows = []
    for blocks in [["1", "2"], ["12"]]:
        for q, s in POPULATION:
            block = next(block for block in blocks if q in block)
            odds = {value: sum(SAMPLE[one, value] for one in block) * share(POPULATION, q, value)
                    / share(POPULATION, block, value) for value in "ab"}
            rows.append({"table": "by q" if len(blocks) == 2 else "q generalized", "q": q, "s": s,
                         "prior_belief": float(share(POPULATION, q, s)), "posterior_belief": float(odds[s] / sum(odds.values()))})
    frame = pandas.DataFrame(rows)
    frame["change"] = (frame.posterior_belief - frame.prior_belief).abs()
    by_program = {}
    population = written(workshop, "population", POPULATION, ["1", "2"])
    original = written(workshop, "people", SAMPLE, ["1", "2"])
    for name, shown in [("by q", ["1", "2"]), ("q generalized", ["*", "*"])]:
        table = written(workshop, "released", SAMPLE, shown)
        audited = workshop.run("audit", table, "--quasi", "q", "--sensitive", "s", "--original", original, "--population",
                               population, "--json", "--quiet", threads=1).json
        found = next(one for one in audited["attacks"] if one["attack"] == "bayes-optimal" and one["prior"] == "population")
        by_program[name] = round(found["largest_change"], 9)
    frame["largest_change_by_shoal"] = frame.table.map(by_program)
    workshop.keep("l-diversity-theorem-5.1", frame)


def written(workshop, name, counts, shown):
    rows = [(shown[int(q) - 1], s) for (q, s), many in counts.items() for _ in range(many)]
    return workshop.tables.written(name, pandas.DataFrame(rows, columns=["q", "s"]))
