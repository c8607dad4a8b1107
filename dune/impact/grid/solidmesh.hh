// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_GRID_SOLIDMESH_HH
#define DUNE_IMPACT_GRID_SOLIDMESH_HH

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <dune/common/fvector.hh>

/** \file
 * \ingroup impact_grid
 * \brief Plain arrays of a conforming mesh, as elements and contact need them
 */

namespace Dune::Impact {

  //! Number of a node, cell or facet
  using Index = std::uint32_t;

  //! Shape of generated cells
  enum class CellShape { simplex, cube };

  /** \brief Values of coarse nodes to values of fine nodes
   *
   * Row i: fine value i is the sum of weight * (coarse value column), the P1 or Q1 interpolation.
   * A node that exists on both levels has the single weight one. The fine values may also be those
   * of P2 functions on the same mesh: a node in the middle of an edge has the weights 1/2, 1/2.
   */
  struct Prolongation
  {
    std::size_t coarseNodes = 0;
    std::vector<std::size_t> rowStart = {0}; //!< fine nodes + 1 entries
    std::vector<Index> column;
    std::vector<double> weight;

    std::size_t fineNodes() const { return rowStart.size() - 1; }
  };

  //! A named part of the boundary; the number is that of the mesh file
  struct Patch
  {
    int number;
    std::string name;
  };

  /** \brief Nodes, cells and boundary facets of a mesh of one body
   *
   * Cells have positive volume. Corners of simplices are in the order of the DUNE reference
   * element, those of cubes in its lexicographic order. Facets are oriented outwards: in two
   * dimensions the body lies to the left of the edge, in three dimensions the corners run
   * counter-clockwise around the facet when seen from outside.
   *
   * A mesh of second order has simplices only, and further nodes in the middle of edges, which
   * follow after the corners. There the map from local coordinates to a cell is quadratic, so that
   * boundaries can be curved.
   */
  template<int dim>
  struct SolidMesh
  {
    static constexpr int dimension = dim;
    static constexpr int simplexCorners = dim + 1;
    static constexpr int cubeCorners = 1 << dim;
    static constexpr int facetCorners = dim == 2 ? 2 : 4; //!< at most
    static constexpr int facetNodes = dim == 2 ? 3 : 6;   //!< at most
    static constexpr int noPatch = -1;

    using Point = FieldVector<double, dim>;
    using Simplex = std::array<Index, simplexCorners>;
    using Cube = std::array<Index, cubeCorners>;
    using QuadraticSimplex = std::array<Index, (dim + 1) * (dim + 2) / 2>;

    /** \brief A facet of the boundary, corners in the order that makes its normal point outwards
     *
     * With second order the nodes in the middle of the edges follow, that from corner 0 to 1 first.
     */
    struct Facet
    {
      std::array<Index, facetNodes> node;
      int count;           //!< of corners: 2, 3 or 4
      int patch = noPatch; //!< index into patches
      int middles = 0;     //!< nodes in the middle of edges

      std::span<const Index> corners() const { return {node.data(), std::size_t(count)}; }
      std::span<const Index> nodes() const { return {node.data(), std::size_t(count + middles)}; }
    };

    std::vector<Point> nodes;
    std::vector<Simplex> simplices;
    std::vector<Cube> cubes;
    //! all nodes of each simplex, see quadraticsimplex.hh; empty if the mesh has first order
    std::vector<QuadraticSimplex> quadratic;
    std::vector<Facet> facets;
    std::vector<Patch> patches;
    //! entry l leads from level l to level l + 1; nodes are those of the last level
    std::vector<Prolongation> prolongations;

    std::size_t cells() const { return simplices.size() + cubes.size(); }
    int order() const { return quadratic.empty() ? 1 : 2; }

    //! Corners of a cell; simplices are counted first
    std::span<const Index> cell(std::size_t i) const
    {
      if (i < simplices.size())
        return simplices[i];
      return cubes[i - simplices.size()];
    }

    //! All nodes of a cell: its corners, for second order also those in the middle of its edges
    std::span<const Index> cellNodes(std::size_t i) const
    {
      if (i < quadratic.size())
        return quadratic[i];
      return cell(i);
    }

    //! The names of the patches, the number where a patch has none
    std::vector<std::string> patchNames() const
    {
      std::vector<std::string> names;
      for (const Patch& patch : patches)
        names.push_back(patch.name.empty() ? std::to_string(patch.number) : patch.name);
      return names;
    }

    //! Patch by its name, or else by its number
    std::optional<int> findPatch(const std::string& nameOrNumber) const
    {
      for (std::size_t i = 0; i < patches.size(); ++i)
        if (!patches[i].name.empty() && patches[i].name == nameOrNumber)
          return int(i);
      for (std::size_t i = 0; i < patches.size(); ++i)
        if (std::to_string(patches[i].number) == nameOrNumber)
          return int(i);
      return std::nullopt;
    }
  };

} // namespace Dune::Impact

#endif
