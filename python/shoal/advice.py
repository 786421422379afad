"""What costs most of all that a policy asks for?"""

from __future__ import annotations

import json
from typing import Any

from shoal import _html
from shoal._records import Record, wrapped


class Advice:
    """What each requirement, column and limit costs, the most rewarding change first. The numbers are those of `shoal advise`."""

    def __init__(self, values: str, text: str) -> None:
        self._values: dict[str, Any] = json.loads(values)
        self._text = text

    @property
    def now(self) -> Record | None:
        """The release by the policy as it is; None if there is none."""
        return None if self._values["now"] is None else Record(self._values["now"])

    @property
    def changes(self) -> list[Record]:
        """What could be changed, and what comes of it."""
        changes: list[Record] = wrapped(self._values["advice"])
        return changes

    def to_dict(self) -> dict[str, Any]:
        """All of it, as the JSON has it."""
        return self._values

    def __len__(self) -> int:
        return len(self._values["advice"])

    def __getitem__(self, place: int) -> Record:
        return self.changes[place]

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return _html.text(self._text)
