# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""Runs whose contact impulses are hard to find end with the default settings."""
import re
import resource
import sys

from dune_impact import History, Test, summary

test = Test()

def check_stacks():
    """Boxes on each other stay where they are; sweeps alone cannot find the impulses of more than 25"""
    for count, steps in ((30, 300), (60, 60), (100, 40)):
        name = f"stack of {count} boxes"
        folder = test.run(test.shipped("box-stack.ini"), "--set", f"body.boxes.copies=1 1 {count}", "--set", f"time.end={steps * 1e-3}",
                          "--set", f"probe.highest.at={9 * count - 2}", "--set", "output.report=no")
        h = History(folder)
        test.equal(f"{name}: all steps", h["step"][-1], steps)
        test.below(f"{name}: the lowest and the highest box stay",
                   max(abs(h[c][-1] - h[c][0]) for c in (f"{box}.{axis}" for box in ("lowest", "highest") for axis in "xyz")), 1e-6)
        test.close(f"{name}: the floor carries the weight", h["force.z"][-1], 9.81 * count, rtol=1e-6)
        test.below(f"{name}: largest residual", summary(folder)["solver"]["residual_max"], 1e-6)


def check_warning(name, stderr, folder):
    """Steps that miss the tolerance are counted in the summary and named at the end"""
    solver = summary(folder)["solver"]
    missed = re.search(r"warning: the solver has missed its tolerance (\d+) times in (\d+) steps, its largest residual is ([^;]+); "
                       "momenta and the balance", stderr)
    if solver["failures"] == 0:
        return test.true(f"{name}: no warning", missed is None, stderr)
    test.true(f"{name}: a warning", missed is not None, stderr)
    test.equal(f"{name}: it tells how often", (int(missed[1]), int(missed[2])), (solver["failures"], summary(folder)["steps"]))
    test.close(f"{name}: it tells the residual", float(missed[3]), solver["residual_max"], rtol=0.05)
    test.true(f"{name}: the residual is above the tolerance and acceptable", 1e-10 < solver["residual_max"] <= 1e-6, solver["residual_max"])


def check_rattle():
    """A ball between two elastic walls that close in with a speed d: its mean speed must not be below d for the one and not above 0 for
    the other. No impulses do that, and the best ones miss both laws by d/2 of its speed: that is acceptable up to a millionth."""
    steps = 30
    for method, variant in (("energy-momentum", "kick"), ("energy-momentum", "mid"), ("cd-lagrange", None), ("moreau-jean", None)):
        for friction in (0, 0.3):
            name = f"ball between walls, {variant or method}, friction {friction}"
            radius = 0.1 if variant else 0
            law = {"restitution": 1, **({"friction": friction} if friction else {})}
            scene = {
                "": {"dimension": 3},
                "time": {"method": method, "step": 1e-3, "steps": steps, "gap-tolerance": 0.05, **({"variant": variant} if variant else {})},
                "body.ball": {"type": "rigid", "shape": "ball", "radius": radius} if variant else {"type": "particle"},
                "body.a": {"type": "plane", "point": (-0.01 - radius, 0, 0), "normal": (1, 0, 0)},
                "body.b": {"type": "plane", "point": (0.01 + radius, 0, 0), "normal": (-1, 0, 0)},
                "motion.a": {"body": "a"},
                "contact.a": {"first": "ball", "second": "a", **law}, "contact.b": {"first": "ball", "second": "b", **law},
                "output": {"report": "no"}}
            scene["body.ball"].update({"mass": 1, "velocity": (-1, 0, 0)})
            for closing in (1e-7, 1e-5):
                scene["motion.a"]["displacement"] = f"{closing}*t 0 0"
                folder = test.path("rattle")
                done = test.call("run", test.write("rattle.ini", scene), "--output", folder)
                if closing > 1e-6:
                    test.equal(f"{name}: far from its law it stops", done.returncode, 1)
                    test.true(f"{name}: with the name of the key", "solver.contact-tolerance" in done.stderr, done.stderr)
                    continue
                test.equal(f"{name}: the run ends", done.returncode, 0)
                solver = summary(folder)["solver"]
                test.true(f"{name}: every step misses the tolerance", solver["failures"] >= steps, solver["failures"])
                test.close(f"{name}: by what is missing", solver["residual_max"], closing / 2, rtol=1e-3)
                check_warning(name, done.stderr, folder)


