"""What is a column to an attacker, and what may become of its values?"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, Any

from shoal import _shoal
from shoal._words import key

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from shoal._keys import ColumnKeys, GeneralizedKeys

#: What is meant, in each way to make a hierarchy, by the one value that it may be short for.
_MAIN = {"intervals": "widths", "dates": "levels", "known": "name"}


class Column:
    """What a policy says of a column: its role, and whatever else.

    Made by :func:`quasi`, :func:`sensitive`, :func:`identifier` and :func:`insensitive`.
    """

    def __init__(self, role: str, keys: Mapping[str, Any]) -> None:
        self.role = role
        self.keys = dict(keys)

    def to_dict(self) -> dict[str, Any]:
        """The keys of the policy."""
        return {"role": self.role, **self.keys}

    def __repr__(self) -> str:
        return f"Column({self.to_dict()!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Column) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]


def quasi(hierarchy: Any = None, **keys: Unpack[GeneralizedKeys]) -> Column:
    """A column that others may know of a person, so that it is generalized.

    Parameters
    ----------
    hierarchy : Hierarchy, path or dict, optional
        What its values may become.
    **keys
        A hierarchy by its way and parameters (``intervals=[5, 10, 20], top=90``; ``mask="right"``; ``dates=["month", "year"]``;
        ``quantiles=[16, 4]``; ``tree={..}``; ``file="job.csv"``; ``known="postal-codes", country="US"``; ``suppress=True``), and other keys of the column
        (``min_level``, ``max_level``, ``weight``, ``type``). `shoal.explain("columns")` describes them all.

    Returns
    -------
    Column

    Examples
    --------
    >>> shoal.quasi(intervals=[5, 10, 20], top=90, min_level=1)
    Column({'role': 'quasi-identifier', 'min-level': 1, 'hierarchy': {'intervals': {'widths': [5, 10, 20], 'top': 90}}})
    """
    return _column("quasi-identifier", hierarchy, keys)


def sensitive(hierarchy: Any = None, **keys: Unpack[GeneralizedKeys]) -> Column:
    """A column that nobody must learn about a person; keywords as for :func:`quasi`.

    Parameters
    ----------
    hierarchy : Hierarchy, path or dict, optional
        What its values may become; models and reports ask it which values are alike.
    **keys
        As for :func:`quasi`.

    Returns
    -------
    Column

    Examples
    --------
    >>> shoal.sensitive("icd10.csv")
    Column({'role': 'sensitive', 'hierarchy': {'file': 'icd10.csv'}})
    """
    return _column("sensitive", hierarchy, keys)


def identifier(**keys: Unpack[ColumnKeys]) -> Column:
    """A column that names a person: dropped, or replaced (``replace="pseudonym"``).

    Parameters
    ----------
    **keys
        Other keys of the column: ``replace``, ``key_file``, ``domain``.

    Returns
    -------
    Column

    Examples
    --------
    >>> shoal.identifier()
    Column({'role': 'identifier'})
    """
    return _column("identifier", None, keys)


def insensitive(**keys: Unpack[ColumnKeys]) -> Column:
    """A column that tells nothing about anybody: published as it is.

    Parameters
    ----------
    **keys
        Other keys of the column: ``publish``.

    Returns
    -------
    Column

    Examples
    --------
    >>> shoal.insensitive()
    Column({'role': 'insensitive'})
    """
    return _column("insensitive", None, keys)


@cache
def _keys(section: str) -> frozenset[str]:
    return frozenset(one["name"] for one in json.loads(_shoal.keys()) if one["section"] == section)


def _known(section: str) -> frozenset[str]:
    return frozenset(name for name in _keys(section) if "." not in name)


def _parameters(way: str) -> frozenset[str]:
    """Those of a way to make a hierarchy."""
    return frozenset(name.removeprefix(f"{way}.") for name in _keys("hierarchy") if name.startswith(f"{way}."))


def _column(role: str, hierarchy: Any, keywords: Mapping[str, Any]) -> Column:
    given = {key(name): value for name, value in keywords.items()}
    # `dates` is a way to make a hierarchy, and a word that says how dates are read.
    own = {
        name: value
        for name, value in given.items()
        if name in _known("columns") and not (name in _known("hierarchy") and not isinstance(value, str))
    }
    parts = {name: value for name, value in given.items() if name not in own}
    if hierarchy is not None:
        own["hierarchy"] = spec(hierarchy)
        # Whatever else there is belongs to no hierarchy, and the policy says so.
        own.update(parts)
    elif parts:
        own.update(_with_hierarchy(parts))
    return Column(role, own)


def _with_hierarchy(parts: Mapping[str, Any]) -> dict[str, Any]:
    """What is said of a column with a hierarchy of these parts; what is meant for the column itself stays outside."""
    way = next((name for name in parts if name in _known("hierarchy")), None)
    if way is None:
        return dict(parts)

    def is_of_column(name: str) -> bool:
        near = get_close_matches(name, [*_parameters(way), *_keys("columns")], 1)
        return bool(near) and near[0] not in _parameters(way)

    outside = {name: value for name, value in parts.items() if name != way and is_of_column(name)}
    return {**outside, "hierarchy": made_of({name: value for name, value in parts.items() if name not in outside})}


def made_of(parts: Mapping[str, Any]) -> dict[str, Any] | None:
    """The hierarchy that these keywords describe; None if they name no way to make one."""
    ways = [name for name in parts if name in _known("hierarchy")]
    if not ways:
        return None
    way, parameters = ways[0], {name: value for name, value in parts.items() if name != ways[0]}
    value = parts[way]
    if way == "mask" and isinstance(value, str):
        value = {"from": value}
    elif way in ("mask", "suppress") and value is True:
        value = {}
    elif way == "file" and isinstance(value, os.PathLike):
        value = os.fspath(value)
    elif parameters and not isinstance(value, Mapping):
        value = {_MAIN.get(way, way): value}
    return {way: {**value, **parameters} if parameters else value}


def spec(hierarchy: Any) -> dict[str, Any]:
    """A hierarchy as a policy says it."""
    if hasattr(hierarchy, "to_spec"):
        made: dict[str, Any] = hierarchy.to_spec()
        return made
    if isinstance(hierarchy, (str, os.PathLike)):
        return {"file": os.fspath(hierarchy)}
    return dict(hierarchy)
