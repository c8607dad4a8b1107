# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""Set-ups that are in no file, each with something that is known about it."""
import math
import random
import sys

from dune_impact import History, Test, norm, summary

test = Test()

E, RHO, L, A = 2.1e11, 7847.0, 0.254, 0.645e-3  # steel
C = math.sqrt(E / RHO)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def scaled(factor, a):
    return tuple(factor * x for x in a)


def plus(a, b):
    return tuple(x + y for x, y in zip(a, b))


def particle(position, velocity, mass=1.0, radius=0.0):
    return {"type": "particle", "mass": mass, "radius": radius, "position": position, "velocity": velocity}


def bar(position, velocity, elements=50, **more):
    return {"type": "bar", "length": L, "elements": elements, "area": A, "young": E, "density": RHO, "position": position,
            "velocity": velocity, **more}


def time(method="cd-lagrange", **keys):
    return {"method": method, **keys}


def velocity_probe(body, **more):
    return {"body": body, "quantity": "velocity", **more}


def vector(h, name, row, dimension=3):
    return tuple(h[f"{name}.{axis}"][row] for axis in "xyz"[:dimension])


def constant(name, values, atol):
    test.below(name, max(abs(x - values[0]) for x in values), atol)


# -- particles and obstacles ---------------------------------------------------------------------


def check_oblique(method, start, mu, e):
    """An oblique impact on a tilted plane: Newton's law for the normal part, Coulomb's for the rest"""
    n = (1 / 3, 2 / 3, 2 / 3)
    t = (2 / 3, 1 / 3, -2 / 3)
    v = plus(scaled(-2.0, n), scaled(1.0, t))
    h = test.history({
        "": {"dimension": 3}, "time": time(method, step=0.01, steps=100),
        "body.ball": particle(plus(start, scaled(0.5, n)), v, mass=2.5, radius=0.1),
        "body.plane": {"type": "plane", "point": start, "normal": scaled(7.0, n)},
        "contact.c": {"first": "ball", "second": "plane", "restitution": e, "friction": mu},
        "probe.v": velocity_probe("ball")})
    name = f"oblique {method} mu={mu} e={e}"
    after = vector(h, "v", -1)
    slip = max(0.0, 1.0 - mu * (1 + e) * 2.0)
    test.close(f"{name}: velocity", after, plus(scaled(2 * e, n), scaled(slip, t)), atol=1e-12)
    hits = [i for i in range(h.rows) if h["contacts"][i] > 0]
    impulse = tuple(h[f"impulse_{axis}"][hits[0]] for axis in "xyz")
    test.equal(f"{name}: one impact", len(hits), 1 if e > 0 else len(hits))
    test.close(f"{name}: impulse", impulse, scaled(2.5, plus(after, scaled(-1.0, v))), atol=1e-12)
    test.close(f"{name}: energy lost", h["dissipated"][-1], 1.25 * (dot(v, v) - dot(after, after)), atol=1e-12)
    test.ledger(f"{name}: ledger", h, 1e-14)


def check_moving_walls():
    """Elastic impacts on walls of velocity +-w raise the speed by 2w each"""
    w, v = 0.125, 1.0
    h = test.history({
        "": {"dimension": 1}, "time": time(step=1 / 256, steps=800),
        "body.p": particle(0.0, v), "body.a": {"type": "plane", "point": -1.0, "normal": 1},
        "body.b": {"type": "plane", "point": 1.0, "normal": -1},
        "motion.a": {"body": "a", "displacement": f"{w}*t"}, "motion.b": {"body": "b", "displacement": f"-{w}*t"},
        "contact.a": {"first": "p", "second": "a", "restitution": 1}, "contact.b": {"first": "p", "second": "b", "restitution": 1},
        "probe.v": velocity_probe("p"), "probe.x": {"body": "p"}})
    speeds = []
    for x in h["v.x"]:
        if not speeds or abs(x - speeds[-1]) > 1e-9:
            speeds.append(x)
    test.true("moving walls: several impacts", len(speeds) >= 4, speeds)
    test.close("moving walls: speeds", speeds, [(-1) ** k * (v + 2 * w * k) for k in range(len(speeds))], atol=1e-12)
    test.ledger("moving walls: ledger", h, 1e-13)
    test.close("moving walls: work of the walls", h["external_work"][-1], 0.5 * speeds[-1] ** 2 - 0.5 * v**2, rtol=1e-12)
    # a shaking floor under a ball with loss: the ledger holds as well
    h = test.history({
        "": {"dimension": 2, "gravity": (0, -9.81)}, "time": time(step=1e-3, steps=4000),
        "body.p": particle((0, 0.5), (0.1, 0)), "body.floor": {"type": "plane", "normal": (0.1, 1)},
        "motion.floor": {"body": "floor", "displacement": "0.01*cos(20*t)-0.01 0.05*sin(20*t)"},
        "contact.c": {"first": "p", "second": "floor", "restitution": 0.7, "friction": 0.2}})
    test.true("shaking floor: impacts", sum(1 for n in h["contacts"] if n) > 5)
    test.ledger("shaking floor: ledger", h, 1e-11)


