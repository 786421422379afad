"""How does Python see what the JSON of Shoal says?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any


class Record(Mapping[str, Any]):
    """An object of the JSON, whose keys are attributes, too.

    Parameters
    ----------
    values : dict
        The object.

    Examples
    --------
    >>> Record({"class_size": {"min": 5, "max": 12}}).class_size.min
    5
    """

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = dict(values)

    def __getitem__(self, key: str) -> Any:
        return wrapped(self._values[key])

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_"):
            for key in (name, name.replace("_", "-")):
                if key in self._values:
                    return self[key]
        raise AttributeError(f"there is no {name!r} here, only {', '.join(self._values)}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(key for key in self._values if key.isidentifier())]

    def _ipython_key_completions_(self) -> list[str]:
        return list(self._values)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._values!r})"

    def __eq__(self, other: object) -> bool:
        return self._values == (other._values if isinstance(other, Record) else other)

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        return self._values

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._values = state

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain dictionaries and lists."""
        copy: dict[str, Any] = json.loads(json.dumps(self._values))
        return copy


class Answer:
    """What the command prints with ``--json``: what releases and audits have in common. Keys are attributes, too."""

    _values: dict[str, Any]

    @property
    def classes(self) -> int:
        """How many equivalence classes it has."""
        classes: int = self._values["classes"]
        return classes

    @property
    def class_size(self) -> Record:
        """The ``min``, ``mean`` and ``max`` of their sizes."""
        return Record(self._values["class_size"])

    @property
    def warnings(self) -> list[Record]:
        """What its readers should know."""
        warnings: list[Record] = wrapped(self._values["warnings"])
        return warnings

    def to_dict(self) -> dict[str, Any]:
        """All of it, as the JSON has it."""
        copy: dict[str, Any] = json.loads(json.dumps(self._values))
        return copy

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(key for key in self._values if key.isidentifier())]

    def __getattr__(self, name: str) -> Any:
        values = self.__dict__.get("_values", {})
        if not name.startswith("_") and name in values:
            return wrapped(values[name])
        raise AttributeError(f"{type(self).__name__} has no {name!r}, only {', '.join(values)}")


def wrapped(value: Any) -> Any:
    """The value, with objects as records."""
    if isinstance(value, dict):
        return Record(value)
    if isinstance(value, list):
        return [wrapped(part) for part in value]
    return value


def flat(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows whose objects have become columns of their own: ``levels.age``."""

    def of(row: Mapping[str, Any], before: str) -> Iterator[tuple[str, Any]]:
        for key, value in row.items():
            if isinstance(value, Mapping):
                yield from of(value, f"{before}{key}.")
            elif not isinstance(value, (list, tuple)):
                yield before + key, value

    return [dict(of(row, "")) for row in rows]
