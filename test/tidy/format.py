# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""format.py CLANG_FORMAT ROOT [PAGE...]: are the sources below ROOT in the format of the project?

Rules for the .hh and .cc files of dune, src and test:
  format     clang-format changes nothing (.clang-format of ROOT; `bin/format` applies it)
  columns    no line above 100 columns
  operators  && || ! and not and, or, not
  length     no function above 60 lines, from the first line of its declaration to its brace; not for tests
Rule for the pages, patterns of paths below ROOT such as doc/*.md:
  page       no line above 120 columns

Before the sources, the rules are tried on files with one planted defect each.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

COLUMNS, PAGE_COLUMNS, FUNCTION_LINES = 100, 120, 60
FOLDERS = ("dune", "src", "test")

COMMENT = r"//[^\n]*|/\*.*?\*/"
STRING = r'R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"'
CHARACTER = r"(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'"  # not the one between digits
LITERALS = re.compile("|".join((COMMENT, STRING, CHARACTER)), re.DOTALL)
SPELLING = {"and": "&&", "or": "||", "not": "!"}
DECLARATION_END = re.compile(r"[;{]\s*$|(^|; | \{)\s*\}\s*$|^\s*#|(public|private|protected):\s*$")


def blank_literals(text):
    """The code with comments and literals replaced by blanks; lines and columns stay where they are."""
    return LITERALS.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def closing_line(lines, first):
    """The line with the brace that closes the last one opened in line `first`, None if there is none."""
    depth = 0
    for number in range(first, len(lines)):
        depth += lines[number].count("{") - lines[number].count("}")
        if depth <= 0:
            return number
    return None


def declaration_start(lines, brace):
    """The first line of the declaration whose opening brace is alone on line `brace`."""
    first = brace
    while first > 0 and lines[first - 1].strip() and not DECLARATION_END.search(lines[first - 1]):
        first -= 1
    return first


def functions(text):
    """First and last line of each function and lambda, the first line of a file being number one.

    In formatted code the opening brace of a function is alone on its line, like that of a class; that of a
    lambda ends the line of its brackets.
    """
    lines = blank_literals(text).split("\n")
    for number, line in enumerate(lines):
        if re.fullmatch(r"\s*\{", line):
            first = declaration_start(lines, number)
            declaration = re.sub(r"template<.*?>\s*(?=\w)", "", " ".join(lines[first:number]))
            if first == number or re.match(r"\s*(class|struct|union|enum|namespace|extern)\b", declaration):
                continue
        elif re.search(r"\[[^\[\]]*\]\s*(\([^{}]*\)[^{}]*)?\{$", line):
            first = number
        else:
            continue
        last = closing_line(lines, number)
        if last is not None:
            yield first + 1, last + 1


def source_defects(path, name):
    text = path.read_text(encoding="utf-8")
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > COLUMNS:
            yield "columns", f"{name}:{number}: {len(line)} columns, at most {COLUMNS}"
    for number, line in enumerate(blank_literals(text).split("\n"), 1):
        for word in re.findall(r"(?<![\w<])(and|or|not)\b(?!>)", line):
            yield "operators", f"{name}:{number}: {word}, the spelling here is {SPELLING[word]}"
    if name.split("/")[0] != "test":
        for first, last in functions(text):
            if last - first + 1 > FUNCTION_LINES:
                yield "length", f"{name}:{first}: a function of {last - first + 1} lines, at most {FUNCTION_LINES}"


def page_defects(path, name):
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if len(line) > PAGE_COLUMNS:
            yield "page", f"{name}:{number}: {len(line)} columns, at most {PAGE_COLUMNS}"


