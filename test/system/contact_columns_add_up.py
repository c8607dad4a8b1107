# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""The columns of the contacts are parts of the columns of the run, in every method."""
import math
import os
import re
import sys

from dune_impact import COLUMNS, WORKS, History, Test, read, results, snapshots, summary, vtu

test = Test()

FORCE = ("force_x", "force_y", "force_z", "gap")
ZONE = ("area", "pressure")
ROUGH = ("sticking", "sliding", "friction_work")
PLANE = {"type": "plane", "normal": (0, 1)}
FLOOR = {"type": "plane", "normal": (0, 0, 1)}
SOFT = {"type": "solid", "shape": "box", "cell": "cube", "young": 100, "poisson": 0.3, "density": 1}


def ball(position, velocity, **keys):
    return {"type": "particle", "mass": 1, "radius": 0.1, "position": position, "velocity": velocity, **keys}


def touch(first, second, **keys):
    return {"first": first, "second": second, **keys}


def particles(method, **time):
    """Two balls and a bar in a corner"""
    bar = {"body.bar": {"type": "bar", "length": 0.5, "elements": 4, "area": 1e-2, "young": 1e4, "density": 100, "position": (0.3, 0.05), "velocity": (-0.5, -1)}}
    return {
        "": {"dimension": 2, "gravity": (0, -9.81)}, "time": {"method": method, "step": 1e-3, "steps": 400, **time},
        "body.a": ball((0.15, 0.3), (-2, 0)), "body.b": ball((0.4, 0.6), (-1, -2)), **bar,
        "body.floor": PLANE, "body.wall": {"type": "plane", "normal": (1, 0)},
        "contact.floor-a": touch("a", "floor", restitution=0.5, friction=0.3), "contact.wall-a": touch("a", "wall", restitution=0.8),
        "contact.a-b": touch("a", "b", friction=0.2), "contact.floor-b": touch("b", "floor", friction=0.1), "contact.bar": touch("bar", "floor", friction=0.3),
    }


def rigid(method, **time):
    """Bodies in a corner; with penalties where the method has them"""
    result = {
        "": {"dimension": 3, "gravity": (0, 0, -9.81)}, "time": {"method": method, "step": 1e-3, "steps": 300, **time},
        "body.box": {"type": "rigid", "shape": "box", "size": (0.3, 0.2, 0.25), "density": 100, "position": (0.3, 0, 0.2), "rotation": (0.2, 0.3, 0.1), "velocity": (-2, 0, -1)},
        "body.ball": {"type": "rigid", "shape": "ball", "radius": 0.1, "mass": 1, "position": (0.3, 0, 0.5), "velocity": (0, 0, -2), "spin": (0, 20, 0)},
        "body.floor": FLOOR, "body.wall": {"type": "plane", "normal": (1, 0, 0)},
        "contact.floor": touch("box", "floor", restitution=0.3, friction=0.2), "contact.wall": touch("box", "wall", friction=0.4),
        "contact.pair": touch("ball", "box", restitution=0.5, friction=0.3),
    }
    if method == "energy-momentum":
        result |= {"body.spring": {"type": "rigid", "mass": 1, "inertia": (0.01, 0.02, 0.025), "nodes": (0.1, 0, 0, -0.1, 0, 0), "position": (1, 1, 0.05), "velocity": (0, 0, -1)},
                   "contact.spring": touch("spring", "floor", law="penalty", stiffness=1000)}
    return result


