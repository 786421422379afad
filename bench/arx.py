"""How long does ARX take for the same?

Measured with ARX 3.9.2 on a quiet machine, side by side with Shoal: the best of six runs in one JVM, and the first of them,
which is what people wait for. They were not measured in the run that shows them: a ratio is an order of magnitude on any
other machine. ARX searches on one core.
"""

MACHINE = "Intel(R) Xeon(R) Processor, 2 cores"

FIGURES = {
    # configuration: (seconds once warm, seconds of the first run, how many times faster a search is to be)
    "adult: k = 5, 0%": (0.041, 0.257, 10),
    "adult: k = 5, 2%": (0.933, 1.640, 50),
    "adult: k = 5, 5%": (1.138, 1.667, 50),
    "adult: k = 5, 100%": (3.833, 4.631, 50),
    "adult: k = 5, 5%, discernibility": (1.268, 2.152, 20),
    "adult: k = 5, 5%, average-class-size": (1.271, 2.496, 20),
    "adult: k = 5, 5%, non-uniform-entropy": (1.251, 1.999, 20),
    "adult: k = 5, 5%, precision": (0.900, 1.560, 20),
    "adult: k = 5, 5%, height": (1.098, 1.786, 20),
    "adult: occupation, distinct l = 5, 5%": (0.559, 1.099, 50),
    "adult: occupation, distinct l = 5, 0%": (0.059, None, 10),
    "adult: occupation, entropy l = 3, 5%": (0.745, None, 30),
    "adult: occupation, recursive c = 4, l = 3, 5%": (0.504, None, 30),
    "adult: occupation, t = 0.2 equal, table, 5%": (1.878, None, 80),
    "adult: occupation, t = 0.2 equal, table, 0%": (0.019, None, 10),
    "adult: occupation, t = 0.2 hierarchical, table, 5%": (1.812, None, 50),
}

UNKNOWN = (None, None, None)
