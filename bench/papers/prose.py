"""Do sentences of the pages still say what the CSVs say?

Tables are written from the CSVs (pages.py); numbers within sentences are written by hand, and held to a cell each by this
list: what stands in a page, with `{}` for each number, and where the number comes from.
"""

import re
from pathlib import Path

from workshop import kept

HERE = Path(__file__).resolve().parent


def cell(name, column, form="g", /, **conditions):
    """`form`: how the number is written; after `min ` or `max ` the least or most of all lines with these conditions."""
    return name, column, form, conditions


def risk(column, required, form=".2f"):
    return cell("a-d-diversity-risk", column, form, required=required)


def nodes(measure, panel, value):
    return cell("t-closeness-figure-3", "checked", measure=measure, panel=panel, value=value)


def moves(form, **conditions):
    return cell("tau-l-diversity-theorem-3-moves", "moves_per_row", form, **conditions)


def exposed(method, target="k = 5, distinct l = 3"):
    return cell("side-by-side", "records_similarity", ",.0f", method=method, target=target)


def grown(method, tau):
    return cell("tau-l-diversity-id3-nursery", "ratio", ".2f", tau=tau, l=2, method=method)


def held(t):
    return cell("critique-held-out", "told", ".2f", method="mondrian", t=t)


def decided(claim):
    return cell("claims", "here", "s", claim=claim)


