# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""What all figures share: colours, the results of a run, saving."""
import csv
import json

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

# Colours that colour-blind readers can tell apart (Okabe and Ito)
BLUE, ORANGE, GREEN, PURPLE, SKY, RED = "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00"
EXACT = dict(color="black", linewidth=1.1, linestyle=(0, (4, 2)), label="exact", zorder=3)

plt.rcParams.update({
    "figure.dpi": 110, "savefig.dpi": 110, "font.size": 10, "axes.titlesize": 10.5, "axes.titleweight": "bold",
    "axes.titlelocation": "left", "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
    "grid.color": "0.9", "axes.axisbelow": True, "legend.frameon": False, "legend.fontsize": 9, "lines.linewidth": 1.5})


class Run:
    """Columns of history.csv by name, and summary.json."""

    def __init__(self, folder):
        with open(folder / "history.csv", newline="") as file:
            rows = list(csv.reader(file))
        self.columns = dict(zip(rows[0], np.array(rows[1:], dtype=float).T))
        self.summary = json.loads((folder / "summary.json").read_text())

    def __getitem__(self, name):
        return self.columns[name]


def save(figure, output, name):
    figure.tight_layout()
    figure.savefig(output / name)
    plt.close(figure)
    print(output / name)
