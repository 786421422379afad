"""(tau,l)-diversity (Tian, Zhang 2009), section IV: does a sweep that generalizes sensitive values protect no more than
asked for, and keep more?

SWEEP is asked for each (tau,l) itself, as the program does it and as the paper prints it. CLD (full-domain, Incognito,
recursive (c,l)) and 1DLD (one-dimensional, simple l-diversity) are run with every parameter, and of the releases that satisfy
(tau,l) the best counts.
"""

import statistics
from dataclasses import replace

import plots
from claims import guaranteeing
from policies import requirement
from tau_l_setting import AS_PRINTED, SETTINGS, Tried, attempt, excess, mean_excess, swept, swept_as_printed

ANY = 1e9  # a c that everything with l values satisfies
JUST_BELOW = 1 - 1e-12  # two thresholds r/tail of so few rows are further apart


QUICK = ["two-sweeps"]


def experiments(workshop):
    found = {"two-sweeps": lambda: two_sweeps(workshop)}
    found["guaranteeing-nursery"] = lambda: guaranteed(workshop, SETTINGS["nursery"](workshop))
    return found | {f"figures-5-to-8-{name}": lambda setting=setting: compare(workshop, setting(workshop))
                    for name, setting in SETTINGS.items()}


def two_sweeps(workshop):
    """Do the program and sweep.py, which share nothing but the paper, put the same records together?"""
    setting, rows = SETTINGS["nursery"](workshop), []
    for demand in [(0.6, 2), (0.5, 3), (0.4, 4), (0.2, 5)]:
        tried = [swept(workshop, setting, demand), swept_as_printed(setting, demand)]
        own, printed = [one.release.groupby(list(setting.policy.quasi), sort=False, observed=True).ngroup() for one in tried]
        both = len(set(zip(own, printed)))
        rows.append({"tau": demand[0], "l": demand[1], "classes": own.nunique(), "classes_as_printed": printed.nunique(),
                     "in_common": both, "the_same": both == own.nunique() == printed.nunique(),
                     "sensitive_values_shown_alike": int((tried[0].release[setting.sensitive].astype(str).to_numpy()
                                                         == tried[1].release[setting.sensitive].to_numpy()).sum()),
                     "utility": tried[0].information, "utility_as_printed": tried[1].information})
    workshop.keep("tau-l-diversity-two-sweeps", rows)


def compare(workshop, setting):
    for method in ["sweep", "one-dimensional"]:
        workshop.need_method(method)
    contenders = {"CLD": cld(workshop, setting), "1DLD": one_dimensional(workshop, setting)}
    rows = []
    for place, demand in enumerate(setting.demands):
        rows.append(row("SWEEP", demand, swept(workshop, setting, demand, workshop.options.runs), ""))
        if place < AS_PRINTED[setting.name]:
            rows.append(row("SWEEP as printed", demand, swept_as_printed(setting, demand), ""))
        for name, tried in contenders.items():
            rows += chosen(name, tried, demand)
        workshop.say(f"  {setting.name} {demand}")
    for one in rows:
        tried = one.pop("tried")
        one |= tried.accuracy(setting) if tried and tried.release is not None else \
            {"accuracy": None, "accuracy_low": None, "accuracy_high": None}
        one["accuracy_of_always_the_same"] = setting.most_frequent
    frame = workshop.keep(f"tau-l-diversity-{setting.name}", rows)
    draw(workshop, setting, frame)


def guaranteed(workshop, setting):
    """Section IV.C: what do the weakest simple l and the weakest (c,l) keep that guarantee (tau,l) for any table with as many
    sensitive values?"""
    rows = []
    values = len(setting.values.values)
    for tau, l in setting.demands:
        simple, c = guaranteeing(tau, l, values)
        ways = {"1DLD": (requirement("simple-l-diversity", l=simple), {"name": "one-dimensional", "objective": "information"}),
                "CLD": (requirement("recursive-cl-diversity", c=float(c), l=l),
                        {"name": "full-domain", "objective": "information"})}
        for name, (required, method) in ways.items():
            answer = workshop.anonymize(setting.policy.but(require=(required,), method=method), threads=1)
            rows.append({"tau": tau, "l": l, "method": name, "simple_l_or_c": required.get("c", required["l"]),
                         "utility": 1 - answer.json["objectives"]["information"] if answer else None,
                         "classes": answer.json["classes"] if answer else None, "note": answer.words})
    workshop.keep("tau-l-diversity-guaranteeing-nursery", rows)


def row(method, demand, tried, choice, runs=1, cpu=None):
    there = tried is not None and tried.release is not None
    return {"tau": demand[0], "l": demand[1], "method": method, "choice": choice,
            "parameters": tried.parameters if there else "", "excess": excess(tried, demand) if there else None,
            "mean_excess": mean_excess(tried, demand) if there else None,
            "utility": tried.information if there else None, "classes": len(tried.frequencies) if there else None,
            "runs": runs, "cpu_seconds_of_all_runs": cpu if cpu is not None else tried.cpu,
            "cpu_seconds_of_this_run": tried.cpu if there else None, "times_it_was_run": len(tried.times) if there else None,
            "median_cpu_seconds_of_this_run": statistics.median(tried.times) if there and tried.times else None,
            "most_cpu_seconds_of_this_run": max(tried.times) if there and tried.times else None, "tried": tried}


