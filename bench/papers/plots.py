"""How does a figure look?"""

try:
    import matplotlib
except ImportError:  # numbers can be checked without it
    pyplot = None
else:
    matplotlib.use("svg")
    import matplotlib.pyplot as pyplot

    # The same bytes for the same numbers, and text that stays text.
    pyplot.rcParams.update({
        "svg.hashsalt": "shoal", "svg.fonttype": "none", "font.size": 9, "font.family": "sans-serif", "axes.grid": True,
        "grid.color": "#dddddd", "grid.linewidth": 0.6, "axes.axisbelow": True, "axes.spines.top": False,
        "axes.spines.right": False, "legend.frameon": False, "figure.facecolor": "white",
    })
COLOURS = ["#1b6ca8", "#d1495b", "#3a7d44", "#8e5aa8", "#e09f3e", "#555555", "#2a9d8f", "#8a4f1d", "#111111"]
MARKERS = "os^Dvx*Ph"
WIDTH, HEIGHT = 4.3, 3.2


class Blank:
    """A figure that nobody draws: whatever is asked of it, it is."""

    def __getattr__(self, name):
        return self

    def __getitem__(self, place):
        return self

    def __call__(self, *arguments, **options):
        return self


class Figure:
    """Panels side by side, written as one SVG."""

    def __new__(cls, *arguments, **options):
        return super().__new__(cls) if pyplot else Blank()

    def __init__(self, title, panels=1, legend_below=False):
        self.columns = panels if panels <= 3 else 2
        rows = -(-panels // self.columns)
        # A title needs the width of two panels.
        self.figure, axes = pyplot.subplots(rows, self.columns, squeeze=False,
                                            figsize=(WIDTH * max(self.columns, 2), HEIGHT * rows + 0.5 * legend_below))
        self.axes = list(axes.flat)
        self.figure.suptitle(title, fontsize=10)
        self.legend_below = legend_below
        self.places = {}  # a name has one colour in all panels

    def place(self, name):
        return self.places.setdefault(name, len(self.places)) % len(COLOURS)

    def lines(self, panel, series, x_label, y_label, title="", log=False, zero=True, ticks=None, tick_labels=None):
        """`series`: name -> (xs, ys), or (xs, ys, low, high) with an interval; a missing y leaves a gap."""
        axes = self.axes[panel]
        for name, (xs, ys, *ends) in series.items():
            place = self.place(name)
            axes.plot(xs, ys, label=name, color=COLOURS[place], marker=MARKERS[place], markersize=4.5, linewidth=1.4,
                      alpha=0.9)
            if ends:
                axes.fill_between(xs, *ends, color=COLOURS[place], alpha=0.15, linewidth=0)
        self.label(axes, x_label, y_label, title, log, zero)
        if ticks is not None:
            axes.set_xticks(ticks, tick_labels)
        elif all(x == int(x) for xs, *_ in series.values() for x in xs):
            axes.xaxis.get_major_locator().set_params(integer=True)

    def bars(self, panel, groups, series, x_label, y_label, title="", log=False, ends=None):
        """`series`: name -> a height for each group; `ends`: name -> low and high ends of their intervals."""
        axes, width = self.axes[panel], 0.8 / len(series)
        for place, (name, heights) in enumerate(series.items()):
            at = [group + (place - (len(series) - 1) / 2) * width for group in range(len(groups))]
            axes.bar(at, heights, width * 0.92, label=name, color=COLOURS[self.place(name)])
            if ends and name in ends:
                low, high = ends[name]
                axes.vlines(at[:len(low)], low, high, color="#222222", linewidth=1)
        axes.set_xticks(range(len(groups)), groups)
        self.label(axes, x_label, y_label, title, log, zero=True)

    def label(self, axes, x_label, y_label, title, log, zero):
        axes.set_xlabel(x_label)
        axes.set_ylabel(y_label)
        axes.set_title(title, fontsize=9)
        if log:
            axes.set_yscale("log")
        elif zero:
            axes.set_ylim(bottom=0)

    def write(self, workshop, name):
        if self.legend_below:
            # Of all panels that have no legend of their own: some have other lines than the first.
            named = {label: handle for axes in self.axes if not axes.get_legend()
                     for handle, label in zip(*axes.get_legend_handles_labels())}
            handles, labels = list(named.values()), list(named)
            fit = max(1, int(12.5 * WIDTH * max(self.columns, 2) / (max(map(len, labels)) + 9)))
            lines = -(-len(labels) // fit)
            self.figure.legend(handles, labels, loc="lower center", ncol=-(-len(labels) // lines))
            height = self.figure.get_figheight()
            self.figure.tight_layout(rect=(0, (0.08 + 0.2 * lines) / height, 1, 1))
        else:
            if not self.axes[0].get_legend():
                self.axes[0].legend()
            self.figure.tight_layout()
        self.figure.savefig(workshop.output / f"{name}.svg", metadata={"Date": None})
        pyplot.close(self.figure)
