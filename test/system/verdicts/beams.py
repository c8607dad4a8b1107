# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""Beams: what the headers of their scenarios promise."""
import math

from dune_impact import History, summary
from verdicts.shared import test

# The columns of its probes for each scenario
PROBES = {
    "beam-roll-up": "end.x end.y end.z clamp.x clamp.y clamp.z",
    "beam-bend": "end.x end.y end.z turn.x turn.y turn.z",
    "cantilever-on-cantilever": "upper.x upper.y upper.z lower.x lower.y lower.z support.x support.y support.z",
    "double-helix": " ".join(f"{p}.{c}" for p in "one two one-force two-force one-moment two-moment".split() for c in "xyz"),
    "seven-wire-strand": " ".join(f"{p}{q}.{c}" for p in "core wire1 wire2 wire3 wire4 wire5 wire6".split() for q in ("", "-force", "-moment") for c in "xyz"),
    "wire-on-drum": "end.x end.y end.z held.x held.y held.z",
    "flexible-pendulum": "tip.x tip.y tip.z support.x support.y support.z",
    "twisting-beams": " ".join(f"{p}.{c}" for p in "one two one-force two-force one-moment two-moment".split() for c in "xyz"),
    "falling-beam-fast": "left.x left.y left.z right.x right.y right.z",
    "falling-beam-medium": "left.x left.y left.z right.x right.y right.z",
    "falling-beam-slow": "left.x left.y left.z right.x right.y right.z",
}


def verdict_beam_roll_up():
    name = "beam-roll-up"
    moment = 2 * math.pi * 200 / 10
    for elements in (3, 8):
        h = History(test.run(test.shipped(name + ".ini"), "--set", f"body.beam.elements={elements}"))
        test.close(f"{name} end of the circle", [h[f"end.{c}"][-1] for c in "xyz"], [0, 0, 0], atol=1e-8)
        test.close(f"{name} moment of the clamp", h["clamp.y"][-1], -moment, rtol=1e-9)
        test.close(f"{name} energy", h["elastic"][-1], moment**2 * 10 / 400, rtol=1e-9)
        test.close(f"{name} work", h["external_work"][-1], moment**2 * 10 / 400, rtol=1e-9)
    # half a turn: the end is across the circle
    test.close(f"{name} half a turn", [h["end.x"][12], h["end.z"][12]], [2 * 10 / math.pi, 0], atol=1e-8)


def verdict_beam_bend():
    name = "beam-bend"
    for elements, tip in ((8, (15.711007094853638, 53.333802995927556, 47.23150651236669)), (32, (15.686331843445137, 53.46663687450125, 47.15517149649146))):
        h = History(test.run(test.shipped(name + ".ini"), "--set", f"body.beam.elements={elements}"))
        test.close(f"{name} end, {elements} elements", [h[f"end.{c}"][-1] for c in "xyz"], tip, atol=1e-6)


def verdict_cantilever_on_cantilever():
    name = "cantilever-on-cantilever"
    for method, upper, total in (("mortar", (-0.05884783451834596, 0.996438867479959), 5.129152912653704), ("collocation", (-0.05884809372183825, 0.996438845987849), 5.224491884761683)):
        folder = test.run(test.shipped(name + ".ini"), "--set", f"contact.touch.method={method}")
        h = History(folder)
        test.close(f"{name} end of the upper beam, {method}", [h["upper.x"][-1], h["upper.z"][-1]], upper, atol=1e-8)
        test.close(f"{name} sum of the contact forces, {method}", summary(folder)["figures"]["peak_force"], total, rtol=1e-5)
        test.close(f"{name} support of the lower beam", h["support.x"][-1], total, rtol=2e-2)


def end_moment(h, row, names, centre):
    """y component of the moment of reactions at the ends of beams about a point"""
    cx, cz = centre
    return sum(h[f"{n}-moment.y"][row] + (h[f"{n}.z"][row] - cz) * h[f"{n}-force.x"][row] - (h[f"{n}.x"][row] - cx) * h[f"{n}-force.z"][row] for n in names)


def verdict_double_helix():
    name = "double-helix"

    def moments(*options):
        folder = test.run(test.shipped(name + ".ini"), *options)
        h, result = History(folder), []
        for row, theta in ((8, 0.25), (12, 0.5), (16, 0.25)):
            centre = 40.2 * (1 - math.cos(theta)) / theta, 40.2 * math.sin(theta) / theta
            result.append(end_moment(h, row, ("one", "two"), centre))
        return folder, h, result

    folder, h, result = moments()
    test.close(f"{name} moments", result, [29.19203501587221, 46.58981755767275, 27.821461427843477], rtol=1e-4)
    figures = summary(folder)["figures"]
    test.close(f"{name} friction work", -figures["friction_work"], 0.5541732959850725, rtol=2e-3)
    test.close(f"{name} energy balance", h["external_work"][-1], h["elastic"][-1] - figures["friction_work"], rtol=0.01)
    _, _, without = moments("--set", "contact.strands.friction=0")
    test.close(f"{name} no hysteresis without friction", without[0], without[2], rtol=1e-6)


