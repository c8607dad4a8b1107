# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""Draws the figures of the experiments: figures.py RUNS OUTPUT [FIGURE...]; all without a name.

RUNS holds one folder per run with the files of the program, and convergence.csv if there is one;
`doc/figures/make` makes them. One function per figure.
"""
import csv
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "test" / "system"))
from dune_impact import vtu  # the reader of pictures that the tests use

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import FuncFormatter, LogLocator
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

import beamsandrigid
from style import BLUE, EXACT, GREEN, ORANGE, PURPLE, RED, Run, save


class Bars:
    """The experiment of two equal bars, and its exact solution at the contact end of the left one."""
    young, density, length, area, speed, gap = 2.1e11, 7847, 0.254, 0.645e-3, 5.0, 0.2e-3
    wave = math.sqrt(young / density)
    contact = gap / speed
    release = contact + 2 * length / wave
    force = young * area * speed / wave

    def times(self, end):
        return np.array([0, self.contact, self.contact, self.release, self.release, end])

    def velocity(self, axes, end):
        axes.plot(1e6 * self.times(end), self.speed * np.array([1, 1, 0, 0, -1, -1]), **EXACT)

    def position(self, axes, end):
        x = np.array([-self.gap, 0, 0, 0, 0, -self.speed * (end - self.release)])
        axes.plot(1e6 * self.times(end), 1e3 * x, **EXACT)

    def contact_force(self, axes, end):
        axes.plot(1e6 * self.times(end), 1e-3 * self.force * np.array([0, 0, 1, 1, 0, 0]), **EXACT)


BARS = Bars()


def staircase(axes, run, column, color, scale=1.0, **style):
    """A quantity of intervals: the value of a row holds in the interval that ends there."""
    axes.step(1e6 * run["time"][1:], scale * run[column][1:], where="pre", color=color, **style)


def draw_end(axes, run, end):
    """Velocity, position and force of the contact end of the left bar, in three axes."""
    staircase(axes[0], run, "left-speed.x", BLUE, label="computed")
    BARS.velocity(axes[0], end)
    axes[0].set(title="Velocity of the contact end", ylabel="velocity [m/s]")
    axes[1].plot(1e6 * run["time"], 1e3 * run["left-end.x"], color=BLUE, label="computed")
    BARS.position(axes[1], end)
    axes[1].set(title="Position of the contact end", ylabel="position [mm]")
    axes[2].plot(1e6 * run["time"], -1e-3 * run["force.x"], color=BLUE, label="computed")
    BARS.contact_force(axes[2], end)
    axes[2].set(title="Contact force", ylabel="force [kN]")


def draw_energy(axes, run):
    for column, color, label in [("kinetic", BLUE, "kinetic"), ("elastic", ORANGE, "elastic"), ("total", PURPLE, "total")]:
        axes.plot(1e6 * run["time"], run[column], color=color, label=label)
    axes.plot(1e6 * run["time"], run["dissipated"], color=RED, label="dissipated")
    axes.plot(1e6 * run["time"], run["total"] + run["dissipated"], color="black", linewidth=1, linestyle=":", label="total + dissipated")
    axes.set(title="Energy ledger", ylabel="energy [J]", ylim=(-0.03 * run["total"][0], 1.42 * run["total"][0]))
    axes.legend(loc="upper center", ncol=3, columnspacing=1.0, handlelength=1.4, fontsize=8.5)


def bouncing_particle(runs, output):
    run = Run(runs / "bouncing-particle")
    first, restitution = math.sqrt(2 / 9.81), 0.8
    rest = first * (1 + restitution) / (1 - restitution)
    figure, axes = plt.subplots(2, 1, figsize=(8.5, 5), sharex=True)
    axes[0].plot(run["time"], run["ball.x"], color=BLUE)
    axes[0].set(ylabel="position [m]", title="A particle bounces to rest, restitution 0.8")
    axes[1].plot(run["time"], run["speed.x"], color=BLUE)
    axes[1].set(ylabel="velocity [m/s]", xlabel="time [s]")
    for a in axes:
        for n in range(25):
            t = first * (2 * (1 - restitution ** (n + 1)) / (1 - restitution) - 1)
            a.axvline(t, color="0.55", linewidth=0.7, label="exact impacts" if n == 0 else None, zorder=0)
        a.axvline(rest, color=RED, linestyle="--", linewidth=1.2, label=f"exact end, {rest:.4f} s")
        a.grid(False)
    axes[0].legend(loc="upper right", facecolor="white", frameon=True, edgecolor="none")
    save(figure, output, "bouncing-particle.png")


def newtons_cradle(runs, output):
    run = Run(runs / "newtons-cradle")
    figure, axes = plt.subplots(5, 1, figsize=(8.5, 5.2), sharex=True, sharey=True)
    for a, name in zip(axes, "abcde"):
        v = run[f"{name}.x"]
        a.step(1e3 * run["time"], v, where="pre", color=BLUE)
        a.axhline(0, color="0.6", linewidth=0.7, zorder=0)
        a.text(0.99, 0.78, f"ball {name}: {v[1]:.1f} → {v[-1]:.1f} m/s".replace("-", "−"), transform=a.transAxes, ha="right", va="center", fontsize=9)
        a.set(ylim=(-0.8, 1.3), yticks=[0, 1], xlim=(0, 50))
    axes[0].set_title("Five touching balls, restitution 1: one impact on all contacts at once")
    axes[2].set_ylabel("velocity [m/s]")
    axes[-1].set_xlabel("time [ms]")
    save(figure, output, "newtons-cradle.png")


def two_bars(runs, output):
    impact_of_bars(Run(runs / "two-bars"), output, "two-bars.png")


def unequal_bars(runs, output):
    impact_of_bars(Run(runs / "unequal-bars"), output, "unequal-bars.png")


def impact_of_bars(run, output, name):
    """The end of the left bar and the energy"""
    figure, axes = plt.subplots(2, 2, figsize=(9, 5.8), sharex=True)
    draw_end([axes[0, 0], axes[0, 1], axes[1, 0]], run, run["time"][-1])
    draw_energy(axes[1, 1], run)
    axes[0, 0].legend(loc="upper right")
    for a in axes[1]:
        a.set_xlabel("time [µs]")
    save(figure, output, name)


def massless_tips(runs, output):
    massive = Run(runs / "two-bars-0.9")
    cases = [("none", ORANGE, "no landing"), ("release", GREEN, "landing: release"), ("both", BLUE, "landing: both")]
    massless = {name: Run(runs / f"massless-bars-{name}") for name, _, _ in cases}
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.9))
    axes[0].plot(1e6 * massless["both"]["time"], -1e-3 * massless["both"]["force.x"], color=BLUE, label="massless ends")
    axes[0].plot(1e6 * massive["time"], -1e-3 * massive["force.x"], color=RED, linewidth=1.1, label="massive ends")
    BARS.contact_force(axes[0], massive["time"][-1])
    axes[0].set(title="Contact force", xlabel="time [µs]", ylabel="force [kN]")
    axes[0].legend(loc="upper right")

    def draw_change(run, color, label):
        change = run["total"] - run["total"][0]
        axes[1].plot(1e6 * run["time"], 1e3 * change, color=color, label=f"{label}: {1e3 * change[-1]:+.3g} mJ".replace("-", "−"))

    draw_change(massive, RED, "massive ends")
    for name, color, label in cases:
        draw_change(massless[name], color, "massless, " + label)
    axes[1].set(title="Change of the energy of both bars", xlabel="time [µs]", ylabel="energy [mJ]")
    axes[1].legend(loc="center", bbox_to_anchor=(0.64, 0.33), fontsize=8.5, handlelength=1.2)
    save(figure, output, "massless-bars.png")


def rotating_spring(runs, output):
    cases = [("rotating-spring", "without wall"), ("rotating-spring-wall", "in a circular wall")]
    figure, axes = plt.subplots(2, 2, figsize=(9, 7), gridspec_kw={"width_ratios": [1, 1.5]})
    for (orbit, error), (name, label) in zip(axes, cases):
        lagrange, moreau = Run(runs / name), Run(runs / f"{name}-moreau")
        early = lagrange["time"] <= 20
        orbit.plot(lagrange["mass.x"][early], lagrange["mass.y"][early], color=BLUE, linewidth=0.9, marker=".", markersize=2)
        orbit.plot(0, 0, "+", color="black")
        if "wall" in name:
            orbit.add_patch(plt.Circle((0, 0), 1.55, fill=False, color="0.4", linewidth=1.5))
        orbit.set(aspect="equal", title=f"Orbit {label}, 20 s", xlabel="x [m]", ylabel="y [m]", xlim=(-1.75, 1.75), ylim=(-1.75, 1.75))
        for run, color, scheme in [(moreau, RED, "Moreau–Jean, θ = ½"), (lagrange, BLUE, "CD-Lagrange")]:
            drift = np.abs(run["lz"] - run["lz"][0])
            drift[drift == 0] = np.nan  # exact: nothing to show on a logarithmic axis
            error.semilogy(run["time"], drift, color=color, linewidth=0.8, label=scheme)
        error.set(title=f"Error of the angular momentum {label}", xlabel="time [s]", ylabel="|J − J(0)| [kg m²/s]", ylim=(5e-17, 1e2), xlim=(0, 100))
        error.legend(loc="upper right", ncol=2)
    save(figure, output, "rotating-spring.png")


def convergence(runs, output):
    if not (runs / "convergence.csv").exists():
        return
    with open(runs / "convergence.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    titles = {"velocity_graph_pre": "Velocity graph before release", "velocity_graph_all": "Velocity graph",
              "displacement_graph_all": "Displacement graph", "velocity_l1": "Velocity in L1", "impulse_sup": "Impulse, maximum"}
    schemes = {"cd-lagrange": ("CD-Lagrange", BLUE, "o"), "moreau-jean-0.5": ("Moreau–Jean, θ = ½", ORANGE, "s"), "moreau-jean-1": ("Moreau–Jean, θ = 1", GREEN, "^")}
    figure, axes = plt.subplots(2, 3, figsize=(9, 5.6), sharex=True)
    for a, (measure, title) in zip(axes.flat, titles.items()):
        for scheme, (label, color, marker) in schemes.items():
            n = np.array([int(r["elements"]) for r in rows if r["scheme"] == scheme])
            error = np.array([float(r[measure]) for r in rows if r["scheme"] == scheme])
            slope = -np.polyfit(np.log(n), np.log(error), 1)[0]
            a.loglog(n, error, color=color, marker=marker, markersize=5, label=f"{slope:.2f}".replace("-", "−"))
        a.set_title(title)
        a.legend(title="order", title_fontsize=8.5, fontsize=8.5, loc="best", handlelength=1.5)
        a.set_xticks(n, [str(i) for i in n])
        a.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        a.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g}"))
        a.minorticks_off()
    last = axes.flat[-1]
    last.axis("off")
    last.legend(handles=[plt.Line2D([], [], color=c, marker=m, markersize=5, label=l) for l, c, m in schemes.values()], loc="center", fontsize=10)
    for a in [*axes[1, :2], axes[0, 2]]:
        a.set_xlabel("elements")
        a.tick_params(labelbottom=True)
    for a in axes[:, 0]:
        a.set_ylabel("relative error")
    save(figure, output, "convergence.png")


def multisymplectic_bars(runs, output):
    """Six impacts of two bars: ends, their velocities and the energy, with bounces and with prolonged contact."""
    figure, axes = plt.subplots(6, 3, figsize=(10, 13), sharex=True)
    for row, case in zip(axes, ("equal", "heavy", "stiff", "short", "coarse", "fast")):
        for variant, color in (("bouncing", ORANGE), ("prolonged", BLUE)):
            run = Run(runs / f"{variant}-bars-{case}")
            for end, style in (("left", "-"), ("right", ":")):
                row[0].plot(run["time"], run[f"{end}-end.x"], color=color, linestyle=style, linewidth=1.1)
                row[1].plot(run["time"], run[f"{end}-speed.x"], color=color, linestyle=style, linewidth=0.7, alpha=0.5 if variant == "bouncing" else 1)
            row[2].plot(run["time"], 1e4 * (run["total"] / run["total"][0] - 1), color=color, linewidth=0.9, label=variant)
        row[0].set_title(case)
        row[0].set_ylabel("ends")
        row[1].set_ylabel("velocity of the ends")
        row[2].set_ylabel("energy error / 1e-4")
    axes[0, 2].legend(loc="lower right")
    axes[0, 0].legend(handles=[plt.Line2D([], [], color="0.3", linestyle=s, label=f"{e} bar") for e, s in (("left", "-"), ("right", ":"))])
    for a in axes[-1]:
        a.set_xlabel("time")
    save(figure, output, "multisymplectic-bars.png")


def falling_beam(runs, output):
    """The beam at some instants, and energy and momenta of three throws."""
    fast = Run(runs / "falling-beam-fast")
    figure = plt.figure(figsize=(10, 7.5))
    grid = figure.add_gridspec(3, 6, height_ratios=(0.55, 1, 1))
    for i, time in enumerate((0, 0.0053, 0.02, 0.05, 0.1, 0.2)):
        a = figure.add_subplot(grid[0, i])
        row = int(np.argmin(abs(fast["time"] - time)))
        x, y, z = (np.array([fast[f"node{n}.{c}"][row] for n in range(11)]) for c in "xyz")
        a.plot(x - x.mean(), z, color=BLUE, linewidth=3, solid_capstyle="round")
        a.axhline(0, color="black", linewidth=1)
        a.set(xlim=(-0.25, 0.25), ylim=(-0.03, 0.37), aspect="equal", title=f"{1e3 * fast['time'][row]:.3g} ms")
        a.tick_params(labelsize=7, labelleft=i == 0)
    for column, name in enumerate(("fast", "medium", "slow")):
        run = Run(runs / f"falling-beam-{name}")
        a, b = (figure.add_subplot(grid[row, 2 * column:2 * column + 2]) for row in (1, 2))
        a.plot(run["time"], 1e4 * (run["total"] / run["total"][0] - 1), color=BLUE, linewidth=0.9)
        a.set(title=f"{name}: energy {run['total'][0]:.1f} J", ylabel="energy error / 1e-4" if column == 0 else None)
        for key, color in (("px", ORANGE), ("py", GREEN), ("lz", PURPLE)):
            b.plot(run["time"], 1e12 * (run[key] - run[key][0]), color=color, linewidth=0.8, label=key)
        b.set(xlabel="time / s", ylabel="change of momenta / 1e-12" if column == 0 else None)
        b.legend(loc="best")
    save(figure, output, "falling-beam.png")


RULES = (("dissipative-midpoint", BLUE), ("modified-midpoint", ORANGE), ("midpoint", RED))


def draw_solids(axes, run, name, instant):
    """Deformed meshes of ball and block, coloured by the von Mises stress"""
    for body in ("block", "ball"):
        picture = vtu(run, name, body, instant)
        x = np.array(picture["Coordinates"])[:, :2]
        faces = axes.tripcolor(x[:, 0], x[:, 1], np.array(picture["cells"]), facecolors=1e3 * np.array(picture["von_mises"]), cmap="viridis",
                               norm=matplotlib.colors.PowerNorm(0.5, 0, 12))
        axes.triplot(x[:, 0], x[:, 1], np.array(picture["cells"]), color="0.25", linewidth=0.25)
    axes.set(aspect="equal", xlim=(20, 260), ylim=(-42, 106), xlabel="x / mm")
    axes.grid(False)
    return faces


def ball_on_block(runs, output):
    """The rolling ball at three instants, and the energy of the three rules, rolling and sliding"""
    figure = plt.figure(figsize=(10, 6.2))
    grid = figure.add_gridspec(2, 6, height_ratios=(0.75, 1))
    folder = runs / "ball-rolling-dissipative-midpoint"
    for i, instant in enumerate((0, 8, 12)):
        a = figure.add_subplot(grid[0, 2 * i:2 * i + 2])
        faces = draw_solids(a, folder, "ball-on-block", instant)
        a.set(title=f"{3 * instant} ms", ylabel="y / mm" if i == 0 else None)
    figure.colorbar(faces, cax=a.inset_axes([1.03, 0, 0.03, 1]), label="von Mises stress / kPa")
    for column, (name, title) in enumerate((("rolling", "rolling"), ("sliding", "sliding"))):
        a = figure.add_subplot(grid[1, 3 * column:3 * column + 3])
        for method, color in RULES:
            run = Run(runs / f"ball-{name}-{method}")
            a.plot(run["time"], 1e3 * (run["total"] - run["total"][0]), color=color, label=method)
        a.axhline(0, color="black", linewidth=0.8)
        a.set(title=title, xlabel="time / ms", ylabel="change of energy / µJ per mm" if column == 0 else None)
    a.legend(loc="upper left")
    save(figure, output, "ball-on-block.png")


def ball_steps(runs, output):
    """Energy of the rolling ball for several steps: the modified and the dissipative rule"""
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True)
    for a, rule in zip(axes, ("modified-midpoint", "dissipative-midpoint")):
        for step, color in (("1", ORANGE), ("0.5", GREEN), ("0.25", BLUE)):
            run = Run(runs / (f"ball-rolling-{rule}" if step == "0.5" else f"ball-rolling-{rule}-{step}"))
            a.plot(run["time"], 1e3 * (run["total"] - run["total"][0]), color=color, label=f"{step} ms")
        a.axhline(0, color="black", linewidth=0.8)
        a.set(title=rule, xlabel="time / ms")
    axes[0].set_ylabel("change of energy / µJ per mm")
    axes[1].legend()
    save(figure, output, "ball-steps.png")


def boundary(cells):
    """Triangles of the tetrahedra that have no neighbour, and the number of the tetrahedron"""
    faces = {}
    for number, cell in enumerate(cells):
        for left_out in range(4):
            face = tuple(cell[:left_out]) + tuple(cell[left_out + 1:])
            faces.setdefault(tuple(sorted(face)), []).append((face, number))
    return [entries[0] for entries in faces.values() if len(entries) == 1]


def draw_surfaces(axes, run, name, instant):
    """Deformed surfaces of ball and block in space, coloured by the von Mises stress"""
    norm, colours = matplotlib.colors.PowerNorm(0.5, 0, 12), matplotlib.colormaps["viridis"]
    for order, body in enumerate(("block", "ball")):
        picture = vtu(run, name, body, instant)
        x, stress = np.array(picture["Coordinates"]), 1e3 * np.array(picture["von_mises"])
        faces = boundary(picture["cells"])
        surface = Poly3DCollection([x[list(face)] for face, _ in faces], facecolors=colours(norm([stress[cell] for _, cell in faces])),
                                   edgecolors="0.25", linewidths=0.2, zorder=order, clip_on=False)
        axes.add_collection3d(surface)
    axes.set(xlim=(-30, 240), ylim=(0, 160), zlim=(-40, 105))
    axes.set_box_aspect((270, 160, 145), zoom=1.3)
    axes.view_init(14, -70)
    axes.set_axis_off()
    return matplotlib.cm.ScalarMappable(norm, colours)


def ball_on_block_3d(runs, output):
    """The ball in space before, in and after its first impact, and the energy of the three rules, rolling and sliding"""
    figure = plt.figure(figsize=(10, 6.2))
    grid = figure.add_gridspec(2, 7, height_ratios=(0.9, 1), width_ratios=(1, 1, 1, 1, 1, 1, 0.1))
    for i, instant in enumerate((0, 4, 5)):
        a = figure.add_subplot(grid[0, 2 * i:2 * i + 2], projection="3d", computed_zorder=False)
        faces = draw_surfaces(a, runs / "ball-3d-rolling-dissipative-midpoint", "ball-on-block-3d", instant)
        a.set_title(f"{6 * instant} ms")
    figure.colorbar(faces, cax=figure.add_subplot(grid[0, 6]), label="von Mises stress / kPa")
    for column, name in enumerate(("rolling", "sliding")):
        a = figure.add_subplot(grid[1, 3 * column:3 * column + 3])
        for method, color in RULES:
            run = Run(runs / f"ball-3d-{name}-{method}")
            a.plot(run["time"], run["total"] - run["total"][0], color=color, label=method)
        a.axhline(0, color="black", linewidth=0.8)
        a.set(title=name, xlabel="time / ms", ylabel="change of energy / mJ" if column == 0 else None)
    a.legend(loc="upper right")
    save(figure, output, "ball-on-block-3d.png")


FIGURES = [bouncing_particle, newtons_cradle, two_bars, unequal_bars, massless_tips, rotating_spring, convergence, multisymplectic_bars, falling_beam, ball_on_block, ball_steps, ball_on_block_3d, *beamsandrigid.FIGURES]


def main():
    runs, output, names = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]
    for draw in FIGURES:
        if not names or draw.__name__ in names:
            draw(runs, output)


if __name__ == "__main__":
    main()
