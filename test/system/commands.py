# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""The commands of the program other than a plain run."""
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

from dune_impact import History, Test, read, summary, tree

test = Test()
SECTIONS = "time body spring contact load motion probe output".split()
METHODS = "cd-lagrange moreau-jean".split()
BODIES = "particle bar plane cavity sphere cylinder".split()


def good(name, done, *words):
    test.equal(f"{name}: status", done.returncode, 0)
    test.equal(f"{name}: no errors", done.stderr, "")
    for word in words:
        test.true(f"{name}: says {word}", word in done.stdout, done.stdout)


def check_help():
    good("help", test.call("help"), *(f"[{s}" for s in SECTIONS), *METHODS, *BODIES)
    for section in SECTIONS:
        good(f"help {section}", test.call("help", section), f"[{section}", "value:", "default:")
    good("help time.step", test.call("help", "time.step"), "step", "unit: T", "a number > 0")
    good("help body.mass", test.call("help", "body.mass"), "mass", "unit: M")
    good("help body.bar", test.call("help", "body.bar"), "young", "elements", "tip", "massless-shifted")
    good("help time.cd-lagrange", test.call("help", "time.cd-lagrange"), "courant", "landing")
    good("help gravity", test.call("help", "gravity"), "unit: L/T^2")
    page = test.call("help", "markdown")
    good("help markdown", page, *METHODS, *BODIES, *SECTIONS, "gap-tolerance")
    stored = read(os.path.join(test.scenarios, "..", "..", "doc", "scenarios.md")).decode()
    test.true("help markdown: doc/scenarios.md is what it prints", page.stdout == stored, "store it anew")
    for topic, hint in (("tme", "time"), ("time.stp", "step"), ("contact.restitutoin", "restitution"), ("body.partcle", "particle"),
                        ("gravty", "gravity")):
        done = test.call("help", topic)
        test.equal(f"help {topic}: status", done.returncode, 2)
        test.true(f"help {topic}: a hint in one line", done.stderr.count("\n") == 1 and topic in done.stderr and hint in done.stderr, done.stderr)
        test.equal(f"help {topic}: nothing else", done.stdout, "")
    done = test.call("help", "xyzzy")
    test.equal("help xyzzy", (done.returncode, done.stderr.count("\n"), done.stdout), (2, 1, ""))
    good("--help", test.call("--help"), "run", "check", "list", "help")
    good("run --help", test.call("run", "--help"), "--set", "--output", "--resume", "--quiet")


def check_list():
    done = test.call("list")
    files = sorted(f for f in os.listdir(test.scenarios) if f.endswith(".ini"))
    good("list", done, *files)
    lines = done.stdout.splitlines()
    test.equal("list: one line each", [line.split()[0] for line in lines[:len(files)]], files)
    for file, line in zip(files, lines):
        title = re.search(r"^title\s*=\s*(.*)$", read(test.shipped(file)).decode(), re.MULTILINE).group(1)
        test.true(f"list: title of {file}", line.endswith(title), line)
        test.true(f"list: {file} is where it says", os.path.exists(os.path.join(lines[-1].split(" ", 1)[1], file)), lines[-1])


def check_check():
    for file in sorted(os.listdir(test.scenarios)):
        if file.endswith(".ini"):
            done = test.call("check", test.shipped(file))
            good(f"check {file}", done, file, "no errors")
            test.equal(f"check {file}: one line", done.stdout.count("\n"), 1)
    good("check --set", test.call("check", test.shipped("bouncing-particle.ini"), "--set", "time.step=0.5"), "step 0.5", "10 steps")
    good("check two-bars", test.call("check", test.shipped("two-bars.ini")), "102 dofs", "0.8 of the critical step", "255 steps")
    test.equal("check writes nothing", tree(test.folder), {})


def check_version():
    done = test.call("--version")
    good("--version", done)
    test.true("--version", re.fullmatch(r"dune-impact \d+\.\d+\S*\n", done.stdout) is not None, done.stdout)
    done = test.call()
    test.equal("no arguments: status", done.returncode, 2)
    test.true("no arguments: says where to look", "--help" in done.stderr, done.stderr)


