# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""Runs that are killed at any moment and resumed end as if nothing had happened."""
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

from dune_impact import Test, read, results, summary, tree

test = Test()
chance = random.Random(20)


def particle(mass, radius, position, velocity):
    return {"type": "particle", "mass": mass, "radius": radius, "position": position, "velocity": velocity}


def contact(first, second, **law):
    return {"first": first, "second": second, **law}


# Several bodies, friction, sticking and rolling about in a bowl
FRICTION = {
    "": {"title": "Bowl", "dimension": 2, "gravity": (0, -9.81)},
    "time": {"method": "cd-lagrange", "step": 1e-3, "steps": 4000},
    "output": {"checkpoint-every": 40, "vtk-every": 200},
    "body.a": particle(1, 0.1, (0, 0.5), (1, 0)),
    "body.b": particle(2, 0.2, (0.5, 0.8), (-1, 0)),
    "body.c": {"type": "bar", "length": 0.5, "elements": 5, "area": 1e-3, "young": 1e6, "density": 1000,
               "position": (-1, 0), "axis": (1, 1), "spin": 2},
    "body.bowl": {"type": "cavity", "radius": 2},
    "contact.ab": contact("a", "b", restitution=0.9, friction=0.3),
    "contact.a-bowl": contact("a", "bowl", restitution=0.8, friction=0.2),
    "contact.b-bowl": contact("b", "bowl", restitution=0.95, friction=0.1, slip="mid-step"),
    "contact.c-bowl": contact("c", "bowl", restitution=0.5, friction=0.4),
    "spring.ac": {"body": "a", "other": "c", "stiffness": 5, "length": 1},
    "probe.a": {"body": "a"}, "probe.c": {"body": "c", "at": "left", "quantity": "velocity"},
}

MOREAU = {
    "": {"dimension": 2, "gravity": (0.3, -1)},
    "time": {"method": "moreau-jean", "step": 0.005, "steps": 3000},
    "output": {"checkpoint-every": 40, "vtk-every": 300},
    "body.a": particle(1, 0.1, (0.5, 0), (0, 1)),
    "body.b": particle(1, 0.1, (-0.5, 0), (0.2, 0)),
    "body.bowl": {"type": "cavity", "radius": 1.5},
    "contact.ab": contact("a", "b", restitution=1),
    "contact.a": contact("a", "bowl", restitution=1, friction=0.01),
    "contact.b": contact("b", "bowl", restitution=0.999),
    "body.c": {"type": "bar", "length": 0.5, "elements": 4, "area": 1e-2, "young": 1e4, "density": 100, "position": (-0.2, -0.8), "spin": 1},
    "contact.c": contact("c", "bowl", restitution=0.5, friction=0.1),
    "spring.pivot": {"body": "a", "anchor": (0.1, 0), "stiffness": 10, "length": 0.7},
    "probe.a": {"body": "a"}, "probe.b": {"body": "b"}, "probe.c": {"body": "c", "at": "left"},
}

BAR = {"type": "bar", "length": 0.254, "elements": 20, "area": 0.645e-3, "young": 2.1e11, "density": 7847}
LANDING = {
    "": {"dimension": 1},
    "time": {"method": "cd-lagrange", "courant": 0.9, "landing": "both", "end": 6e-3},
    "output": {"checkpoint-every": 40, "vtk-every": 1000},
    "body.left": {**BAR, "position": -0.2542, "velocity": 5, "tip": "massless-shifted"},
    "body.right": {**BAR, "position": 0.2e-3, "velocity": -5, "tip": "massless-shifted"},
    "body.west": {"type": "plane", "point": -0.26, "normal": 1},
    "body.east": {"type": "plane", "point": 0.26, "normal": -1},
    "contact.middle": contact("left", "right"),
    "contact.west": contact("left", "west"),
    "contact.east": contact("right", "east"),
    "probe.left-end": {"body": "left", "at": "right"}, "probe.force": {"body": "left", "quantity": "force"},
}

# The length of every step is computed from the energies before
ADAPTIVE = {
    "": {"dimension": 2},
    "time": {"method": "cd-lagrange", "step": 0.02, "end": 40, "adaptive-energy": "yes"},
    "output": {"checkpoint-every": 30, "history-every": 7},
    "body.a": particle(1, 0, (1.5, 0), (1, 1)),
    "spring.pivot": {"body": "a", "stiffness": 10, "length": 1},
    "body.bowl": {"type": "cavity", "radius": 1.55},
    "contact.a": contact("a", "bowl", restitution=1),
}

