# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""The report of a run, in a browser without a screen.

The page gets two scripts more: one that collects errors, and one that moves the slider and tells what
there is to see. Both leave their findings in the document, which the browser prints.
"""
import html
import json
import os
import re
import shutil
import subprocess
import sys

from dune_impact import History, Test, ini, read, summary

test = Test()
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")

CATCH = """<script>var faults = [];
window.addEventListener("error", e => faults.push(e.message));
var complain = console.error; console.error = (...x) => { faults.push(x.join(" ")); complain(...x); };</script>"""

PROBE = """<script>window.addEventListener("load", () => {
  const colours = canvas => {
    const copy = document.createElement("canvas");
    copy.width = canvas.width; copy.height = canvas.height;
    const context = copy.getContext("2d");
    context.drawImage(canvas, 0, 0);
    const data = new Uint32Array(context.getImageData(0, 0, copy.width, copy.height).data.buffer);
    let sum = 0, others = 0, x = 0, y = 0;
    data.forEach((c, i) => { sum = (sum * 31 + c) % 4294967291; if (c !== data[0]) { ++others; x += i % copy.width; y += Math.floor(i / copy.width); } });
    return {sum, others, x: x / Math.max(1, others), y: y / Math.max(1, others)};
  };
  const found = {plots: [], frames: [], faults};
  document.querySelectorAll(".plot").forEach(plot => found.plots.push([plot.querySelector("h3").textContent, colours(plot.querySelector("canvas")).others]));
  const slider = document.getElementById("slider"), last = Number(slider.max);
  const hidden = document.getElementById("motion").hidden;
  if (!hidden) {
    const look = n => { slider.value = n; slider.dispatchEvent(new Event("input")); return {...colours(document.getElementById("canvas")), time: document.getElementById("time").textContent}; };
    found.frames = [look(0), look(last / 2), look(last), look(0)];
    found.colours = [...document.getElementById("colour").options].map(option => {
      document.getElementById("colour").value = option.value;
      document.getElementById("colour").dispatchEvent(new Event("change"));
      return [option.value, colours(document.getElementById("canvas")).sum];
    });
  }
  found.summary = document.querySelectorAll("#summary tr").length;
  document.body.setAttribute("data-found", JSON.stringify(found));
});</script>"""


def look(folder):
    page = read(folder, "report.html").decode()
    test.true("one page without network", not re.search(r"(src|href)\s*=\s*[\"']?(https?:)?//", page.split('<script id="data"')[0].split("<body>")[0]))
    file = test.write("probe.html", page.replace("<head>", "<head>" + CATCH, 1).replace("</body>", PROBE + "</body>"))
    done = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--window-size=1250,900",
                           "--user-data-dir=" + os.path.join(folder, "browser"), "--virtual-time-budget=20000", "--dump-dom", "file://" + os.path.abspath(file)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", timeout=180, check=False)
    match = re.search(r'data-found="([^"]*)"', done.stdout)
    if not match:
        raise RuntimeError("the page did not answer: " + done.stderr[-500:])
    return json.loads(html.unescape(match.group(1)))


def check_page(name, folder, plots, colours):
    found = look(folder)
    test.equal(f"{name} errors", found["faults"], [])
    titles = [title for title, _ in found["plots"]]
    for title in plots:
        test.true(f"{name} plot {title}", any(t.startswith(title) for t in titles), titles)
    for title, pixels in found["plots"]:
        test.true(f"{name} plot {title} is not empty", pixels > 100, pixels)
    first, middle, last, again = found["frames"]
    test.true(f"{name} something is drawn", min(f["others"] for f in found["frames"]) > 50, found["frames"])
    test.true(f"{name} the slider moves the body", first["sum"] != middle["sum"] != last["sum"], found["frames"])
    test.equal(f"{name} and back", first["sum"], again["sum"])
    test.true(f"{name} time", "t = 0 " in first["time"] and first["time"] != last["time"], first["time"])
    names = [c for c, _ in found["colours"]]
    for colour in colours:
        test.true(f"{name} colour {colour}", colour in names, names)
    test.true(f"{name} colours differ", len({s for _, s in found["colours"]}) > 1, found["colours"])
    test.true(f"{name} summary", found["summary"] > 15, found["summary"])
    test.below(f"{name} size", os.path.getsize(os.path.join(folder, "report.html")), 15e6)
    return found


def check_ball():
    folder = test.run(test.shipped("ball-on-block.ini"), "--set", "time.end=40")
    check_page("ball", folder, ["Energy", "Energy error", "Linear momentum", "Angular momentum", "Smallest gap", "Contact force", "Probe"],
               ["displacement", "velocity", "von_mises", "pressure"])


def check_ball_3d():
    folder = test.run(test.shipped("ball-on-block-3d.ini"), "--set", "time.end=4")
    check_page("ball in three dimensions", folder, ["Energy"], ["velocity", "von_mises", "pressure"])


def check_bars_particles_beams():
    check_page("bars", test.run(test.shipped("two-bars.ini")), ["Energy"], ["velocity"])
    found = check_page("particle", test.run(test.shipped("bouncing-particle.ini")), ["Energy", "Smallest gap"], ["velocity"])
    test.true("the particle falls", found["frames"][0]["y"] != found["frames"][1]["y"])
    check_page("beam", test.run(test.shipped("falling-beam-fast.ini"), "--set", "time.end=0.02"), ["Energy"], ["velocity"])


# Long, and with every kind of obstacle
OBSTACLES = {
    "": {"dimension": 2, "gravity": (0.0, -9.81), "title": "<b>&amp; \"quotes\" </script>"},
    "time": {"method": "cd-lagrange", "step": 1e-3, "end": 10},
    "body.a": {"type": "particle", "mass": 1, "radius": 0.1, "position": (0.3, 0.5)},
    "body.bowl": {"type": "cavity", "radius": 2},
    "body.stone": {"type": "sphere", "radius": 0.3, "centre": (0, -1)},
    "body.floor": {"type": "plane", "normal": (0, 1), "point": (0, -1.5)},
    "motion.floor": {"body": "floor", "displacement": "0 0.1*sin(3*t)"},
    "contact.bowl": {"first": "a", "second": "bowl", "restitution": 0.8},
    "contact.stone": {"first": "a", "second": "stone", "restitution": 0.8},
    "contact.floor": {"first": "a", "second": "floor", "restitution": 0.5},
}


def check_long_run():
    """Spikes survive when a history is thinned out, and frames stay few"""
    folder = test.run(test.write("obstacles.ini", ini(OBSTACLES)))
    check_page("obstacles", folder, ["Energy"], ["velocity"])
    page = read(folder, "report.html").decode()
    data = json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.S).group(1))
    h = History(folder)
    test.equal("rows of the run", data["rows"], h.rows)
    for column in ("kinetic", "total", "impulse_y"):
        shown = [x for x in data["history"][column] if x is not None]
        test.true(f"{column} is thinned out", len(shown) <= 4000)
        test.close(f"{column} extremes", [min(shown), max(shown)], [min(h[column]), max(h[column])], rtol=1e-7, atol=1e-12)
    test.true("frames", 200 <= len(data["film"]["times"]) <= 401, len(data["film"]["times"]))
    test.equal("names of parts", [p["name"] for p in data["film"]["parts"]], ["a", "bowl", "floor", "stone"])
    test.equal("title is text", data["summary"]["title"], OBSTACLES[""]["title"])


def check_command():
    folder = test.run(test.shipped("bouncing-particle.ini"))
    first = read(folder, "report.html")
    os.remove(os.path.join(folder, "report.html"))
    test.call("report", folder)
    test.true("made anew", read(folder, "report.html") == first)
    os.remove(os.path.join(folder, "film.h5"))
    test.call("report", folder)
    test.true("without a film", b'"film":null' in read(folder, "report.html"))
    quiet = test.run(test.shipped("bouncing-particle.ini"), "--set", "output.report=no")
    test.true("switched off", not os.path.exists(os.path.join(quiet, "report.html")) and not os.path.exists(os.path.join(quiet, "film.h5")))
    test.true("summary of the run", summary(quiet)["steps"] > 0)


if not BROWSER:
    test.fail("browser", "none", "chromium")
else:
    for check in (check_ball, check_ball_3d, check_bars_particles_beams, check_long_run):
        test.attempt(check.__name__, check)
test.attempt("command", check_command)
sys.exit(test.finish())
