"""What does each method lose, what can be learned from its release, how long does it take, and what can an attacker still do:
all methods on the same table, for the same privacy target?

Not an experiment of a paper: each compares its own method with one or two others, by measures of its own.
"""

from policies import Policy, k_anonymity, requirement
from tables import ADULT

TARGETS = {
    "k = 5, distinct l = 3": (k_anonymity(5), requirement("distinct-l-diversity", column="occupation", l=3)),
    "k = 5, t = 0.2 (equal distance)": (k_anonymity(5), requirement("t-closeness", column="occupation", t=0.2,
                                                                    distance="equal")),
}
METHODS = {
    "full-domain": {"name": "full-domain"},
    "full-domain, local": {"name": "full-domain", "local": True},
    "mondrian": {"name": "mondrian"},
    "sweep": {"name": "sweep"},
    "one-dimensional": {"name": "one-dimensional"},
    "microaggregation": {"name": "microaggregation"},
    "similarity-blocks": {"name": "similarity-blocks"},
    "anatomy": {"name": "anatomy"},
}
ATTACKS = ["homogeneity", "background-knowledge", "skewness", "similarity", "negative-disclosure", "minimality"]


def experiments(workshop):
    return {"methods-on-one-target": lambda: side_by_side(workshop)}


def side_by_side(workshop):
    tables = workshop.tables
    policy = Policy(tables.adult_train, tables.hierarchies(ADULT), {"occupation": tables.hierarchy("occupation")},
                    ("salary-class",))
    rows = []
    for target, required in TARGETS.items():
        rows += [measured(workshop, policy, target, required, name) for name in METHODS]
        workshop.say(f"  {target}")
    workshop.keep("side-by-side", rows)


def measured(workshop, policy, target, required, name):
    method, note = METHODS[name], ""
    if name == "similarity-blocks":
        groups = {"file": str(workshop.tables.printed("ad_diversity_table5_occupation_groups"))}
        required += (requirement("a-d-diversity", column="occupation", a=2, d=2, groups=groups),)
        note = "and (2,2)-diversity, which it needs"
    if name == "anatomy":
        required, note = required[1:], "without k, which it cannot give; nothing is generalized"
    policy = policy.but(require=required, method=method)
    row = {"target": target, "method": name}
    answer = workshop.anonymize(policy, runs=min(3, workshop.options.runs), threads=1)
    if not answer:
        return {**row, "note": answer.words}
    point = compared(workshop, policy)
    # Learners are asked for sensitive columns: once more, with the salary class as one that nothing is required of.
    both = policy.but(sensitive=policy.sensitive | {"salary-class": ""}, insensitive=())
    learned = {one["target"]: one for one in compared(workshop, both).get("learners") or []
               if one["learner"] == "decision-tree"}
    tree = lambda column: (learned[column]["release"] / learned[column]["original"]) if column in learned else None
    return {**row, "loss": None if name == "anatomy" else point["loss"], "classes": point["classes"],
            "information_kept": 1 - point["objectives"]["information"], "tree_for_salary_class": tree("salary-class"),
            "tree_for_occupation": tree("occupation"), "cpu_seconds": answer.cpu, "highest_risk": point["highest_risk"],
            "exposed_share_by_the_worst_attack": point["exposed_share"],
            **{f"records_{attack}": point["exposed_records"].get(attack) for attack in ATTACKS},
            "records_other_attacks": "; ".join(f"{attack} {records}" for attack, records in point["exposed_records"].items()
                                               if attack not in ATTACKS and records), "note": note}


def compared(workshop, policy):
    answer = workshop.run("compare", workshop.policy(policy), "--json", "--quiet", threads=1)
    return answer.json["points"][0]
