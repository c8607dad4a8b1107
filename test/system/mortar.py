# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""Contact between solids: levels of refinement, sides exchanged, starts that are refused, coarse bodies."""
import sys

from dune_impact import History, Test, summary

test = Test()

MATERIAL = {"young": 1, "poisson": 0.3, "density": 1e-4}


def ball_on_block(level, method, first="ball", second="block.ymax", **changes):
    """A disc that slides while it hits a block, both refined"""
    scenario = {
        "": {"dimension": 2, "gravity": (0, -9.81e-3)},
        "time": {"method": method, "step": 0.5, "end": 5},
        "body.ball": {"type": "solid", "shape": "ball", "radius": 50, "cells": 3, "refine": level, "position": (80, 50.1), "velocity": (2, -0.2),
                      "spin": -0.002, **MATERIAL},
        "body.block": {"type": "solid", "shape": "box", "lower": (0, -40), "upper": (200, 0), "cells": (10, 2), "refine": level, "clamped": "ymin",
                       **MATERIAL},
        "contact.c": {"first": first, "second": second},
        "probe.centre": {"body": "ball"},
    }
    for place, value in changes.items():
        section, key = place.split("__")
        scenario[section.replace("_", ".")][key] = value
    return scenario


def check_levels():
    """Cycles per quadratic problem are flat over four levels; the order of the sides is an error of discretisation"""
    cycles, swapped = [], []
    for level in (1, 2, 3, 4):
        folder = test.run(ball_on_block(level, "modified-midpoint"))
        solver, here = summary(folder)["solver"], History(folder)["centre.y"][-1]
        cycles.append(solver["cycles_mean"] / solver["iterations_mean"])
        other = History(test.run(ball_on_block(level, "modified-midpoint", "block.ymax", "ball")))
        swapped.append(abs(other["centre.y"][-1] - here))
        test.below(f"level {level}: overlap", -min(other["min_gap"]), 1e-9)
    print("cycles per quadratic problem", cycles, "difference of heights with sides exchanged", swapped)
    test.true("cycles are flat over four levels", max(cycles) <= 1.25 * min(cycles), cycles)
    test.true("sides exchanged: the difference falls", swapped[3] < 0.6 * swapped[1], swapped)
    test.true("sides exchanged: the difference falls hundredfold in three levels", swapped[-1] < 0.01 * swapped[0], swapped)


def refused(name, scenario, words):
    done = test.call("check", test.write("refused.ini", scenario))
    test.equal(f"{name}: status", done.returncode, 2)
    lines = done.stderr.strip().splitlines()
    test.equal(f"{name}: one sentence", len(lines), 1)
    for word in words:
        test.true(f"{name}: names {word}", word in done.stderr, done.stderr)


def check_starts():
    """Overlap is reported with pair, place and size; also if bodies start in each other, on the wrong side"""
    method = "dissipative-midpoint"
    refused("overlap", ball_on_block(1, method, body_ball__position=(80, 49.5)), ["contact.c", "overlap by 0.5", "at 80 -0.5"])
    refused("deep overlap", ball_on_block(1, method, body_ball__position=(80, 30)), ["contact.c", "overlap by 20", "at 80 -20"])
    refused("inside", ball_on_block(1, method, body_ball__position=(80, -20), body_ball__radius=10), ["contact.c", "overlap by"])
    refused("on the wrong side of a surface", ball_on_block(1, method, body_ball__position=(80, -30), body_ball__radius=25), ["contact.c", "overlap by"])
    refused("unknown patch", ball_on_block(1, method, second="block.lid"), ["contact.c", "lid", "ymax"])
    refused("itself", ball_on_block(1, method, second="ball"), ["contact.c", "another body"])
    circle = ball_on_block(1, method, "ball", "block.ymax")
    circle["contact.d"] = {"first": "block.ymax", "second": "ball"}
    refused("circle", circle, ["contact.d", "circle", "contact.c"])
    rough = {"first": "ball", "second": "block.ymax", "friction": 0.1}
    for rule in ("midpoint", "modified-midpoint"):
        refused(f"friction with {rule}", {**ball_on_block(1, rule), "contact.c": rough}, ["contact.c.friction", "dissipative-midpoint", "quasi-static"])
    exact = {**ball_on_block(1, "dissipative-midpoint"), "contact.c": rough, "solver": {"jacobian": "exact"}}
    refused("friction with exact rows", exact, ["contact.c.friction", "solver.jacobian = decoupled"])
    refused("points", {**ball_on_block(1, method), "contact.c": {"first": "ball", "second": "block.ymax", "method": "point"}}, ["contact.c", "dual-mortar"])
    for word, words in (("xmin:x", ["symmetry", "rollers", "block"]), ("lid:x", ["symmetry", "lid", "xmin"]), ("xmin:z", ["symmetry", "components"]), ("xmin", ["symmetry", "patch:components"])):
        mirrored = {**ball_on_block(1, method, "block.ymax", "ball"), "contact.c": {"first": "block.ymax", "second": "ball", "symmetry": word}}
        refused(f"symmetry {word}", mirrored, ["contact.c", *words])
    done = test.call("check", test.write("good.ini", ball_on_block(1, method, "ball", "block.ymax")))
    test.equal("good start", done.returncode, 0)


