// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <numbers>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/solid.hh>
#include <dune/impact/contact/mortar/mortargap.hh>
#include <dune/impact/contact/mortar/overlap.hh>
#include <dune/impact/contact/test/checkweightedgaps.hh>
#include <dune/impact/grid/meshchecks.hh>
#include <dune/impact/grid/placement.hh>
#include <dune/impact/grid/shapes.hh>
#include <dune/impact/grid/topology.hh>
#include <dune/impact/timestep/midpoint/implicitstepper.hh>

/* A box falls on a larger free box, flat or turned, or into a free channel, with a fifth of the
 * speed of sound. The contact surfaces are the whole boundaries, with the edges of the bodies. In a
 * channel the sides of the box see its walls while the bottom touches the floor. Nowhere does one
 * lie in the other: not only are the weighted gaps of nodes closed, but the bodies do not overlap,
 * edges and corners included, but for what gaps leave that are means over facets: more where facets
 * are as large as the body, or where a corner alone digs in. Derivatives of gaps are checked where
 * edges are in contact. */

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
    double turn;    //!< about the last axis but one, or in the plane
    double allowed; //!< overlap between nodes, in cells
    //! distance from the box to the walls of a channel, in cells; without one it falls on a block
    double wall = 0;
    double sideways = 0; //!< velocity towards a wall; downwards it is one
  };

  //! Take cells out of a mesh of cubes, and the nodes that only they have
  template<int dim, class Condition>
  void removeCells(SolidMesh<dim>& mesh, Condition&& isOut)
  {
    std::erase_if(mesh.cubes, isOut);
    constexpr Index unused = -1;
    std::vector<Index> number(mesh.nodes.size(), unused);
    for (const auto& cell : mesh.cubes)
      for (Index i : cell)
        number[i] = 0;
    Index count = 0;
    for (std::size_t i = 0; i < number.size(); ++i)
      if (number[i] != unused) {
        mesh.nodes[count] = mesh.nodes[i];
        number[i] = count++;
      }
    mesh.nodes.resize(count);
    for (auto& cell : mesh.cubes)
      for (Index& i : cell)
        i = number[i];
    mesh.patches.clear();
    findFacets(mesh);
  }

  /** A channel, open at the top and at both ends: the floor and the walls are as thick as one, half
   * of the width is given. Walls are higher than the box bounces: the nodes of its sides do not
   * pass their ends.
   */
  template<int dim>
  CoarseMesh<dim> makeChannel(double half, double height)
  {
    constexpr int across = 8, floor = 2, high = 5; // cells; walls are one thick
    FieldVector<double, dim> lower(0), upper(4);
    std::array<int, dim> cells;
    cells.fill(4);
    upper[0] = cells[0] = across;
    upper[dim - 1] = cells[dim - 1] = floor + high;
    auto coarse = makeBox<dim>(lower, upper, cells, CellShape::cube);
    auto& mesh = coarse.mesh;
    removeCells(mesh, [&](const auto& cell) {
      FieldVector<double, dim> centre(0);
      for (Index i : cell)
        centre.axpy(1.0 / double(cell.size()), mesh.nodes[i]);
      return centre[0] > 1 && centre[0] < across - 1 && centre[dim - 1] > floor;
    });
    for (auto& x : mesh.nodes) { // the lattice becomes the channel
      x[0] = x[0] < 1            ? -half - 1
             : x[0] > across - 1 ? half + 1
                                 : half * (2 * x[0] - across) / (across - 2);
      if (dim == 3)
        x[1] -= 2;
      x[dim - 1] =
        x[dim - 1] < floor ? x[dim - 1] / floor - 1 : height * (x[dim - 1] - floor) / high;
    }
    return coarse;
  }

  template<int dim>
  CoarseMesh<dim> makeBlock(CellShape shape)
  {
    FieldVector<double, dim> lower(-2), upper(2);
    lower[dim - 1] = -1;
    upper[dim - 1] = 0;
    std::array<int, dim> cells;
    cells.fill(7);
    cells[dim - 1] = 3;
    return makeBox<dim>(lower, upper, cells, shape);
  }

  template<int dim>
  class Boxes
  {
  public:
    explicit Boxes(const Fall<dim>& fall)
    {
      const double tilt = 0.5 * fall.size[0] * std::sin(fall.turn);
      surfaces[0] = add(
        "box", makeBox<dim>(-0.5 * fall.size, 0.5 * fall.size, fall.cells, fall.shape),
        0.05 + 0.5 * fall.size[dim - 1] * std::cos(fall.turn) + tilt, fall.turn, fall.sideways, -1);
      const double half = 0.5 * fall.size[0] + fall.wall * fall.size[0] / fall.cells[0];
      const auto other =
        fall.wall > 0 ? makeChannel<dim>(half, 1 + fall.size[dim - 1]) : makeBlock<dim>(fall.shape);
      otherMass = meshVolume(other.mesh); // the density is one
      surfaces[1] = add("block", other, 0, 0, 0, 0);
      contacts.push_back({"contact", std::make_unique<MortarGap<dim>>(surfaces[0], surfaces[1])});
      stepper = std::make_unique<ImplicitStepper<dim>>(
        system, contacts, typename ImplicitStepper<dim>::Settings{.step = 0.05});
    }

    System system;
    std::array<ContactSurface<dim>, 2> surfaces;
    std::vector<Contact> contacts;
    std::unique_ptr<ImplicitStepper<dim>> stepper;
    double otherMass;

  private:
    ContactSurface<dim> add(const char* name, const CoarseMesh<dim>& coarse, double height,
                            double turn, double sideways, double speed)
    {
      typename Solid<dim>::Settings settings{.name = name,
                                             .mesh = refineMesh(coarse, 0, name),
                                             .material =
                                               StVenantKirchhoff<dim>{Lame::fromYoung(30.0, 0.3)},
                                             .density = 1};
      Vec3 position(0), rotation(0);
      // no node of one body lies over one of the other, where second derivatives jump
      if (speed != 0)
        position = {0.013, 0.007, 0};
      position[dim - 1] = height;
      rotation[dim == 2 ? 2 : 1] = dim == 2 ? turn : -turn;
      placeMesh<dim>(settings.mesh, position, rotation);
      settings.motion.velocity[0] = sideways;
      settings.motion.velocity[dim - 1] = speed;
      auto surface =
        makeContactSurface<dim>(settings.mesh, std::nullopt, system.bodyCount(), nodes_);
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
    int pressed = 0; // steps
    double overlap = 0, depth = 0, rise = 0, momentum = 0, angular = 0;
    Vec3 impulse(0); // on the box
    for (long n = 0; n < steps; ++n) {
      boxes.stepper->step(state, next, report);
      const Record record = boxes.stepper->record(state, next);
      overlap = std::max(overlap, -report.minGap);
      if (const auto found =
            findOverlap<dim>(boxes.surfaces[0], boxes.surfaces[1], next.q, 1e-6 * cell))
        depth = std::max(depth, found->depth);
      rise = std::max(rise, record.total() - last.total() - boxes.stepper->slack());
      impulse += report.impulse;
      momentum = std::max(momentum, (record.momenta.linear - first.momenta.linear).infinity_norm());
      angular = std::max(angular, (record.momenta.angular - first.momenta.angular).infinity_norm());
      pressed += report.pairImpulse[0] > 0;
      if (pressed == 2 && report.pairImpulse[0] > 0)
        test.subTest(
          checkWeightedGaps(*boxes.contacts[0].geometry.template find<WeightedGapGeometry<dim>>(),
                            next.q, {.length = 1e-3 * cell}));
      last = record;
      std::swap(state, next);
    }
    const double brought = first.momenta.linear.two_norm(),
                 exactSteps = boxes.stepper->statistics(state).at(0).value;
    std::cout << dim << "D " << fall.name << ": overlap of gaps " << overlap << ", of bodies "
              << depth / cell << " cells, impulse " << impulse / brought
              << " of the momentum, energy " << last.total() / first.total() << ", rise " << rise
              << ", momenta " << momentum << " " << angular << ", exact steps " << exactSteps
              << std::endl;
    const double mass = brought / std::hypot(1, fall.sideways),
                 common = boxes.otherMass / (mass + boxes.otherMass);
    test.check(pressed >= 2, fall.name)
      << "derivatives were not checked, steps with a force: " << pressed;
    test.check(impulse[dim - 1] > common * mass &&
                 (fall.sideways == 0 || -impulse[0] > common * mass * fall.sideways),
               fall.name)
      << "after it the bodies do not approach each other: " << impulse / mass
      << " of the momenta, not " << common;
    test.check(fall.wall == 0 || exactSteps == 0, fall.name)
      << exactSteps << " steps needed exact derivatives";
    test.check(overlap < 1e-9 * cell, fall.name) << "overlap of gaps " << overlap;
    test.check(depth < fall.allowed * cell, fall.name)
      << "overlap of bodies " << depth / cell << " cells";
    test.check(rise <= 1e-12 * first.total(), fall.name) << "energy rises by " << rise;
    test.check(momentum < 1e-11 * brought && angular < 1e-9 * brought, fall.name)
      << "momenta change by " << momentum << " and " << angular;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  constexpr auto cube = CellShape::cube, simplex = CellShape::simplex;
  for (const Fall<2>& fall :
       {Fall<2>{"flat", {2, 0.7}, {6, 2}, cube, 0, 0.05},
        Fall<2>{"flat triangles", {2, 0.7}, {6, 2}, simplex, 0, 0.05},
        Fall<2>{"turned", {2, 0.7}, {6, 2}, cube, 0.2, 0.05},
        Fall<2>{"on its corner", {1, 1}, {3, 3}, cube, 0.7, 0.05},
        Fall<2>{"on its corner, as steep on both sides",
                {1, 1},
                {3, 3},
                cube,
                std::numbers::pi / 4,
                0.05},
        Fall<2>{"upright, of one cell", {1, 3}, {1, 1}, cube, 0, 0.1},
        Fall<2>{"of one cell", {1, 0.5}, {1, 1}, cube, 0, 0.05},
        Fall<2>{"in a narrow channel", {2, 0.7}, {6, 2}, cube, 0, 0.05, 0.3},
        Fall<2>{"in a wide channel", {2, 0.7}, {6, 2}, cube, 0, 0.05, 1},
        Fall<2>{"of one cell in a narrow channel", {1, 0.5}, {1, 1}, cube, 0, 0.05, 0.3},
        Fall<2>{"of one cell in a wide channel", {1, 0.5}, {1, 1}, cube, 0, 0.05, 1},
        Fall<2>{"into the corner of a channel", {2, 0.7}, {6, 2}, cube, 0, 0.05, 0.3, 1},
        Fall<2>{
          "of one cell into the corner of a channel", {1, 0.5}, {1, 1}, cube, 0, 0.05, 0.3, 1}})
    check(test, fall, 40);
  for (const Fall<3>& fall :
       {Fall<3>{"flat", {2, 1.6, 0.7}, {4, 3, 2}, cube, 0, 0.05},
        Fall<3>{"turned", {2, 1.6, 0.7}, {4, 3, 2}, cube, 0.2, 0.05},
        Fall<3>{"upright, of one cell", {1, 1, 2}, {1, 1, 1}, cube, 0, 0.1},
        Fall<3>{"in a narrow channel", {2, 1.6, 0.7}, {4, 3, 2}, cube, 0, 0.1, 0.3},
        Fall<3>{"of one cell in a wide channel", {1, 1, 0.5}, {1, 1, 1}, cube, 0, 0.05, 1},
        Fall<3>{"into the corner of a channel", {2, 1.6, 0.7}, {4, 3, 2}, cube, 0, 0.1, 0.3, 1}})
    check(test, fall, 30);
  return test.exit();
}