def boxes(method, pair=True, **time):
    """A box on a floor, one on top of it, and one beside a wall; without inertia they are pressed"""
    static = method == "quasi-static"
    gap = 0 if static else 0.01
    scene = {
        "": {"dimension": 2}, "time": {"method": method, "step": 0.1 if static else 0.02, "steps": 4 if static else 24, **time},
        "body.lower": {**SOFT, "lower": (0, gap), "upper": (2, 1 + gap), "cells": (4, 2), **({"rollers": "xmin:x"} if static else {"velocity": (0, -1)})},
        "body.side": {**SOFT, "lower": (5 + gap, 0), "upper": (6 + gap, 1), "cells": (2, 2), **({"clamped": "xmax"} if static else {"velocity": (-1, 0.2)})},
        "body.floor": PLANE, "body.wall": {"type": "plane", "point": (5, 0), "normal": (1, 0)},
        "contact.floor": touch("lower.ymin", "floor", method="point"), "contact.wall": touch("side.xmin", "wall", method="dual-mortar"),
    }
    if pair:
        scene["body.upper"] = {**SOFT, "lower": (0.5, 1 + 2 * gap), "upper": (1.5, 2 + 2 * gap), "cells": (3, 3), **({} if static else {"velocity": (0, -2)})}
        scene["contact.pair"] = touch("upper", "lower")
    if static:
        scene["motion.lid"] = {"body": "upper.ymax", "displacement": "0 -0.2*t"}
        scene["motion.wall"] = {"body": "wall", "displacement": "0.1*t 0"}
    return scene


def explicit_solids(between):
    """Solids in space on a floor, on each other and on a rigid body, with friction"""
    cube = {**SOFT, "cells": (2, 2, 2)}
    return {
        "": {"dimension": 3, "gravity": (0, 0, -1)}, "time": {"method": "cd-lagrange", "step": 0.01, "steps": 120},
        "body.lower": {**cube, "lower": (0, 0, 0.02), "upper": (1, 1, 0.52), "velocity": (0.5, 0, -1)},
        "body.upper": {**cube, "lower": (0.2, 0.2, 0.55), "upper": (0.8, 0.8, 1.05), "velocity": (0, 0, -2)},
        "body.brick": {"type": "rigid", "shape": "box", "size": (0.5, 0.5, 0.4), "density": 1, "position": (0.5, 0.5, 1.3), "velocity": (0, 0, -2)},
        "body.floor": FLOOR, "contact.floor": touch("lower", "floor", method="point", friction=0.3), "contact.pair": touch("upper", "lower", method=between, friction=0.2),
        "contact.brick": touch("upper", "brick"),
    }


BAR = {"type": "bar", "length": 0.254, "elements": 10, "area": 0.645e-3, "young": 2.1e11, "density": 7847}
SCENES = {
    "cd-lagrange": particles("cd-lagrange"),
    "moreau-jean": particles("moreau-jean"),
    "nsga": rigid("nsga", steps=120),
    "energy-momentum kick": rigid("energy-momentum", variant="kick"),
    "energy-momentum mid": rigid("energy-momentum", variant="mid"),
    "dissipative-midpoint": boxes("dissipative-midpoint"),
    "midpoint": boxes("midpoint", False),
    "modified-midpoint": boxes("modified-midpoint", False),
    "quasi-static": boxes("quasi-static"),
    "explicit solids, node-to-face": explicit_solids("node-to-face"),
    "explicit solids, dual-mortar": explicit_solids("dual-mortar"),
    "massless tips": {
        "": {"dimension": 1}, "time": {"method": "cd-lagrange", "step": 2e-6, "steps": 300},
        "body.left": {**BAR, "position": -0.2542, "velocity": 5, "tip": "massless-shifted"}, "body.right": {**BAR, "position": 0.2e-3, "velocity": -5, "tip": "massless-shifted"},
        "body.west": {"type": "plane", "point": -0.2545, "normal": 1}, "contact.middle": touch("left", "right"), "contact.west": touch("left", "west")},
    "multisymplectic": {
        "": {"dimension": 1}, "time": {"method": "multisymplectic", "step": 2e-6, "steps": 300},
        "body.left": {**BAR, "position": -0.2542, "velocity": -5}, "body.right": {**BAR, "position": 0.2e-3, "velocity": 4.5},
        "body.west": {"type": "plane", "point": -0.2545, "normal": 1}, "body.east": {"type": "plane", "point": 0.2545, "normal": -1},
        "contact.west": touch("left", "west"), "contact.east": touch("right", "east")},
    "static beams": {
        "": {"dimension": 3}, "time": {"method": "quasi-static", "step": 0.05, "steps": 6},
        "body.a": {"type": "beam", "formulation": "exponential", "length": 1, "elements": 26, "circle": 0.02, "young": 1e6, "poisson": 0.3, "density": 1000, "position": (-0.5, 0, 0),
                   "rotation": (0, math.pi / 2, 0)},
        "body.b": {"type": "beam", "formulation": "exponential", "length": 1, "elements": 26, "circle": 0.02, "young": 1e6, "poisson": 0.3, "density": 1000, "position": (0, -0.5, 0.045),
                   "rotation": (-math.pi / 2, 0, 0)},
        "joint.a": {"type": "clamp", "body": "a", "at": "left"}, "joint.a-right": {"type": "clamp", "body": "a", "at": "right"},
        "joint.b": {"type": "clamp", "body": "b", "at": "left"},
        "load.b": {"body": "b", "at": "right", "force": "0 0 -0.2*t"},
        "contact.cross": touch("b", "a", friction=0.2)},
}
# What the ledger does not explain, as a part of the largest kinetic plus elastic energy: explicit methods keep no energy of large turns exactly
LEFT = {"cd-lagrange": 1e-4, "moreau-jean": 1e-4, "explicit solids, node-to-face": 0.03, "explicit solids, dual-mortar": 0.03, "multisymplectic": 0.03}
# Rows until when it does not matter in which order contacts are looked at: then several points of a body that is rigid share a load
UNIQUE = {"energy-momentum kick": 110, "energy-momentum mid": 110}


