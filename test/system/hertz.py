# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""Contact of Hertz on meshes that Gmsh makes here: pressure and width of the contact for its force."""
import math
import shutil
import subprocess
import sys

from dune_impact import History, Test, norm, vtu

test = Test()
RADIUS, MODULUS = 10.0, 200 / (1 - 0.3**2)  # of the scenarios: R and E* = E/(1 - nu^2)


def mesh(name, dimension, size, **numbers):
    """The mesh of a scenario with edges of this size in the contact"""
    file = test.path(f"{name}-{size}.msh")
    settings = [x for key, value in {"h": size, **numbers}.items() for x in ("-setnumber", key, str(value))]
    subprocess.run(["gmsh", f"-{dimension}", "-format", "msh22", "-v", "2", *settings, "-o", file,
                    test.shipped(f"{name}.geo")], check=True, stdout=subprocess.DEVNULL, timeout=120)
    return file


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def area(points):
    sides = [[b - a for a, b in zip(points[0], point)] for point in points[1:]]
    return norm(sides[0]) if len(sides) == 1 else norm(cross(*sides)) / 2


def integral(picture, field):
    """Of a field that is linear on edges or triangles"""
    return sum(area([picture["Coordinates"][i] for i in cell]) * sum(picture[field][i] for i in cell) / len(cell)
               for cell in picture["cells"])


def fit(radii, pressures):
    """p0 and a of p^2 = p0^2 (1 - r^2/a^2) by least squares"""
    x, y = [r * r for r in radii], [p * p for p in pressures]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    slope = sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)
    return math.sqrt(my - slope * mx), math.sqrt(mx - my / slope)


def hertz(dimension, force, radius=RADIUS, modulus=MODULUS):
    """p0 and a for a force; in two dimensions per length"""
    if dimension == 2:
        a = math.sqrt(4 * force * radius / (math.pi * modulus))
        return 2 * force / (math.pi * a), a
    a = (3 * force * radius / (4 * modulus)) ** (1 / 3)
    return 3 * force / (2 * math.pi * a * a), a


def check(name, dimension, size, across, limits, *arguments):
    body, component = name.split("-")[1], "xyz"[dimension - 1]
    folder = test.run(test.shipped(f"{name}.ini"), "--set", f"body.{body}.mesh={mesh(name, dimension, size)}", "--set",
                      "output.vtk-every=1", *arguments)
    h = History(folder)
    title = " ".join([name, *arguments[1::2]])
    for n in range(1, h.rows):
        picture = vtu(folder, name, f"contact-{body}-on-floor", n)
        force = h["impulse_" + component][n] / (h["time"][n] - h["time"][n - 1])
        test.close(f"{title} row {n}: the pressure integrates to the force", integral(picture, "pressure"), force, rtol=1e-12)
    force *= {2: 1, 3: 4}[dimension]  # a quarter of the ball is computed
    p0, a = hertz(dimension, force)
    radii = [norm(x[: dimension - 1]) for x in picture["Coordinates"]]
    touching = [i for i, p in enumerate(picture["pressure"]) if p > 0]
    inside = [i for i in touching if radii[i] < 0.8 * a]
    # nodes on a diameter: of the line, of the edge of the quarter
    on_axis = [i for i in touching if abs(picture["Coordinates"][i][1]) < 1e-6 * a or dimension == 2]
    count = len(on_axis) if dimension == 2 else 2 * len(on_axis) - 1
    test.true(f"{title}: {count} nodes across", count >= across)
    fitted = fit([radii[i] for i in inside], [picture["pressure"][i] for i in inside])
    top = max(picture["pressure"])
    edge = max(radii[i] for i in touching)
    print(f"{title}: {count} nodes across, p0 {top / p0 - 1:+.2%}, fitted p0 {fitted[0] / p0 - 1:+.2%}, a {fitted[1] / a - 1:+.2%}, "
          f"last node {edge / a - 1:+.2%}")
    test.close(f"{title}: largest pressure", top, p0, rtol=limits["largest"])
    test.close(f"{title}: fitted pressure", fitted[0], p0, rtol=limits["p0"])
    test.close(f"{title}: radius", fitted[1], a, rtol=limits["a"])
    test.close(f"{title}: last node in contact", edge, a, atol=size)
    gaps = [g for g, p in zip(picture["gap"], picture["pressure"]) if p > 0]
    test.below(f"{title}: gap of touching nodes", max(map(abs, gaps)), 1e-9 * size)
    test.equal(f"{title}: status", picture["status"], [float(p > 0) for p in picture["pressure"]])


def check_bodies(name, contact, size, radius, meshes):
    """Two elastic bodies, quarters of which are computed; the meshes are made of {body: name of the geometry}, the second one coarser"""
    first, second = ([body, mesh(geometry, 3, factor * size, a=0.19, growth=0.6)] for factor, (body, geometry) in zip((1, 1.23), meshes.items()))
    folder = test.run(test.shipped(f"{name}.ini"), "--set", f"body.{first[0]}.mesh={first[1]}", "--set", f"body.{second[0]}.mesh={second[1]}",
                      "--set", "time.step=1", "--set", "output.vtk-every=1")
    h, picture = History(folder), vtu(folder, name, f"contact-{contact}", 1)
    force = 4 * h["impulse_z"][1]
    p0, a = hertz(3, force, radius, MODULUS / 2)
    radii = [norm(x[:2]) for x in picture["Coordinates"]]
    touching = [i for i, p in enumerate(picture["pressure"]) if p > 0]
    inside = [i for i in touching if radii[i] < 0.8 * a]
    fitted = fit([radii[i] for i in inside], [picture["pressure"][i] for i in inside])
    edge = max(radii[i] for i in touching)
    print(f"{name}: {a / size:.1f} elements across the radius, fitted p0 {fitted[0] / p0 - 1:+.2%}, a {fitted[1] / a - 1:+.2%}, last node {edge / a - 1:+.2%}")
    test.true(f"{name}: elements across the radius", a >= 8 * size, a / size)
    test.close(f"{name}: fitted pressure", fitted[0], p0, rtol=0.03)
    test.close(f"{name}: radius", fitted[1], a, rtol=0.05)
    test.close(f"{name}: last node in contact", edge, a, atol=size)
    # the pressure acts along the normals, which lean by a/R at most
    test.close(f"{name}: the pressure integrates to the force", 4 * integral(picture, "pressure"), force, rtol=(a / radius) ** 2)
    test.below(f"{name}: no overlap", -min(h["min_gap"]), 1e-9 * size)


if not shutil.which("gmsh"):
    test.fail("gmsh", "is missing", "a program")
    sys.exit(test.finish())
for gap in ("point", "dual-mortar"):
    test.attempt("cylinder", check, "hertz-cylinder", 2, 0.008, 20, {"largest": 0.01, "p0": 0.01, "a": 0.03}, "--set", f"contact.cylinder-on-floor.method={gap}")
# pressures of single nodes scatter on an irregular surface mesh
test.attempt("ball", check, "hertz-ball", 3, 0.03, 12, {"largest": 0.08, "p0": 0.03, "a": 0.05})
test.attempt("ball on block", check_bodies, "hertz-ball-on-block", "ball-on-block", 0.0275, 10.0, {"ball": "hertz-ball", "block": "hertz-block"})
test.attempt("two balls", check_bodies, "hertz-two-balls", "upper-on-lower", 0.0275, 5.0, {"upper": "hertz-ball", "lower": "hertz-ball"})
sys.exit(test.finish())
