# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""Solids with explicit steps: what the headers of their scenarios promise."""
import math

from dune_impact import History, read, summary, tree, vtu
from verdicts.shared import test

# The columns of its probes for each scenario
PROBES = {
    "rccm-cube": "bottom.x bottom.y bottom.z",
    "two-cubes": "upper.x upper.y upper.z",
    "sliding-block": "centre.x centre.y",
    "thrown-ball-and-cube": "ball.x ball.y ball.z cube.x cube.y cube.z",
    "unmoulding": "tip.x tip.y",
    "ball-on-block-explicit": "speed.x speed.y",
    "quadratic-disc-on-plane": "centre.x centre.y",
}


def verdict_rccm_cube():
    file = test.shipped("rccm-cube.ini")
    folder = test.run(file)
    h, s = History(folder), summary(folder)
    toughness = 0.5 * 6e11 * 5e-6 * 5e-4 * 0.01
    test.close("rccm-cube dissipated", h["dissipated"][-1], toughness, rtol=2e-3)
    test.close("rccm-cube damage_work", -s["figures"]["damage_work"], h["dissipated"][-1], rtol=1e-9)
    test.true("rccm-cube damage only grows", all(a <= b + 1e-12 for a, b in zip(h["dissipated"], h["dissipated"][1:])))
    test.equal("rccm-cube bonds", (s["figures"]["bonds"], s["figures"]["broken_bonds"]), (25, 25))
    broken = h.first("contact_energy", lambda e: e == 0 and h["dissipated"][-1] > 0) if 0 in h["contact_energy"][10:] else None
    last = max(t for t, e in zip(h["time"], h["contact_energy"]) if e > 0)
    test.close("rccm-cube all broken", last, 2.54e-3, atol=1.1e-5)
    test.true("rccm-cube stores energy before", broken is None or max(h["contact_energy"]) > 0)
    test.ledger("rccm-cube ledger", h, 2e-5)
    linear = test.history(file, "--set", "body.cube.material=linear")
    test.ledger("rccm-cube ledger, linear", linear, 1e-12)
    delayed = summary(test.run(file, "--set", "contact.glue.delay-time=1e-4", "--set", "time.end=4.5e-3"))
    test.close("rccm-cube with delay", -delayed["figures"]["damage_work"] / toughness, 6, rtol=0.05)
    test.equal("rccm-cube with delay, broken", delayed["figures"]["broken_bonds"], 25)
    press = test.run(file, "--set", "motion.top.displacement=0 0 500*t^2*(t-1e-3)/1e-3", "--set", "time.end=4e-3", "--set", "body.cube.material=linear")
    test.true("rccm-cube is pressed", summary(press)["figures"]["total_impulse"] > 0 and summary(press)["impacts"] >= 1)
    test.equal("rccm-cube is pulled off after the press", summary(press)["figures"]["broken_bonds"], 25)
    test.ledger("rccm-cube ledger with press", History(press), 1e-12)
    # pictures show the damage of each node
    pictures = test.run(file, "--set", "output.vtk-every=600")
    content = b"".join(read(pictures, f) for f in tree(pictures) if "-contact-glue" in f)
    test.true("rccm-cube pictures", b'"damage"' in content and b'"traction"' in content)


def verdict_quadratic_disc_on_plane():
    file = test.shipped("quadratic-disc-on-plane.ini")
    folder = test.run(file, "--set", "output.vtk-every=100000")
    h, s = History(folder), summary(folder)
    test.true("quadratic-disc-on-plane touches", s["impacts"] >= 1 and s["figures"]["total_impulse"] > 0)
    test.below("quadratic-disc-on-plane loss", h["dissipated"][-1], 0.01 * h["kinetic"][0])
    test.ledger("quadratic-disc-on-plane ledger", h, 2e-5)
    first = test.history(file, "--set", "body.disc.order=1")
    test.true("quadratic-disc-on-plane first order loses more", first["dissipated"][-1] > 3 * h["dissipated"][-1] > 0)
    test.equal("quadratic-disc-on-plane cells are quadratic triangles", set(vtu(folder, "quadratic-disc-on-plane", "disc", 0)["types"]), {22})


def verdict_two_cubes():
    file = test.shipped("two-cubes.ini")
    for method in ("node-to-face", "dual-mortar"):
        change = () if method == "node-to-face" else ("--set", f"contact.cubes.method={method}", "--set", "contact.cubes.first=upper.zmin",
                                                      "--set", "contact.cubes.second=lower.zmax")
        folder = test.run(file, *change)
        h, s = History(folder), summary(folder)
        test.below(f"two-cubes linear momentum, {method}", s["linear_momentum_drift"], 1e-13 * 1.1 * 2)
        test.below(f"two-cubes angular momentum, {method}", s["angular_momentum_drift"], 1e-13 * 1.1 * 2 * 0.2)
        test.ledger(f"two-cubes ledger, {method}", h, 3e-4)
        test.true(f"two-cubes rebound, {method}", h["upper.z"][-1] > 1.2, h["upper.z"][-1])
        test.close(f"two-cubes loss, {method}", h["dissipated"][-1] / s["energy_initial"], 0.1, atol=0.03)
        test.true(f"two-cubes friction, {method}", s["figures"]["friction_work"] < -1e-3 * s["energy_initial"])
        test.below(f"two-cubes overlap, {method}", -s["min_gap"], 4 * h["time"][1])
    linear = test.history(file, "--set", "body.upper.material=linear", "--set", "body.lower.material=linear")
    test.ledger("two-cubes ledger, linear", linear, 1e-12)


