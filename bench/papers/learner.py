"""How well does a decision tree that has only seen a release classify people it has not seen?

In the spirit of ID3: splits by information gain. A generalized cell is the mean of what it may stand for: shares of its
values, or for a number the mean of them. A generalized class stands for each of its values with its share as a weight.
"""

import numpy
from sklearn.tree import DecisionTreeClassifier

from tables import SEED

TEST = 1 / 3  # the share of records that are held out
LEAST_LEAF = 10


def features(table, columns, numbers):
    """`columns`: name -> labels.Column of each input."""
    parts = []
    for name, column in columns.items():
        shares = column.shares(table[name])
        parts.append(shares @ numpy.array(column.values, dtype=float)[:, None] if name in numbers else shares)
    return numpy.hstack(parts)


def accuracy(release, original, columns, numbers, target, target_column, seed=SEED):
    """The share of held-out originals whose target a tree learned from the other released rows gets right.

    The release has the rows of the original in their order."""
    if len(release) != len(original):
        raise ValueError("rows are missing")
    # By lot: Nursery is sorted, and every third of its rows would be all those with one value.
    test = numpy.random.default_rng(seed).random(len(original)) < TEST
    inputs = features(release[~test], columns, numbers)
    shares = target_column.shares(release.loc[~test, target])
    rows, classes = numpy.nonzero(shares)
    tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=LEAST_LEAF, random_state=seed)
    tree.fit(inputs[rows], classes, sample_weight=shares[rows, classes])
    guessed = tree.predict(features(original[test], columns, numbers))
    truth = target_column.shares(original.loc[test, target]).argmax(axis=1)
    return float((guessed == truth).mean())