def check_round_obstacles():
    for kind, dimension in (("sphere", 2), ("sphere", 3), ("cylinder", 3)):
        e1 = (1.0, 0.0, 0.0)[:dimension]
        extra = {"axis": (0, 0, 3)} if kind == "cylinder" else {}
        # a head-on and an oblique hit at a place that is known: half of sqrt(2) beside the centre
        for beside in (0.0, math.sqrt(0.5)):
            start = (-3.0, beside, 0.25)[:dimension]
            h = test.history({
                "": {"dimension": dimension}, "time": time(step=1e-4, end=4.0),
                "body.p": particle(start, e1, radius=0.25), "body.o": {"type": kind, "radius": 0.75, **extra},
                "contact.c": {"first": "p", "second": "o", "restitution": 1}, "probe.v": velocity_probe("p"), "probe.x": {"body": "p"}},
                "--set", "output.history-every=50")
            if kind == "sphere" and dimension == 3:
                normal = (-math.sqrt(1 - beside**2 - 0.25**2), beside, 0.25)
            else:
                normal = (-math.sqrt(1 - beside**2), beside, 0.0)[:dimension]
            expected = plus(e1, scaled(-2 * dot(e1, normal), normal))
            test.close(f"{kind} in {dimension}D beside {beside}: velocity", vector(h, "v", -1, dimension), expected, atol=1e-3)
            constant(f"{kind} in {dimension}D beside {beside}: energy", h["kinetic"], 1e-13)


def check_gravity():
    """Free fall in any direction: the scheme is exact"""
    for method in ("cd-lagrange", "moreau-jean"):
        g, x, v, tau = (1.0, -2.0, 0.5), (3.0, 4.0, 5.0), (-1.0, 0.5, 2.0), 1 / 64
        for dimension in (1, 2, 3):
            h = test.history({"": {"dimension": dimension, "gravity": g[:dimension]}, "time": time(method, step=tau, steps=200),
                              "body.p": particle(x[:dimension], v[:dimension], mass=3.0),
                              "body.bar": bar(x[:dimension], v[:dimension], 4, density=1.0, young=1.0), "probe.x": {"body": "p"},
                              "probe.b": {"body": "bar"}, "probe.b0": {"body": "bar", "at": "left"}})
            for n in (1, 77, 200):
                t = n * tau
                fallen = [a + b * t + c * t * t / 2 for a, b, c in zip(x, v, g)][:dimension]
                test.close(f"free fall {method} {dimension}D: step {n}", list(vector(h, "x", n, dimension)), fallen, rtol=1e-12)
                test.close(f"free fall of a bar {method} {dimension}D: step {n}", list(vector(h, "b0", n, dimension)), fallen, rtol=1e-11)
            test.below(f"free fall {method} {dimension}D: the bar is not strained", max(map(abs, h["elastic"])), 1e-12)
            test.ledger(f"free fall {method} {dimension}D: ledger", h, 1e-13)


