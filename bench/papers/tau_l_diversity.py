"""(tau,l)-diversity (Tian, Zhang 2009), section IV: do sweeping and generalized sensitive values protect no more than
asked for, and keep more?

SWEEP is asked for each (tau,l) itself. CLD (full-domain, Incognito, recursive (c,l)) and 1DLD (one-dimensional, simple
l-diversity) are run with every parameter, and of the releases that satisfy (tau,l) the best counts.
"""

from dataclasses import dataclass

import numpy
import pandas

import learner
import plots
from labels import Column
from policies import SUPPRESS, Policy, file, requirement
from tables import ADULT, NURSERY

C = [0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10]
EXACT = 1e-9


@dataclass
class Setting:
    """A table with its columns and the requirements asked of it, weaker ones first."""

    name: str
    policy: Policy
    original: pandas.DataFrame
    sensitive: str
    hierarchy: str  # of the sensitive column
    inputs: dict  # of the decision tree
    numbers: tuple
    target: str
    demands: list

    @property
    def values(self):
        return Column(self.original[self.sensitive], self.hierarchy)


def experiments(workshop):
    return {name: lambda setting=setting: compare(workshop, setting(workshop))
            for name, setting in {"figures-5-to-8-adult": adult, "figures-5-to-8-nursery": nursery}.items()}


def adult(workshop):
    tables = workshop.tables
    path = tables.tree("occupation")
    policy = Policy(tables.adult, tables.hierarchies(ADULT), {"occupation": file(path)}, ("salary-class",))
    columns = {name: Column(tables.adult_rows[name], tables.tree(name))
               for name in ADULT}
    columns["occupation"] = Column(tables.adult_rows.occupation, path)
    demands = [(0.8, 2), (0.6, 3), (0.5, 4), (0.5, 6), (0.4, 7), (0.3, 8), (0.3, 9), (0.25, 10), (0.2, 11), (0.2, 12),
               (0.15, 13), (0.1, 14)]
    return Setting("adult", policy, tables.adult_rows, "occupation", path, columns, ("age",), "salary-class", demands)


def nursery(workshop):
    tables = workshop.tables
    rows = pandas.read_csv(tables.nursery, dtype=str, keep_default_na=False)
    policy = Policy(tables.nursery, {name: SUPPRESS for name in NURSERY}, {"class": file(tables.nursery_class)})
    columns = {name: Column(rows[name]) for name in NURSERY}
    demands = [(0.9, 2), (0.8, 2), (0.7, 2), (0.6, 2), (0.5, 2), (0.6, 3), (0.5, 3), (0.4, 3), (0.6, 4), (0.5, 4),
               (0.4, 4), (0.3, 5), (0.2, 5)]
    return Setting("nursery", policy, rows, "class", tables.nursery_class, columns, (), "class", demands)


def compare(workshop, setting):
    for method in ["sweep", "one-dimensional"]:
        workshop.need_method(method)
    baseline = learner.accuracy(setting.original, setting.original, setting.inputs, setting.numbers, setting.target,
                                target_column(setting))
    most_frequent = setting.original[setting.target].value_counts(normalize=True).iloc[0]
    workshop.say(f"  {setting.name}: a tree from the original is right for {baseline:.4f}, "
                 f"always the same answer for {most_frequent:.4f}")
    contenders = {"CLD": list(cld(workshop, setting)), "1DLD": list(one_dimensional(workshop, setting))}
    rows = []
    for demand in setting.demands:
        rows.append(sweep(workshop, setting, demand))
        for name, tried in contenders.items():
            rows += chosen(name, tried, demand)
    for row in rows:
        release = row.pop("release", None)
        if release is not None:
            row["accuracy"] = learner.accuracy(release, setting.original, setting.inputs, setting.numbers,
                                               setting.target, target_column(setting)) / baseline
        row["accuracy_of_always_the_same"] = most_frequent / baseline
    frame = workshop.keep(f"tau-l-diversity-{setting.name}", rows)
    draw(workshop, setting, frame)


def target_column(setting):
    hierarchy = setting.hierarchy if setting.target == setting.sensitive else None
    return Column(setting.original[setting.target], hierarchy)


@dataclass
class Tried:
    """A release with some parameters."""

    parameters: str
    release: pandas.DataFrame
    frequencies: numpy.ndarray  # of each class, most frequent first, accumulated
    information: float
    cpu: float


def attempt(workshop, setting, required, method, parameters):
    """None if there is no release."""
    policy = setting.policy.but(require=(required,), method=method)
    answer = workshop.anonymize(policy, keep=True, threads=1)
    if not answer:
        return Tried(parameters, None, None, None, answer.cpu)
    classes = answer.release.groupby(list(policy.quasi), sort=False, observed=True).ngroup().to_numpy()
    shares = setting.values.shares(answer.release[setting.sensitive])
    sums = numpy.zeros((classes.max() + 1, shares.shape[1]))
    numpy.add.at(sums, classes, shares)
    frequencies = numpy.sort(sums / sums.sum(axis=1, keepdims=True), axis=1)[:, ::-1].cumsum(axis=1)
    return Tried(parameters, answer.release, frequencies, 1 - answer.json["objectives"]["information"], answer.cpu)


