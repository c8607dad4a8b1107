# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""Multigrid in space: few cycles also without levels, and the results of a direct solver."""
import shutil
import subprocess
import sys

from dune_impact import History, Test, read, summary

test = Test()

MATERIAL = {"material": "st-venant-kirchhoff", "young": 1, "poisson": 0.3, "density": 1e-4}
BALL = """SetFactory("OpenCASCADE");
Sphere(1) = {0, 0, 0, 50};
Mesh.MeshSizeMin = %g; Mesh.MeshSizeMax = %g; Mesh.MshFileVersion = 2.2;
Physical Surface("surface") = {1}; Physical Volume("ball") = {1};
"""


def ball_on_block(level, ball=None, method="dissipative-midpoint", end=2, **solver):
    """A ball that rolls and falls on a block; a mesh takes the place of the levels"""
    shape = {"mesh": ball} if ball else {"shape": "ball", "radius": 50, "cells": 2, "refine": level}
    return {
        "": {"dimension": 3, "gravity": (0, 0, -9.81e-3)},
        "time": {"method": method, "step": 1, "end": end},
        "body.ball": {"type": "solid", **shape, "position": (80, 80, 50.1), "velocity": (2, 0, -0.4), "spin": (0, 0.04, 0), **MATERIAL},
        "body.block": {"type": "solid", "shape": "box", "lower": (0, 0, -40), "upper": (240, 160, 0), "cells": (6, 4, 1), "refine": level,
                       "clamped": "zmin", **MATERIAL},
        "contact.c": {"first": "ball", "second": "block.zmax"},
        "solver": solver,
    }


def cycles(folder):
    """Per quadratic problem"""
    solver = summary(folder)["solver"]
    return solver["cycles_mean"] / solver["iterations_mean"]


def gmsh_ball(size):
    geometry, mesh = test.write("ball.geo", BALL % (size, size)), test.path("ball.msh")
    subprocess.run(["gmsh", "-3", "-v", "2", geometry, "-o", mesh], check=True, timeout=300)
    nodes = int(read(mesh).split(b"$Nodes")[1].split()[0])
    return mesh, nodes


def check_mesh_without_levels():
    """Beside a ball with levels of about as many nodes"""
    mesh, nodes = gmsh_ball(5)
    with_levels, without = test.run(ball_on_block(2)), test.run(ball_on_block(2, mesh))
    print("Gmsh ball of", nodes, "nodes:", cycles(without), "cycles per quadratic problem, with levels", cycles(with_levels))
    test.true("a Gmsh ball without levels takes at most three times the cycles", cycles(without) <= 3 * cycles(with_levels), nodes)
    direct = test.run(ball_on_block(0, None, inner="direct"))
    multigrid = test.run(ball_on_block(0, None))
    for column in ("kinetic", "total", "pz"):
        a, b = History(direct)[column][-1], History(multigrid)[column][-1]
        test.close(f"direct and multigrid: {column}", a, b, rtol=1e-8)


if not shutil.which("gmsh"):
    test.fail("gmsh", "is missing", "a program")
else:
    test.attempt("mesh without levels", check_mesh_without_levels)
sys.exit(test.finish())
