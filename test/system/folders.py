# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""A folder belongs to one run and holds what that run wrote; a run that is interrupted inside a long step ends soon."""
import os
import shutil
import signal
import subprocess
import sys
import time

from dune_impact import History, Test, read, results, summary, tree

test = Test()

BALL = {
    "": {"title": "Ball", "dimension": 2, "gravity": (0, -9.81)},
    "time": {"method": "cd-lagrange", "step": 1e-3, "steps": 200000},
    "output": {"checkpoint-every": 50000, "vtk-every": 50000},
    "body.ball": {"type": "particle", "mass": 1, "radius": 0.1, "position": (0, 1), "velocity": (1, 0)},
    "body.bowl": {"type": "cavity", "radius": 2},
    "contact.bowl": {"first": "ball", "second": "bowl", "restitution": 0.99},
}

# A static step of very many iterations: a fine block whose upper side is moved far at once
FOLDED = {
    "": {"dimension": 2},
    "time": {"method": "quasi-static", "step": 1, "end": 2},
    "output": {"checkpoint-every": 1},
    "body.block": {"type": "solid", "shape": "box", "lower": (0, 0), "upper": (1, 1), "cells": (150, 150), "young": 1, "poisson": 0.45,
                   "density": 1, "clamped": "ymin"},
    "motion.ymax": {"body": "block.ymax", "displacement": "(t<1.5?0:0.9) (t<1.5?0:-0.4)"},
}


