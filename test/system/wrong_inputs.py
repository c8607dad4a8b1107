# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""Wrong input is refused in one sentence before anything is written; a run that breaks later keeps its results."""
import math
import os
import resource
import shutil
import subprocess
import sys

from dune_impact import COLUMNS, History, Test, read, summary, tree
from wrong_cases import BASE, CASES, CUBE, WIRE, case, changed, without

test = Test()

case("a program", read(test.program)[:100000], "")


def one_line(name, done, words):
    test.equal(f"{name}: status", done.returncode, 2)
    test.true(f"{name}: one line", done.stderr.count("\n") == 1 and done.stderr.endswith("\n") and len(done.stderr) < 600, done.stderr)
    test.equal(f"{name}: nothing on the standard output", done.stdout, "")
    place = 0
    for word in words:
        found = done.stderr.find(word, place)
        test.true(f"{name}: the message says {word}", found >= 0, done.stderr)
        place = max(place, found + len(word))
    test.true(f"{name}: the message can be printed", all(c.isprintable() for c in done.stderr[:-1]), done.stderr)


def check_case(name, scenario, words, arguments):
    file = test.write("wrong.ini", scenario)
    output = test.path("never")
    for command, more in (("run", ("--output", output)), ("check", ())):
        done = test.call(command, "wrong.ini", *more, *arguments)
        one_line(f"{name}, {command}", done, words)
        own = arguments and done.stderr.startswith("--set ")
        test.true(f"{name}, {command}: the message begins with the file", own or done.stderr.startswith("wrong.ini: "), done.stderr)
        test.true(f"{name}, {command}: nothing is written", not os.path.exists(output) and not os.path.exists(test.path("out")))
    os.remove(file)


def check_paths():
    """Files and folders that cannot be used"""
    good = test.write("good.ini", BASE)
    before = sorted(os.listdir(test.folder))
    one_line("missing file", test.call("run", "missing.ini", "--output", test.path("never")), ["missing.ini: "])
    one_line("folder instead of a file", test.call("run", ".", "--output", test.path("never")), [": "])
    one_line("empty name", test.call("run", "", "--output", test.path("never")), [""])
    occupied = test.write("occupied", "not a folder\n")
    one_line("output is a file", test.call("run", good, "--output", occupied), ["occupied"])
    one_line("output below a file", test.call("run", good, "--output", os.path.join(occupied, "x")), ["occupied/x"])
    one_line("output.directory is a file", test.call("run", good, "--set", f"output.directory={occupied}"), ["output.directory", "occupied"])
    test.equal("the file is as it was", read(occupied), b"not a folder\n")
    one_line("output on a file system without places", test.call("run", good, "--output", "/proc/no/such/folder"), ["/proc/no/such/folder"])
    one_line("no output folder", test.call("run", good, "--output", ""), ["--output", "folder"])
    one_line("resume without checkpoint", test.call("run", good, "--output", test.path("never"), "--resume"), ["good.ini: ", "no checkpoint"])
    test.equal("nothing is written", sorted(os.listdir(test.folder)), sorted(before + ["occupied"]))

    # what root may read and write everywhere is tested as somebody else
    locked = test.path("locked")
    os.mkdir(locked, 0o500)
    secret = test.write("secret.ini", BASE)
    os.chmod(secret, 0)
    os.chmod(test.folder, 0o755)

    def leave_root():
        if os.getuid() == 0:
            os.setgid(65534)
            os.setuid(65534)

    # the folder of the build may be closed to others
    program = test.program
    test.program = shutil.copy(program, test.path("program"))
    one_line("folder without permission", test.call("run", good, "--output", os.path.join(locked, "x"), preexec_fn=leave_root), ["locked/x"])
    one_line("folder that is read only", test.call("run", good, "--output", locked, preexec_fn=leave_root), ["locked"])
    one_line("file without permission", test.call("run", secret, "--output", test.path("never"), preexec_fn=leave_root), ["secret.ini"])
    test.program = program
    test.equal("locked folder is empty", os.listdir(locked), [])


def check_command_line():
    """Wrong calls: the first line says what is wrong"""
    for arguments in (("run",), ("run", "--nonsense"), ("fly",), ("run", "a.ini", "b.ini"), ("check",), ("run", "a.ini", "--set"), ("list", "more")):
        done = test.call(*arguments)
        test.equal(f"{arguments}: status", done.returncode, 2)
        test.true(f"{arguments}: a message", done.stderr != "" and done.stdout == "", done.stderr)


# -- runs that cannot be finished ----------------------------------------------------------------


