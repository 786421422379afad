"""What does a value become as it is generalized, level by level?"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from shoal import _html, _shoal
from shoal._columns import made_of
from shoal._errors import PolicyError
from shoal._table import Path, column_of
from shoal._words import as_json, key

__all__ = ["Hierarchy", "dates", "from_file", "intervals", "mask", "quantiles", "suggest", "suppress", "tree"]


class Hierarchy:
    """A way to generalize the values of a column.

    Made by the functions of this module. In a terminal and in a notebook it shows its tree, once it knows the values.

    Parameters
    ----------
    spec : dict
        What a policy says of it: ``{"intervals": [5, 10]}``.
    folder : path, optional
        Where relative paths in it begin; the current folder by default.
    values : series, array or list, optional
        The values that it is shown with.
    reason : str, optional
        Why it was suggested.
    """

    def __init__(self, spec: Mapping[str, Any], *, folder: Path = "", values: Any = None, reason: str = "") -> None:
        self._spec = dict(spec)
        self._folder = os.fspath(folder)
        self._column: tuple[Any, Any] = (None, None) if values is None else column_of(values)
        #: Why it was suggested, if it was.
        self.reason = reason

    def to_spec(self) -> dict[str, Any]:
        """What a policy says: ``{"intervals": [5, 10]}``."""
        return self._spec

    def of(self, values: Any) -> Hierarchy:
        """The same for these values: a series, an array or a list.

        Parameters
        ----------
        values : series, array or list
            The values that it is then shown with.

        Returns
        -------
        Hierarchy
        """
        return Hierarchy(self._spec, folder=self._folder, values=values, reason=self.reason)

    def check(self) -> list[str]:
        """What should be known of it; raises `PolicyError` where it has defects, such as values that it does not cover."""
        defects, warnings = _shoal.check_hierarchy(as_json(self._spec), self._folder, *self._column)
        if defects:
            raise PolicyError("\n".join(defects))
        return warnings

    def rows(self) -> list[list[str]]:
        """The labels of each leaf, from the leaf to the root."""
        return self._shown(0)[0]

    @property
    def levels(self) -> int:
        """The number of levels, that of the values included."""
        return len(self.rows()[0])

    def _shown(self, lines: int) -> tuple[list[list[str]], str, str]:
        return _shoal.show_hierarchy(as_json(self._spec), self._folder, *self._column, lines=lines)

    def __repr__(self) -> str:
        try:
            _, summary, drawing = self._shown(30)
        except PolicyError:
            return f"Hierarchy({self._spec!r})"
        return f"{summary}\n{drawing}"

    def _repr_html_(self) -> str:
        return _html.text(repr(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hierarchy) and self._spec == other._spec

    __hash__ = None  # type: ignore[assignment]


def _made(way: str, value: Any, parameters: Mapping[str, Any]) -> Hierarchy:
    made = made_of({way: value, **{key(name): one for name, one in parameters.items()}})
    return Hierarchy(made or {})


def intervals(widths: Sequence[float], **parameters: Any) -> Hierarchy:
    """Half-open intervals, a level for each width; ``origin``, ``bottom`` and ``top`` as in a policy.

    Parameters
    ----------
    widths : list of numbers
        The width on each level, each a multiple of the one before.
    **parameters
        ``origin``, ``bottom`` and ``top``, as in a policy.

    Returns
    -------
    Hierarchy

    Examples
    --------
    >>> shoal.hierarchy.intervals([5, 10], top=90).to_spec()
    {'intervals': {'widths': [5, 10], 'top': 90}}
    >>> shoal.hierarchy.intervals([5, 10]).of([3, 7, 12]).rows()
    [['3', '[0, 5)', '[0, 10)', '*'], ['7', '[5, 10)', '[0, 10)', '*'], ['12', '[10, 15)', '[10, 20)', '*']]
    """
    return _made("intervals", list(widths), parameters)


def mask(from_: str = "right", **parameters: Any) -> Hierarchy:
    """Codes that lose one character on each level; ``character`` and ``length`` as in a policy.

    Parameters
    ----------
    from_ : {"right", "left"}
        The side from which characters are hidden.
    **parameters
        ``character`` and ``length``, as in a policy.

    Returns
    -------
    Hierarchy

    Examples
    --------
    >>> shoal.hierarchy.mask("right").of(["13053", "13068"]).rows()[0]
    ['13053', '1305*', '130**', '13***', '1****', '*']
    """
    return _made("mask", {"from": from_, **{key(name): value for name, value in parameters.items()}}, {})


def dates(levels: Sequence[str], **parameters: Any) -> Hierarchy:
    """The periods that a date lies in: ``day``, ``week``, ``month``, ``quarter``, ``year``, ``decade``.

    Parameters
    ----------
    levels : list of str
        The period of each level, fine to coarse.
    **parameters
        ``format``, as in a policy.

    Returns
    -------
    Hierarchy

    Examples
    --------
    >>> shoal.hierarchy.dates(["month", "year"]).of(["2024-03-01"]).rows()
    [['2024-03-01', '2024-03', '2024', '*']]
    """
    return _made("dates", list(levels), parameters)


def quantiles(groups: Sequence[int]) -> Hierarchy:
    """Ranges of equal frequency, fewer on each level.

    Parameters
    ----------
    groups : list of int
        How many ranges there are on each level.

    Returns
    -------
    Hierarchy
    """
    return _made("quantiles", list(groups), {})


def tree(groups: Mapping[str, Any] | Sequence[Any]) -> Hierarchy:
    """Groups of values and of further groups; the root goes without saying.

    Parameters
    ----------
    groups : dict or list
        What belongs to each group: values, and groups of further values.

    Returns
    -------
    Hierarchy

    Examples
    --------
    >>> shoal.hierarchy.tree({"desk": ["clerk"], "field": ["farmer", {"craft": ["smith"]}]}).rows()[2]
    ['smith', 'craft', 'field', '*']
    """
    return _made("tree", groups, {})


def suppress() -> Hierarchy:
    """A value is shown as it is, or not at all."""
    return _made("suppress", {}, {})


def from_file(path: Path) -> Hierarchy:
    """A file with a row for each leaf, its columns from leaf to root: the layout of ARX.

    Parameters
    ----------
    path : path
        The file; `;`, `,` or a tab stands between its columns.

    Returns
    -------
    Hierarchy
    """
    return Hierarchy({"file": os.fspath(path)})


def suggest(values: Any) -> Hierarchy:
    """What `shoal hierarchy suggest` proposes for these values: a series, an array or a list.

    Parameters
    ----------
    values : series, array or list
        What stands in the column.

    Returns
    -------
    Hierarchy
        Its ``reason`` says why it was chosen.

    Examples
    --------
    >>> proposed = shoal.hierarchy.suggest([31, 34, 38, 47, 52, 61])
    >>> list(proposed.to_spec())
    ['intervals']
    """
    spec, reason = _shoal.suggest_hierarchy(*column_of(values))
    return Hierarchy(json.loads(spec), values=values, reason=reason)
