"""What do claims of the papers come to that small tables or an enumeration decide, without the program and without data?"""

import itertools
import math
from fractions import Fraction

import numpy
import pandas
from scipy import optimize

import sweep
from printed import AD, CRITIQUE, INPATIENTS, L, LIKELY, T, TAU, believed, hierarchical, ordered
from tables import HERE

QUICK = PURE = ["claims"]
# Every class of up to so many records of at most four values, largest count first.
MOST = 9
DRAWS = 60  # pairs of distributions


def experiments(workshop):
    return {"claims": lambda: claims(workshop)}


def claims(workshop):
    lines = Lines(workshop.tables)
    for part in [l_diversity_attacks, l_diversity_beliefs, l_diversity_definitions, l_diversity_recursion, t_closeness_distances,
                 t_closeness_formulas, t_closeness_tables, tau_l_definitions, swept_away, tau_l_example, a_d, critique]:
        part(lines)
    workshop.keep("claims", lines.rows)


class Lines:
    def __init__(self, tables):
        self.tables, self.rows = tables, []

    def line(self, paper, place, claim, agrees, here, note=""):
        shown = float(here) if isinstance(here, Fraction) else here
        self.rows.append({"paper": paper, "place": place, "claim": claim, "agrees": agrees,
                          "here": format(shown, ".4g") if isinstance(shown, float) else shown, "note": note})

    def printed(self, name):
        return pandas.read_csv(self.tables.printed(name), dtype=str)


def partitions(most, parts):
    """Counts of at most so many values, largest first."""
    return [counts for size in range(1, most + 1) for values in range(1, parts + 1)
            for counts in itertools.combinations_with_replacement(range(size, 0, -1), values) if sum(counts) == size]


CLASSES = partitions(MOST, 4)


def entropy_l(counts):
    shares = numpy.array(counts) / sum(counts)
    return float(numpy.exp(-(shares * numpy.log(shares)).sum()))


def recursive(counts, c, l):
    return counts[0] < c * sum(counts[l - 1:])


def least_tau(counts, l):
    """The smallest tau for which a class is (tau,l)-diverse, from F(j) <= psi(j) for every j."""
    total = sum(counts)
    if len(counts) < l:
        return Fraction(1)
    part = lambda j: (Fraction(sum(counts[:j]), total) - Fraction(j - 1, l - 1)) / (1 - Fraction(j - 1, l - 1))
    return max(part(j) for j in range(1, l))


def l_diversity_attacks(lines):
    four, three = lines.printed("l_diversity_fig2_4anonymous"), lines.printed("l_diversity_fig3_3diverse")
    of = lambda table, number: table.groupby(INPATIENTS).get_group(
        tuple(table[table.id == number][INPATIENTS].iloc[0])).Condition.value_counts()
    lines.line(L, "4.2, Figure 3", "the table stops the homogeneity attack on Bob: belief in his cancer", "yes",
               Fraction(int(of(three, "9")["Cancer"]), int(of(three, "9").sum())), "1 in Figure 2")
    # Umeko is 21, Japanese, of 13068: record 2 or 3 in Figure 1.
    left = of(three, "2").drop("Heart Disease")
    lines.line(L, "4.2, Figure 3", "it stops the attack on Umeko by background knowledge: belief in a viral infection once heart "
               "disease is ruled out", "yes", Fraction(int(left["Viral Infection"]), int(left.sum())), "1 in Figure 2; cancer is 2/3")
    lines.line(L, "3.2", "Umeko has no cancer, by Figure 2 alone: a negative disclosure", "yes",
               int(of(four, "2").get("Cancer", 0)), "records of her class with cancer")


