"""On which tables, with which columns and for which (tau,l) are SWEEP, CLD and 1DLD compared, and what is measured of a
release?"""

from dataclasses import dataclass, field

import numpy
import pandas

import intervals
import learner
import sweep
from labels import Column
from policies import SUPPRESS, Policy, file, requirement
from tables import ADULT, NURSERY

EXACT = 1e-9
SPLITS = {"adult": 5, "nursery": 5}  # by lot into rows to learn from and rows to ask about
# For so many requirements, the weakest first, whatever --large says: in Python the strongest of Adult take many minutes.
AS_PRINTED = {"adult": 7, "nursery": 13}


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
    paths: dict  # of the quasi-identifiers, for sweep.py
    learned: dict = field(default_factory=dict)  # accuracy by release, which many requirements share

    @property
    def values(self):
        return Column(self.original[self.sensitive], self.hierarchy)

    @property
    def target_column(self):
        return Column(self.original[self.target], self.hierarchy if self.target == self.sensitive else None)

    def ordered(self, columns):
        """The same with quasi-identifiers in another order, which is their importance."""
        changed = self.policy.but(quasi={name: self.policy.quasi[name] for name in columns})
        return Setting(self.name, changed, self.original, self.sensitive, self.hierarchy, self.inputs, self.numbers,
                       self.target, self.demands, {name: self.paths[name] for name in columns})

    def accuracies(self, release):
        """Of trees from a release, one for each split, over that of a tree from the original."""
        target, splits = self.target_column, SPLITS[self.name]
        for seed in range(1, splits + 1):
            if seed not in self.learned:
                self.learned[seed] = learner.accuracy(self.original, self.original, self.inputs, self.numbers, self.target,
                                                      target, seed)
        return [learner.accuracy(release, self.original, self.inputs, self.numbers, self.target, target, seed)
                / self.learned[seed] for seed in range(1, splits + 1)]

    @property
    def most_frequent(self):
        """The accuracy of always the same answer, likewise."""
        share = self.original[self.target].value_counts(normalize=True).iloc[0]
        return share / numpy.mean(list(self.learned.values()))


def adult(workshop):
    tables = workshop.tables
    path = tables.tree("occupation")
    policy = Policy(tables.adult, tables.hierarchies(ADULT), {"occupation": file(path)}, ("salary-class",))
    columns = {name: Column(tables.adult_rows[name], tables.tree(name)) for name in ADULT}
    columns["occupation"] = Column(tables.adult_rows.occupation, path)
    demands = [(0.8, 2), (0.6, 3), (0.5, 4), (0.5, 6), (0.4, 7), (0.3, 8), (0.3, 9), (0.25, 10)]
    if workshop.options.large:  # half a minute and more each
        demands += [(0.2, 11), (0.2, 12), (0.15, 13), (0.1, 14)]
    return Setting("adult", policy, tables.adult_rows, "occupation", path, columns, ("age",), "salary-class", demands,
                   {name: sweep.from_file(tables.tree(name)) for name in ADULT})


def nursery(workshop):
    tables = workshop.tables
    rows = pandas.read_csv(tables.nursery, dtype=str, keep_default_na=False)
    policy = Policy(tables.nursery, {name: SUPPRESS for name in NURSERY}, {"class": file(tables.nursery_class)})
    columns = {name: Column(rows[name]) for name in NURSERY}
    demands = [(0.9, 2), (0.8, 2), (0.7, 2), (0.6, 2), (0.5, 2), (0.6, 3), (0.5, 3), (0.4, 3), (0.6, 4), (0.5, 4),
               (0.4, 4), (0.3, 5), (0.2, 5)]
    return Setting("nursery", policy, rows, "class", tables.nursery_class, columns, (), "class", demands,
                   {name: sweep.suppression(rows[name]) for name in NURSERY})


SETTINGS = {"adult": adult, "nursery": nursery}


@dataclass
class Tried:
    """A release with some parameters."""

    parameters: str
    release: pandas.DataFrame
    frequencies: numpy.ndarray  # of each class, most frequent first, accumulated
    sizes: numpy.ndarray  # of the classes
    information: float
    cpu: float
    policy: Policy = None  # that makes it
    times: tuple = ()  # CPU seconds of each time it was made, of which `cpu` is the least
    measured: dict = field(default_factory=dict)

    def accuracy(self, setting):
        if not self.measured:
            self.measured |= intervals.columns("accuracy", setting.accuracies(self.release))
        return self.measured


def looked_at(setting, parameters, release, information, cpu, policy=None):
    """What a release gives away; classes are what an outsider sees as one."""
    classes = release.groupby(list(setting.policy.quasi), sort=False, observed=True).ngroup().to_numpy()
    shares = setting.values.shares(release[setting.sensitive])
    sums = numpy.zeros((classes.max() + 1, shares.shape[1]))
    numpy.add.at(sums, classes, shares)
    sizes = sums.sum(axis=1)
    frequencies = numpy.sort(sums / sizes[:, None], axis=1)[:, ::-1].cumsum(axis=1)
    return Tried(parameters, release, frequencies, sizes, information, cpu, policy)


def attempt(workshop, setting, required, method, parameters, runs=1, levels=None):
    """None for a release where there is none."""
    policy = setting.policy.but(require=(required,), method=method, levels=levels or {})
    answer = workshop.anonymize(policy, keep=True, threads=1)
    times = answer.of_runs
    if answer and runs > 1:
        times += workshop.anonymize(policy, runs=runs - 1, threads=1).of_runs
    if not answer:
        return Tried(parameters, None, None, None, None, answer.cpu, times=times)
    found = looked_at(setting, parameters, answer.release, 1 - answer.json["objectives"]["information"], min(times), policy)
    found.times = times
    return found


def swept(workshop, setting, demand, runs=1):
    """SWEEP by the program."""
    required = requirement("tau-l-diversity", tau=demand[0], l=demand[1])
    return attempt(workshop, setting, required, {"name": "sweep", "objective": "information"}, "", runs)


def swept_as_printed(setting, demand):
    """SWEEP by sweep.py: no time, which would be Python's."""
    found = sweep.sweep(setting.original, setting.paths, (setting.sensitive, sweep.from_file(setting.hierarchy)), *demand)
    if found is None:
        return Tried("", None, None, None, None, None)
    release = sweep.released(setting.original, setting.paths, (setting.sensitive, sweep.from_file(setting.hierarchy)), found)
    if setting.target not in release:
        release[setting.target] = setting.original[setting.target]
    return looked_at(setting, "", release, found.kept, None)


def excesses(tried, demand):
    """Definition 8 for each class; None if some class fails."""
    psi = sweep.bound(*demand, tried.frequencies.shape[1])
    if (tried.frequencies > psi + EXACT).any():
        return None
    return numpy.abs(psi - tried.frequencies).sum(axis=1)


def excess(tried, demand):
    """The least over all classes, which is that of the release."""
    found = excesses(tried, demand)
    return None if found is None else round(float(found.min()), 9)


def mean_excess(tried, demand):
    """The mean over all records."""
    return float(numpy.average(excesses(tried, demand), weights=tried.sizes))
