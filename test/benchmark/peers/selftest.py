# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""usage: selftest.py PROGRAM: what test/benchmark/compare measures is right

Energy, angular momentum and penetration of the comparison against what the program says of its own run, on a coarse mesh.
"""
import csv
import sys
import tempfile
from pathlib import Path

import numpy as np

import dune_impact_runs
from solids import Ball, depth, measure


def main():
    with tempfile.TemporaryDirectory() as scratch:
        case = Ball(Path(scratch), 30, 1, 6)
        _, steps, _, frames = dune_impact_runs.run(Path(sys.argv[1]).resolve(), case, "dissipative-midpoint")
        with open(case.folder / "dune-impact-dissipative-midpoint" / "history.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        failures = []

        def check(name, value, expected, tolerance):
            if not abs(value - expected) <= tolerance * max(abs(expected), 1):
                failures.append(f"{name}: {value} {expected}")

        check("steps", steps, case.steps, 0)
        check("frames", len(frames), case.steps + 1, 0)
        for row, (time, x, v) in zip(rows, frames):
            check("time", time, float(row["time"]), 1e-9)
            check("energy", case.energy(x, v), float(row["total"]), 1e-9)
            for k, name in enumerate(("lx", "ly", "lz")):
                check(name, case.angular(x, v, False)[k], float(row[name]), 1e-6)
        result = measure(case, frames, False)
        check("change of energy", result.energy, float(rows[-1]["total"]) / float(rows[0]["total"]) - 1, 1e-9)
        if not result.energy < -1e-6:
            failures.append(f"there is no impact: {result.energy}")
        triangle = np.array([[[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]])
        check("depth below", depth(np.array([[0.2, 0.2, -0.3]]), triangle, 1), 0.3, 1e-12)
        check("depth beside", depth(np.array([[0.9, 0.9, -0.3]]), triangle, 1), 0, 0)
        check("depth above", depth(np.array([[0.2, 0.2, 0.3]]), triangle, -1), 0.3, 1e-12)
    print("\n".join(failures) or "all right")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
