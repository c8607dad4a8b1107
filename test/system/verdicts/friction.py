# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""Solids with friction in implicit and static steps: what the headers of their scenarios promise."""
import math

from dune_impact import History, summary
from verdicts.shared import never_rises, test

# The columns of its probes for each scenario
PROBES = {
    "dragged-cylinder": "top.x top.y",
    "cattaneo-mindlin": "top.x top.y",
    "rolling-disc": "centre.x centre.y",
    "oblique-impact": "centre.x centre.y",
    "two-spinning-balls": "first.x first.y first.z",
    "resting-block": "rear.x rear.y middle.x middle.y front.x front.y top.x top.y",
    "braking-block": "centre.x centre.y",
    "braking-block-on-base": "centre.x centre.y",
}


def cone(name, h, contact, friction):
    """The tangential force is at most friction times the normal one, axes as those of a floor."""
    normal = h[f"{contact}.force_y"]
    excess = max(abs(x) - friction * y for x, y in zip(h[f"{contact}.force_x"], normal))
    test.below(f"{name} cone of friction", excess / max(normal), 1e-3)


def verdict_dragged_cylinder():
    name, contact = "dragged-cylinder", "cylinder-on-floor"
    h = History(test.run(test.shipped(name + ".ini")))
    tangential = [0, -7.563837680121571e-07, -1.7386083496992793e-06, -0.0017440111165331928, -0.00335700490310597,
                  -0.0038838154691056104, -0.00016480520613930508, 0.0032895015239795314, 0.0038830945420910397]
    normal = [0, 0.005978960137401719, 0.013088196128627577, 0.01302829819712091, 0.012966817436902423,
              0.012946051563685371, 0.012956176467874359, 0.012947446727157155, 0.0129436484736368]
    test.close(f"{name} tangential forces", h[f"{contact}.force_x"], tangential, atol=1e-9 * normal[-1])
    test.close(f"{name} normal forces", h[f"{contact}.force_y"], normal, atol=1e-9 * normal[-1])
    test.equal(f"{name} sticking points", [int(n) for n in h[f"{contact}.sticking"]], [0, 9, 23, 18, 9, 0, 29, 11, 0])
    test.close(f"{name} work of friction", h["friction_work"][-1], -6.857480288566785e-05, rtol=1e-8)
    test.close(f"{name} all slides", abs(h[f"{contact}.force_x"][5]), 0.3 * h[f"{contact}.force_y"][5], rtol=1e-10)
    test.ledger(f"{name} ledger", h, 1e-10)


def verdict_cattaneo_mindlin():
    name, contact = "cattaneo-mindlin", "cylinder-on-block"
    h = History(test.run(test.shipped(name + ".ini")))
    P, Q = h[f"{contact}.force_y"][-1], -h[f"{contact}.force_x"][-1]
    a = math.sqrt(4 * P * 10 / (math.pi / (2 * (1 - 0.3 ** 2))))
    c, spacing = a * math.sqrt(1 - Q / (0.3 * P)), 0.0198
    sticking, points = h[f"{contact}.sticking"][-1], h[f"{contact}.sticking"][-1] + h[f"{contact}.sliding"][-1]
    test.close(f"{name} half width", points / 2 * spacing, a, rtol=0.04)
    test.close(f"{name} half width that sticks", sticking / 2 * spacing, c, rtol=0.04)
    test.close(f"{name} largest pressure", h[f"{contact}.pressure"][-1], 2 * P / (math.pi * a), rtol=0.01)
    test.true(f"{name} all sticks before it is sheared", h[f"{contact}.sliding"][3] == 0)
    test.ledger(f"{name} ledger", h, 1e-9)


def verdict_rolling_disc():
    name = "rolling-disc"
    folder = test.run(test.shipped(name + ".ini"))
    h, s = History(folder), summary(folder)
    never_rises(name, s)
    test.close(f"{name} speed", sum(h["centre.x"][-10:]) / 10, 4 / 3, rtol=0.02)
    test.close(f"{name} work of friction", -h["friction_work"][-1], 0.5288569517394129, rtol=1e-6)
    test.close(f"{name} begins to roll", h["time"][h.first("disc-on-floor.sticking", lambda n: n > 0)], 11.1, atol=1.5)
    cone(name, h, "disc-on-floor", 0.3)
    test.ledger(f"{name} ledger", h, 1e-11)