def l_diversity_beliefs(lines):
    """Theorem 3.1, beliefs by hand."""
    posterior = lambda counts, given, overall: {value: Fraction(counts[value]) * given[value] / overall[value] / sum(
        Fraction(counts[one]) * given[one] / overall[one] for one in counts) for value in counts}
    third = Fraction(1, 3)
    belief = posterior({"cancer": 4, "flu": 0}, {"cancer": third, "flu": 1 - third}, {"cancer": third, "flu": 1 - third})
    lines.line(L, "3.2", "where all have the same value, the belief in it becomes 1, whatever it was", "yes", belief["cancer"])
    # Of 1,000 aged 30 to 50 there are 600 ill; of the 100 doctors among them 2. A class of ten, five of them ill.
    counts, overall = {"ill": 5, "healthy": 5}, {"ill": Fraction(3, 5), "healthy": Fraction(2, 5)}
    doctor = {"ill": Fraction(1, 50), "healthy": Fraction(49, 50)}
    little, much = posterior(counts, overall, overall), posterior(counts, doctor, overall)
    lines.line(L, "3.3", "multiple adversaries: of a doctor who is ill, who knows less believes the truth more", "yes",
               f"{float(little['ill']):.3g} by age alone, {float(much['ill']):.3g} by age and profession",
               "600 of 1,000 ill, 2 of 100 doctors, a class of 5 ill and 5 healthy")


def l_diversity_definitions(lines):
    certain = [counts for counts in CLASSES for l in [2, 3, 4] if len(counts) >= l and len(counts) - (l - 2) < 2]
    lines.line(L, "4.1", "l - 1 pieces of knowledge are needed: after ruling out l - 2 values two are left", "yes", len(certain),
               f"exceptions among {len(CLASSES)} classes of up to {MOST} records; certainty only, 8 to 1 of them may be 0.89")
    small = [counts for counts in CLASSES for l in [2, 3, 4] if sum(counts) < l and
             (len(counts) >= l or entropy_l(counts) >= l - 1e-9 or recursive(counts, 3, l))]
    lines.line(L, "6", "an l-diverse table is l-anonymous (distinct, entropy, recursive)", "yes", len(small),
               f"exceptions among {len(CLASSES)} classes")
    few = [counts for counts in CLASSES for l in [2, 3, 4] if entropy_l(counts) >= l - 1e-9 and len(counts) < l]
    lines.line(L, "4.2", "entropy l-diverse blocks have l distinct values", "yes", len(few), f"exceptions among {len(CLASSES)} classes")
    rare = next(many for many in itertools.count(1) if entropy_l([9 * many] + [1] * many) >= 2)
    lines.line(L, "4.2", "entropy l-diversity may be too restrictive: where 90% have one value, l = 2 needs so many others", "yes", rare,
               "all equally frequent; fewer, and no release exists")
    wrong, tried = 0, 0
    for counts, c, l in itertools.product(CLASSES, [1.01, 2, 5], [2, 3, 4]):
        for y in range(l, len(counts) + 1):  # the y-th most frequent is the first that may not be disclosed
            tried += 1
            wrong += not counts[y - 1] < c * (sum(counts[l - 2:y - 1]) + sum(counts[y:]))
    lines.line(L, "4.2", "pd-recursive: for c > 1 the second condition is only y > l - 1", "yes", wrong, f"exceptions in {tried}")
    at_one = sum(not counts[y - 1] < sum(counts[l - 2:y - 1]) + sum(counts[y:]) for counts, l in itertools.product(CLASSES, [2, 3, 4])
                 for y in range(l, len(counts) + 1))
    lines.line(L, "4.2", "and for c = 1 it is more", "yes", at_one, "classes with y > l - 1 that fail")
    for columns, values in [(1, 3), (2, 3), (3, 2)]:
        lines.line(L, "4.3", f"more sensitive attributes need larger blocks: the smallest that is 2-diverse in each of {columns}, "
                   "the others told", "yes", smallest_block(columns, values), "2 for each attribute, multiplied")


def l_diversity_recursion(lines):
    """Definition 4.2 and the recursion that section 4.2 makes it of; Definition 4.3 where all values may be disclosed."""
    without = lambda counts, at: counts[:at] + counts[at + 1:]
    smaller = lambda counts, c, l: [bool(left) and recursive(left, c, l - 1) for left in
                                    (without(counts, at) for at in range(len(counts)))]
    cases = list(itertools.product(CLASSES, [Fraction(1, 2), 1, 2, 5], [3, 4]))
    lines.line(L, "4.2", "recursive (c,l) is (c,l-1) after eliminating one value, whichever it is", "yes",
               sum(recursive(*case) != all(smaller(*case)) for case in cases), f"exceptions in {len(cases)}")
    lines.line(L, "4.2", "and if it is enough that it holds after eliminating some value", "no",
               sum(recursive(*case) != any(smaller(*case)) for case in cases), "classes that would pass, and fail by Definition 4.2")
    # The value that may not be disclosed does not occur: it is the last, with r_y = 0.
    pd = lambda counts, l: sum(counts[l - 1:] if len(counts) + 1 <= l - 1 else counts[l - 2:]) > 0
    fail = sum(not pd(counts, l) for counts, l in itertools.product(CLASSES, [2, 3, 4]))
    lines.line(L, "4.2", "pd-recursive: where all values may be disclosed, both conditions are trivially satisfied", "in part", fail,
               f"of {3 * len(CLASSES)} fail by the letter, 0 < c 0: blocks of at most l - 2 values; shoal accepts them, as is meant")


