# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""Every shipped scenario runs, writes what it should and shows the numbers that its header promises."""
import math
import os
import re
import sys
import xml.etree.ElementTree

from dune_impact import COLUMNS, FIGURES, SUMMARY_KEYS, WORKS, History, read, summary, tree
from verdicts import PROBES, verdict
from verdicts.rows import check_ball_rows, check_energy_measure, check_gap_rows, check_moreau_rows, check_spring_rows
from verdicts.shared import test

# Scenarios with impulses in several directions at the same time
SEVERAL_DIRECTIONS = ("newtons-cradle", "disc-in-cavity", "ball-on-block", "sliding-ball", "strong-impact", "two-discs", "three-discs",
                      "ring-between-blocks", "hertz-two-bodies", "patch-test", "hertz-ball-on-block", "hertz-two-balls", "ball-on-block-3d",
                      "two-balls", "bracket-on-block", "ball-on-block-explicit", "cantilever-on-cantilever", "double-helix", "seven-wire-strand",
                      "rigid-box-on-block", "wire-on-drum", "two-spinning-balls")

# Scenarios with friction, whose impulses have a tangential part that total_impulse leaves out: the largest coefficient
FRICTION = {"rccm-cube": 0.3, "two-cubes": 0.3, "sliding-block": 0.3, "thrown-ball-and-cube": 0.4, "unmoulding": 0.2, "box-stack": 0.5,
            "poured-balls": 0.3, "tippe-top": 0.3, "rigid-ball-on-free-block": 0.3,
            "block-on-incline": 0.3, "quadratic-disc-on-plane": 0.2, "twisting-beams": 0.2, "dragged-cylinder": 0.3, "cattaneo-mindlin": 0.3, "rolling-disc": 0.3,
            "oblique-impact": 0.3, "resting-block": 1, "braking-block": 0.3, "braking-block-on-base": 0.3,
            "two-spinning-balls": 0.301}  # its rows lean by a thousandth in the step that closes the gap

# Scenarios that run long: what is changed where files are compared
SHORTER = {"poured-balls": ("--set", "body.balls.copies=3 3 3", "--set", "time.end=0.03"), "rigid-box-on-block": ("--set", "time.end=0.08")}


def sections(folder, kind):
    """The sections of a kind in the file with all defaults: their names with their keys"""
    result, section = {}, {}
    for line in read(folder, "scenario.ini").decode().splitlines():
        if line.startswith("["):
            section = {}
            if line.startswith(f"[{kind}."):
                result[line[len(kind) + 2:line.rindex("]")]] = section
        elif "=" in line:
            key, value = line.split("=", 1)
            section[key.strip()] = value.strip()
    return result


def contacts(folder):
    return sections(folder, "contact")


def contact_columns(name, folder):
    columns, surfaces = [], [body for body, keys in sections(folder, "body").items() if keys["type"] == "solid"]
    for contact, keys in contacts(folder).items():
        columns += [f"{contact}.{c}" for c in ("force_x", "force_y", "force_z", "gap")]
        if keys["first"].split(".")[0] in surfaces:
            columns += [f"{contact}.area", f"{contact}.pressure"]
        if float(keys.get("friction", 0)) > 0:
            columns += [f"{contact}.{c}" for c in ("sticking", "sliding", "friction_work")]
    return columns


def check_contacts(name, folder, h):
    """What the columns of all contacts make together"""
    names = list(contacts(folder))
    scale = max(k + e for k, e in zip(h["kinetic"], h["elastic"]))
    if names:
        smallest = [min((h[f"{c}.gap"][n] for c in names if not math.isnan(h[f"{c}.gap"][n])), default=math.nan) for n in range(h.rows)]
        test.equal(f"{name} min_gap is that of a contact", [repr(g) for g in h["min_gap"]], [repr(g) for g in smallest])
    steps = [b - a for a, b in zip(h["time"], h["time"][1:])]
    if names and max(steps) <= min(steps) * (1 + 1e-6):
        size = max(max(map(abs, h[f"{c}.force_{axis}"])) for c in names for axis in "xyz") * h["time"][1]
        for axis in "xyz":
            force = [sum(h[f"{c}.force_{axis}"][n] for c in names) * h["time"][1] for n in range(1, h.rows)]
            test.close(f"{name} forces {axis} make the impulse", force, h[f"impulse_{axis}"][1:], rtol=1e-9, atol=1e-9 * size)
    works = [a + b + c for a, b, c in zip(*(h[w] for w in WORKS))]
    test.close(f"{name} works are what is dissipated", works, [-d for d in h["dissipated"]], atol=1e-12 * max(scale, max(map(abs, h["dissipated"]))))
    rough = [c for c in names if f"{c}.friction_work" in h]
    sums = [sum(h[f"{c}.friction_work"][n] for c in rough) for n in range(h.rows)]
    test.close(f"{name} works of friction", sums, h["friction_work"], atol=1e-12 * max(scale, max(map(abs, sums), default=0)))
    for c in rough:
        points = [a + b for a, b in zip(h[f"{c}.sticking"], h[f"{c}.sliding"])]
        test.true(f"{name} {c} points that stick or slide", all(0 <= p <= n for p, n in zip(points, h["contacts"])))


