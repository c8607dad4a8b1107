// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TEST_TIMESTEP_MIDPOINT_SOLIDSCENE_HH
#define DUNE_IMPACT_TEST_TIMESTEP_MIDPOINT_SOLIDSCENE_HH

#include <dune/impact/body/solid.hh>
#include <dune/impact/contact/mortar/obstaclegap.hh>
#include <dune/impact/grid/coarsemesh.hh>
#include <dune/impact/grid/shapes.hh>
#include <dune/impact/timestep/midpoint/implicitstepper.hh>

#include "rules.hh"

/** \file
 * \brief Solids in front of obstacles, for tests of implicit methods
 */

namespace Dune::Impact::Test {

  inline const Lame soft = Lame::fromYoung(1.0, 0.3);

  //! The vector with a number in the last direction
  template<int dim>
  Vec3 last(double value)
  {
    Vec3 x(0);
    x[dim - 1] = value;
    return x;
  }

  //! The stepper refers to the rest, so a scene stays where it is
  template<int dim>
  struct SolidScene
  {
    SolidScene() = default;
    SolidScene(const SolidScene&) = delete;

    System system;
    std::vector<Contact> contacts;
    std::unique_ptr<ImplicitStepper<dim>> stepper;

    //! Add a solid; all its boundary can touch the obstacle, if there is one
    void add(typename Solid<dim>::Settings settings,
             std::shared_ptr<const Obstacle> obstacle = nullptr,
             ObstacleGapKind kind = ObstacleGapKind::nodal)
    {
      auto surface = surfaceOf(settings.mesh);
      system.add(std::make_unique<Solid<dim>>(std::move(settings)));
      if (obstacle)
        contacts.push_back({obstacle->name(), std::make_unique<ObstacleGap<dim>>(std::move(surface),
                                                                                 obstacle, kind)});
    }

    //! The boundary of the next body
    ContactSurface<dim> surfaceOf(const SolidMesh<dim>& mesh) const
    {
      return makeContactSurface<dim>(mesh, std::nullopt, system.bodyCount(),
                                     system.configurationSize() / dim);
    }

    void build(const typename ImplicitStepper<dim>::Settings& settings)
    {
      stepper = std::make_unique<ImplicitStepper<dim>>(system, contacts, settings);
    }

    State start()
    {
      StepReport report;
      return stepper->start(system.initialState(), report);
    }

    const WeightedGapGeometry<dim>& coupling(std::size_t i = 0) const
    {
      return *contacts[i].geometry.template find<WeightedGapGeometry<dim>>();
    }
  };

  //! A ball of radius 10 about the origin
  template<int dim>
  typename Solid<dim>::Settings softBall(const AnyMaterial<dim>& material, int cells, int levels)
  {
    return {.name = "ball",
            .mesh = refineMesh(makeBall<dim>(10, cells), levels, "ball"),
            .material = material,
            .density = 1e-4};
  }

} // namespace Dune::Impact::Test

#endif
