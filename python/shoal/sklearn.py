"""How does a release fit into a pipeline of scikit-learn?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from shoal._table import Path
from shoal.policy import Policy
from shoal.recipe import Recipe, apply
from shoal.release import Release, anonymize

__all__ = ["Anonymizer"]


class Anonymizer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Recodes tables as the one that it was fitted to.

    `fit` searches for a release, `transform` applies its recipe to another table and verifies the result. Rows that a release leaves
    out are left out, and the others come in an order that tells nothing: no row of the result stands for a row of the input.

    Parameters
    ----------
    policy : Policy or path
        What is asked for. Its method must be one that has a recipe (`full-domain`, or another that gives every row a class by its
        own values); otherwise `fit` refuses, with the reason.
    suppress_unknown : bool
        Leave out rows with values that were not there when it was fitted, instead of refusing the table.
    settings : dict, optional
        Keys of the policy, set for this run.

    Attributes
    ----------
    release_ : Release
        That of the table that it was fitted to; not kept when it is pickled.
    recipe_ : Recipe
        How values are recoded.
    columns_ : list of str
        The columns of a release.

    Examples
    --------
    >>> from shoal.sklearn import Anonymizer
    >>> anonymizer = Anonymizer(policy).fit(people)
    >>> len(anonymizer.transform(people)) == anonymizer.release_.released_rows
    True
    """

    def __init__(
        self, policy: Policy | Path, *, suppress_unknown: bool = False, settings: Mapping[str, Any] | None = None
    ) -> None:
        self.policy = policy
        self.suppress_unknown = suppress_unknown
        self.settings = settings

    def fit(self, X: Any, y: Any = None) -> Anonymizer:
        """Search for a release of a table, and keep its recipe.

        Parameters
        ----------
        X : DataFrame, anything else that exports Arrow, or path
            The table about people.
        y : ignored
            As scikit-learn has it.

        Returns
        -------
        Anonymizer
            Itself.
        """
        release = anonymize(X, self.policy, settings=self.settings)
        self.recipe_: Recipe = release.recipe
        self.release_: Release[Any] = release
        rows = release._release.table()
        self.columns_: list[str] = [] if rows is None else rows.columns
        return self

    def transform(self, X: Any) -> Any:
        """A verified release of a table by that recipe.

        Parameters
        ----------
        X : DataFrame, anything else that exports Arrow, or path
            A table with the same columns.

        Returns
        -------
        DataFrame or Table
            Of the kind that the table is of.
        """
        check_is_fitted(self, "recipe_")
        return apply(self.recipe_, X, suppress_unknown=self.suppress_unknown).table

    def get_feature_names_out(self, input_features: Any = None) -> list[str]:
        """The columns of a release.

        Parameters
        ----------
        input_features : ignored
            As scikit-learn has it.

        Returns
        -------
        list of str
        """
        check_is_fitted(self, "recipe_")
        return list(self.columns_)

    def __getstate__(self) -> dict[str, Any]:
        """All but the release, whose rows have no place in what is kept of a pipeline: the recipe is enough to transform."""
        return {name: value for name, value in super().__getstate__().items() if name != "release_"}
