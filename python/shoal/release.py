"""How does a table become a release?"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, Generic, overload

from shoal import _html, _shoal
from shoal._records import Answer, Record, wrapped
from shoal._table import Frame, Path, Table, TableLike
from shoal.audit import Attacks, Audit, Risk
from shoal.policy import Policy
from shoal.recipe import Recipe

if TYPE_CHECKING:
    from collections.abc import Callable

    import polars
    import pyarrow
    from typing_extensions import Unpack

    from shoal._keys import Settings
    from shoal._table import Given


class Release(Answer, Generic[Frame]):
    """A verified release. The numbers are those of `shoal anonymize --json`.

    What attackers could still do to it (`audit`, `risk`, `attacks`) is worked out when it is first asked for.
    """

    def __init__(self, release: _shoal.Release, out: Callable[[_shoal.ArrowTable], Any] = Table) -> None:
        self._release = release
        self._out = out
        self._values: dict[str, Any] = json.loads(release.to_json())

    @cached_property
    def table(self) -> Frame:
        """Its rows, in what the table came in: pandas, polars, pyarrow, or a `shoal.Table`; None where they are in an engine."""
        rows = self._release.table()
        return None if rows is None else self._out(rows)  # type: ignore[return-value]

    @cached_property
    def sensitive_table(self) -> Frame | None:
        """The table of its sensitive values, where those are in one of their own (`anatomy`); else None."""
        values = self._release.sensitive_table()
        return None if values is None else self._out(values)

    @property
    def policy(self) -> Policy:
        """The policy that it was made by, with all that was set for it."""
        return Policy._of(self._release.policy())

    @property
    def loss(self) -> float:
        """What is lost of the quasi-identifiers, from 0 to 1."""
        loss: float = self.objectives.loss
        return loss

    @property
    def levels(self) -> dict[str, int] | None:
        """The level of each quasi-identifier; None where each class has labels of its own."""
        levels: dict[str, int] | None = self._values.get("levels")
        return levels

    @property
    def rows(self) -> int:
        """How many rows the table had that it was made from."""
        rows: int = self._values["rows"]
        return rows

    @property
    def suppressed(self) -> int:
        """How many rows were suppressed."""
        suppressed: int = self._values["suppressed_rows"]
        return suppressed

    @property
    def models(self) -> list[Record]:
        """What was required, and what is achieved: ``model``, ``label``, ``column``, ``required``, ``achieved``, ``holds``."""
        models: list[Record] = wrapped(self._values["models"])
        return models

    @property
    def objectives(self) -> Record:
        """What was lost, by every objective."""
        if "objectives" not in self._values:
            # What a recipe does to another table is not measured; `Answer` says what there is.
            raise AttributeError
        return Record(self._values["objectives"])

    @cached_property
    def audit(self) -> Audit:
        """What attackers could do to it, what its records risk, and what it is good for."""
        return Audit(self._release.audit())

    @property
    def risk(self) -> Risk | None:
        """How likely a record is found again; None where quasi-identifiers are shown as they are."""
        return self.audit.risk

    @property
    def attacks(self) -> Attacks:
        """What attacks achieve, by id."""
        return self.audit.attacks

    @property
    def recipe(self) -> Recipe:
        """How values were recoded, for tables to come; `PolicyError` where that is more than rules about single rows."""
        return Recipe(self._release.recipe())

    def report(self) -> str:
        """The page that explains it. It tells no more than the release, and may be published beside it."""
        return self._release.report()

    def save(
        self,
        folder: Path,
        *,
        name: str = "release.parquet",
        report: bool = False,
        certificate: bool = False,
        sign: Path | None = None,
        recipe: bool = False,
        policy: bool = False,
        overwrite: bool = False,
    ) -> list[FilePath]:
        """Write it to a file in a folder, verified there once more, with what is asked for beside it: all of it, or nothing.

        Parameters
        ----------
        folder : path
            It is made if there is none.
        name : str
            What the file is called; its ending says how it is written (``.parquet``, ``.csv``, ``.csv.gz``, ``.jsonl``).
        report, certificate, recipe, policy : bool
            Also write ``report.html``, ``certificate.json``, ``recipe.json``, ``policy.toml``.
        sign : path, optional
            The private key that signs the certificate (`shoal keys`).
        overwrite : bool
            May they take the places of whatever is there? Otherwise they replace their like only, and a policy nothing.

        Returns
        -------
        list of Path
            The files.
        """
        place = FilePath(folder)
        made = [folder for folder in (place, *place.parents) if not folder.exists()]
        place.mkdir(parents=True, exist_ok=True)
        beside = {
            "report": place / "report.html" if report else None,
            "certificate": place / "certificate.json" if certificate or sign is not None else None,
            "recipe": place / "recipe.json" if recipe else None,
            "policy": place / "policy.toml" if policy else None,
        }
        key = None if sign is None else os.fspath(sign)
        try:
            self._release.save(place / name, **beside, sign=key, overwrite=overwrite)
        except BaseException:
            with suppress(OSError):
                for empty in made:
                    empty.rmdir()
            raise
        return [place / name, *(path for path in beside.values() if path is not None)]

    def __repr__(self) -> str:
        return self._release.to_text()

    def _repr_html_(self) -> str:
        rows = [[one["label"], one["required"], one["achieved"]] for one in self._values["models"]]
        promises = _html.table(["promises", "required", "achieved"], [[_plain(cell) for cell in row] for row in rows])
        return _html.text(repr(self).split("\n\n")[0]) + promises + _html.folded("the report", _html.page(self.report()))


def _plain(cell: Any) -> Any:
    return ", ".join(f"{name} {value:.4g}" for name, value in cell.items()) if isinstance(cell, dict) else cell


@overload
def anonymize(
    table: Given,
    policy: Policy | Path,
    *,
    settings: Mapping[str, Any] | None = ...,
    **keys: Unpack[Settings],
) -> Release[Given]: ...

@overload
def anonymize(
    table: Path | Table, policy: Policy | Path, *, settings: Mapping[str, Any] | None = ..., **keys: Unpack[Settings]
) -> Release[Table]: ...

@overload
def anonymize(
    table: None = ..., policy: Policy | Path | None = ..., *, settings: Mapping[str, Any] | None = ..., **keys: Unpack[Settings]
) -> Release[Table | None]: ...

@overload
def anonymize(
    table: polars.LazyFrame, policy: Policy | Path, *, settings: Mapping[str, Any] | None = ..., **keys: Unpack[Settings]
) -> Release[polars.DataFrame]: ...

@overload
def anonymize(
    table: pyarrow.Table | pyarrow.RecordBatch,
    policy: Policy | Path,
    *,
    settings: Mapping[str, Any] | None = ...,
    **keys: Unpack[Settings],
) -> Release[pyarrow.Table]: ...

@overload
def anonymize(
    table: Any, policy: Policy | Path | None = ..., *, settings: Mapping[str, Any] | None = ..., **keys: Unpack[Settings]
) -> Release[Any]: ...

def anonymize(
    table: TableLike = None,
    policy: Policy | Path | None = None,
    *,
    settings: Mapping[str, Any] | None = None,
    **keys: Any,
) -> Release[Any]:
    """Make a release that keeps the promises of a policy, and verify it.

    Parameters
    ----------
    table : DataFrame, anything else that exports Arrow, or path; optional
        The table about people; the policy's own input by default.
    policy : Policy or path
        What is asked for.
    settings : dict, optional
        Keys of the policy by their paths, set for this run: ``{"columns.age.min-level": 1}``.
    **keys
        The same as keywords: ``method="mondrian"``, ``k=11``, ``max_suppressed=0.05``.

    Returns
    -------
    Release

    Raises
    ------
    NoRelease
        No release satisfies what is required; `NoRelease.closest` says which came closest.
    PolicyError, TableError
        What was asked for is wrong, or the table is not what it should be.

    Examples
    --------
    >>> release = shoal.anonymize(people, policy, k=11, max_suppressed=0.02)
    >>> release.models[0].label, release.models[0].holds
    ('11-anonymity', True)
    """
    from shoal.study import Study

    if isinstance(table, Policy) and policy is None:
        table, policy = None, table
    if policy is None:
        raise TypeError("anonymize() needs a policy: shoal.suggest(table) is one to begin with")
    return Study(table, policy, settings=settings, **keys).release()
