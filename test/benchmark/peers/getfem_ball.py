# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""usage: getfem_ball.py FOLDER STEP END FRAMES: the ball on the free block by GetFEM

Newmark's scheme (beta 1/4, gamma 1/2) with the consistent mass, St. Venant-Kirchhoff, and large-sliding contact by
raytracing with multipliers (augmented Lagrangian) on the surface of the ball.
"""
import sys
from pathlib import Path

import getfem as gf
import numpy as np

from solids import DENSITY, LAMBDA, MU, Ball, Mesh


def main():
    folder, step, end, result = Path(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]), sys.argv[4]
    case = Ball(folder, None, step, end)
    gf.util_trace_level(1)
    model = gf.Model("real")
    model.add_initialized_data("lame", [LAMBDA, MU])
    model.add_initialized_data("density", DENSITY)
    parts = {}
    for name, patch, nodes in (("ball", "surface", slice(0, case.offset)), ("block", "top", slice(case.offset, None))):
        read = Mesh.read(folder / f"{name}.msh")
        mesh = gf.Mesh("empty", 3)
        mesh.add_convex(gf.GeoTrans("GT_PK(3,1)"), np.transpose(read.nodes[read.cells], (2, 1, 0)).copy())
        fem = gf.MeshFem(mesh, 3)
        fem.set_fem(gf.Fem("FEM_PK(3,1)"))
        rule = gf.MeshIm(mesh, gf.Integ("IM_TETRAHEDRON(5)"))
        points = mesh.pts()
        number = np.array([int(np.argmin(np.abs(read.nodes - p).max(1))) for p in fem.basic_dof_nodes().T[::3]])
        assert np.abs(read.nodes[number] - fem.basic_dof_nodes().T[::3]).max() < 1e-9
        pids = {frozenset(number_of(points, read.nodes[corners])) for corners in read.facets[patch]}
        outer = mesh.outer_faces()
        chosen = [k for k in range(outer.shape[1]) if frozenset(mesh.pid_in_faces(outer[:, k:k + 1])) in pids]
        mesh.set_region(1, outer[:, chosen])
        model.add_fem_variable(name, fem)
        model.add_finite_strain_elasticity_brick(rule, "SaintVenant Kirchhoff", name, "lame")
        model.add_Newmark_scheme(name, 0.25, 0.5)
        model.add_mass_brick(rule, f"Dot2_{name}", "density")
        velocity = case.velocity[nodes][number].ravel()
        model.set_variable(f"Previous_{name}", np.zeros(velocity.size))
        model.set_variable(f"Previous_Dot_{name}", velocity)
        parts[name] = (mesh, fem, rule, number, nodes)
    mesh, _, rule, _, _ = parts["ball"]
    multiplier = gf.MeshFem(mesh, 3)
    multiplier.set_fem(gf.Fem("FEM_PK(3,1)"))
    model.add_filtered_fem_variable("pressure", multiplier, 1)
    model.add_initialized_data("augmentation", [1.0])
    brick = model.add_integral_large_sliding_contact_brick_raytracing("augmentation", 20.0)
    model.add_slave_contact_boundary_to_large_sliding_contact_brick(brick, rule, 1, "ball", "pressure")
    model.add_master_contact_boundary_to_large_sliding_contact_brick(brick, parts["block"][2], 1, "block")
    model.set_time_step(step)
    model.perform_init_time_derivative(step / 20)
    model.solve("max_res", 1e-9, "max_iter", 50, "noisy")
    frames = {"time": [0.0], "x": [case.position], "v": [case.velocity]}
    for k in range(case.steps):
        model.solve("max_res", 1e-9, "max_iter", 50, "noisy")
        x, v = case.position.copy(), np.zeros_like(case.velocity)
        for name, (_, _, _, number, nodes) in parts.items():
            offset = nodes.start
            x[offset + number] += model.variable(name).reshape(-1, 3)
            v[offset + number] = model.variable(f"Dot_{name}").reshape(-1, 3)
        frames["time"].append((k + 1) * step)
        frames["x"].append(x)
        frames["v"].append(v)
        model.shift_variables_for_time_integration()
    np.savez(result, **{name: np.array(values) for name, values in frames.items()})


def number_of(points, places):
    """Numbers of points of the mesh at places"""
    return [int(np.argmin(np.abs(points.T - place).max(1))) for place in places]


if __name__ == "__main__":
    main()
