# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""The meaning of the rows of history.csv and of the energies in summary.json."""
import math

from dune_impact import summary
from verdicts.shared import test


def check_ball_rows():
    h = test.history(test.shipped("bouncing-particle.ini"))
    tau, g, q, v, r = 1e-3, 9.81, h["ball.x"], h["speed.x"], h["impulse_x"]
    work = 0
    for n in range(1, h.rows):
        test.close(f"ball row {n}: velocity of the interval that ends here", v[n], (q[n] - q[n - 1]) / tau, atol=1e-11)
        test.close(f"ball row {n}: kinetic", h["kinetic"][n], v[n] ** 2 / 2, rtol=1e-14)
        test.close(f"ball row {n}: px", h["px"][n], v[n], rtol=1e-14)
        test.close(f"ball row {n}: potential", h["potential"][n], g * (q[n] + q[n - 1]) / 2, atol=1e-14)
        test.close(f"ball row {n}: dissipated up to the row before", h["dissipated"][n], work, atol=1e-12)
        if n + 1 < h.rows:
            test.close(f"ball row {n}: impulse at its time", r[n], v[n + 1] - v[n] + g * tau, atol=1e-14)
            work -= r[n] * (v[n + 1] + v[n]) / 2
    test.ledger("ball ledger", h, 1e-14)


def check_spring_rows():
    h = test.history(test.shipped("rotating-spring-wall.ini"))
    x, y, tau = h["mass.x"], h["mass.y"], 0.05
    for n in range(1, h.rows):
        v = ((x[n] - x[n - 1]) / tau, (y[n] - y[n - 1]) / tau)
        test.close(f"spring row {n}: momentum of the interval", (h["px"][n], h["py"][n]), v, atol=1e-13)
        test.close(f"spring row {n}: lz", h["lz"][n], x[n - 1] * v[1] - y[n - 1] * v[0], atol=1e-13)
        stored = [5 * (math.hypot(x[i], y[i]) - 1) ** 2 for i in (n - 1, n)]
        test.close(f"spring row {n}: elastic", h["elastic"][n], sum(stored) / 2, atol=1e-13)
        if n + 1 < h.rows:
            radius = math.hypot(x[n], y[n])
            force = [-10 * (1 - 1 / radius) * c for c in (x[n], y[n])]
            kick = [h[p][n + 1] - h[p][n] - tau * f for p, f in zip(("px", "py"), force)]
            test.close(f"spring row {n}: impulse", (h["impulse_x"][n], h["impulse_y"][n]), kick, atol=1e-12)
            gap = 1.55 - radius
            test.close(f"spring row {n}: min_gap", h["min_gap"][n], gap, atol=1e-14)


def check_moreau_rows():
    h = test.history(test.shipped("rotating-spring-wall-moreau.ini"), "--set", "probe.v.body=mass", "--set",
                     "probe.v.quantity=velocity")
    tau, m = 0.05, list(zip(h["mass.x"], h["mass.y"]))
    v = list(zip(h["v.x"], h["v.y"]))
    force = [[-10 * (1 - 1 / math.hypot(*p)) * c for c in p] for p in m]
    for n in range(1, h.rows):
        for c, axis in enumerate("xy"):
            test.close(f"moreau row {n}: velocity at its time", m[n][c] - m[n - 1][c], tau * (v[n][c] + v[n - 1][c]) / 2, atol=1e-13)
            kick = v[n][c] - v[n - 1][c] - tau * (force[n][c] + force[n - 1][c]) / 2
            test.close(f"moreau row {n}: impulse of the step that ends here", h[f"impulse_{axis}"][n], kick, atol=1e-12)
        test.close(f"moreau row {n}: lz", h["lz"][n], m[n][0] * v[n][1] - m[n][1] * v[n][0], atol=1e-13)
        energy = (v[n][0] ** 2 + v[n][1] ** 2) / 2 + 5 * (math.hypot(*m[n]) - 1) ** 2
        test.close(f"moreau row {n}: total", h["total"][n], energy, rtol=1e-13)