def smallest_block(columns, values):
    """The fewest records for which each sensitive column has two values among the records that agree in all others."""
    cells = list(itertools.product(range(values), repeat=columns))
    for size in range(1, len(cells) + 1):
        for chosen in itertools.combinations(cells, size):
            agree = lambda one, other, at: one[at] != other[at] and one[:at] + one[at + 1:] == other[:at] + other[at + 1:]
            if all(any(agree(one, other, at) for other in chosen) for one in chosen for at in range(columns)):
                return size
    return None


SALARIES = [f"{number}K" for number in range(3, 12)]


def t_closeness_distances(lines):
    first, second = ["3K", "4K", "5K"], ["6K", "8K", "11K"]
    share = lambda part, value: Fraction(part.count(value), len(part))
    variational = [sum(abs(share(part, value) - Fraction(1, 9)) for value in SALARIES) / 2 for part in [first, second]]
    lines.line(T, "4", "the variational distance cannot tell {3K, 4K, 5K} from {6K, 8K, 11K}", "yes",
               ", ".join(map(str, variational)))
    kl = [sum(float(share(part, value)) * numpy.log(float(share(part, value)) * 9) for value in part) for part in [first, second]]
    lines.line(T, "4", "nor can the KL distance", "yes", ", ".join(f"{one:.4f}" for one in kl))
    lines.line(T, "4, 5.3", "the EMD can", "yes", ", ".join(str(ordered(part, SALARIES)) for part in [first, second]))
    nine = list(lines.printed("t_closeness_table3_original").Disease)
    paths = {row[0]: row for row in sweep.from_file(lines.tables.printed("t_closeness_disease_hierarchy"))}
    far = {}
    for rows in itertools.chain.from_iterable(itertools.combinations(range(9), size) for size in [1, 2, 3, 4, 6]):
        far[rows] = (ordered([SALARIES[row] for row in rows], SALARIES), hierarchical([nine[row] for row in rows], nine, paths))
    pairs = [(one, other) for one in far for other in far if one < other and not set(one) & set(other)
             and tuple(sorted(one + other)) in far]
    above = sum(far[tuple(sorted(one + other))][kind] * (len(one) + len(other)) > far[one][kind] * len(one) + far[other][kind] *
                len(other) for one, other in pairs for kind in [0, 1])
    lines.line(T, "4, Fact 2", "a union is no further away than the weighted mean of its parts", "yes", above,
               f"exceptions in {2 * len(pairs)} unions of records of Table 3, salary and disease")
    most = max(max(found) for found in far.values())
    lines.line(T, "4, Fact 1", "EMD is at most 1", "yes", most, f"the most of {2 * len(far)} distances")
    worse = sum(far[tuple(sorted(one + other))][kind] > max(far[one][kind], far[other][kind]) for one, other in pairs for kind in [0, 1])
    lines.line(T, "4", "generalization and subset properties: classes of a more general table, or of fewer columns, are unions", "yes",
               worse, "unions further away than both parts: none, from which both properties follow")


def least_work(p, q, far):
    """The EMD by its definition in section 4: the transportation problem."""
    many = len(p)
    sums = numpy.vstack([numpy.kron(numpy.eye(many), numpy.ones(many)), numpy.kron(numpy.ones(many), numpy.eye(many))])
    return optimize.linprog(far.ravel(), A_eq=sums[:-1], b_eq=numpy.concatenate([p, q])[:-1]).fun


