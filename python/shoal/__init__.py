"""Publish data about people safely.

Say which columns could identify someone and which are sensitive, and what an attacker must not be able to learn. Shoal finds the
least damaging release that keeps that promise, and proves it on the table that it hands out.

Examples
--------
>>> import shoal
>>> people = shoal.generate("census", rows=1000)
>>> policy = shoal.Policy()
>>> policy["age"] = shoal.quasi(intervals=[5, 10, 20])
>>> policy["zip code"] = shoal.quasi(mask="right")
>>> policy["occupation"] = shoal.sensitive()
>>> policy.require("k-anonymity", k=5)
>>> policy.set({"input.other-columns": "drop"})
>>> release = shoal.anonymize(people, policy)
>>> release.class_size.min >= 5, release.suppressed
(True, 0)
"""

from shoal import hierarchy
from shoal._columns import Column, identifier, insensitive, quasi, sensitive
from shoal._errors import Bug, Cancelled, Changed, NoRelease, NotMet, PlaceError, PolicyError, ShoalError, TableError
from shoal._records import Record
from shoal._shoal import explain
from shoal._shoal import version as __version__
from shoal._table import Table, generate
from shoal.advice import Advice
from shoal.audit import Attack, Attacks, Audit, Risk, audit
from shoal.comparison import Comparison
from shoal.hierarchy import Hierarchy
from shoal.policy import Policy, suggest
from shoal.recipe import Recipe, apply
from shoal.release import Release, anonymize
from shoal.study import Solutions, Study

__all__ = [
    "Advice",
    "Attack",
    "Attacks",
    "Audit",
    "Bug",
    "Cancelled",
    "Changed",
    "Column",
    "Comparison",
    "Hierarchy",
    "NoRelease",
    "NotMet",
    "PlaceError",
    "Policy",
    "PolicyError",
    "Recipe",
    "Record",
    "Release",
    "Risk",
    "ShoalError",
    "Solutions",
    "Study",
    "Table",
    "TableError",
    "__version__",
    "anonymize",
    "apply",
    "audit",
    "explain",
    "generate",
    "hierarchy",
    "identifier",
    "insensitive",
    "quasi",
    "sensitive",
    "suggest",
]
