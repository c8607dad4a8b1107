# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""Numbers of an independent implementation of the same schemes, and exact solutions."""
import math
import sys

from dune_impact import History, Test, summary

test = Test()

# The two steel bars of the sources
E, RHO, L, A, D, V0, T = 2.1e11, 7847.0, 0.254, 0.645e-3, 0.2e-3, 5.0, 2e-4
C = math.sqrt(E / RHO)


# -- a ball that bounces to rest ---------------------------------------------------------------

G, RESTITUTION, END = 9.81, 0.8, 5.0


def ball(tau):
    return test.run(test.shipped("bouncing-particle.ini"), "--set", f"time.step={tau!r}", "--set",
                    f"time.end={END}")


def check_ball():
    tau, rtol = 1e-3, 1e-8
    folder = ball(tau)
    h = History(folder)
    r, q, time = h["impulse_x"], h["ball.x"], h["time"]
    test.equal("ball rows", h.rows, 5001)
    test.close("ball t_first_impact", time[h.first("impulse_x", lambda x: x > 0)], 0.452, rtol)
    test.close("ball q_at_1s", q[1000], 0.4693535559999956, rtol)
    test.close("ball q_at_2s", q[2000], 0.26027899047999314, rtol)
    test.close("ball q_at_3s", q[3000], 0.06835934430207301, rtol)
    test.close("ball q_min", min(q), -0.0027373904000060015, rtol)
    test.close("ball q_end", q[5000], -2.8053924903820647e-06, 3.5617145393675746e-06)
    test.close("ball sum_impulse", sum(r), 49.054905000001305, rtol)
    # the velocity of row j+1 is that of the interval (t_j, t_{j+1})
    test.close("ball t_rest", time[h.last("speed.x", lambda v: abs(v) > 1e-10)], 4.127, rtol)
    test.close("ball last_impulse", r[5000], 0.009809999999999994, rtol)
    s = summary(folder)
    test.close("ball summary first_contact", s["figures"]["first_contact"], 0.452, rtol)
    test.close("ball summary total_impulse", s["figures"]["total_impulse"], 49.054905000001305, rtol)
    test.close("ball summary max_penetration", s["figures"]["max_penetration"], 0.0027373904000060015, rtol)


def exact_ball(t):
    """Position for a drop from 1 m: parabolas between the impacts, at rest after the last of them"""
    t0 = math.sqrt(2 / G)
    if t < t0:
        return 1 - G * t * t / 2
    start, speed = t0, RESTITUTION * math.sqrt(2 * G)
    while speed > 1e-9:
        flight = 2 * speed / G
        if t < start + flight:
            return speed * (t - start) - G * (t - start) ** 2 / 2
        start, speed = start + flight, RESTITUTION * speed
    return 0.0


def check_exact_ball():
    exact = [0.45152364098573067, 1.1739614665628997, 1.751911727024635, 2.2142719353940237, 2.5841601020895344,
             2.880070635445943]
    errors = []
    for tau in (1e-2, 5e-3, 2.5e-3, 1.25e-3, 6.25e-4):
        folder = ball(tau)
        h = History(folder)
        error = max(abs(q - exact_ball(t)) for q, t in zip(h["ball.x"], h["time"]))
        errors.append(error)
        test.below(f"exact ball, step {tau}: position error", error, 8 * tau)
        events = summary(folder)["contact_events"]
        for n, t in enumerate(exact):
            # one step per impact so far, carried on by the flights that follow
            test.below(f"exact ball, step {tau}: time of impact {n}", abs(events[n]["begin"] - t), 3 * (n + 1) * tau)
        still = h["time"][h.last("speed.x", lambda v: abs(v) > 1e-10)]
        test.true(f"exact ball, step {tau}: time of rest", 0 < still - 4.063712768871578 < 100 * tau, still)
    order = math.log(errors[0] / errors[-1]) / math.log(16)
    test.close("exact ball: order of the position error", order, 1, atol=0.2)


# -- five touching masses ----------------------------------------------------------------------


