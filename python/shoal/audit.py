"""What does a table promise, and what could an attacker do?"""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, TypedDict

from shoal import _html, _shoal
from shoal._columns import spec
from shoal._errors import PolicyError
from shoal._records import Answer, Record, wrapped
from shoal._table import Path, TableLike, taken
from shoal._words import as_json, key, settings as all_settings
from shoal.policy import Policy, policy_of

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Thresholds(TypedDict, total=False):
    """When something counts, by the names of the command's options: `shoal audit --help` describes them."""

    confidence: float
    pieces: int
    ratio: float
    difference: float
    bad: str | Sequence[str]
    near: float | str | Sequence[float | str]
    ruled_out: float
    delta: float
    epsilon: float
    rho1: float
    rho2: float
    few: int
    at_risk: float
    suda_size: int
    population_size: int
    reveal: bool


class Attack:
    """What an attack achieves, over all sensitive columns."""

    def __init__(self, id: str, findings: list[Record]) -> None:
        #: The id: `shoal.explain(id)` describes the attack.
        self.id = id
        #: What was found for each column.
        self.findings = findings

    @property
    def exposed(self) -> int:
        """How many records are exposed, by the column that exposes most."""
        return max(int(finding.exposed_records) for finding in self.findings)

    @property
    def records(self) -> int:
        """How many records were looked at."""
        return max(int(finding.records) for finding in self.findings)

    @property
    def share(self) -> float:
        """The share of records that are exposed."""
        return self.exposed / max(self.records, 1)

    @property
    def severity(self) -> str:
        """``none``, ``low``, ``medium`` or ``high``."""
        order = ["none", "low", "medium", "high"]
        return max((str(finding.severity) for finding in self.findings), key=order.index)

    def __repr__(self) -> str:
        return f"{self.id}: {self.exposed:,} of {self.records:,} records exposed ({self.severity})"


class Attacks(Mapping[str, Attack]):
    """The attacks that were tried, by id."""

    def __init__(self, found: list[dict[str, Any]], not_tried: list[dict[str, Any]]) -> None:
        self._by_id: dict[str, list[Record]] = {}
        for finding in found:
            self._by_id.setdefault(finding["attack"], []).append(Record(finding))
        #: What could not be tried, and what it needs.
        self.not_tried: dict[str, str] = {one["attack"]: one["needs"] for one in not_tried}

    def __getitem__(self, id: str) -> Attack:
        if id in self._by_id:
            return Attack(id, self._by_id[id])
        if id in self.not_tried:
            raise KeyError(f"{id} could not be tried: it needs {self.not_tried[id]}")
        near = get_close_matches(id, [*self._by_id, *self.not_tried], 1)
        raise KeyError(f"there is no attack {id!r}" + (f"; did you mean {near[0]!r}?" if near else ""))

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_id)

    def __len__(self) -> int:
        return len(self._by_id)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self._by_id)

    def __repr__(self) -> str:
        return "\n".join(repr(attack) for attack in self.values())

    def _repr_html_(self) -> str:
        rows = [[one.id, one.severity, one.exposed, one.records] for one in self.values()]
        return _html.table(["attack", "severity", "exposed", "records"], rows)


class Risk(Record):
    """How likely a record is found again; ``highest`` and ``average`` are the prosecutor's."""

    @property
    def highest(self) -> float:
        """The risk of the record that is easiest to find."""
        highest: float = self["prosecutor"]["highest"]
        return highest

    @property
    def average(self) -> float:
        """The mean risk of the records."""
        average: float = self["prosecutor"]["average"]
        return average

    def __repr__(self) -> str:
        shown = [f"highest {self.highest:.3g}, average {self.average:.3g}"]
        shown.append(f"{self['prosecutor']['records_at_risk']:,} records above {self['at_risk']:.3g}")
        shown.append(f"{self['uniqueness']['sample_records']:,} unique")
        more = [key for key in self if not key.startswith("subsets_")]
        return f"Risk({'; '.join(shown)}; more in {', '.join(more)})"


