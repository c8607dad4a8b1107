// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TEST_TIMESTEP_MIDPOINT_BALLONBLOCK_HH
#define DUNE_IMPACT_TEST_TIMESTEP_MIDPOINT_BALLONBLOCK_HH

#include <algorithm>
#include <memory>
#include <vector>

#include <dune/impact/body/solid.hh>
#include <dune/impact/contact/mortar/mortargap.hh>
#include <dune/impact/grid/placement.hh>
#include <dune/impact/grid/shapes.hh>
#include <dune/impact/timestep/midpoint/implicitproblem.hh>
#include <dune/impact/timestep/midpoint/midpointrules.hh>

/** \file
 * \brief A soft ball that rolls and falls on a soft block in space, both meshed
 */

namespace Dune::Impact::Test {

  //! Balls of radius 50 about the origin, and blocks of height 40 below them
  inline SolidMesh<3> ballMesh(int cells, int levels)
  {
    return refineMesh(makeBall<3>(50, cells), levels, "ball");
  }

  inline SolidMesh<3> blockMesh(const std::array<int, 3>& cells, int levels,
                                CellShape shape = CellShape::simplex)
  {
    return refineMesh(makeBox<3>({0, 0, -40}, {240, 160, 0}, cells, shape), levels, "block");
  }

  //! The model refers to the rest, so it stays where it is
  struct BallOnBlock
  {
    BallOnBlock(SolidMesh<3> ball, SolidMesh<3> block, double speed, int threads)
    {
      const auto material = StVenantKirchhoff<3>{Lame::fromYoung(1.0, 0.3)};
      placeMesh(ball, Vec3{80, 80, 50.1}, Vec3{0, 0, 0});
      auto ballSurface = makeContactSurface<3>(ball, std::nullopt, 0, 0);
      auto blockSurface =
        makeContactSurface<3>(block, block.findPatch("zmax"), 1, ball.nodes.size());
      system.add(std::make_unique<Solid<3>>(
        Solid<3>::Settings{.name = "ball",
                           .mesh = std::move(ball),
                           .material = material,
                           .density = 1e-4,
                           .motion = {.velocity = Vec3{2, 0, -speed}, .spin = Vec3{0, 0.04, 0}}}));
      system.add(std::make_unique<Solid<3>>(Solid<3>::Settings{.name = "block",
                                                               .mesh = std::move(block),
                                                               .material = material,
                                                               .density = 1e-4,
                                                               .supports = {{"zmin"}}}));
      contacts.push_back(
        {"contact", std::make_unique<MortarGap<3>>(std::move(ballSurface), std::move(blockSurface),
                                                   MortarSettings{.threads = threads})});
      model = std::make_unique<ImplicitModel<3>>(system, contacts);
      state = system.initialState();
      std::fill(state.p.begin(), state.p.end(), 0);
      for (const auto& member : model->members)
        member.body->initialVelocity(member.slice(Span(state.p)));
    }

    BallOnBlock(const BallOnBlock&) = delete;

    System system;
    std::vector<Contact> contacts;
    std::unique_ptr<ImplicitModel<3>> model;
    State state;
  };

} // namespace Dune::Impact::Test

#endif
