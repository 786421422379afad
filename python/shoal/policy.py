"""What is a run asked to do?"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from shoal import _html, _shoal
from shoal._columns import Column
from shoal._errors import PolicyError
from shoal._records import Record, wrapped
from shoal._table import Path, TableLike, taken
from shoal._words import as_json, key, settings

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from shoal._keys import Model, Requirement, Settings


class Policy:
    """Which columns could identify someone, which are sensitive, and what an attacker must not be able to learn.

    It is the text of a policy file, changed key by key: comments and order stay, and `shoal` on the command line reads the same
    file. Whether it is right as a whole is said by :meth:`check`, and by whoever follows it.

    Parameters
    ----------
    text : str, optional
        The policy as TOML; nothing yet by default.
    folder : path, optional
        Where relative paths in it begin; the current folder by default.

    Examples
    --------
    >>> policy = shoal.Policy()
    >>> policy["age"] = shoal.quasi(intervals=[5, 10, 20], top=90)
    >>> policy["diagnosis"] = shoal.sensitive()
    >>> policy.require("k-anonymity", k=11)
    >>> policy.require("t-closeness", column="diagnosis", t=0.2)
    >>> print(policy.to_toml())
    [columns.age]
    role = "quasi-identifier"
    hierarchy = { intervals = { widths = [5, 10, 20], top = 90 } }
    <BLANKLINE>
    [columns.diagnosis]
    role = "sensitive"
    <BLANKLINE>
    [[require]]
    model = "k-anonymity"
    k = 11
    <BLANKLINE>
    [[require]]
    model = "t-closeness"
    column = "diagnosis"
    t = 0.2
    <BLANKLINE>
    """

    def __init__(self, text: str = "", *, folder: Path = "") -> None:
        self._document = _shoal.Document.parse(text, "the policy", os.fspath(folder))
        self._about = ""

    @classmethod
    def load(cls, path: Path) -> Policy:
        """The policy in a file. Relative paths in it begin in its folder.

        Parameters
        ----------
        path : path
            A file such as `shoal init` writes.

        Returns
        -------
        Policy
        """
        return cls._of(_shoal.Document.read(os.fspath(path)))

    @classmethod
    def _of(cls, document: _shoal.Document, about: str = "") -> Policy:
        policy = cls.__new__(cls)
        policy._document, policy._about = document, about
        return policy

    def save(self, path: Path, *, overwrite: bool = False) -> None:
        """Write it to a file, for the command line or for later.

        Relative paths in it begin in that file's folder from then on.

        Parameters
        ----------
        path : path
            The file.
        overwrite : bool
            May it take the place of a file that is there and says something else?
        """
        _shoal.save_text("policy", os.fspath(path), self.to_toml(), overwrite)

    def to_toml(self) -> str:
        """The text of the policy."""
        return self._document.text

    def to_dict(self) -> dict[str, Any]:
        """All that it says, as plain dictionaries and lists."""
        said: dict[str, Any] = json.loads(self._document.to_json())
        return said

    def copy(self) -> Policy:
        """A policy that says the same, and can be changed by itself."""
        return self._of(self._document.copy(), self._about)

    @property
    def columns(self) -> dict[str, Record]:
        """What it says of each column."""
        return {name: Record(keys) for name, keys in self.to_dict().get("columns", {}).items()}

    @property
    def requirements(self) -> list[Record]:
        """What a release must promise."""
        return [Record(keys) for keys in self.to_dict().get("require", [])]

    def __getitem__(self, column: str) -> Record:
        columns = self.columns
        if column not in columns:
            raise KeyError(f"the policy says nothing of a column {column!r}, only of {', '.join(columns) or 'none'}")
        return columns[column]

    def __setitem__(self, column: str, says: Column | Mapping[str, Any] | str) -> None:
        if isinstance(says, str):
            says = {"role": says}
        keys = says.to_dict() if isinstance(says, Column) else dict(says)
        self._document.set_column(column, as_json(keys))

    def __delitem__(self, column: str) -> None:
        """Say nothing more of a column, nor require anything about it."""
        if not self._document.remove_column(column):
            raise KeyError(column)
        for requirement in self.requirements:
            if requirement.get("column") == column:
                self.leave_out(requirement.model, column)

    def __contains__(self, column: object) -> bool:
        return column in self.columns

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self.columns)

    def require(self, model: Model, **parameters: Unpack[Requirement]) -> None:
        """Add what a release must promise, in place of what was asked for with the same model about the same column.

        Parameters
        ----------
        model : str
            The id of a privacy model: `shoal.explain()` lists them.
        **parameters
            As in a policy: ``k``, ``l``, ``t``, ``column``, ..

        Examples
        --------
        >>> policy = shoal.Policy()
        >>> policy.require("k-anonymity", k=5)
        >>> policy.require("k-anonymity", k=11)
        >>> policy.requirements
        [Record({'model': 'k-anonymity', 'k': 11})]
        """
        given: dict[str, Any] = {key(name): value for name, value in parameters.items()}
        instead_of = [number for number, known in enumerate(self.requirements) if _is_about(known, model, given.get("column"))]
        self._document.require(model, as_json(given))
        for number in reversed(instead_of):
            self._document.remove_requirement(number)

    def leave_out(self, model: str, column: str | None = None) -> None:
        """No longer require a model, about a column if one is named.

        Parameters
        ----------
        model : str
            The id of a privacy model.
        column : str, optional
            The column that it is required of.
        """
        for number, requirement in enumerate(self.requirements):
            if _is_about(requirement, model, column):
                self._document.remove_requirement(number)
                return
        raise PolicyError(f"the policy does not require `{model}`" + (f" of `{column}`" if column else ""))

    def get(self, name: str) -> Any:
        """What stands at a key, by its path: ``policy.get("input.missing")``; None if it is not there.

        Parameters
        ----------
        name : str
            The path of the key, or its name where that is clear.

        Returns
        -------
        Any
            The value; tables are records.
        """
        value = self._document.get(name)
        return None if value is None else wrapped(json.loads(value))

    def set(self, given: Mapping[str, Any] | None = None, **keys: Unpack[Settings]) -> None:
        """Set keys, by their paths or as keywords.

        Parameters
        ----------
        given : dict, optional
            Values by the paths of their keys.
        **keys
            Values by keywords, with `_` for `-`.

        Examples
        --------
        >>> policy = shoal.Policy()
        >>> policy.set({"output.seed": 7}, method="mondrian", max_suppressed=0.05)
        >>> policy.get("method.name"), policy.get("max-suppressed")
        ('mondrian', 0.05)
        >>> policy.set(max_supressed=0.05)
        Traceback (most recent call last):
            ...
        shoal._errors.PolicyError: there is no key `max-supressed` of a requirement or of every method
        hint: did you mean `max-suppressed`?
        """
        changed = self._document.copy()
        for name, value in settings(given, keys):
            changed.set(name, value)
        self._document = changed

    def remove(self, name: str) -> bool:
        """Remove a key; was it there?

        Parameters
        ----------
        name : str
            The path of the key.

        Returns
        -------
        bool
        """
        return self._document.remove(name)

    def check(self, given: Mapping[str, Any] | None = None, **keys: Unpack[Settings]) -> Record:
        """Raise `PolicyError` if it is not right; what a run by it would do, and what is probably not meant.

        Parameters
        ----------
        given : dict, optional
            Keys that are set beforehand, by their paths.
        **keys
            The same as keywords.

        Returns
        -------
        Record
            ``outline``, pairs of a verb and what it is about, and ``warnings``.
        """
        return Record(json.loads(self._document.check(settings(given, keys))))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Policy) and self.to_toml() == other.to_toml()

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> tuple[str, str, str, str]:
        return self._document.text, self._document.name, self._document.folder, self._about

    def __setstate__(self, state: tuple[str, str, str, str]) -> None:
        self._document, self._about = _shoal.Document.parse(*state[:3]), state[3]

    def _parts(self) -> tuple[list[list[str]], list[str], str]:
        """Rows about columns, requirements in words, and the method."""
        said = self.to_dict()
        columns = [
            [name, str(keys.get("role", "")), _short(keys.get("hierarchy")), _others(keys, {"role", "hierarchy"})]
            for name, keys in said.get("columns", {}).items()
        ]
        required = [f"{one.get('model')} {_others(one, {'model'})}".strip() for one in said.get("require", [])]
        method = said.get("method", {})
        return columns, required, f"{method.get('name', 'full-domain')} {_others(method, {'name'})}".strip()

    def __repr__(self) -> str:
        columns, required, method = self._parts()
        rows = [["column", "role", "hierarchy", ""], *columns]
        widths = [max(len(row[place]) for row in rows) for place in range(4)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        lines += ["", *(f"requires {one}" for one in required), f"by {method}"]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        columns, required, method = self._parts()
        wanted = _html.table(["requires", "by"], [[", ".join(required), method]])
        about = _html.folded("what was found in the table", _html.text(self._about)) if self._about else ""
        return _html.table(["column", "role", "hierarchy", ""], columns) + wanted + about


def _short(hierarchy: Any) -> str:
    """What a hierarchy is: of a long tree its beginning."""
    return shorten(_words(hierarchy), 80, placeholder=" …")


def _words(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_words(one)}".strip() for name, one in value.items())
    if isinstance(value, list):
        return "[" + ", ".join(_words(one) for one in value) + "]"
    return "" if value is None else str(value)


def _others(keys: Mapping[str, Any], but: set[str]) -> str:
    return ", ".join(f"{name} = {_words(value)}" for name, value in keys.items() if name not in but)


def _is_about(requirement: Mapping[str, Any], model: str, column: str | None) -> bool:
    return requirement.get("model") == model and requirement.get("column") == column


def policy_of(policy: Policy | Path) -> Policy:
    """The policy, or that in a file."""
    if isinstance(policy, (str, os.PathLike)):
        return Policy.load(policy)
    if not isinstance(policy, Policy):
        raise TypeError(f"{type(policy).__name__} is no policy: give a shoal.Policy or the path of a file")
    return policy


def suggest(table: TableLike) -> Policy:
    """A policy to begin with: what `shoal init` proposes for a table.

    Roles and hierarchies are guesses from names and values; a column in doubt counts as a quasi-identifier, since that is the safe
    side. Go through the roles and change what is not right.

    Parameters
    ----------
    table : DataFrame, anything else that exports Arrow, or path

    Returns
    -------
    Policy
        It runs as it is. In a notebook it also shows what was found.

    Examples
    --------
    >>> policy = shoal.suggest(shoal.generate("census", rows=1000))
    >>> policy["zip code"].role
    'quasi-identifier'
    """
    document, summary = _shoal.suggest(taken(table)[0])
    return Policy._of(document, summary)
