// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <map>
#include <memory>

#include <dune/grid/common/boundarysegment.hh>
#include <dune/grid/common/gridfactory.hh>
#include <dune/grid/uggrid.hh>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/grid/coarsemesh.hh>
#include <dune/impact/grid/hierarchy.hh>
#include <dune/impact/grid/meshchecks.hh>

namespace Dune::Impact {

  namespace {

    template<int dim>
    class CurveSegment : public BoundarySegment<dim>
    {
    public:
      explicit CurveSegment(Curve<dim> curve) : curve_(std::move(curve)) {}

      FieldVector<double, dim> operator()(const FieldVector<double, dim - 1>& local) const override
      {
        return curve_(local);
      }

    private:
      Curve<dim> curve_;
    };

    //! Corners of a quadrilateral facet go around, those of DUNE are lexicographic: the last two
    //! are exchanged.
    template<int dim>
    void insertFacet(GridFactory<UGGrid<dim>>& factory, const typename SolidMesh<dim>::Facet& facet,
                     const Curve<dim>& curve)
    {
      std::vector<unsigned int> corners(facet.corners().begin(), facet.corners().end());
      if (corners.size() == 4)
        std::swap(corners[2], corners[3]);
      if (curve)
        factory.insertBoundarySegment(corners, std::make_shared<CurveSegment<dim>>(curve));
      else
        factory.insertBoundarySegment(corners);
    }

    template<int dim>
    void insertMesh(GridFactory<UGGrid<dim>>& factory, const CoarseMesh<dim>& coarse)
    {
      const auto& mesh = coarse.mesh;
      for (const auto& node : mesh.nodes)
        factory.insertVertex(node);
      for (std::size_t i = 0; i < mesh.facets.size(); ++i)
        insertFacet<dim>(factory, mesh.facets[i],
                         coarse.curves.empty() ? nullptr : coarse.curves[i]);
      for (std::size_t i = 0; i < mesh.cells(); ++i) {
        const auto cell = mesh.cell(i);
        const auto type =
          cell.size() == dim + 1 ? GeometryTypes::simplex(dim) : GeometryTypes::cube(dim);
        factory.insertElement(type, {cell.begin(), cell.end()});
      }
    }

    //! Patch of each boundary segment of the grid
    template<int dim>
    std::vector<int> segmentPatches(const GridFactory<UGGrid<dim>>& factory,
                                    const UGGrid<dim>& grid, const SolidMesh<dim>& mesh)
    {
      std::vector<int> patch(grid.numBoundarySegments(), SolidMesh<dim>::noPatch);
      const auto gridView = grid.leafGridView();
      for (const auto& element : elements(gridView))
        for (const auto& intersection : intersections(gridView, element))
          if (intersection.boundary() && factory.wasInserted(intersection))
            patch[intersection.boundarySegmentIndex()] =
              mesh.facets[factory.insertionIndex(intersection)].patch;
      return patch;
    }

    //! The order in which the vertices were inserted, per index of the coarsest level
    template<int dim>
    std::vector<Index> insertionNumbering(const GridFactory<UGGrid<dim>>& factory,
                                          const UGGrid<dim>& grid)
    {
      const auto gridView = grid.levelGridView(0);
      std::vector<Index> number(gridView.size(dim));
      for (const auto& vertex : vertices(gridView))
        number[gridView.indexSet().index(vertex)] = factory.insertionIndex(vertex);
      return number;
    }

    /* Refinement puts a new vertex on each edge, and moves it to the curve where the edge lies on
     * a curved boundary: there the middle nodes of the level before belong. */
    template<int dim>
    void moveToCurves(UGGrid<dim>& grid, int level, const std::vector<Index>& number,
                      SolidMesh<dim>& mesh)
    {
      grid.globalRefine(1);
      const auto coarse = grid.levelGridView(level), fine = grid.levelGridView(level + 1);
      std::vector<std::size_t> cell(coarse.size(0)); // by the index of the element
      std::size_t next = 0;
      for (const auto& element : elements(coarse))
        cell[coarse.indexSet().index(element)] = next++;
      std::vector<bool> onBoundary(mesh.nodes.size(), false);
      for (const auto& facet : mesh.facets)
        for (Index node : facet.nodes())
          onBoundary[node] = true;
      for (const auto& element : elements(fine)) {
        const auto father = element.father();
        const auto inFather = element.geometryInFather();
        const std::size_t c = cell[coarse.indexSet().index(father)];
        for (int v = 0; v < inFather.corners(); ++v) {
          std::vector<Index> ends; // corners of the edge that the vertex halves
          for (int i = 0; i <= dim; ++i)
            if (std::abs(cornerWeight(true, i, inFather.corner(v)) - 0.5) < 0.25)
              ends.push_back(number[coarse.indexSet().subIndex(father, i, dim)]);
          if (ends.size() != 2)
            continue;
          const Index node =
            middleNode<dim>(mesh.simplices[c], mesh.quadratic[c], ends[0], ends[1]);
          if (onBoundary[node])
            mesh.nodes[node] = element.geometry().corner(v);
        }
      }
    }

