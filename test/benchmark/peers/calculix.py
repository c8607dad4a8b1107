# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""The ball on the free block by CalculiX: deck, run, positions and velocities."""
import numpy as np

from solids import DENSITY, POISSON, YOUNG, cpu_seconds

FACES = ((0, 1, 2), (0, 3, 1), (1, 3, 2), (2, 3, 0))  # of C3D4, in the order of its faces S1 to S4


def faces(case, facets):
    """Cell and face of each facet"""
    owner = {}
    for cell, corners in enumerate(case.tetrahedra):
        for face, places in enumerate(FACES):
            owner[frozenset(corners[list(places)])] = (cell + 1, face + 1)
    return [owner[frozenset(facet)] for facet in facets]


def deck(case, alpha):
    lines = ["*NODE, NSET=NALL"]
    lines += [f"{i + 1}, {x[0]:.12e}, {x[1]:.12e}, {x[2]:.12e}" for i, x in enumerate(case.position)]
    lines += ["*ELEMENT, TYPE=C3D4, ELSET=EALL"]
    lines += [f"{i + 1}, " + ", ".join(str(n + 1) for n in cell) for i, cell in enumerate(case.tetrahedra)]
    lines += ["*MATERIAL, NAME=SOFT", "*ELASTIC", f"{YOUNG}, {POISSON}", "*DENSITY", f"{DENSITY}", "*SOLID SECTION, ELSET=EALL, MATERIAL=SOFT"]
    for name, facets in (("SBALL", case.ball_surface), ("STOP", case.top)):
        lines += [f"*SURFACE, NAME={name}, TYPE=ELEMENT"] + [f"{cell}, S{face}" for cell, face in faces(case, facets)]
    # 50 times Young's modulus per mm, the upper end of what the manual advises
    lines += ["*SURFACE INTERACTION, NAME=SI", "*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR", f"{50 * YOUNG}",
              "*CONTACT PAIR, INTERACTION=SI, TYPE=SURFACE TO SURFACE", "SBALL, STOP"]
    lines += ["*INITIAL CONDITIONS, TYPE=VELOCITY"]
    lines += [f"{i + 1}, {k + 1}, {v[k]:.12e}" for i, v in enumerate(case.velocity) for k in range(3) if v[k] != 0]
    # with steps of one length Newton's method diverges at the first contact, so they are chosen by CalculiX up to ours
    lines += ["*STEP, NLGEOM, INC=100000", f"*DYNAMIC, ALPHA={alpha}", f"{case.step}, {case.steps * case.step}, {1e-5 * case.step}, {case.step}",
              "*NODE PRINT, NSET=NALL, FREQUENCY=1", "U, V", "*END STEP"]
    return "\n".join(lines) + "\n"


def read(path, case):
    """Frames (time, x, v) of a .dat file"""
    fields, block = {}, None
    for line in path.read_text().splitlines():
        if "for set NALL and time" in line:
            time, kind = float(line.split()[-1]), line.split()[0]
            block = fields.setdefault(time, {}).setdefault(kind, np.zeros_like(case.position))
        elif block is not None and line.strip():
            row = line.split()
            block[int(row[0]) - 1] = [float(x) for x in row[1:4]]
    return [(0.0, case.position, case.velocity)] + [(t, case.position + f["displacements"], f["velocities"]) for t, f in sorted(fields.items())]


def run(case, alpha):
    """CPU seconds, steps, case, frames"""
    name = f"calculix{alpha:g}"
    (case.folder / f"{name}.inp").write_text(deck(case, alpha))
    cpu = cpu_seconds(["ccx", "-i", name], case.folder / f"{name}.log", cwd=case.folder)
    frames = read(case.folder / f"{name}.dat", case)
    return cpu, len(frames) - 1, case, frames
