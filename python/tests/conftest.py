"""What do the tests start from?"""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import shoal


def small_policy() -> shoal.Policy:
    """A policy for generated people."""
    policy = shoal.Policy()
    policy["age"] = shoal.quasi(intervals=[5, 10, 20])
    policy["zip code"] = shoal.quasi(mask="right")
    policy["occupation"] = shoal.sensitive()
    policy.require("k-anonymity", k=5)
    policy.set({"input.other-columns": "drop"})
    return policy


@pytest.fixture
def policy() -> shoal.Policy:
    return small_policy()


@pytest.fixture(scope="session")
def people() -> shoal.Table:
    return shoal.generate("census", rows=1000)


def documented() -> list[doctest.DocTest]:
    """Every example of the package."""
    names = [name for _, name, _ in pkgutil.iter_modules(shoal.__path__, "shoal.") if not name.endswith(("__main__", "._shoal"))]
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = []
    for module in [shoal, *map(importlib.import_module, names)]:
        found += [test for test in finder.find(module) if test.examples]
    return found
