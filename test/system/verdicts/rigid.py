# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""Rigid bodies, alone and with others: what the headers of their scenarios promise."""
import math

from dune_impact import History, summary
from verdicts.shared import never_rises, test

# The columns of its probes for each scenario
PROBES = {
    "free-top": "first.x first.y first.z second.x second.y second.z third.x third.y third.z",
    "heavy-top": "axis.x axis.y axis.z",
    "ball-in-shell": "ball.x ball.y ball.z shell.x shell.y shell.z",
    "rod-in-box": "rod.x rod.y rod.z tip.x tip.y tip.z box.x box.y box.z",
    "flat-rod": "rod.x rod.y rod.z box.x box.y box.z",
    "bar-on-rigid-body": "block.x block.y block.z tip.x tip.y tip.z",
    "box-stack": "lowest.x lowest.y lowest.z highest.x highest.y highest.z force.x force.y force.z",
    "poured-balls": "centre.x centre.y centre.z force.x force.y force.z",
    "rigid-ball-on-free-block": "ball.x ball.y ball.z block.x block.y block.z",
    "rigid-box-on-block": "box.x box.y box.z force.x force.y force.z",
    "tippe-top": "centre.x centre.y centre.z middle.x middle.y middle.z",
    "block-on-incline": "rest.x rest.y rest.z slider.x slider.y slider.z speed.x speed.y speed.z",
    "rigid-pendulum": "tip.x tip.y tip.z centre.x centre.y centre.z support.x support.y support.z",
}


def verdict_block_on_incline():
    name = "block-on-incline"
    folder = test.run(test.shipped(name + ".ini"))
    h = History(folder)
    rest = [h[f"rest.{c}"][n] - h[f"rest.{c}"][0] for c in "xyz" for n in range(h.rows)]
    test.below(f"{name} stick does not creep", max(map(abs, rest)), 1e-12)
    brake = 0.3 * 9.800665778412416 - 1.9866933079506122
    test.close(f"{name} slides", h["slider.x"][100], 1 - brake / 2, atol=1e-7)
    test.close(f"{name} stops", h["slider.x"][-1], 1 / (2 * brake), atol=1e-3)
    test.below(f"{name} is at rest", abs(h["speed.x"][-1]), 1e-10)
    test.close(f"{name} work of friction", summary(folder)["figures"]["friction_work"], -2 * (0.5 + 1.9866933079506122 * h["slider.x"][-1]), rtol=1e-2)
    test.true(f"{name} no overlap", min(h["min_gap"]) >= -1e-12)
    long = History(test.run(test.shipped(name + ".ini"), "--set", "time.end=100", "--set", "output.history-every=1000", "--set", "output.report=no"))
    test.below(f"{name} does not creep in 1e4 steps", max(abs(long[f"rest.{c}"][-1] - long[f"rest.{c}"][0]) for c in "xyz"), 1e-11)
    # beyond the angle of friction it slides from the start
    steep = History(test.run(test.shipped(name + ".ini"), "--set", "contact.rest.friction=0.1"))
    test.close(f"{name} slides on a slippery incline", steep["rest.x"][100], (1.9866933079506122 - 0.9800665778412416) / 2, atol=1e-7)


