// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_GRID_LINEMESH_HH
#define DUNE_IMPACT_GRID_LINEMESH_HH

#include <algorithm>
#include <vector>

#include <dune/grid/onedgrid.hh>

/** \file
 * \ingroup impact_grid
 * \brief One-dimensional meshes of bars and beams
 */

namespace Dune::Impact {

  //! Nodes and elements of a one-dimensional grid, from left to right
  struct LineMesh
  {
    std::vector<double> coordinate; //!< per node
    std::vector<double> length;     //!< per element
    //! per node: half the length of its elements (lumped mass per density)
    std::vector<double> share;
  };

  /** \brief Read the elements of a grid view in the order of their left ends
   *
   * Works on any one-dimensional grid view without branches.
   */
  template<class GridView>
  LineMesh readLineMesh(const GridView& gridView)
  {
    struct Element
    {
      double left, right, length;
    };
    std::vector<Element> all;
    for (const auto& element : elements(gridView)) {
      const auto geometry = element.geometry();
      const double a = geometry.corner(0)[0], b = geometry.corner(1)[0];
      all.push_back({std::min(a, b), std::max(a, b), geometry.volume()});
    }
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.left < b.left; });

    LineMesh mesh;
    mesh.coordinate.push_back(all.front().left);
    mesh.share.assign(all.size() + 1, 0);
    for (std::size_t e = 0; e < all.size(); ++e) {
      mesh.coordinate.push_back(all[e].right);
      mesh.length.push_back(all[e].length);
      mesh.share[e] += 0.5 * all[e].length;
      mesh.share[e + 1] += 0.5 * all[e].length;
    }
    return mesh;
  }

  //! A line from zero to its length in equal elements
  inline LineMesh uniformLine(double length, std::size_t elements)
  {
    return readLineMesh(OneDGrid(int(elements), 0.0, length).leafGridView());
  }

} // namespace Dune::Impact

#endif