# An elastic disc in a bowl that moves; without inertia, a box that the bowl presses on
DISC = {"type": "solid", "shape": "ball", "radius": 1, "cells": 2, "refine": 1, "young": 100, "poisson": 0.3, "density": 1,
        "velocity": (1, 0.5), "spin": 1}
BOX = {"type": "solid", "shape": "box", "lower": (-1, -1), "upper": (1, 1), "cells": (3, 3), "refine": 1, "young": 100,
       "poisson": 0.3, "density": 1, "material": "neo-hooke", "clamped": "ymin"}


def solid(method, steps):
    static = method == "quasi-static"
    return {
        "": {"dimension": 2, "gravity": (0, -1)},
        "time": {"method": method, "step": 0.02, "steps": steps},
        "output": {"checkpoint-every": 10, "vtk-every": 50},
        "body.solid": BOX if static else DISC,
        "body.bowl": {"type": "cavity", "radius": 2},
        "motion.bowl": {"body": "bowl", "displacement": "0.2*sin(3*t) -0.7*sin(t)^2" if static else "0 0.1*sin(3*t)"},
        "contact.bowl": contact("solid", "bowl"),
        "probe.centre": {"body": "solid"},
    }

# Momenta of the beam, the length and the energy of the last interval
BEAM = {
    "": {"dimension": 3, "gravity": (0, 0, -10)},
    "time": {"method": "multisymplectic", "step": 4e-5, "steps": 4000},
    "output": {"checkpoint-every": 40, "vtk-every": 1000},
    "body.beam": {"type": "beam", "length": 0.5, "elements": 10, "square": 0.05, "young": 1e6, "poisson": 0.35, "density": 1e3,
                  "position": (0, 0, 0.01), "rotation": (0.5, 0.3, 0), "strain": (1, 4.5, 1, 0, 0, 1), "spin": (20, 30, 5), "velocity": (0, 1, -3)},
    "body.ground": {"type": "plane", "normal": (0, 0, 1)},
    "contact.ground": contact("beam", "ground"),
    "probe.right": {"body": "beam", "at": "right", "quantity": "velocity"},
}

# Quaternions, compensated sums, first guesses of impulses, gaps of penalties
def rigid(variant):
    return {
        "": {"dimension": 3, "gravity": (0, 0, -9.81)},
        "time": {"method": "energy-momentum", "variant": variant, "step": 1e-3, "steps": 3000, "projection": "yes" if variant == "kick" else "no"},
        "output": {"checkpoint-every": 40, "vtk-every": 600},
        "body.balls": {"type": "rigid", "shape": "ball", "radius": 0.1, "mass": 1, "position": (-0.3, 0, 0.4), "copies": (3, 1, 1), "spacing": (0.25, 0.3, 0.3), "jitter": 0.1, "spin": (1, 2, 3)},
        "body.box": {"type": "rigid", "shape": "box", "size": (0.3, 0.2, 0.25), "density": 100, "position": (0.1, 0, 0.8), "rotation": (0.3, 0.4, 0.5)},
        "body.spring": {"type": "rigid", "mass": 1, "inertia": (0.01, 0.02, 0.025), "nodes": (0.1, 0, 0, -0.1, 0, 0), "position": (0, 1, 0.2), "spin": (1, 2, 3)},
        "body.ground": {"type": "plane", "normal": (0, 0, 1)},
        "contact.balls": contact("balls", "balls", restitution=0.8),
        "contact.box": contact("balls", "box", restitution=0.9, friction=0.2, slip="mid-step"),
        "contact.ground": contact("balls", "ground", restitution=0.9, friction=0.2, slip="mid-step"),
        "contact.box-ground": contact("box", "ground", restitution=0.7),
        "contact.spring": contact("spring", "ground", law="penalty", stiffness=1000),
        "probe.box": {"body": "box"}, "probe.node": {"body": "spring", "at": 0, "quantity": "velocity"},
    }


