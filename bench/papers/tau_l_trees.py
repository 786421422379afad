"""How much do trees depend on the order of the columns, on the split, and on who grows them ((tau,l)-diversity, Figure 7)?"""

import intervals
import plots
from policies import file
from tau_l_diversity import cld, one_dimensional
from tau_l_setting import SETTINGS, excess, swept, swept_as_printed

ORDERED = {"nursery": [(0.6, 2), (0.5, 2), (0.5, 3)], "adult": [(0.5, 4), (0.4, 7)]}
GROWN = {"nursery": [(0.6, 2), (0.5, 2), (0.5, 3)], "adult": [(0.8, 2), (0.5, 4), (0.4, 7)]}
SALTS = 5  # as many splits as of the other trees


PURE = ["orders-as-printed-nursery"]


def experiments(workshop):
    found = {"orders-as-printed-nursery": lambda: orders_as_printed(workshop, SETTINGS["nursery"](workshop))}
    for name, setting in SETTINGS.items():
        found[f"orders-{name}"] = lambda setting=setting: orders(workshop, setting(workshop))
        found[f"id3-{name}"] = lambda setting=setting: id3(workshop, setting(workshop))
    return found


def orders(workshop, setting):
    """SWEEP with each column as the most important one, the others as they were; and all in reverse."""
    frame = workshop.keep(f"tau-l-diversity-orders-{setting.name}",
                          by_order(setting, lambda changed, demand: swept(workshop, changed, demand)))
    draw_orders(workshop, setting, frame)


def orders_as_printed(workshop, setting):
    """The same by sweep.py."""
    workshop.keep(f"tau-l-diversity-orders-as-printed-{setting.name}", by_order(setting, swept_as_printed))


def by_order(setting, swept_by):
    """What SWEEP keeps, and trees make of it, for every order; `swept_by`: of a setting and a requirement."""
    columns, rows = list(setting.policy.quasi), []
    ways = {"as in the table": columns, "in reverse": columns[::-1]}
    ways |= {f"{name} first": [name, *(other for other in columns if other != name)] for name in columns[1:]}
    for demand in ORDERED[setting.name]:
        for way, order in ways.items():
            changed = setting.ordered(order)
            changed.learned = setting.learned
            tried = swept_by(changed, demand)
            found = changed.accuracies(tried.release)
            if way == "as in the table":
                usual = found
            # The same splits for every order: their differences say more than two intervals do.
            gained = intervals.columns("gained", [one - other for one, other in zip(found, usual)]) if found is not usual else {}
            rows.append({"tau": demand[0], "l": demand[1], "order": way, "utility": tried.information,
                         "classes": len(tried.frequencies), **intervals.columns("accuracy", found), **gained,
                         "accuracy_of_always_the_same": setting.most_frequent})
    return rows


def draw_orders(workshop, setting, frame):
    figure = plots.Figure(f"SWEEP by order of columns: {setting.name}", 1, legend_below=True)
    figure.bars(0, list(frame["order"].unique()), {
        f"({tau:g},{l:g})": part.accuracy for (tau, l), part in frame.groupby(["tau", "l"], sort=False)},
                "", "tree accuracy / original's", "with 95% intervals over splits",
                ends={f"({tau:g},{l:g})": (part.accuracy_low, part.accuracy_high)
                      for (tau, l), part in frame.groupby(["tau", "l"], sort=False)})
    figure.axes[0].axhline(frame.accuracy_of_always_the_same.iloc[0], color="#555555", linestyle="--", linewidth=0.9,
                           label="always the most frequent class")
    figure.axes[0].tick_params(axis="x", labelrotation=45)
    figure.write(workshop, f"tau-l-diversity-orders-{setting.name}")


def id3(workshop, setting):
    """The program's own ID3, which keeps a third of the rows from the learner by what stands in them: with every value of the
    target renamed alike, another third. The release stays the same."""
    contenders = {"CLD": cld(workshop, setting), "1DLD": one_dimensional(workshop, setting)}
    rows = []
    for demand in GROWN[setting.name]:
        policies = {"SWEEP": setting.policy.but(require=({"model": "tau-l-diversity", "tau": demand[0], "l": demand[1]},),
                                                method={"name": "sweep", "objective": "information"})}
        last = list(setting.policy.quasi)[-1]
        first = [last, *(name for name in setting.policy.quasi if name != last)]
        policies[f"SWEEP, {last} first"] = policies["SWEEP"].but(quasi=setting.ordered(first).policy.quasi)
        for name, tried in contenders.items():
            fit = [one for one in tried if one.release is not None and excess(one, demand) is not None]
            if fit:
                policies[name] = max(fit, key=lambda one: one.information).policy
        usual = None
        for name, policy in policies.items():
            found = [grown(workshop, setting, policy, salt) for salt in range(SALTS)]
            if not all(found):
                continue
            shares = [one["release"] / one["original"] for one in found]
            if name == "SWEEP":
                usual = shares
            row = {"tau": demand[0], "l": demand[1], "method": name, "splits": SALTS}
            for key in ["release", "original", "majority"]:
                row |= intervals.columns(key, [one[key] for one in found])
            row |= intervals.columns("ratio", shares)
            # Split by split: for another order of columns the splits are others, which makes the interval wider, not wrong.
            if usual and name != "SWEEP":
                row |= intervals.columns("more_than_SWEEP", [one - other for one, other in zip(shares, usual)])
            rows.append(row)
    workshop.keep(f"tau-l-diversity-id3-{setting.name}", rows)


def grown(workshop, setting, policy, salt):
    """Shares of right answers of the program's decision tree; None where no learner is asked."""
    renamed = lambda value: f"{value}~{salt}"
    table = setting.original.copy()
    table[setting.target] = table[setting.target].map(renamed)
    path = workshop.tables.written("renamed", table)
    sensitive = policy.sensitive
    if setting.target == setting.sensitive:
        tree = workshop.folder / "renamed-tree.csv"
        lines = [line.split(";") for line in setting.hierarchy.read_text().splitlines()]
        tree.write_text("".join(";".join([renamed(leaf), *above]) + "\n" for leaf, *above in lines))
        sensitive = {setting.sensitive: file(tree)}
    else:
        # Learners are asked for sensitive columns; the requirement is about the first alone.
        sensitive = sensitive | {setting.target: ""}
    require = tuple({**one, "column": setting.sensitive} for one in policy.require)
    changed = policy.but(table=path, sensitive=sensitive, insensitive=(), require=require)
    answer = workshop.run("compare", workshop.policy(changed), "--json", "--quiet", threads=1).json
    learners = answer["points"][0].get("learners") or []
    return next((one for one in learners if one["learner"] == "decision-tree" and one["target"] == setting.target), None)
