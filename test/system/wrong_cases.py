# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""Scenarios that must be refused, with the words of the message, for `wrong_inputs.py`."""
import copy

from dune_impact import ini

BASE = {
    "": {"title": "Wrong", "dimension": 2, "gravity": (0, -9.81)},
    "time": {"method": "cd-lagrange", "step": 1e-3, "steps": 10},
    "body.ball": {"type": "particle", "mass": 1, "radius": 0.1, "position": (0, 1), "velocity": (1, 0)},
    "body.other": {"type": "particle", "mass": 1, "radius": 0.1, "position": (3, 1)},
    "body.floor": {"type": "plane", "normal": (0, 1)},
    "contact.ball": {"first": "ball", "second": "floor", "restitution": 0.5, "friction": 0.1},
    "spring.s": {"body": "ball", "anchor": (0, 2), "stiffness": 10, "length": 1},
    "probe.ball": {"body": "ball"},
}
BAR = {"type": "bar", "length": 1, "elements": 10, "area": 1e-4, "young": 1e7, "density": 1000}
LINE = {
    "": {"dimension": 1},
    "time": {"method": "cd-lagrange", "courant": 0.5, "steps": 10},
    "body.bar": {**BAR, "velocity": 1},
    "body.ball": {"type": "particle", "mass": 1, "position": 3},
    "body.wall": {"type": "plane", "point": 2, "normal": -1},
    "contact.wall": {"first": "bar", "second": "wall"},
}


def changed(base, section, **keys):
    """A copy with some keys of a section changed; None removes one; `_` in a name is a dash"""
    scenario = copy.deepcopy(base)
    scenario.setdefault(section, {})
    for key, value in keys.items():
        key = key.replace("_", "-")
        if value is None:
            del scenario[section][key]
        else:
            scenario[section][key] = value
    return scenario


def without(base, section):
    scenario = copy.deepcopy(base)
    del scenario[section]
    return scenario


# (name, scenario or text, words that the message contains in this order, further arguments)
CASES = []


def case(name, scenario, *words, arguments=()):
    CASES.append((name, scenario, words, arguments))


# names
case("unknown key at the top", changed(BASE, "", gravitiy=1), "unknown key `gravitiy`", "gravity")
case("unknown key in [time]", changed(BASE, "time", stepp=1), "time: unknown key `stepp`", "step")
case("unknown key of a body", changed(BASE, "body.ball", masss=1), "body.ball: unknown key `masss`", "mass")
case("unknown key far from all", changed(BASE, "body.ball", xyzzyplugh=1), "body.ball: unknown key `xyzzyplugh`")
case("key of another type", changed(BASE, "body.ball", young=1), "body.ball.young", "particle")
case("key of another method", changed(BASE, "time", theta=0.5), "time.theta", "cd-lagrange")
case("key without its condition", changed(changed(BASE, "contact.ball", friction=0), "contact.ball", slip="mid-step"), "contact.ball.slip")
case("unknown section", {**BASE, "boddy.x": {"a": 1}}, "unknown section [boddy.x]", "body")
case("unknown empty section", {**BASE, "nonsense": {}}, "unknown section [nonsense]")
case("section without a name", {**BASE, "body": {"type": "particle"}}, "[body]", "name")
case("section with a name too many", {**BASE, "time.x": {"step": 1}}, "[time.x]")
case("name with a dot", {**BASE, "body.a.b": {"type": "particle"}}, "[body.a.b]", "dot")
case("key given twice", ini(BASE) + "\n[time]\nstep = 2\n", "time.step", "already")
case("unknown method", changed(BASE, "time", method="cd-lagrang"), "time.method", "cd-lagrang", "cd-lagrange")
case("unknown type", changed(BASE, "body.ball", type="partcle"), "body.ball.type", "partcle", "particle")
case("unknown word", changed(BASE, "contact.ball", slip="none"), "contact.ball.slip", "post-impact", "none")
case("unknown place", changed(BASE, "probe.ball", at="top"), "probe.ball.at", "top")
case("unknown quantity", changed(BASE, "probe.ball", quantity="speed"), "probe.ball.quantity", "speed")