# Damage of adhesion between two solids and of one on a floor, friction, and steps that follow the critical one
RUBBER = {"type": "solid", "shape": "box", "cell": "cube", "young": 1e6, "poisson": 0.3, "density": 1100}
GLUE = {"law": "rccm", "normal-stiffness": 2e9, "tangential-stiffness": 1e9, "mode-mix": 0.5, "elastic-limit": 1e-5, "friction": 0.3}
ADHESION = {
    "": {"dimension": 2, "gravity": (0, -9.81)},
    "time": {"method": "cd-lagrange", "courant": 0.5, "estimate-every": 70, "end": 0.08},
    "output": {"checkpoint-every": 20, "vtk-every": 300},
    "body.lower": {**RUBBER, "lower": (0, 0), "upper": (0.1, 0.05), "cells": (6, 3)},
    "body.upper": {**RUBBER, "lower": (0.02, 0.05), "upper": (0.08, 0.1), "cells": (4, 3)},
    "body.floor": {"type": "plane", "normal": (0, 1)},
    "contact.floor": contact("lower.ymin", "floor", **GLUE, rupture=4e-3),
    "contact.pair": contact("upper", "lower", method="node-to-face", **GLUE, rupture=1e-3, **{"delay-time": 1e-3}),
    "motion.ymax": {"body": "upper.ymax", "displacement": "0 10*t*t"},
    "probe.upper": {"body": "upper", "at": (0.05, 0.05)},
}


# Accelerations, impulses and corrections of the last step, joints of beams and rigid bodies, friction, divided steps
NSGA = {
    "": {"dimension": 3, "gravity": (0, 0, -10)},
    "time": {"method": "nsga", "step": 2e-3, "steps": 600},
    "output": {"checkpoint-every": 20, "vtk-every": 200},
    "body.beam": {"type": "beam", "formulation": "exponential", "length": 1, "elements": 4, "circle": 0.01, "young": 1e8, "poisson": 0.3, "density": 1000,
                  "rotation": (0, 2.14, 0)},
    "body.rod": {"type": "rigid", "mass": 0.2, "inertia": (0.002, 0.002, 1e-4), "nodes": (0, 0, -0.1, 0, 0.05, 0), "position": (0.9, 0.1, -0.6), "spin": (1, 2, 3)},
    "body.ball": {"type": "particle", "mass": 0.1, "radius": 0.05, "position": (0.3, 1, -0.9), "velocity": (-1, 0.2, 0)},
    "body.wall": {"type": "plane", "normal": (1, 0, 0)},
    "body.floor": {"type": "plane", "normal": (0, 0, 1), "point": (0, 0, -1.5)},
    "joint.hinge": {"type": "hinge", "body": "beam", "at": "left", "axis": (0, 1, 0)},
    "joint.rod": {"type": "spherical", "body": "rod", "at": (0.8, 0, -0.5), "other": "beam"},
    "contact.tip": contact("beam.right", "wall", restitution=0.5, friction=0.3),
    "contact.rod": contact("rod", "floor", friction=0.4),
    "contact.ball": contact("ball", "wall", restitution=0.8, friction=0.2, slip="mid-step"),
    "contact.ball-floor": contact("ball", "floor", restitution=0.6, friction=0.2),
    "body.bar": {"type": "bar", "length": 0.4, "elements": 4, "area": 1e-4, "young": 1e6, "density": 1000, "position": (2, 0, -1.4), "axis": (0, 0, 1), "velocity": (0.5, 0, 0)},
    "contact.bar": contact("bar.left", "floor", restitution=0.5, friction=0.3),
    "probe.bar": {"body": "bar"}, "probe.tip": {"body": "beam", "at": "right"}, "probe.rod": {"body": "rod", "quantity": "velocity"},
    "probe.hinge": {"body": "beam", "at": "left", "quantity": "reaction"},
}


# Shipped scenarios: what else bodies, contacts and methods remember. Changes, steps between checkpoints, kills
SHIPPED = {
    "two-discs": (("time.end=10",), 2, 3),                                             # dual-mortar contact of solids, levels
    "two-balls": (("time.end=12",), 2, 3),                                             # the same in space
    "two-spinning-balls": (("time.end=6",), 2, 3),                                     # friction in space
    "braking-block": (("time.settle-velocity=yes",), 3, 3),                            # friction on an obstacle
    "dragged-cylinder": ((), 2, 3),                                                    # friction in equilibrium
    "quadratic-disc-on-plane": (("time.end=4",), 20, 3),                               # explicit, second order
    "cantilever": (("time.method=midpoint", "time.step=0.05"), 1, 3),                  # implicit, second order
    "two-cubes": (("time.end=6e-3",), 20, 3),                                          # explicit, friction between faces
    "rccm-cube": (("time.end=2.6e-3",), 20, 3),                                        # adhesion in space that breaks
    "rigid-ball-on-free-block": (("time.end=0.1",), 20, 3),                            # explicit, rigid body and solid
    "rigid-box-on-block": (("time.end=0.1",), 1, 3),                                   # implicit, rigid body and solid
    "bouncing-bars": (("time.end=60", "output.vtk-every=0"), 40, 3),                  # intervals of steps cut at impacts
    "prolonged-bars": (("time.end=60", "output.vtk-every=0"), 40, 3),                 # contact that lasts
    "box-stack": (("time.end=0.1",), 10, 3),                                           # friction of boxes that stick
    "rod-in-box": (("time.end=0.1",), 100, 3),                                         # edges
    "twisting-beams": ((), 1, 3),                                                      # beams that slide along each other, in motion
    "double-helix": (("time.end=8",), 1, 3),                                           # and in equilibrium
    "wire-on-drum": ((), 1, 3),                                                        # on an obstacle
}


