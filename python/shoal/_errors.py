"""What can go wrong, and which exception is it?"""

from __future__ import annotations

import json
import re
from typing import Any


class ShoalError(Exception):
    """Anything that Shoal refuses or cannot do.

    Attributes
    ----------
    kind : str
        What the error means: ``policy``, ``table``, ``no-release``, ``not-met``, ``changed``, ``place``, ``cancelled`` or ``bug``.
    text : str
        The sentence that says what is wrong.
    details : list of str
        Particulars, if there are any.
    hint : str or None
        What can be done about it.
    """

    kind = ""

    def __init__(self, message: str, particulars: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self._particulars = particulars or {}
        self.text: str = self._particulars.get("text", message)
        self.details: list[str] = self._particulars.get("details", [])
        self.hint: str | None = self._particulars.get("hint")

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (str(self), self._particulars))


class PolicyError(ShoalError, ValueError):
    """What was asked for is wrong or contradicts itself: a policy, a keyword, a recipe.

    Attributes
    ----------
    key : str or None
        The key, column or word that the message is about.
    """

    kind = "policy"

    @property
    def key(self) -> str | None:
        """The key, column or word that the message is about: the first that it names."""
        named = re.search(r"`([^`]+)`", "\n".join([self.text, *self.details]))
        return named.group(1) if named else None


class TableError(ShoalError, ValueError):
    """The table is not what it should be: its columns, its values, its types."""

    kind = "table"


class NoRelease(ShoalError):
    """The run was sound, and no release satisfies what is required.

    Attributes
    ----------
    closest : dict or None
        The combination of levels that came closest, of those that were looked at: ``levels`` by column, ``suppressed_rows``
        that it would need, and ``allowed_rows``; None where that is not known, as with methods that have no levels.
    """

    kind = "no-release"

    @property
    def closest(self) -> dict[str, Any] | None:
        """The combination of levels that came closest, of those that were looked at, and the rows that it would have to leave out."""
        closest: dict[str, Any] | None = self._particulars.get("closest")
        return closest


class NotMet(ShoalError, AssertionError):
    """The run was sound, and what was to be shown does not hold."""

    kind = "not-met"


class Changed(ShoalError):
    """The table is not the one that was counted."""

    kind = "changed"


class PlaceError(ShoalError, OSError):
    """Where something is read or written, that failed: a file, a folder, a database, a cluster."""

    kind = "place"


class Cancelled(ShoalError):
    """It was stopped by somebody else than Ctrl-C, which is a `KeyboardInterrupt` here as ever; nothing was published."""

    kind = "cancelled"


class Bug(ShoalError):
    """It should not have happened, whatever was asked."""

    kind = "bug"


_KINDS = {
    error.kind: error for error in (PolicyError, TableError, NoRelease, NotMet, Changed, PlaceError, Cancelled, Bug)
}


def made(message: str, particulars: str) -> ShoalError:
    """Make the exception of an error of the extension."""
    told = json.loads(particulars)
    told["details"] = [in_python(detail) for detail in told.get("details", [])]
    told.update({key: in_python(told[key]) for key in ("text", "hint") if told.get(key)})
    return _KINDS.get(told["kind"], ShoalError)(in_python(message), told)


#: A command to be typed as it is, or an option of one with what it stands for.
_OPTION = re.compile(r"`shoal [^`]*`|--([a-z][a-z-]+)(?: [A-Z]+\b)?")

#: Options that stand for themselves.
_SWITCHES = ("overwrite", "suppress-unknown", "strict")


def in_python(text: str) -> str:
    """What the library says of options of the command, of the keywords that they are here."""

    def keyword(found: re.Match[str]) -> str:
        option = found[1]
        return found[0] if option is None else option.replace("-", "_") + ("=True" if option in _SWITCHES else "=")

    return _OPTION.sub(keyword, text)
