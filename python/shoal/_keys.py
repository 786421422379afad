"""Which keywords are there, and what may they be? Made by `python/keys` from the schema of policies; change the program, not this file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict, Union

#: The ids of privacy models.
Model = Literal["k-anonymity", "distinct-l-diversity", "entropy-l-diversity", "recursive-cl-diversity", "pd-recursive-cl-diversity", "npd-recursive-cl-diversity", "simple-l-diversity", "p-sensitive-k-anonymity", "alpha-k-anonymity", "tau-l-diversity", "a-d-diversity", "t-closeness", "epsilon-m-anonymity", "bayes-optimal-privacy"]

#: The ids of methods.
Method = Literal["full-domain", "mondrian", "microaggregation", "sweep", "one-dimensional", "similarity-blocks", "anatomy", "best"]


class Requirement(TypedDict, total=False):
    """The parameters of privacy models."""

    k: int
    """How many records a class holds at least."""
    column: str
    """The sensitive column that it is about; without it, each of them."""
    among: Literal["all-sensitive"]
    """The other sensitive columns count as quasi-identifiers for this test (Definition 4.5 of l-diversity)."""
    l: float
    """How many different sensitive values a class holds at least."""
    c: float
    """The most frequent value occurs less than `c` times as often as all values from rank `l` on together."""
    disclosable: Sequence[str]
    """Values that may be learned, such as `Healthy`."""
    c1: float
    """The most frequent value that may not be disclosed occurs less than `c1` times as often as what is left without it and without the `l - 2` most frequent others."""
    c2: float
    """The percentage of a class that every guarded value makes up at least."""
    guarded: Sequence[str]
    """Values that no class may rule out."""
    p: int
    """How many different values of every sensitive column a class holds at least; no more than `k`."""
    alpha: float
    """The largest share of a class that a value may make up."""
    values: Sequence[str]
    """The values that are bounded; all of them, if this is left out."""
    tau: float
    """The largest share of a class that its most frequent value may make up."""
    weights: Union[Literal["released"], Mapping[str, Any]]
    """How much of a generalized value counts for each value that it covers; by default, as much for every value that occurs in the input."""
    a: int
    """How many different values of a group a class holds at least, if it holds any of them."""
    d: int
    """How many groups a class shows at least."""
    groups: Mapping[str, Any]
    """Which sensitive values are alike."""
    t: float
    """How far the distribution of a class may be from that of all records: at most 1, with `kl` any number."""
    distance: Literal["equal", "ordered", "hierarchical", "kl", "variational"]
    """How far it is from a value to another."""
    reference: Literal["released", "table"]
    """What a class is compared with."""
    epsilon: float
    """How near two numbers are neighbours, in the unit of the column."""
    m: int
    """The neighbours of a number make up at most 1/`m` of a class."""
    relative: bool
    """Is `epsilon` a fraction of the number itself?"""
    rho1: float
    """Beliefs below this do not rise above `rho2`; the two go together."""
    rho2: float
    """Where beliefs below `rho1` may rise to; at least `rho1`."""
    difference: float
    """How far any belief may change, instead of `rho1` and `rho2`."""


class Settings(Requirement, total=False):
    """What can be set for one run without naming its section."""

    method: Method
    """How classes are found."""
    objective: Literal["loss", "height", "average-class-size", "discernibility", "precision", "non-uniform-entropy", "information"]
    """What is to be as small as possible."""
    max_suppressed: float
    """The fraction of rows that may be suppressed, or of people where `suppress` says so: 0.05 is 5%."""
    suppress: Literal["rows", "people"]
    """What is suppressed where `person` is named in [input]: rows, or people with all of theirs."""
    numbers: Literal["ranges", "hierarchy"]
    """What becomes of numbers and dates that differ within a class."""
    categories: Literal["hierarchy", "sets"]
    """What becomes of values without an order that differ within a class."""
    ends: Literal["rounded", "exact"]
    """Where ranges begin and end."""


class ColumnKeys(TypedDict, total=False):
    """What can be said of a column."""

    type: Literal["category", "number"]
    """Are the values of a quasi-identifier numbers or only names? By default numbers and dates with `intervals`, `quantiles`, `dates` or no hierarchy are put in order, and those with another one are categories."""
    min_level: int
    """The lowest level that a quasi-identifier may have."""
    max_level: int
    """The highest level that a quasi-identifier may have; by default its root."""
    weight: float
    """How much what is lost of this column weighs, beside the others."""
    dates: Union[Literal["day-first", "month-first", "year-first", "none"], Sequence[Literal["day", "week", "month", "quarter", "year", "decade"]], Mapping[str, Any]]
    """The order of day, month and year in its dates, where values can be read in several ways."""
    two_digit_years: int
    """The first of the hundred years that two digits mean: 1930 is 1930 to 2029."""
    replace: Literal["pseudonym", "random"]
    """What stands in place of an identifier, which is dropped otherwise."""
    publish: Mapping[str, Any]
    """What becomes of the numbers of a sensitive or insensitive column before anything is counted: `round`, `top`, `bottom` and `noise`."""
    key_file: Union[str, os.PathLike[str]]
    """The file with the key of pseudonyms, relative to the folder of the policy."""
    domain: str
    """Whose identifiers these are: a value has another pseudonym in every domain."""


class GeneralizedKeys(ColumnKeys, total=False):
    """What can be said of a column and of its hierarchy."""

    file: Union[str, os.PathLike[str]]
    """A file with a row for each leaf, its columns from leaf to root, no header: the layout of ARX."""
    intervals: Union[Sequence[Union[float, str]], Mapping[str, Any]]
    """Half-open intervals such as `[20, 25)`, a level for each width, each width a multiple of the one before."""
    mask: Union[bool, str, Mapping[str, Any]]
    """Codes lose one character on each level: `13053`, `1305*`, `130**`, `13***`, `1****`, `*`."""
    known: Union[Literal["countries", "states", "postal-codes", "coordinates", "geohash", "age-bands", "education", "marital-status", "isco", "soc", "nace", "naics", "icd-10", "icd-10-cm", "icd-9-cm", "atc"], Mapping[str, Any]]
    """A hierarchy that is built in, by its name: countries, diagnoses, occupations and others; `shoal hierarchy list` shows them all."""
    tree: Union[Mapping[str, Any], Sequence[Union[int, str, Mapping[str, Any]]]]
    """Groups of values and of further groups; the root above them goes without saying."""
    quantiles: Sequence[int]
    """Ranges of equal frequency, fewer on each level."""
    suppress: Union[bool, Mapping[str, Any]]
    """Two levels: a value is shown as it is, or not at all."""
    widths: Sequence[Union[float, str]]
    """The width of the intervals on each level."""
    origin: Union[float, str]
    """Where an interval begins."""
    bottom: Union[float, str]
    """Numbers below this are one interval on every level: `< 20`."""
    top: Union[float, str]
    """Numbers from this on are one interval on every level: `>= 80`."""
    from_: Literal["left", "right"]
    """The side from which characters are hidden."""
    character: str
    """What stands for a hidden character."""
    length: int
    """How many characters codes have, where there is to be the same number of levels for every table; by default as many as the longest value."""
    levels: Union[Sequence[Literal["day", "week", "month", "quarter", "year", "decade"]], Sequence[str]]
    """The period of each level, fine to coarse."""
    format: str
    """How the dates are written, where that cannot be found out."""
    name: Literal["countries", "states", "postal-codes", "coordinates", "geohash", "age-bands", "education", "marital-status", "isco", "soc", "nace", "naics", "icd-10", "icd-10-cm", "icd-9-cm", "atc"]
    """Which one it is."""
    country: str
    """The country by whose rules values are read, as two letters, for `states` and `postal-codes`."""
    unknown: Literal["refuse", "other"]
    """What becomes of values that it does not know."""