def verdict_seven_wire_strand():
    name = "seven-wire-strand"
    wires = ["core"] + [f"wire{i}" for i in range(1, 7)]

    def loop(friction, end, rows):
        folder = test.run(test.shipped(name + ".ini"), "--set", f"time.end={end}", *(x for i in range(1, 7) for k in ("core", "wires") for x in ("--set", f"contact.{k}-{i}.friction={friction}")))
        h, figures = History(folder), summary(folder)["figures"]
        result = {}
        for row in rows:  # the angle is 0.1 on the way out and on the way back
            theta = 0.1
            centre = 40.2 * (1 - math.cos(theta)) / theta, 40.2 * math.sin(theta) / theta
            result[row] = end_moment(h, row, wires, centre)
        return h, figures, result

    h, figures, m = loop(0.3, 10, (4, 8))
    test.true(f"{name} hysteresis: more moment on the way out than on the way back", m[4] > 1.1 * m[8], m)
    test.close(f"{name} energy balance", h["external_work"][-1], h["elastic"][-1] - figures["friction_work"], rtol=0.05)
    test.true(f"{name} friction takes energy", figures["friction_work"] < 0)
    _, _, free = loop(0, 8, (4, 8))
    test.close(f"{name} no loop without friction", free[4], free[8], rtol=1e-5)


def verdict_wire_on_drum():
    name = "wire-on-drum"
    for method, error in (("mortar", 0.01), ("dual-mortar", 0.04), ("collocation", 0.01)):
        for friction in (0, 0.1, 0.3):
            h = History(test.run(test.shipped(name + ".ini"), "--set", f"contact.drum.friction={friction}", "--set", f"contact.drum.method={method}"))
            test.close(f"{name} tension that is left, {method}, friction {friction}", -h["held.z"][-1], math.exp(-friction * math.pi / 2), rtol=error)
            test.true(f"{name} no overlap, {method}, friction {friction}", min(h["min_gap"]) >= -1e-3 * 0.005, min(h["min_gap"]))


def verdict_flexible_pendulum():
    name = "flexible-pendulum"
    folder = test.run(test.shipped(name + ".ini"))
    h, figures = History(folder), summary(folder)["figures"]
    test.close(f"{name} first contact", figures["first_contact"], 0.434, atol=1e-9)
    test.close(f"{name} impulse", figures["total_impulse"], 0.6190156964172095, atol=1e-3)
    test.close(f"{name} tip at the end", [h["tip.x"][-1], h["tip.z"][-1]], [0.43323562222194295, -0.8890196141048261], atol=5e-3)
    test.true(f"{name} no overlap", min(h["min_gap"]) >= -1e-11)
    test.ledger(f"{name} ledger", h, 1e-12)
    folder = test.run(test.shipped(name + ".ini"), "--set", "contact.wall.restitution=0.8")
    bouncing = History(folder)
    test.true(f"{name} no overlap with restitution", min(bouncing["min_gap"]) >= -1e-11)
    test.true(f"{name} gains no energy", max(bouncing["total"]) <= bouncing["total"][0] + 0.02, max(bouncing["total"]))


def verdict_twisting_beams():
    name = "twisting-beams"
    for method, torque, strain in (("mortar", 72.5301, 169.570), ("collocation", 72.5343, 169.563)):
        folder = test.run(test.shipped(name + ".ini"), "--set", f"contact.touch.method={method}")
        h = History(folder)
        found = sum(h[f"{n}-moment.z"][-1] + h[f"{n}.x"][-1] * h[f"{n}-force.y"][-1] - h[f"{n}.y"][-1] * h[f"{n}-force.x"][-1] for n in ("one", "two"))
        test.close(f"{name} torque, {method}", found, torque, rtol=1e-3)
        test.close(f"{name} strain energy, {method}", h["elastic"][-1], strain, rtol=1e-3)
        test.true(f"{name} little kinetic energy, {method}", h["kinetic"][-1] < 1e-3)
        test.true(f"{name} no overlap, {method}", min(h["min_gap"]) >= (-0.02 if method == "mortar" else -1e-9), min(h["min_gap"]))
        test.close(f"{name} work of the ends, {method}", h["external_work"][-1], h["elastic"][-1] + h["dissipated"][-1], rtol=1e-4)


def falling_beam(name, impacts, energy, error, *options):
    folder = test.run(test.shipped(f"falling-beam-{name}.ini"), *(x for change in options for x in ("--set", change)))
    s = summary(folder)
    title = " ".join((f"falling-beam-{name}", *options))
    test.true(f"{title} impacts", impacts[0] <= s["impacts"] <= impacts[1], s["impacts"])
    test.close(f"{title} energy", s["energy_initial"], energy, rtol=1e-9)
    test.below(f"{title} energy error", s["energy_error_max"], error)
    for component in ("px", "py", "lz"):
        test.below(f"{title} {component}", s["figures"][component + "_drift"], 1e-11)
    test.true(f"{title} stays above the plane", s["min_gap"] >= 0)
    return s


def verdict_falling_beam_fast():
    s = falling_beam("fast", (13, 13), 150.08394537624, 2.6e-4)
    test.close("falling-beam-fast first contact", s["figures"]["first_instant"], 5.05e-3, atol=0.05e-3)
    falling_beam("fast", (5, 5), 156.488265887961, 3.4e-4, "body.beam.elements=5")
    falling_beam("fast", (18, 18), 148.474974037668, 5.9e-5, "body.beam.elements=20", "time.step=1e-5")


def verdict_falling_beam_medium():
    falling_beam("medium", (11, 11), 40.9125628283862, 1.5e-4)
    falling_beam("medium", (52, 96), 40.9125628283862, 1e-3, "time.end=2.5", "output.history-every=50")


def verdict_falling_beam_slow():
    falling_beam("slow", (12, 12), 10.3427702492513, 1.1e-4)
    falling_beam("slow", (160, 266), 10.3427702492513, 3e-3, "time.end=5", "output.history-every=50")