def two_solids(dimension, first, second, order):
    """Two solids, each (shape, cells, cell, keys), with contact in this order"""
    bodies = {}
    for name, (shape, cells, cell, keys) in (("a", first), ("b", second)):
        bodies[f"body.{name}"] = {"type": "solid", "shape": shape, "cell": cell, "cells": cells if shape != "box" else (cells,) * dimension, **MATERIAL, **keys}
    return {"": {"dimension": dimension}, "time": {"method": "dissipative-midpoint", "step": 0.1, "end": 1}, **bodies,
            "contact.c": {"first": order[0], "second": order[1]}}


def check_geometry_decides():
    """Solids that do not overlap are accepted, coarse and fine, above, beside and in a hollow; those that do are refused with their depth"""
    for dimension in (2, 3):
        def place(x, z):
            return (x, z) if dimension == 2 else (x, 0.1, z)
        for cell in ("simplex", "cube"):
            for cells in (1, 2) if dimension == 3 else (1, 2, 5):
                block = ("box", cells, cell, {"lower": (-2,) * (dimension - 1) + (-1,), "upper": (2,) * (dimension - 1) + (0,)})
                for order in ("ab", "ba"):
                    title = f"dimension {dimension}, {cells} {cell} cells, {order}"
                    for radius, x in ((0.5, 0), (3, 1.9), (1, 2.2)):
                        ball = ("ball", 1, cell, {"radius": radius, "position": place(x, radius + 0.2)})
                        done = test.call("check", test.write("good.ini", two_solids(dimension, ball, block, order)))
                        test.equal(f"{title}: ball of radius {radius} over {x}", (done.returncode, done.stderr), (0, ""))
                    ball = ("ball", 2, cell, {"radius": 1, "position": place(0, 0.9)})
                    refused(f"{title}: ball that dips in", two_solids(dimension, ball, block, order), ["contact.c", "overlap by 0.1"])
                    for name, position in (("on top", place(0.3, 0)), ("beside", place(2.5, -0.7)), ("at a corner", place(2.5, 0))):
                        box = ("box", cells, cell, {"lower": (-0.5,) * (dimension - 1) + (0,), "upper": (0.5,) * (dimension - 1) + (0.5,), "position": position})
                        done = test.call("check", test.write("good.ini", two_solids(dimension, box, block, order)))
                        test.equal(f"{title}: box {name}, touching", (done.returncode, done.stderr), (0, ""))
                        deeper = dict(box[3], position=(position[0] - 0.05, *position[1:-1], position[-1] - 0.05))
                        refused(f"{title}: box {name}, in the block", two_solids(dimension, (*box[:3], deeper), block, order), ["contact.c", "overlap by 0.05"])
        hollow = {"": {"dimension": dimension}, "time": {"method": "dissipative-midpoint", "step": 0.1, "end": 1},
                  "body.a": {"type": "solid", "shape": "ball", "radius": 1.0, "cells": 2, **MATERIAL},
                  "body.b": {"type": "solid", "shape": "shell", "inner": 1.2, "outer": 2.0, "cells": 2, **MATERIAL}, "contact.c": {"first": "a", "second": "b"}}
        done = test.call("check", test.write("good.ini", hollow))
        test.equal(f"dimension {dimension}: a ball in a shell", (done.returncode, done.stderr), (0, ""))
        refused(f"dimension {dimension}: a ball in the wall of a shell", {**hollow, "body.a": {**hollow["body.a"], "position": place(0.5, 0)}}, ["contact.c", "overlap by"])


