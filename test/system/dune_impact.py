# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""Runs the program in a scratch folder and compares what it writes.

A test is a program `NAME.py PROGRAM SCENARIOS [more]`. It makes a `Test`, calls its checks and
ends with `sys.exit(test.finish())`: every check that fails is one line
`name: value expected tolerance`, and the status is 1 if there is one.
"""
import csv
import json
import math
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

COLUMNS = ("step,time,kinetic,elastic,potential,contact_energy,total,px,py,pz,lx,ly,lz,min_gap,contacts,"
           "impulse_x,impulse_y,impulse_z,dissipated,external_work,iterations").split(",")

WORKS = ["contact_work", "friction_work", "bulk_work"]  # at the end of each row

SUMMARY_KEYS = ("title method version units stop_reason steps time wall_seconds energy_initial energy_final "
                "energy_error_max energy_lost energy_gain_max linear_momentum_drift angular_momentum_drift min_gap impacts "
                "contact_events overlaps solver figures").split()

FIGURES = "first_contact last_contact total_impulse peak_force max_penetration".split()


class History:
    """The columns of history.csv by name: history["time"][n] is the time of row n."""

    def __init__(self, folder):
        with open(os.path.join(folder, "history.csv"), newline="") as file:
            rows = list(csv.reader(file))
        self.names = rows[0]
        self.rows = len(rows) - 1
        if any(len(row) != len(self.names) for row in rows):
            raise ValueError("history.csv has rows of different length")
        self.columns = {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(self.names)}

    def __getitem__(self, name):
        return self.columns[name]

    def __contains__(self, name):
        return name in self.columns

    def first(self, name, condition):
        """Index of the first row in which the column fulfils the condition"""
        return next(n for n, value in enumerate(self[name]) if condition(value))

    def last(self, name, condition):
        return max(n for n, value in enumerate(self[name]) if condition(value))


def ini(sections):
    """The text of a scenario: {"": {top keys}, "time": {...}, ...}; values that are sequences become vectors."""

    def text(value):
        if isinstance(value, (list, tuple)):
            return " ".join(text(entry) for entry in value)
        return repr(value) if isinstance(value, float) else str(value)

    lines = []
    for section, keys in sections.items():
        if section:
            lines.append(f"[{section}]")
        lines += [f"{key} = {text(value)}" for key, value in keys.items()]
    return "\n".join(lines) + "\n"


def read(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def summary(folder):
    return json.loads(read(folder, "summary.json"))


def tree(folder):
    """All files below a folder with their content"""
    return {os.path.relpath(os.path.join(base, name), folder): read(base, name)
            for base, _, names in os.walk(folder) for name in names}


def results(folder):
    """Everything in the folder, without the seconds that the run took and the name of the folder; of checkpoints only the names"""
    files = {path: b"" if path.startswith("checkpoint") else content for path, content in tree(folder).items()}
    content = json.loads(files["summary.json"])
    del content["wall_seconds"]
    files["summary.json"] = json.dumps(content).encode()
    # a run without a title has that of its folder
    files["report.html"] = re.sub(rb'"wall_seconds":[^,]*,', b"", files["report.html"]).replace(os.path.basename(folder).encode(), b"")
    return files


def snapshots(folder, name, part):
    """The files of a part by the steps in their names"""
    pattern = re.compile(re.escape(f"{name}-{part}-") + r"(\d{6,})\.vtu")
    matches = (pattern.fullmatch(file) for file in os.listdir(os.path.join(folder, "vtk")))
    return {int(match[1]): os.path.join(folder, "vtk", match[0]) for match in matches if match}


def vtu(folder, name, part, instant):
    """The arrays of the snapshot with this number: points, cells as lists of numbers of points, and fields by name"""
    files = snapshots(folder, name, part)
    path = files[sorted(files)[instant]]
    head, data = read(path).split(b'<AppendedData encoding="raw">', 1)
    data = data[data.index(b"_") + 1:]
    arrays = {}
    for tag in re.findall(r"<DataArray ([^>]*)>", head.decode()):
        entry = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        kind = {"Float64": "d", "Int32": "i", "UInt8": "B"}[entry["type"]]
        offset, order = int(entry["offset"]), "<" if b'byte_order="LittleEndian"' in head else ">"
        size = struct.unpack_from(order + "I", data, offset)[0] // struct.calcsize(kind)
        values = struct.unpack_from(f"{order}{size}{kind}", data, offset + 4)
        n = int(entry.get("NumberOfComponents", 1))
        arrays[entry["Name"]] = list(values) if n <= 1 else [values[i:i + n] for i in range(0, size, n)]
    ends = arrays.pop("offsets")
    corners = arrays.pop("connectivity")
    arrays["cells"] = [corners[a:b] for a, b in zip([0] + ends, ends)]
    return arrays


class Test:
    def __init__(self):
        self.program = os.path.abspath(sys.argv[1])
        self.scenarios = os.path.abspath(sys.argv[2])
        self.folder = tempfile.mkdtemp(prefix="dune-impact-test-")
        self.checks = 0
        self.failures = []
        self.runs = 0
        self.known = {}  # results of shipped scenarios
        # one core, whatever the machine has, and an MPI that starts no processes of its own
        self.environment = dict(os.environ, OMP_NUM_THREADS="1", LC_ALL="C", OMPI_MCA_ess_singleton_isolated="1",
                                OMPI_MCA_orte_create_session_dirs="0")  # programs at the same time fight over them

    # -- running ---------------------------------------------------------------------------------

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, content):
        """A file in the scratch folder; content is text, bytes or the sections of a scenario"""
        if isinstance(content, dict):
            content = ini(content)
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return path

    def call(self, *arguments, **options):
        """The program with these arguments, in the scratch folder; output is captured as text"""
        options.setdefault("timeout", 120)
        return subprocess.run([self.program, *map(str, arguments)], cwd=self.folder, env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              encoding="utf-8", errors="replace", **options)

    def new_folder(self):
        self.runs += 1
        return self.path(f"run-{self.runs}")

    def run(self, scenario, *arguments, name="scenario.ini", output=None):
        """Run sections or a file to its end and return the folder of its results; a shipped file with the same arguments is run once"""
        known = None
        if output is None and isinstance(scenario, str) and os.path.dirname(scenario) == self.scenarios:
            known = (scenario, *map(str, arguments))
            if known in self.known:
                return self.known[known]
        output = output or self.new_folder()
        file = self.write(name, scenario) if isinstance(scenario, dict) else scenario
        done = self.call("run", file, "--quiet", "--output", output, *arguments)
        if done.returncode != 0:
            raise RuntimeError(f"{file} {' '.join(map(str, arguments))}: status {done.returncode}: {done.stderr}")
        if known:
            self.known[known] = output
        return output

    def history(self, scenario, *arguments, **options):
        return History(self.run(scenario, *arguments, **options))

    def scenario_names(self):
        """Of all shipped scenarios, sorted"""
        return sorted(f[:-4] for f in os.listdir(self.scenarios) if f.endswith(".ini"))

    def shipped(self, name):
        return os.path.join(self.scenarios, name)

    # -- checks ----------------------------------------------------------------------------------

    def fail(self, name, value, expected, tolerance=0):
        self.failures.append(name)
        print(f"{name}: {value!r} {expected!r} {tolerance!r}", flush=True)

    def equal(self, name, value, expected):
        self.checks += 1
        if value == expected:
            return
        if isinstance(value, list) and isinstance(expected, list) and len(value) == len(expected) > 20:
            n = next(n for n, (a, b) in enumerate(zip(value, expected)) if a != b)
            return self.fail(f"{name}, entry {n}", value[n], expected[n])
        self.fail(name, value, expected)

    def close(self, name, value, expected, rtol=0.0, atol=0.0):
        """Numbers or sequences of numbers: |value - expected| <= atol + rtol |expected|"""
        self.checks += 1
        values = value if isinstance(value, (list, tuple)) else [value]
        wanted = expected if isinstance(expected, (list, tuple)) else [expected]
        if len(values) != len(wanted):
            return self.fail(f"{name}, length", len(values), len(wanted))
        for n, (a, b) in enumerate(zip(values, wanted)):
            if not abs(a - b) <= atol + rtol * abs(b):  # true for nan
                return self.fail(f"{name}, entry {n}" if len(wanted) > 1 else name, a, b, atol or rtol)

    def below(self, name, value, limit):
        self.checks += 1
        if not value <= limit:
            self.fail(name, value, "at most", limit)

    def true(self, name, condition, value=None):
        self.checks += 1
        if not condition:
            self.fail(name, value if value is not None else bool(condition), True)

    def attempt(self, name, function, *arguments):
        """A group of checks; that it breaks is a failure, and the other groups are still run"""
        try:
            function(*arguments)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is a failure
            self.checks += 1
            self.fail(name, f"{type(error).__name__}: {error}", "no error")

    def ledger(self, name, history, tolerance, begin=1):
        """total + dissipated - external_work is the same in all rows from `begin` on"""
        balance = [e + d - w for e, d, w in zip(history["total"], history["dissipated"], history["external_work"])]
        scale = max(k + e for k, e in zip(history["kinetic"], history["elastic"]))
        drift = max(abs(value - balance[begin]) for value in balance[begin:])
        self.below(name, drift / scale, tolerance)

    def finish(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        print(f"{self.checks} checks, {len(self.failures)} failed")
        if self.checks == 0:
            return 1
        return 1 if self.failures else 0


def norm(vector):
    return math.sqrt(sum(x * x for x in vector))