def verdict_oblique_impact():
    name, file = "oblique-impact", test.shipped("oblique-impact.ini")
    folder = test.run(file)
    h, s = History(folder), summary(folder)
    never_rises(name, s)
    test.close(f"{name} work of friction", h["friction_work"][-1], -0.1549348328922141, rtol=1e-6)
    test.close(f"{name} work of contact", h["contact_work"][-1], -0.001051784243096679, rtol=1e-6)
    test.true(f"{name} slides", sum(h["ball-on-block.sticking"]) == 0 and sum(h["ball-on-block.sliding"]) > 0)
    test.ledger(f"{name} ledger", h, 1e-11)
    nearly = History(test.run(file, "--set", "body.ball.spin=-0.034"))
    test.close(f"{name} nearly rolling", nearly["dissipated"][-1], 0.014079017287179418, rtol=1e-6)
    short = History(test.run(file, "--set", "body.ball.spin=-0.034", "--set", "time.step=0.25"))
    test.close(f"{name} nearly rolling with short steps", short["dissipated"][-1], 0.011500685521098397, rtol=1e-6)
    test.true(f"{name} nearly rolling sticks", sum(short["ball-on-block.sticking"]) > 0)
    smooth = History(test.run(file, "--set", "contact.ball-on-block.friction=0"))
    test.close(f"{name} without friction", smooth["dissipated"][-1], 0.0010531292952249416, rtol=1e-6)
    full = History(test.run(file, "--set", "contact.ball-on-block.friction=1"))
    test.close(f"{name} friction 1", full["dissipated"][-1], 0.3843771132267475, rtol=1e-6)


def verdict_two_spinning_balls():
    name = "two-spinning-balls"
    folder = test.run(test.shipped(name + ".ini"))
    h, s = History(folder), summary(folder)
    never_rises(name, s)
    momentum = math.hypot(h["px"][0], h["pz"][0])
    angular = math.sqrt(h["lx"][0] ** 2 + h["ly"][0] ** 2 + h["lz"][0] ** 2)
    test.below(f"{name} linear momentum", s["linear_momentum_drift"], 1e-12 * momentum)
    test.below(f"{name} angular momentum", s["angular_momentum_drift"], 1e-11 * angular)
    test.true(f"{name} friction takes energy", h["friction_work"][-1] < -0.05 * h["total"][0])
    test.ledger(f"{name} ledger", h, 1e-11)


def verdict_resting_block():
    name, file, contact = "resting-block", test.shipped("resting-block.ini"), "block-on-incline"
    folder = test.run(file)
    h, s = History(folder), summary(folder)
    never_rises(name, s)
    length, mass, downhill, normal = 40, 0.04, 1.9489461253e-3, 9.6144531286e-3
    for probe in ("rear", "middle", "front"):
        test.below(f"{name} {probe} stands still", max(map(abs, h[f"{probe}.x"] + h[f"{probe}.y"])), 1e-13 * length)
    test.true(f"{name} vibrates", max(h["top.x"]) - min(h["top.x"]) > 1e-6 * length)
    test.true(f"{name} sticks", max(h[f"{contact}.sliding"]) == 0 and min(h[f"{contact}.sticking"][1:]) == 9)
    test.below(f"{name} friction takes no energy", abs(h["friction_work"][-1]), 1e-13 * max(h["kinetic"]))
    test.close(f"{name} momentum", h["px"][-1] - sum(h["impulse_x"]), mass * downhill * h["time"][-1], rtol=1e-11)
    test.ledger(f"{name} ledger", h, 1e-11)
    # too little friction: the path of a rigid block, and what the vibration of the normal force adds to it
    slides = History(test.run(file, "--set", f"contact.{contact}.friction=0.1"))
    path = (downhill - 0.1 * normal) * slides["time"][-1] ** 2 / 2
    test.close(f"{name} slides with little friction", slides["middle.x"][-1], path, rtol=0.01)


def brakes(name, contact, lean):
    """A block with the speed v stops after the path v^2/(2 beta g), 1.69895 mm at 34 ms; vibrations that are left over
    move it by 1e-3 of that. Normals lean by the slope of the deformed surface."""
    folder = test.run(test.shipped(name + ".ini"))
    h, s = History(folder), summary(folder)
    never_rises(name, s)
    path, stop = 0.1 ** 2 / (2 * 0.3 * 9.81e-3), 0.1 / (0.3 * 9.81e-3)
    test.close(f"{name} path", h["centre.x"][-1], path, rtol=2e-3)
    rest = [(t, x) for t, x in zip(h["time"], h["centre.x"]) if t > stop + 2]
    test.below(f"{name} mean speed at rest", abs(rest[-1][1] - rest[0][1]) / (rest[-1][0] - rest[0][0]), 0.01 * 0.1)
    test.close(f"{name} work of friction", -h["friction_work"][-1], h["kinetic"][0], rtol=0.01)
    forces = list(zip(h["time"], h[f"{contact}.force_x"], h[f"{contact}.force_y"]))
    brake = [(-x, 0.3 * y) for t, x, y in forces if 0 < t < stop - 2]
    test.close(f"{name} brakes with all friction", *zip(*brake), rtol=lean)
    test.true(f"{name} sticks in the end", max(h[f"{contact}.sticking"][-10:]) > 0)
    cone(name, h, contact, 0.3)
    test.ledger(f"{name} ledger", h, 1e-11)


def verdict_braking_block():
    brakes("braking-block", "block-on-floor", 1e-9)


def verdict_braking_block_on_base():
    brakes("braking-block-on-base", "block-on-base", 1e-4)  # weight over area and young is 2e-5