def check_history(name, folder):
    h = History(folder)
    test.equal(f"{name} columns", h.names, COLUMNS + PROBES[name] + contact_columns(name, folder) + WORKS)
    check_contacts(name, folder, h)
    test.equal(f"{name} step numbers", h["step"], [float(n) for n in range(h.rows)])
    test.true(f"{name} times increase from zero", h["time"][0] == 0 and all(a < b for a, b in zip(h["time"], h["time"][1:])))
    test.true(f"{name} all numbers are finite", all(math.isfinite(x) for column in COLUMNS for x in h[column]
                                                    if column != "min_gap"))
    test.true(f"{name} ends with a line", read(folder, "history.csv").endswith(b"\n"))
    for n in range(h.rows):
        if abs(h["total"][n] - sum(h[c][n] for c in ("kinetic", "elastic", "potential", "contact_energy"))) > 1e-12 * max(map(abs, h["kinetic"] + h["total"])):
            test.fail(f"{name} total of row {n}", h["total"][n], "sum of its parts")
    # numbers are written so that reading them gives the same bits
    for word in read(folder, "history.csv").split(b"\n")[1].split(b","):
        test.true(f"{name} digits", re.fullmatch(rb"-?(\d+(\.\d+)?(e[+-]\d+)?|nan|inf)", word) is not None, word)
    return h


def check_summary(name, folder, h):
    s = summary(folder)
    test.equal(f"{name} keys of the summary", list(s), SUMMARY_KEYS)
    for figure in FIGURES:
        test.true(f"{name} figure {figure}", figure in s["figures"])
    test.equal(f"{name} steps", s["steps"], int(h["step"][-1]))
    test.equal(f"{name} time", s["time"], h["time"][-1])
    test.equal(f"{name} energy_final", s["energy_final"], h["total"][-1])
    test.equal(f"{name} stop reason", s["stop_reason"], "end of the simulation")
    scale = max(a + b for a, b in zip(h["kinetic"], h["elastic"]))
    first = 1 if s["method"] == "cd-lagrange" else 0  # momenta between instants: the first interval is the reference
    balance = [a + b - c for a, b, c in zip(h["total"], h["dissipated"], h["external_work"])][first:]
    exchanged = [a - b for a, b in zip(h["total"], h["external_work"])][first:]
    test.close(f"{name} energy_initial", s["energy_initial"], balance[0], rtol=1e-14)
    test.close(f"{name} energy_error_max", s["energy_error_max"], max(abs(b - balance[0]) for b in balance) / scale, rtol=1e-9, atol=1e-15)
    test.close(f"{name} energy_lost", s["energy_lost"], h["dissipated"][-1] / scale, rtol=1e-14)
    gain = max(max(b - a for a, b in zip(exchanged, exchanged[1:])), 0) / scale
    test.close(f"{name} energy_gain_max", s["energy_gain_max"], gain, rtol=1e-9, atol=1e-15)
    impulse = sum(math.sqrt(x * x + y * y + z * z) for x, y, z in zip(h["impulse_x"], h["impulse_y"], h["impulse_z"]))
    if name in FRICTION:
        test.true(f"{name} total_impulse", s["figures"]["total_impulse"] >= impulse / math.hypot(1, FRICTION[name]) * (1 - 1e-12))
    elif name in SEVERAL_DIRECTIONS:  # the column is their sum
        test.true(f"{name} total_impulse", s["figures"]["total_impulse"] >= impulse * (1 - 1e-12))
    else:
        test.close(f"{name} total_impulse", s["figures"]["total_impulse"], impulse, rtol=1e-12, atol=1e-14)
    gaps = [g for g in h["min_gap"] if math.isfinite(g)]
    test.equal(f"{name} min_gap", s["min_gap"], min(gaps) if gaps else None)
    impulses = zip(h["impulse_x"], h["impulse_y"], h["impulse_z"])
    touching = [t for t, n, i in zip(h["time"], h["contacts"], impulses) if n > 0 and any(i)]
    for key, value in (("first_contact", min), ("last_contact", max)):
        test.equal(f"{name} {key}", s["figures"][key], value(touching) if touching else None)
    for event in s["contact_events"]:
        test.equal(f"{name} keys of an event", list(event), ["pair", "begin", "end"])
        test.true(f"{name} event", event["begin"] <= event["end"])
    test.equal(f"{name} impacts", s["impacts"], len(s["contact_events"]))
    return s


