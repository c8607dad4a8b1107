// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_DOWNSTREAM_OWNREGISTRY_HH
#define DUNE_IMPACT_DOWNSTREAM_OWNREGISTRY_HH

#include "fibres.hh"
#include "verlet.hh"
#include "yield.hh"

/** \file
 * \brief All that dune-impact has, and what this module adds
 */

inline Registry ownRegistry()
{
  Registry registry = makeRegistry({fibreMaterial()});
  registry.add(yieldSection());
  registry.add(verletMethod());
  return registry;
}

#endif
