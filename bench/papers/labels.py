"""Which values does a released cell stand for?"""

import re

import numpy
import pandas

RANGE = re.compile(r"^[\[(](-?[\d.]+), (-?[\d.]+)([\])])$")


class Column:
    """The values of an original column, and the shares of each in the cells of a release."""

    def __init__(self, values, hierarchy=None):
        """`hierarchy`: a file from leaf to root; without one, only `*` and sets stand for several values."""
        self.values = sorted(set(values))
        self.place = {value: place for place, value in enumerate(self.values)}
        self.labels = {"*": list(self.values)}
        if hierarchy is not None:
            rows = pandas.read_csv(hierarchy, sep=";", header=None, dtype=str, keep_default_na=False)
            for level in rows.columns[1:]:
                for label, leaves in rows[rows[0].isin(self.place)].groupby(level)[0]:
                    self.labels[label] = list(leaves)

    def covered(self, cell):
        """The values that a cell stands for."""
        if cell in self.place:
            return [cell]
        if cell in self.labels:
            return self.labels[cell]
        if found := RANGE.match(cell):
            low, high = float(found[1]), float(found[2])
            return [value for value in self.values
                    if low <= float(value) < high or (found[3] == "]" and float(value) == high)]
        if cell.startswith("{") and cell.endswith("}"):
            return [value for part in cell[1:-1].split(", ") for value in self.covered(part)]
        raise ValueError(f"no value of the column is covered by {cell!r}")

    def shares(self, cells):
        """A row for each cell, a column for each value: 1 / values covered."""
        kinds, codes = numpy.unique(numpy.asarray(cells, dtype=object).astype(str), return_inverse=True)
        shares = numpy.zeros((len(kinds), len(self.values)))
        for row, kind in enumerate(kinds):
            covered = self.covered(kind)
            shares[row, [self.place[value] for value in covered]] = 1 / len(covered)
        return shares[codes]
