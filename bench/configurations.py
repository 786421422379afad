"""Which tables are anonymized how, and what is known about the answers?"""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Optional

import arx

HIERARCHIES = Path(__file__).resolve().parent.parent / "examples" / "census"
OBJECTIVES = ["loss", "height", "average-class-size", "discernibility", "precision", "non-uniform-entropy",
              "information"]
ADULT = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation",
         "salary-class"]


@dataclass
class Configuration:
    """A policy, the table it is for, and what must come out."""

    name: str
    columns: dict  # name -> role and hierarchy, as TOML
    requirement: str
    max_suppressed: float
    method: str = ""
    objective: str = "loss"
    other_columns: str = "drop"
    missing: list = field(default_factory=lambda: ["", "?"])
    needs: Optional[Path] = None  # a file that is not part of the repository
    generated: int = 0  # or so many rows of the made-up census
    threads: Optional[int] = None
    expected: dict = field(default_factory=dict)
    new_key: str = ""  # of the policy, which older versions refuse
    policy_file: Optional[Path] = None  # a policy that is there already, instead of one made of the above
    quick: bool = False
    large: bool = False

    def policy(self):
        """The policy as TOML; the table and the release are given on the command line."""
        if self.policy_file:
            return self.policy_file.read_text().replace('file = "', f'file = "{self.policy_file.parent}/')
        lines = ["[input]", f"missing = {json.dumps(self.missing)}", f'other-columns = "{self.other_columns}"']
        for name, column in self.columns.items():
            lines += [f"[columns.{json.dumps(name)}]", column]
        lines += ["[[require]]", self.requirement, "[method]", f'objective = "{self.objective}"',
                  f"max-suppressed = {self.max_suppressed}", self.method]
        return "\n".join(lines) + "\n"

    def arx(self):
        """ARX's seconds once warm, those of its first run, and how many times faster Shoal's search is to be."""
        return arx.FIGURES.get(self.name, arx.UNKNOWN)


K5 = 'model = "k-anonymity"\nk = 5'
SUPPRESS = "{ suppress = {} }"
MASK = '{ mask = { from = "right" } }'


def t_closeness(distance):
    return f'model = "t-closeness"\nt = 0.2\ndistance = "{distance}"'


def quasi(hierarchy):
    return f'role = "quasi-identifier"\nhierarchy = {hierarchy}'


def file(path):
    return f"{{ file = {json.dumps(str(path))} }}"


def intervals(*widths):
    return f"{{ intervals = {list(widths)} }}"


def all_of(data):
    """Every configuration; those on real data need the folder `data`."""
    return [*adult(data), *adult_sensitive(data), *adult_columns(data), *kdd(data), *census(), *example()]


def adult(data):
    folder = data / "arx" / "adult"
    columns = adult_quasi(folder, ADULT)
    known = {
        0: {"levels": [0, 4, 1, 1, 3, 2, 2, 1, 0], "objective_value": 0.573150966, "classes": 24, "suppressed_rows": 0},
        5: {"levels": [0, 3, 0, 0, 2, 1, 1, 2, 0], "classes": 397, "suppressed_rows": 1346},
    }
    for percent in [0, 2, 5, 100]:
        yield Configuration(f"adult: k = 5, {percent}%", columns, K5, percent / 100, needs=folder / "adult.csv",
                            expected=known.get(percent, {}), quick=percent in known)
    for objective in OBJECTIVES[1:]:  # loss is above
        yield Configuration(f"adult: k = 5, 5%, {objective}", columns, K5, 0.05, objective=objective,
                            needs=folder / "adult.csv", quick=objective == "height")


def adult_quasi(folder, names):
    return {name: quasi(file(folder / f"adult_hierarchy_{name}.csv")) for name in names}