# rigid bodies
RIGID = {
    "": {"dimension": 3},
    "time": {"method": "energy-momentum", "step": 1e-3, "steps": 10},
    "body.ball": {"type": "rigid", "shape": "ball", "radius": 1, "mass": 1, "position": (0, 0, 3)},
    "body.box": {"type": "rigid", "shape": "box", "size": (1, 1, 1), "density": 2},
    "body.free": {"type": "rigid", "mass": 1, "inertia": (1, 1, 1), "position": (9, 9, 9)},
    "contact.both": {"first": "ball", "second": "box"},
}
case("rigid body in the plane", {"": {"dimension": 2}, "time": RIGID["time"], "body.x": {"type": "rigid", "mass": 1}}, "body.x.type", "dimension = 3")
case("rigid body without a mass", changed(RIGID, "body.ball", mass=None), "body.ball.mass", "density")
case("rigid body with mass and density", changed(RIGID, "body.box", mass=1), "body.box.mass", "density")
case("ball without a radius", changed(RIGID, "body.ball", radius=None), "body.ball.radius")
case("ball of no size", changed(RIGID, "body.ball", radius=0), "body.ball.radius", "positive")
case("ball with a size", changed(RIGID, "body.ball", size=(1, 1, 1)), "body.ball.size", "shape = ball")
case("flat box", changed(RIGID, "body.box", size=(1, 0, 1)), "body.box.size", "positive")
case("inertia of no body", changed(RIGID, "body.free", inertia=(1, 1, 3)), "body.free.inertia", "sum of the other two")
case("no inertia", changed(RIGID, "body.free", inertia=None), "body.free.inertia", "must be given")
case("density without volume", changed(changed(RIGID, "body.free", mass=None), "body.free", density=1), "body.free.density", "volume")
case("nodes that are no points", changed(RIGID, "body.free", nodes=(1, 2)), "body.free.nodes", "3 numbers")
case("facet that is not flat", changed(RIGID, "body.free", facets=(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 1)), "body.free.facets", "not flat")
case("pivot beside the axes", changed(RIGID, "body.free", pivot=(1, 1, 0)), "body.free.pivot", "principal axis")
case("two spins", changed(RIGID, "body.free", spin=(1, 0, 0), spin_body=(1, 0, 0)), "body.free.spin-body", "spin")
case("mesh that does not exist", changed(RIGID, "body.free", shape="mesh", mesh="nothing.stl"), "body.free.mesh", "nothing.stl")
case("spacing without copies", changed(RIGID, "body.free", spacing=(1, 1, 1)), "body.free.spacing", "copies")
case("rigid body with itself", changed(RIGID, "contact.both", second="ball"), "contact.both.second", "another body")
case("rigid body without a surface", changed(RIGID, "contact.both", first="free", second="free"), "contact.both.second")
case("part of a rigid body", changed(RIGID, "contact.both", first="ball.top"), "contact.both.first", "no parts")
case("rigid bodies that overlap", changed(RIGID, "body.ball", position=(0, 0, 1.4)), "contact.both", "overlap")
case("penalty without a stiffness", changed(RIGID, "contact.both", law="penalty"), "contact.both.stiffness")
case("penalty of a box", changed(RIGID, "contact.both", law="penalty", stiffness=1), "time.method", "both", "penalty")
case("penalty with restitution", changed(RIGID, "contact.both", law="penalty", stiffness=1, restitution=1), "contact.both.restitution", "penalty")
case("penalty with another method", changed(changed(RIGID, "contact.both", law="penalty", stiffness=1), "time", method="cd-lagrange"), "contact.both.law", "cd-lagrange")
case("rigid body that is moved", {**changed(RIGID, "time", method="cd-lagrange"), "motion.x": {"body": "ball", "displacement": "t 0 0"}}, "motion.x.body", "rigid")
case("spring with energy-momentum", {**RIGID, "spring.x": {"body": "ball", "anchor": (0, 0, 0), "stiffness": 1, "length": 1}}, "time.method", "springs")
case("particle with energy-momentum", {**RIGID, "body.p": {"type": "particle", "mass": 1}}, "body.p.type", "energy-momentum")

# beams and the multisymplectic method
BEAM = {
    "": {"dimension": 3, "gravity": (0, 0, -10)},
    "time": {"method": "multisymplectic", "step": 1e-5, "steps": 10},
    "body.beam": {"type": "beam", "length": 0.5, "elements": 5, "square": 0.05, "young": 1e6, "density": 1e3, "position": (0, 0, 1)},
    "body.ground": {"type": "plane", "normal": (0, 0, 1)},
    "contact.ground": {"first": "beam", "second": "ground"},
}
SPLIT = {**LINE, "time": {"method": "multisymplectic", "courant": 0.5, "steps": 10}}
del SPLIT["body.ball"]
case("beam in the plane", changed(changed(changed(BEAM, "", dimension=2, gravity=None), "body.beam", position=None), "body.ground", normal=(0, 1)), "body.beam.type", "dimension = 3")
case("beam without a section", changed(BEAM, "body.beam", square=None), "body.beam.square", "section")
case("beam with two sections", changed(BEAM, "body.beam", circle=0.1), "body.beam.", "square")
case("beam with another method", changed(BEAM, "time", method="cd-lagrange"), "body.beam.type", "cd-lagrange")
case("beam with two starts", changed(BEAM, "body.beam", frame=(0, 0, 1, 0, 0, 0)), "body.beam.position", "frame")
case("next strain without a time", changed(BEAM, "body.beam", next_strain=(0, 0, 0, 0, 0, 1)), "body.beam.next-strain", "next-time")
case("beam of nothing", changed(BEAM, "body.beam", rectangle=(0, 1), square=None), "body.beam.rectangle", "positive")