def progress(folder):
    """Step of the newest checkpoint, -1 if there is none"""
    try:
        names = os.listdir(folder)
    except OSError:
        return -1
    steps = [int(m.group(1)) for m in (re.fullmatch(r"checkpoint-(\d+)\.h5", name) for name in names) if m]
    return max(steps, default=-1)


def run_and_kill(arguments, folder, target, wait, resume):
    """Start and kill once a checkpoint of step `target` exists and a random time up to `wait` has passed. True if it was killed."""
    command = [test.program, "run", *arguments, "--quiet", "--output", folder] + (["--resume"] if resume else [])
    process = subprocess.Popen(command, cwd=test.folder, env=test.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    end = time.monotonic() + 60
    while process.poll() is None and progress(folder) < target and time.monotonic() < end:
        time.sleep(0.001)
    time.sleep(chance.random() * wait)
    process.send_signal(signal.SIGKILL)
    error = process.communicate()[1].decode()
    if process.returncode not in (0, -signal.SIGKILL):
        raise RuntimeError(f"{arguments}: status {process.returncode}: {error}")
    return process.returncode != 0


def same_results(name, folder, expected):
    found = results(folder)
    test.equal(f"{name}: files", sorted(found), sorted(expected))
    for path in expected:
        test.true(f"{name}: {path} is that of a run without interruption", found.get(path) == expected[path])


def check_kills(name, scenario, kills, changes=()):
    """Sections or a file, with changes by --set"""
    file = test.write(f"{name}.ini", scenario) if isinstance(scenario, dict) else scenario
    arguments = [file, *(word for change in changes for word in ("--set", change))]
    whole = test.run(*arguments)
    steps, wait = summary(whole)["steps"], min(0.02, 0.05 * summary(whole)["wall_seconds"])
    expected = results(whole)
    folder = test.new_folder()
    # moments in the order of the run, some of them before the first checkpoint
    targets = sorted(chance.randrange(-1, int(0.8 * steps)) for _ in range(kills))
    targets[0] = -1
    done = 0
    for target in targets:
        reached = progress(folder)
        killed = run_and_kill(arguments, folder, target, wait, resume=reached >= 0)
        done += killed
        if progress(folder) < 0:
            refused = test.call("run", *arguments, "--quiet", "--output", folder, "--resume")
            test.equal(f"{name}: nothing to resume from", refused.returncode, 2)
    test.equal(f"{name}: times the run was killed", done, kills)
    last = test.call("run", *arguments, "--quiet", "--output", folder, "--resume")
    test.equal(f"{name}: resumed to its end", (last.returncode, last.stderr), (0, ""))
    same_results(name, folder, expected)
    # a finished run has nothing left to do, and stays as it is
    last = test.call("run", *arguments, "--quiet", "--output", folder, "--resume")
    test.equal(f"{name}: resumed after its end", last.returncode, 0)
    test.true(f"{name}: nothing changed", results(folder) == expected)


def check_shipped(name, changes, every, kills):
    check_kills(name, test.shipped(f"{name}.ini"), kills, (f"output.vtk-every={5 * every}", f"output.checkpoint-every={every}", *changes))


def check_signals():
    """Interrupt and termination end a run: status 1, all files complete, and nothing lost"""
    file = test.write("signals.ini", FRICTION)
    expected = results(test.run(file))
    rows = expected["history.csv"].splitlines()
    for number in (signal.SIGINT, signal.SIGTERM):
        name, folder = number.name, test.new_folder()
        process = subprocess.Popen([test.program, "run", file, "--quiet", "--output", folder], cwd=test.folder, env=test.environment,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
        while process.poll() is None and progress(folder) < 2000:
            time.sleep(0.001)
        process.send_signal(number)
        error = process.communicate()[1]
        test.equal(f"{name}: status", process.returncode, 1)
        test.true(f"{name}: one sentence", error.count("\n") == 1 and f"interrupted by signal {int(number)}" in error and "stopped at time" in error, error)
        s, found = summary(folder), read(folder, "history.csv").splitlines()
        test.equal(f"{name}: reason in the summary", s["stop_reason"], f"interrupted by signal {int(number)}")
        test.true(f"{name}: rows up to the last step", found == rows[:s["steps"] + 2] and 2000 <= s["steps"] < len(rows) - 2, s["steps"])
        test.equal(f"{name}: checkpoint of the last step", progress(folder), s["steps"])
        test.true(f"{name}: report", read(folder, "report.html").rstrip().endswith(b"</html>"))
        # what a crash of the machine may leave behind: half a row, half a file that was to replace another
        with open(os.path.join(folder, "history.csv"), "ab") as history:
            history.write(rows[-1][:30])
        with open(os.path.join(folder, "summary.json.tmp"), "wb") as half:
            half.write(b'{"title":')
        last = test.call("run", file, "--quiet", "--output", folder, "--resume")
        test.equal(f"{name}: resumed to its end", (last.returncode, last.stderr), (0, ""))
        same_results(name, folder, expected)
    folder = test.run(file, "--set", "time.steps=100")
    # a run that nobody resumes begins anew after an interrupt without checkpoints
    process = subprocess.Popen([test.program, "run", file, "--set", "output.checkpoint-every=0", "--quiet", "--output", folder], cwd=test.folder,
                               env=test.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and os.path.exists(os.path.join(folder, "summary.json")):  # of the run before
        time.sleep(0.001)
    process.send_signal(signal.SIGTERM)
    process.wait()
    test.equal("without checkpoints: none is left", (process.returncode, progress(folder)), (1, -1))


def check_longer():
    """A run may be continued beyond its end"""
    short = {**FRICTION, "time": {**FRICTION["time"], "steps": 400}}
    folder = test.run(test.write("longer.ini", short))
    more = test.call("run", test.path("longer.ini"), "--set", "time.steps=800", "--output", folder, "--resume", "--quiet")
    test.equal("longer: status", (more.returncode, more.stderr), (0, ""))
    whole = test.run(test.path("longer.ini"), "--set", "time.steps=800")
    for path in ("history.csv", "summary.json", "longer.pvd", "film.h5", "report.html"):
        test.true(f"longer: {path}", results(folder).get(path) == results(whole)[path])


def check_refused():
    scenario = {**FRICTION, "time": {**FRICTION["time"], "steps": 200}}
    file = test.write("refused.ini", scenario)
    whole = test.run(file)
    older, newest = sorted(f for f in tree(whole) if f.startswith("checkpoint"))
    expected = results(whole)

    def passed_over(name, change):
        """A newest checkpoint that is not whole: the one before is taken, with a note"""
        folder = test.new_folder()
        shutil.copytree(whole, folder)
        change(folder)
        found = test.call("run", file, "--resume", "--quiet", "--output", folder)
        test.equal(f"{name}: resumed to its end", found.returncode, 0)
        test.true(f"{name}: a note", found.stderr.count("\n") == 1 and ": note: " in found.stderr
                  and newest in found.stderr and f"step {int(older[11:20])}" in found.stderr, found.stderr)
        same_results(name, folder, expected)

    def both(change):
        """The same for all checkpoints"""
        def apply(folder):
            change(folder)
            shutil.copy(os.path.join(folder, newest), os.path.join(folder, older))
        return apply

    def refused(name, change, word, arguments=()):
        folder = test.new_folder()
        shutil.copytree(whole, folder)
        change(folder)
        before = tree(folder)
        found = test.call("run", file, "--resume", "--quiet", "--output", folder, *arguments)
        test.equal(f"{name}: status", found.returncode, 2)
        test.true(f"{name}: one sentence that says {word}",
                  found.stderr.count("\n") == 1 and word in found.stderr, found.stderr)
        test.true(f"{name}: nothing changed", tree(folder) == before)

    def truncate(size):
        def change(folder):
            with open(os.path.join(folder, newest), "r+b") as file:
                file.truncate(size)
        return change

    def flip(folder):
        with open(os.path.join(folder, newest), "r+b") as file:
            file.seek(-100, os.SEEK_END)
            byte = file.read(1)[0]
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte ^ 1]))

    def remove_all(folder):
        for name in os.listdir(folder):
            if name.startswith("checkpoint"):
                os.remove(os.path.join(folder, name))

    def foreign(folder):
        other = test.run(test.write("other.ini", {**scenario, "body.a": particle(3, 0.1, (0, 0.5), (1, 0))}))
        shutil.copy(os.path.join(other, newest), os.path.join(folder, newest))

    def foreign_method(folder):
        other = test.run(test.write("other.ini", MOREAU), "--set", "time.steps=200")
        shutil.copy(os.path.join(other, newest), os.path.join(folder, newest))

    def history(change):
        def apply(folder):
            path = os.path.join(folder, "history.csv")
            content = read(path)
            os.remove(path)
            content = change(content)
            if content is not None:
                with open(path, "wb") as file:
                    file.write(content)
        return apply

    size = len(read(whole, newest))
    def text(folder):
        with open(os.path.join(folder, newest), "w") as other:
            other.write("hello, this is text\n" * 99)

    for cut in (0, 10, 500, size // 2, size - 1):
        refused(f"checkpoints cut to {cut} bytes", both(truncate(cut)), "cut off")
    refused("damaged checkpoints", both(flip), "damaged")
    refused("text instead of checkpoints", both(text), "not a checkpoint")
    for name, change in (("newest checkpoint is empty", truncate(0)), ("newest checkpoint is half", truncate(size // 2)),
                         ("newest checkpoint is damaged", flip), ("newest checkpoint is text", text)):
        passed_over(name, change)
    refused("checkpoint of another scenario", foreign, "another scenario")
    refused("checkpoint of another method", foreign_method, "moreau-jean")
    refused("no checkpoint", remove_all, "no checkpoint")
    refused("another step", lambda folder: None, "another scenario", ("--set", "time.step=5e-4"))
    refused("another mass", lambda folder: None, "another scenario", ("--set", "body.a.mass=1.0000000000000002"))
    refused("history.csv is missing", history(lambda text: None), "history.csv")
    refused("history.csv is too short", history(lambda text: text[:1000]), "history.csv")
    refused("history.csv has other columns", history(lambda text: text.replace(b"kinetic", b"kinetik", 1)), "history.csv")

    folder = test.new_folder()
    found = test.call("run", file, "--resume", "--quiet", "--output", folder)
    test.equal("folder that does not exist: status", found.returncode, 2)
    test.equal("folder that does not exist: one sentence", found.stderr.count("\n"), 1)
    test.true("folder that does not exist: it still does not", not os.path.exists(folder))
    folder = test.new_folder()
    os.mkdir(folder)
    found = test.call("run", file, "--resume", "--quiet", "--output", folder)
    test.equal("empty folder: status", found.returncode, 2)
    test.equal("empty folder: one sentence", found.stderr.count("\n"), 1)
    test.equal("empty folder: nothing in it", os.listdir(folder), [])


def check_fresh_start():
    """Without --resume the run begins anew, whatever is in the folder"""
    short = test.write("fresh.ini", {**FRICTION, "time": {**FRICTION["time"], "steps": 700}})
    folder = test.run(short)
    expected = results(test.run(short, "--set", "time.steps=650"))
    test.run(short, "--set", "time.steps=650", output=folder)
    test.true("fresh start: history.csv", results(folder)["history.csv"] == expected["history.csv"])
    test.equal("fresh start: files", sorted(results(folder)), sorted(expected))


if __name__ == "__main__":
    test.attempt("friction", check_kills, "friction", FRICTION, 20)
    test.attempt("moreau-jean", check_kills, "moreau", MOREAU, 8)
    test.attempt("landing", check_kills, "landing", LANDING, 8)
    test.attempt("adaptive", check_kills, "adaptive", ADAPTIVE, 6)
    for method in ("dissipative-midpoint", "midpoint", "modified-midpoint", "quasi-static"):
        test.attempt(method, check_kills, method, solid(method, 200), 4)
    test.attempt("adhesion", check_kills, "adhesion", ADHESION, 6)
    test.attempt("multisymplectic", check_kills, "multisymplectic", BEAM, 5)
    for variant in ("kick", "mid"):
        test.attempt(f"rigid {variant}", check_kills, f"rigid-{variant}", rigid(variant), 4)
    test.attempt("nsga", check_kills, "nsga", NSGA, 5)
    for name, (changes, every, kills) in SHIPPED.items():
        test.attempt(name, check_shipped, name, changes, every, kills)
    test.attempt("signals", check_signals)
    test.attempt("longer", check_longer)
    test.attempt("fresh start", check_fresh_start)
    test.attempt("refused", check_refused)
    sys.exit(test.finish())