def bound(demand, values):
    """psi(1), .., psi(m)."""
    tau, l = demand
    return numpy.array([min(1.0, tau + (1 - tau) / (l - 1) * (k - 1)) for k in range(1, values + 1)])


def excess(tried, demand):
    """Definition 8: the least over all classes; None if some class fails."""
    psi = bound(demand, tried.frequencies.shape[1])
    if (tried.frequencies > psi + EXACT).any():
        return None
    return float(numpy.abs(psi - tried.frequencies).sum(axis=1).min())


def row(method, demand, tried, choice, cpu):
    return {"tau": demand[0], "l": demand[1], "method": method, "choice": choice, "parameters": tried.parameters,
            "excess": excess(tried, demand), "utility": tried.information, "classes": len(tried.frequencies),
            "cpu_seconds": cpu, "cpu_seconds_of_the_last_run": tried.cpu, "release": tried.release}


def sweep(workshop, setting, demand):
    required = requirement("tau-l-diversity", tau=demand[0], l=demand[1])
    tried = attempt(workshop, setting, required, {"name": "sweep", "objective": "information"}, "")
    if tried.release is None:
        return {"tau": demand[0], "l": demand[1], "method": "SWEEP", "choice": "", "cpu_seconds": tried.cpu}
    return row("SWEEP", demand, tried, "", tried.cpu)


def cld(workshop, setting):
    method = {"name": "full-domain", "search": "incognito", "objective": "information"}
    for l in range(2, len(setting.values.values) + 1):
        for c in C:
            required = requirement("recursive-cl-diversity", c=c, l=l)
            yield attempt(workshop, setting, required, method, f"c = {c}, l = {l}")


def one_dimensional(workshop, setting):
    method = {"name": "one-dimensional", "objective": "information"}
    for l in range(2, len(setting.values.values) + 1):
        yield attempt(workshop, setting, requirement("simple-l-diversity", l=l), method, f"l = {l}")


def chosen(name, tried, demand):
    """Of all that satisfy: the one that protects least beyond what is asked (as in the paper), and the one that keeps
    most."""
    fit = [one for one in tried if one.release is not None and excess(one, demand) is not None]
    if name == "1DLD" and fit:
        cpu = sum(one.cpu for one in tried[:tried.index(fit[0]) + 1])  # from l = 2 until (tau,l) holds
    else:
        cpu = sum(one.cpu for one in tried)
    if not fit:
        return [{"tau": demand[0], "l": demand[1], "method": name, "choice": choice, "cpu_seconds": cpu}
                for choice in ["least excess", "most kept"]]
    return [row(name, demand, min(fit, key=lambda one: excess(one, demand)), "least excess", cpu),
            row(name, demand, max(fit, key=lambda one: one.information), "most kept", cpu)]


def draw(workshop, setting, frame):
    """Figures 5 to 8 for one table."""
    ticks = range(len(setting.demands))
    names = [f"{tau:g},{l}" for tau, l in setting.demands]
    series = lambda column, choice: {
        method: (ticks, part[column].to_numpy())
        for method, part in frame[frame.choice.isin(["", choice])].groupby("method", sort=False)}
    figure = plots.Figure(f"(tau,l)-diversity: {setting.name}, {len(setting.original):,} rows, {setting.sensitive} "
                          "sensitive; no mark: no release", 4, legend_below=True)
    label = "tau, l (stronger to the right)"
    figure.lines(0, series("excess", "least excess"), label, "excessive protection (Definition 8)",
                 "Figure 5: the release that protects least beyond", ticks=ticks, tick_labels=names)
    figure.lines(1, series("utility", "most kept"), label, "information kept (Definition 5)",
                 "Figure 6: the release that keeps most", ticks=ticks, tick_labels=names)
    figure.lines(2, series("accuracy", "most kept"), label, "tree accuracy / that from the original",
                 "Figure 7: the release that keeps most", zero=False, ticks=ticks, tick_labels=names)
    same = {"color": "#555555", "linestyle": "--", "linewidth": 0.9}
    figure.axes[2].axhline(frame.accuracy_of_always_the_same.iloc[0], **same)
    figure.axes[0].plot([], [], label="always the most frequent class (Figure 7)", **same)
    figure.lines(3, relative(frame, ticks), label, "CPU time / that of 1DLD", "Figure 8: all runs of each", log=True,
                 ticks=ticks, tick_labels=names)
    for axes in figure.axes:
        axes.tick_params(axis="x", labelrotation=45)
    figure.write(workshop, f"tau-l-diversity-figures-5-to-8-{setting.name}")


def relative(frame, ticks):
    part = frame[frame.choice.isin(["", "most kept"])]
    own = part[part.method == "1DLD"].cpu_seconds.to_numpy()
    return {method: (ticks, one.cpu_seconds.to_numpy() / own) for method, one in part.groupby("method", sort=False)}