# beams in equilibrium
WIRE = {"type": "beam", "formulation": "exponential", "length": 1, "elements": 4, "circle": 0.01, "young": 1e9, "density": 1000, "clamped": "left"}
WIRES = {
    "": {"dimension": 3},
    "time": {"method": "quasi-static", "step": 1, "end": 1},
    "body.upper": {**WIRE, "position": (0.02, 0, 0)},
    "body.lower": WIRE,
    "contact.touch": {"first": "upper", "second": "lower"},
}
case("length of an arc", changed(WIRES, "body.upper", curve="arc", arc_radius=1, arc_angle=1), "body.upper.length", "arc")
case("helix without an end", changed(WIRES, "body.upper", curve="helix", length=None, helix_radius=1, pitch=3), "body.upper.turns", "length")
case("arc for the wrong formulation", changed(WIRES, "body.upper", formulation="cayley", curve="arc", length=None, arc_radius=1, arc_angle=1), "body.upper.curve", "straight")
case("elements of an arc that turn too far", changed(WIRES, "body.upper", curve="arc", length=None, arc_radius=1, arc_angle=20), "body.upper.elements", "turn", "5 rad")
case("beam without length at the start", changed(WIRES, "body.upper", strain=(0, 0, 0, 0, 0, 0)), "body.upper.strain", "positive")
case("beams of two formulations in contact", changed(WIRES, "body.lower", formulation="cayley"), "contact.touch.second", "exponential")
case("contact of a square beam", changed(WIRES, "body.lower", circle=None, square=0.01), "contact.touch.second", "circular")
case("contact of beams at points", changed(WIRES, "contact.touch", method="point"), "contact.touch.method", "mortar")
case("restitution of beams", changed(WIRES, "contact.touch", restitution=0.5), "contact.touch.restitution", "0")
case("beams that overlap", changed(WIRES, "body.upper", position=(0.015, 0, 0)), "contact.touch", "overlap")
case("node held twice", {**WIRES, "joint.j": {"type": "clamp", "body": "upper"}}, "time.method", "twice")
case("axis of a clamp", {**WIRES, "joint.j": {"type": "clamp", "body": "upper", "at": "right", "axis": (0, 0, 1)}}, "joint.j.axis", "hinge")
case("hinge without an axis", {**WIRES, "joint.j": {"type": "hinge", "body": "upper", "at": "right"}}, "joint.j.axis")
case("moved beam without a frame", {**WIRES, "motion.m": {"body": "upper.right", "displacement": ("t", 0, 0)}}, "motion.m.displacement", "frame")
case("moment along a line", {**WIRES, "load.l": {"body": "upper", "at": "line", "moment": (0, 1, 0)}}, "load.l.moment", "line")
NSGA = {**WIRES, "time": {"method": "nsga", "step": 1e-3, "steps": 2}}
case("nsga with the other formulation", changed(changed(NSGA, "body.lower", formulation="cayley"), "contact.touch", second="floor") | {"body.floor": {"type": "plane", "normal": (1, 0, 0), "point": (-1, 0, 0)}}, "time.method", "exponential")
case("spectral radius above one", changed(NSGA, "time", rho_infinity=1.2), "time.rho-infinity", "1.2")
case("solid with nsga", {**NSGA, "body.s": {"type": "solid", "shape": "box", "lower": (5, 5, 5), "upper": (6, 6, 6), "cells": (1, 1, 1), "young": 1, "poisson": 0, "density": 1}}, "body.s.type", "nsga")
case("bar without mass at its end with nsga", {"": {"dimension": 1}, "time": NSGA["time"], "body.bar": {"type": "bar", "length": 1, "elements": 3, "area": 1, "young": 1, "density": 1, "tip": "massless-shifted"}, "body.wall": {"type": "plane", "point": 2, "normal": -1}, "contact.wall": {"first": "bar", "second": "wall"}}, "time.method", "mass")
case("surface of a square beam", changed(changed(NSGA, "body.upper", circle=None, square=0.01), "contact.touch", second="floor", method="mortar") | {"body.floor": {"type": "plane", "normal": (1, 0, 0), "point": (-1, 0, 0)}}, "contact.touch.method", "circular")
case("surface of a part of a beam", changed(NSGA, "contact.touch", first="upper.right", second="floor", method="mortar") | {"body.floor": {"type": "plane", "normal": (1, 0, 0), "point": (-1, 0, 0)}}, "contact.touch.method", "point")
case("nodes of a beam in equilibrium", changed(WIRES, "contact.touch", first="upper.right", second="floor") | {"body.floor": {"type": "plane", "normal": (1, 0, 0), "point": (-1, 0, 0)}}, "time.method", "contact.touch")
case("beam in an obstacle", changed(WIRES, "contact.touch", second="floor") | {"body.floor": {"type": "plane", "normal": (1, 0, 0), "point": (0.015, 0, 0)}}, "contact.touch", "overlap")
case("penalty with nsga", changed(NSGA, "contact.touch", law="penalty", stiffness=1), "contact.touch.law", "nsga")
case("moved bar with nsga", {"": {"dimension": 1}, "time": NSGA["time"], "body.bar": {"type": "bar", "length": 1, "elements": 3, "area": 1, "young": 1, "density": 1}, "motion.m": {"body": "bar.left", "displacement": "t"}}, "time.method", "motion")
STICK = {"type": "rigid", "mass": 1, "inertia": (1, 1, 1), "nodes": (0, 0, 0.5), "position": (5, 0, 0)}
case("joint of a particle", {**NSGA, "body.p": {"type": "particle", "mass": 1, "position": (9, 0, 0)}, "joint.j": {"type": "spherical", "body": "p"}}, "joint.j.body", "rigid")
case("joint with a particle", {**NSGA, "body.p": {"type": "particle", "mass": 1, "position": (9, 0, 0)}, "joint.j": {"type": "spherical", "body": "upper", "other": "p"}}, "joint.j.other", "rigid")
case("joint with itself", {**NSGA, "body.p": STICK, "joint.j": {"type": "spherical", "body": "p", "other": "p"}}, "joint.j.other", "another")
case("joint of a body with a pivot", {**NSGA, "body.p": {**STICK, "pivot": (0, 0, 1)}, "joint.j": {"type": "spherical", "body": "p"}}, "joint.j.body", "pivot")
case("joint of copies", {**NSGA, "body.p": {**STICK, "copies": (2, 1, 1), "spacing": (1, 1, 1)}, "joint.j": {"type": "spherical", "body": "p"}}, "joint.j.body", "copies")
case("place on no other body", {**NSGA, "body.p": STICK, "joint.j": {"type": "spherical", "body": "p", "other-at": "left"}}, "joint.j.other-at", "other")
case("joint with an explicit method", {**changed(RIGID, "time", method="cd-lagrange"), "joint.j": {"type": "spherical", "body": "free"}}, "time.method", "joints")
case("exponential beam with an impact method", changed(BEAM, "body.beam", formulation="exponential"), "time.method", "cayley")
case("joint of a cayley beam", {**BEAM, "joint.j": {"type": "clamp", "body": "beam"}}, "joint.j.body", "exponential")
case("beam above the stability limit", changed(BEAM, "time", step=1e-2), "time.step", "stability limit")
case("beam that overlaps", changed(BEAM, "body.beam", position=(0, 0, -1)), "contact.ground", "overlap")
case("two beams in contact", {**BEAM, "body.other": {**BEAM["body.beam"], "position": (1, 0, 1)}, "contact.both": {"first": "beam", "second": "other"}}, "contact.both.first", "exponential")
case("restitution of impacts that keep the energy", changed(BEAM, "contact.ground", restitution=0.5), "time.method", "contact.ground")
case("load on a beam", {**BEAM, "load.x": {"body": "beam", "at": "right", "force": (0, 0, 1)}}, "time.method", "loads")
case("ground that moves under a beam", {**BEAM, "motion.x": {"body": "ground", "displacement": "0 0 t"}}, "time.method", "move", "ground")
case("prolonged contact with mass", changed(SPLIT, "time", variant="prolonged"), "time.variant", "massless-split")
case("bounce without mass", changed(changed(SPLIT, "time", variant="bounce"), "body.bar", tip="massless-split"), "time.variant", "massive")
case("tip fraction of one", changed(SPLIT, "body.bar", tip="massless-split", tip_fraction=1), "body.bar.tip-fraction", "below 1")

