// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/solid.hh>
#include <dune/impact/contact/mortargap.hh>
#include <dune/impact/contact/overlap.hh>
#include <dune/impact/contact/test/checkgapcoupling.hh>
#include <dune/impact/grid/placement.hh>
#include <dune/impact/grid/shapes.hh>
#include <dune/impact/timestep/implicitstepper.hh>

/* A box falls on a larger free box, flat or turned, with a fifth of the speed of sound. The contact surfaces are the whole boundaries,
 * with the edges of the boxes. Nowhere does one lie in the other: not only are the weighted gaps of nodes
 * closed, but the bodies do not overlap, edges and corners included, but for what gaps leave that are means over facets:
 * more where facets are as large as the body, or where a corner alone digs in. Derivatives of gaps are checked where edges are in contact. */

using namespace Dune;
using namespace Dune::Impact;

namespace {

  template<int dim>
  struct Fall
  {
    const char* name;
    FieldVector<double, dim> size; //!< of the box that falls
    std::array<int, dim> cells;
    CellShape shape;
    double turn;                   //!< about the last axis but one, or in the plane
    double allowed;                //!< overlap between nodes, in cells
  };

  template<int dim>
  class Boxes
  {
  public:
    explicit Boxes(const Fall<dim>& fall)
    {
      FieldVector<double, dim> lower(-2), upper(2);
      lower[dim - 1] = -1;
      upper[dim - 1] = 0;
      std::array<int, dim> cells;
      cells.fill(7);
      cells[dim - 1] = 3;
      const double tilt = 0.5 * fall.size[0] * std::sin(fall.turn);
      surfaces[0] = add("box", makeBox<dim>(-0.5 * fall.size, 0.5 * fall.size, fall.cells, fall.shape), 0.05 + 0.5 * fall.size[dim - 1] * std::cos(fall.turn) + tilt, fall.turn, -1);
      surfaces[1] = add("block", makeBox<dim>(lower, upper, cells, fall.shape), 0, 0, 0);
      contacts.push_back({"contact", std::make_unique<MortarGap<dim>>(surfaces[0], surfaces[1])});
      stepper = std::make_unique<ImplicitStepper<dim>>(system, contacts, typename ImplicitStepper<dim>::Settings{.step = 0.05});
    }

    System system;
    std::array<ContactSurface<dim>, 2> surfaces;
    std::vector<SurfaceContact<dim>> contacts;
    std::unique_ptr<ImplicitStepper<dim>> stepper;

  private:
    ContactSurface<dim> add(const char* name, const CoarseMesh<dim>& coarse, double height, double turn, double speed)
    {
      typename Solid<dim>::Settings settings{.name = name, .mesh = refineMesh(coarse, 0, name), .material = StVenantKirchhoff<dim>{Lame::fromYoung(30.0, 0.3)}, .density = 1};
      Vec3 position(0), rotation(0);
      if (speed != 0) // no node of one body lies over one of the other, where second derivatives jump
        position = {0.013, 0.007, 0};
      position[dim - 1] = height;
      rotation[dim == 2 ? 2 : 1] = dim == 2 ? turn : -turn;
      placeMesh<dim>(settings.mesh, position, rotation);
      settings.motion.velocity[dim - 1] = speed;
      auto surface = makeContactSurface<dim>(settings.mesh, std::nullopt, system.bodyCount(), nodes_);
      nodes_ += settings.mesh.nodes.size();
      system.add(std::make_unique<Solid<dim>>(std::move(settings)));
      return surface;
    }

    std::size_t nodes_ = 0;
  };

  template<int dim>
  void check(TestSuite& test, const Fall<dim>& fall, long steps)
  {
    Boxes<dim> boxes(fall);
    StepReport report;
    State state = boxes.stepper->start(boxes.system.initialState(), report), next;
    Record last = boxes.stepper->record(state, state);
    const Record first = last;
    const double cell = fall.size[0] / fall.cells[0];
    double overlap = 0, depth = 0, rise = 0, impulse = 0, momentum = 0, angular = 0;
    for (long n = 0; n < steps; ++n) {
      boxes.stepper->step(state, next, report);
      const Record record = boxes.stepper->record(state, next);
      overlap = std::max(overlap, -report.minGap);
      if (const auto found = findOverlap<dim>(boxes.surfaces[0], boxes.surfaces[1], next.q, 1e-6 * cell))
        depth = std::max(depth, found->depth);
      rise = std::max(rise, record.total() - last.total() - boxes.stepper->slack());
      impulse += report.pairImpulse[0];
      momentum = std::max(momentum, (record.momenta.linear - first.momenta.linear).infinity_norm());
      angular = std::max(angular, (record.momenta.angular - first.momenta.angular).infinity_norm());
      if (n == 8) // pressed together
        test.subTest(checkGapCoupling(*boxes.contacts[0].coupling, next.q, {.length = 1e-3 * cell}));
      last = record;
      std::swap(state, next);
    }
    const double brought = first.momenta.linear.two_norm();
    std::cout << dim << "D " << fall.name << ": overlap of gaps " << overlap << ", of bodies " << depth / cell << " cells, impulse " << impulse / brought << " of the momentum, energy " << last.total() / first.total()
              << ", rise " << rise << ", momenta " << momentum << " " << angular << std::endl;
    const double blockMass = dim == 2 ? 4 : 16, common = blockMass / (brought + blockMass); // density and speed are one: the momentum is the mass of the box
    test.check(impulse > common * brought, fall.name) << "after it the bodies do not approach each other: " << impulse / brought << " of the momentum, not " << common;
    test.check(overlap < 1e-9 * cell, fall.name) << "overlap of gaps " << overlap;
    test.check(depth < fall.allowed * cell, fall.name) << "overlap of bodies " << depth / cell << " cells";
    test.check(rise <= 1e-12 * first.total(), fall.name) << "energy rises by " << rise;
    test.check(momentum < 1e-11 * brought && angular < 1e-9 * brought, fall.name) << "momenta change by " << momentum << " and " << angular;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  constexpr auto cube = CellShape::cube, simplex = CellShape::simplex;
  for (const Fall<2>& fall : {Fall<2>{"flat", {2, 0.7}, {6, 2}, cube, 0, 0.05}, Fall<2>{"flat triangles", {2, 0.7}, {6, 2}, simplex, 0, 0.05},
                              Fall<2>{"turned", {2, 0.7}, {6, 2}, cube, 0.2, 0.05}, Fall<2>{"on its corner", {1, 1}, {3, 3}, cube, 0.7, 0.15},
                              Fall<2>{"upright, of one cell", {1, 3}, {1, 1}, cube, 0, 0.2}, Fall<2>{"of one cell", {1, 0.5}, {1, 1}, cube, 0, 0.05}})
    check(test, fall, 40);
  for (const Fall<3>& fall : {Fall<3>{"flat", {2, 1.6, 0.7}, {4, 3, 2}, cube, 0, 0.05}, Fall<3>{"turned", {2, 1.6, 0.7}, {4, 3, 2}, cube, 0.2, 0.05},
                              Fall<3>{"upright, of one cell", {1, 1, 2}, {1, 1, 1}, cube, 0, 0.2}})
    check(test, fall, 30);
  return test.exit();
}