def complete_rows(name, folder):
    """Every line of history.csv is a whole row, and they are the first ones of the run"""
    text = read(folder, "history.csv").decode()
    lines = text.split("\n")
    test.equal(f"{name}: history.csv ends with a line", lines[-1], "")
    test.equal(f"{name}: header", lines[0].split(",")[:len(COLUMNS)], COLUMNS)
    test.true(f"{name}: whole rows", all(line.count(",") == lines[0].count(",") for line in lines[1:-1]))
    h = History(folder)
    test.equal(f"{name}: row numbers", h["step"], [float(n) for n in range(h.rows)])
    test.true(f"{name}: finite", all(math.isfinite(x) for column in h.names for x in h[column] if column != "min_gap"))
    return h


def stopped(name, done, file, *words):
    test.equal(f"{name}: status", done.returncode, 1)
    test.true(f"{name}: one line", done.stderr.count("\n") == 1, done.stderr)
    for word in (f"{file}: stopped at time ", *words):
        test.true(f"{name}: the message says {word}", word in done.stderr, done.stderr)


LONG = changed(changed(BASE, "time", steps=100000), "body.ball", position=(0, 1))


def check_full_disk():
    test.write("long.ini", LONG)
    folder = test.run(test.path("long.ini"))
    whole, room = read(folder, "history.csv"), 2 * len(read(folder, "summary.json"))
    for limit in (100, 5000, 300000, 4000000):
        folder = test.new_folder()

        def limited():  # as `ulimit -f` does; the signal of the kernel has its default action
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        done = test.call("run", "long.ini", "--quiet", "--output", folder, preexec_fn=limited)
        name = f"files of {limit} bytes"
        test.equal(f"{name}: status", done.returncode, 1)
        test.true(f"{name}: one line that names the file", done.stderr.count("\n") == 1 and folder in done.stderr
                  and "too large" in done.stderr, done.stderr)
        if os.path.exists(os.path.join(folder, "history.csv")) and len(read(folder, "history.csv")) > 0:
            text = read(folder, "history.csv")
            test.true(f"{name}: the beginning of the run", whole.startswith(text))
            test.true(f"{name}: whole rows", text.endswith(b"\n"))
        if limit >= 5000:
            test.true(f"{name}: names the time", "stopped at time" in done.stderr, done.stderr)
            h = complete_rows(name, folder)
            test.true(f"{name}: most of the room is used", len(read(folder, "history.csv")) > limit - 70000)
            if limit > room:
                s = summary(folder)
                test.true(f"{name}: reason in the summary", "history.csv" in s["stop_reason"], s["stop_reason"])
                test.true(f"{name}: the summary counts all steps of the rows", s["steps"] >= h["step"][-1], s["steps"])
        test.equal(f"{name}: no other files", sorted(set(tree(folder)) - {"history.csv", "scenario.ini", "summary.json"}), [])
    test.true("files are large enough for the summary", limit > room, room)


def check_small_file_system():
    """A file system of its own that becomes full; possible for root only"""
    place = test.path("small")
    os.mkdir(place)
    mounted = os.getuid() == 0 and subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", place], stdout=subprocess.DEVNULL,
                                                  stderr=subprocess.DEVNULL).returncode == 0
    if not mounted:
        print("skipped: no file system can be mounted here")
        return
    try:
        for name, arguments in (("rows", ()), ("checkpoints", ("--set", "output.checkpoint-every=50")), ("pictures", ("--set", "output.vtk-every=20"))):
            folder = os.path.join(place, name)
            done = test.call("run", "long.ini", "--quiet", "--output", folder, *arguments)
            stopped(f"full disk, {name}", done, "long.ini", "No space left")
            h = complete_rows(f"full disk, {name}", folder)
            test.true(f"full disk, {name}: rows", h.rows > 50, h.rows)
            for path, content in tree(folder).items():
                if path.endswith(".vtu") or path.endswith(".pvd"):
                    test.true(f"full disk, {name}: {path} is whole", content.rstrip().endswith(b"</VTKFile>"))
                test.true(f"full disk, {name}: {path} is no remainder", path.endswith((".vtu", ".pvd", ".csv", ".ini", ".json", ".h5")))
            subprocess.run(["rm", "-r", folder], check=True)
    finally:
        subprocess.run(["umount", place], check=True)