def verdict_sliding_block():
    folder = test.run(test.shipped("sliding-block.ini"))
    h, s = History(folder), summary(folder)
    test.close("sliding-block stops", h["centre.x"][-1], 0.5**2 / (2 * 0.3 * 9.81), rtol=0.05)
    test.below("sliding-block is at rest", abs(h["px"][-1]), 1e-2 * h["px"][1])
    test.close("sliding-block friction work", -s["figures"]["friction_work"], 0.5 * 5.5 * 0.25, rtol=0.05)
    test.ledger("sliding-block ledger", h, 1e-4)
    # an interface that holds nothing is plain contact, with friction and without
    weak = [x for key, value in (("law", "rccm"), ("normal-stiffness", 1e-9), ("tangential-stiffness", 1e-9), ("elastic-limit", 1e-7), ("rupture", 1e-6))
            for x in ("--set", f"contact.block-on-floor.{key}={value}")]
    for friction in (0.3, 0):
        change = ("--set", f"contact.block-on-floor.friction={friction}", "--set", "time.end=0.1")
        one, two = (test.history(test.shipped("sliding-block.ini"), *change, *more) for more in ((), weak))
        for column in ("centre.x", "centre.y"):
            test.close(f"sliding-block with a weak interface, friction {friction}: {column}", two[column], one[column], atol=1e-9 * 0.05)


def verdict_thrown_ball_and_cube():
    folder = test.run(test.shipped("thrown-ball-and-cube.ini"))
    h, s = History(folder), summary(folder)
    test.true("thrown-ball-and-cube both touch", {e["pair"] for e in s["contact_events"]} == {"ball-on-floor", "cube-on-floor"})
    test.true("thrown-ball-and-cube friction slows them", h["ball.x"][-1] < 0.9 and h["cube.x"][-1] < 0.95)
    test.true("thrown-ball-and-cube within the cone", all(abs(x) <= 0.4 * z * (1 + 1e-9) + 1e-300 for x, z in zip(h["impulse_x"], h["impulse_z"])))
    test.true("thrown-ball-and-cube loses energy", s["figures"]["friction_work"] < 0 and h["dissipated"][-1] > 0)
    test.ledger("thrown-ball-and-cube ledger", h, 3e-4)
    smooth = summary(test.run(test.shipped("thrown-ball-and-cube.ini"), "--set", "contact.ball-on-floor.friction=1e-9", "--set", "contact.cube-on-floor.friction=1e-9"))
    test.below("thrown-ball-and-cube with little friction keeps px", smooth["figures"]["px_drift"], 1e-8)


def verdict_unmoulding():
    folder = test.run(test.shipped("unmoulding.ini"))
    h, s = History(folder), summary(folder)
    length = 2 * 0.05 + 0.02 * (math.pi - 2 * 0.3)
    test.equal("unmoulding all bonds are broken", s["figures"]["broken_bonds"], s["figures"]["bonds"])
    test.close("unmoulding damage_work", -s["figures"]["damage_work"], 5 * length, rtol=0.02)
    test.close("unmoulding height of the tip", h["tip.y"][-1], 14e-3, atol=1e-3)
    test.ledger("unmoulding ledger", h, 1e-3)


def verdict_ball_on_block_explicit():
    """Speed after the rebound: explicit and implicit, coarse and fine"""
    file = test.shipped("ball-on-block-explicit.ini")
    difference = {}
    for mesh, step, explicit in (("coarse", 0.25, 0.02), ("fine", 0.125, 0.015)):
        meshes = ("--set", f"body.ball.mesh=ball_{mesh}.msh", "--set", f"body.block.mesh=block_{mesh}.msh", "--set", "output.history-every=50")
        one = History(test.run(file, *meshes, "--set", f"time.step={explicit}"))
        two = History(test.run(file, *meshes, "--set", "time.method=dissipative-midpoint", "--set", f"time.step={step}"))
        speed = [h["speed.y"][-1] + 9.81e-3 * (h["time"][-1] - 28) for h in (one, two)]
        difference[mesh] = abs(speed[0] / speed[1] - 1)
        test.below(f"ball-on-block-explicit rebound, {mesh}", difference[mesh], 0.02)
        test.below(f"ball-on-block-explicit loss, {mesh}", one["dissipated"][-1], 1e-3 * one["total"][1])
        test.ledger(f"ball-on-block-explicit ledger, {mesh}", one, 1e-5)
    test.below("ball-on-block-explicit difference shrinks", difference["fine"], 0.8 * difference["coarse"])
