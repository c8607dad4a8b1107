// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <memory>

#include <dune/grid/common/boundarysegment.hh>
#include <dune/grid/common/gridfactory.hh>
#include <dune/grid/uggrid.hh>

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

  } // namespace

  //! Each level is refined uniformly by UGGrid, which moves new boundary nodes to the curves; the
  //! prolongation from the level before is kept for multigrid.
  template<int dim>
  SolidMesh<dim> refineMesh(const CoarseMesh<dim>& coarse, int levels, const std::string& origin)
  {
    checkMesh(coarse.mesh, origin);
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
    auto mesh = extractMesh(grid->levelGridView(levels), number,
                            [&](std::size_t segment) { return patch[segment]; });
    mesh.patches = coarse.mesh.patches;
    mesh.prolongations = std::move(prolongations);
    checkMesh(mesh, origin + " after refinement");
    return mesh;
  }

  template SolidMesh<2> refineMesh(const CoarseMesh<2>&, int, const std::string&);
  template SolidMesh<3> refineMesh(const CoarseMesh<3>&, int, const std::string&);

} // namespace Dune::Impact
