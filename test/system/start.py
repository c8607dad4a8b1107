# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""The program starts at once: commands that need no MPI do not start it, and a process without a launcher does not
let it search for networks.

OpenMPI refuses to start if the variable OMPI_MCA_pml of the environment names a message layer that does not exist,
and tells which ones it looks at if it is asked for more words.
"""
import os
import re
import resource
import shutil
import subprocess
import sys
import time

from dune_impact import Test

test = Test()
PREFIXES = ("OMPI_", "PMI_", "PMIX_", "SLURM_")
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
SOLID = {"": {"dimension": 2},
         "time": {"method": "dissipative-midpoint", "step": 0.1, "steps": 1},
         "body.block": {"type": "solid", "shape": "box", "lower": [0, 0], "upper": [1, 1], "cells": [1, 1], "young": 1, "poisson": 0, "density": 1}}
PARTICLE = {"": {"dimension": 1}, "time": {"method": "cd-lagrange", "step": 0.1, "steps": 1},
            "body.ball": {"type": "particle", "mass": 1}}


def alone(**variables):
    """The environment of a process without a launcher and without settings of the user"""
    environment = {name: value for name, value in test.environment.items() if not name.startswith(PREFIXES)}
    return dict(environment, **AS_ROOT, **variables)


def call(environment, *command):
    return subprocess.run(command, cwd=test.folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, encoding="utf-8", errors="replace", timeout=120)


def message_layers(environment, *launcher):
    """The message layers of OpenMPI that a run looks at"""
    done = call(dict(environment, OMPI_MCA_pml_base_verbose="10"), *launcher, test.program, "run", test.path("particle.ini"),
                "--quiet", "--output", test.new_folder())
    test.equal(f"run with {launcher or 'no launcher'}: status", done.returncode, 0)
    return set(re.findall(r"found loaded component (\w+)", done.stdout + done.stderr))


def check_commands_without_mpi():
    broken = alone(OMPI_MCA_pml="nonsense")
    for command in (["--version"], ["help"], ["help", "contact.first"], ["list"], ["check", test.path("particle.ini")]):
        done = call(broken, test.program, *command)
        test.equal(f"{' '.join(command)} without MPI", (done.returncode, done.stderr), (0, ""))
    for command in (["check", test.path("solid.ini")], ["run", test.path("particle.ini")]):
        test.true(f"{command[0]} {os.path.basename(command[1])} with MPI", call(broken, test.program, *command).returncode != 0)
    for name in "particle.ini", "solid.ini":
        test.equal(f"check {name}", call(alone(), test.program, "check", test.path(name)).returncode, 0)


def check_network_search():
    test.equal("a single process searches no networks", message_layers(alone()), {"ob1"})
    test.equal("a setting of the user is kept", message_layers(alone(OMPI_MCA_pml="^cm")) - {"ob1"} != set(), True)
    mpirun = shutil.which("mpirun")
    test.true("mpirun", mpirun)
    if mpirun:
        layers = message_layers(alone(OMPI_MCA_plm_rsh_agent="/bin/false"), mpirun, "-n", "1")
        test.true("a process of mpirun searches", len(layers) > 1, layers)


def seconds(*command):
    """The least of CPU and wall time of a command"""
    times = []
    for _ in range(7):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        test.equal("status", call(alone(), test.program, *command).returncode, 0)
        wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append((after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall))
    return min(cpu for cpu, _ in times), min(wall for _, wall in times)


def check_seconds():
    """0.05 s more than the least that a program with these libraries takes; three times as much on a busy machine"""
    least = seconds("--version")
    print("--version:", *("%.3f" % t for t in least))
    for command in (["help"], ["list"], ["check", test.path("particle.ini")], ["check", test.shipped("two-bars.ini")]):
        taken = seconds(*command)
        print(*command, *("%.3f" % t for t in taken))
        test.below(f"CPU of {' '.join(command)}", taken[0], least[0] + 0.05)
        test.below(f"wall time of {' '.join(command)}", taken[1], least[1] + 0.15)


test.write("particle.ini", PARTICLE)
test.write("solid.ini", SOLID)
test.attempt("commands without MPI", check_commands_without_mpi)
test.attempt("network search", check_network_search)
test.attempt("seconds", check_seconds)
sys.exit(test.finish())
