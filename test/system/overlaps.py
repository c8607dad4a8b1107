# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""Overlap at the start is decided by the geometry of both sides, and steps that overlap deeply are named."""
import math
import sys

from dune_impact import History, Test, read, summary

test = Test()

SOFT = {"type": "solid", "shape": "box", "cell": "cube", "young": 100, "poisson": 0.3, "density": 1}
IMPLICIT = {"method": "dissipative-midpoint", "step": 0.1, "end": 1}


def check(name, scene, depth):
    """Accepted, or refused with this depth"""
    done = test.call("check", test.write("start.ini", scene))
    if depth is None:
        return test.equal(f"{name} is accepted", (done.returncode, done.stderr), (0, ""))
    test.equal(f"{name} is refused", done.returncode, 2)
    found = [float(word) for word in done.stderr.split("overlap by ")[1:2] for word in word.split()[:1]]
    test.close(f"{name}: depth", found, [depth], rtol=1e-5)
    test.true(f"{name}: the sentence names the contact", "contact.c" in done.stderr, done.stderr)


def above(dimension, height, **keys):
    """A box of one or two cells whose lower face is at this height"""
    return {**SOFT, "lower": (-1,) * (dimension - 1) + (height,), "upper": (1,) * (dimension - 1) + (height + 1,), "cells": (2,) * dimension, **keys}


def check_round_obstacles():
    """Coarse boxes over a ball: gaps that are weighted with the dual basis are below zero where the distance grows fast; the box touches nothing"""
    for dimension in (2, 3):
        for method in ("dual-mortar", "point"):
            for gap in (0.01, 0.0, -0.05):
                scene = {"": {"dimension": dimension}, "time": IMPLICIT, "body.box": above(dimension, 0.3 + gap),
                         "body.ball": {"type": "sphere", "radius": 0.3}, "contact.c": {"first": "box", "second": "ball", "method": method}}
                check(f"dimension {dimension}, {method}: box {gap} over a ball", scene, None if gap >= 0 else -gap)
            # between the nodes, which are all outside
            scene["body.box"] = above(dimension, 0.25, cells=(1,) * dimension)
            check(f"dimension {dimension}, {method}: a ball in the middle of a facet", scene, 0.05)
            scene["body.ball"]["centre"] = (0.37, 0.11)[:dimension - 1] + (0,)
            check(f"dimension {dimension}, {method}: a ball beside the middle of a facet", scene, 0.05)


def check_fitting_meshes():
    """Nodes on a round obstacle are not refused because of the facets between them; deeper ones are"""
    for dimension in (2, 3):
        for radius, depth in ((1.0, None), (0.99, None), (1.05, 0.05)):
            scene = {"": {"dimension": dimension}, "time": IMPLICIT, "body.shell": {**SOFT, "shape": "shell", "inner": 1.0, "outer": 2.0, "cells": 3},
                     "body.core": {"type": "sphere", "radius": radius}, "contact.c": {"first": "shell", "second": "core", "method": "point"}}
            done = test.call("check", test.write("start.ini", scene))
            test.equal(f"dimension {dimension}: shell of radius 1 around a ball of radius {radius}", done.returncode, 0 if depth is None else 2)
            if depth is not None:
                test.true("it overlaps by at least so much", "overlap by" in done.stderr and float(done.stderr.split("overlap by ")[1].split()[0]) >= depth - 1e-6, done.stderr)


def check_planes():
    """Flat obstacles, at any angle"""
    for angle in (0.0, 0.3):
        normal = (math.sin(angle), math.cos(angle))
        lowest = -abs(normal[0])  # of the corners of the lower face, along the normal
        for gap in (0.0, 0.02, -0.03):
            place = tuple(-(gap - lowest) * n for n in normal)
            scene = {"": {"dimension": 2}, "time": IMPLICIT, "body.box": {**above(2, 0), "position": (0, 0)},
                     "body.plane": {"type": "plane", "point": place, "normal": normal}, "contact.c": {"first": "box", "second": "plane", "method": "dual-mortar"}}
            scene["body.plane"]["point"] = tuple((lowest - gap) * n for n in normal)
            check(f"box {gap} over a plane at {angle}", scene, None if gap >= 0 else -gap)


