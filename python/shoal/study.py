"""What can be asked about a table once it is counted?"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, overload

from shoal import _html, _shoal
from shoal._records import Record, flat
from shoal._table import Frame, Path, Table, TableLike, taken
from shoal._words import as_json, key, settings as all_settings
from shoal.advice import Advice
from shoal.comparison import Comparison
from shoal.policy import Policy, policy_of
from shoal.release import Release

if TYPE_CHECKING:
    import polars
    import pyarrow
    from typing_extensions import Unpack

    from shoal._keys import Settings
    from shoal._table import Given


class Solutions:
    """The combinations of levels that satisfy a policy. The numbers are those of `shoal solutions --json`."""

    def __init__(self, values: str, text: str) -> None:
        self._values: dict[str, Any] = json.loads(values)
        self._text = text

    def _listed(self) -> list[dict[str, Any]]:
        listed: list[dict[str, Any]] = self._values.get("all", self._values["minimal"])
        return listed

    @property
    def nodes(self) -> int | None:
        """How many combinations there are."""
        nodes: int | None = self._values["nodes"]
        return nodes

    @property
    def satisfying(self) -> int:
        """How many of them satisfy every requirement."""
        satisfying: int = self._values["satisfying"]
        return satisfying

    def __len__(self) -> int:
        return len(self._listed())

    def __getitem__(self, place: int) -> Record:
        return list(self)[place]

    def __iter__(self) -> Iterator[Record]:
        return map(Record, self._listed())

    def to_dicts(self) -> list[dict[str, Any]]:
        """A flat row for each: for a DataFrame."""
        return flat(self._listed())

    def to_dict(self) -> dict[str, Any]:
        """All of it, as the JSON has it."""
        return self._values

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        columns = list(self._listed()[0]["levels"]) if self._listed() else []
        head = [*columns, "classes", "suppressed", "loss"]
        rows = [
            [*one["levels"].values(), one["classes"], one["suppressed_rows"], one["objectives"]["loss"]]
            for one in self._listed()
        ]
        return _html.text(self._text.split("\n")[0]) + _html.table(head, rows)


class Study(Generic[Frame]):
    """A table that was counted once, and a policy to ask about it.

    Parameters
    ----------
    table : DataFrame, anything else that exports Arrow, or path
        The table about people; None for the policy's own input.
    policy : Policy or path
        What is asked for.
    settings, **keys
        Keys of the policy, set for this study: as in `shoal.anonymize`.

    Examples
    --------
    >>> study = shoal.Study(people, policy)
    >>> losses = [study.with_settings(k=k).release().loss for k in [2, 10, 50]]
    >>> losses == sorted(losses)
    True
    """

    @overload
    def __init__(
        self: Study[Given], table: Given, policy: Policy | Path, *, settings: Mapping[str, Any] | None = ..., **keys: Unpack[Settings]
    ) -> None: ...

    @overload
    def __init__(
        self: Study[Table],
        table: Path | Table,
        policy: Policy | Path,
        *,
        settings: Mapping[str, Any] | None = ...,
        **keys: Unpack[Settings],
    ) -> None: ...

    @overload
    def __init__(
        self: Study[Table | None],
        table: None,
        policy: Policy | Path,
        *,
        settings: Mapping[str, Any] | None = ...,
        **keys: Unpack[Settings],
    ) -> None: ...

    @overload
    def __init__(
        self: Study[polars.DataFrame],
        table: polars.LazyFrame,
        policy: Policy | Path,
        *,
        settings: Mapping[str, Any] | None = ...,
        **keys: Unpack[Settings],
    ) -> None: ...

    @overload
    def __init__(
        self: Study[pyarrow.Table],
        table: pyarrow.Table | pyarrow.RecordBatch,
        policy: Policy | Path,
        *,
        settings: Mapping[str, Any] | None = ...,
        **keys: Unpack[Settings],
    ) -> None: ...

    @overload
    def __init__(  # type: ignore[overload-cannot-match]
        self: Study[Any], table: Any, policy: Policy | Path, *, settings: Mapping[str, Any] | None = ..., **keys: Unpack[Settings]
    ) -> None: ...

    def __init__(
        self,
        table: TableLike,
        policy: Policy | Path,
        *,
        settings: Mapping[str, Any] | None = None,
        **keys: Any,
    ) -> None:
        rows: _shoal.ArrowTable | str | None = None
        self._out: Callable[[_shoal.ArrowTable], Any] = Table
        if table is not None:
            rows, self._out = taken(table)
        self._study = _shoal.Study(rows, policy_of(policy)._document, all_settings(settings, keys))

    def _like(self, study: _shoal.Study) -> Study[Frame]:
        other: Study[Frame] = Study.__new__(Study)
        other._study, other._out = study, self._out
        return other

    @property
    def rows(self) -> int:
        """How many rows were counted."""
        return self._study.rows

    @property
    def policy(self) -> Policy:
        """The policy, with all that was set for this study."""
        return Policy._of(self._study.policy())

    def with_policy(self, policy: Policy | Path, **keys: Unpack[Settings]) -> Study[Frame]:
        """The same table by another policy; it is read again only where the policies do not agree on what is read.

        Parameters
        ----------
        policy : Policy or path
            What is asked for instead.
        **keys
            Keys of that policy, set for the study.

        Returns
        -------
        Study
        """
        return self._like(self._study.with_policy(policy_of(policy)._document, all_settings(None, keys)))

    def with_settings(self, settings: Mapping[str, Any] | None = None, **keys: Unpack[Settings]) -> Study[Frame]:
        """The same table by the same policy with other settings.

        Parameters
        ----------
        settings : dict, optional
            Keys of the policy by their paths.
        **keys
            The same as keywords.

        Returns
        -------
        Study
        """
        return self._like(self._study.with_policy(self._study.policy(), all_settings(settings, keys)))

    def release(self, levels: Mapping[str, int] | None = None) -> Release[Frame]:
        """A verified release: the best that the policy's method finds, or that with these levels.

        Parameters
        ----------
        levels : dict, optional
            The level of each quasi-identifier. Classes that fail are suppressed; `NotMet` if these are more rows than the policy
            allows.

        Returns
        -------
        Release
        """
        return Release(self._study.release(None if levels is None else dict(levels)), self._out)

    def solutions(self, all: bool = False) -> Solutions:
        """The combinations of levels that would do: the minimal ones, or all of them.

        Parameters
        ----------
        all : bool
            All of them, not only those of which no other one lies below.

        Returns
        -------
        Solutions
        """
        return Solutions(*self._study.solutions(all))

    def why_not(self, levels: Mapping[str, int]) -> Record | None:
        """Why these levels are not enough; None if they are.

        Where people are released or left out as a whole, rows may not tell: then it is a `PolicyError`.

        Parameters
        ----------
        levels : dict
            The level of each quasi-identifier.

        Returns
        -------
        Record or None
            ``rows`` and ``classes`` that fail, the rows that are ``allowed``, the rows ``by_requirement``, and ``rare_by``: by
            column, how many of them would stay if it alone were not shown.
        """
        why = self._study.why_not(dict(levels))
        return None if why is None else Record(json.loads(why))

    def compare(
        self,
        settings: Mapping[str, Iterable[Any]] | None = None,
        *,
        privacy: str = "highest-risk",
        utility: str = "loss",
        **keys: Iterable[Any],
    ) -> Comparison:
        """Set releases side by side: every combination of the values that keys are to have.

        Parameters
        ----------
        settings, **keys
            Keys of the policy, each with a list of values: ``k=[5, 11, 20], method=["full-domain", "mondrian"]``.
        privacy : {"highest-risk", "average-risk", "exposed"}
            What counts as privacy for the frontier.
        utility : {"loss", "accuracy"}
            What counts as utility.

        Returns
        -------
        Comparison
        """
        varied = dict(settings or {})
        varied.update((key(name), values) for name, values in keys.items())
        lists = [(name, [as_json(one) for one in _several(values)]) for name, values in varied.items()]
        return Comparison(*self._study.compare(lists, privacy, utility))

    def advise(self, budget: float = 60) -> Advice:
        """What each requirement, column and limit costs; nothing more is tried after so many seconds.

        Parameters
        ----------
        budget : float
            How many seconds may go by before nothing more is tried.

        Returns
        -------
        Advice
        """
        return Advice(*self._study.advise(float(budget)))

    def __repr__(self) -> str:
        return f"Study of {self.rows:,} rows\n\n{self.policy!r}"

    def _repr_html_(self) -> str:
        return _html.text(f"a study of {self.rows:,} rows") + self.policy._repr_html_()


def _several(values: Any) -> list[Any]:
    return [values] if isinstance(values, str) or not isinstance(values, Iterable) else list(values)
