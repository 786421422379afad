"""Which of several releases of one table is better in which respect?"""

from __future__ import annotations

import json
import os
from typing import Any

from shoal import _html, _shoal
from shoal._records import Record, flat
from shoal._table import Path


class Plot:
    """A drawing that shows itself in a notebook."""

    def __init__(self, svg: str) -> None:
        #: The drawing as SVG.
        self.svg = svg

    def save(self, path: Path, *, overwrite: bool = False) -> None:
        """Write it to a file.

        Parameters
        ----------
        path : path
            The file. An earlier plot is replaced.
        overwrite : bool
            May it take the place of any other file that is there?
        """
        _shoal.save_text("plot", os.fspath(path), self.svg, overwrite)

    def _repr_svg_(self) -> str:
        return self.svg[self.svg.index("<svg") :]

    def __repr__(self) -> str:
        return "a plot, shown in a notebook; .save(path) writes it as SVG"


class Comparison:
    """Releases by varied policies, side by side. The numbers are those of `shoal compare --json`."""

    def __init__(self, values: str, text: str, svg: str) -> None:
        self._values: dict[str, Any] = json.loads(values)
        self._text, self._svg = text, svg

    @property
    def points(self) -> list[Record]:
        """Each release, or why there is none."""
        return [Record(point) for point in self._values["points"]]

    @property
    def frontier(self) -> list[Record]:
        """Those that no other one beats."""
        return [point for point in self.points if point.on_frontier]

    def plot(self) -> Plot:
        """Privacy against utility, with the frontier."""
        return Plot(self._svg)

    def to_dicts(self) -> list[dict[str, Any]]:
        """A flat row for each release: for a DataFrame."""
        return flat(self._values["points"])

    def to_dict(self) -> dict[str, Any]:
        """All of it, as the JSON has it."""
        return self._values

    def __len__(self) -> int:
        return len(self._values["points"])

    def __getitem__(self, place: int) -> Record:
        return self.points[place]

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return self.plot()._repr_svg_() + _html.text(self._text)