def check_mixed_restitution():
    """Contacts of different restitution that act at once never raise the energy, whatever the masses and velocities"""
    chance = random.Random(7)
    worst, gain, together = 0.0, 0.0, 0
    for _ in range(25):
        count = chance.choice((3, 4, 6))
        scenario = {"": {"dimension": 1}, "time": time(step=0.01, steps=30)}
        for i in range(count):
            scenario[f"body.p{i}"] = particle(float(i), chance.uniform(-1, 1) - i, mass=10 ** chance.uniform(-1, 1), radius=0.5)
        for i in range(count - 1):
            scenario[f"contact.c{i}"] = {"first": f"p{i}", "second": f"p{i + 1}", "restitution": chance.choice((0, 0.3, 0.7, 1))}
        h = History(test.run(scenario))
        together += h["contacts"][0] >= 2
        energy = h["total"]
        worst = max(worst, max(b - a for a, b in zip(energy, energy[1:])) / energy[0])
        test.ledger("mixed restitution: ledger", h, 1e-13)
        constant("mixed restitution: momentum", h["px"], 1e-12 * sum(map(abs, h["px"][:1])) + 1e-12)
        gain = max(gain, max(a - b for a, b in zip(h["dissipated"], h["dissipated"][1:])))
    test.true("mixed restitution: several contacts act at once", together >= 20, together)
    test.below("mixed restitution: energy never grows", worst, 1e-14)
    test.below("mixed restitution: dissipation never falls", gain, 1e-13)
    # in the plane: a disc falls into the gap between two discs that lie on a floor, with friction that cannot gain
    scenario = {"": {"dimension": 2, "gravity": (0, -9.81)}, "time": time(step=1e-3, steps=2000),
                "body.floor": {"type": "plane", "normal": (0, 1)}}
    for i, place in enumerate(((-0.5, 0.5), (0.5, 0.5), (0.1, 1.6))):
        scenario[f"body.d{i}"] = particle(place, (0, 0) if i < 2 else (0, -1), radius=0.5)
        scenario[f"contact.f{i}"] = {"first": f"d{i}", "second": "floor", "restitution": 0.9 * (i == 0), "friction": 0.3, "slip": "mid-step"}
        for j in range(i):
            scenario[f"contact.c{i}{j}"] = {"first": f"d{i}", "second": f"d{j}", "restitution": (0.2, 0.6, 1)[i + j - 1], "friction": 0.5, "slip": "mid-step"}
    h = test.history(scenario)
    test.true("three discs: contacts at once", max(h["contacts"]) >= 3, max(h["contacts"]))
    energy = h["total"][1:]
    test.below("three discs: energy never grows", max(b - a for a, b in zip(energy, energy[1:])), 1e-12 * abs(energy[0]))
    test.ledger("three discs: ledger", h, 1e-13)


# -- bars ----------------------------------------------------------------------------------------


def check_rotating_bar():
    for dimension in (2, 3):
        spin = 300.0 if dimension == 2 else (100.0, 200.0, -300.0)
        h = test.history({"": {"dimension": dimension}, "time": time(courant=0.5, steps=3000),
                          "body.bar": bar((1.0, 2.0, 3.0)[:dimension], (3.0, -4.0, 5.0)[:dimension], 10, axis=(1.0, 1.0, 0.5)[:dimension], spin=spin),
                          "probe.x": {"body": "bar"}})
        scale = max(abs(h[c][0]) for c in ("lx", "ly", "lz"))
        mass = RHO * A * L
        for c in ("lx", "ly", "lz"):
            constant(f"bar that rotates in {dimension}D: {c}", h[c], 1e-12 * scale)
        for c, v in zip(("px", "py", "pz"), (3.0, -4.0, 5.0)[:dimension]):
            constant(f"bar that rotates in {dimension}D: {c}", h[c], 1e-12 * mass * 5)
            test.close(f"bar that rotates in {dimension}D: {c} at the start", h[c][0], mass * v, rtol=1e-12)
        moved = [b - a for a, b in zip(vector(h, "x", 0, dimension), vector(h, "x", -1, dimension))]
        test.close(f"bar that rotates in {dimension}D: path", moved, [v * h["time"][-1] for v in (3.0, -4.0, 5.0)[:dimension]], rtol=1e-10)
        drift = max(abs(e / h["total"][1] - 1) for e in h["total"][1:])
        test.below(f"bar that rotates in {dimension}D: energy", drift, 1e-3)
        test.true(f"bar that rotates in {dimension}D: it is stretched", max(h["elastic"]) > 0)