def cld(workshop, setting):
    """Every release that CLD gives for some c and l. For one l, as c falls, the best table changes only where c reaches what
    it needs: so each run asks for just less than the last one reached, and no c is left out."""
    method, by_levels, found = {"name": "full-domain", "search": "incognito", "objective": "information"}, {}, []
    for l in range(2, len(setting.values.values) + 1):
        c = ANY
        while True:
            required = requirement("recursive-cl-diversity", c=c, l=l)
            answer = workshop.anonymize(setting.policy.but(require=(required,), method=method), runs=workshop.options.runs,
                                        threads=1)
            if not answer:
                found.append(Tried("", None, None, None, None, answer.cpu, times=answer.of_runs))
                break
            needs, levels = answer.json["models"][0]["achieved"], tuple(answer.json["levels"].items())
            if levels not in by_levels:
                by_levels[levels] = attempt(workshop, setting, required, method, "", levels=dict(levels))
            known = by_levels[levels]
            upper = "" if c == ANY else f" to {c:.4g}"
            # The dictionary of what is measured is shared: one release, one accuracy.
            found.append(replace(known, parameters=f"l = {l}, c above {needs:.4g}{upper}", cpu=answer.cpu,
                                 times=answer.of_runs))
            if not needs:
                break
            c = needs * JUST_BELOW
    workshop.say(f"  {setting.name}: CLD ran {len(found)} times, {len(by_levels)} different tables")
    return found


def one_dimensional(workshop, setting):
    method = {"name": "one-dimensional", "objective": "information"}
    return [attempt(workshop, setting, requirement("simple-l-diversity", l=l), method, f"l = {l}", workshop.options.runs)
            for l in range(2, len(setting.values.values) + 1)]


def chosen(name, tried, demand):
    """Of all that satisfy: the one that protects least beyond what is asked (as in the paper), and the one that keeps
    most."""
    fit = [one for one in tried if one.release is not None and excess(one, demand) is not None]
    # 1DLD goes from l = 2 until (tau,l) holds; for CLD there is no order to go in.
    runs = tried[:tried.index(fit[0]) + 1] if name == "1DLD" and fit else tried
    cost = {"runs": len(runs), "cpu": sum(one.cpu for one in runs)}
    if not fit:
        return [row(name, demand, None, choice, **cost) for choice in ["least excess", "most kept"]]
    return [row(name, demand, min(fit, key=lambda one: excess(one, demand)), "least excess", **cost),
            row(name, demand, max(fit, key=lambda one: one.information), "most kept", **cost)]


def draw(workshop, setting, frame):
    """Figures 5 to 8 for one table."""
    ticks = range(len(setting.demands))
    names = [f"{tau:g},{l}" for tau, l in setting.demands]
    of = lambda choice: frame[frame.choice.isin(["", choice])].groupby("method", sort=False)
    series = lambda column, choice: {method: (ticks[:len(part)], part[column].to_numpy(dtype=float))
                                     for method, part in of(choice)}
    figure = plots.Figure(f"(tau,l)-diversity: {setting.name}, {len(setting.original):,} rows, {setting.sensitive} "
                          "sensitive; no mark: no release", 6, legend_below=True)
    label, shown = "tau, l (stronger to the right)", {"ticks": ticks, "tick_labels": names}
    figure.lines(0, series("excess", "least excess"), label, "excessive protection (Definition 8)",
                 "Figure 5: the least over classes", **shown)
    figure.lines(1, series("mean_excess", "least excess"), label, "mean over records", "the same as a mean", **shown)
    figure.lines(2, series("utility", "most kept"), label, "information kept (Definition 5)",
                 "Figure 6: the release that keeps most", **shown)
    accuracy = {method: (ticks[:len(part)], *(part[column].to_numpy(dtype=float) for column in
                                  ["accuracy", "accuracy_low", "accuracy_high"])) for method, part in of("most kept")}
    figure.lines(3, accuracy, label, "tree accuracy / that from the original",
                 "Figure 7: the release that keeps most, 95% over splits", zero=False, **shown)
    same = {"color": "#555555", "linestyle": "--", "linewidth": 0.9}
    figure.axes[3].axhline(frame.accuracy_of_always_the_same.iloc[0], **same)
    figure.axes[0].plot([], [], label="always the most frequent class (Figure 7)", **same)
    figure.lines(4, relative(frame, ticks, "cpu_seconds_of_all_runs"), label, "CPU time / that of 1DLD",
                 "Figure 8: all runs that each needs", log=True, **shown)
    figure.lines(5, relative(frame, ticks, "cpu_seconds_of_this_run"), label, "CPU time / that of 1DLD",
                 "the run whose release counts, alone", log=True, **shown)
    for place in range(6):
        figure.axes[place].tick_params(axis="x", labelrotation=45)
    figure.write(workshop, f"tau-l-diversity-figures-5-to-8-{setting.name}")


def relative(frame, ticks, column):
    part = frame[frame.choice.isin(["", "most kept"]) & (frame.method != "SWEEP as printed")]
    own = part[part.method == "1DLD"][column].to_numpy(dtype=float)
    return {method: (ticks, one[column].to_numpy(dtype=float) / own) for method, one in part.groupby("method", sort=False)}