def check_output():
    file = test.shipped("bouncing-particle.ini")
    done = test.call("run", file, "--quiet", "--output", "quiet")
    test.equal("--quiet", (done.returncode, done.stdout, done.stderr), (0, "", ""))
    done = test.call("run", file, "--output", "plain")
    test.equal("plain: status", done.returncode, 0)
    test.true("plain: where the results are", done.stdout == "results in plain\n", done.stdout)
    lines = done.stderr.splitlines()
    test.true("plain: a line for each tenth", 10 <= len(lines) <= 12 and "\r" not in done.stderr and "\033" not in done.stderr, done.stderr)
    for line in lines:
        test.true("plain: a line of facts", re.match(r" *\d+ %  t = \S+  step \d+  \S+ steps/s  to go \S+  energy error \S+$", line) is not None, line)
    test.true("plain: the last line is the end", lines[-1].startswith("100 %  t = 5  step 5000 "), lines[-1])
    done = test.call("run", file, "--quiet")
    test.true("default folder", os.path.exists(test.path("out", "bouncing-particle", "summary.json")))
    test.call("run", file, "--quiet", "--set", "output.directory=from key")
    test.true("output.directory", os.path.exists(test.path("from key", "summary.json")))
    test.call("run", file, "--quiet", "--set", "output.directory=from key 2", "--output", "from/option")
    test.true("--output wins", os.path.exists(test.path("from", "option", "summary.json")) and not os.path.exists(test.path("from key 2")))
    done = test.call("run", file, "--quiet", "--set", "time.step=0.01", "--set", "time.step=0.02", "--output", "twice")
    test.true("the last --set counts", b"\nstep = 0.02\n" in read(test.path("twice", "scenario.ini")))


def terminal(columns, *arguments):
    """Output of the program on a terminal of that width"""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen([test.program, *arguments], cwd=test.folder, env=test.environment, stdin=slave, stdout=slave, stderr=slave)
    os.close(slave)
    text = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:  # the terminal is closed
            break
        if not piece:
            break
        text += piece
    os.close(master)
    return process.wait(), text.decode()


def check_terminal():
    file = test.shipped("bouncing-particle.ini")
    long = ("--set", "time.step=1e-5")
    for columns in (120, 60, 20):
        status, text = terminal(columns, "run", file, "--output", f"terminal-{columns}", *long)
        test.equal(f"terminal of {columns}: status", status, 0)
        drawn = [line.replace("\033[K", "").rstrip("\n") for line in text.replace("\r\n", "\n").split("\n")[0].split("\r")[1:]]
        test.true(f"terminal of {columns}: drawn several times", len(drawn) >= 2, len(drawn))
        test.true(f"terminal of {columns}: fits", all(len(line) < columns for line in drawn), max(map(len, drawn), default=0))
        test.true(f"terminal of {columns}: last line", text.replace("\r\n", "\n").endswith(f"\nresults in terminal-{columns}\n"), text[-200:])
        if columns == 120:
            test.true("terminal: a bar", all(re.match(r"\[=*>? *\] ", line) for line in drawn), drawn[:1])
            for word in ("%", "t = ", "steps/s", "to go", "energy error"):
                test.true(f"terminal: {word}", all(word in line for line in drawn), drawn[:1])
            test.true("terminal: ends with 100 %", "100 %" in drawn[-1], drawn[-1])
    status, text = terminal(80, "run", file, "--quiet", "--output", "terminal-quiet")
    test.equal("terminal: --quiet", (status, text), (0, ""))
    status, text = terminal(80, "run", "missing.ini")
    test.true("terminal: a wrong input is one plain line", status == 2 and text.count("\n") == 1 and "\033" not in text, text)


def check_warnings():
    """What a run has to say that is no error comes after its end, and not with --quiet"""
    rod = (test.shipped("rod-in-box.ini"), "--set", "contact.walls.friction=0.3", "--set", "output.report=no")
    done = test.call("run", *rod, "--output", "gain")
    last = done.stderr.splitlines()[-1]
    gained = re.search(r"warning: contact.walls: .* raised the energy, by (\S+) in the step to time (\S+); with slip = mid-step", last)
    test.true("friction on the slip after elastic impacts: a warning that energy was gained", done.returncode == 0 and gained is not None, last)
    if gained:
        history = History(test.path("gain"))
        # the time is told with three digits
        gains = [b - a for a, b, time in zip(history["kinetic"], history["kinetic"][1:], history["time"][1:])
                 if abs(time - float(gained[2])) <= 5e-4]
        test.close("it tells how much, and when", max(gains), float(gained[1]), rtol=1e-2)
    done = test.call("run", *rod, "--quiet", "--output", "gain-quiet")
    test.equal("no warning with --quiet", (done.returncode, done.stderr), (0, ""))
    done = test.call("run", *rod, "--set", "contact.walls.slip=mid-step", "--output", "no-gain")
    test.true("friction on the mid-step slip: no warning", done.returncode == 0 and "warning" not in done.stderr, done.stderr)


test.attempt("check", check_check)
test.attempt("warnings", check_warnings)
test.attempt("help", check_help)
test.attempt("list", check_list)
test.attempt("version", check_version)
test.attempt("output", check_output)
test.attempt("terminal", check_terminal)
sys.exit(test.finish())
