// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TEST_GRID_REFUSAL_HH
#define DUNE_IMPACT_TEST_GRID_REFUSAL_HH

#include <dune/impact/common/exceptions.hh>

//! True if a call throws InputError
template<class Function>
bool isRefused(Function&& f)
{
  try {
    f();
  }
  catch (const Dune::Impact::InputError&) {
    return true;
  }
  return false;
}

#endif