def check_broken_runs():
    # a force that is infinite at t = 0.05
    pole = {**without(BASE, "contact.ball"), "load.l": {"body": "ball", "force": "0 1/(0.05-t)"}}
    pole["time"] = {"method": "cd-lagrange", "step": 1e-3, "steps": 200}
    blow_up = {**without(BASE, "contact.ball"), "load.l": {"body": "other", "force": "exp(1e5*t) 0"}}
    blow_up["time"] = {"method": "cd-lagrange", "step": 1e-3, "steps": 200}
    # a spring that ends up with no direction: both ends meet in a point
    point = {"": {"dimension": 2}, "time": {"method": "cd-lagrange", "step": 0.125, "steps": 100},
             "body.ball": {"type": "particle", "mass": 1, "position": (1, 0), "velocity": (-1, 0)},
             "body.other": {"type": "particle", "mass": 1, "position": (-1, 0), "velocity": (1, 0)},
             "spring.s": {"body": "ball", "other": "other", "stiffness": 1e-30, "length": 1}}
    for method in ("cd-lagrange", "moreau-jean"):
        for name, scenario, body in (("pole", pole, "load.l.force: `1/(0.05-t)` has no finite value at t = 0.05"), ("blow-up", blow_up, "other"), ("spring to a point", point, "spring")):
            if name == "spring to a point" and method == "moreau-jean":
                continue
            scenario = changed(scenario, "time", method=method)
            scenario["probe.p"] = {"body": "ball"}
            name = f"{name}, {method}"
            folder = test.new_folder()
            test.write("broken.ini", scenario)
            done = test.call("run", "broken.ini", "--quiet", "--output", folder)
            stopped(name, done, "broken.ini", body)
            h = complete_rows(name, folder)
            test.true(f"{name}: rows before it broke", 1 < h.rows < scenario["time"]["steps"], h.rows)
            s = summary(folder)
            test.true(f"{name}: reason in the summary", s["stop_reason"] != "" and s["stop_reason"] in done.stderr, s["stop_reason"])
            test.equal(f"{name}: steps in the summary", s["steps"], int(h["step"][-1]))
            words = done.stderr.split()
            test.close(f"{name}: time of the message", float(words[words.index("time") + 1]), h["time"][-1], rtol=1e-5)


def check_not_finite():
    """A step whose first guess is not finite says what is not, and of which body"""
    block = {**CUBE, "cells": (4, 4), "material": "neo-hooke", "clamped": "ymin"}
    jump = {"": {"dimension": 2}, "time": {"method": "quasi-static", "step": 1, "end": 2}, "body.still": {**CUBE, "position": (5, 0), "clamped": "ymin"},
            "body.block": block, "motion.top": {"body": "block.ymax", "displacement": "0 (t<1.5?0:-2)"}}
    test.write("jump.ini", jump)
    stopped("cells inside out", test.call("run", "jump.ini", "--quiet", "--output", test.new_folder()), "jump.ini", "cannot begin", "elastic energy of block", "not be finite")


def check_crossing_beams():
    """Beams whose elements are much longer than they are thick do not pass through each other unnoticed"""
    quarter = math.pi / 2
    wire = {**WIRE, "young": 1e7, "clamped": "none"}
    for name, elements, method in (("mortar", 10, "mortar"), ("midpoints", 20, "collocation")):
        crossing = {"": {"dimension": 3}, "time": {"method": "nsga", "step": 1e-3, "steps": 100},
                    "body.upper": {**wire, "elements": elements, "rotation": (0, quarter, 0), "position": (-0.5, 0, 0.05), "velocity": (0, 0, -1)},
                    "body.lower": {**wire, "elements": elements, "rotation": (-quarter, 0, 0), "position": (0, -0.5, 0)},
                    "contact.cross": {"first": "upper", "second": "lower", "method": method}}
        folder = test.new_folder()
        test.write("crossing.ini", crossing)
        stopped(f"crossing beams, {name}", test.call("run", "crossing.ini", "--quiet", "--output", folder), "crossing.ini", "contact.cross: the beams cross")
        test.true(f"crossing beams, {name}: rows before", 10 < complete_rows(f"crossing beams, {name}", folder).rows < 100)


MESH = """$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
{nodes}
$EndNodes
$Elements
{elements}
$EndElements
"""


def mesh(nodes, elements):
    count = lambda lines: "\n".join((str(len(lines)), *lines))
    return MESH.format(nodes=count(nodes), elements=count(elements))


