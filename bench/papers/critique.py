"""A critique of k-anonymity (Domingo-Ferrer, Torra 2008): what does a rare value cost, what does a balanced class give
away, and what is left of correlations under t-closeness?"""

import numpy
import pandas

import intervals
import plots
import releases
from policies import Policy, k_anonymity, requirement
from tables import ADULT, SEED

BODY = {"age": "{ intervals = [5, 10, 20, 40] }", "height": "{ intervals = [5, 10, 20, 40] }",
        "weight": "{ intervals = [5, 10, 20, 40] }"}
PATIENTS, ILL = 1000, 5
QUICK = ["example-2", "skewness"]
CLOSENESS = [0.5, 0.45, 0.4, 0.35, 0.3, 0.25, 0.2, 0.15, 0.1, 0.05]


def experiments(workshop):
    return {
        "example-2": lambda: example_2(workshop),
        "skewness": lambda: skewness(workshop),
        "correlation": lambda: correlation(workshop),
        "held-out": lambda: held_out(workshop),
    }


def patients():
    """A thousand made-up patients, of whom five are ill."""
    random = numpy.random.default_rng(SEED)
    height = random.normal(170, 10, PATIENTS).round().astype(int)
    table = pandas.DataFrame({
        "age": random.integers(18, 91, PATIENTS), "height": height,
        "weight": (height - 100 + random.normal(2, 12, PATIENTS)).clip(40, 150).round().astype(int), "aids": "No"})
    table.loc[random.choice(PATIENTS, ILL, replace=False), "aids"] = "Yes"
    return table


def example_2(workshop):
    """What does it cost to have an ill patient in every class?"""
    policy = Policy(workshop.tables.written("patients", patients()), BODY, {"aids": ""})
    wishes = {"5-anonymity": k_anonymity(5),
              "2-sensitive 5-anonymity": requirement("p-sensitive-k-anonymity", k=5, p=2)}
    rows = []
    for method in METHODS:
        if not workshop.has_method(method.get("name", "full-domain")):
            continue
        for wish, required in wishes.items():
            answer = workshop.anonymize(policy.but(require=(required,), method=method), keep=True)
            rows.append({"method": method_name(method), "required": wish, **(cost(answer) if answer else {}),
                         "note": answer.words})
    workshop.keep("critique-example-2", rows)


METHODS = [{}, {"name": "full-domain", "local": True}, {"name": "mondrian"}, {"name": "microaggregation"},
           {"name": "one-dimensional"}]


def method_name(method):
    return method.get("name", "full-domain") + (" local" if method.get("local") else "")


def cost(answer):
    return {"most_classes": answer.json.get("most_classes"), "classes": answer.json["classes"],
            "average_class_size": answer.json["class_size"]["mean"], "loss": answer.json["objectives"]["loss"],
            "distinct_ages": answer.release.age.nunique(), "distinct_heights": answer.release.height.nunique(),
            "distinct_weights": answer.release.weight.nunique()}


def skewness(workshop):
    """A class in which half of the patients are ill passes every l-diversity, and tells more than any other."""
    table = patients().sort_values("aids", ascending=False, kind="stable").reset_index(drop=True)
    # Four of the five and four others in one class; the fifth with all others in a second.
    balanced = list(range(ILL - 1)) + list(range(ILL, 2 * ILL - 1))
    release = pandas.DataFrame({"class": "b", "aids": table.aids})
    release.loc[balanced, "class"] = "a"
    wishes = {"distinct 2-diversity": requirement("distinct-l-diversity", l=2),
              "entropy 2-diversity": requirement("entropy-l-diversity", l=2),
              "recursive (1.01,2)-diversity": requirement("recursive-cl-diversity", c=1.01, l=2),
              "recursive (1,2)-diversity": requirement("recursive-cl-diversity", c=1, l=2),
              "0.2-closeness": requirement("t-closeness", t=0.2, distance="equal")}
    rows = []
    for wish, required in wishes.items():
        # Closeness is to the whole table: of a class by itself only the diversities say something.
        policy = Policy("audited.csv", {"class": "{ suppress = {} }"}, {"aids": ""}, require=(required,))
        alone = workshop.audit(policy, release[release["class"] == "a"]).json["models"][0]
        whole = workshop.audit(policy, release).json["models"][0]
        holds = None if required["model"] == "t-closeness" else alone["holds"]
        rows.append({"required": wish, "holds_in_the_balanced_class": holds,
                     "holds_in_the_whole_release": whole["holds"], "achieved_by_the_whole_release": whole["achieved"],
                     "belief_before": ILL / PATIENTS, "belief_in_the_balanced_class": 0.5})
    workshop.keep("critique-skewness", rows)


def released(workshop, quasi):
    """Releases by every method for every t: method, t, and what the program answered."""
    tables = workshop.tables
    policy = Policy(tables.adult_train, tables.hierarchies(quasi), {"occupation": ""})
    for method in CORRELATED:
        if not workshop.has_method(method["name"]):
            continue
        for t in [None, *CLOSENESS]:
            required = (k_anonymity(5),) + ((requirement("t-closeness", t=t, distance="equal"),) if t else ())
            answer = workshop.anonymize(policy.but(require=required, method=method), keep=True)
            if answer:
                yield method_name(method), t or 1.0, answer


