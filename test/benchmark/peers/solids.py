# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""The ball on the free block: mesh, initial state, and what is measured of the motion of its nodes."""
import dataclasses
import re
import resource
import subprocess

import numpy as np

YOUNG, POISSON, DENSITY = 1.0, 0.3, 1e-4  # MPa, g/mm^3
LAMBDA, MU = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON)), YOUNG / (2 * (1 + POISSON))
RADIUS, CENTRE = 50.0, np.array([-15.0, 0.0, 51.0])
VELOCITY, SPIN = np.array([2.0, 0.0, -1.0]), np.array([0.0, 0.04, 0.0])  # the ball rolls

GEOMETRY = {
    "ball": """SetFactory("OpenCASCADE");
Sphere(1) = {%(x)g, %(y)g, %(z)g, %(r)g};
Physical Surface("surface") = Surface{:};
Physical Volume("ball") = {1};
Mesh.CharacteristicLengthMin = %(h)g;
Mesh.CharacteristicLengthMax = %(h)g;
""",
    "block": """SetFactory("OpenCASCADE");
Box(1) = {-80, -80, -40, 160, 160, 40};
top() = Surface In BoundingBox{-81, -81, -1, 81, 81, 1};
Physical Surface("top") = {top()};
rest() = Surface{:};
rest() -= {top()};
Physical Surface("rest") = {rest()};
Physical Volume("block") = {1};
Mesh.CharacteristicLengthMin = %(h)g;
Mesh.CharacteristicLengthMax = %(h)g;
"""}


