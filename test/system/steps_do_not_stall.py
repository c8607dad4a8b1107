# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""Implicit steps with default settings: iterations and cycles are bounded where levels, simplified derivatives or
positive definite matrices fail, and the results are those of a direct solver."""
import sys

from dune_impact import History, Test, summary

test = Test()


def body(young, **keys):
    return {"type": "solid", "material": "neo-hooke", "young": young, "poisson": 0.3, "density": 1e-3, **keys}


def ring(steps=50):
    """A thin ring pressed flat: its tangent has negative eigenvalues, and it has one level only"""
    return {
        "": {"dimension": 2},
        "time": {"method": "quasi-static", "step": 0.02, "end": 0.02 * steps},
        "body.ring": body(1, shape="shell", inner=9, outer=10, cells=2, cell="cube", position=(0, 10)),
        "body.low": {"type": "plane", "normal": (0, 1)},
        "body.high": {"type": "plane", "normal": (0, -1), "point": (0, 20)},
        "motion.press": {"body": "high", "displacement": "0 -18.5*t"},
        "contact.low": {"first": "ring.outer", "second": "low"},
        "contact.high": {"first": "ring.outer", "second": "high"},
    }


def column(**solver):
    """A slender column that buckles when it is shortened: the tangent of its levels is indefinite"""
    return {
        "": {"dimension": 2},
        "time": {"method": "quasi-static", "step": 0.1, "end": 1},
        "body.column": body(100, shape="box", lower=(-0.5, 0), upper=(0.5, 20), cells=(2, 40), refine=1, cell="cube", clamped="ymin"),
        "body.press": {"type": "plane", "normal": (0, -1), "point": (0, 20)},
        "motion.press": {"body": "press", "displacement": "0 -t"},
        "load.side": {"body": "column", "at": "xmin", "force": (1e-4, 0)},
        "contact.c": {"first": "column.ymax", "second": "press"},
        "solver": solver,
    }


def plate(cells, **solver):
    """A clamped plate of thin cells under pressure: residuals end at round-off"""
    return {
        "": {"dimension": 3},
        "time": {"method": "quasi-static", "step": 1, "steps": 1},
        "body.plate": {**body(70000, shape="box", lower=(-50, -50, -1), upper=(50, 50, 0), cells=cells, cell="cube",
                              clamped="xmin xmax ymin ymax"), "material": "linear", "poisson": 0.33},
        "load.l": {"body": "plate", "at": "zmax", "pressure": 0.01},
        "probe.m": {"body": "plate", "at": (0, 0, 0), "quantity": "displacement"},
        "solver": solver,
    }


def stiff_on_soft(dimension, method, contrast, **solver):
    """A stiff ball or box on a soft block"""
    plane = dimension == 2
    up = lambda *vector: vector[1:] if plane else vector
    moving = method != "quasi-static"
    ball = {"shape": "ball", "radius": 10, "cells": 3 if plane else 2, "refine": 2 if plane else 1, "position": up(0, 0, 10.05 if plane else 10.6),
            "velocity": up(0, 0, -0.5 if plane else -2)}
    box = {"shape": "box", "lower": up(-5, -5, 0), "upper": up(5, 5, 10), "cells": (8, 8) if plane else (3, 3, 3), "refine": 2 if plane else 1,
           "rollers": "xmin:x" if plane else "xmin:x ymin:y"}
    cells = (32, 8) if plane else (6, 6, 2)
    return {
        "": {"dimension": dimension, "gravity": up(0, 0, -9.81e-3)},
        "time": {"method": method, "step": 0.2, "steps": 8 if moving else 3},
        "body.stiff": {**body(2 * contrast, **(ball if moving else box)), "density": 8e-3},
        "body.soft": body(2, shape="box", lower=(-20, -10) if plane else (-30, -30, -20), upper=(20, 0) if plane else (30, 30, 0), cells=cells, refine=1,
                          clamped="ymin" if plane else "zmin"),
        "contact.c": {"first": "stiff.ymin", "second": "soft.ymax"} if plane and not moving  # the smaller side first
                     else {"first": "soft.ymax" if plane else "soft.zmax", "second": "stiff" if moving else "stiff.zmin"},
        "solver": solver,
    }


def press_fit(dimension, **solver):
    """A box that is too wide for its slot, made narrow for the start: nothing but contact holds it across"""
    plane = dimension == 2
    part = lambda *vector: (vector[0], *vector[2:]) if plane else vector
    narrow = (0.98, 0, 0, 1) if plane else (0.98, 0, 0, 0, 1, 0, 0, 0, 1)
    cells = lambda *count: part(*(n if plane else n // 4 for n in count))
    wall = lambda low, high, side: body(100, shape="box", lower=part(low, -6, -1), upper=part(high, 6, 11), cells=cells(8, 24, 24), refine=1, clamped=side)
    return {
        "": {"dimension": dimension},
        "time": {"method": "quasi-static", "step": 1, "steps": 1},
        "body.wide": body(100, shape="box", lower=part(-5, -5, 0), upper=part(5, 5, 10), cells=cells(16, 16, 16), refine=1, deformation=narrow,
                          rollers="ymin:y" if plane else "zmin:z ymin:y"),
        "body.left": wall(-10, -4.95, "xmin"),
        "body.right": wall(4.95, 10, "xmax"),
        "contact.left": {"first": "wide.xmin", "second": "left.xmax"},
        "contact.right": {"first": "wide.xmax", "second": "right.xmin"},
        "solver": solver,
    }


def solver_of(folder):
    numbers = {**summary(folder)["solver"], **summary(folder)["figures"]}
    return numbers["iterations_mean"], numbers["cycles_mean"], numbers


def check(name, scenario, iterations, cycles, reference=None, columns=("elastic",), tolerance=1e-8):
    """Means per step are at most so many, and the last row is that of another way"""
    folder = test.run(scenario)
    found = solver_of(folder)
    print(f"{name}: {found[2]}", flush=True)
    test.below(f"{name}: iterations per step", found[0], iterations)
    test.below(f"{name}: cycles per step", found[1], cycles)
    if reference:
        other = History(test.run(reference))
        for column in columns:
            scale = max(map(abs, other[column])) or 1
            test.close(f"{name}: {column} as with a direct solver", History(folder)[column][-1], other[column][-1], atol=tolerance * scale)
    return found[2]


def check_ring():
    """Beyond 30 steps walls pass through each other, and there are several equilibria"""
    check("ring, 30 steps", ring(30), 15, 100, {**ring(30), "solver": {"jacobian": "exact"}})
    numbers = check("ring", ring(), 20, 100)
    test.true("ring: negative curvature was met and told", numbers["steps_with_shifted_matrix"] > 0, numbers)


def check_contrast():
    for dimension, method in ((2, "dissipative-midpoint"), (3, "dissipative-midpoint"), (2, "quasi-static"), (3, "quasi-static")):
        check(f"stiffness 1e5 to 1, {dimension}D, {method}", stiff_on_soft(dimension, method, 1e5), 15, 150,
              stiff_on_soft(dimension, method, 1e5, inner="direct"))


test.attempt("ring", check_ring)
test.attempt("column", check, "column", column(), 12, 150, column(inner="direct"))
test.attempt("plate", check, "plate of thin cells", plate((40, 40, 2)), 6, 200, plate((40, 40, 2), inner="direct"), ("elastic", "m.z"))
test.attempt("contrast", check_contrast)
for dimension in (2, 3):
    test.attempt("press fit", check, f"press fit, {dimension}D", press_fit(dimension), 20, 200, press_fit(dimension, inner="direct"))
sys.exit(test.finish())
