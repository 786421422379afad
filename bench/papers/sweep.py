"""What does the Sequential Sweep give, word for word as the paper has it ((tau,l)-diversity, section III)?

Written from the paper alone, with no code of the program: classes show the labels of the levels at which they were closed,
and are never tightened to the records that are left in them. Where the paper leaves a choice, `notes` in the page
tau-l-diversity.md says which one is made: tied dominant values by their order, tied tuples by their quasi-identifiers.
"""

import bisect
import itertools
from dataclasses import dataclass
from fractions import Fraction

import numpy
import pandas

EXACT = 1e-9


class Taxonomy:
    """A column's values, and for every level (0: leaves) the node above each of them."""

    def __init__(self, values, rows):
        """`rows`: for each leaf the path from it to the root."""
        number = {value: place for place, value in enumerate(sorted(set(values), key=as_number))}
        self.values = list(number)
        self.height = len(rows[0]) - 1
        self.leaves = [{} for _ in range(self.height + 1)]  # label -> how many leaves of the taxonomy
        paths = {row[0]: row for row in rows}
        for row in rows:
            for level, label in enumerate(row):
                self.leaves[level][label] = self.leaves[level].get(label, 0) + 1
        self.labels = [[paths[value][level] for value in self.values] for level in range(self.height + 1)]
        self.codes = numpy.array([[sorted(set(labels)).index(label) for label in labels] for labels in self.labels])
        self.number = number

    def information(self, level):
        """I(S_ij): the mean of 1/leaves over the nodes of a level, weighted by the leaves below each that occur."""
        counts = [Fraction(1, self.leaves[level][label]) for label in self.labels[level]]
        return sum(counts) / len(counts)

    def cell(self, level, code):
        """1/leaves of what a value shows at a level."""
        return 1 / self.leaves[level][self.labels[level][code]]


def as_number(text):
    try:
        return (0, float(text), text)
    except ValueError:
        return (1, 0.0, text)


def suppression(values):
    return [[value, "*"] for value in sorted(set(values))]


def from_file(path):
    return pandas.read_csv(path, sep=";", header=None, dtype=str, keep_default_na=False).to_numpy().tolist()


def order(taxonomies):
    """Definition 6: all combinations of levels, those that keep most first; levels count from the leaves here, and from
    the root in the paper. Ties: the finer level of the more important attribute first."""
    information = [[one.information(level) for level in range(one.height + 1)] for one in taxonomies]
    vectors = []
    for levels in itertools.product(*(range(one.height + 1) for one in taxonomies)):
        kept = sum(information[place][level] for place, level in enumerate(levels)) / len(levels)
        depths = tuple(one.height - level for one, level in zip(taxonomies, levels))
        vectors.append((kept, depths, levels))
    return sorted(vectors, reverse=True)


def bound(tau, l, values):
    return numpy.array([min(1.0, tau + (1 - tau) / (l - 1) * (k - 1)) for k in range(1, values + 1)])


@dataclass
class Swept:
    """For each row: the number of its class, its levels, and what is shown of its sensitive value."""

    classes: numpy.ndarray
    levels: numpy.ndarray  # rows x quasi-identifiers
    shown: numpy.ndarray  # label of the sensitive value
    labels: list  # their names
    weights: numpy.ndarray  # labels x base values: what each label stands for
    moves: int  # how often a tuple went from one class to the next
    kept: float  # um(G), Definition 5


class Sensitive:
    """Labels of the sensitive column: base values first, then inner nodes; who stands for what, and who lies above."""

    def __init__(self, taxonomy):
        self.taxonomy = taxonomy
        self.labels = list(taxonomy.values)
        for level in range(1, taxonomy.height + 1):
            self.labels += [label for label in dict.fromkeys(taxonomy.labels[level]) if label not in self.labels]
        base = len(taxonomy.values)
        self.weights = numpy.zeros((len(self.labels), base))
        self.leaves = numpy.zeros(len(self.labels))
        self.parent = [None] * len(self.labels)
        for level in range(taxonomy.height + 1):
            for place, label in enumerate(taxonomy.labels[level]):
                at = self.labels.index(label)
                self.weights[at, place] = 1
                self.leaves[at] = taxonomy.leaves[level][label]
                above = [taxonomy.labels[higher][place] for higher in range(level + 1, taxonomy.height + 1)]
                self.parent[at] = next((self.labels.index(one) for one in above if one != label), None)
        self.weights /= self.weights.sum(axis=1, keepdims=True)


