"""How is what an experiment asks for written as a policy?"""

import json
from dataclasses import dataclass, field, replace

SUPPRESS = "{ suppress = {} }"
MASK = '{ mask = { from = "right" } }'


def file(path):
    return f"{{ file = {json.dumps(str(path))} }}"


def requirement(model, **parameters):
    """A `[[require]]` of a policy."""
    return {"model": model, **parameters}


def k_anonymity(k):
    return requirement("k-anonymity", k=k)


def toml(value):
    """A value as TOML: JSON, but for tables."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, str) and value.startswith("{"):
        return value  # written as TOML already
    return json.dumps(value)


def lines(table):
    return [f"{key} = {toml(value)}" for key, value in table.items()]


@dataclass(frozen=True)
class Policy:
    """A table, its quasi-identifiers with their hierarchies, and what is asked of the release."""

    table: str
    quasi: dict  # name -> hierarchy, as TOML
    sensitive: dict = field(default_factory=dict)  # the same; "" for none
    insensitive: tuple = ()
    require: tuple = ()
    method: dict = field(default_factory=dict)
    levels: dict = field(default_factory=dict)  # name -> the only level allowed
    weights: dict = field(default_factory=dict)
    numbers: tuple = ("age",)  # put in order, although a file says how they are generalized

    def but(self, **changes):
        return replace(self, **changes)

    def text(self):
        text = ["[input]", f"path = {json.dumps(str(self.table))}", 'missing = ["", "?"]',
                'other-columns = "drop"',
                # Learners are told which row became which.
                "[output]", "shuffle = false"]
        for name, hierarchy in self.quasi.items():
            text += [f"[columns.{json.dumps(name)}]", 'role = "quasi-identifier"', f"hierarchy = {hierarchy}"]
            if name in self.numbers:
                text += ['type = "number"']
            if name in self.levels:
                text += [f"min-level = {self.levels[name]}", f"max-level = {self.levels[name]}"]
            if name in self.weights:
                text += [f"weight = {self.weights[name]}"]
        for name, hierarchy in self.sensitive.items():
            text += [f"[columns.{json.dumps(name)}]", 'role = "sensitive"']
            text += [f"hierarchy = {hierarchy}"] if hierarchy else []
        for name in self.insensitive:
            text += [f"[columns.{json.dumps(name)}]", 'role = "insensitive"']
        for required in self.require:
            text += ["[[require]]", *lines(required)]
        return "\n".join([*text, "[method]", *lines(self.method)]) + "\n"