def contacts_of(scene):
    return [section[8:] for section in scene if section.startswith("contact.")]


def expected_columns(scene):
    columns = {}
    for contact in contacts_of(scene):
        keys = scene["contact." + contact]
        solid = scene["body." + keys["first"].split(".")[0]]["type"] == "solid"
        columns[contact] = [f"{contact}.{c}" for c in FORCE + (ZONE if solid else ()) + (ROUGH if keys.get("friction", 0) > 0 else ())]
    return columns


def check_sums(name, scene, folder):
    h, s = History(folder), summary(folder)
    names, step = contacts_of(scene), scene["time"]["step"]
    columns = expected_columns(scene)
    test.equal(f"{name}: columns", (h.names[:len(COLUMNS)], sorted(h.names[len(COLUMNS):])), (COLUMNS, sorted(sum(columns.values(), []) + WORKS)))
    test.equal(f"{name}: the works come last", h.names[-3:], WORKS)
    scale = max(k + e for k, e in zip(h["kinetic"], h["elastic"]))
    largest = max(max(map(abs, h[f"{c}.force_{axis}"])) for c in names for axis in "xyz") * step
    for axis in "xyz":
        test.close(f"{name}: forces in {axis} add up to the impulse", [step * sum(h[f"{c}.force_{axis}"][n] for c in names) for n in range(1, h.rows)],
                   h[f"impulse_{axis}"][1:], atol=1e-12 * largest)
    test.true(f"{name}: all contacts act", all(any(h[f"{c}.force_{a}"][n] for a in "xyz" for n in range(h.rows)) for c in names))
    smallest = [min([h[f"{c}.gap"][n] for c in names if not math.isnan(h[f"{c}.gap"][n])], default=math.nan) for n in range(h.rows)]
    test.equal(f"{name}: the smallest gap is that of a contact", [repr(x) for x in smallest], [repr(x) for x in h["min_gap"]])
    works = [sum(h[w][n] for w in WORKS) for n in range(h.rows)]
    test.close(f"{name}: works add up to what is dissipated", works, [-d for d in h["dissipated"]], atol=1e-13 * max(scale, max(map(abs, works))))
    first = 1 if scene["time"]["method"] == "cd-lagrange" else 0  # of staggered momenta
    left = [h["total"][n] - h["external_work"][n] - works[n] for n in range(h.rows)]
    error = max(abs(x - left[first]) for x in left[first:]) / scale
    test.below(f"{name}: works close the ledger", error, LEFT.get(name, 1e-9))
    test.close(f"{name}: what is left is the energy error", error, s["energy_error_max"], atol=1e-12)
    if first == 0 and "kick" not in name:
        test.close(f"{name}: figures", [s["figures"][w] for w in WORKS], [h[w][-1] for w in WORKS], atol=1e-13 * max(scale, max(map(abs, works))))
    check_friction(name, [c for c in names if f"{c}.sliding" in h], h, scale)
    for c in names:
        if f"{c}.area" in h:
            check_zone(name, c, h)


