"""Do docstrings name every parameter, and what comes back, as numpydoc has it?"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

import shoal
import shoal.hierarchy
import shoal.sklearn

#: Classes that people make themselves; the others come from functions.
MADE_BY_HAND = {"Anonymizer", "Hierarchy", "Policy", "Recipe", "Record", "Study", "Table"}


def public() -> Iterator[tuple[str, Any]]:
    """Every public function, method and class, by the name that people call it."""
    modules: list[tuple[str, ModuleType]] = [
        ("shoal", shoal),
        ("shoal.hierarchy", shoal.hierarchy),
        ("shoal.sklearn", shoal.sklearn),
    ]
    for module_name, module in modules:
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isclass(thing):
                yield f"{module_name}.{name}", thing
                for method, value in vars(thing).items():
                    is_function = inspect.isfunction(value) or isinstance(value, (classmethod, staticmethod))
                    if not method.startswith("_") and is_function:
                        yield f"{module_name}.{name}.{method}", getattr(thing, method)
            elif inspect.isfunction(thing):
                yield f"{module_name}.{name}", thing


def sections(text: str) -> dict[str, str]:
    """The sections of a docstring, by their headings."""
    parts = re.split(r"^(\w+)\n-+\n", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def named(section: str) -> list[str]:
    """What a section describes: the names at the beginnings of its lines."""
    heads = [line.partition(" : ")[0] for line in section.splitlines() if line and not line[0].isspace()]
    return [name.strip().lstrip("*") for head in heads for name in head.split(",")]


def parameters(thing: Any) -> list[str]:
    return [name for name in inspect.signature(thing).parameters if name not in {"self", "cls"}]


def complaints(name: str, thing: Any) -> list[str]:
    """What is missing in a docstring, or stands there and is not so."""
    text = inspect.getdoc(thing) or ""
    found = sections(text)
    summary = text.partition("\n\n")[0]
    wrong = [] if summary.rstrip().endswith((".", "?", ":")) else ["its first sentence does not end"]
    if not inspect.isclass(thing) or thing.__name__ in MADE_BY_HAND:
        described, expected = named(found.get("Parameters", "")), parameters(thing)
        # Those that mean the same to different files or sections may stand together.
        if sorted(described) != sorted(expected):
            wrong.append(f"Parameters are {described}, the signature has {expected}")
    if not inspect.isclass(thing):
        returns = inspect.signature(thing).return_annotation not in (None, "None")
        # What takes nothing says in its sentence what it gives.
        if returns and parameters(thing) and "Returns" not in found:
            wrong.append("there is no Returns")
        if not returns and "Returns" in found:
            wrong.append("there is a Returns of something that returns nothing")
    for heading, section in found.items():
        if not section.strip():
            wrong.append(f"{heading} is empty")
    return wrong


@pytest.mark.parametrize(("name", "thing"), public(), ids=lambda value: value if isinstance(value, str) else "")
def test_docstrings_are_complete(name: str, thing: Any) -> None:
    assert complaints(name, thing) == []


def test_what_is_missing_is_seen() -> None:
    def lacking(k: int, t: float) -> int:
        """Do something.

        Parameters
        ----------
        k : int
            How many.
        """
        return k

    assert complaints("lacking", lacking) == [
        "Parameters are ['k'], the signature has ['k', 't']",
        "there is no Returns",
    ]
