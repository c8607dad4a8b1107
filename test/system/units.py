# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""The units of a scenario do not matter.

In units that differ by powers of two every number of the run has the same bits but for its
exponent. In all others the steps, contacts and iterations are the same, and the numbers as far as the
motion is not chaotic.

With names of scenarios after the other arguments only these are looked at.
"""
import math
import os
import re
import subprocess
import sys

from dune_impact import COLUMNS, WORKS, History, Test, ini, read, summary

test = Test()
RESCALE = os.path.abspath(sys.argv[3])

# Powers of mass, length, time
ENERGY, MOMENTUM, ANGULAR, LENGTH, TIME, NUMBER = (1, 2, -2), (1, 1, -1), (1, 2, -1), (0, 1, 0), (0, 0, 1), (0, 0, 0)
UNITS = dict(zip(COLUMNS, [NUMBER, TIME] + 5 * [ENERGY] + 3 * [MOMENTUM] + 3 * [ANGULAR] + [LENGTH, NUMBER]
                 + 3 * [MOMENTUM] + 2 * [ENERGY] + [NUMBER]))
CONTACT = {"force_x": (1, 1, -2), "force_y": (1, 1, -2), "force_z": (1, 1, -2), "gap": LENGTH, "sticking": NUMBER, "sliding": NUMBER,
           "friction_work": ENERGY}
UNITS.update(dict.fromkeys(WORKS, ENERGY))
QUANTITIES = {"position": LENGTH, "displacement": LENGTH, "velocity": (0, 1, -1), "force": (1, 1, -2),
              "rotation": NUMBER, "reaction": (1, 1, -2), "reaction-moment": ENERGY}
FIGURES = {"first_contact": TIME, "last_contact": TIME, "total_impulse": MOMENTUM, "peak_force": (1, 1, -2),
           "max_penetration": LENGTH, "active_steps": NUMBER, "px_drift": MOMENTUM, "lz_drift": ANGULAR,
           "contact_work": ENERGY, "friction_work": ENERGY, "bulk_work": ENERGY, "landings": NUMBER, "no_root": NUMBER}
SUMMARY = {"steps": NUMBER, "time": TIME, "energy_initial": ENERGY, "energy_final": ENERGY, "energy_error_max": NUMBER,
           "energy_lost": NUMBER, "energy_gain_max": NUMBER, "linear_momentum_drift": MOMENTUM, "angular_momentum_drift": ANGULAR,
           "min_gap": LENGTH, "impacts": NUMBER}


def factor(unit, by):
    return math.prod(base**power for base, power in zip(by, unit))


def probe_quantity(folder, probe):
    """What a probe shows, from the scenario with all defaults"""
    text = read(folder, "scenario.ini").decode().split(f"[probe.{probe}]")[1].split("[")[0]
    return next(line.split("=")[1].strip() for line in text.splitlines() if line.startswith("quantity"))


def column_unit(folder, name):
    if name in UNITS:
        return UNITS[name]
    quantity = name.rsplit(".", 1)[1]
    if quantity in ("area", "pressure"):  # of a surface, or of an edge per thickness in the plane
        space = int(re.search(r"(?m)^dimension = (\d)", read(folder, "scenario.ini").decode())[1]) - 1
        return (0, space, 0) if quantity == "area" else (1, 1 - space, -2)
    if quantity in CONTACT:
        return CONTACT[quantity]
    return QUANTITIES[probe_quantity(folder, name.rsplit(".", 1)[0])]


def rescaled(file, by):
    done = subprocess.run([RESCALE, file, *map(repr, by)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    for mesh in (f for f in os.listdir(test.scenarios) if f.endswith(".msh")):  # their unit is in the scenario
        test.write(mesh, read(test.shipped(mesh)))
    return test.write("rescaled.ini", done.stdout)


def same(a, b):
    return a == b or (math.isnan(a) and math.isnan(b))


def check_powers_of_two(name, file, arguments):
    folder = test.run(file, *arguments)
    h = History(folder)
    s = summary(folder)
    for exponents, pictures in (((7, -3, 5), 0), ((-20, 11, -9), 0), ((0, 13, 13), 50), ((31, 0, 0), 0)):
        by = [math.ldexp(1, e) for e in exponents]
        scaled = test.run(rescaled(scenario_with(file, arguments), by), *(["--set", f"output.vtk-every={pictures}"] if pictures else []))
        k, title = History(scaled), f"{name} times 2^{exponents}"
        test.equal(f"{title}: rows", k.rows, h.rows)
        for column in h.names:
            f = factor(column_unit(folder, column), by)
            different = next((n for n, (a, b) in enumerate(zip(h[column], k[column])) if not same(a * f, b)), None)
            test.true(f"{title}: {column}", different is None, f"row {different}")
        t = summary(scaled)
        for key, unit in {**SUMMARY, **{f"figures.{f}": u for f, u in FIGURES.items()}}.items():
            a, b = (x["figures"][key[8:]] if key.startswith("figures.") else x[key] for x in (s, t))
            test.equal(f"{title}: summary {key}", b, None if a is None else a * factor(unit, by))
        events = [{**e, "begin": e["begin"] * by[2], "end": e["end"] * by[2]} for e in s["contact_events"]]
        test.equal(f"{title}: contact_events", t["contact_events"], events)


def scenario_with(file, arguments):
    """The scenario with the changes of --set, as a file"""
    if not arguments:
        return file
    lines, section, changes = [], "", dict(a.split("=", 1) for a in arguments[1::2])
    for line in read(file).decode().splitlines():
        line = line.split("#")[0]
        if line.strip().startswith("["):
            section = line.strip()[1:-1] + "."
        key = section + line.split("=")[0].strip()
        lines.append(f"{line.split('=')[0]} = {changes[key]}" if "=" in line and key in changes else line)
    return test.write("changed.ini", "\n".join(lines) + "\n")


def check_iterations(title, method, expected, found):
    """Of rigid bodies at rest, or in a shell, round-off decides which points have a gap below zero, and with them
    whether the impulses of the last step solve this one at once: the largest numbers are compared"""
    if method == "energy-momentum":
        return test.below(f"{title}: largest number of iterations", abs(max(found) - max(expected)), 1 + 0.5 * max(expected))
    different = [n for n, (a, b) in enumerate(zip(expected, found)) if a != b]
    test.true(f"{title}: iterations", not different, f"rows {different[:5]}")


def check_any_factor(name, file, arguments):
    folder = test.run(file, *arguments)
    h = History(folder)
    # m s kg to mm ms g, to inch minute pound, and to something else
    for by in ((1e3, 1e3, 1e3), (2.2046226218487757, 39.37007874015748, 1 / 60), (0.3, 1 / 7, 1e5)):
        scaled = test.run(rescaled(scenario_with(file, arguments), by))
        k, title = History(scaled), f"{name} times {by}"
        test.equal(f"{title}: steps", k.rows, h.rows)
        for column in ("step", "contacts"):
            test.equal(f"{title}: {column}", k[column], h[column])
        check_iterations(title, summary(folder)["method"], h["iterations"], k["iterations"])
        parts = {}  # the components of a vector, and the energies, have one scale
        for column in h.names:
            if column_unit(folder, column) == ENERGY:
                parts.setdefault("energy", []).append(column)
            elif column.endswith((".sticking", ".sliding")):  # round-off decides at the bound of friction
                continue
            elif column.endswith(".gap"):  # of sides that stay together it is round-off of positions
                parts.setdefault("gap", []).append(column)
            elif column.endswith((".area", ".pressure")):
                parts.setdefault(column, []).append(column)
            elif column not in UNITS:
                parts.setdefault(column.rsplit(".", 1)[0], []).append(column)
            elif column[:-1] in ("p", "l", "impulse_"):
                parts.setdefault(column[:-1], []).append(column)
            else:
                parts.setdefault(column, []).append(column)
        del parts["iterations"]
        length = max((abs(x) for c in h.names if c not in UNITS and not c.endswith((".gap", ".area")) and column_unit(folder, c) == LENGTH for x in h[c]), default=0)
        for columns in parts.values():
            scale = max((abs(x) for c in columns for x in h[c] if math.isfinite(x)), default=0)
            if columns[0].startswith("impulse_"):  # impulses in several directions may cancel
                scale = max(scale, summary(folder)["figures"]["total_impulse"])
            if columns[0] == "px":  # a total that vanishes is made of parts that do not
                scale = max(scale, math.sqrt(2 * max(h["kinetic"])))
            if columns[0] == "lx":
                scale = max(scale, math.sqrt(2 * max(h["kinetic"])) * length)
            if ".force_" in columns[0]:
                scale = max(scale, summary(folder)["figures"]["peak_force"])
            if columns[0].endswith(("min_gap", ".gap")):  # closed gaps are round-off of positions
                scale = max(scale, 1e-5 * length)
            for column in columns:
                f = factor(column_unit(folder, column), by)
                error = max((abs(b / f - a) for a, b in zip(h[column], k[column]) if not same(a, b)), default=0)
                test.below(f"{title}: {column}", error, 1e-9 * scale)


# Not in any file: everything that has a unit in one scenario
MANY = {
    "": {"dimension": 2, "gravity": (0.5, -9.81)},
    "time": {"method": "cd-lagrange", "step": 1e-3, "end": 1.5},
    "body.a": {"type": "particle", "mass": 1, "radius": 0.1, "position": (0, 0.5), "velocity": (1, 0)},
    "body.b": {"type": "particle", "mass": 2, "radius": 0.2, "position": (0.5, 0.8), "velocity": (-1, 0)},
    "body.c": {"type": "bar", "length": 0.5, "elements": 5, "area": 1e-3, "young": 1e6, "density": 1000, "position": (-1, 0),
               "axis": (1, 1), "spin": 2},
    "body.bowl": {"type": "cavity", "radius": 2},
    "body.floor": {"type": "plane", "normal": (0, 1), "point": (0, -1.5)},
    "motion.floor": {"body": "floor", "displacement": "0 0.1*sin(3*t)"},
    "load.c": {"body": "c", "at": "left", "force": "cos(2*t) t"},
    "contact.ab": {"first": "a", "second": "b", "restitution": 0.9, "friction": 0.3},
    "contact.a-bowl": {"first": "a", "second": "bowl", "restitution": 0.8, "friction": 0.2},
    "contact.b-bowl": {"first": "b", "second": "bowl", "restitution": 0.95},
    "contact.c-bowl": {"first": "c", "second": "bowl", "restitution": 0.5},
    "contact.a-floor": {"first": "a", "second": "floor", "restitution": 0.5, "friction": 0.4},
    "contact.b-floor": {"first": "b", "second": "floor", "friction": 0.4},
    "spring.ac": {"body": "a", "other": "c", "other-at": 2, "stiffness": 5, "length": 1},
    "probe.a": {"body": "a"}, "probe.va": {"body": "a", "quantity": "velocity"},
    "probe.fb": {"body": "b", "quantity": "force"}, "probe.c": {"body": "c", "at": (-1.0, 0.0), "quantity": "displacement"},
}

def check_many():
    many = test.write("many.ini", ini(MANY))
    check_powers_of_two("many", many, ())
    check_any_factor("many", many, ("--set", "time.end=0.8"))  # the bar has joints, and soon chaos


# Ends of runs that would take long: some steps in contact
SHORT = {"falling-beam-fast": 0.1, "ball-on-block": 24, "sliding-ball": 5, "strong-impact": 4, "two-discs": 8, "three-discs": 12, "ring-between-blocks": 6,
         "ball-on-block-3d": 24, "bracket-on-block": 4, "ball-on-block-explicit": 21, "rccm-cube": 1e-3, "sliding-block": 0.05, "unmoulding": 5e-3,
         "tippe-top": 0.05, "rigid-ball-on-free-block": 0.02, "rigid-box-on-block": 0.05, "box-stack": 0.02, "rod-in-box": 0.28, "double-helix": 6, "seven-wire-strand": 2}


def check_scenario(name):
    file = test.shipped(name + ".ini")
    long = ("--set", f"time.end={SHORT[name]}") if name in SHORT else ()
    if name == "poured-balls":
        long = ("--set", "body.balls.copies=3 2 2", "--set", "time.end=0.06")
    check_powers_of_two(name, file, long)
    # impacts in a circle multiply differences; ten seconds of them are few
    shortened = ("--set", "time.end=10") if name.startswith(("rotating-spring-wall", "bouncing-bars")) else long
    if name.startswith("falling-beam"):  # so do those of a beam
        shortened = ("--set", "time.end=0.02")
    if name == "rod-in-box":  # and those of a light rod
        shortened = ("--set", "time.end=0.1")
    friction = {"double-helix": "strands", "twisting-beams": "touch", "wire-on-drum": "drum"}
    if name in friction:  # the result with friction is the same, but the way to the points that stick depends on rounding
        shortened = (*long, "--set", f"contact.{friction[name]}.friction=0")
    check_any_factor(name, file, shortened)


for name in sys.argv[4:] or ["many", *test.scenario_names()]:
    test.attempt(name, *((check_many,) if name == "many" else (check_scenario, name)))
sys.exit(test.finish())