def cpu_seconds(command, log, **options):
    """Run a command, its output into a file; user and system time"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(log, "w") as file:
        subprocess.run(command, stdout=file, stderr=subprocess.STDOUT, check=True, **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@dataclasses.dataclass
class Mesh:
    nodes: np.ndarray
    cells: np.ndarray
    facets: dict  # by name of the patch

    @staticmethod
    def read(path):
        text = path.read_text()
        part = lambda name: re.search(rf"\${name}\n(.*?)\$End{name}", text, re.S)[1].splitlines()[1:]
        names = {int(line.split()[1]): line.split()[2].strip('"') for line in part("PhysicalNames")}
        rows = [line.split() for line in part("Nodes")]
        number = {int(row[0]): i for i, row in enumerate(rows)}
        nodes = np.array([[float(x) for x in row[1:4]] for row in rows])
        cells, facets = [], {}
        for line in part("Elements"):
            row = [int(x) for x in line.split()]
            corners = [number[i] for i in row[3 + row[2]:]]
            if row[1] == 4:
                cells.append(corners)
            elif row[1] == 2:
                facets.setdefault(names[row[3]], []).append(corners)
        return Mesh(nodes, np.array(cells), {name: np.array(f) for name, f in facets.items()})


class Ball:
    """The experiment; nodes of the ball come first, then those of the block. Without a size the meshes are there already"""

    def __init__(self, folder, size, step, end):
        self.folder, self.step, self.end, self.steps = folder, step, end, round(end / step)
        meshes = {}
        for name, geometry in GEOMETRY.items():
            if size is not None:
                (folder / f"{name}.geo").write_text(geometry % dict(x=CENTRE[0], y=CENTRE[1], z=CENTRE[2], r=RADIUS, h=size))
                subprocess.run(["gmsh", "-v", "0", "-3", "-format", "msh22", f"{name}.geo", "-o", f"{name}.msh"], cwd=folder, check=True)
            meshes[name] = Mesh.read(folder / f"{name}.msh")
        self.ball, self.block = meshes["ball"], meshes["block"]
        self.offset = len(self.ball.nodes)
        self.position = np.vstack([self.ball.nodes, self.block.nodes])
        self.tetrahedra = np.vstack([self.ball.cells, self.block.cells + self.offset])
        self.ball_surface, self.top = self.ball.facets["surface"], self.block.facets["top"] + self.offset
        edges = self.position[self.tetrahedra[:, 1:]] - self.position[self.tetrahedra[:, :1]]
        flip = np.linalg.det(edges) < 0
        self.tetrahedra[flip] = self.tetrahedra[flip][:, [0, 2, 1, 3]]
        edges = self.position[self.tetrahedra[:, 1:]] - self.position[self.tetrahedra[:, :1]]
        self.volume = np.linalg.det(edges) / 6
        self.inverse = np.linalg.inv(edges)  # F = sum (x_a - x_0) (x) row a
        self.velocity = np.zeros_like(self.position)
        mass = self.volume[:len(self.ball.cells)]
        centre = (mass[:, None] * self.position[self.tetrahedra[:len(self.ball.cells)]].mean(1)).sum(0) / mass.sum()
        self.velocity[:self.offset] = VELOCITY + np.cross(SPIN, self.position[:self.offset] - centre)

    def nodes(self):
        return len(self.position)

    def cells(self):
        return len(self.tetrahedra)

    def momentum(self, v, lumped):
        """Momenta of the nodes with the consistent mass, or with its row sums"""
        p = np.zeros_like(v)
        corner = v[self.tetrahedra]
        share = (DENSITY * self.volume / 4)[:, None, None] * (corner if lumped else (corner + corner.sum(1, keepdims=True)) / 5)
        np.add.at(p, self.tetrahedra, share)
        return p

    def stored(self, x):
        edges = x[self.tetrahedra[:, 1:]] - x[self.tetrahedra[:, :1]]
        F = np.einsum("cai,cka->cik", edges, self.inverse)
        E = 0.5 * (np.einsum("cki,ckj->cij", F, F) - np.eye(3))
        return float(np.sum(self.volume * (0.5 * LAMBDA * np.trace(E, axis1=1, axis2=2) ** 2 + MU * np.sum(E * E, axis=(1, 2)))))

    def energy(self, x=None, v=None, lumped=False):
        x, v = self.position if x is None else x, self.velocity if v is None else v
        return 0.5 * float(np.sum(v * self.momentum(v, lumped))) + self.stored(x)

    def angular(self, x, v, lumped):
        return np.cross(x, self.momentum(v, lumped)).sum(0)


def depth(points, triangles, sign):
    """How far points are behind triangles along z: sign 1 if the body of the triangles is below them"""
    a, b, c = (triangles[:, k] for k in range(3))
    area = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    use = np.abs(area) > 1e-9 * np.abs(area).max()
    a, b, c, area = a[use], b[use], c[use], area[use]
    deepest = 0.0
    for p in points:
        v = ((c[:, 1] - a[:, 1]) * (p[0] - a[:, 0]) - (c[:, 0] - a[:, 0]) * (p[1] - a[:, 1])) / area
        w = ((b[:, 0] - a[:, 0]) * (p[1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (p[0] - a[:, 0])) / area
        inside = (v >= 0) & (w >= 0) & (v + w <= 1)
        if inside.any():
            z = (a[:, 2] + v * (b[:, 2] - a[:, 2]) + w * (c[:, 2] - a[:, 2]))[inside]
            deepest = max(deepest, float(np.max(sign * (z - p[2]))))
    return deepest


@dataclasses.dataclass
class Result:
    energy: float
    angular: float
    penetration: float


def measure(case, frames, lumped):
    """Changes from the start to the end, relative, and the deepest overlap of all frames (time, x, v)"""
    if abs(frames[-1][0] - case.end) > 0.51 * case.step:
        raise RuntimeError(f"stopped at {frames[-1][0]:g} of {case.end:g} ms")
    x0, v0 = case.position, case.velocity
    E0, L0 = case.energy(x0, v0, lumped), case.angular(x0, v0, lumped)
    _, x, v = frames[-1]
    deepest = 0.0
    lower = case.ball.nodes[case.ball_surface].mean(1)[:, 2] < CENTRE[2]  # facets that can touch
    for _, y, _ in frames:
        deepest = max(deepest, depth(y[np.unique(case.ball_surface[lower])], y[case.top], 1))
        deepest = max(deepest, depth(y[np.unique(case.top)], y[case.ball_surface[lower]], -1))
    return Result(case.energy(x, v, lumped) / E0 - 1, float(np.linalg.norm(case.angular(x, v, lumped) - L0) / np.linalg.norm(L0)), deepest)
