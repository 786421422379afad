"""How long does ARX take for the same?

Measured with ARX 3.9.2 in a warm JVM on the same kind of machine, for orientation only; ARX searches on one core.
The nodes it checked stand where they were noted down.
"""

FIGURES = {
    # configuration: (seconds, nodes checked)
    "adult: k = 5, 0%": (0.122, 181),
    "adult: k = 5, 2%": (1.8, 1245),
    "adult: k = 5, 5%": (1.9, 1217),
    "adult: k = 5, 100%": (7.9, 4749),
    "adult: k = 5, 5%, discernibility": (2.2, None),
    "adult: k = 5, 5%, non-uniform-entropy": (3.2, None),
    "adult: k = 5, 5%, height": (3.7, None),
    "adult: occupation, distinct l = 5, 5%": (1.3, None),
    "adult: occupation, entropy l = 3, 5%": (1.6, None),
    "adult: occupation, t = 0.2 equal, table, 5%": (3.6, 4320),
    "adult: occupation, t = 0.2 hierarchical, table, 5%": (3.2, None),
}
