# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""The tutorial does what it says.

Its blocks are read in order. A block with file=NAME that names a file of the repository must be a part of that
file, word for word; any other file=NAME is written into an empty folder, where the blocks of commands are run as they are.
Lines of a block of text must be lines of what the commands before it have printed.
"""
import os
import re
import subprocess
import sys

from dune_impact import Test


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


def main():
    test = Test()
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    printed, count = [], {"commands": 0, "output": 0, "source": 0}
    for language, name, text in blocks(os.path.join(root, "doc", "tutorial.md")):
        if os.path.dirname(name):
            count["source"] += 1
            with open(os.path.join(root, name), encoding="utf-8") as file:
                test.true(f"the tutorial quotes {name}: {text.splitlines()[0].strip()}", text in file.read())
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
    for kind, least in (("commands", 8), ("output", 2), ("source", 10)):
        test.true(f"the tutorial has blocks of {kind}", count[kind] >= least, count[kind])
    return test.finish()


if __name__ == "__main__":
    sys.exit(main())