# what is missing
case("no method", changed(BASE, "time", method=None), "time.method", "required")
case("no section [time]", without(BASE, "time"), "time.method", "required")
case("no dimension", changed(BASE, "", dimension=None), "dimension", "required")
case("no mass", changed(BASE, "body.ball", mass=None), "body.ball.mass", "required")
case("no type", changed(BASE, "body.ball", type=None), "body.ball.type", "required")
case("no step", changed(BASE, "time", step=None), "time.step", "required")
case("no end", changed(BASE, "time", steps=None), "time.end", "required")
case("no normal", changed(BASE, "body.floor", normal=None), "body.floor.normal", "required")
case("no stiffness", changed(BASE, "spring.s", stiffness=None), "spring.s.stiffness", "required")
case("no first side", changed(BASE, "contact.ball", first=None), "contact.ball.first", "required")
case("no young", changed(LINE, "body.bar", young=None), "body.bar.young", "required")
case("no value", changed(BASE, "body.ball", mass=""), "body.ball.mass", "no value")
case("no body that moves", {"": {"dimension": 1}, "time": BASE["time"], "body.floor": {"type": "plane", "normal": 1}}, "body")

# numbers
case("word instead of a number", changed(BASE, "body.ball", mass="heavy"), "body.ball.mass", "number", "heavy")
case("number and more", changed(BASE, "body.ball", mass="1 kg"), "body.ball.mass", "1 kg")
case("comma instead of a point", changed(BASE, "body.ball", mass="1,5"), "body.ball.mass", "1,5")
case("hexadecimal", changed(BASE, "body.ball", mass="0x10"), "body.ball.mass", "0x10")
case("negative mass", changed(BASE, "body.ball", mass=-1), "body.ball.mass", "must be positive, got -1")
case("zero mass", changed(BASE, "body.ball", mass=0), "body.ball.mass", "must be positive, got 0")
case("nan", changed(BASE, "body.ball", position="0 nan"), "body.ball.position", "finite", "nan")
case("inf", changed(BASE, "body.ball", velocity="inf 0"), "body.ball.velocity", "finite", "inf")
case("too large for a number", changed(BASE, "body.ball", mass="1e999"), "body.ball.mass", "1e999")
case("nan as step", changed(BASE, "time", step="nan"), "time.step", "nan")
case("inf as end", changed(changed(BASE, "time", steps=None), "time", end="inf"), "time.end", "inf")
case("zero step", changed(BASE, "time", step=0), "time.step", "positive")
case("negative step", changed(BASE, "time", step=-1e-3), "time.step", "positive")
case("step above the stability limit", changed(BASE, "time", step=1.0), "time.step", "stability limit")
case("bar above the stability limit", changed(changed(LINE, "time", courant=None), "time", step=1.1e-3), "time.step", "stability limit")
case("courant above one", changed(LINE, "time", courant=1.5), "time.courant", "1.5")
case("courant zero", changed(LINE, "time", courant=0), "time.courant", "0")
case("courant of nothing elastic", changed(changed(without(BASE, "spring.s"), "time", step=None), "time", courant=0.5), "time.courant")
case("step and courant", changed(LINE, "time", step=1e-5), "time.", "step")
case("end and steps", changed(BASE, "time", end=1), "time.", "end")
case("end shorter than a step", changed(changed(BASE, "time", steps=None), "time", end=1e-9), "time.end")
case("end beyond all steps", changed(changed(BASE, "time", steps=None), "time", end=1e30), "time.end")
case("zero steps", changed(BASE, "time", steps=0), "time.steps", "positive")
case("fraction of a step", changed(BASE, "time", steps=2.5), "time.steps", "whole")
case("too many steps", changed(BASE, "time", steps="99999999999999999999"), "time.steps", "too large")
case("dimension four", changed(BASE, "", dimension=4), "dimension", "4")
case("negative gap tolerance", changed(BASE, "time", gap_tolerance=-1), "time.gap-tolerance")
case("theta below one half", changed(changed(BASE, "time", method="moreau-jean"), "time", theta=0.4), "time.theta", "0.5")
case("restitution above one", changed(BASE, "contact.ball", restitution=1.1), "contact.ball.restitution", "1.1")
case("negative restitution", changed(BASE, "contact.ball", restitution=-0.1), "contact.ball.restitution", "-0.1")
case("negative friction", changed(BASE, "contact.ball", friction=-0.1), "contact.ball.friction", "-0.1")
case("negative radius", changed(BASE, "body.ball", radius=-1), "body.ball.radius", "-1")
case("negative stiffness", changed(BASE, "spring.s", stiffness=-1), "spring.s.stiffness", "-1")
case("negative vtk-every", changed(BASE, "output", vtk_every=-1), "output.vtk-every", "-1")
case("negative checkpoint-every", changed(BASE, "output", checkpoint_every=-5), "output.checkpoint-every", "-5")
case("zero history-every", changed(BASE, "output", history_every=0), "output.history-every", "0")
case("a bar too small for its numbers", changed(LINE, "body.bar", length=1e-320), "body.bar", "finite")
case("no elements", changed(LINE, "body.bar", elements=0), "body.bar.elements", "0")
case("too many elements", changed(LINE, "body.bar", elements=10**12), "body.bar.elements")