def format_defects(clang_format, style, names, root):
    command = [clang_format, f"--style=file:{style}", "--dry-run", "-Werror", *names]
    done = subprocess.run(command, cwd=root, encoding="utf-8", errors="replace", stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    places = sorted(set(re.findall(r"^(.*?):\d+:\d+: error:", done.stdout, re.MULTILINE)))
    if done.returncode != 0 and not places:
        places = [done.stdout.strip() or "clang-format fails"]
    for place in places:
        yield "format", f"{place}: not in the format of clang-format, see bin/format"


def defects(clang_format, style, root, pages):
    sources = sorted(p for folder in FOLDERS for p in (root / folder).rglob("*") if p.suffix in (".hh", ".cc"))
    names = [str(source.relative_to(root)) for source in sources]
    found = [] if not names else list(format_defects(clang_format, style, names, root))
    for source, name in zip(sources, names):
        found += source_defects(source, name)
    for page in sorted({page for pattern in pages for page in root.glob(pattern)}):
        found += page_defects(page, str(page.relative_to(root)))
    return found, len(names)


def function_of(lines, head="int f()"):
    """A function in the format of the project, with this number of lines from its head to its brace."""
    head = head.split("\n")
    return "\n".join(head + ["{"] + [f"  g({i});" for i in range(lines - len(head) - 2)] + ["}", ""])


def indented(text):
    return "".join("  " + line if line.strip() else line for line in text.splitlines(keepends=True))


PLANTED = [  # file, text, rules that must find something
    ("dune/good.cc", "// and, or, not\nconst char* words = \"not and\";\n", set()),
    ("dune/operators.cc", "bool f(bool a, bool b)\n{\n  return !a && b || a;\n}\n", set()),
    ("dune/spaces.hh", "int  f();\n", {"format"}),
    ("test/brace.cc", "int f() {\n  return 1;\n}\n", {"format"}),
    ("src/wide.cc", "// " + 98 * "x" + "\n", {"columns"}),
    ("src/full.cc", "// " + 97 * "x" + "\n", set()),
    ("dune/and.cc", "bool f(bool a, bool b)\n{\n  return a and b;\n}\n", {"operators"}),
    ("dune/or.cc", "bool f(bool a, bool b)\n{\n  return a or b;\n}\n", {"operators"}),
    ("test/not.cc", "bool f(bool a)\n{\n  return not a;\n}\n", {"operators"}),
    ("dune/long.cc", function_of(61), {"length"}),
    ("src/long.hh", function_of(61, "template<class T>\nint f(T)"), {"length"}),
    ("dune/member.hh", "struct S\n{\n" + indented(function_of(61, "int f() const")) + "};\n", {"length"}),
    ("dune/lambda.cc", "const auto f = [](int) {\n" + 59 * "  g(0);\n" + "};\n", {"length"}),
    ("dune/constructor.cc", function_of(61, "S::S() : a_(1), b_{2}"), {"length"}),
    ("dune/braces.cc", "int f()\n{\n  const char* s = \"}\"; // }\n" + 57 * "  g(0);\n" + "}\n", {"length"}),
    ("dune/allowed.cc", function_of(60) + "\n" + function_of(60), set()),
    ("dune/class.hh", "struct S\n{\n" + 100 * "  int g(int);\n" + "};\n", set()),
    ("test/long.cc", function_of(61), set()),
    ("doc/wide.md", 121 * "x" + "\n", {"page"}),
    ("doc/full.md", 119 * "x" + "\u00e9\n", set()),
    ("other.md", 121 * "x" + "\n", set()),
]


def check_rules(clang_format, style):
    """Messages about planted defects that a rule overlooks, and about good files that a rule refuses."""
    for name, text, rules in PLANTED:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            found = {rule for rule, _ in defects(clang_format, style, Path(folder), ["doc/*.md"])[0]}
        if found != rules:
            yield f"planted {name}: found by {sorted(found)} instead of {sorted(rules)}"


def main():
    clang_format, root, *pages = sys.argv[1:]
    root = Path(root).resolve()
    style = root / ".clang-format"
    messages = list(check_rules(clang_format, style))
    found, files = defects(clang_format, style, root, pages)
    messages += [message for _, message in found]
    print("\n".join(messages + [f"{len(PLANTED)} planted files, {files} sources, {len(messages)} defects"]))
    return 1 if messages or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
