# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""Figures of contact between beams, of rigid bodies and of adhesion; see figures.py."""
import matplotlib.pyplot as plt
import numpy as np

from style import BLUE, GREEN, ORANGE, PURPLE, RED, Run, save


def end_moment(run, bodies, stretched):
    """Bending moment and angle of the face that moves: reactions about its centre"""
    angle = np.where(run["time"] > stretched[0], stretched[1](run["time"]), 0.0)
    length = 40.2
    safe = np.where(angle == 0, 1.0, angle)
    centre = np.array([np.where(angle == 0, 0.0, length * (1 - np.cos(angle)) / safe), 0 * angle,
                       np.where(angle == 0, 40 + 0.2 * np.minimum(run["time"] / stretched[0], 1), length * np.sin(angle) / safe)])
    moment = 0 * angle
    for body in bodies:
        lever = [run[f"{body}.{c}"] - x for c, x in zip("xyz", centre)]
        moment += run[f"{body}-moment.y"] + lever[2] * run[f"{body}-force.x"] - lever[0] * run[f"{body}-force.z"]
    return angle, moment


def helix_angle(time):
    return np.minimum(time - 4, 20 - time) / 16


def strand_angle(time):
    return np.where(time < 6, time - 2, np.where(time < 14, 10 - time, time - 18)) / 20


def double_helix(runs, output):
    """What friction adds to the moment of a double helix that is bent and bent back; moment of a strand that is bent to both sides"""
    figure, axes = plt.subplots(1, 2, figsize=(9, 4))
    _, smooth = end_moment(Run(runs / "double-helix-smooth"), ("one", "two"), (4, helix_angle))
    for name, color, marker, label in (("double-helix", BLUE, "o", "mortar"), ("double-helix-collocation", ORANGE, "s", "collocation")):
        run = Run(runs / name)
        angle, moment = end_moment(run, ("one", "two"), (4, helix_angle))
        bent = run["time"] >= 4
        axes[0].plot(angle[bent], (moment - smooth)[bent], color=color, marker=marker, markersize=4, linewidth=1.2, label=label)
    axes[0].axhline(0, color="black", linewidth=0.8)
    axes[0].set(title="Double helix: moment by friction, μ = 0.2", xlabel="angle of the end", ylabel="moment at the end / N mm")
    axes[0].legend(loc="center")
    run = Run(runs / "seven-wire-strand")
    angle, moment = end_moment(run, ("core", *(f"wire{i}" for i in range(1, 7))), (2, strand_angle))
    bent = run["time"] >= 2
    axes[1].plot(angle[bent], moment[bent], color=PURPLE, marker=".", linewidth=1.2)
    axes[1].set(title="Strand of seven wires, μ = 0.3", xlabel="angle of the end")
    save(figure, output, "double-helix.png")


def cantilevers(runs, output):
    """Two cantilevers that touch along a line: the end of the upper one, and the sum of the contact forces"""
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.6))
    elements = (8, 16, 32)
    for method, color, marker in (("mortar", BLUE, "o"), ("midpoints", ORANGE, "s"), ("nodes", GREEN, "^")):
        chosen = [Run(runs / f"cantilevers-{method}-{n}") for n in elements]
        axes[0].plot(elements, [1e3 * (run["upper.x"][-1] - run["upper.x"][0]) for run in chosen], color=color, marker=marker, label=method)
        axes[1].plot(elements, [run["impulse_x"][-1] for run in chosen], color=color, marker=marker, label=method)
    axes[0].set(title="Two cantilevers: deflection of the end", xlabel="elements", ylabel="deflection / mm")
    axes[1].set(title="Sum of the contact forces", xlabel="elements", ylabel="force / N")
    for a in axes:
        a.set_xticks(elements)
        a.legend()
    save(figure, output, "cantilevers.png")


def rigid_bodies(runs, output):
    """Ball in a shell: kinetic energy and balance; rod in a box: errors of energy and angular momentum over ten million steps"""
    figure, axes = plt.subplots(2, 2, figsize=(9.5, 6.4))
    run = Run(runs / "ball-in-shell-100")
    axes[0, 0].plot(run["ball.y"], run["ball.z"], color=BLUE, label="ball")
    axes[0, 0].plot(run["shell.y"], run["shell.z"], color=ORANGE, label="shell")
    axes[0, 0].set(title="Ball in a shell: centres, 100 s", xlabel="y / m", ylabel="z / m", aspect="equal")
    axes[0, 0].legend()
    for step, color in (("0.001", "0.6"), ("0.01", ORANGE), ("0.1", BLUE)):
        run = Run(runs / f"ball-in-shell-{step}")
        axes[0, 1].plot(run["time"], 1e7 * (run["kinetic"] / run["kinetic"][0] - 1), color=color, linewidth=0.9, label=f"step {step} s")
    axes[0, 1].axhline(-9.1404, color="black", linewidth=0.8, linestyle="--", label="closed form")
    axes[0, 1].set(title="Dip of the kinetic energy", xlabel="time / s", ylabel="T/T₀ − 1  / 1e-7", xlim=(0, 0.3))
    axes[0, 1].legend(loc="lower right", fontsize=8, facecolor="white", framealpha=0.9, frameon=True)
    for variant, color in (("kick", BLUE), ("mid", RED)):
        run = Run(runs / f"rod-in-box-{variant}")
        axes[1, 0].plot(run["time"], 1e14 * (run["total"] / run["total"][0] - 1), color=color, linewidth=0.9, label=variant)
        axes[1, 1].plot(run["time"], 1e14 * (run["ly"] / run["ly"][0] - 1), color=color, linewidth=0.9, label=f"{variant}: {run.summary['impacts']} impacts")
    axes[1, 0].set(title="Rod in a box: energy", xlabel="time / s", ylabel="error / 1e-14")
    axes[1, 1].set(title="Rod in a box: angular momentum", xlabel="time / s")
    axes[1, 0].legend()
    axes[1, 1].legend()
    save(figure, output, "rigid-bodies.png")


def adhesion(runs, output):
    """A rubber cube is pulled off: force of the support, energies"""
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.6))
    for name, color, label in (("rccm-cube", BLUE, "no delay"), ("rccm-cube-delay", ORANGE, "delay 20 µs")):
        run = Run(runs / name)
        axes[0].plot(1e3 * run["time"], run["dissipated"], color=color, label=label)
        axes[1].plot(1e3 * run["time"], run["total"] + run["dissipated"] - run["external_work"], color=color, label=label)
    axes[0].axhline(7.5, color="black", linewidth=0.8, linestyle="--", label="½ b_N u₀ u_c times the area")
    axes[0].set(title="Cube pulled off: dissipated energy", xlabel="time / ms", ylabel="energy / J")
    axes[1].set(title="total + dissipated − external work", xlabel="time / ms")
    axes[0].legend()
    save(figure, output, "adhesion.png")


FIGURES = [double_helix, cantilevers, rigid_bodies, adhesion]
