// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TEST_TIMESTEP_EXPLICIT_EXPLICITSCENE_HH
#define DUNE_IMPACT_TEST_TIMESTEP_EXPLICIT_EXPLICITSCENE_HH

#include <dune/impact/body/solid.hh>
#include <dune/impact/contact/impulse/nodetoface.hh>
#include <dune/impact/contact/law/rccm.hh>
#include <dune/impact/grid/coarsemesh.hh>
#include <dune/impact/grid/hierarchy.hh>
#include <dune/impact/grid/shapes.hh>
#include <dune/impact/timestep/explicit/cdlagrange.hh>

#include "../scenes.hh"

/** \file
 * \brief Solids for tests of explicit methods
 */

namespace Dune::Impact::Test {

  //! The rubber cubes of the reference: 0.1 m, E = 1e8, nu = 0.3, 1100 kg/m^3
  namespace Rubber {
    constexpr double side = 0.1, density = 1100;
    inline const Lame lame = Lame::fromYoung(1e8, 0.3);
  } // namespace Rubber

  //! A box of n cells per side
  template<int dim>
  SolidMesh<dim> boxMesh(const FieldVector<double, dim>& lower,
                         const FieldVector<double, dim>& upper, int n,
                         CellShape shape = CellShape::cube)
  {
    std::array<int, dim> cells;
    cells.fill(n);
    return refineMesh(makeBox<dim>(lower, upper, cells, shape), 0, "box");
  }

  //! The settings of a cube with its corner at a place
  template<int dim>
  typename Solid<dim>::Settings rubberCube(const AnyMaterial<dim>& material, int n,
                                           const FieldVector<double, dim>& corner,
                                           const Vec3& velocity = {0, 0, 0},
                                           CellShape shape = CellShape::cube)
  {
    auto upper = corner;
    upper += Rubber::side;
    return {.name = "cube",
            .mesh = boxMesh<dim>(corner, upper, n, shape),
            .material = material,
            .density = Rubber::density,
            .mass = Solid<dim>::Mass::lumped,
            .motion = {.velocity = velocity}};
  }

  template<int dim>
  const Solid<dim>& solidOf(const System& system, std::size_t body)
  {
    return dynamic_cast<const Solid<dim>&>(system.body(body));
  }

  //! A patch of a body, or its boundary
  template<int dim>
  BodySurface<dim> surfaceOf(const System& system, std::size_t body, const std::string& patch = "")
  {
    const auto& mesh = solidOf<dim>(system, body).mesh();
    return {
      makeContactSurface<dim>(mesh, patch.empty() ? std::nullopt : mesh.findPatch(patch), body, 0),
      system.point(body, 0)};
  }

  //! Points of a patch
  inline std::vector<PointHandle> pointsOf(const System& system, std::size_t body,
                                           const std::string& patch = "")
  {
    std::vector<PointHandle> points;
    for (std::size_t node : system.body(body).patch(patch))
      points.push_back(system.point(body, node));
    return points;
  }

  //! The balance of a run: largest error of total + dissipated - external work, and drifts of the
  //! momenta
  struct Balance
  {
    double energy = 0, linear = 0, angular = 0, scale = 0;

    void observe(const Record& record)
    {
      const double value = record.total() + record.dissipated - record.externalWork;
      if (scale == 0) {
        first_ = value;
        momenta_ = record.momenta;
      }
      scale = std::max({scale, record.kinetic, std::abs(value)});
      energy = std::max(energy, std::abs(value - first_));
      linear = std::max(linear, (record.momenta.linear - momenta_.linear).two_norm());
      angular = std::max(angular, (record.momenta.angular - momenta_.angular).two_norm());
    }

  private:
    double first_ = 0;
    Momenta momenta_;
  };

} // namespace Dune::Impact::Test

#endif
