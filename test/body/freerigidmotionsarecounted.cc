// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/rigidmotions.hh>
#include <dune/impact/body/solid.hh>
#include <dune/impact/grid/placement.hh>
#include <dune/impact/grid/shapes.hh>

using namespace Dune;
using namespace Dune::Impact;

namespace {

  //! Free motions of a box with some supports, far from the origin and turned if it is
  template<int dim>
  long freeMotions(const std::vector<Support>& supports, double size = 1, bool turned = false)
  {
    FieldVector<double, dim> lower(0.0), upper(size);
    std::array<int, dim> cells;
    cells.fill(2);
    SolidMesh<dim> mesh =
      refineMesh(makeBox<dim>(lower, upper, cells, CellShape::simplex), 0, "box");
    placeMesh(mesh, turned ? Vec3{1e3 * size, -500 * size, 0} : Vec3(0), {0, 0, turned ? 0.4 : 0.});
    System system;
    system.add(std::make_unique<Solid<dim>>(
      typename Solid<dim>::Settings{.name = "box",
                                    .mesh = mesh,
                                    .material = NeoHooke<dim>{Lame::fromYoung(1, 0.3)},
                                    .supports = supports}));
    const State initial = system.initialState();
    return freeRigidMotions(system, std::array{std::size_t(0)}, initial.q).cols();
  }

  constexpr std::array<bool, 3> x = {true, false, false}, y = {false, true, false},
                                z = {false, false, true};

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  for (const double size : {1e-6, 1.0, 1e5})
    for (const bool turned : {false, true}) {
      test.check(freeMotions<2>({}, size, turned) == 3, "free in the plane") << size << turned;
      test.check(freeMotions<3>({}, size, turned) == 6, "free in space") << size << turned;
      test.check(freeMotions<2>({{"xmin"}}, size, turned) == 0, "held in the plane") << size;
      test.check(freeMotions<3>({{"zmax"}}, size, turned) == 0, "held in space") << size;
      test.check(freeMotions<2>({{"xmin", x}, {"ymin", y}}, size, turned) == 0, "two rollers");
      test.check(freeMotions<3>({{"xmin", x}, {"ymin", y}, {"zmin", z}}, size, turned) == 0,
                 "three rollers");
    }
  test.check(freeMotions<2>({{"xmin", x}}) == 1, "one roller in the plane");
  test.check(freeMotions<2>({{"xmin", y}}) == 2, "one roller along its side");
  test.check(freeMotions<3>({{"zmin", z}}) == 3, "on a table");
  test.check(freeMotions<3>({{"zmin", z}, {"xmin", x}}) == 1, "and along a wall");
  return test.exit();
}