def check_pictures(name, folder, every, h):
    pvd = xml.etree.ElementTree.fromstring(read(folder, "scenario.pvd"))
    sets = pvd.findall("./Collection/DataSet")
    files = [entry.get("file") for entry in sets]
    times = sorted({float(entry.get("timestep")) for entry in sets})
    test.equal(f"{name} times of pictures", times, [t for n, t in enumerate(h["time"]) if n % every == 0])
    test.equal(f"{name} pictures", sorted(files), sorted(f for f in tree(folder) if f.startswith("vtk")))
    steps = {h["time"].index(float(entry.get("timestep"))): entry.get("file") for entry in sets}
    test.true(f"{name} pictures have the numbers of their steps", all(f"-{step:06}.vtu" in file for step, file in steps.items()), steps)
    for file in files:
        content = read(folder, file)
        fields = (b"pressure", b"multiplier", b"gap", b"normal", b"status") if "-contact-" in file else (b"velocity", b"displacement")
        test.true(f"{name} {file}", content.startswith(b"<?xml") and content.rstrip().endswith(b"</VTKFile>")
                  and all(b'"' + field + b'"' in content for field in fields), content[:400])


def check_files(file):
    name = file[:-4]
    short = SHORTER.get(name, ())
    folder = test.run(test.shipped(file), *short)
    h = check_history(name, folder)
    check_summary(name, folder, h)
    test.equal(f"{name} files", sorted(tree(folder)), ["film.h5", "history.csv", "report.html", "scenario.ini", "summary.json"])

    text = read(folder, "scenario.ini").decode()
    for key in ("gravity", "gap-tolerance", "history-every", "vtk-every", "checkpoint-every", "directory"):
        test.true(f"{name} scenario.ini has {key}", f"\n{key} = " in text)

    # once more from scenario.ini, with pictures and checkpoints: the same run, and the same scenario.ini but for these
    every = max(1, (h.rows - 1) // 5)
    changes = {"vtk-every": every, "checkpoint-every": every}
    again = test.run(os.path.join(folder, "scenario.ini"), *(word for key, value in changes.items() for word in ("--set", f"output.{key}={value}")))
    test.true(f"{name} second run, of scenario.ini, with pictures", read(again, "history.csv") == read(folder, "history.csv"))
    for key, value in changes.items():
        text = re.sub(rf"(?m)^{key} = .*$", f"{key} = {value}", text)
    test.equal(f"{name} scenario.ini of scenario.ini", read(again, "scenario.ini").decode(), text)
    check_pictures(name, again, every, h)
    test.true(f"{name} checkpoints", any(re.fullmatch(r"checkpoint-\d+\.h5", f) for f in tree(again)))

    seventh = test.run(test.shipped(file), *short, "--set", "output.history-every=7")
    sparse = History(seventh)
    rows = [n for n in range(h.rows) if n % 7 == 0 or n == h.rows - 1]
    for column in h.names:
        test.true(f"{name} history-every, {column}", [repr(x) for x in sparse[column]] == [repr(h[column][n]) for n in rows])
    one, two = summary(folder), summary(seventh)
    for key in ("steps", "min_gap", "impacts", "contact_events", "solver"):
        test.equal(f"{name} history-every, {key} of all steps", two[key], one[key])


def check_scenario(name):
    check_files(name + ".ini")
    check = verdict(name)
    if check:
        check()
    else:
        test.fail(name, "has no verdict", "a function of this test")
    header = [line for line in read(test.shipped(name + ".ini")).decode().splitlines() if line.startswith("#")]
    for word in ("What to look at:", "Source:", "Runs "):
        test.true(f"{name} header says {word}", any(word in line for line in header))


def check_rows():
    test.equal("scenarios with a verdict", test.scenario_names(), sorted(PROBES))
    check_ball_rows()
    check_spring_rows()
    check_moreau_rows()
    check_energy_measure()
    check_gap_rows()


for name in sys.argv[4:] or ["rows", *test.scenario_names()]:
    test.attempt(name, *((check_rows,) if name == "rows" else (check_scenario, name)))
sys.exit(test.finish())
