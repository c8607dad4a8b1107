# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""usage: siconos_rigid.py top|bounce RESULT: a free top, or a ball that bounces with restitution 1, by Siconos"""
import json
import sys
import time

import numpy as np
import siconos.kernel as sk


def rotation(q):
    a, b, c, d = q
    return np.array([[a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)],
                     [2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b)],
                     [2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d]])


def simulation(system, end, step, interaction=None):
    model = sk.NonSmoothDynamicalSystem(0, end)
    model.insertDynamicalSystem(system)
    if interaction is not None:
        model.link(interaction, system)
    integrator, problem = sk.MoreauJeanOSI(0.5), sk.LCP()
    return sk.TimeStepping(model, sk.TimeDiscretisation(0, step), integrator, problem)


def advance(stepping, steps, look):
    """CPU seconds of the steps; look() after each"""
    cpu = 0.0
    for _ in range(steps):
        begin = time.process_time()
        stepping.computeOneStep()
        stepping.nextStep()
        cpu += time.process_time() - begin
        look()
    return cpu


def top():
    inertia, spin = np.diag([1.0, 2.0, 3.0]), np.array([0.2, 2.0, 0.3])
    body = sk.NewtonEulerDS([0, 0, 0, 1, 0, 0, 0], [0, 0, 0, *spin], 1.0, inertia)
    stepping = simulation(body, 10.001, 0.025)
    worst = dict(energy=0.0, angular=0.0)
    energy0, momentum0 = 0.5 * spin @ inertia @ spin, inertia @ spin

    def look():
        w, q = np.array(body.twist())[3:], np.array(body.q())[3:]
        energy = 0.5 * w @ inertia @ w / energy0 - 1
        worst["energy"] = max(worst["energy"], energy, key=abs)
        worst["angular"] = max(worst["angular"], np.linalg.norm(rotation(q) @ inertia @ w - momentum0) / np.linalg.norm(momentum0))

    cpu = advance(stepping, 400, look)
    return dict(cpu=cpu, steps=400, **worst)


def bounce():
    body = sk.LagrangianLinearTIDS([1.0], [0.0], np.eye(1))
    body.setFExtPtr([-9.81])
    relation = sk.LagrangianLinearTIR(np.array([[1.0]]))
    stepping = simulation(body, 5.001, 1e-3, sk.Interaction(sk.NewtonImpactNSL(1.0), relation))
    state = dict(penetration=0.0)

    def look():
        q, v = float(body.q()[0]), float(body.velocity()[0])
        state["penetration"] = max(state["penetration"], -q)
        state["energy"] = (0.5 * v * v + 9.81 * q) / 9.81 - 1

    cpu = advance(stepping, 5000, look)
    return dict(cpu=cpu, steps=5000, **state)


with open(sys.argv[2], "w") as file:
    json.dump({"top": top, "bounce": bounce}[sys.argv[1]](), file)