# vectors
case("vector too short", changed(BASE, "body.ball", position=1), "body.ball.position", "2 numbers", "got 1")
case("vector too long", changed(BASE, "body.ball", position=(1, 2, 3)), "body.ball.position", "2 numbers", "got 3")
case("gravity of another dimension", changed(BASE, "", gravity=(0, 0, -9.81)), "gravity", "2 numbers", "got 3")
case("plane with zero normal", changed(BASE, "body.floor", normal=(0, 0)), "body.floor.normal", "zero")
case("cylinder in the plane", {**BASE, "body.tube": {"type": "cylinder", "radius": 1, "axis": (0, 1)}}, "body.tube.type", "dimension")
case("zero axis of a bar", changed({**BASE, "body.bar": {**BAR, "position": (5, 5)}}, "body.bar", axis=(0, 0)), "body.bar.axis", "zero")
case("axis in one dimension", changed(LINE, "body.bar", axis=1), "body.bar.axis")
case("spin in one dimension", changed(LINE, "body.bar", spin=1), "body.bar.spin")

# bodies and contacts
case("body that the method cannot handle", changed(changed(BASE, "body.ball", type="solid"), "time", method="moreau-jean"), "body.ball.type", "solid")
for dimension, gap in ((2, "facet-normal"), (3, "closest-point")):
    soft = {"type": "solid", "shape": "ball", "radius": 1, "cells": 1, "young": 1, "poisson": 0.3, "density": 1}
    case(f"gap {gap} in dimension {dimension}",
         {"": {"dimension": dimension}, "time": {"method": "midpoint", "step": 0.1, "end": 1}, "body.a": soft,
          "body.b": {**soft, "position": (3, *(dimension - 1) * (0,))}, "contact.ab": {"first": "a", "second": "b", "gap": gap}},
         "contact.ab.gap", "smoothed-normal", f"dimension {dimension}")
CUBE = {"type": "solid", "shape": "box", "lower": (0, 0), "upper": (1, 1), "cells": (2, 2), "young": 1, "poisson": 0.3, "density": 1}
GLUED = {"": {"dimension": 2}, "time": {"method": "cd-lagrange", "step": 1e-3, "end": 1}, "body.cube": CUBE, "body.floor": {"type": "plane", "normal": (0, 1)},
         "contact.glue": {"first": "cube.ymin", "second": "floor", "law": "rccm", "normal-stiffness": 1, "tangential-stiffness": 1, "elastic-limit": 0.1, "rupture": 1}}
