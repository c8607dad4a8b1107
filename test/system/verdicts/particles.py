# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""Particles and springs: what the headers of their scenarios promise."""
from dune_impact import History, summary
from verdicts.shared import test

# The columns of its probes for each scenario
PROBES = {
    "bouncing-particle": "ball.x speed.x",
    "newtons-cradle": "a.x b.x c.x d.x e.x",
    "rotating-spring": "mass.x mass.y",
    "rotating-spring-moreau": "mass.x mass.y",
    "rotating-spring-wall": "mass.x mass.y",
    "rotating-spring-wall-moreau": "mass.x mass.y",
}


def verdict_bouncing_particle():
    folder = test.run(test.shipped("bouncing-particle.ini"))
    h, s = History(folder), summary(folder)
    first = h.first("impulse_x", lambda r: r > 0)
    test.close("bouncing-particle first impact", h["time"][first], 0.451524, atol=1e-3)
    test.close("bouncing-particle max_penetration", s["figures"]["max_penetration"], 2.7e-3, atol=0.05e-3)
    test.close("bouncing-particle depth of the first impact", -h["ball.x"][first], 2.1e-3, atol=0.05e-3)
    deepest = s["contact_events"][2]["begin"]
    test.equal("bouncing-particle the third impact is the deepest", h["time"][h["ball.x"].index(min(h["ball.x"]))], deepest)
    rest = [abs(v) for v, t in zip(h["speed.x"], h["time"]) if t > 4.0637 + 0.1]
    test.below("bouncing-particle speed after the Zeno point", max(rest), 1e-10)
    test.true("bouncing-particle it bounces before", max(v for v, t in zip(h["speed.x"], h["time"]) if 3.9 < t < 4) > 0.1)
    last_speed = 9.81 * 1e-3
    test.below("bouncing-particle depth at rest", -h["ball.x"][-1], 1e-3 * last_speed)


def verdict_newtons_cradle():
    h = test.history(test.shipped("newtons-cradle.ini"))
    after = [h[f"{body}.x"][-1] for body in "abcde"]
    test.close("newtons-cradle velocities", after, [-0.6, 0.4, 0.4, 0.4, 0.4], atol=1e-12)
    test.close("newtons-cradle momentum", h["px"], [1.0] * h.rows, atol=1e-14)
    test.close("newtons-cradle energy", h["total"], [0.5] * h.rows, atol=1e-14)
    # with gaps between the particles the impulse passes through them
    gaps = [x for i, body in enumerate("bcde") for x in ("--set", f"body.{body}.position={1.005 + 1.05 * i}")]
    h = test.history(test.shipped("newtons-cradle.ini"), *gaps)
    test.close("newtons-cradle with gaps", [h[f"{body}.x"][-1] for body in "abcde"], [0, 0, 0, 0, 1], atol=1e-12)


def verdict_rotating_spring():
    h = test.history(test.shipped("rotating-spring.ini"))
    test.below("rotating-spring lz", max(abs(x - 1.5) for x in h["lz"]), 1e-13)
    test.close("rotating-spring lowest energy", min(h["total"][1:]), 2.2438, atol=5e-5)
    test.close("rotating-spring highest energy", max(h["total"][1:]), 2.2614, atol=5e-5)
    means = [sum(h["total"][a:b]) / (b - a) for a, b in ((1, 1001), (1001, 2001))]
    test.close("rotating-spring no drift", means[0], means[1], rtol=5e-4)


def verdict_rotating_spring_wall():
    folder = test.run(test.shipped("rotating-spring-wall.ini"))
    h, s = History(folder), summary(folder)
    test.true("rotating-spring-wall impacts", 70 <= s["impacts"] <= 74, s["impacts"])
    test.below("rotating-spring-wall lz", max(abs(x - 1.5) for x in h["lz"]), 1e-13)
    test.below("rotating-spring-wall dissipated", max(map(abs, h["dissipated"])), 1e-13)


def verdict_rotating_spring_moreau():
    amplitude = []
    for step in (0.05, 0.025):
        h = test.history(test.shipped("rotating-spring-moreau.ini"), "--set", f"time.step={step}")
        amplitude.append(max(h["lz"]) - min(h["lz"]))
        if step == 0.05:
            test.close("rotating-spring-moreau lowest lz", min(h["lz"]), 1.4996, atol=5e-5)
            test.close("rotating-spring-moreau highest lz", max(h["lz"]), 1.5061, atol=5e-5)
    test.close("rotating-spring-moreau amplitude with half the step", amplitude[1] / amplitude[0], 0.25, atol=0.03)


def verdict_rotating_spring_wall_moreau():
    h = test.history(test.shipped("rotating-spring-wall-moreau.ini"), "--set", "time.end=10")
    test.close("rotating-spring-wall-moreau lowest lz", min(h["lz"]), 1.4998, atol=5e-5)
    test.close("rotating-spring-wall-moreau highest lz", max(h["lz"]), 1.5061, atol=5e-5)
