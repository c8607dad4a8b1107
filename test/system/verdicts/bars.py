# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""Elastic bars: what the headers of their scenarios promise."""
import math
import re

from dune_impact import History, read, summary
from verdicts.shared import test

C, L = math.sqrt(2.1e11 / 7847), 0.254  # speed of waves, length

# --set options of the six impacts of bars, by the names in the headers
BAR_CASES = {
    "equal": (),
    "heavy": ("body.right.density=5",),
    "stiff": ("body.right.young=5",),
    "short": ("body.right.length=5", "body.right.elements=25"),
    "coarse": ("body.right.elements=25",),
    "fast": ("body.left.velocity=1", "body.right.velocity=0"),
}

# The columns of its probes for each scenario
PROBES = {
    "massless-bars": "left-end.x left-speed.x force.x",
    "two-bars": "left-end.x left-speed.x force.x",
    "unequal-bars": "left-end.x left-speed.x force.x",
    "bouncing-bars": "left-end.x right-end.x left-speed.x right-speed.x",
    "prolonged-bars": "left-end.x right-end.x left-speed.x right-speed.x",
}


def verdict_massless_bars():
    change, peak = {}, {}
    for landing in ("none", "both"):
        folder = test.run(test.shipped("massless-bars.ini"), "--set", f"time.landing={landing}")
        h, s = History(folder), summary(folder)
        change[landing] = abs(h["total"][-1] - h["total"][1]) / h["total"][1]
        peak[landing] = s["figures"]["peak_force"]
        test.ledger(f"massless-bars ledger, landing = {landing}", h, 1e-12)
    test.close("massless-bars energy, landing = none", change["none"], 1.6e-3, atol=0.05e-3)
    test.close("massless-bars energy, landing = both", change["both"], 2.5e-5, atol=0.05e-5)
    test.close("massless-bars peak force", peak["both"], 1.72e5, atol=0.005e5)
    massive = test.run(test.shipped("massless-bars.ini"), "--set", "body.left.tip=massive", "--set",
                       "body.right.tip=massive", "--set", "time.landing=none")
    h = History(massive)
    test.close("massless-bars energy, massive ends", abs(h["total"][-1] - h["total"][1]) / h["total"][1], 1e-2, atol=0.05e-2)
    # the force is continuous: its jumps vanish with the step, those of massive ends grow
    jump = {}
    for tip in ("massless-shifted", "massive"):
        force = test.history(test.shipped("massless-bars.ini"), "--set", "time.courant=0.01", "--set", "time.landing=none",
                             *(x for body in ("left", "right") for x in ("--set", f"body.{body}.tip={tip}")))["force.x"]
        jump[tip] = max(abs(b - a) for a, b in zip(force, force[1:]))
    test.below("massless-bars force is continuous", jump["massless-shifted"], 0.02 * 1.31e5)
    test.true("massless-bars force of massive ends is not", jump["massive"] > 10 * 1.31e5, jump["massive"])
    test.close("massless-bars peak force, massive ends", summary(massive)["figures"]["peak_force"], 1.42e5, atol=0.03e5)


def verdict_two_bars():
    folder = test.run(test.shipped("two-bars.ini"))
    h, s = History(folder), summary(folder)
    tau = h["time"][1]
    test.close("two-bars impulse", s["figures"]["total_impulse"], 12.7511, atol=5e-5)
    test.close("two-bars begin", s["figures"]["first_contact"], 4e-5, atol=tau)
    test.close("two-bars end", s["figures"]["last_contact"], 1.38199e-4, atol=2 * tau)
    test.close("two-bars energy lost per bar", h["dissipated"][-1] / 2, 0.16070, atol=5e-6)
    first = h.first("impulse_x", lambda r: r != 0)
    test.close("two-bars energy lost in the first step of contact", h["dissipated"][first + 1], h["dissipated"][-1], rtol=1e-11)
    test.equal("two-bars nothing lost before", h["dissipated"][first], 0.0)
    test.ledger("two-bars ledger", h, 1e-13)
    middle = [-f for f, t in zip(h["force.x"], h["time"]) if 5e-5 < t < 1.28e-4]
    test.close("two-bars mean force", sum(middle) / len(middle), 1.309155e5, rtol=0.03)