case("rupture below the elastic limit", changed(GLUED, "contact.glue", rupture=0.05), "contact.glue.rupture", "elastic-limit", "0.05")
case("adhesion of what does not touch", changed(GLUED, "body.cube", position=(0, 1)), "contact.glue.law", "no facet")
case("adhesion with an implicit method", changed(GLUED, "time", method="midpoint"), "contact.glue.law", "cd-lagrange")
case("adhesion of particles", changed(BASE, "contact.ball", law="rccm"), "contact.ball.law", "cd-lagrange")
case("delay shorter than the step", changed(GLUED, "contact.glue", delay_time=1e-4), "time.step", "delay-time")
case("negative stiffness of adhesion", changed(GLUED, "contact.glue", normal_stiffness=-1), "contact.glue.normal-stiffness", "-1")
case("a step above the limit of the interface", changed(GLUED, "contact.glue", normal_stiffness=1e9), "time.step", "stability limit")
case("consistent mass with explicit steps", changed(GLUED, "body.cube", mass="consistent"), "body.cube.mass", "lumped")
case("no estimates", changed(GLUED, "time", estimate_every=0), "time.estimate-every", "0")
case("mortar in front of an obstacle with explicit steps", changed(GLUED, "contact.glue", method="dual-mortar"), "contact.glue.method", "point")
PAIR = {"": {"dimension": 2}, "time": {"method": "cd-lagrange", "step": 1e-3, "end": 1}, "body.a": CUBE, "body.b": {**CUBE, "position": (0, 1.01)},
        "contact.ab": {"first": "b", "second": "a", "method": "node-to-face"}}
QUADRATIC = changed(PAIR, "body.b", order=2)
case("third order", changed(PAIR, "body.b", order=3), "body.b.order", "1", "2", "3")
case("cubes of second order", changed(QUADRATIC, "body.b", cell="cube"), "body.b.order", "triangles")
case("mortar of second order", changed(QUADRATIC, "contact.ab", method="dual-mortar"), "contact.ab.method", "order 1", "b has order 2", "node-to-face")
case("contact of second order with implicit steps", changed(QUADRATIC, "time", method="midpoint"), "contact.ab", "order 1", "cd-lagrange")
case("second order on an obstacle with implicit steps", changed(changed(without(GLUED, "contact.glue"), "body.cube", order=2, position=(0, 1)), "time", method="midpoint") | {"contact.fall": {"first": "cube.ymin", "second": "floor"}}, "contact.fall", "order 1", "cd-lagrange")
case("adhesion of second order", changed(GLUED, "body.cube", order=2), "contact.glue.law", "cube has order 2")
case("faces with an implicit method", changed(PAIR, "time", method="midpoint"), "contact.ab.method", "dual-mortar")
case("points between solids", changed(PAIR, "contact.ab", method="point"), "contact.ab.method", "node-to-face")
case("a mesh that is not there", changed(PAIR, "body.a", mesh="none.msh", shape=None, lower=None, upper=None, cells=None), "body.a.mesh", "none.msh", "cannot be opened")
case("a tolerance that tolerates everything", changed(changed(PAIR, "time", method="midpoint"), "contact.ab", method="dual-mortar") | {"solver": {"tolerance": 2}}, "solver.tolerance", "below 1")
case("a patch that is not there", changed(PAIR, "contact.ab", first="b.side"), "contact.ab.first", "side", "ymax")
case("solids that overlap at the start", changed(PAIR, "body.b", position=(0, 0.99)), "contact.ab", "overlap")
case("a drop that is too wide", changed(changed(GLUED, "body.floor", type="drop", normal=None, radius=2, axis=(0, 1)), "body.floor", angle=2), "body.floor.angle", "pi/2")
case("unknown body in a contact", changed(BASE, "contact.ball", first="bal"), "contact.ball.first", "bal", "ball")
case("unknown obstacle in a contact", changed(BASE, "contact.ball", second="flor"), "contact.ball.second", "flor", "floor")
case("unknown body of a probe", changed(BASE, "probe.ball", body="bell"), "probe.ball.body", "bell")
case("contact with itself", changed(BASE, "contact.ball", second="ball"), "contact.ball.second", "another body")
case("obstacle as the first side", changed(changed(BASE, "contact.ball", first="floor"), "contact.ball", second="ball"), "contact.ball.first", "obstacle")
case("contact of two obstacles", changed({**BASE, "body.wall": {"type": "plane", "normal": (1, 0)}}, "contact.ball", first="wall"), "contact.ball.first", "obstacle")
case("unknown part", changed(LINE, "contact.wall", first="bar.middle"), "contact.wall.first", "middle")
case("part is missing", changed(LINE, "contact.wall", first="bar."), "contact.wall.first", "part")
case("friction in one dimension", changed(LINE, "contact.wall", friction=0.1), "contact.wall.friction", "dimension 1")
case("overlap with an obstacle", changed(BASE, "body.ball", position=(0, 0.05)), "contact.ball", "overlap by 0.05")
case("overlap of two bodies", changed({**BASE, "contact.two": {"first": "ball", "second": "other"}}, "body.other", position=(0.1, 1)), "contact.two", "overlap by 0.1")
case("overlap of a bar", changed(LINE, "body.wall", point=0.75), "contact.wall", "overlap by 0.25")
case("overlap of an end without mass", changed(changed(LINE, "body.bar", tip="massless-shifted"), "body.wall", point=0.75), "contact.wall", "overlap by 0.25")
case("particles without radius in the plane",
     changed(changed({**without(BASE, "contact.ball"), "contact.two": {"first": "ball", "second": "other"}}, "body.ball", radius=0), "body.other", radius=0),
     "contact.two.first", "radius")