class Audit(Answer):
    """What was found out about a table. The numbers are those of `shoal audit --json`."""

    def __init__(self, audit: _shoal.Audit) -> None:
        self._audit = audit
        self._values: dict[str, Any] = json.loads(audit.to_json())

    @property
    def rows(self) -> int:
        """How many rows it has."""
        rows: int = self._values["rows"]
        return rows

    @property
    def models(self) -> list[Record]:
        """What the table promises by each privacy model."""
        models: list[Record] = wrapped(self._values["models"])
        return models

    @property
    def holds(self) -> bool | None:
        """Does every requirement of the policy hold? None without one, and where they cannot be judged (`unjudged`)."""
        holds: bool | None = self._values["holds"]
        return holds

    @property
    def unjudged(self) -> list[Record]:
        """What the policy requires of people, where the table does not tell whose rows are whose; `check` fails then."""
        unjudged: list[Record] = wrapped(self._values.get("unjudged", []))
        return unjudged

    @property
    def certificate(self) -> Record | None:
        """How it stands to its certificate: ``holds``, ``differences``, ``signature``, ..; None without one."""
        return Record(self._values["certificate"]) if "certificate" in self._values else None

    @property
    def risk(self) -> Risk | None:
        """How likely a record is found again; None where that cannot be measured."""
        return None if self._values["risk"] is None else Risk(self._values["risk"])

    @property
    def attacks(self) -> Attacks:
        """What attacks achieve, by id."""
        return Attacks(self._values["attacks"], self._values["not_tried"])

    @property
    def utility(self) -> Record | None:
        """What the table is still good for; None without its original."""
        return None if self._values["utility"] is None else Record(self._values["utility"])

    def check(self, **limits: float | bool) -> None:
        """Raise `NotMet` if the policy does not hold or cannot be judged, or the certificate or a limit does not hold: a line for a pipeline.

        Parameters
        ----------
        **limits
            Attacks and risks by id, each with the largest share or risk that is allowed: ``risk=0.09, homogeneity=0``.
            True stands for no record exposed, or none at risk.

        Examples
        --------
        >>> audit = shoal.audit(people, quasi=["age", "zip code"], sensitive=["occupation"])
        >>> audit.check(risk=0.5)
        Traceback (most recent call last):
            ...
        shoal._errors.NotMet: the limit risk>0.5 is broken
        """
        self._audit.check([key(name) if limit is True else f"{key(name)}>{limit}" for name, limit in limits.items()])

    def report(self) -> str:
        """The page about it."""
        return self._audit.report()

    def __repr__(self) -> str:
        return self._audit.to_text()

    def _repr_html_(self) -> str:
        size = self.class_size
        head = f"{self.rows:,} rows in {self.classes:,} classes of {size.min:,} to {size.max:,}"
        if self.risk is not None:
            head += f"; highest risk {self.risk.highest:.4g}"
        return _html.text(head) + self.attacks._repr_html_() + _html.folded("the report", _html.page(self.report()))


