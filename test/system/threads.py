# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""The number of threads changes no bit of what a run writes, for every method."""
import os
import subprocess
import sys
import time

from dune_impact import Test, results

test = Test()

MATERIAL = {"material": "st-venant-kirchhoff", "young": 1, "poisson": 0.3, "density": 1e-4}


def ball_on_block(method, level, step=1.0, contact=None, element=None):
    """A ball that rolls and falls on a block, in space"""
    return {
        "": {"dimension": 3, "gravity": (0, 0, -9.81e-3)},
        "time": {"method": method, "step": step, "end": 2},
        "output": {"vtk-every": 1 if step == 1 else 10},
        "body.ball": {"type": "solid", "shape": "ball", "radius": 50, "cells": 2, "refine": level, "position": (80, 80, 50.1), "velocity": (2, 0, -0.4),
                      "spin": (0, 0.04, 0), **MATERIAL, **(element or {})},
        "body.block": {"type": "solid", "shape": "box", "lower": (0, 0, -40), "upper": (240, 160, 0), "cells": (6, 4, 1), "refine": level,
                       "clamped": "zmin", **MATERIAL, **(element or {})},
        "contact.c": {"first": "ball", "second": "block.zmax", **(contact or {})},
    }


# Large enough to be divided: solids of several hundred nodes
SOLIDS = {
    "dissipative-midpoint": ball_on_block("dissipative-midpoint", 2),
    "dissipative-midpoint with friction": ball_on_block("dissipative-midpoint", 1, contact={"friction": 0.3}),
    "in the plane": ("ball-on-block", "time.end=22", "body.ball.mesh=ball_fine.msh", "body.block.mesh=block_fine.msh"),
    "cubes": ("rigid-box-on-block", "time.end=0.06", "contact.fall.method=dual-mortar"),
    "midpoint": ball_on_block("midpoint", 1),
    "modified-midpoint": ball_on_block("modified-midpoint", 1),
    "cd-lagrange node-to-face": ball_on_block("cd-lagrange", 2, 0.02, {"method": "node-to-face", "friction": 0.3}),
    "cd-lagrange dual-mortar": ball_on_block("cd-lagrange", 2, 0.02, {"method": "dual-mortar"}),
    "quasi-static": ("hertz-ball-on-block",),
    "quasi-static with friction": ("dragged-cylinder",),
    "second order, explicit": ball_on_block("cd-lagrange", 1, 0.02, {"method": "node-to-face"}, {"order": 2}),
    "adhesion": ("rccm-cube", "time.step=1e-6", "time.end=2e-4", "body.cube.refine=2"),
    "rigid body and solid, implicit": ("rigid-box-on-block", "time.end=0.06"),
    "rigid body and solid, explicit": ("rigid-ball-on-free-block", "time.step=2e-4", "time.end=0.02", "body.block.refine=1"),
}

# Methods of small bodies, which use one thread
OTHERS = {
    "moreau-jean": ("rotating-spring-wall-moreau",),
    "multisymplectic": ("falling-beam-fast", "time.end=0.02"),
    "energy-momentum": ("poured-balls", "body.balls.copies=3 3 3", "time.end=0.05"),
    "nsga": ("flexible-pendulum",),
    "quasi-static beams": ("double-helix", "time.end=2"),
}


def run(scenario, threads):
    """Results, and the most threads that the program had at a time"""
    folder = test.new_folder()
    if isinstance(scenario, dict):
        arguments = [test.write("threads.ini", scenario)]
    else:
        arguments = [test.shipped(scenario[0] + ".ini"), *(word for change in scenario[1:] for word in ("--set", change))]
    process = subprocess.Popen([test.program, "run", *arguments, "--quiet", "--output", folder], cwd=test.folder,
                               env=dict(test.environment, OMP_NUM_THREADS=str(threads)), stderr=subprocess.PIPE)
    most = 0
    while process.poll() is None:
        try:
            most = max(most, len(os.listdir(f"/proc/{process.pid}/task")))
        except OSError:  # it has just ended
            pass
        time.sleep(0.002)
    error = process.communicate()[1].decode()
    if process.returncode != 0:
        raise RuntimeError(error)
    return results(folder), most


def check(name, scenario, divided):
    expected, least = run(scenario, 1)
    for threads in (2, 3):
        found, most = run(scenario, threads)
        test.equal(f"{name}, {threads} threads: files", sorted(found), sorted(expected))
        for path in expected:
            test.true(f"{name}, {threads} threads: {path}", found.get(path) == expected[path])
        if divided:
            test.equal(f"{name}: threads at work", most - least, threads - 1)


for name, scenario in SOLIDS.items():
    test.attempt(name, check, name, scenario, True)
for name, scenario in OTHERS.items():
    test.attempt(name, check, name, scenario, False)
sys.exit(test.finish())