case("end without mass in the plane", {**BASE, "body.bar": {**BAR, "position": (5, 5), "tip": "massless-shifted"}}, "body.bar.tip", "dimension 1")
case("two contacts at an end without mass",
     {**changed(LINE, "body.bar", tip="massless-shifted"), "contact.two": {"first": "bar", "second": "ball"}}, "contact.", "one contact")
case("end without mass and restitution", changed(changed(LINE, "body.bar", tip="massless-shifted"), "contact.wall", restitution=0.5), "contact.wall.restitution")
case("end without mass and moreau-jean",
     changed(changed(changed(LINE, "body.bar", tip="massless-shifted"), "time", method="moreau-jean", courant=None), "time", step=1e-4), "time.method", "mass")
case("unknown tip", changed(LINE, "body.bar", tip="light"), "body.bar.tip", "light")
case("three tips", changed(LINE, "body.bar", tip="massive massive massive"), "body.bar.tip")
case("too few elements for ends without mass", changed(changed(LINE, "body.bar", tip="massless-shifted"), "body.bar", elements=2), "body.bar.elements")
case("landing without an end without mass", changed(LINE, "time", landing="both"), "time.landing", "massless-shifted")
case("landing and adaptive-energy", changed(changed(LINE, "body.bar", tip="massless-shifted"), "time", landing="both", adaptive_energy="yes"), "time.adaptive-energy", "landing")
case("flag", changed(BASE, "time", adaptive_energy="maybe"), "time.adaptive-energy", "yes or no", "maybe")
case("spring to an obstacle", changed(changed(BASE, "spring.s", anchor=None), "spring.s", other="floor"), "spring.s.other", "obstacle")
case("spring of an obstacle", changed(BASE, "spring.s", body="floor"), "spring.s.body", "obstacle")
case("spring with anchor and other", changed(BASE, "spring.s", other="other"), "spring.s.anchor", "other")
case("spring with a place but no other body", {**BASE, "spring.s": {**BASE["spring.s"], "other-at": "left"}}, "spring.s.other-at")
case("probe of an obstacle", changed(BASE, "probe.ball", body="floor"), "probe.ball.body", "obstacle")
case("probe at a node that does not exist", {**LINE, "probe.p": {"body": "bar", "at": 11}}, "probe.p.at", "11")
case("load on an obstacle", {**BASE, "load.l": {"body": "floor", "force": (0, 1)}}, "load.l.body", "obstacle")
case("load on an end without mass", {**changed(LINE, "body.bar", tip="massless-shifted"), "load.l": {"body": "bar", "at": "right", "force": 1}}, "load.l.at", "mass")
case("free force", {**BASE, "load.l": {"body": "ball", "force": "free 1"}}, "load.l.force", "free")

# expressions
case("malformed expression", {**BASE, "load.l": {"body": "ball", "force": "0 sin(t"}}, "load.l.force", "expression")
case("unknown function", {**BASE, "load.l": {"body": "ball", "force": "0 sine(t)"}}, "load.l.force", "expression", "sine")
case("unknown variable", {**BASE, "load.l": {"body": "ball", "force": "0 x"}}, "load.l.force", "expression")
case("too few expressions", {**BASE, "load.l": {"body": "ball", "force": "t"}}, "load.l.force", "2 expressions", "got 1")
case("motion that does not start at zero", {**LINE, "motion.m": {"body": "bar.left", "displacement": "cos(t)"}}, "motion.m.displacement", "zero")
case("motion of a whole bar", {**LINE, "motion.m": {"body": "bar", "displacement": "t"}}, "motion.m.body", "part")
case("motion of an end without mass", {**changed(LINE, "body.bar", tip="massless-shifted"), "motion.m": {"body": "bar.left", "displacement": "t"}}, "motion.m.body", "mass")
case("motion with moreau-jean", {**changed(changed(LINE, "time", method="moreau-jean", courant=None), "time", step=1e-4),
                                "motion.m": {"body": "bar.left", "displacement": "t"}}, "time.method", "motion")
case("motion of nothing", {**LINE, "motion.m": {"body": "bar.left", "displacement": "free"}}, "motion.m.displacement", "free")
case("motion given twice", {**LINE, "motion.m": {"body": "bar.left", "displacement": "t"}, "motion.n": {"body": "bar.left", "displacement": "2*t"}}, "motion.n.body", "twice")
case("free component of an obstacle", {**BASE, "motion.m": {"body": "floor", "displacement": "free t"}}, "motion.m.displacement", "free")

# files
case("empty file", "", "empty")
case("file of blanks", "\n \n\t\n", "empty")
case("binary file", bytes(range(256)) * 20, "")
case("text", "Dear program, please run something nice.\n", "line 1")
case("section not closed", "dimension = 1\n[time\nstep = 1\n", "line 2")
case("quote not closed", 'title = "never ends\ndimension = 1\n', "line 1", "quote")
case("key without a name", "= 3\n", "line 1")