def verdict_rigid_pendulum():
    name = "rigid-pendulum"
    errors = []
    for step in (0.004, 0.002):
        folder = test.run(test.shipped(name + ".ini"), "--set", f"time.step={step}")
        h = History(folder)
        test.below(f"{name} the hinge holds", max(abs(math.hypot(h["centre.x"][n], h["centre.y"][n], h["centre.z"][n]) - 0.5) for n in range(h.rows)), 1e-13)
        test.below(f"{name} stays in its plane", max(map(abs, h["centre.y"])), 1e-12)
        test.true(f"{name} no overlap", min(h["tip.x"]) >= -1e-11)
        test.close(f"{name} first impact", summary(folder)["figures"]["first_contact"], 0.4324815694683332, atol=step)
        test.equal(f"{name} impacts", summary(folder)["impacts"], 2)
        errors.append(abs(math.atan2(h["tip.x"][-1], -h["tip.z"][-1]) - 0.5647768239372909))
        test.ledger(f"{name} ledger", h, 1e-12)
    test.true(f"{name} first order", errors[1] < 0.02 and errors[1] < 0.7 * errors[0], errors)
    # the force of the hinge at rest under gravity alone: the weight
    hanging = History(test.run(test.shipped(name + ".ini"), "--set", "body.rod.rotation=0 0 0", "--set", "body.rod.position=0 0 -0.5", "--set", "time.end=0.1"))
    test.close(f"{name} carries its weight", hanging["support.z"][-1], 10, rtol=1e-12)


def conserves(name, s, energy, *momenta):
    test.below(f"{name} energy", s["energy_error_max"], energy)
    for component in momenta:
        test.below(f"{name} {component}", s["figures"][component + "_drift"], 1e-12)


def verdict_free_top():
    errors = []
    for step, cayley in ((0.025, False), (0.0125, False), (0.025, True)):
        folder = test.run(test.shipped("free-top.ini"), "--set", f"time.step={step}", *(("--set", "time.map=cayley") if cayley else ()))
        h, s = History(folder), summary(folder)
        conserves("free-top", s, 1e-14)
        for component in ("lx", "ly", "lz"):
            test.equal(f"free-top {component} bit for bit", s["figures"][component + "_drift"], 0)
        exact = {"first": (0.7588472689169703, 0.030699859120474154, 0.6505446495877301),
                 "second": (-0.1630004840853251, 0.9760496617233174, 0.14407602173071488),
                 "third": (-0.630540771596245, -0.2153707884086914, 0.7456767120240584)}
        errors.append(math.sqrt(sum((h[f"{axis}.{c}"][-1] - x) ** 2 for axis, v in exact.items() for c, x in zip("xyz", v))))
    test.close("free-top error of the rotation", errors, [1.4769151184e-3, 3.6919162642e-4, 8.1878087242e-3], rtol=1e-7)


def verdict_heavy_top():
    for step in (2.5e-3, 0.02):
        folder = test.run(test.shipped("heavy-top.ini"), "--set", f"time.step={step}")
        h, s = History(folder), summary(folder)
        conserves("heavy-top", s, 1e-14, "lz")
        if step == 2.5e-3:
            exact = (0.22325353301866976, -0.19547033672986774, 0.9549603172139628)
            error = math.sqrt(sum((h[f"axis.{c}"][-1] - x) ** 2 for c, x in zip("xyz", exact)))
            test.close("heavy-top error of the axis", error, 9.0460966926e-4, rtol=1e-7)


def verdict_ball_in_shell():
    for step in (0.01, 1):
        folder = test.run(test.shipped("ball-in-shell.ini"), "--set", f"time.step={step}")
        h, s = History(folder), summary(folder)
        conserves("ball-in-shell", s, 1e-12, "px", "py", "pz", "lx", "ly", "lz")
        dip = max(abs(k / h["kinetic"][0] - 1) for k in h["kinetic"])
        test.close(f"ball-in-shell dip of the kinetic energy, step {step}", dip, 9.14e-7, rtol=2e-3 if step < 1 else 0.05)
        if step < 1:
            test.close("ball-in-shell place", [h[f"ball.{c}"][-1] for c in "xyz"], [0, 8.24067, 6.00169], atol=1e-4)


def verdict_rod_in_box():
    for variant in ("kick", "mid"):
        folder = test.run(test.shipped("rod-in-box.ini"), "--set", f"time.variant={variant}")
        s = summary(folder)
        test.below(f"rod-in-box {variant} energy", s["energy_error_max"], 1e-13)
        test.below(f"rod-in-box {variant} angular momentum", s["angular_momentum_drift"], 1e-13 * 2.3566666666666659e-05)
        test.equal(f"rod-in-box {variant} impacts", s["impacts"], 3)
        test.close(f"rod-in-box {variant} first impact", s["figures"]["first_contact"], 0.01094, atol=5e-5)


