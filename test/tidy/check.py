# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""check.py CLANG_TIDY BUILD SOURCE...: are the checks of .clang-tidy silent about these files and the headers they include?

Files are checked with the commands that compile them (compile_commands.json of the build), but for headers that GCC has
precompiled, which Clang cannot read.
"""
import json
import os
import shlex
import subprocess
import sys
import tempfile


def without_precompiled(command):
    words, result = shlex.split(command), []
    while words:
        word = words.pop(0)
        if word == "-include" and words[0].endswith("cmake_pch.hxx"):
            words.pop(0)
        elif word != "-Winvalid-pch":
            result.append(word)
    return shlex.join(result)


def main():
    tidy, build, *sources = sys.argv[1:]
    sources = [os.path.realpath(source) for source in sources]
    config = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".clang-tidy")
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        commands = {os.path.realpath(entry["file"]): entry for entry in json.load(file)}
    missing = [source for source in sources if source not in commands]
    if missing:
        print("not compiled: " + " ".join(missing))
        return 1
    with tempfile.TemporaryDirectory() as scratch:
        with open(os.path.join(scratch, "compile_commands.json"), "w", encoding="utf-8") as file:
            json.dump([dict(commands[source], command=without_precompiled(commands[source]["command"])) for source in sources], file)
        done = subprocess.run([tidy, "-p", scratch, f"--config-file={config}", "--quiet", *sources], encoding="utf-8", errors="replace", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    print(done.stdout)
    if done.returncode != 0:
        print(done.stderr)
    print(f"{len(sources)} files, {os.times().children_user:.0f} s")
    return 1 if done.returncode != 0 or done.stdout.strip() else 0


if __name__ == "__main__":
    sys.exit(main())