def spring_scene(height, method):
    """A mass on a spring that hangs at this height and hits a floor"""
    return {
        "": {"dimension": 2, "gravity": (0, -9.81)},
        "time": {"method": method, "step": 0.02, "end": 4},
        "body.mass": {"type": "particle", "mass": 1, "position": (1, height), "velocity": (0, 0.5)},
        "body.floor": {"type": "plane", "normal": (0, 1), "point": (0, height - 1.2)},
        "spring.s": {"body": "mass", "anchor": (0, height), "stiffness": 40, "length": 1},
        "contact.floor": {"first": "mass", "second": "floor", "restitution": 0.5},
    }


def check_energy_measure():
    """Energy errors tell what the ledger does not explain, in units of the motion and not of the height"""
    for method in ("cd-lagrange", "moreau-jean"):
        here, there = (summary(test.run(spring_scene(height, method))) for height in (0, 1e5))
        test.true(f"{method} spring: it touches and has an error", here["impacts"] > 0 and here["energy_error_max"] > 1e-4, here)
        for key in ("energy_error_max", "energy_lost", "energy_gain_max"):
            test.close(f"{method} spring 1e5 higher: {key}", there[key], here[key], rtol=1e-4, atol=1e-9)
    still = {"": {"dimension": 2}, "time": {"method": "cd-lagrange", "step": 0.1, "end": 1},
             "body.mass": {"type": "particle", "mass": 1, "position": (1, 1)}}
    s = summary(test.run(still))
    test.equal("at rest: no error", [s[key] for key in ("energy_error_max", "energy_lost", "energy_gain_max")], [0, 0, 0])


# A ball of radius 0.1 that falls on a floor and bounces, with each method that moves it
FALL = {
    "": {"dimension": 3, "gravity": (0, 0, -9.81)},
    "time": {"step": 1e-3, "end": 1.0},
    "body.floor": {"type": "plane", "normal": (0, 0, 1)},
    "contact.floor": {"first": "ball", "second": "floor", "restitution": 0.8},
    "probe.centre": {"body": "ball"},
}
PARTICLE = {"type": "particle", "mass": 2.0, "radius": 0.1, "position": (0, 0, 0.6), "velocity": (0.5, 0, 0)}
RIGID = {"type": "rigid", "shape": "ball", "radius": 0.1, "density": 2 / (4 / 3 * math.pi * 1e-3), "position": (0, 0, 0.6), "velocity": (0.5, 0, 0)}
FALLS = {
    "kick": (RIGID, {"method": "energy-momentum", "variant": "kick"}),
    "mid": (RIGID, {"method": "energy-momentum", "variant": "mid"}),
    "moreau-jean": (PARTICLE, {"method": "moreau-jean"}),
    "cd-lagrange": (PARTICLE, {"method": "cd-lagrange"}),
    "nsga": (PARTICLE, {"method": "nsga"}),
}
AT_THE_ROW = ("kick", "cd-lagrange")  # impulses act at the instant of the row, others in the step before it


def check_gap_rows():
    """The gap of a row is that of its configuration, and impulses are in the row where they belong"""
    for name, (ball, time) in FALLS.items():
        h = test.history({**FALL, "body.ball": ball, "time": {**FALL["time"], **time}})
        gaps = [z - 0.1 for z in h["centre.z"]]
        test.close(f"{name}: min_gap of the row", h["min_gap"], gaps, atol=1e-14)
        test.close(f"{name}: gap of the contact", h["floor.gap"], gaps, atol=1e-14)
        rows = [n for n, r in enumerate(h["impulse_z"]) if r > 0]
        test.true(f"{name}: it bounces", len(rows) >= 2, rows)
        fall = math.sqrt(2 * 0.5 / 9.81)
        test.close(f"{name}: time of the first impact", h["time"][rows[0]], fall, atol=2e-3)
        for n in rows:
            before, after = (n, n + 1) if name in AT_THE_ROW else (n - 1, n)
            test.close(f"{name} row {n}: impulse", h["impulse_z"][n], h["pz"][after] - h["pz"][before] + 2 * 9.81e-3, atol=1e-9)
            test.close(f"{name} row {n}: force", h["floor.force_z"][n], h["impulse_z"][n] / 1e-3, rtol=1e-9)
            if name in AT_THE_ROW:
                test.true(f"{name} row {n}: it touches", gaps[n] <= 1e-12, gaps[n])
        test.equal(f"{name}: points", [c for c, r in zip(h["contacts"], h["impulse_z"]) if r > 0], [1.0] * len(rows))
