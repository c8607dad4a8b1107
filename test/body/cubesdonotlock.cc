// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <string>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/grid/shapes.hh>

#include "linearproblem.hh"

/* Cubes with one integration point and an hourglass energy in linear problems that lock with two
 * points per direction: a cantilever, a clamped plate, Cook's membrane and a nearly incompressible
 * block under partial pressure. Numbers of an independent implementation on the same meshes. */

template<int dim>
SolidMesh<dim> box(const FieldVector<double, dim>& upper, const std::array<int, dim>& cells)
{
  return makeBox<dim>(FieldVector<double, dim>(0), upper, cells, CellShape::cube).mesh;
}

//! Mean deflection of the end of 10 x 1 x 1 under a shear traction of one
double cantilever(const std::array<int, 3>& cells, double poisson, CubeElement element)
{
  LinearProblem<3> problem(box<3>({10, 1, 1}, cells), 1000, poisson, element);
  for (int c = 0; c < 3; ++c)
    problem.hold(c, at(0, 0));
  problem.pull({0, 0, -1}, at(0, 10));
  problem.solve();
  return -problem.work();
}

//! Deflection in the middle of a clamped plate 100 x 100 x 1, a quarter of it, under pressure
double plate(const std::array<int, 3>& cells, CubeElement element)
{
  LinearProblem<3> problem(box<3>({50, 50, 1}, cells), 1000, 0.3, element);
  for (int c = 0; c < 3; ++c) {
    problem.hold(c, at(0, 0));
    problem.hold(c, at(1, 0));
  }
  problem.hold(0, at(0, 50));
  problem.hold(1, at(1, 50));
  problem.pull({0, 0, -1e-6}, at(2, 1));
  problem.solve();
  return problem.displacement({50, 50, 1}, 2);
}

//! Cook's membrane: deflection of the upper corner of the loaded end
double cook(int n, double poisson, CubeElement element)
{
  auto mesh = box<2>({1, 1}, {n, n});
  for (auto& x : mesh.nodes)
    x = {48 * x[0], 44 * x[0] * (1 - x[1]) + x[1] * (44 + 16 * x[0])};
  LinearProblem<2> problem(mesh, 1, poisson, element);
  for (int c = 0; c < 2; ++c)
    problem.hold(c, at(0, 0));
  problem.pull({0, 1.0 / 16}, at(0, 48));
  problem.solve();
  return problem.displacement({48, 60}, 1);
}

//! A unit cube pressed on a quarter of its upper face
double block(int n, double poisson, CubeElement element)
{
  LinearProblem<3> problem(box<3>({1, 1, 1}, {n, n, n}), 1, poisson, element);
  for (int c = 0; c < 3; ++c)
    problem.hold(c, at(c, 0));
  problem.hold(0, at(2, 1));
  problem.hold(1, at(2, 1));
  problem.pull({0, 0, -0.1},
               [](const auto& x) { return at(2, 1)(x) && x[0] < 0.5001 && x[1] < 0.5001; });
  problem.solve();
  return problem.displacement({0, 0, 1}, 2);
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  const auto compare = [&](double value, double reference, double tolerance,
                           const std::string& name) {
    test.check(std::abs(value - reference) <= tolerance * std::abs(reference), name)
      << value << " instead of " << reference;
  };
  constexpr auto one = CubeElement::q1r, full = CubeElement::q1;
  compare(cantilever({10, 2, 2}, 0.3, one), -3.935786212240528, 1e-8, "cantilever");
  compare(cantilever({10, 2, 2}, 0.499, one), -3.8553384588295363, 1e-8,
          "nearly incompressible cantilever");
  compare(cantilever({20, 4, 4}, 0.499, one), -3.8921245157614432, 1e-8,
          "nearly incompressible cantilever, finer");
  compare(plate({10, 10, 1}, one), -0.001357894632076678, 1e-7, "plate of one layer");
  compare(plate({10, 10, 2}, one), -0.0013393311569950492, 1e-7, "plate of two layers");
  compare(cook(4, 1.0 / 3, one), 21.210917313176935, 1e-8, "Cook's membrane, 4 x 4");
  compare(cook(8, 1.0 / 3, one), 21.955332176052945, 1e-8, "Cook's membrane, 8 x 8");
  compare(cook(8, 0.4999, one), 18.739148061154037, 1e-8, "incompressible membrane");
  compare(block(4, 0.49, one), -0.06608194563521337, 1e-8, "block");
  compare(block(8, 0.499, one), -0.06521596436538678, 1e-8, "nearly incompressible block");
  // What two points per direction make of them: too stiff by 10 % and by a factor of 7.6
  test.check(std::abs(cantilever({20, 4, 4}, 0.3, full) / -3.99894 - 0.9) < 0.01,
             "two points lock in bending")
    << cantilever({20, 4, 4}, 0.3, full);
  test.check(std::abs(plate({10, 10, 2}, full) / -1.37696e-3 - 0.13) < 0.01,
             "two points lock in thin plates")
    << plate({10, 10, 2}, full);
  return test.exit();
}