def t_closeness_formulas(lines):
    """Sections 5.1 and 5.2: three distances and a formula for each."""
    paths = sweep.from_file(lines.tables.printed("t_closeness_disease_hierarchy"))
    many, height = len(paths), len(paths[0]) - 1
    level = lambda one, other: next(at for at in range(height + 1) if one[at] == other[at])
    far = {"ordered": numpy.array([[abs(one - other) / (many - 1) for other in range(many)] for one in range(many)]),
           "equal": 1 - numpy.eye(many),
           "hierarchical": numpy.array([[level(one, other) / height for other in paths] for one in paths])}
    nodes = lambda below: {(at, row[at]): sorted({other[below(at)] for other in paths if other[at] == row[at]})
                           for at in range(1, height + 1) for row in paths}

    def by_nodes(extra, below):
        total = 0
        for (at, _), children in nodes(below).items():
            sums = [sum(extra[place] for place, row in enumerate(paths) if row[below(at)] == child) for child in children]
            total += at / height * min(sum(one for one in sums if one > 0), -sum(one for one in sums if one < 0))
        return total

    formulas = {"ordered": lambda extra: abs(extra.cumsum()).sum() / (many - 1), "equal": lambda extra: abs(extra).sum() / 2,
                "hierarchical": lambda extra: by_nodes(extra, lambda at: at - 1)}
    random, wrong, literal = numpy.random.default_rng(1), dict.fromkeys(formulas, 0), 0
    for _ in range(DRAWS):
        p, q = random.dirichlet(numpy.ones(many)), random.dirichlet(numpy.ones(many))
        work = {name: least_work(p, q, far[name]) for name in formulas}
        for name, formula in formulas.items():
            wrong[name] += abs(formula(p - q) - work[name]) > 1e-9
        literal += abs(by_nodes(p - q, lambda at: 0) - work["hierarchical"]) > 1e-9
    for name, place in [("ordered", "5.1"), ("equal", "5.2"), ("hierarchical", "5.2")]:
        table = far[name]
        metric = (table == table.T).all() and (table[:, :, None] <= table[:, None, :] + table.T[None, :, :] + 1e-12).all()
        lines.line(T, place, f"the {name} distance is a metric, and its formula gives the least work", "yes" if metric and not wrong[name] else "no",
                   wrong[name], f"exceptions in {DRAWS} random pairs of distributions over the {many} leaves of Figure 1, by linear "
                   "programming")
    lines.line(T, "5.2", "Child(N) is the set of all leaves below N", "no", literal,
               f"of the same {DRAWS} are then wrong; none with the immediate children")


def t_closeness_tables(lines):
    fifth = lines.printed("t_closeness_table5_0.167_0.278")
    first = fifth[fifth.id.isin(["1", "3", "8"])]
    low = lambda values: Fraction(sum(int(value[:-1]) <= 5 for value in values), len(values))
    lines.line(T, "5.3", "Table 5: Alice cannot infer that Bob has a low salary (3K to 5K)", "in part",
               f"{low(list(first.Salary))}, overall {low(SALARIES)}", "not for certain as in Table 4, but twice as likely as for anybody")
    stomach = {"gastric ulcer", "gastritis", "stomach cancer"}
    share = lambda values: Fraction(sum(value in stomach for value in values), len(values))
    lines.line(T, "5.3", "nor that he has a stomach-related disease", "yes", f"{share(list(first.Disease))}, overall "
               f"{share(list(fifth.Disease))}")
    lines.line(T, "5.3", "t-closeness does not deal with identity disclosure", "yes", "t = 0, k = 1",
               "a table whose records all have the same sensitive value, released as it is")
    lines.line(T, "5.3", "a homogeneity attack that t-closeness allows could be made on the fully generalized table as well", "in part",
               Fraction(1, 5), "the distance of a class where all have what 80% have: at t = 0.2 the class gives it away, the table does not")
    # Hiding a value: the class keeps the record, not the value.
    hidden = lambda part: min(ordered(part[:at] + part[at + 1:], SALARIES) for at in range(len(part)))
    helped = sum(hidden(list(part)) < ordered(list(part), SALARIES) for part in itertools.combinations(SALARIES, 4))
    lines.line(T, "8", "hiding a value can bring a class closer", "yes", f"{helped} of 126", "classes of four of the nine salaries")
    removed = lambda counts: [tuple(sorted((count - (at == place) for place, count in enumerate(counts) if count - (at == place)),
                                           reverse=True)) for at in range(len(counts))]
    bigger = {"distinct": lambda counts: len(counts), "entropy": entropy_l,
              "recursive (c,2), 1/c": lambda counts: Fraction(sum(counts[1:]), counts[0])}
    for name, diversity in bigger.items():
        rises = sum(any(diversity(left) > diversity(counts) + 1e-12 for left in removed(counts) if left)
                    for counts in CLASSES if len(counts) > 1)
        lines.line(T, "8", f"removing a value only decreases diversity: {name}", "yes" if not rises else "no", rises,
                   "classes that become more diverse, by a value of the most frequent kind" if rises else "classes that become more diverse")