def check_bar_and_particle():
    """A bar hits a particle; one of enormous mass is a wall"""
    common = {"": {"dimension": 1}, "time": time(courant=0.8, end=2e-4, **{"gap-tolerance": 1e-12}), "body.bar": bar(0.0, 5.0),
              "probe.end": velocity_probe("bar", at="right")}
    wall = test.history({**common, "body.wall": {"type": "plane", "point": L + 2e-4, "normal": -1},
                         "contact.c": {"first": "bar", "second": "wall"}})
    for first, second in (("bar", "p"), ("p", "bar")):
        h = test.history({**common, "body.p": particle(L + 2e-4, 0.0, mass=1e12), "contact.c": {"first": first, "second": second}})
        sign = 1 if first == "bar" else -1
        test.close(f"bar and heavy particle, {first} first: impulses", h["impulse_x"], [sign * r for r in wall["impulse_x"]], atol=1e-9)
        test.close(f"bar and heavy particle, {first} first: end of the bar", h["end.x"], wall["end.x"], atol=1e-7)
    mass = RHO * A * L
    for e in (0, 0.5, 1):
        folder = test.run({**common, "body.p": particle(L + 2e-4, -1.0, mass=mass, radius=1e-5),
                           "contact.c": {"first": "bar", "second": "p", "restitution": e}, "probe.p": velocity_probe("p")})
        h = History(folder)
        test.true(f"bar and particle e={e}: impact", summary(folder)["impacts"] > 0)
        constant(f"bar and particle e={e}: momentum", h["px"], 1e-13 * mass * 5)
        test.ledger(f"bar and particle e={e}: ledger", h, 1e-13)
        test.true(f"bar and particle e={e}: pushed", h["p.x"][-1] > 1, h["p.x"][-1])
        if e == 1:
            test.below("bar and particle e=1: nothing lost", max(map(abs, h["dissipated"])), 1e-12 * h["total"][0])


def check_bar_on_plane():
    """A bar that falls on its end, in any direction of space, is the bar on a line"""
    line = test.history({"": {"dimension": 1}, "time": time(courant=0.8, steps=250, **{"gap-tolerance": 1e-12}), "body.bar": bar(0.0, 5.0),
                         "body.wall": {"type": "plane", "point": L + 2e-4, "normal": -1}, "contact.c": {"first": "bar", "second": "wall"}})
    a = (2 / 7, 3 / 7, 6 / 7)
    start = (0.5, -0.25, 0.125)
    space = test.history({"": {"dimension": 3}, "time": time(step=line["time"][1], steps=250, **{"gap-tolerance": 1e-12}),
                          "body.bar": bar(start, scaled(5.0, a), axis=scaled(3.0, a)),
                          "body.wall": {"type": "plane", "point": plus(start, scaled(L + 2e-4, a)), "normal": scaled(-1.0, a)},
                          "contact.c": {"first": "bar", "second": "wall", "friction": 0.3}})
    test.true("bar on a plane: impact", max(map(abs, line["impulse_x"])) > 0)
    for axis, component in zip("xyz", a):
        test.close(f"bar on a plane: impulse_{axis}", space[f"impulse_{axis}"], [component * r for r in line["impulse_x"]], atol=1e-7)
        test.close(f"bar on a plane: p{axis}", space[f"p{axis}"], [component * p for p in line["px"]], atol=1e-7)
    for column in ("kinetic", "elastic", "total", "dissipated"):
        test.close(f"bar on a plane: {column}", space[column], line[column], atol=1e-6)
    test.close("bar on a plane: contacts", space["contacts"], line["contacts"], atol=0)