def check_cradle(e, r, v_plus):
    names = "abcde"
    scenario = {"": {"dimension": 1}, "time": {"method": "cd-lagrange", "step": 0.01, "steps": 3}}
    for i, name in enumerate(names):
        scenario[f"body.{name}"] = {"type": "particle", "mass": 1, "radius": 0.5, "position": i,
                                    "velocity": 1 if i == 0 else 0}
        scenario[f"probe.v{name}"] = {"body": name, "quantity": "velocity"}
        scenario[f"probe.f{name}"] = {"body": name, "quantity": "force"}
    for a, b in zip(names, names[1:]):
        scenario[f"contact.{a}{b}"] = {"first": a, "second": b, "restitution": e}
    for start, row, weight in (("time-zero", 0, 0.005), ("first-interval", 1, 0.01)):
        scenario["time"]["start"] = start
        h = test.history(scenario)
        name = f"cradle e={e} {start}"
        # the impact is the kick of this row; its velocities belong to the interval after it
        test.close(f"{name} v_plus", [h[f"v{x}.x"][row + 1] for x in names], v_plus, atol=1e-11)
        impulses, sum_ = [], 0
        for x in names[:-1]:
            sum_ -= h[f"f{x}.x"][row] * weight
            impulses.append(sum_)
        test.close(f"{name} r", impulses, r, atol=1e-11)
        test.close(f"{name} impulse on the first sides", h["impulse_x"][row], -sum(r), atol=1e-11)
        test.close(f"{name} momentum", h["px"], [1.0] * 4, atol=1e-11)
        test.close(f"{name} energy", h["total"][row + 1], sum(v * v / 2 for v in v_plus), atol=1e-11)


# -- two bars ----------------------------------------------------------------------------------


def bar(n, position, velocity):
    return {"type": "bar", "length": L, "elements": n, "area": A, "young": E, "density": RHO, "position": position,
            "velocity": velocity}


def steps(tau):
    return math.floor(T / tau + 1e-9)


def two_bars(n, tau):
    scenario = {"": {"dimension": 1},
                "time": {"method": "cd-lagrange", "step": tau, "steps": steps(tau), "gap-tolerance": 1e-12},
                "body.left": bar(n, -L - D, V0), "body.right": bar(n, D, -V0),
                "contact.middle": {"first": "left", "second": "right"},
                "probe.speed": {"body": "left", "at": "right", "quantity": "velocity"}}
    for i in range(n + 1):
        scenario[f"probe.l{i}"] = {"body": "left", "at": i, "quantity": "displacement"}
        scenario[f"probe.r{i}"] = {"body": "right", "at": i, "quantity": "displacement"}
    return scenario


def check_bars(n, tau, k, expected):
    rtol, atol = 1e-7, 1e-9
    name = f"bars n={n}"
    folder = test.run(two_bars(n, tau))
    h = History(folder)
    last = steps(tau)
    test.equal(f"{name} rows", h.rows, last + 1)
    r, time = [-x for x in h["impulse_x"]], h["time"]
    active = [i for i in range(1, last + 1) if r[i] > 0]
    energy = h["total"]
    value = {
        "t_first": time[active[0]], "r_first": r[active[0]], "t_last": time[active[-1]], "n_active": len(active),
        "I_total": sum(r[1:]), "I_at_8e5": sum(x for x, t in zip(r, time) if t <= 8e-5 * (1 + 1e-9)),
        "Wc_per_bar": -h["dissipated"][last] / 2,  # up to the kick before the last
        "E_end": energy[last] / 2, "v_end": h["speed.x"][last], "peak_force": max(r[1:]) / tau,
        "K_9e5": h["kinetic"][k + 1] / 2, "I_9e5": h["elastic"][k + 1] / 2,
        "energy_balance": max(abs(energy[i] - energy[1] + h["dissipated"][i]) / 2 for i in range(1, last + 1)),
        "max_penetration": -min(0.0, min(h["min_gap"][1:])),
        "symmetry": max(abs(h[f"l{i}.x"][last] + h[f"r{n - i}.x"][last]) for i in range(n + 1)),
    }
    for key, number in expected.items():
        if number == 0:
            test.close(f"{name} {key}", value[key], 0, atol=atol)
        else:
            test.close(f"{name} {key}", value[key], number, rtol)
    test.equal(f"{name} n_active", value["n_active"], expected["n_active"])
    figures = summary(folder)["figures"]
    for key, figure in (("t_first", "first_contact"), ("t_last", "last_contact"), ("I_total", "total_impulse"),
                        ("peak_force", "peak_force"), ("n_active", "active_steps")):
        test.close(f"{name} summary {figure}", figures[figure], expected[key], rtol)
    return value