def verdict_flat_rod():
    for restitution, rod, box, left in ((1, -9.907348822878024, 0.08294728676199177, 1.0), (0, 0.046325588560987896, 0.046325588560987896 - 0.0074629003306594475 * 0.2 - 0, 0.0046325588560989)):
        h = test.history(test.shipped("flat-rod.ini"), "--set", f"contact.walls.restitution={restitution}")
        test.close(f"flat-rod velocity, restitution {restitution}", h["rod.y"][-1], rod, rtol=1e-9)
        test.close(f"flat-rod energy, restitution {restitution}", h["kinetic"][-1] / h["kinetic"][0], left, rtol=1e-9)
        if restitution == 1:
            test.close("flat-rod velocity of the box", h["box.y"][-1], box, rtol=1e-9)
            test.true("flat-rod several contacts", 2 <= max(h["contacts"]) <= 6, max(h["contacts"]))


def verdict_bar_on_rigid_body():
    expected = {50: (8.561991549833978e-06, 4.28099577488749e-06), 100: (8.593404246412427e-06, 4.296702123175788e-06), 200: (8.613154934088078e-06, 4.3065774670130054e-06)}
    for elements, (impulse, velocity) in expected.items():
        steps = {50: 162, 100: 325, 200: 650}[elements]
        folder = test.run(test.shipped("bar-on-rigid-body.ini"), "--set", f"body.bar.elements={elements}", "--set", f"time.step={0.8 / elements}", "--set", f"time.end={steps * 0.8 / elements}")
        h, s = History(folder), summary(folder)
        test.close(f"bar-on-rigid-body impulse, {elements} elements", s["figures"]["total_impulse"], impulse, rtol=1e-8)
        test.close(f"bar-on-rigid-body velocity, {elements} elements", h["block.x"][-1], velocity, rtol=1e-8)
        test.below("bar-on-rigid-body momentum", s["linear_momentum_drift"], 1e-12 * 1e-5)
        test.below("bar-on-rigid-body angular momentum", s["angular_momentum_drift"], 1e-12 * 0.5e-5)


def verdict_box_stack():
    folder = test.run(test.shipped("box-stack.ini"))
    h = History(folder)
    drift = max(abs(x - h[f"{probe}.{c}"][0]) for probe in ("lowest", "highest") for c in "xyz" for x in h[f"{probe}.{c}"])
    test.below("box-stack drift", drift, 1e-6 * 200 / 1e5)
    test.close("box-stack force on the floor", h["force.z"][-1], 98.1, rtol=1e-9)


def verdict_poured_balls():
    folder = test.run(test.shipped("poured-balls.ini"), "--set", "body.balls.copies=3 3 3", "--set", "time.end=0.5", "--set", "body.right.point=-0.044 0 0", "--set", "body.back.point=0 -0.044 0")
    h, s = History(folder), summary(folder)
    test.true("poured-balls touch", max(h["contacts"]) > 20, max(h["contacts"]))
    weight = 27 * 0.001 * 9.81
    test.close("poured-balls weight on the floor", sum(h["force.z"][-100:]) / 100, weight, rtol=0.02)
    test.below("poured-balls depth", -s["min_gap"], 5e-4 * 1.0)
    test.below("poured-balls energy gain", s["energy_gain_max"], 1e-3)
    test.ledger("poured-balls ledger", h, 1e-12, begin=0)
    test.below("poured-balls they come to rest", h["kinetic"][-1], 1e-3 * max(h["kinetic"]))


def momenta_in_space_stay(name, h, linear, angular):
    """Momenta of the rows against those of the first one, in units of the given sizes"""
    for columns, size in (("px py pz", linear), ("lx ly lz", angular)):
        change = max(abs(x - h[c][1]) for c in columns.split() for x in h[c][1:])
        test.below(f"{name} {columns}", change / size, 1e-12)