# keys without effect
case("tip fraction of massive ends", changed(LINE, "body.bar", tip_fraction=0.3), "body.bar.tip-fraction", "not used")
case("tip fraction of shifted ends", changed(LINE, "body.bar", tip="massless-shifted", tip_fraction=0.3), "body.bar.tip-fraction", "not used")
case("estimates without solids", changed(BASE, "time", estimate_every=7), "time.estimate-every", "not used")
case("place of a force on the whole body", changed(BASE, "probe.ball", quantity="force", at=0), "probe.ball.at", "not used")
case("event steps without massless ends", changed(LINE, "time", landing="both"), "time.landing", "massless-shifted")
case("reach of points on a rigid body", {**changed(RIGID, "time", method="cd-lagrange"), "body.soft": {**CUBE, "lower": (4, 0, 0), "upper": (5, 1, 1), "cells": (1, 1, 1)},
     "contact.soft": {"first": "soft", "second": "ball", "method": "point", "reach": 1}}, "contact.soft.reach", "not used")
case("reach of particles", changed(BASE, "contact.ball", reach=1), "contact.ball.reach", "not used")
case("gap of particles", changed(BASE, "contact.ball", gap="closest-point"), "contact.ball.gap", "not used")
case("dynamic gaps with the ground", {**changed(RIGID, "body.free", nodes=(0, 0, 0.5)), "body.ground": {"type": "plane", "normal": (0, 0, 1), "point": (0, 0, -9)},
     "contact.ground": {"first": "free", "second": "ground", "law": "penalty", "stiffness": 1, "penalty-gap": "dynamic"}}, "contact.ground.penalty-gap", "balls and shells")
case("solver of an explicit method", {**BASE, "solver": {"tolerance": 1e-9}}, "solver")
STATIC = {"": {"dimension": 2, "gravity": (0, -1)}, "time": {"method": "quasi-static", "step": 1, "end": 1}, "body.box": {**CUBE, "clamped": "ymin"}}
case("velocity without inertia", changed(STATIC, "body.box", velocity=(0, 1)), "body.box.velocity", "inertia")
case("spin without inertia", changed(STATIC, "body.box", spin=1), "body.box.spin", "inertia")
case("lumped mass without inertia", changed(STATIC, "body.box", mass="lumped"), "body.box.mass", "inertia")
case("slip without impacts", changed(WIRES, "contact.touch", friction=0.1, slip="mid-step"), "contact.touch.slip", "impacts")
case("no folder", changed(BASE, "output", directory='""'), "output.directory")

# friction of methods that have none, with those that have
case("friction of solids with an implicit method", changed(changed(PAIR, "time", method="midpoint"), "contact.ab", method="dual-mortar", friction=0.1),
     "contact.ab.friction", "must be 0", "solid", "midpoint", "cd-lagrange", "dissipative-midpoint", "quasi-static")
case("friction of beams that keep the energy", changed(BEAM, "contact.ground", friction=0.1), "contact.ground.friction", "beam", "multisymplectic", "quasi-static", "nsga")

# static bodies that nothing holds
FREE = changed(STATIC, "body.box", clamped=None)
case("a body that falls", FREE, "body.box", "no equilibrium", "nothing holds", "3 of 3")
case("a body that can slide", changed(changed(FREE, "body.box", rollers="xmin:x"), "", gravity=(0, 0)) | {"load.l": {"body": "box", "at": "ymax", "force": (0, 1)}},
     "body.box", "1 of 3")
case("a body that is moved in one direction", {**FREE, "motion.m": {"body": "box.ymin", "displacement": "t free"}}, "body.box", "2 of 3")
case("two bodies that fall together", {**changed(FREE, "body.box", position=(0, 0)), "body.top": {**CUBE, "position": (0, 1)}, "contact.c": {"first": "top", "second": "box"}},
     "body.box", "body.top", "nothing holds them")
case("a beam that falls", changed(without(without(WIRES, "contact.touch"), "body.upper"), "body.lower", clamped=None) | {"": {"dimension": 3, "gravity": (0, 0, -1)}},
     "body.lower", "6 of 6")
case("a beam that swings", changed(without(without(WIRES, "contact.touch"), "body.upper"), "body.lower", clamped=None) |
     {"": {"dimension": 3, "gravity": (1, 0, 0)}, "joint.j": {"type": "spherical", "body": "lower", "at": "left"}}, "body.lower", "3 of 6")

# --set
case("--set without a value", BASE, "--set time.step", "section.key=value", arguments=("--set", "time.step"))
case("--set without a name", BASE, "--set =5", arguments=("--set", "=5"))
case("--set of an unknown key", BASE, "time: unknown key `stp`", "step", arguments=("--set", "time.stp=1"))
case("--set of an unknown section", BASE, "tme", arguments=("--set", "tme.step=1"))
case("--set of a wrong value", BASE, "time.step", "fast", arguments=("--set", "time.step=fast"))
case("--set of two lines", BASE, "--set", "one line", arguments=("--set", "title=a\nb"))
case("--set of nothing", BASE, "time.step", arguments=("--set", "time.step="))
