"""How do keywords of Python become keys of a policy?"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any


def key(name: str) -> str:
    """The key of a policy that a keyword is: ``max_suppressed`` is ``max-suppressed``."""
    return name.rstrip("_").replace("_", "-")


def as_json(value: Any) -> str:
    """A value for the extension."""
    return json.dumps(value, default=_plain, ensure_ascii=False)


def settings(given: Mapping[str, Any] | None, keywords: Mapping[str, Any]) -> list[tuple[str, str]]:
    """All that is set for one run, by the keys of the policy."""
    all_of_them = dict(given or {})
    all_of_them.update((key(name), value) for name, value in keywords.items())
    return [(name, as_json(value)) for name, value in all_of_them.items()]


def _plain(value: Any) -> Any:
    """What JSON does not know, as something that it does."""
    if hasattr(value, "to_spec"):
        return value.to_spec()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{value!r} is nothing that a policy can say")
