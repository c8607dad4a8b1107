# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""A page does what it says: pages.py PROGRAM SCENARIOS RESCALE PAGE [EXAMPLE...].

The blocks of the page are read in order. A block with file=NAME that names a file of the repository must be a part
of that file, word for word; if it is the source of an EXAMPLE, the program is run. Any other file=NAME is written into
an empty folder, where the blocks of commands are run as they are. Lines of a block of text must be lines of what the
commands, or the example, before it have printed. Meshes that the commands make are looked at in the end.
"""
import math
import os
import re
import subprocess
import sys

from dune_impact import Test, read


# so many blocks of each kind a page has at least: a page that is not read as meant must not pass
LEAST = {"tutorial.md": {"commands": 8, "output": 2, "source": 10},
         "README.md": {"commands": 1, "output": 2, "source": 1}}


def blocks(page):
    """Language, file and text of each block"""
    with open(page, encoding="utf-8") as file:
        for language, name, text in re.findall(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", file.read(), re.M | re.S):
            yield language, name, text


def run(test, commands):
    """Run commands as they are, with the program in the search path; the lines that were printed"""
    environment = dict(test.environment, PATH=os.path.dirname(test.program) + os.pathsep + os.environ["PATH"])
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", commands], cwd=test.folder, env=environment, encoding="utf-8",
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    if done.returncode != 0:
        print(done.stdout)
    test.equal("status of: " + commands.splitlines()[0], done.returncode, 0)
    return done.stdout.splitlines()


def quote(test, root, name, text, examples):
    """A part of a file of the repository; what the file prints if it is the source of an example"""
    with open(os.path.join(root, name), encoding="utf-8") as file:
        test.true(f"the page quotes {name}: {text.splitlines()[0].strip()}", text in file.read())
    program = examples.get(os.path.splitext(os.path.basename(name))[0])
    return run(test, program) if program else []


def half_ring(test):
    """arch.msh is the upper half of a ring about (0, 2) with radii 20 and 30, up to the chords of cells of size 3"""
    lines = read(test.path("arch.msh")).decode().splitlines()
    start = lines.index("$Nodes") + 2
    nodes = {line.split()[0]: tuple(map(float, line.split()[1:3])) for line in lines[start:lines.index("$EndNodes")]}
    start = lines.index("$Elements") + 2
    cells = [line.split()[-3:] for line in lines[start:lines.index("$EndElements")] if line.split()[1] == "2"]
    inner, outer, size = 20, 30, 3
    sagitta = size**2 / (8 * inner)  # of a chord as long as a cell
    outside = {nodes[name] for cell in cells for name in cell if nodes[name][1] < 2 - 1e-9 or not
               inner - sagitta < math.hypot(nodes[name][0], nodes[name][1] - 2) < outer + sagitta}
    test.equal("nodes of the arch outside of the ring", outside, set())
    area = 0
    for a, b, c in ([nodes[name] for name in cell] for cell in cells):
        area += abs((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) / 2
    test.close("area of the arch", area, math.pi / 2 * (outer**2 - inner**2), rtol=1e-2)


# what the commands of a page leave behind
MESHES = {"tutorial.md": half_ring}


def main():
    test = Test()
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    page, examples = sys.argv[4], {os.path.basename(program): os.path.abspath(program) for program in sys.argv[5:]}
    printed, count = [], {"commands": 0, "output": 0, "source": 0}
    for language, name, text in blocks(os.path.join(root, page)):
        if os.path.dirname(name):
            count["source"] += 1
            printed = quote(test, root, name, text, examples)
        elif name:
            test.write(name, text)
        elif language == "sh":
            count["commands"] += 1
            printed = run(test, text)
        elif language == "text":
            count["output"] += 1
            for line in text.splitlines():
                test.true(f"`{line}` is printed", line in printed, printed)
        else:
            test.fail("block without a use", language, "sh, text or a file")
    if os.path.basename(page) in MESHES:
        MESHES[os.path.basename(page)](test)
    for kind, least in LEAST[os.path.basename(page)].items():
        test.true(f"{page} has blocks of {kind}", count[kind] >= least, count[kind])
    return test.finish()


if __name__ == "__main__":
    sys.exit(main())
