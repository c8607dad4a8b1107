# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""includes.py ROOT: do the sources below ROOT include each other in one direction and in one order?

Rules:
  folder   a file of dune/impact includes files of its own folder and of folders to the left in FOLDERS
  part     the same for the sub-folders in PARTS; "." is the folder itself
  guard    a header of dune/impact has the guard DUNE_IMPACT_<PATH>_HH
  block    includes come in the order of BLOCKS, with an empty line between two kinds
  path     quoted includes name files that exist, relative to the file that includes them; files of the
           library are included by <dune/impact/...>, and they exist; nothing includes a test by <test/...>

Before the sources, the rules are tried on files with one planted defect each.
"""
import re
import sys
import tempfile
from pathlib import Path

FOLDERS = "common geometry grid material body contact solver timestep io scenario".split()
PARTS = {
    "material": [".", "test"],
    "body": [".", "test"],
    "contact": ["law", ".", "mortar", "impulse", "rigid", "beam", "test"],
    "solver": [".", "multigrid", "impulse", "sqp", "test"],
    "timestep": [".", "impulse", "explicit", "midpoint", "frames", "rigid", "test"],
    "io": [".", "html"],
    "scenario": [".", "contact", "types"],
}
BLOCKS = ["config.h or the own header", "standard library", "third-party", "dune-*", "dune/impact", "local"]
POSIX = re.compile(r"(unistd|fcntl|pty|immintrin|signal|sys/\w+)(\.h)?")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def includes(text):
    """Line number, bracket and path of each include outside of comments"""
    code = re.sub(r"/\*.*?\*/", lambda found: re.sub(r"[^\n]", " ", found.group()), text, flags=re.DOTALL)
    for number, line in enumerate(code.split("\n"), 1):
        if found := INCLUDE.match(line):
            yield number, found[1], found[2]


def folder_and_part(path):
    """Of a path below dune/impact"""
    words = path.split("/")
    return words[0], words[1] if len(words) > 2 else "."


def direction_defects(name, number, target):
    folder, part = folder_and_part(name.removeprefix("dune/impact/"))
    other, other_part = folder_and_part(target.removeprefix("dune/impact/"))
    for word in (folder, other):
        if word not in FOLDERS:
            yield "folder", f"{name}:{number}: {word} has no place in the order of folders"
            return
    if FOLDERS.index(other) > FOLDERS.index(folder):
        yield "folder", f"{name}:{number}: {folder} includes {target}, which is to its right"
    if folder != other or part == other_part:
        return
    parts = PARTS.get(folder, ["."])
    for word in (part, other_part):
        if word not in parts:
            yield "part", f"{name}:{number}: {folder}/{word} has no place in the order of sub-folders"
            return
    if parts.index(other_part) > parts.index(part):
        yield "part", f"{name}:{number}: {folder}/{part} includes {target}, which is to its right"


def guard_defects(name, text):
    guard = re.sub(r"[/.]", "_", name).upper()
    lines = [line for line in text.split("\n") if line.startswith("#")]
    if lines[:2] != [f"#ifndef {guard}", f"#define {guard}"] or not text.rstrip().endswith("#endif"):
        yield "guard", f"{name}: has not the guard {guard}"


def kind(bracket, target):
    if target == "config.h":
        return 0
    if bracket == '"':
        return 5
    if target.startswith("dune/impact/"):
        return 4
    if target.startswith("dune/"):
        return 3
    return 1 if re.fullmatch(r"[a-z_0-9]+", target) or POSIX.fullmatch(target) else 2


def block_defects(name, text):
    found = list(includes(text))
    # a source may include its own header first
    own = re.sub(r"\.cc$", ".hh", name)
    kinds = [0 if i == 0 and target in (own, Path(own).name) and name.endswith(".cc") else kind(bracket, target)
             for i, (_, bracket, target) in enumerate(found)]
    lines = text.split("\n")
    for (before, _, _), (number, _, target), a, b in zip(found, found[1:], kinds, kinds[1:]):
        between = lines[before:number - 1]
        if a > b:
            yield "block", f"{name}:{number}: {target} ({BLOCKS[b]}) after {BLOCKS[a]}"
        elif a != b and not any(not line.strip() for line in between):
            yield "block", f"{name}:{number}: no empty line before {target} ({BLOCKS[b]})"


def path_defects(root, path, name, number, bracket, target):
    if bracket == '"':
        if target != "config.h" and not (path.parent / target).exists():
            yield "path", f"{name}:{number}: {target} does not exist"
        elif name.startswith("dune/"):
            yield "path", f"{name}:{number}: {target} in quotes, the library includes <dune/impact/...>"
    elif target.startswith("dune/impact/") and not (root / target).exists():
        yield "path", f"{name}:{number}: {target} does not exist"
    elif target.startswith("test/"):
        yield "path", f"{name}:{number}: {target} is a test, which is included by a relative path"


def defects(root):
    found, files = [], 0
    for path in sorted(p for folder in ("dune", "src", "test") for p in (root / folder).rglob("*")):
        if path.suffix not in (".hh", ".cc"):
            continue
        files += 1
        name, text = str(path.relative_to(root)), path.read_text(encoding="utf-8")
        for number, bracket, target in includes(text):
            # modules that use the library have headers of their own
            if not name.startswith("test/downstream/"):
                found += path_defects(root, path, name, number, bracket, target)
            if name.startswith("dune/impact/") and target.startswith("dune/impact/"):
                found += direction_defects(name, number, target)
        found += block_defects(name, text)
        if name.startswith("dune/") and path.suffix == ".hh":
            found += guard_defects(name, text)
    return found, files


def header(name, body):
    guard = re.sub(r"[/.]", "_", name).upper()
    return f"#ifndef {guard}\n#define {guard}\n\n{body}\n#endif\n"


def library(*words):
    """Files of a planted library, each with its includes"""
    files = {"dune/impact/common/a.hh": "", "dune/impact/body/a.hh": "", "dune/impact/solver/impulse/a.hh": "",
             "dune/impact/solver/sqp/a.hh": "", "dune/impact/contact/law/a.hh": "", "dune/impact/contact/beam/a.hh": "",
             "dune/impact/timestep/stepper.hh": "", "dune/impact/timestep/rigid/a.hh": ""}
    files.update(words)
    return {name: header(name, body) if name.endswith(".hh") and "#ifndef" not in body else body
            for name, body in files.items()}


PLANTED = [  # file, text, the rules that must find something
    ("dune/impact/body/b.hh", "#include <dune/impact/common/a.hh>\n", set()),
    ("dune/impact/common/b.hh", "#include <dune/impact/body/a.hh>\n", {"folder"}),
    ("dune/impact/new/b.hh", "#include <dune/impact/body/a.hh>\n", {"folder"}),
    ("dune/impact/body/c.cc", "#include <config.h>\n\n#include <dune/impact/timestep/stepper.hh>\n", {"folder"}),
    ("dune/impact/solver/sqp/b.hh", "#include <dune/impact/solver/impulse/a.hh>\n", set()),
    ("dune/impact/solver/impulse/b.hh", "#include <dune/impact/solver/sqp/a.hh>\n", {"part"}),
    ("dune/impact/contact/law/b.hh", "#include <dune/impact/contact/beam/a.hh>\n", {"part"}),
    ("dune/impact/timestep/b.hh", "#include <dune/impact/timestep/rigid/a.hh>\n", {"part"}),
    ("dune/impact/timestep/new/b.hh", "#include <dune/impact/timestep/stepper.hh>\n", {"part"}),
    ("dune/impact/body/d.hh", "#ifndef DUNE_IMPACT_D_HH\n#define DUNE_IMPACT_D_HH\n#endif\n", {"guard"}),
    ("dune/impact/body/e.cc", "#include <vector>\n\n#include <config.h>\n", {"block"}),
    ("dune/impact/body/f.hh", "#include <vector>\n#include <dune/common/fvector.hh>\n", {"block"}),
    ("dune/impact/body/g.hh", "#include <dune/common/fvector.hh>\n\n#include <fmt/format.h>\n", {"block"}),
    ("dune/impact/body/h.hh", "#include <dune/impact/body/a.hh>\n\n#include <dune/common/fvector.hh>\n", {"block"}),
    ("test/body/a.cc", '#include "b.hh"\n', {"path"}),
    ("test/body/b.cc", "#include <dune/impact/body/gone.hh>\n", {"path"}),
    ("test/body/c.cc", "#include <test/body/d.hh>\n", {"path"}),
    ("dune/impact/body/i.cc", '#include <config.h>\n\n#include "a.hh"\n', {"path"}),
    ("test/body/d.cc", '#include <config.h>\n\n#include <cmath>\n\n#include <fmt/format.h>\n\n#include <dune/common/a.hh>'
                       '\n\n#include <dune/impact/body/a.hh>\n\n#include "../../dune/impact/common/a.hh"\n', set()),
    ("test/body/e.cc", "/* #include <test/body/d.hh> */\n// #include <config.h>\n", set()),
]


def check_rules():
    """Messages about planted defects that a rule overlooks, and about good files that a rule refuses."""
    for name, text, rules in PLANTED:
        with tempfile.TemporaryDirectory() as folder:
            for file, body in library((name, text)).items():
                path = Path(folder) / file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(body, encoding="utf-8")
            found = {rule for rule, _ in defects(Path(folder))[0]}
        if found != rules:
            yield f"planted {name}: found by {sorted(found)} instead of {sorted(rules)}"


def main():
    messages = list(check_rules())
    found, files = defects(Path(sys.argv[1]).resolve())
    messages += [message for _, message in found]
    print("\n".join(messages + [f"{len(PLANTED)} planted files, {files} sources, {len(messages)} defects"]))
    return 1 if messages or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
