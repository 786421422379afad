"""Which tables do the experiments run on, and with which hierarchies?"""

from functools import cached_property
from pathlib import Path

import numpy
import pandas

from policies import MASK, SUPPRESS, file

SEED = 1
# The order of Figure 4 of the l-diversity paper, and of Table 4 of the (a,d)-diversity paper.
ADULT = ["age", "sex", "race", "marital-status", "education", "native-country", "workclass"]
# The order of Figure 2 of the t-closeness paper.
ADULT_T = ["age", "workclass", "education", "native-country", "marital-status", "race", "sex"]
KEPT = [*ADULT, "occupation", "salary-class"]
SALES = {"zip code": MASK, "order date": '{ dates = ["month", "quarter"] }', "gender": SUPPRESS, "style": SUPPRESS,
         "price": MASK, "quantity": SUPPRESS, "shipment": SUPPRESS}
NURSERY = ["parents", "has_nurs", "form", "children", "housing", "finance", "social", "health"]
HERE = Path(__file__).resolve().parent


class Tables:
    """Tables, made in the work folder when they are first asked for."""

    def __init__(self, data, folder, workshop):
        self.data, self.folder, self.workshop = data, folder, workshop

    def need(self, *parts):
        from workshop import Absent

        path = self.data.joinpath(*parts)
        if not path.exists():
            raise Absent(f"{'/'.join(parts)} is not in the folder of data (--data)")
        return path

    def tree(self, column, variant=""):
        """The file of a hierarchy: ours, since no paper prints its own."""
        return HERE / "hierarchies" / f"{column}{variant}.csv"

    def printed(self, name):
        """A table that a paper prints, typed in."""
        return HERE / "printed" / f"{name}.csv"

    def hierarchy(self, column, variant=""):
        return file(self.tree(column, variant))

    def hierarchies(self, columns):
        return {column: self.hierarchy(column) for column in columns}

    def written(self, name, frame):
        path = self.folder / f"{name}.csv"
        frame.to_csv(path, index=False)
        return path

    @cached_property
    def adult_rows(self):
        """Adult without rows that miss a value: 45,222, of which the first 30,162 are the training part."""
        rows = pandas.read_csv(self.need("adult", "adult.csv"), dtype=str, keep_default_na=False)
        return rows[~(rows == "?").any(axis=1)][KEPT].reset_index(drop=True)

    @cached_property
    def adult(self):
        return self.written("adult", self.adult_rows)

    @cached_property
    def adult_train(self):
        """The 30,162 rows of the t-closeness paper."""
        return self.written("adult-train", self.adult_rows.head(30_162))

    @cached_property
    def adult_with_occupation(self):
        """The 32,561 rows of the (a,d)-diversity paper, but those without an occupation: it puts them in no group."""
        rows = pandas.read_csv(self.need("adult", "adult.csv"), dtype=str, keep_default_na=False).head(32_561)
        return self.written("adult-occupation", rows[rows.occupation != "?"][KEPT])

    def adult_sample(self, seed):
        """Each row of Adult with a probability of 5%."""
        chosen = numpy.random.default_rng(seed).random(len(self.adult_rows)) < 0.05
        return self.written(f"adult-sample-{seed}", self.adult_rows[chosen])

    @cached_property
    def nursery(self):
        return self.need("nursery", "nursery.csv")

    @property
    def nursery_class(self):
        return self.tree("nursery-class")

    def sales(self, rows):
        """Made-up orders with the domains of the Lands End table."""
        return self.generated("sales", rows)

    def generated(self, name, rows):
        path = self.folder / f"{name}-{rows}.csv"
        if not path.exists():
            self.workshop.run("generate", name, "--rows", rows, "--seed", SEED, "--output", path, "--quiet")
        return path