def audit(
    table: TableLike,
    *,
    policy: Policy | Path | None = None,
    quasi: str | Iterable[str] = (),
    sensitive: str | Iterable[str] = (),
    hierarchies: Mapping[str, Any] | None = None,
    original: TableLike = None,
    outsider: TableLike = None,
    population: TableLike = None,
    with_release: TableLike = None,
    sensitive_table: TableLike = None,
    knowledge: Path | None = None,
    target: str | None = None,
    person: str | None = None,
    household: str | None = None,
    certificate: Path | None = None,
    signer: Path | None = None,
    settings: Mapping[str, Any] | None = None,
    **options: Unpack[Thresholds],
) -> Audit:
    """Say what a table promises and what an attacker could do, whoever made it.

    Parameters
    ----------
    table : DataFrame, anything else that exports Arrow, or path
        A release of Shoal, or any other table.
    policy : Policy or path, optional
        What it is judged by; it also says what its columns are.
    quasi, sensitive : str or list of str
        Without a policy: which columns could identify someone, and which nobody must learn.
    hierarchies : dict, optional
        Without a policy: the hierarchies of columns, as files or from `shoal.hierarchy`.
    original, outsider, population, with_release : tables, optional
        What an attacker has: the true values, somebody else's register, the population, another release of the same people.
    sensitive_table : table, optional
        That of the sensitive values, of a release in two tables.
    knowledge : path, optional
        A file of what an attacker knows (`shoal.explain("background-knowledge")`).
    target : str, optional
        With `original`: the column that learners predict.
    person : str, optional
        The column that says whose row it is: people are then counted beside rows.
    household : str, optional
        The column that says who lives together: the risk that anybody of a household is found.
    certificate : path, optional
        Is the table still what this certificate says? It takes the place of a policy, or stands beside one; the table is then given by
        its path. `Audit.certificate` has the answer, and :meth:`Audit.check` raises where anything differs.
    signer : path, optional
        The certificate must be signed by whoever has the private key to this public one; `NotMet` if it is not.
    settings : dict, optional
        Keys of the policy, set for this audit.
    **options
        Thresholds by the names of the command's options: ``confidence``, ``pieces``, ``ratio``, ``difference``, ``bad``,
        ``near``, ``ruled_out``, ``delta``, ``epsilon``, ``rho1``, ``rho2``, ``few``, ``at_risk``, ``suda_size``,
        ``population_size``, ``reveal``.

    Returns
    -------
    Audit

    Examples
    --------
    >>> found = shoal.audit(people, quasi=["age", "zip code"], sensitive=["occupation"])
    >>> found.risk.highest
    1.0
    """
    # A text is one name, and no list of letters.
    quasi, sensitive = ([names] if isinstance(names, str) else list(names) for names in (quasi, sensitive))
    _refuse_unknown(options)
    if policy is not None and (quasi or sensitive or hierarchies):
        raise PolicyError("the policy says what the columns are: `quasi`, `sensitive` and `hierarchies` cannot stand beside it")
    if policy is None and certificate is None and not quasi:
        raise PolicyError("say which columns could identify someone: `quasi`, or a `policy`")
    if certificate is not None and (quasi or sensitive or hierarchies):
        raise PolicyError("the certificate says what the columns are: `quasi`, `sensitive` and `hierarchies` cannot stand beside it")
    if signer is not None and certificate is None:
        raise PolicyError("`signer` says who must have signed a `certificate`, and there is none")
    if sensitive_table is not None and (person or household):
        raise PolicyError("`person` and `household` are columns of one table, and `sensitive_table` is another one")
    judged = None if policy is None else policy_of(policy)._document

    def given(one: TableLike) -> Any:
        return None if one is None else taken(one)[0]

    found = _shoal.audit(
        taken(table)[0],
        {
            "policy": judged,
            "policy_file": None if policy is None or isinstance(policy, Policy) else os.fspath(policy),
            "settings": all_settings(settings, {}),
            "quasi": quasi,
            "sensitive": sensitive,
            "hierarchies": [(name, as_json(spec(one))) for name, one in (hierarchies or {}).items()],
            "sensitive_table": given(sensitive_table),
            "original": given(original),
            "outsider": given(outsider),
            "population": given(population),
            "with_release": given(with_release),
            "knowledge": None if knowledge is None else os.fspath(knowledge),
            "target": target,
            "person": person,
            "household": household,
            "certificate": None if certificate is None else os.fspath(certificate),
            "signer": None if signer is None else os.fspath(signer),
            "options": list(_option_words(options)),
        },
    )
    return Audit(found)


def _refuse_unknown(options: Mapping[str, Any]) -> None:
    known = Thresholds.__annotations__
    wrong = next((name for name in options if name not in known), None)
    if wrong is None:
        return
    near = get_close_matches(wrong, [*known, *inspect.signature(audit).parameters], 1)
    hint = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(known)}"
    message = f"an audit has no option `{wrong}`"
    raise PolicyError(f"{message}\nhint: {hint}", {"text": message, "hint": hint})


def _option_words(options: Mapping[str, Any]) -> Iterator[str]:
    """Thresholds as words of the command."""
    for name, value in options.items():
        if value is True:
            yield f"--{key(name)}"
            continue
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is not False and one is not None:
                yield f"--{key(name)}={one}"