BARS = [
    (50, 7.855898763774052e-07, 115, {
        "t_first": 4.006508369524767e-05, "r_first": 0.06427870050000001, "t_last": 0.00013826381824242332,
        "n_active": 126, "I_total": 12.751127736730128, "I_at_8e5": 5.193772874446655,
        "Wc_per_bar": -0.1606967512499982, "E_end": 15.908978373750024, "v_end": -5.173916166772911,
        "peak_force": 142436.10463310473, "K_9e5": 0.3744603967953795, "I_9e5": 15.534517976954634,
        "energy_balance": 0.0, "max_penetration": 6.50836952476334e-07, "symmetry": 0.0}),
    (49, 8e-07, 113, {
        "t_first": 3.9999999999999996e-05, "r_first": 0.0655905107142857, "t_last": 0.0001384, "n_active": 124,
        "I_total": 12.751222081502272, "I_at_8e5": 5.289043464413241, "Wc_per_bar": -0.16397627678572113,
        "E_end": 15.905698848214282, "v_end": -4.730086042212113, "peak_force": 142418.32499185123,
        "K_9e5": 0.42855724320794436, "I_9e5": 15.477141605006329, "energy_balance": 0.0, "max_penetration": 0.0,
        "symmetry": 0.0}),
    (98, 4e-07, 225, {
        "t_first": 3.9999999999999996e-05, "r_first": 0.03279525535714285, "t_last": 0.0001384, "n_active": 247,
        "I_total": 12.79181866846577, "I_at_8e5": 5.262801585690335, "Wc_per_bar": -0.08198813839286498,
        "E_end": 15.98768698660717, "v_end": -4.926293272468292, "peak_force": 142418.32499185196,
        "K_9e5": 0.29211207974510106, "I_9e5": 15.695574906862054, "energy_balance": 0.0, "max_penetration": 0.0,
        "symmetry": 0.0}),
]


def check_exact_bars():
    """Bands: the schemes are of first order in the element size at best, and overshoot the force"""
    impulse, force, energy = 12.855740099999998, 130915.53734660374, 16.069675125
    contact, release = 4e-05, 0.00013819873454717563
    test.close("exact bars c", C, 5173.182753754854, 1e-12)
    errors = []
    for n in (25, 50, 100, 200):
        h_el = L / n
        tau = 0.8 * h_el / C
        h = test.history({**two_bars(n, tau), "time": {"method": "cd-lagrange", "step": tau, "steps": steps(tau),
                                                       "gap-tolerance": 1e-12}})
        r, time = [-x for x in h["impulse_x"]], h["time"]
        active = [i for i, x in enumerate(r) if x > 0]
        name = f"exact bars n={n}"
        test.close(f"{name} first contact", time[active[0]], contact, atol=tau)
        test.close(f"{name} release", time[active[-1]], release, atol=6 * tau)
        # the order of the impulse is 0.7
        test.close(f"{name} impulse", sum(r), impulse, rtol=0.15 * n**-0.7)
        # each bar loses the kinetic energy of its contact node
        test.close(f"{name} energy lost per bar", h["dissipated"][-1] / 2, energy / (2 * n), rtol=1e-9)
        test.close(f"{name} energy at the start per bar", h["total"][0] / 2, energy, rtol=1e-12)
        # mean force over the middle of the contact
        middle = [x / tau for x, t in zip(r, time) if contact + 1e-5 < t < release - 1e-5]
        test.close(f"{name} mean force", sum(middle) / len(middle), force, rtol=1.5 / n)
        errors.append(abs(sum(r) - impulse))
    test.true("exact bars: the impulse converges", errors[3] < errors[1] / 2 < errors[0] / 2, errors)