def diverse(counts, weights, psi):
    """Which rows of `counts` (classes x labels) satisfy F(k) <= psi(k) for every k; an empty class does."""
    induced = counts @ weights
    sizes = counts.sum(axis=1, keepdims=True)
    shares = numpy.sort(induced, axis=1)[:, ::-1].cumsum(axis=1)
    return (shares <= psi * sizes + EXACT * numpy.maximum(sizes, 1)).all(axis=1)


def generalized(rows, shown, sensitive, psi):
    """Steps 1-2 and 20-21: sensitive values covering the dominant one go up, least general first, until it is diverse."""
    queues = {}
    for row in sorted(rows):  # rows are in the order of their quasi-identifiers
        queues.setdefault(int(shown[row]), []).append(row)
    counts = numpy.zeros((1, len(sensitive.labels)))
    for label, queue in queues.items():
        counts[0, label] = len(queue)
    while not diverse(counts, sensitive.weights, psi)[0]:
        dominant = (counts @ sensitive.weights)[0].round(9).argmax()
        covering = [label for label in range(len(sensitive.labels)) if counts[0, label] > 0
                    and sensitive.weights[label, dominant] > 0 and sensitive.parent[label] is not None]
        if not covering:
            return False
        label = min(covering, key=lambda one: (sensitive.leaves[one], one))
        above = sensitive.parent[label]
        row = queues[label].pop(0)
        bisect.insort(queues.setdefault(above, []), row)
        shown[row] = above
        counts[0, label] -= 1
        counts[0, above] += 1
    return True


def thinned(counts, weights, psi, l):
    """Section III.D: from each class leave, one by one, those who reduce its dominant value most, until it is diverse or
    empty. Returns what stays."""
    stays = counts.copy()
    # Fewer values than l can never be enough; what follows would find that out one by one.
    stays[((stays @ weights) > 0).sum(axis=1) < (l if psi[0] < 1 else 1)] = 0
    at = numpy.flatnonzero(stays.sum(axis=1) > 0)
    at = at[~diverse(stays[at], weights, psi)]
    while len(at):
        part = stays[at]
        induced = part @ weights
        dominant = induced.round(9).argmax(axis=1)
        likely = numpy.where(part > 0, weights[:, dominant].T, -1)
        leaving = likely.argmax(axis=1)
        many = jump(part, induced, psi, leaving, dominant)
        stays[at, leaving] -= many
        part = stays[at]
        hopeless = ((part @ weights) > 0).sum(axis=1) < (l if psi[0] < 1 else 1)
        stays[at[hopeless]] = 0
        at = at[~hopeless]
        at = at[~diverse(stays[at], weights, psi)]
    return stays


def jump(part, induced, psi, leaving, dominant):
    """How many may leave at once without passing a moment at which the class is diverse, or another value dominant."""
    sizes = part.sum(axis=1)
    ordered = numpy.sort(induced, axis=1)[:, ::-1]
    sums = ordered.cumsum(axis=1)
    open_ = psi < 1
    if not open_.any():
        return numpy.ones(len(part))
    need = numpy.ceil(((sums[:, open_] - psi[open_] * sizes[:, None]) / (1 - psi[open_])).max(axis=1) - EXACT)
    second = ordered[:, 1] if ordered.shape[1] > 1 else numpy.zeros(len(part))
    gap = numpy.floor(ordered[:, 0] - second)
    many = numpy.minimum(numpy.minimum(need, gap), part[numpy.arange(len(part)), leaving])
    return numpy.where(leaving == dominant, numpy.maximum(many, 1), 1)