def check_dominoes():
    """A row of dominoes falls: contacts are redundant, and which of them carries is a matter of round-off"""
    size, gap, count, steps = (0.0075, 0.024, 0.05), 0.02, 6, 1500
    row = {
        "": {"dimension": 3, "gravity": (0, 0, -9.81)},
        "time": {"step": 2e-4, "steps": steps},
        "body.row": {"type": "rigid", "shape": "box", "size": size, "mass": 0.005625, "position": (0, 0, size[2] / 2), "copies": (count, 1, 1),
                     "spacing": (gap, 0, 0)},
        "body.striker": {"type": "rigid", "shape": "ball", "radius": 0.005, "mass": 0.01, "position": (-0.02, 0, 0.045), "velocity": (1, 0, 0)},
        "body.floor": {"type": "plane", "normal": (0, 0, 1)},
        "contact.row": {"first": "row", "second": "row", "friction": 0.2},
        "contact.floor": {"first": "row", "second": "floor", "friction": 0.2},
        "contact.strike": {"first": "striker", "second": "row", "friction": 0.2},
        "probe.last": {"body": "row", "at": 9 * count - 2},
        "output": {"report": "no", "history-every": 10}}
    # seconds of CPU time, several times those of a quiet machine
    for method, variant, seconds in (("energy-momentum", "kick", 15), ("energy-momentum", "mid", 30), ("cd-lagrange", None, 15)):
        row["time"].pop("variant", None)
        row["time"].update({"method": method, **({"variant": variant} if variant else {})})
        name = f"dominoes, {variant or method}"
        folder = test.path(variant or method)
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = test.call("run", test.write("dominoes.ini", row), "--output", folder)
        test.below(f"{name}: CPU time", resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, seconds)
        test.equal(f"{name}: the run ends", done.returncode, 0)
        check_warning(name, done.stderr, folder)
        h = History(folder)
        test.equal(f"{name}: all steps", h["step"][-1], steps)
        test.true(f"{name}: the last one has fallen", h["last.z"][-1] < 0.8 * size[2] / 2, h["last.z"][-1])
        test.ledger(f"{name}: balance of energy", h, 1e-9)
        # of `kick` apart from what it gives to bodies at rest, m (g h)^2/8 in a step
        rest = 10 * count * 0.005625 * (9.81 * 2e-4)**2 / 8
        test.true(f"{name}: friction and impacts only take energy",
                  all(b >= a - rest for a, b in zip(h["dissipated"], h["dissipated"][1:])))
        test.below(f"{name}: largest residual", summary(folder)["solver"]["residual_max"], 1e-6)


def check_plate():
    """A ball falls on a node of a plate: five contact points depend on each other to round-off"""
    plate = {
        "": {"dimension": 3, "gravity": (0, 0, -9.81e-3)},
        "time": {"method": "cd-lagrange", "courant": 0.9, "end": 0.2},
        "body.plate": {"type": "solid", "shape": "box", "lower": (-50, -50, -1), "upper": (50, 50, 0), "cells": (40, 40, 2), "cell": "cube",
                       "young": 70000, "poisson": 0.33, "density": 2.7e-3, "clamped": "xmin xmax ymin ymax"},
        "body.ball": {"type": "rigid", "shape": "ball", "radius": 10, "density": 7.8e-3, "position": (0, 0, 10.1), "velocity": (0, 0, -2)},
        "contact.c": {"first": "plate.zmax", "second": "ball"},
        "probe.ball": {"body": "ball", "quantity": "velocity"},
        "output": {"report": "no", "history-every": 10}}
    folder = test.run(plate)
    h = History(folder)
    test.true("plate: the ball is slowed down", h["ball.z"][0] + 1e-4 < h["ball.z"][-1] < 0, (h["ball.z"][0], h["ball.z"][-1]))
    test.equal("plate: steps that missed the tolerance", summary(folder)["solver"]["failures"], 0)
    test.ledger("plate: balance of energy", h, 1e-6)


def check_jam():
    """Two walls that meet at a particle: there are no impulses, and the run stops with a message that names the key"""
    jam = {
        "": {"dimension": 1}, "time": {"method": "cd-lagrange", "step": 0.01, "steps": 10}, "body.p": {"type": "particle", "mass": 1, "position": 0.0},
        "body.a": {"type": "plane", "point": -0.005, "normal": 1}, "body.b": {"type": "plane", "point": 0.005, "normal": -1},
        "motion.a": {"body": "a", "displacement": "t"}, "motion.b": {"body": "b", "displacement": "-t"},
        "contact.a": {"first": "p", "second": "a"}, "contact.b": {"first": "p", "second": "b"}}
    for method in ("cd-lagrange", "moreau-jean"):
        jam["time"]["method"] = method
        done = test.call("run", test.write("jam.ini", jam), "--output", test.path("jam"))
        test.equal(f"{method}: no impulses, no run", done.returncode, 1)
        test.true(f"{method}: the message names contact, residual and key",
                  re.search(r": a: the contact impulses could not be found, residual .* solver\.contact-tolerance", done.stderr), done.stderr)


def check_keys():
    """contact-tolerance and its other name"""
    stack = (test.shipped("box-stack.ini"), "--set", "time.end=0.01", "--set", "output.report=no")
    names = (("--set", "solver.contact-tolerance=1e-4"), ("--set", "time.friction-tolerance=1e-4"))
    same = [History(test.run(*stack, *name)).columns for name in names]
    test.equal("both names have the same effect", same[0], same[1])
    again = History(test.run(test.run(*stack, *names[1]) + "/scenario.ini", name="again")).columns
    test.equal("the scenario that was written gives the same run", again, same[0])
    done = test.call("check", *stack, *names[0], *names[1])
    test.equal("both at once are refused", done.returncode, 2)
    test.true("with a sentence", "time.friction-tolerance: is another name of solver.contact-tolerance" in done.stderr, done.stderr)
    for value in ("2", "-1e-10"):
        test.equal(f"contact-tolerance = {value} is refused", test.call("check", *stack, "--set", f"solver.contact-tolerance={value}").returncode, 2)


test.attempt("keys", check_keys)
test.attempt("jam", check_jam)
test.attempt("rattle", check_rattle)
test.attempt("stacks", check_stacks)
test.attempt("dominoes", check_dominoes)
test.attempt("plate", check_plate)
sys.exit(test.finish())