def half_model(n, time, tip=None):
    scenario = {"": {"dimension": 1}, "time": time, "body.bar": bar(n, 0.0, V0),
                "body.wall": {"type": "plane", "point": L + D, "normal": -1},
                "contact.wall": {"first": "bar", "second": "wall"},
                "probe.speed": {"body": "bar", "at": "right", "quantity": "velocity"},
                "probe.force": {"body": "bar", "quantity": "force"}}
    if tip:
        scenario["body.bar"]["tip"] = tip
    return scenario


def check_moreau():
    rtol, tau = 1e-7, 7.855898763774052e-07
    h = test.history(half_model(50, {"method": "moreau-jean", "theta": 0.5, "step": tau, "steps": steps(tau),
                                     "gap-tolerance": 1e-12}))
    r, time, last = [-x for x in h["impulse_x"]], h["time"], steps(tau)
    active = [i for i, x in enumerate(r) if x > 0]
    test.close("moreau t_first", time[active[0]], 4.0850673571625075e-05, rtol)
    test.close("moreau r_first", r[active[0]], 0.08231690102444741, rtol)
    test.close("moreau t_last", time[active[-1]], 0.00013983499799517812, rtol)
    test.close("moreau I_total", sum(r), 12.672215997292081, rtol)
    test.close("moreau E_end", h["total"][last], 15.863882872438476, rtol)
    test.close("moreau v_end", h["speed.x"][last], -5.503893424043782, rtol)


# -- the end in contact without mass ------------------------------------------------------------


def check_massless(landing, expected):
    rtol, n = 1e-6, 50
    tau = 0.9 * (L / n) / C
    time = {"method": "cd-lagrange", "step": tau, "landing": landing}
    if landing == "none":
        time["steps"] = math.ceil((T - 1e-12) / tau)
    else:
        time["end"] = T
    h = test.history(half_model(n, time, "massive massless-shifted"))
    name = f"massless landing={landing}"
    r, force, t = [-x for x in h["impulse_x"]], [-x for x in h["force.x"]], h["time"]
    test.true(f"{name} stops after the end", t[-2] < T - 1e-12 <= t[-1], t[-2:])
    active = [i for i, x in enumerate(force) if x > 0]
    lengths = [b - a for a, b in zip(t, t[1:])]
    value = {"H_end": h["total"][-1], "dH": h["total"][-1] - h["total"][1], "dH_predicted": -h["dissipated"][-1],
             "impulse": sum(r[1:-1]), "t_first": t[active[0]], "t_last": t[active[-1]], "peak_force": max(force),
             "tau_min_over_tau": min(lengths) / max(lengths)}
    for key, number in expected.items():
        test.close(f"{name} {key}", value[key], number, rtol)


MASSLESS = [
    ("none", {"H_end": 16.04337411660779, "dH": -0.026301008392209724, "dH_predicted": -0.026301008392212485,
              "impulse": 12.812469340630258, "t_first": 4.0654276102530705e-05, "t_last": 0.00013875481191515915,
              "peak_force": 168813.0963001793, "tau_min_over_tau": 1.0}),
    ("release", {"H_end": 16.02154262935681, "dH": -0.04813249564319122, "dH_predicted": -0.04813249564320333,
                 "impulse": 12.805804443040277, "t_first": 4.0654276102530705e-05,
                 "t_last": 0.00013875481191515915, "peak_force": 168813.0963001793,
                 "tau_min_over_tau": 0.3012086321202073}),
    ("both", {"H_end": 16.070084035614805, "dH": 0.0004089106148050803, "dH_predicted": 0.0004089106147912129,
              "impulse": 12.81150040513009, "t_first": 4.0883788610924584e-05, "t_last": 0.00013898432442355303,
              "peak_force": 172023.01607343723, "tau_min_over_tau": 0.07105736768151288}),
]


