# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""Rigid bodies by dune-impact and Siconos: a free top and a bouncing ball; ODE and Bullet in benchmark-rigid."""
import json
import re
import subprocess
import sys
from pathlib import Path

from solids import cpu_seconds

TOP = """title     = Free top
dimension = 3
[time]
method = energy-momentum
step   = 0.025
end    = 10
[body.top]
type      = rigid
mass      = 1
inertia   = 1 2 3
nodes     = 1 0 0
spin-body = 0.2 2 0.3
"""

BOUNCE = """title     = Ball that bounces without loss
dimension = 3
gravity   = 0 0 -9.81
[time]
method = energy-momentum
step   = 1e-3
end    = 5
[body.ball]
type     = rigid
shape    = ball
radius   = 0.1
mass     = 1
position = 0 0 1.1
[body.floor]
type   = plane
normal = 0 0 1
[contact.bounce]
first       = ball
second      = floor
restitution = 1
"""

SPIN = (0.2, 2.0, 0.3)
MOMENTUM = (SPIN[0] ** 2 + (2 * SPIN[1]) ** 2 + (3 * SPIN[2]) ** 2) ** 0.5


def row(program, method, case, cpu, steps, energy, angular, penetration, note=""):
    return (program, method, f"{1e6 * cpu / steps:.2g} µs", f"{energy:+.1e}", "" if angular is None else f"{angular:.1e}",
            "" if penetration is None else f"{1e3 * penetration:.2g} mm", case + (": " + note if note else ""))


def ours(program, output):
    for name, text, case in (("top", TOP, "free top"), ("bounce", BOUNCE, "bouncing ball")):
        file = output / f"rigid-{name}.ini"
        file.write_text(text)
        folder = output / f"rigid-{name}"
        command = [str(program), "run", str(file), "--quiet", "--set", "output.report=no"]
        log = output / f"rigid-{name}.log"
        start = cpu_seconds([*command, "--output", str(folder)], log)
        # a hundred times as long, so that starting up does not count
        cpu = cpu_seconds([*command, "--output", f"{folder}-long", "--set", f"time.end={1000 if name == 'top' else 500}", "--set", "output.history-every=1000"], log)
        summary = json.loads((folder / "summary.json").read_text())
        # of the top the worst of the run, of the ball what is left after the last bounce
        change = summary["energy_error_max"] if name == "top" else summary["energy_final"] / summary["energy_initial"] - 1
        yield row("dune-impact", "energy-momentum", case, cpu - start, 99 * summary["steps"], change, summary["angular_momentum_drift"] / MOMENTUM if name == "top" else None,
                  None if name == "top" else summary["figures"]["max_penetration"])


def siconos(output):
    script = Path(__file__).resolve().parent / "siconos_rigid.py"
    if subprocess.run([sys.executable, "-c", "import siconos.kernel"], stderr=subprocess.DEVNULL).returncode != 0:
        yield ("Siconos", "", "", "", "", "", "not installed: python3-siconos")
        return
    for name, case in (("top", "free top"), ("bounce", "bouncing ball")):
        result = output / f"siconos-{name}.json"
        try:
            subprocess.run([sys.executable, str(script), name, str(result)], check=True, stdout=open(output / f"siconos-{name}.log", "w"), stderr=subprocess.STDOUT)
        except subprocess.CalledProcessError as error:
            yield ("Siconos", "", "", "", "", "", f"{case} failed: {error}")
            continue
        values = json.loads(result.read_text())
        yield row("Siconos", "Moreau–Jean, θ = ½", case, values["cpu"], values["steps"], values["energy"], values.get("angular"), values.get("penetration"))


def rows(program, output, with_siconos):
    result = list(ours(program, output))
    return result + list(siconos(output)) if with_siconos else result


def rod_in_box(benchmark):
    """The rod that bounces in a free box, by benchmark-rigid: dune-impact, ODE, Bullet; energy of ODE and Bullet is that of the rod alone"""
    if not benchmark.exists():
        return [("ODE, Bullet", "", "", "", "", "", f"{benchmark} is not built (cmake --build build --target benchmark-rigid)")]
    try:
        done = subprocess.run([str(benchmark), "1000000", "0"], stdout=subprocess.PIPE, encoding="utf-8", check=True)
    except (subprocess.CalledProcessError, OSError) as error:
        return [("ODE, Bullet", "", "", "", "", "", f"failed: {error}")]
    result = []
    for line in done.stdout.splitlines():
        if ours := re.match(r"rod in box, (\w+) +(\d+) ns per step.*energy (\S+), angular momentum (\S+)$", line):
            result.append(("dune-impact", f"energy-momentum, {ours[1]}", f"{ours[2]} ns", ours[3], ours[4], "", "rod in box"))
        elif peer := re.match(r"the same, (\w+) +(\d+) ns per step, energy of the rod (\S+) of its first$", line):
            result.append((peer[1], "", f"{peer[2]} ns", f"{float(peer[3]) - 1:+.1e}", "", "", "rod in box, energy of the rod"))
    peers = {row[0] for row in result}
    for name, package in (("ODE", "libode-dev"), ("Bullet", "libbullet-dev")):
        if name not in peers:
            result.append((name, "", "", "", "", "", f"benchmark-rigid was built without it: {package}"))
    return result