ENTROPY, RECURSIVE = "entropy l-diversity", "recursive (4,l)-diversity"
WIDE, STRONG = "quasi-identifiers", "k, l"
BY_LOT, SKEWED = "l-diversity-estimate-by-lot", "l-diversity-skewed-groups"
ORDERS = "tau-l-diversity-orders-as-printed-nursery"
TOLD = "critique-correlation"
SENTENCES = [
    ("l-diversity.md", "{} ({} to {}) over 40 draws, {} people",
     [cell(BY_LOT, name, form) for name, form in [("homogeneous", ".1f"), ("homogeneous_low", ".1f"), ("homogeneous_high", ".1f"),
                                                  ("people_in_them", ".0f")]]),
    ("l-diversity.md", "the smallest average 4-anonymous group has {} records instead of {}, with all five columns even {}",
     [cell(SKEWED, "least_average_class_size", form, ages_and_columns=name)
      for name, form in [("ages even", ".0f"), ("as it is", ",.0f"), ("every column even", ".0f")]]),
    ("l-diversity.md", "the median of twenty samples lies between {} and {}, and {} to {} of {} to {} ages occur less than ten times",
     [cell("l-diversity-sample-ages", column, f"{how} .0f") for column in
      ["median_rows_of_an_age", "ages_below_10_rows", "ages"] for how in ["min", "max"]]),
    ("l-diversity.md", "all ten: {} to {}",
     [cell("l-diversity-average-class-size", "average_class_size", f"{how} ,.0f") for how in ["min", "max"]]),
    ("l-diversity.md", "({} instead of {} for eight)",
     [cell("l-diversity-figure-5", "checked", ",.0f", quasi_identifiers=8, measure=measure)
      for measure in ["entropy 6-diversity", "6-anonymity"]]),
    ("l-diversity.md", "none open: the least diverse is entropy {}-diverse",
     [cell("l-diversity-homogeneity-adult", "entropy_l", "min .2f", sensitive="occupation")]),
    ("l-diversity.md", "for l = 2 ({} against {}) and l = 8 ({} against {})",
     [cell("l-diversity-figure-7", "average-class-size", ",.0f", table="all", measure=measure, parameter=l)
      for l in [2, 8] for measure in ["recursive (3,l)-diversity", "entropy l-diversity"]]),
    ("l-diversity.md", "1919 (0.92 / 0.99744)) = {}: a breach",
     [cell("l-diversity-theorem-5.1", "posterior_belief", ".3f", table="q generalized", q=1, s="a")]),
    ("l-diversity.md", "even l = 2 needs {} other values",
     [decided("entropy l-diversity may be too restrictive: where 90% have one value, l = 2 needs so many others")]),
    ("l-diversity.md", "were it enough that one value can go, {} more would pass",
     [decided("and if it is enough that it holds after eliminating some value")]),
    ("l-diversity.md", "and fail ({} of 210 cases)",
     [decided("pd-recursive: where all values may be disclosed, both conditions are trivially satisfied")]),
    ("t-closeness.md", "(l = 8: {} against {} and {}; l = 4: {} against {} and {})",
     [nodes(measure, STRONG, value) for value in [8, 4] for measure in [ENTROPY, "k-anonymity", RECURSIVE]]),
    ("t-closeness.md", "{} and {} with five quasi-identifiers, {} and {} with six, {} and {} with seven",
     [nodes(measure, WIDE, value) for value in [5, 6, 7] for measure in [ENTROPY, RECURSIVE]]),
    ("t-closeness.md", "0.2-closeness looks at {} and 0.15-closeness at {} whatever k is",
     [nodes(f"k-anonymity, {t}-closeness", STRONG, 8) for t in ["0.2", "0.15"]]),
    ("t-closeness.md", "k = 4: the average class grows from {} to {}",
     [cell("t-closeness-figure-4", "average-class-size", ",.0f", measure=measure, parameter=4)
      for measure in ["k-anonymity", "k-anonymity, 0.2-closeness"]]),
    ("t-closeness.md", "with other race trees of three levels {} to {}",
     [cell("t-closeness-race-trees", "minimal_entropy", f"{how} .0f") for how in ["min", "max"]]),
    ("t-closeness.md", "For recursive (4,4)-diversity {} to {}",
     [cell("t-closeness-race-trees", "minimal_recursive", f"{how} .0f") for how in ["min", "max"]]),
    ("t-closeness.md", "0.2-closeness has {} classes where k-anonymity alone has {}",
     [cell("t-closeness-suppression", "classes", at_most_suppressed=0.05, measure=measure)
      for measure in ["5-anonymity, 0.2-closeness", "5-anonymity"]]),
    ("t-closeness.md", "open 20 tables, with {} records at most",
     [cell("t-closeness-similarity-summary", "most_records", required="entropy 2-diversity", race_levels=3, groups="the worst 5")]),
    ("t-closeness.md", "{} ages and {} work classes among the 30,162 rows",
     [cell("t-closeness-sizes", "values", column=column) for column in ["age", "workclass"]]),
    ("tau-l-diversity.md", "{} times on average for (0.9,2) and up to {} for (0.6,4)",
     [moves(".1f", table="nursery", tau=0.9, l=2), moves(".1f", table="nursery", tau=0.6, l=4)]),
    ("tau-l-diversity.md", "For (0.5,4) of Adult {} to {} of H = 240",
     [moves(".0f", table="adult", rows=rows, quasi_identifiers=5) for rows in [45_222, 2_500]]),
    ("tau-l-diversity.md", "`health` first gives SWEEP {} instead of {} at (0.6,2)",
     [cell("tau-l-diversity-orders-nursery", "accuracy", ".2f", tau=0.6, l=2, order=order)
      for order in ["health first", "as in the table"]]),
    ("tau-l-diversity.md", "up to {} where it is alone, at (0.6,4)",
     [cell("tau-l-diversity-nursery", "excess", "max .3f", method="SWEEP")]),
    ("tau-l-diversity.md", "for (0.6,3) it keeps {} where the best (c,l) keeps {}, for (0.5,3) {} and not {}, and",
     [cell(name, "utility", ".3f", tau=tau, l=3, method="CLD", **more) for tau in [0.6, 0.5] for name, more in
      [("tau-l-diversity-guaranteeing-nursery", {}), ("tau-l-diversity-nursery", {"choice": "most kept"})]]),
    ("tau-l-diversity.md", "SWEEP's {} for (0.6,2) and {} for (0.5,2) are far above CLD's {} and {} and level with 1DLD's {};",
     [grown(method, tau) for method, tau in [("SWEEP", 0.6), ("SWEEP", 0.5), ("CLD", 0.6), ("CLD", 0.5), ("1DLD", 0.6)]]),
    ("tau-l-diversity.md", "By the program's ID3 it gains {} there ({} to {})",
     [cell("tau-l-diversity-id3-nursery", f"more_than_SWEEP{end}", ".3f", tau=0.6, l=2, method="SWEEP, health first")
      for end in ["", "_low", "_high"]]),
    ("tau-l-diversity.md", "(a gain of {} to {})",
     [cell(ORDERS, column, ".3f", tau=0.6, l=2, order="health first") for column in ["gained_low", "gained_high"]]),
    ("a-d-diversity.md", "believe more than 4-diversity ({} and {}), and with it nearly as much ({} and {})",
     [risk(column, required, ".3f") for column in ["mean_belief_without", "mean_belief_with_the_symptom"]
      for required in ["(2,2)-diversity", "distinct 4-diversity (one-dimensional)"]]),
    ("a-d-diversity.md", "from (2,2) to (3,2), the belief in the value falls from {} to {} and that in the group rises from {} to {}",
     [risk(column, required, ".3f") for column in ["mean_belief_with_the_symptom", "mean_belief_in_the_group"]
      for required in ["(2,2)-diversity", "(3,2)-diversity"]]),
    ("a-d-diversity.md", "the belief in the value falls from {} to {} and that in the group from {} to {}: d lowers",
     [risk(column, required, ".3f") for column in ["mean_belief_with_the_symptom", "mean_belief_in_the_group"]
      for required in ["(2,2)-diversity", "(2,3)-diversity"]]),
    ("a-d-diversity.md", "({} for (2,2), {} for (3,2), {} for (2,3), {} for (3,3))",
     [risk("classes", f"({a},{d})-diversity", ",.0f") for a, d in [(2, 2), (3, 2), (2, 3), (3, 3)]]),
    ("a-d-diversity.md", "At the same loss ({} and {}) 4-diversity leaves {} of 30,718 people",
     [risk("loss", "distinct 4-diversity (one-dimensional)", ".3f"), risk("loss", "(2,2)-diversity", ".3f"),
      risk("known_for_certain_with_the_symptom", "distinct 4-diversity (one-dimensional)", ",.0f")]),
    ("critique.md", "{} with one-dimensional buckets, {} to {} with local recoding, {} with anatomy",
     [exposed(method) for method in ["one-dimensional", "mondrian", "microaggregation", "anatomy"]]),
    ("critique.md", "{} bits at t = 0.2 (Mondrian), {} at 0.1",
     [cell(TOLD, "corrected", ".2f", method="mondrian", t=t) for t in [0.2, 0.1]]),
    ("critique.md", "Mondrian's release seems to tell {} bits, its 5-anonymous one {}",
     [cell(TOLD, "corrected", ".2f", method="mondrian", t=t) for t in [0.5, 1.0]]),
    ("critique.md", "gains {} bits at t = 0.5 and 0.35 (Mondrian)", [held(0.5)]),
    ("critique.md", "tell more ({} to 0.32 bits) than those of k-anonymity alone ({}) and", [held(0.35), held(1.0)]),
    ("critique.md", "more than from k-anonymity alone ({}) or the original ({}), whose",
     [held(1.0), cell("critique-held-out", "told", ".2f", method="original")]),
    ("critique.md", "{} at t = 0.3, {} at 0.25, {} at 0.2, {} at 0.1. A better", [held(t) for t in [0.3, 0.25, 0.2, 0.1]]),
    ("critique.md", "the release with a class of one half has a distance of {}",
     [cell("critique-skewness", "achieved_by_the_whole_release", ".3f", required="0.2-closeness")]),
    ("side-by-side.md", "has the most classes ({}); anatomy keeps everything and has {}",
     [cell("side-by-side", "classes", ",.0f", method=method, target="k = 5, t = 0.2 (equal distance)")
      for method in ["sweep", "anatomy"]]),
]


def stale(results):
    """Sentences whose numbers are not those of the CSVs, and sentences that are no longer there."""
    found, texts = [], {}
    for page, words, cells in SENTENCES:
        if page not in texts:
            texts[page] = re.sub(r"\s+", " ", (HERE / page).read_text())
        try:
            expected = words.format(*(number(results, *one) for one in cells))
        except (FileNotFoundError, KeyError, LookupError) as missing:
            found.append(f"{page}: no number for \"{words}\": {missing}")
            continue
        if expected not in texts[page]:
            found.append(f"{page} does not say \"{expected}\", which is what the CSVs say")
    return found


def number(results, name, column, form, conditions):
    frame = kept(results / f"{name}.csv")
    for key, value in conditions.items():
        frame = frame[frame[key] == value]
    if form.startswith(("min ", "max ")):
        how, form = form.split(" ")
        return format(getattr(frame[column], how)(), form)
    if len(frame) != 1:
        raise LookupError(f"{len(frame)} lines of {name}.csv have {conditions}")
    return format(frame[column].iloc[0], form)