def check_particle_beside_bar():
    """A particle that crosses the axis of a bar behind its end does not touch the end"""
    h = test.history({"": {"dimension": 2}, "time": time(step=1e-3, steps=1500),
                      "body.bar": {"type": "bar", "length": 1.0, "elements": 4, "area": 1e-2, "young": 1e4, "density": 1e3, "position": (0.0, 0.0)},
                      "body.p": particle((0.75, 0.75), (-0.25, -1.0), radius=0.05), "contact.c": {"first": "bar.right", "second": "p"},
                      "probe.v": velocity_probe("p")})
    test.close("particle that crosses a bar behind its end: velocity", vector(h, "v", -1, 2), (-0.25, -1.0), atol=1e-12)
    test.close("particle that crosses a bar behind its end: impulses", h["impulse_x"], [0.0] * h.rows, atol=0)


def check_load():
    """The work and the impulse of a force on the end of a bar"""
    h = test.history({"": {"dimension": 1}, "time": time(courant=0.7, steps=1000), "body.bar": bar(0.0, 0.0, 20),
                      "load.pull": {"body": "bar", "at": "right", "force": "1e4*sin(3e4*t)"}, "probe.v": velocity_probe("bar", at="right")})
    tau, force = h["time"][1], [1e4 * math.sin(3e4 * t) for t in h["time"]]
    test.ledger("load: ledger", h, 1e-12)
    test.true("load: works", max(map(abs, h["external_work"])) > 1e-3)
    # half of the first force acts in the start, the last one after the last row
    momentum, work = 0.5 * tau * force[0], 0.0
    for n in range(1, h.rows):
        if abs(momentum - h["px"][n]) > 1e-12 * 1e4 * h["time"][-1]:
            test.fail(f"load: momentum of row {n}", h["px"][n], momentum)
        if abs(work - h["external_work"][n]) > 1e-12 * max(h["kinetic"]):
            test.fail(f"load: work of row {n}", h["external_work"][n], work)
        momentum += tau * force[n]
        if n + 1 < h.rows:
            work += 0.5 * tau * force[n] * (h["v.x"][n] + h["v.x"][n + 1])
    # moreau-jean: theta 1/2 is the midpoint rule for a linear problem, which keeps the balance as well
    h = test.history({"": {"dimension": 1}, "time": time("moreau-jean", step=1e-6, steps=500), "body.bar": bar(0.0, 0.0, 20),
                      "load.pull": {"body": "bar", "at": "right", "force": "1e4*sin(3e4*t)"}})
    test.ledger("load, moreau-jean: ledger", h, 1e-11, begin=0)
    # an end that is moved: work of what moves it
    h = test.history({"": {"dimension": 1}, "time": time(courant=0.7, steps=1000), "body.bar": bar(0.0, 0.0, 20),
                      "motion.left": {"body": "bar.left", "displacement": "1e-4*(1-cos(2e4*t))"}, "probe.x": {"body": "bar", "at": "left"}})
    test.close("moved end: position", h["x.x"], [1e-4 * (1 - math.cos(2e4 * t)) for t in h["time"]], atol=1e-16)
    test.ledger("moved end: ledger", h, 1e-12)


def check_three_bars():
    """Bars of steel, copper and aluminium in a row"""
    scenario = {"": {"dimension": 1}, "time": time(courant=0.8, steps=1500, **{"gap-tolerance": 1e-12})}
    materials = ((2.1e11, 7847.0), (1.2e11, 8960.0), (7e10, 2700.0))
    for i, (young, density) in enumerate(materials):
        scenario[f"body.b{i}"] = bar(i * (L + 1e-4), 5.0 if i == 0 else 0.0, 40 + 7 * i, young=young, density=density)
    for i in range(2):
        scenario[f"contact.c{i}"] = {"first": f"b{i}", "second": f"b{i + 1}"}
    for i in range(3):
        scenario[f"probe.v{i}"] = velocity_probe(f"b{i}")
    folder = test.run(scenario)
    h, s = History(folder), summary(folder)
    test.equal("three bars: both pairs touch", {e["pair"] for e in s["contact_events"]}, {"c0", "c1"})
    constant("three bars: momentum", h["px"], 1e-12 * h["px"][0])
    test.ledger("three bars: ledger", h, 1e-13)
    # ends that separate while waves push them together get back a little energy, no more than that
    test.below("three bars: energy gain in a step", s["energy_gain_max"], 1e-4)
    tau = h["time"][1]
    test.below("three bars: penetration", s["figures"]["max_penetration"], 2 * 5 * tau)
    # the first impact between two materials: velocity of the interface v Z1/(Z1+Z2), force v Z1 Z2/(Z1+Z2)
    z = [A * math.sqrt(young * density) for young, density in materials]
    force = [-r / tau for r, t in zip(h["impulse_x"], h["time"]) if 1e-4 / 5 + 1e-5 < t < 1e-4 / 5 + 4.5e-5]
    test.close("three bars: force of the first impact", sum(force) / len(force), 5 * z[0] * z[1] / (z[0] + z[1]), rtol=0.03)


