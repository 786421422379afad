"""Does every example do what it says?"""

from __future__ import annotations

import doctest
import os
import re
import shutil
from pathlib import Path

import pytest
from conftest import documented, small_policy

import shoal

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("test", documented(), ids=lambda test: test.name)
def test_docstrings(test: doctest.DocTest, people: shoal.Table) -> None:
    test.globs.update(shoal=shoal, people=people, policy=small_policy(), Record=shoal.Record)
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed == 0


@pytest.mark.parametrize("page", ["docs/python.md", "README.md", "python/README.md"])
def test_pages(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of a page run one after the other, in a folder with a table and a hierarchy."""
    monkeypatch.chdir(tmp_path)
    make_files(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.M | re.S)
    assert blocks, f"{page} has no examples"
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)


def make_files(folder: Path) -> None:
    import polars as pl

    people = shoal.generate("census", rows=3000).to_polars()
    people.write_parquet(folder / "patients.parquet")
    people.write_csv(folder / "patients.csv")
    shoal.generate("census", rows=1000, seed=2).to_polars().write_parquet(folder / "new.parquet")
    shutil.copy(ROOT / "examples/census/occupation.csv", folder / "occupation.csv")
    assert isinstance(people, pl.DataFrame)


def test_the_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(ROOT / "examples/notebook.ipynb", as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert len(cells) == 10
    client = NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}})
    env = dict(os.environ)
    client.execute(env=env)
    shown = "\n".join(str(output) for cell in cells for output in cell.outputs)
    assert "image/svg+xml" in shown and "text/html" in shown
    assert all(output.output_type != "error" for cell in cells for output in cell.outputs)


def test_every_public_thing_has_words() -> None:
    for name in shoal.__all__:
        thing = getattr(shoal, name)
        if callable(thing):
            assert (thing.__doc__ or "").strip(), f"{name} says nothing of itself"
