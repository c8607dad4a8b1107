# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""What the headers of the shipped scenarios promise, by families of bodies.

Each module has the columns of the probes of its scenarios in `PROBES` and a function `verdict_NAME()` for each scenario.
"""
from verdicts import bars, beams, explicit, friction, particles, rigid, solids

FAMILIES = (particles, bars, solids, friction, explicit, beams, rigid)

PROBES = {name: columns.split() for family in FAMILIES for name, columns in family.PROBES.items()}


def verdict(name):
    """The function that checks a scenario, None if there is none"""
    functions = (getattr(family, "verdict_" + name.replace("-", "_"), None) for family in FAMILIES)
    return next(filter(None, functions), None)
