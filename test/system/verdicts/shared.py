# SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
# SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
"""The test that all verdicts report to, and checks of several families of bodies."""
from dune_impact import Test

test = Test()


def never_rises(name, s):
    """beyond what the tolerance of the solver, 1e-11 of the forces, can hide"""
    test.true(f"{name} energy never rises: {s['energy_gain_max']}", s["energy_gain_max"] <= 1e-11)