def sweep(table, quasi, sensitive_column, tau, l):
    """Figure 4. `quasi`: name -> paths of its taxonomy, the most important first; `sensitive_column`: (name, paths).
    None where steps 1-2 or 20-21 would never end."""
    taxonomies = [Taxonomy(table[name], rows) for name, rows in quasi.items()]
    base = numpy.array([[one.number[value] for value in table[name]] for one, name in zip(taxonomies, quasi)]).T
    name, paths = sensitive_column
    of_sensitive = Taxonomy(table[name], paths)
    sensitive = Sensitive(of_sensitive)
    by_tuple = numpy.lexsort([numpy.arange(len(base)), *base.T[::-1]])
    base = base[by_tuple]
    shown = numpy.array([of_sensitive.number[value] for value in table[name]])[by_tuple]
    psi = bound(tau, l, len(of_sensitive.values))
    everyone = numpy.arange(len(base))
    if not generalized(everyone, shown, sensitive, psi):
        return None
    classes, levels_of = numpy.zeros(len(base), dtype=int), numpy.zeros(base.shape, dtype=int)
    pool, closed, moves = everyone, 0, 0
    vectors = order(taxonomies)
    for _, _, levels in vectors[:-1]:
        if not len(pool):
            break
        staying, groups = close(base[pool], shown[pool], levels, taxonomies, sensitive, psi, l)
        classes[pool[staying]] = closed + groups
        levels_of[pool[staying]] = levels
        closed += len(set(groups.tolist()))
        pool = pool[~staying]
        moves += len(pool)
    if len(pool):
        if not generalized(pool, shown, sensitive, psi):
            return None
        classes[pool], levels_of[pool] = closed, vectors[-1][2]
    kept = information(taxonomies, base, levels_of, sensitive, shown)
    back = numpy.argsort(by_tuple)
    return Swept(classes[back], levels_of[back], shown[back], sensitive.labels, sensitive.weights, moves, kept)


def close(base, shown, levels, taxonomies, sensitive, psi, l):
    """Which of the pool stay in a class at these levels, and in which."""
    key = numpy.zeros(len(base), dtype=numpy.int64)
    for place, (one, level) in enumerate(zip(taxonomies, levels)):
        codes = one.codes[level]
        key = key * (codes.max() + 1) + codes[base[:, place]]
    _, group = numpy.unique(key, return_inverse=True)
    many = len(sensitive.labels)
    cell = group * many + shown
    counts = numpy.bincount(cell, minlength=(group.max() + 1) * many).reshape(-1, many).astype(float)
    stays = thinned(counts, sensitive.weights, psi, l)
    leaving = (counts - stays).ravel()
    # Of equals the smallest tuples leave: the pool is in their order.
    sort = numpy.argsort(cell, kind="stable")
    first = numpy.searchsorted(cell[sort], cell[sort])
    rank = numpy.empty(len(cell), dtype=int)
    rank[sort] = numpy.arange(len(cell)) - first
    staying = rank >= leaving[cell]
    _, groups = numpy.unique(group[staying], return_inverse=True)
    return staying, groups


def information(taxonomies, base, levels_of, sensitive, shown):
    total = (1 / sensitive.leaves[shown]).sum()
    for place, one in enumerate(taxonomies):
        cells = numpy.array([[one.cell(level, code) for code in range(len(one.values))]
                             for level in range(one.height + 1)])
        total += cells[levels_of[:, place], base[:, place]].sum()
    return float(total / (len(base) * (len(taxonomies) + 1)))


def released(table, quasi, sensitive_column, swept):
    """The release as a table of labels, in the order of the rows; classes by number, since two may show the same."""
    frame = pandas.DataFrame(index=table.index)
    for place, (name, rows) in enumerate(quasi.items()):
        one = Taxonomy(table[name], rows)
        labels = numpy.array(one.labels, dtype=object)
        codes = numpy.array([one.number[value] for value in table[name]])
        frame[name] = labels[swept.levels[:, place], codes]
    frame[sensitive_column[0]] = numpy.array(swept.labels, dtype=object)[swept.shown]
    return frame

