"""How far has a long run come?"""

from __future__ import annotations

import importlib.util
import sys
from typing import Any


class Bars:
    """Bars of ``tqdm``, where it is installed and somebody watches."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._stage: str | None = None

    def show(self, stage: str | None, done: int, of: int | None) -> None:
        """Show how far a stage is."""
        if stage != self._stage:
            self.close()
            self._stage = stage
            self._bar = None if stage is None else _bar(stage, of)
        if self._bar is not None:
            self._bar.n = done if of is None else min(done, of)
            self._bar.refresh()

    def close(self) -> None:
        """Remove what was shown."""
        if self._bar is not None:
            self._bar.close()
        self._bar = self._stage = None


def _bar(stage: str, of: int | None) -> Any:
    if importlib.util.find_spec("tqdm") is None:
        return None
    if "ipykernel" in sys.modules and importlib.util.find_spec("ipywidgets") is not None:
        from tqdm.notebook import tqdm

        return tqdm(total=of, desc=stage, leave=False, unit_scale=True)
    from tqdm import tqdm

    # Nobody watches a file.
    return tqdm(total=of, desc=stage, leave=False, unit_scale=True, disable=None)