def verdict_unequal_bars():
    folder = test.run(test.shipped("unequal-bars.ini"), "--set", "probe.short.body=left", "--set",
                      "probe.short.quantity=velocity", "--set", "probe.long.body=right", "--set",
                      "probe.long.quantity=velocity", "--set", "probe.far.body=right", "--set", "probe.far.at=right",
                      "--set", "probe.far.quantity=velocity")
    h, s = History(folder), summary(folder)
    test.close("unequal-bars 2L/c", 2 * L / C, 9.82e-5, rtol=1e-3)
    test.close("unequal-bars duration", s["figures"]["last_contact"] - s["figures"]["first_contact"], 9.82e-5, rtol=0.03)
    test.close("unequal-bars short bar after the impact", h["short.x"][-1], -5, rtol=0.02)
    test.close("unequal-bars long bar after the impact", h["long.x"][-1], 0, atol=0.1)
    test.true("unequal-bars the long bar rings", max(abs(v) for v in h["far.x"][-100:]) > 2)
    test.ledger("unequal-bars ledger", h, 1e-13)


def bar_case(scenario, case, *more):
    """Summary of a case after checks that hold for all of them"""
    options = [x for change in BAR_CASES[case] + more for x in ("--set", change)]
    folder = test.run(test.shipped(scenario + ".ini"), *options)
    h, s = History(folder), summary(folder)
    test.below(f"{scenario} {case} momentum", s["linear_momentum_drift"], 1e-13)
    test.close(f"{scenario} {case} first contact", s["figures"]["first_instant"], 1 if case == "fast" else 5, atol=1e-12)
    test.true(f"{scenario} {case} parts at the end", h["right-end.x"][-1] - h["left-end.x"][-1] > 0)
    header = read(test.shipped(scenario + ".ini")).decode()
    for change in BAR_CASES[case]:
        test.true(f"{scenario} {case} is in the header", re.search(rf"# +{case} .*{re.escape(change)}", header) is not None)
    return s


def duration(s):
    return s["figures"]["last_instant"] - s["figures"]["first_instant"]


def verdict_bouncing_bars():
    # events, duration, energy error with the local and with the global target
    expected = {"equal": (75, 20.02, 4.7e-4, 1.2e-4), "heavy": (66, 19.97, 1.1e-4, 5.8e-5), "stiff": (112, 19.47, 1.1e-3, 3.2e-4),
                "short": (38, 10.02, 4.3e-4, 1.6e-4), "coarse": (60, 20.11, 5.1e-4, 1.2e-4), "fast": (74, 20.02, 4.2e-4, 9.9e-5)}
    for case, (events, lasts, local, whole) in expected.items():
        s = bar_case("bouncing-bars", case)
        stiff = case == "stiff"  # chaotic
        test.close(f"bouncing-bars {case} events", s["figures"]["events"], events, atol=40 if stiff else 2)
        test.close(f"bouncing-bars {case} duration", duration(s), lasts, atol=0.6 if stiff else 0.006)
        test.close(f"bouncing-bars {case} energy", math.log(s["energy_error_max"] / local), 0, atol=math.log(3 if stiff else 2))
        test.true(f"bouncing-bars {case} never overlaps", s["min_gap"] > 0)
        s = bar_case("bouncing-bars", case, "time.energy-target=global")
        test.close(f"bouncing-bars {case} energy, global target", math.log(s["energy_error_max"] / whole), 0, atol=math.log(3 if stiff else 1.1))


def verdict_prolonged_bars():
    expected = {"equal": (4, 20.17, 1.4e-4), "heavy": (4, 20.40, 3.9e-5), "stiff": (32, 19.64, 4.5e-4), "short": (4, 10.38, 1.5e-4),
                "coarse": (4, 20.31, 1.1e-4), "fast": (4, 20.17, 1.2e-4)}
    for case, (events, lasts, energy) in expected.items():
        s = bar_case("prolonged-bars", case)
        test.equal(f"prolonged-bars {case} events", s["figures"]["events"], events)
        test.close(f"prolonged-bars {case} duration", duration(s), lasts, atol=0.006)
        test.close(f"prolonged-bars {case} energy", math.log(s["energy_error_max"] / energy), 0, atol=math.log(2))
        test.true(f"prolonged-bars {case} stays in contact", s["figures"]["active_steps"] > 0.95 * duration(s) / 0.015 - 10
                  or case == "stiff")
    test.equal("prolonged-bars stiff closes again", bar_case("prolonged-bars", "stiff")["figures"]["reclosings"], 1)
