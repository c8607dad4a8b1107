// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SCENARIO_SUPPORTS_HH
#define DUNE_IMPACT_SCENARIO_SUPPORTS_HH

#include <string>

#include <fmt/format.h>

#include <dune/impact/body/solid.hh>
#include <dune/impact/scenario/section.hh>
#include <dune/impact/scenario/suggest.hh>

/** \file
 * \ingroup impact_scenario
 * \brief Keys that name patches of a solid and components
 */

namespace Dune::Impact {

  //! Refuse a patch that a mesh does not have
  template<int dim>
  void checkPatch(const Section& section, const std::string& key, const SolidMesh<dim>& mesh,
                  const std::string& patch)
  {
    if (!mesh.findPatch(patch))
      section.fail(key,
                   missingPatch("there is no patch", patch, "the mesh has", mesh.patchNames()));
  }

  //! patch:components, as in xmin:x or floor:xz
  template<int dim>
  Support readSupport(const Section& section, const std::string& key, const SolidMesh<dim>& mesh,
                      const std::string& word)
  {
    const auto colon = word.rfind(':');
    if (colon == word.npos || colon + 1 == word.size())
      section.fail(key, fmt::format("must be patch:components, as in xmin:x, got {}", word));
    Support support{word.substr(0, colon), {false, false, false}};
    for (char c : word.substr(colon + 1)) {
      if (c < 'x' || c >= 'x' + dim)
        section.fail(
          key, fmt::format("components are {}, got {}", dim == 2 ? "x and y" : "x, y and z", word));
      support.component[c - 'x'] = true;
    }
    checkPatch(section, key, mesh, support.patch);
    return support;
  }

} // namespace Dune::Impact

#endif
