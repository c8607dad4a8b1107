// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_GRID_GMSHFILE_HH
#define DUNE_IMPACT_GRID_GMSHFILE_HH

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

/** \file
 * \ingroup impact_grid
 * \brief The content of a Gmsh file, without any meaning
 */

namespace Dune::Impact {

  //! What is known of a Gmsh element type
  struct GmshType
  {
    const char* name;
    int dimension;
    int corners;
    int nodes;
  };

  //! Null for types that cannot be read
  const GmshType* gmshType(int type);

  //! An element of the file, as it stands there
  struct GmshElement
  {
    std::size_t id;
    int type;
    int physical;                  //!< number of the physical group, zero if there is none
    std::vector<std::size_t> node; //!< ids
  };

  //! What a file holds, with the numbers it uses
  struct GmshFile
  {
    std::vector<std::size_t> nodeId; //!< in the order of the file
    std::vector<std::array<double, 3>> position;
    std::map<std::size_t, std::size_t> nodeOfId;
    std::vector<GmshElement> elements;
    std::map<std::pair<int, int>, std::string> name; //!< of the physical group (dimension, number)
  };

  //! Throws InputError for all that is not text of format 2.2
  GmshFile parseGmsh(const std::string& file);

} // namespace Dune::Impact

#endif