def check_friction(name, rough, h, scale):
    test.close(f"{name}: works of friction", [sum(h[f"{c}.friction_work"][n] for c in rough) for n in range(h.rows)], h["friction_work"], atol=1e-13 * max(scale, 1e-30))
    for c in rough:
        acts = [any(h[f"{c}.force_{a}"][n] for a in "xyz") for n in range(h.rows)]
        points = [a + b for a, b in zip(h[f"{c}.sticking"], h[f"{c}.sliding"])]
        test.true(f"{name}: {c} has points where it has a force", all((p > 0) == a for p, a in zip(points, acts)))
        test.true(f"{name}: {c} has no more points than there are", all(p <= n for p, n in zip(points, h["contacts"])))


def check_zone(name, contact, h):
    """The largest pressure is at least the mean one, and there is an area where there is a force"""
    force = [math.sqrt(sum(h[f"{contact}.force_{a}"][n] ** 2 for a in "xyz")) for n in range(h.rows)]
    friction = 1 if f"{contact}.sliding" not in h else math.sqrt(1 + 0.3 ** 2)  # tangential forces have no pressure
    wrong = [(n, a, p, f) for n, (a, p, f) in enumerate(zip(h[f"{contact}.area"], h[f"{contact}.pressure"], force))
             if not ((a > 0) == (f > 0) == (p > 0) and a * p * friction >= f * (1 - 1e-9))]
    test.equal(f"{name}: {contact} area and pressure", wrong, [])


def check_order(name, scene, folder):
    """Which contact stands first in the file does not matter"""
    turned = {key: value for key, value in scene.items() if not key.startswith("contact.")}
    turned.update((f"contact.{c}", scene[f"contact.{c}"]) for c in reversed(contacts_of(scene)))
    h, other = History(folder), History(test.run(turned))
    test.equal(f"{name}: same columns in another order", sorted(h.names), sorted(other.names))
    for c in contacts_of(scene):
        for column in expected_columns(scene)[c]:
            size = max((abs(x) for x in h[column] if math.isfinite(x)), default=0)
            end = UNIQUE.get(name, h.rows)
            far = [n for n, (a, b) in enumerate(zip(h[column][:end], other[column])) if not (abs(a - b) <= 1e-6 * max(size, 1e-3) or (math.isnan(a) and math.isnan(b)))]
            if column.endswith(("sticking", "sliding", "area", "pressure")):  # round-off decides at the bound, and whether a point touches at all
                far = far if len(far) > 0.1 * end else []
            test.equal(f"{name}: {column} in another order", far, [])


def check_scene(name):
    scene = {**SCENES[name], "output": {"report": "no"}}
    folder = test.run(scene)
    check_sums(name, scene, folder)
    check_order(name, scene, folder)


def check_resume():
    """A resumed run has the same columns and the same snapshots, which have the numbers of their steps; its report is made again"""
    scene = {**boxes("dissipative-midpoint", steps=14), "output": {"vtk-every": 4, "checkpoint-every": 6}}
    folder = test.run(scene, name="boxes.ini")
    whole = results(folder)
    checkpoints = sorted(file for file in os.listdir(folder) if file.startswith("checkpoint-"))
    test.equal("there are two checkpoints", len(checkpoints), 2)
    os.remove(os.path.join(folder, checkpoints[1]))
    done = test.call("run", test.path("boxes.ini"), "--quiet", "--resume", "--output", folder)
    test.equal("the run is resumed at its first checkpoint", (done.returncode, done.stderr), (0, ""))
    resumed = results(folder)
    test.equal("the same files", sorted(resumed), sorted(whole))
    test.equal("the same bytes", [file for file in whole if resumed.get(file) != whole[file]], [])
    for name in ("body", "contact"):
        part = "upper" if name == "body" else "contact-pair"
        test.equal(f"snapshots of a {name} have the numbers of their steps", sorted(snapshots(folder, "boxes", part)), [0, 4, 8, 12])
    h = History(folder)
    times = {int(file): float(time) for time, file in re.findall(rb'timestep="([^"]*)"[^>]*boxes-upper-(\d+)\.vtu"', read(folder, "boxes.pvd"))}
    test.equal("times of the snapshots", times, {n: h["time"][n] for n in (0, 4, 8, 12)})
    page = read(folder, "report.html")
    test.equal("report again", test.call("report", folder).returncode, 0)
    test.equal("the same page", read(folder, "report.html"), page)
    test.true("the page has the columns", all(f'"{c}"'.encode() in page for c in ("pair.gap", "pair.pressure", "bulk_work")))