def verdict_rigid_ball_on_free_block():
    name, file = "rigid-ball-on-free-block", test.shipped("rigid-ball-on-free-block.ini")
    linear, angular = 100 * 4, 100 * 4 * 0.5  # of the ball, and half a block away
    h = test.history(file)
    momenta_in_space_stay(name, h, linear, angular)
    test.true(f"{name} several facets touch", max(h["contacts"]) >= 2, max(h["contacts"]))
    test.true(f"{name} the ball rebounds", h["ball.z"][-1] > -2 and h["block.z"][-1] < -0.3, (h["ball.z"][-1], h["block.z"][-1]))
    test.true(f"{name} impacts and friction lose energy", 0 < h["dissipated"][-1] < 0.3 * h["total"][1])
    test.ledger(f"{name} ledger", h, 2e-2)  # the material is not linear
    linear_file = ("--set", "body.block.material=linear")
    test.ledger(f"{name} ledger, linear material", test.history(file, *linear_file), 1e-12)
    free = ("--set", "contact.hit.friction=0")
    one = test.history(file, *free)
    for method in ("dissipative-midpoint", "midpoint"):
        two = test.history(file, *free, "--set", f"time.method={method}", "--set", "time.step=1e-3", "--set", "solver.tolerance=1e-13")
        momenta_in_space_stay(f"{name} {method}", two, linear, angular)
        for probe in ("ball.z", "block.z"):
            test.close(f"{name} {method} is like explicit steps, {probe}", two[probe][-1], one[probe][-1], atol=0.4)
    supports = ("--set", "body.block.clamped=zmin")
    test.ledger(f"{name} ledger on supports", test.history(file, *linear_file, *supports), 1e-12)


def verdict_rigid_box_on_block():
    name, file = "rigid-box-on-block", test.shipped("rigid-box-on-block.ini")
    folder = test.run(file)
    h, s = History(folder), summary(folder)
    never_rises(name, s)
    test.true(f"{name} no overlap", s["min_gap"] > -1e-8, s["min_gap"])
    test.true(f"{name} the box is stopped", min(h["box.z"]) > 0.3 and h["box.z"][-1] > min(h["box.z"]) + 0.05 and sum(h["force.z"]) > 0, min(h["box.z"]))
    test.ledger(f"{name} ledger", h, 1e-8, begin=0)
    weighted = summary(test.run(file, "--set", "contact.fall.method=dual-mortar", "--set", "time.end=0.08", "--set", "solver.tolerance=1e-12"))
    never_rises(f"{name} dual-mortar", weighted)
    # a corner that touches facets does not sink between nodes
    explicit = ("--set", "time.method=cd-lagrange", "--set", "time.step=2e-4", "--set", "output.history-every=10")
    points, both = test.history(file, *explicit, "--set", "contact.fall.method=point"), test.history(file, *explicit)
    test.close(f"{name} explicit steps with nodes of the block go the same way", min(points["box.z"]), min(h["box.z"]), atol=0.05)
    test.true(f"{name} corners touch facets", min(both["box.z"]) > min(points["box.z"]) + 0.03, (min(both["box.z"]), min(points["box.z"])))


def verdict_tippe_top():
    folder = test.run(test.shipped("tippe-top.ini"))
    h, s = History(folder), summary(folder)
    test.true("tippe-top starts with its centre of mass below", h["centre.z"][0] < h["middle.z"][0] - 0.0029)
    test.true("tippe-top ends with its centre of mass above", h["centre.z"][-1] > h["middle.z"][-1] + 0.001, h["centre.z"][-1])
    test.below("tippe-top energy gain", s["energy_gain_max"], 1e-6)
    smooth = test.history(test.shipped("tippe-top.ini"), "--set", "contact.floor.friction=0", "--set", "time.end=0.5")
    test.below("tippe-top without friction stays", max(smooth["centre.z"]), 0.0125)