# -- the rotating spring ------------------------------------------------------------------------


def check_spring(wall, expected):
    rtol, atol = 1e-8, 1e-9
    for method, prefix in (("cd-lagrange", "cdl"), ("moreau-jean", "mj")):
        file = "rotating-spring" + ("-wall" if wall else "") + ("-moreau" if prefix == "mj" else "") + ".ini"
        folder = test.run(test.shipped(file), "--set", "time.end=10", "--set", "time.step=0.05")
        h = History(folder)
        x = list(zip(h["mass.x"], h["mass.y"]))
        test.equal(f"spring {file} rows", h.rows, 201)
        normal = [math.hypot(a, b) for a, b in zip(h["impulse_x"], h["impulse_y"])]
        j = h["lz"] if prefix == "mj" else h["lz"][1:]
        e = h["total"][1:]
        value = {"x_1s": x[20], "x_3s": x[60], "x_end": x[200], "impacts": sum(1 for r in normal if r > 0),
                 "J0": j[0], "J_dev": max(abs(a - j[0]) for a in j), "J_min": min(j), "J_max": max(j),
                 "E_min": min(e), "E_max": max(e)}
        for key, number in expected.items():
            if key.startswith(prefix + "_"):
                name = f"spring {'with wall' if wall else 'free'} {key}"
                if number == 0:
                    test.close(name, value[key[len(prefix) + 1:]], 0, atol=atol)
                else:
                    test.close(name, value[key[len(prefix) + 1:]], number, rtol)


SPRINGS = [
    (False, {"cdl_J0": 1.5, "cdl_J_dev": 0.0, "cdl_x_1s": (0.3212006684847706, 0.6870205299890061),
             "cdl_x_3s": (-0.7639249314407768, -0.8205247657543286),
             "cdl_x_end": (1.5855423241707336, 0.23259245973572196), "cdl_impacts": 0,
             "cdl_E_min": 2.243788587045861, "cdl_E_max": 2.2614054166375053,
             "mj_x_1s": (0.3233733910871873, 0.6876668426686817),
             "mj_x_3s": (-0.7558007803974678, -0.8167125092234535), "mj_J_min": 1.499603336131122,
             "mj_J_max": 1.5061136637776869, "mj_impacts": 0}),
    (True, {"cdl_J0": 1.5, "cdl_J_dev": 0.0, "cdl_x_1s": (0.07750296836190579, 0.8678418683854633),
            "cdl_x_3s": (-0.9282080398494734, -1.1783165257089447),
            "cdl_x_end": (0.4189379140893877, 1.394062110909554), "cdl_impacts": 8,
            "cdl_E_min": 2.2437730093951114, "cdl_E_max": 2.2613964847164216,
            "mj_x_1s": (0.024499877226624903, 0.9334278231545639),
            "mj_x_3s": (-0.8815664462388334, -1.1448769889027894), "mj_J_min": 1.4998027369423943,
            "mj_J_max": 1.5060847804442086, "mj_impacts": 8}),
]

test.attempt("ball", check_ball)
test.attempt("exact ball", check_exact_ball)
test.attempt("cradle", check_cradle, 0, [0.8, 0.6, 0.4, 0.2], [0.2] * 5)
test.attempt("cradle", check_cradle, 1, [1.6, 1.2, 0.8, 0.4], [-0.6, 0.4, 0.4, 0.4, 0.4])
for entry in BARS:
    test.attempt(f"bars n={entry[0]}", check_bars, *entry)
test.attempt("exact bars", check_exact_bars)
test.attempt("moreau", check_moreau)
for entry in MASSLESS:
    test.attempt(f"massless {entry[0]}", check_massless, *entry)
for entry in SPRINGS:
    test.attempt("spring", check_spring, *entry)
sys.exit(test.finish())