def check_patch():
    """A box that is pressed between plates: uniform pressure; the multiplier counts the area before, the pressure that of now"""
    for dimension in (2, 3):
        for method in ("point", "dual-mortar"):
            axis, size = "xyz"[dimension - 1], 2.0 ** (dimension - 1)
            upward, zeros = (0,) * (dimension - 1) + (1,), "0 " * (dimension - 1)
            scene = {
                "": {"dimension": dimension}, "time": {"method": "quasi-static", "step": 0.25, "steps": 4}, "output": {"vtk-every": 2, "report": "no"},
                "body.box": {**SOFT, "lower": (0,) * dimension, "upper": (2,) * (dimension - 1) + (1,), "cells": (3, 2, 2)[:dimension], "poisson": 0.25,
                             "rollers": ["xmin:x", "ymin:y", "zmin:z"][0] + (" ymin:y" if dimension == 3 else "")},
                "body.floor": {"type": "plane", "normal": upward},
                "body.lid": {"type": "plane", "point": (0,) * (dimension - 1) + (1,), "normal": tuple(-x for x in upward)},
                "motion.lid": {"body": "lid", "displacement": zeros + "-0.2*t"},
                "contact.floor": touch(f"box.{axis}min", "floor", method=method), "contact.lid": touch(f"box.{axis}max", "lid", method=method)}
            name = f"patch in dimension {dimension}, {method}"
            folder = test.run(scene, name="patch.ini")
            h = History(folder)
            for n in (2, 4):
                force = abs(h[f"lid.force_{axis}"][n])
                test.true(f"{name}: force", force > 0, force)
                test.close(f"{name}: both plates", h[f"floor.force_{axis}"][n], force, rtol=1e-6)
                test.close(f"{name}: pressure times area is the force", h["lid.pressure"][n] * h["lid.area"][n], force, rtol=1e-6)
                test.true(f"{name}: it gets wider", h["lid.area"][n] > 1.001 * size, h["lid.area"][n])
                picture = vtu(folder, "patch", "contact-lid", n // 2)
                test.close(f"{name}: pressure of the snapshot", picture["pressure"], [h["lid.pressure"][n]] * len(picture["pressure"]), rtol=1e-6)
                test.close(f"{name}: multiplier times the area before is the force", picture["multiplier"], [force / size] * len(picture["pressure"]), rtol=1e-6)


def check_divided_steps():
    """A point that acts in several parts of a divided step counts once"""
    scene = boxes("dissipative-midpoint", steps=6)
    whole = History(test.run(scene))
    divided = History(test.run(scene, "--set", "solver.max-iterations=5", "--set", "solver.min-step=1e-6"))
    nodes = 5 + 3 + 2 * (4 * 3 + 4)  # on the surfaces that touch first, those of the upper box with a gap for each face
    test.true("there is contact", max(whole["contacts"]) > 3, max(whole["contacts"]))
    test.below("points of divided steps", max(divided["contacts"]), nodes)
    test.true("steps are divided", max(divided["iterations"]) > 5, max(divided["iterations"]))


for scene in SCENES:
    test.attempt(scene, check_scene, scene)
for group in (check_patch, check_resume, check_divided_steps):
    test.attempt(group.__name__, group)
sys.exit(test.finish())