def check_meshes():
    """What is in a mesh file is used, refused, or named"""
    square = ["1 0 0 0", "2 1 0 0", "3 1 1 0", "4 0 1 0"]
    triangles = ["1 1 2 7 1 1 2", "2 2 2 1 1 1 2 3", "3 2 2 1 1 1 3 4"]
    middle = ["5 0.5 -0.1 0", "6 1 0.5 0", "7 0.5 0.5 0", "8 0.5 1 0", "9 0 0.5 0"]
    curved = ["1 8 2 7 1 1 2 5", "2 9 2 1 1 1 2 3 5 6 7", "3 9 2 1 1 1 3 4 7 8 9"]
    body = {key: CUBE[key] for key in ("type", "young", "poisson", "density")}
    test.write("mesh.ini", {"": {"dimension": 2}, "time": {"method": "midpoint", "step": 0.1, "steps": 2}, "body.a": {**body, "mesh": "a.msh", "clamped": 7}})
    folded = ["5 0.8 0 0", *middle[1:]]
    for name, text, order, words in (
            ("two materials", mesh(square, [triangles[0], triangles[1], "3 2 2 5 1 1 3 4"]), 1, ("body.a.mesh", "a.msh", "2 physical groups", "one material")),
            ("second order", mesh(square + middle, curved), 1, ("body.a.mesh", "a.msh", "second order", "order = 2", "refine", "-order 1")),
            ("folded cell", mesh(square + folded, curved), 2, ("body.a.mesh", "a.msh", "folded"))):
        test.write("a.msh", text)
        change = ("--set", f"body.a.order={order}")
        one_line(name, test.call("check", "mesh.ini", *change), words)
        one_line(name, test.call("run", "mesh.ini", *change, "--output", test.path("never")), words)
    test.write("a.msh", mesh(square, triangles))
    plain = test.run(test.path("mesh.ini"))
    test.write("a.msh", mesh(["11 7 7 0", *square, "12 8 8 0"], triangles))
    for command, more in (("check", ()), ("run", ("--quiet", "--output", test.new_folder()))):
        done = test.call(command, "mesh.ini", *more)
        test.equal(f"nodes without cells, {command}: status", done.returncode, 0)
        test.true(f"nodes without cells, {command}: a note", done.stderr.startswith("mesh.ini: note: body.a.mesh: ")
                  and done.stderr.endswith("a.msh: 2 nodes that belong to no cell left out: 11 12\n"), done.stderr)
    test.true("nodes without cells: the same run", read(more[2], "history.csv") == read(plain, "history.csv"))
    test.write("a.msh", mesh(square + middle, curved))
    test.run(test.path("mesh.ini"), "--set", "body.a.refine=1")
    test.true("a mesh of second order has second order", "order = 2" in " ".join(read(test.run(test.path("mesh.ini")), "scenario.ini").decode().split()))
    test.write("a.msh", mesh(square + [*middle[:2], "7 0.45 0.5 0", *middle[3:]], curved))
    bent = "1 middle nodes of curved edges inside the mesh are not used, only its boundary is curved"
    for change, noted in ((("--set", "body.a.refine=1"), True), ((), False)):
        test.equal(f"curved edges inside, {change}", bent in test.call("check", "mesh.ini", *change).stderr, noted)


def check_body_that_nothing_holds():
    """Static bodies: contact may hold one, but if it does not the run ends soon, and says which"""
    falls = {"": {"dimension": 2}, "time": {"method": "quasi-static", "step": 1, "end": 1},
             "body.box": {**CUBE, "cells": (8, 8)}, "body.floor": {"type": "plane", "point": (0, 0), "normal": (0, 1)},
             "contact.floor": {"first": "box", "second": "floor"}}
    test.write("falls.ini", {**falls, "load.up": {"body": "box", "at": "ymax", "force": "0 1"}})
    stopped("a body that contact does not hold", test.call("run", "falls.ini", "--quiet", "--output", test.new_folder(), timeout=10), "falls.ini",
            "no equilibrium", "box")
    # what contact holds is held, and so is a body that nothing pulls
    test.run({**falls, "load.down": {"body": "box", "at": "ymax", "force": "0 -1"}}, "--set", "body.box.rollers=xmin:x")
    test.run({**without(without(falls, "contact.floor"), "body.floor")}, "--set", "body.box.deformation=1.1 0 0 1")


for entry in CASES:
    test.attempt(entry[0], check_case, *entry)
test.true("number of wrong inputs", len(CASES) >= 40, len(CASES))
test.attempt("paths", check_paths)
test.attempt("command line", check_command_line)
test.attempt("full disk", check_full_disk)
test.attempt("small file system", check_small_file_system)
test.attempt("broken runs", check_broken_runs)
test.attempt("not finite", check_not_finite)
test.attempt("crossing beams", check_crossing_beams)
test.attempt("meshes", check_meshes)
test.attempt("body that nothing holds", check_body_that_nothing_holds)
sys.exit(test.finish())