def start(*arguments):
    return subprocess.Popen([test.program, "run", *arguments], cwd=test.folder, env=test.environment, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")


def wait_for(process, condition):
    """Until it holds, or the process has ended"""
    while process.poll() is None and not condition():
        time.sleep(0.002)


def rows(folder):
    try:
        return read(folder, "history.csv").count(b"\n")
    except OSError:
        return 0


def check_one_run():
    """A second run in the folder of a first one is refused, and the first ends as if alone"""
    file = test.write("ball.ini", BALL)
    expected = results(test.run(file))
    folder = test.new_folder()
    first = start(file, "--quiet", "--output", folder)
    wait_for(first, lambda: rows(folder) > 1000)
    for name, more in (("second run", ()), ("second run that resumes", ("--resume",))):
        second = test.call("run", file, "--quiet", "--output", folder, *more)
        test.equal(f"{name}: status", second.returncode, 2)
        test.true(f"{name}: one sentence", second.stderr.count("\n") == 1 and "another run" in second.stderr and folder in second.stderr, second.stderr)
    os.symlink(folder, test.path("link"))
    test.equal("second run by another name: status", test.call("run", file, "--quiet", "--output", test.path("link")).returncode, 2)
    test.equal("first run: it was not over yet", first.poll(), None)
    error = first.communicate()[1]
    test.equal("first run: ends well", (first.returncode, error), (0, ""))
    found = results(folder)
    test.equal("first run: files", sorted(found), sorted(expected))
    for path in expected:
        test.true(f"first run: {path} is as if alone", found.get(path) == expected[path])
    # one that was killed leaves nothing that blocks
    killed = start(file, "--quiet", "--output", folder)
    wait_for(killed, lambda: 100 < rows(folder) < 100000)
    killed.kill()
    killed.wait()
    short = test.call("run", file, "--quiet", "--output", folder, "--set", "time.steps=100")
    test.equal("after a run that was killed", (short.returncode, short.stderr), (0, ""))


def check_earlier_files():
    """A run begins with a folder without the files of earlier ones, and leaves all others alone"""
    old = {**BALL, "time": {**BALL["time"], "steps": 400}, "output": {"checkpoint-every": 100, "vtk-every": 50}}
    new = {**without_output(old), "output": {"report": "no", "vtk-every": 200}}
    folder = test.run(test.write("old.ini", old))
    for name in ("summary.json.tmp", "checkpoint-000000900.h5.tmp", "vtk/old-ball-000099.vtu.tmp"):
        test.write(os.path.join(folder, name), "half")
    own = {"notes.txt": b"mine", "checkpoint-x.h5": b"mine", "movie.pvd": b'<VTKFile type="Collection"><Collection><DataSet file="vtk/clip_1.vtu"/></Collection></VTKFile>',
           "vtk/clip_1.vtu": b"mine", "vtk/other-ball-000001.vtu": b"mine", "sub/history.csv": b"mine"}
    for name, content in own.items():
        test.write(os.path.join(folder, name), content)
    expected = results_of(test.run(test.write("new.ini", new)))
    test.run(test.path("new.ini"), output=folder)
    found = results_of(folder)
    test.equal("new run over an old one: files", sorted(found), sorted({**expected, **own}))
    for path, content in {**expected, **own}.items():
        test.true(f"new run over an old one: {path}", found.get(path) == content)
    # the folder of snapshots goes too, if nothing is left in it
    folder = test.run(test.path("old.ini"))
    test.run(test.path("new.ini"), "--set", "output.vtk-every=0", output=folder)
    test.true("no folder of snapshots", not os.path.exists(os.path.join(folder, "vtk")))


def without_output(scenario):
    return {name: keys for name, keys in scenario.items() if name != "output"}


def results_of(folder):
    """All files; of the summary only that it is there"""
    return {path: b"" if path == "summary.json" else content for path, content in tree(folder).items()}


def check_input_is_kept():
    """A scenario file is not replaced by its effective form"""
    folder = test.new_folder()
    text = "# a comment\ndimension = 1\n[time]\nmethod = cd-lagrange\nstep = 1\nsteps = 2\n[body.a]\ntype = particle\nmass = 1\n"
    file = test.write(os.path.join(folder, "scenario.ini"), text)
    done = test.call("run", file, "--quiet", "--output", folder)
    test.equal("output over the input: status", done.returncode, 2)
    test.true("output over the input: one sentence", done.stderr.count("\n") == 1 and "scenario.ini" in done.stderr, done.stderr)
    test.equal("output over the input: nothing changed", tree(folder), {"scenario.ini": text.encode()})
    # the effective form may be run in its own folder
    folder = test.run(file)
    again = test.call("run", os.path.join(folder, "scenario.ini"), "--quiet", "--output", folder)
    test.equal("the effective form in its folder", (again.returncode, again.stderr), (0, ""))


def check_report():
    """A page is made of the results of a run, of nothing else"""
    folder = test.run(test.write("few.ini", {**without_output(BALL), "time": {**BALL["time"], "steps": 20}}))
    lines = read(folder, "history.csv").splitlines(True)
    for name, content in (("empty", b""), ("text", b"hello\nworld\n"), ("another table", b"time,value\n0,1\n1,2\n"), ("no rows", lines[0]),
                          ("binary", bytes(range(256)) * 9), ("a row that is cut off", b"".join(lines[:5]) + lines[5][:30] + b"\n")):
        other = test.new_folder()
        shutil.copytree(folder, other)
        with open(os.path.join(other, "history.csv"), "wb") as file:
            file.write(content)
        page = read(other, "report.html")
        done = test.call("report", other)
        test.equal(f"report, {name}: status", (done.returncode, done.stdout), (2, ""))
        test.true(f"report, {name}: one sentence", done.stderr.count("\n") == 1 and "history.csv" in done.stderr, done.stderr)
        test.true(f"report, {name}: the page stays", read(other, "report.html") == page)
    test.equal("report of a run", test.call("report", folder).returncode, 0)


def check_interrupted_step():
    """A signal inside a long step ends the run within seconds, with the files of the last step"""
    file = test.write("folded.ini", FOLDED)
    for number in (signal.SIGINT, signal.SIGTERM):
        name, folder = number.name, test.new_folder()
        process = start(file, "--quiet", "--output", folder)
        wait_for(process, lambda: os.path.exists(os.path.join(folder, "checkpoint-000000001.h5")))
        time.sleep(0.5)
        test.equal(f"{name}: the step takes longer", process.poll(), None)
        begin = time.monotonic()
        process.send_signal(number)
        error = process.communicate()[1]
        test.below(f"{name}: seconds to the end", time.monotonic() - begin, 3)
        test.equal(f"{name}: status", process.returncode, 1)
        test.true(f"{name}: one sentence", error.count("\n") == 1 and f"stopped at time 1 after 1 steps: interrupted by signal {int(number)}" in error, error)
        test.equal(f"{name}: reason and steps", (summary(folder)["stop_reason"], summary(folder)["steps"]), (f"interrupted by signal {int(number)}", 1))
        test.equal(f"{name}: rows", History(folder)["step"], [0, 1])
        test.true(f"{name}: report", read(folder, "report.html").rstrip().endswith(b"</html>"))


test.attempt("one run", check_one_run)
test.attempt("earlier files", check_earlier_files)
test.attempt("input is kept", check_input_is_kept)
test.attempt("report", check_report)
test.attempt("interrupted step", check_interrupted_step)
sys.exit(test.finish())
