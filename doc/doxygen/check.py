# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""check.py DOXYGEN DOXYFILE HEADERS: is the documentation of the headers whole and without errors?

Every header says what it is (\\file, \\brief) and belongs to the group of its folder, impact_FOLDER or
impact_FOLDER_SUBFOLDER (checks in test/ to that of the folder above), which groups.dox defines; every namespace,
class and struct has a description; Doxygen has no warning. Members whose names say what they are may stand without
words.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile


def group_of(path, folder):
    """impact_contact_mortar for contact/mortar/NAME.hh, impact_contact for contact/test/NAME.hh"""
    folders = os.path.relpath(path, folder).split(os.sep)[:-1]
    return "_".join(["impact"] + [name for name in folders if name != "test"])


def header_defects(folder):
    for path in sorted(glob.glob(os.path.join(folder, "**", "*.hh"), recursive=True)):
        group = group_of(path, folder)
        with open(path, encoding="utf-8") as file:
            block = re.search(r"/\*\* \\file\n(.*?)\*/", file.read(), re.S)
        if not block:
            yield f"{path}: has no \\file"
        elif f"\\ingroup {group}\n" not in block[1] or "\\brief" not in block[1]:
            yield f"{path}: \\file needs \\ingroup {group} and \\brief"


def warnings(doxygen, doxyfile):
    with tempfile.TemporaryDirectory() as scratch:
        with open(doxyfile, encoding="utf-8") as file:
            settings = file.read()
        settings += f"\nOUTPUT_DIRECTORY = {scratch}\nEXTRACT_ALL = NO\nGENERATE_HTML = NO\nGENERATE_XML = YES\n"
        done = subprocess.run([doxygen, "-"], input=settings, encoding="utf-8", errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != 0:
            yield f"doxygen: status {done.returncode}"
        for line in done.stdout.splitlines():
            if not re.search(r"warning: Member .* is not documented", line):
                yield line
        if not os.path.exists(os.path.join(scratch, "xml", "group__impact__scenario.xml")):
            yield "doxygen: there are no pages"


def main():
    doxygen, doxyfile, headers = sys.argv[1:]
    defects = [*header_defects(headers), *warnings(doxygen, doxyfile)]
    print("\n".join(defects) or "no warnings")
    return 1 if defects else 0


if __name__ == "__main__":
    sys.exit(main())