def check_box_of_one_cell():
    """Facets between sharp corners that touch nothing do not switch off the others of their nodes"""
    for height, cell in ((0.5, "cube"), (0.5, "simplex"), (1, "cube")):
        for x in (0, 0.3):
            folder = test.run({
                "": {"dimension": 2}, "time": {"method": "dissipative-midpoint", "step": 0.05, "end": 1.5},
                "body.box": {"type": "solid", "shape": "box", "lower": (-0.5, 0), "upper": (0.5, height), "cells": (1, 1), "cell": cell, "young": 50, "poisson": 0.3,
                             "density": 1, "position": (x, 1.2), "velocity": (0, -1)},
                "body.block": {"type": "solid", "shape": "box", "lower": (-2, 0), "upper": (2, 1), "cells": (8, 2), "cell": "cube", "young": 50, "poisson": 0.3,
                               "density": 1, "clamped": "ymin"},
                "contact.c": {"first": "box", "second": "block"}, "probe.box": {"body": "box", "quantity": "velocity"}})
            name = f"box of one {cell}, height {height}, at {x}"
            test.true(f"{name}: bounces", History(folder)["box.y"][-1] > 0.3, History(folder)["box.y"][-1])
            test.below(f"{name}: overlap", -summary(folder)["min_gap"], 1e-9)


def coarse_balls(dimension, cell, cells, offset, turn):
    """Two free balls of few cells that approach each other"""
    zeros = (0,) * (dimension - 2)
    body = {"type": "solid", "shape": "ball", "radius": 20, "cell": cell, "cells": cells, **MATERIAL}
    rotation = {2: turn, 3: (turn, 0.3, -0.2)}[dimension]
    return {
        "": {"dimension": dimension},
        "time": {"method": "dissipative-midpoint", "step": 1, "end": 24},
        "body.left": {**body, "position": (-21, offset, *zeros), "velocity": (0.6, 0, *zeros), "rotation": rotation},
        "body.right": {**body, "position": (21, -offset, *zeros), "velocity": (-0.6, 0, *zeros)},
        "contact.c": {"first": "left", "second": "right"},
    }


def check_coarse_balls():
    """Facets as large as the balls look past them; still the balls bounce and keep their momenta"""
    for dimension, cells in ((2, 1), (2, 2), (3, 1)):
        for cell in ("simplex", "cube"):
            for offset, turn in ((0.3, 0.1), (4.0, 0.5)):
                title = f"dimension {dimension}, {cells} {cell} cells, offset {offset}"
                folder = test.run(coarse_balls(dimension, cell, cells, offset, turn))
                h, s = History(folder), summary(folder)
                test.true(f"{title}: the balls touch", s["figures"]["total_impulse"] > 0)
                test.true(f"{title}: no overlap", s["min_gap"] >= -1e-9 * 20, s["min_gap"])
                test.true(f"{title}: the energy never rises", s["energy_gain_max"] <= 1e-10, s["energy_gain_max"])
                test.below(f"{title}: momentum", s["linear_momentum_drift"], 1e-10 * abs(sum(h["impulse_x"])))
                test.below(f"{title}: angular momentum", s["angular_momentum_drift"], 1e-9 * 20 * abs(sum(h["impulse_x"])))
                # the impulse turns back more than the momentum with which each ball came; both have the same kinetic energy
                momentum = h["kinetic"][0] / 0.6
                test.true(f"{title}: the balls bounce", abs(sum(h["impulse_x"])) > 0.8 * momentum, (sum(h["impulse_x"]), momentum))


if __name__ == "__main__":
    test.attempt("levels", check_levels)
    test.attempt("starts", check_starts)
    test.attempt("geometry decides", check_geometry_decides)
    test.attempt("coarse balls", check_coarse_balls)
    test.attempt("box of one cell", check_box_of_one_cell)
    sys.exit(test.finish())