    //! Nodes in the middle of the edges of the coarsest level are those of the file
    template<int dim>
    void takeMiddles(const CoarseMesh<dim>& coarse, SolidMesh<dim>& mesh)
    {
      std::map<std::pair<Index, Index>, const FieldVector<double, dim>*> middle;
      for (const auto& node : coarse.middles)
        middle[std::minmax(node.a, node.b)] = &node.position;
      for (std::size_t c = 0; c < mesh.quadratic.size(); ++c)
        for (int j = 1; j <= dim; ++j)
          for (int i = 0; i < j; ++i)
            if (const auto found =
                  middle.find(std::minmax(mesh.simplices[c][i], mesh.simplices[c][j]));
                found != middle.end())
              mesh.nodes[mesh.quadratic[c][latticeIndex(i, j)]] = *found->second;
    }

    //! Nodes of second order on the last level of a grid
    template<int dim, class PatchOf>
    SolidMesh<dim> quadraticMesh(const CoarseMesh<dim>& coarse, UGGrid<dim>& grid, int level,
                                 const std::vector<Index>& number, PatchOf&& patchOf)
    {
      auto mesh = extractMesh<2>(grid.levelGridView(level), number, patchOf);
      const bool curved = std::any_of(coarse.curves.begin(), coarse.curves.end(),
                                      [](const auto& curve) { return bool(curve); });
      if (level == 0 && !coarse.middles.empty())
        takeMiddles(coarse, mesh);
      else if (curved)
        moveToCurves(grid, level, number, mesh);
      return mesh;
    }

  } // namespace

  //! Each level is refined uniformly by UGGrid, which moves new boundary nodes to the curves; the
  //! prolongation from the level before is kept for multigrid.
  template<int dim>
  SolidMesh<dim> refineMesh(const CoarseMesh<dim>& coarse, int levels, const std::string& origin,
                            int order)
  {
    checkMesh(coarse.mesh, origin);
    if (order > 1 && !coarse.mesh.cubes.empty())
      throw InputError(origin +
                       ": second order is there for triangles and tetrahedra, and the "
                       "mesh has " +
                       (dim == 2 ? "quadrilaterals" : "hexahedra"));
    GridFactory<UGGrid<dim>> factory;
    insertMesh(factory, coarse);
    const std::unique_ptr<UGGrid<dim>> grid = factory.createGrid();
    const auto patch = segmentPatches(factory, *grid, coarse.mesh);
    auto number = insertionNumbering(factory, *grid);

    std::vector<Prolongation> prolongations;
    for (int level = 1; level <= levels; ++level) {
      grid->globalRefine(1);
      auto fineNumber = traversalNumbering(grid->levelGridView(level));
      prolongations.push_back(levelProlongation(grid->levelGridView(level - 1), number,
                                                grid->levelGridView(level), fineNumber));
      number = std::move(fineNumber);
    }
    const auto patchOf = [&](std::size_t segment) { return patch[segment]; };
    auto mesh = order == 1 ? extractMesh(grid->levelGridView(levels), number, patchOf)
                           : quadraticMesh(coarse, *grid, levels, number, patchOf);
    if (order > 1)
      prolongations.push_back(orderProlongation(mesh));
    mesh.patches = coarse.mesh.patches;
    mesh.prolongations = std::move(prolongations);
    checkMesh(mesh, origin + (levels > 0 || order == 1 ? " after refinement" : ""));
    return mesh;
  }

  template SolidMesh<2> refineMesh(const CoarseMesh<2>&, int, const std::string&, int);
  template SolidMesh<3> refineMesh(const CoarseMesh<3>&, int, const std::string&, int);

} // namespace Dune::Impact
