"""What can be read off a released table?

Computed here from the released rows alone, with no code of the program, so that both can be compared.
"""

import numpy
import pandas


def class_counts(release, quasi, sensitive):
    """A row for each equivalence class, a column for each sensitive value."""
    keys = release.groupby(quasi, sort=False, observed=True).ngroup()
    return pandas.crosstab(keys, release[sensitive])


def homogeneity(release, quasi, sensitive):
    """Classes whose records all have the same sensitive value, and their records."""
    return exposed(class_counts(release, quasi, sensitive))


def similarity(release, quasi, sensitive, group_of):
    """Classes whose sensitive values are all of one group, and their records."""
    counts = class_counts(release, quasi, sensitive)
    return exposed(counts.T.groupby(lambda value: group_of[value]).sum().T)


def exposed(counts):
    alone = (counts > 0).sum(axis=1) == 1
    return int(alone.sum()), int(counts[alone].to_numpy().sum())


def entropy_l(release, quasi, sensitive):
    """The l for which the release is entropy l-diverse."""
    counts = class_counts(release, quasi, sensitive).to_numpy(dtype=float)
    shares = counts / counts.sum(axis=1, keepdims=True)
    logs = numpy.log(shares, out=numpy.zeros_like(shares), where=shares > 0)
    return float(numpy.exp((-shares * logs).sum(axis=1).min()))


def mutual_information(table, columns, sensitive, shuffles=20):
    """Bits that the columns together seem to tell about the sensitive one, and what of that is chance: bits that they seem to
    tell once its values are dealt out anew. Many small classes tell much about anything."""
    classes = table.groupby(columns, sort=False, observed=True).ngroup().to_numpy()
    values = pandas.factorize(table[sensitive])[0]
    random = numpy.random.default_rng(1)
    return {"mutual_information": bits(classes, values),
            "by_chance": [bits(classes, random.permutation(values)) for _ in range(shuffles)]}


def bits(classes, values):
    rows, columns = classes.max() + 1, values.max() + 1
    joint = numpy.bincount(classes * columns + values, minlength=rows * columns).reshape(rows, columns) / len(values)
    product = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    held = joint > 0
    return float((joint[held] * numpy.log2(joint[held] / product[held])).sum())


def cramers_v(table, column, sensitive):
    """The association of two columns, 0 to 1, corrected for the bias of small tables (Bergsma 2013)."""
    counts = pandas.crosstab(table[column], table[sensitive]).to_numpy(dtype=float)
    rows, columns = counts.shape
    if rows < 2 or columns < 2:
        return 0.0
    n = counts.sum()
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0, keepdims=True) / n
    phi = ((counts - expected) ** 2 / expected).sum() / n
    phi = max(0.0, phi - (rows - 1) * (columns - 1) / (n - 1))
    smaller = min(rows - (rows - 1) ** 2 / (n - 1), columns - (columns - 1) ** 2 / (n - 1))
    return float(numpy.sqrt(phi / (smaller - 1)))
