"""How is another table recoded just as one was before?"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, overload

from shoal import _shoal
from shoal._errors import PlaceError
from shoal._table import Path, Table, TableLike, taken
from shoal._words import settings as all_settings

if TYPE_CHECKING:
    import polars
    import pyarrow
    from typing_extensions import Unpack

    from shoal._keys import Settings
    from shoal._table import Given
    from shoal.release import Release


class Recipe:
    """What must be known to recode a table as another one was. It tells no more than the policy and the release.

    Parameters
    ----------
    text : str
        What `shoal anonymize --recipe` writes.
    folder : path, optional
        Where the files are that it needs; the current folder by default.
    name : str, optional
        What messages call it.
    """

    def __init__(self, text: str, *, folder: Path = "", name: str = "the recipe") -> None:
        self._text, self._folder, self._name = text, os.fspath(folder), name

    @classmethod
    def load(cls, path: Path) -> Recipe:
        """The recipe in a file. The files that it needs are beside it.

        Parameters
        ----------
        path : path
            The file.

        Returns
        -------
        Recipe
        """
        file = FilePath(path)
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
            raise PlaceError(f"cannot read {file}: {why}") from None
        return cls(text, folder=file.parent, name=str(file))

    def save(self, path: Path, *, overwrite: bool = False) -> None:
        """Write it to a file, for `shoal apply` or for later.

        Parameters
        ----------
        path : path
            The file.
        overwrite : bool
            May it take the place of a file that is there and says something else?
        """
        _shoal.save_text("recipe", os.fspath(path), self._text, overwrite)

    def to_dict(self) -> dict[str, Any]:
        """All that it says."""
        said: dict[str, Any] = json.loads(self._text)
        return said

    def __repr__(self) -> str:
        try:
            columns = [rule["column"] for rule in self.to_dict()["columns"]]
        except (ValueError, LookupError, TypeError):
            return "Recipe that cannot be read"
        return f"Recipe for {', '.join(columns)}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Recipe) and self._text == other._text

    __hash__ = None  # type: ignore[assignment]


@overload
def apply(
    recipe: Recipe | Path,
    table: Given,
    *,
    files: Mapping[str, Path] | None = ...,
    key_file: Path | None = ...,
    suppress_unknown: bool = ...,
    settings: Mapping[str, Any] | None = ...,
    **keys: Unpack[Settings],
) -> Release[Given]: ...

@overload
def apply(
    recipe: Recipe | Path,
    table: Path | Table,
    *,
    files: Mapping[str, Path] | None = ...,
    key_file: Path | None = ...,
    suppress_unknown: bool = ...,
    settings: Mapping[str, Any] | None = ...,
    **keys: Unpack[Settings],
) -> Release[Table]: ...

@overload
def apply(
    recipe: Recipe | Path,
    table: polars.LazyFrame,
    *,
    files: Mapping[str, Path] | None = ...,
    key_file: Path | None = ...,
    suppress_unknown: bool = ...,
    settings: Mapping[str, Any] | None = ...,
    **keys: Unpack[Settings],
) -> Release[polars.DataFrame]: ...

@overload
def apply(
    recipe: Recipe | Path,
    table: pyarrow.Table | pyarrow.RecordBatch,
    *,
    files: Mapping[str, Path] | None = ...,
    key_file: Path | None = ...,
    suppress_unknown: bool = ...,
    settings: Mapping[str, Any] | None = ...,
    **keys: Unpack[Settings],
) -> Release[pyarrow.Table]: ...

@overload
def apply(  # type: ignore[overload-cannot-match]
    recipe: Recipe | Path,
    table: Any,
    *,
    files: Mapping[str, Path] | None = ...,
    key_file: Path | None = ...,
    suppress_unknown: bool = ...,
    settings: Mapping[str, Any] | None = ...,
    **keys: Unpack[Settings],
) -> Release[Any]: ...

def apply(
    recipe: Recipe | Path,
    table: TableLike,
    *,
    files: Mapping[str, Path] | None = None,
    key_file: Path | None = None,
    suppress_unknown: bool = False,
    settings: Mapping[str, Any] | None = None,
    **keys: Any,
) -> Release[Any]:
    """Recode another table as an earlier one was, and verify the result.

    Parameters
    ----------
    recipe : Recipe or path
        `Release.recipe`, or what `shoal anonymize --recipe` wrote.
    table : DataFrame, anything else that exports Arrow, or path
        The same columns, other rows.
    files : dict, optional
        Where files are that the recipe needs, by their names there; beside it by default.
    key_file : path, optional
        The key of its pseudonyms.
    suppress_unknown : bool
        Suppress rows with values that the recipe does not know, instead of refusing the table.
    settings, **keys
        Keys of [input], [output] and [[require]], set for this run.

    Returns
    -------
    Release

    Examples
    --------
    >>> release = shoal.anonymize(people, policy)
    >>> shoal.apply(release.recipe, people).classes == release.classes
    True
    """
    from shoal.release import Release

    recipe = recipe if isinstance(recipe, Recipe) else Recipe.load(recipe)
    rows, out = taken(table)
    released = _shoal.apply(
        recipe._text,
        recipe._name,
        recipe._folder,
        rows,
        all_settings(settings, keys),
        files=[(name, os.fspath(path)) for name, path in (files or {}).items()],
        key_file=None if key_file is None else os.fspath(key_file),
        suppress_unknown=suppress_unknown,
    )
    return Release(released, out)