def check_chain():
    """Two masses and a spring: the discrete frequency is known; a chain keeps momentum"""
    k, m, tau = 50.0, 2.0, 0.02
    discrete = 2 / tau * math.asin(tau / 2 * math.sqrt(2 * k / m))
    h = test.history({"": {"dimension": 1}, "time": time(step=tau, steps=2000), "body.a": particle(0.0, 0.0, m), "body.b": particle(1.25, 0.0, m),
                      "spring.s": {"body": "a", "other": "b", "stiffness": k, "length": 1.0}, "probe.a": {"body": "a"}, "probe.b": {"body": "b"}})
    for n in (1, 10, 999, 2000):
        stretch = 1 + 0.25 * math.cos(discrete * n * tau)
        test.close(f"two masses: distance at step {n}", h["b.x"][n] - h["a.x"][n], stretch, atol=1e-11)
    # rigid boxes, which have many points, are held at their centres unless another place is given, and do not turn
    box = {"type": "rigid", "shape": "box", "size": (0.1, 0.2, 0.3), "mass": m}
    h = test.history({"": {"dimension": 3}, "time": time(step=tau, steps=1000), "body.a": box, "body.b": {**box, "position": (1.25, 0.0, 0.0)},
                      "spring.s": {"body": "a", "other": "b", "stiffness": k, "length": 1.0}, "probe.a": {"body": "a"}, "probe.b": {"body": "b"},
                      "probe.turn": {"body": "a", "at": 0, "quantity": "rotation"}})
    test.close("two boxes: distance", h["b.x"][1000] - h["a.x"][1000], 1 + 0.25 * math.cos(discrete * 1000 * tau), atol=1e-11)
    test.true("two boxes: no rotation", all(h[f"turn.{c}"][1000] == 0 for c in "xyz"))
    chance = random.Random(3)
    for method, tolerance in (("cd-lagrange", 1e-12), ("moreau-jean", None)):
        scenario = {"": {"dimension": 3}, "time": time(method, step=0.01, steps=1000)}
        for i in range(8):
            scenario[f"body.p{i}"] = particle((float(i), chance.uniform(-0.2, 0.2), chance.uniform(-0.2, 0.2)), (0.0, chance.uniform(-1, 1), 0.5), 1.0 + i)
            if i:
                scenario[f"spring.s{i}"] = {"body": f"p{i - 1}", "other": f"p{i}", "stiffness": 20.0 * i, "length": 1.0}
        h = test.history(scenario)
        for c in ("px", "py", "pz"):
            constant(f"chain, {method}: {c}", h[c], 1e-11)
        if tolerance:
            scale = max(abs(h[c][0]) for c in ("lx", "ly", "lz"))
            for c in ("lx", "ly", "lz"):
                constant(f"chain, {method}: {c}", h[c], tolerance * scale)
        test.below(f"chain, {method}: energy", max(abs(e / h["total"][1] - 1) for e in h["total"][1:]), 5e-3)


for method in ("cd-lagrange", "moreau-jean"):
    for mu, e in ((0.1, 0.5), (0.2, 0.0), (0.3, 1.0), (0.9, 0.5), (0.0, 0.7)):
        test.attempt("oblique", check_oblique, method, (0.25, -0.5, 1.0), mu, e)
for group in (check_moving_walls, check_round_obstacles, check_gravity, check_mixed_restitution, check_rotating_bar, check_bar_and_particle,
              check_bar_on_plane, check_particle_beside_bar, check_load, check_three_bars, check_chain):
    test.attempt(group.__name__, group)
sys.exit(test.finish())