def check_rigid_bodies():
    """The same for a rigid ball and the corner of a rigid box below a solid, implicit and explicit"""
    explicit = {"method": "cd-lagrange", "step": 0.01, "end": 1}
    corner = 0.2 * math.sqrt(3) / 2  # from the centre of a cube of edge 0.2
    turn = math.acos(1 / math.sqrt(3)) / math.sqrt(2)  # so that a diagonal is upright
    shapes = {"ball": ({"shape": "ball", "radius": 0.3}, 0.3), "cube": ({"shape": "box", "size": (0.2, 0.2, 0.2), "rotation": (turn, -turn, 0)}, corner)}
    for shape, (keys, size) in shapes.items():
        for time, method in ((IMPLICIT, "dual-mortar"), (IMPLICIT, "point"), (explicit, None)):
            # coarse where it may be; weighted gaps need facets that are not larger than the rigid body
            box = above(3, 0.0, cells=(4, 4, 1)) if method is None else {**SOFT, "lower": (-0.5, -0.5, 0), "upper": (0.5, 0.5, 0.1), "cells": (10, 10, 1)}
            for gap in (0.01, 0.0, -0.02):
                scene = {"": {"dimension": 3}, "time": time, "body.box": box,
                         "body.thing": {"type": "rigid", "density": 1, "position": (0.13, 0.17, -gap - size), **keys}, "contact.c": {"first": "box", "second": "thing"}}
                if method:
                    scene["contact.c"]["method"] = method
                done = test.call("check", test.write("start.ini", scene))
                name = f"{shape} {gap} under a box, {time['method']} {method}"
                test.equal(name, done.returncode, 0 if gap >= 0 else 2)
                if gap < 0:
                    test.true(f"{name}: the sentence names contact and bodies", "contact.c" in done.stderr and ("overlap by 0.02" in done.stderr or "thing lies in box" in done.stderr),
                              done.stderr)


def check_deep_overlaps():
    """Steps in which bodies lie in each other by more than a tenth of their size are named, others are not"""
    ball = {"type": "rigid", "shape": "ball", "radius": 0.1, "density": 1000, "position": (0, 0, 0.31), "velocity": (0, 0, -5)}
    solid = {"type": "solid", "shape": "box", "lower": (0, 0, 0.1), "upper": (1, 1, 1.1), "cells": (4, 4, 4), "young": 1e5, "poisson": 0.3, "density": 1000,
             "velocity": (0, 0, -40)}
    for name, body, time_keys, step in (("ball, kick", ball, {"method": "energy-momentum", "variant": "kick"}, 0.02),
                                        ("ball, cd-lagrange", ball, {"method": "cd-lagrange"}, 0.02),
                                        ("box, cd-lagrange", solid, {"method": "cd-lagrange"}, 2.1e-3)):
        for h in (step, step / 64):
            scenario = {"": {"dimension": 3}, "time": {**time_keys, "step": h, "end": 4 * step},
                        "body.thing": body, "body.floor": {"type": "plane", "normal": (0, 0, 1)}, "contact.c": {"first": "thing", "second": "floor"}}
            folder = test.new_folder()
            done = test.call("run", test.write("deep.ini", scenario), "--output", folder)
            h_ = History(folder)
            overlaps, lines = summary(folder)["overlaps"], [line for line in done.stderr.splitlines() if "overlaps" in line]
            if h < step:
                test.equal(f"{name}, short steps", (overlaps, lines), ([], []))
                continue
            row = min(range(h_.rows), key=lambda n: h_["c.gap"][n])
            test.equal(f"{name}: named once", (len(overlaps), len(lines)), (1, 1))
            size = 0.25 * math.sqrt(2) if body is solid else 0.2  # a facet, or the ball
            test.close(f"{name}: size", [o.pop("size") for o in overlaps], [size], rtol=1e-12)
            test.equal(f"{name}: what", overlaps, [{"pair": "c", "first": "thing", "second": "floor", "time": h_["time"][row], "depth": -h_["c.gap"][row]}])
            test.true(f"{name}: the report has it", b'"overlaps":[{"pair":"c"' in read(folder, "report.html"))
            for word in ("contact.c", "thing", "floor", f"{-h_['c.gap'][row]:.3g}", f"{h_['time'][row]:.6g}"):
                test.true(f"{name}: the line says {word}", all(word in line for line in lines), lines)


for group in (check_round_obstacles, check_fitting_meshes, check_planes, check_rigid_bodies, check_deep_overlaps):
    test.attempt(group.__name__, group)
sys.exit(test.finish())
