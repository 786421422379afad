"""How far may a mean over seeds be off?"""

import statistics

from scipy import stats


def interval(values):
    """The mean, and the ends of its 95% interval by Student's t; of a single value there is no interval."""
    values = [float(value) for value in values]
    mean = statistics.fmean(values)
    if len(values) < 2:
        return mean, None, None
    half = stats.t.ppf(0.975, len(values) - 1) * statistics.stdev(values) / len(values) ** 0.5
    return mean, mean - half, mean + half


def columns(name, values):
    """The same as columns of a CSV."""
    mean, low, high = interval(values)
    return {name: mean, f"{name}_low": low, f"{name}_high": high}