def correlation(workshop):
    """How much do released quasi-identifiers still tell about the occupation, the smaller t is?"""
    quasi = ADULT[:5]
    original = workshop.tables.adult_rows.head(30_162)
    rows = [{"method": method_name(method), "t": None, **association(original, quasi)} for method in CORRELATED[:1]]
    for method, t, answer in released(workshop, quasi):
        rows.append({"method": method, "t": t, **association(answer.release, quasi), "classes": answer.json["classes"],
                     "loss": answer.json["objectives"]["loss"]})
    frame = workshop.keep("critique-correlation", rows)
    draw_correlation(workshop, frame, quasi)


CORRELATED = [{"name": "full-domain"}, {"name": "full-domain", "local": True}, {"name": "mondrian"},
              {"name": "microaggregation"}]


def association(table, quasi):
    told = {f"v_{name}": releases.cramers_v(table, name, "occupation") for name in quasi}
    found = releases.mutual_information(table, quasi, "occupation")
    chance, low, high = intervals.interval(found["by_chance"])
    raw = found["mutual_information"]
    return {**told, "mutual_information": raw, "of_that_by_chance": chance, "corrected": raw - chance,
            "corrected_low": raw - high, "corrected_high": raw - low}


SPLITS = 5
STRENGTHS = [1, 3, 10, 30, 100, 300, 1000]  # records that the overall shares count as, beside those of a class


def held_out(workshop):
    """The same without a correction: what a class of two thirds of the rows tells about the others. (Classes close to the table
    were chosen with all rows in sight, which takes a little off for small t.)"""
    quasi = ADULT[:5]
    original = workshop.tables.adult_rows.head(30_162)
    rows = [{"method": "original", "t": None, **told(original, quasi)}]
    for method, t, answer in released(workshop, quasi):
        # The original's occupations: a release keeps the order of the rows, and shows these as they are.
        rows.append({"method": method, "t": t, **told(answer.release, quasi)})
    workshop.keep("critique-held-out", rows)


def told(table, quasi):
    """Bits that the class of a held-out row saves who guesses its occupation, over guessing by the overall shares."""
    classes = table.groupby(quasi, sort=False, observed=True).ngroup().to_numpy()
    values = pandas.factorize(table.occupation)[0]
    saved = {strength: [saved_bits(classes, values, strength, seed) for seed in range(1, SPLITS + 1)] for strength in STRENGTHS}
    best = max(STRENGTHS, key=lambda strength: sum(saved[strength]))
    return {"classes": int(classes.max()) + 1, "overall_shares_count_as": best, "splits": SPLITS,
            **intervals.columns("told", saved[best])}


def saved_bits(classes, values, strength, seed):
    asked = numpy.random.default_rng(seed).random(len(values)) < 1 / 3
    many = values.max() + 1
    counts = numpy.bincount(classes[~asked] * many + values[~asked], minlength=(classes.max() + 1) * many).reshape(-1, many)
    overall = (counts.sum(axis=0) + 1) / (counts.sum() + many)
    shares = (counts + strength * overall) / (counts.sum(axis=1, keepdims=True) + strength)
    return float(numpy.log2(shares[classes[asked], values[asked]] / overall[values[asked]]).mean())


def draw_correlation(workshop, frame, quasi):
    original, released = frame.iloc[0], frame[frame.t.notna()]
    methods = list(released.method.unique())
    figure = plots.Figure("What released quasi-identifiers tell about the occupation: Adult, 30,162 rows, k = 5, by t "
                          "(equal distance)",
                          3 + (len(methods) > 2), legend_below=True)
    chosen = [methods[0], *methods[2:3]] if len(methods) > 1 else methods[:1]
    for panel, method in enumerate(chosen):
        part = released[released.method == method]
        series = {name: (part.t, part[f"v_{name}"]) for name in quasi}
        figure.lines(panel, series, "t (1.0: k-anonymity alone)", "Cramér's V (dashed: original)", method)
        figure.axes[panel].set_ylim(0, 1.1 * max(original[f"v_{name}"] for name in quasi))
        for place, name in enumerate(quasi):
            figure.axes[panel].axhline(original[f"v_{name}"], color=plots.COLOURS[place], linestyle="--", linewidth=0.8)
    for panel, (column, title) in enumerate([("corrected", "mutual information, corrected for chance"),
                                             ("mutual_information", "the same, not corrected")], len(chosen)):
        figure.lines(panel, {method: (part.t, part[column]) for method, part in released.groupby("method", sort=False)},
                     "t (1.0: k-anonymity alone)", "bits that all tell together (dashed: original)", title,
                     zero=False)  # corrected, they can be below zero
        figure.axes[panel].axhline(original[column], color="#555555", linestyle="--", linewidth=0.9)
        figure.axes[panel].legend(fontsize=7, loc="lower right" if column == "corrected" else "center right")
    figure.write(workshop, "critique-correlation")
