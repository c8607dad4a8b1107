# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""The ball on the free block by dune-impact: one run for its time, one for pictures of all instants."""
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "system"))
from dune_impact import vtu  # the reader of pictures that the tests use

from solids import DENSITY, POISSON, SPIN, VELOCITY, YOUNG, cpu_seconds

SCENARIO = """title     = Soft ball on a free soft block
dimension = 3
units     = mm ms g
[time]
method = %(method)s
%(step)s
end    = %(end)r
[body.ball]
type     = solid
mesh     = ball.msh
young    = %(young)r
poisson  = %(poisson)r
density  = %(density)r
velocity = %(velocity)s
spin     = %(spin)s
[body.block]
type     = solid
mesh     = block.msh
young    = %(young)r
poisson  = %(poisson)r
density  = %(density)r
[contact.bounce]
first  = ball
second = block.top
method = %(contact)s
"""


def scenario(case, method):
    """The text of its scenario"""
    explicit = method == "cd-lagrange"
    words = lambda vector: " ".join(repr(float(x)) for x in vector)
    return SCENARIO % dict(
        method=method, step="courant = 0.8" if explicit else f"step   = {case.step!r}", end=case.steps * case.step, young=YOUNG, poisson=POISSON,
        density=DENSITY, velocity=words(VELOCITY), spin=words(SPIN), contact="node-to-face" if explicit else "dual-mortar")


def run(program, case, method):
    """CPU seconds, steps, case, frames"""
    name = f"dune-impact-{method}"
    (case.folder / f"{name}.ini").write_text(scenario(case, method))
    folder = case.folder / name
    command = [str(program), "run", f"{name}.ini", "--quiet", "--set", "output.report=no"]
    cpu = cpu_seconds([*command, "--output", str(folder / "timed")], case.folder / f"{name}.log", cwd=case.folder)
    cpu_seconds([*command, "--output", str(folder), "--set", "output.vtk-every=1"], case.folder / f"{name}.log", cwd=case.folder)
    frames, instants = [], sorted({int(path.stem[-6:]) for path in (folder / "vtk").glob(f"{name}-ball-*.vtu")})
    order = None
    with open(folder / f"{name}.pvd") as file:
        times = sorted({float(line.split('timestep="')[1].split('"')[0]) for line in file if 'timestep="' in line})
    for instant, time in zip(instants, times):
        parts = [vtu(str(folder), name, body, instant) for body in ("ball", "block")]
        x = np.vstack([np.array(part["Coordinates"]) for part in parts])
        u = np.vstack([np.array(part["displacement"]) for part in parts])
        v = np.vstack([np.array(part["velocity"]) for part in parts])
        if order is None:
            order = matching(case, x - u, len(parts[0]["Coordinates"]))
        frames.append((time, x[order], v[order]))
    steps = sum(1 for _ in open(folder / "timed" / "history.csv")) - 2
    return cpu, steps, case, frames


def matching(case, reference, ball):
    """Numbers of the nodes of the case among those of the pictures"""
    order = np.empty(case.nodes(), dtype=int)
    for begin, end, first, last in ((0, case.offset, 0, ball), (case.offset, case.nodes(), ball, len(reference))):
        if end - begin != last - first:
            raise RuntimeError("the pictures have other nodes than the mesh")
        for i in range(begin, end):
            distance = np.abs(reference[first:last] - case.position[i]).max(1)
            order[i] = first + int(np.argmin(distance))
            if distance.min() > 1e-6:
                raise RuntimeError("a node of the mesh is not in the pictures")
    return order