def tau_l_definitions(lines):
    orders = {"Figure 3": [[["a1", "a0"], ["a2", "a0"]], [["b1", "b0"], ["b2", "b0"]]],
              "Adult": [sweep.from_file(HERE / "hierarchies" / f"{name}.csv") for name in
                        ["age", "sex", "race", "marital-status", "education"]]}
    for name, trees in orders.items():
        vectors = sweep.order([sweep.Taxonomy([row[0] for row in tree], tree) for tree in trees])
        keys = [(kept, depths) for kept, depths, _ in vectors]
        lines.line(TAU, "III, Theorem 2", f"any two values above the same base value are ordered: {name}", "yes",
                   f"{len(set(keys))} of {len(keys)} different", "above one base value a level vector is one value; the paper "
                   "calls the base value q1 where it means q0")
    simple = sum((l * counts[0] <= sum(counts)) != (least_tau(counts, l) <= Fraction(1, l)) for counts in CLASSES for l in [2, 3, 4])
    lines.line(TAU, "IV.A", "more general than simple l: it is (1/l, l)-diversity", "yes", simple, f"exceptions in {3 * len(CLASSES)}")
    for c, l in [(2, 2), (2, 3), (1, 3)]:
        fits = [one for one in [2, 3, 4] if separated(lambda counts: recursive(counts, c, l), one)]
        lines.line(TAU, "IV.A", f"more general than recursive ({c},{l}): some (tau,l) accepts just the same classes",
                   "yes" if fits else "no", f"l = {fits[0]}" if fits else "none", f"of {len(CLASSES)} classes")
    fits = [one for one in [2, 3, 4] if separated(lambda counts: entropy_l(counts) >= 2 - 1e-9, one)]
    lines.line(TAU, "IV.A", "more general than entropy 2", "yes" if fits else "no", f"l = {fits[0]}" if fits else "none")


def separated(accepts, l):
    """Whether one tau tells accepted from refused classes."""
    inside = [least_tau(counts, l) for counts in CLASSES if accepts(counts)]
    outside = [least_tau(counts, l) for counts in CLASSES if not accepts(counts)]
    return max(inside) < min(outside)


# As asked of Nursery and Adult in the paper's Figures 5 to 8, as far as simple l-diversity can guarantee them at all.
DEMANDS = [(0.9, 2), (0.8, 2), (0.7, 2), (0.6, 2), (0.5, 2), (0.6, 3), (0.5, 3), (0.4, 3), (0.5, 4), (0.5, 6), (0.4, 7), (0.3, 8)]


def guaranteeing(tau, l, values=None):
    """The weakest whole simple l, and the largest c for (c,l), that imply (tau,l), whatever the table; `values`: for tables with so
    many sensitive values. F(l) <= 1 is no demand; before that, F(j) is largest for a given r1 where the first j are equal, and the
    tail where all others are."""
    tau = Fraction(str(tau))
    psi = {j: tau + (1 - tau) * Fraction(j - 1, l - 1) for j in range(1, l)}
    simple = max(2, max(math.ceil(j / bound) for j, bound in psi.items()))
    if values is not None and values < l:
        return simple, None
    tail = {j: Fraction(values - l + 1, values - j) if values else 1 for j in psi}
    return simple, min(bound / (j * (1 - bound) * tail[j]) for j, bound in psi.items())


# Classes of a few large values and many small ones, which are those that break too large a c.
SKEWED = [(large,) * many + (1,) * small for many in [1, 2, 3, 6] for large in range(1, 20) for small in range(1, 40, 3)]