def adult_sensitive(data):
    folder = data / "arx" / "adult"
    columns = adult_quasi(folder, [name for name in ADULT if name != "occupation"])
    columns["occupation"] = f'role = "sensitive"\nhierarchy = {file(folder / "adult_hierarchy_occupation.csv")}'
    table = '\nreference = "table"'
    requirements = {
        "distinct l = 5": 'model = "distinct-l-diversity"\nl = 5',
        "entropy l = 3": 'model = "entropy-l-diversity"\nl = 3',
        "recursive c = 4, l = 3": 'model = "recursive-cl-diversity"\nc = 4\nl = 3',
        # ARX compares with the table; Shoal's default is to compare with what is released.
        "t = 0.2 equal, table": t_closeness("equal") + table,
        "t = 0.2 equal, released": t_closeness("equal"),
        "t = 0.2 hierarchical, table": t_closeness("hierarchical") + table,
        "t = 0.2 hierarchical, released": t_closeness("hierarchical"),
    }
    quick = ["distinct l = 5", "t = 0.2 equal, table"]
    for name, requirement in requirements.items():
        for percent in [0, 5] if name in quick else [5]:
            yield Configuration(f"adult: occupation, {name}, {percent}%", columns, requirement, percent / 100,
                                needs=folder / "adult.csv", quick=name in quick)


def adult_columns(data):
    folder = data / "arx" / "adult"
    for count in range(3, len(ADULT)):  # all nine are above
        yield Configuration(f"adult: first {count} columns, k = 5, 5%", adult_quasi(folder, ADULT[:count]), K5, 0.05,
                            needs=folder / "adult.csv", quick=count in [3, 6])


def kdd(data):
    nine = {
        "age": intervals(5, 10, 20, 40),
        "sex": SUPPRESS,
        "race": SUPPRESS,
        "marital stat": SUPPRESS,
        "education": SUPPRESS,
        "country of birth self": SUPPRESS,
        "class of worker": SUPPRESS,
        "detailed occupation recode": MASK,
        "weeks worked in year": intervals(13, 26),
    }
    fifteen = nine | {
        "hispanic origin": SUPPRESS,
        "citizenship": SUPPRESS,
        "detailed industry recode": MASK,
        "state of previous residence": SUPPRESS,
        "detailed household and family stat": SUPPRESS,
        "num persons worked for employer": intervals(2, 4),
    }
    path = data / "census_income_kdd" / "census_income.csv.zst"
    as_policy = lambda hierarchies: {name: quasi(hierarchy) for name, hierarchy in hierarchies.items()}
    yield Configuration("kdd: 9 columns, k = 5, 5%", as_policy(nine), K5, 0.05, needs=path, quick=True)
    yield Configuration("kdd: 15 columns, k = 5, 5%, budget 10 s", as_policy(fifteen), K5, 0.05,
                        method='budget = "10s"', new_key="budget", needs=path, quick=True)


def census():
    columns = {
        "age": quasi("{ intervals = { widths = [5, 10, 20], origin = 0, bottom = 20, top = 80 } }"),
        "sex": quasi(SUPPRESS),
        "race": quasi(SUPPRESS),
        "marital status": quasi(file(HIERARCHIES / "marital-status.csv")),
        "education": quasi(file(HIERARCHIES / "education.csv")),
        "country of birth": quasi(file(HIERARCHIES / "country-of-birth.csv")),
        "work class": quasi(SUPPRESS),
        "occupation": quasi(file(HIERARCHIES / "occupation.csv")),
        "salary class": quasi(SUPPRESS),
    }
    for rows in [100_000, 1_000_000, 10_000_000]:
        for threads in [1, 2]:
            # All columns are written, as by the program it is compared with; nobody should publish this.
            of_threads = "1 thread" if threads == 1 else f"{threads} threads"
            yield Configuration(f"census: {rows:,} rows, k = 5, 2%, {of_threads}", columns, K5, 0.02,
                                other_columns="insensitive", missing=[""], generated=rows, threads=threads,
                                quick=rows <= 100_000, large=rows > 1_000_000)


def example():
    """What a newcomer meets: the policy of the example as it is, with two sensitive columns, on tables of several sizes."""
    policy = HIERARCHIES / "policy.toml"
    section = re.compile(r'^\[columns\.(?:"([^"]+)"|(\S+))\]\nrole = "(quasi-identifier|sensitive)"', re.MULTILINE)
    columns = {quoted or bare: role for quoted, bare, role in section.findall(policy.read_text())}
    for rows in [100_000, 1_000_000, 10_000_000]:
        for threads in [1, 2]:
            of_threads = "1 thread" if threads == 1 else f"{threads} threads"
            yield Configuration(f"example: {rows:,} rows, as it is, {of_threads}", columns, "", 0.02, policy_file=policy,
                                generated=rows, threads=threads, quick=rows <= 100_000, large=rows > 1_000_000)