def tau_l_example(lines):
    counts = tuple(lines.printed("tau_l_fig1a_microdata").Disease.value_counts())
    lines.line(TAU, "I", "Figure 1(a): l = 2 and c = 3 are the only (c,l) that leave something", "no",
               f"c above {Fraction(counts[0], sum(counts[1:]))} for l = 2, above {Fraction(counts[0], sum(counts[2:]))} for l = 3",
               "of the table as one class; Figure 1(b) itself is (2.6,2)-diverse")
    for tau, l in DEMANDS:
        simple, c = guaranteeing(tau, l)
        demand = Fraction(str(tau))
        broken = sum(least_tau(counts, l) > demand for counts in CLASSES + SKEWED
                     if recursive(counts, c, l) or simple * counts[0] <= sum(counts))
        lines.line(TAU, "IV.C", f"the weakest whole simple l, and the largest c for (c,{l}), that guarantee ({tau},{l})", "no claim",
                   f"l = {simple}; c = {float(c):.4g}", f"{broken} of {len(CLASSES) + len(SKEWED)} classes that satisfy one of them are "
                   "not")


def swept_away(lines):
    """Section III.D: which tuple's removal lowers the frequency of the dominant value?"""
    cases = [(Fraction(halves, 2 * size), size, Fraction(share, 2)) for size in range(2, 13) for halves in range(2 * size + 1)
             for share in [0, 1, 2] if halves >= share]
    lines.line(TAU, "III.D", "removing a tuple lowers the dominant frequency only if it induces more than that", "yes",
               sum(((f * size - share) / (size - 1) < f) != (share > f) for f, size, share in cases), f"exceptions in {len(cases)}")


def a_d(lines):
    before = lines.printed("ad_diversity_table2_4diversity").iloc[8:].Condition
    lines.line(AD, "3.3", "(alpha,k)-anonymity does not help: Table 2's last class has alpha = 0.25, k = 4, and P(influenza given "
               "fever) is", "yes", believed(before, LIKELY)["Influenza"], "no class of four can have a smaller alpha")
    lines.line(AD, "3.3", "(epsilon,m)-anonymity does not help", "yes", "does not apply", "it is defined for numbers alone")
    whole = list(lines.printed("ad_diversity_table1_original").Condition)
    likely = {**LIKELY, "Pneumonia": 0.9, "Paludism": 0.9, "Dyspepsia": 0.08, "Gastric Ulcer": 0.08}
    share = lambda values: {value: Fraction(list(values).count(value), len(values)) for value in whole}
    t = sum(max(0, share(before)[value] - share(whole)[value]) for value in set(whole))
    lines.line(AD, "3.3", "t-closeness does not make much improvement: t of that class (equal distance)", "in part", t,
               "any t from there on allows it")
    lines.line(AD, "3.3", "and at t = 0, where every class is like the table: P(influenza given fever)", "in part",
               believed(whole, likely)["Influenza"], "so a small t does help, as it brings in others with a fever; 0.874 before")
    apart = lambda one, other: (one - other) / (one + other)
    lines.line(AD, "3.4", "a bigger difference of P(k|S) makes a bigger difference of P(S|k)", "in part",
               f"0.9 and 0.8: {apart(0.9, 0.8):.3f}; 0.2 and 0.15: {apart(0.2, 0.15):.3f}",
               "true where the sum stays the same; in general it is the ratio that counts")
    lines.line(AD, "3.4", "a class whose values all share a symptom reveals the problem: belief in the group", "yes",
               sum(believed(["Influenza", "Pneumonia", "Paludism"], likely).values()), "of any such class, without any knowledge")


def critique(lines):
    share, t = Fraction(5, 1000), Fraction(1, 5)
    lines.line(CRITIQUE, "5", "t-closeness solves skewness: the most that a share of 0.005 can become at t = 0.2", "in part",
               share + t, "41 times; the class of one half is refused")
    lines.line(CRITIQUE, "6", "t-closeness offers complete privacy: the most that a share of 0.005 can become at t = 0", "in part",
               share, "at t = 0 alone, when classes tell nothing at all; it says nothing about being found (k)")
    low = [3, 4, 5]
    lines.line(CRITIQUE, "4", "3-diverse numbers that are alike tell a narrow interval: Table 4 of the t-closeness paper", "yes",
               f"{low[0]}K to {low[-1]}K of 3K to 11K", "share of the range: 1/4")
