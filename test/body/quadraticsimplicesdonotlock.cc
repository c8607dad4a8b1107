// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <string>

#include <Eigen/Dense>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/grid/shapes.hh>

#include "linearproblem.hh"

/* Triangles and tetrahedra of second order in problems that lock with first order: a cantilever, a
 * clamped plate, Cook's membrane, a nearly incompressible block and a large bend. Numbers of an
 * independent implementation on the same meshes. A ring under inner pressure has an exact
 * solution, to which curved cells converge with third order. */

template<int dim>
SolidMesh<dim> box(const FieldVector<double, dim>& upper, const std::array<int, dim>& cells,
                   int order = 2)
{
  return refineMesh(makeBox<dim>(FieldVector<double, dim>(0), upper, cells), 0, "box", order);
}

//! Mean deflection of the end of 10 x 1 x 1 under a shear traction of one
double cantilever(const std::array<int, 3>& cells, double poisson, int order = 2)
{
  LinearProblem<3> problem(box<3>({10, 1, 1}, cells, order), 1000, poisson);
  for (int c = 0; c < 3; ++c)
    problem.hold(c, at(0, 0));
  problem.pull({0, 0, -1}, at(0, 10));
  problem.solve();
  return -problem.work();
}

//! Deflection in the middle of a clamped plate 100 x 100 x 1, a quarter of it, under pressure
double plate(const std::array<int, 3>& cells)
{
  LinearProblem<3> problem(box<3>({50, 50, 1}, cells), 1000, 0.3);
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
double cook(int n, double poisson)
{
  auto mesh = box<2>({1, 1}, {n, n});
  for (auto& x : mesh.nodes) // diagonals become curved
    x = {48 * x[0], 44 * x[0] * (1 - x[1]) + x[1] * (44 + 16 * x[0])};
  LinearProblem<2> problem(mesh, 1, poisson);
  for (int c = 0; c < 2; ++c)
    problem.hold(c, at(0, 0));
  problem.pull({0, 1.0 / 16}, at(0, 48));
  problem.solve();
  return problem.displacement({48, 60}, 1);
}

//! A unit cube pressed on a quarter of its upper face
double block(int n, double poisson)
{
  LinearProblem<3> problem(box<3>({1, 1, 1}, {n, n, n}), 1, poisson);
  for (int c = 0; c < 3; ++c)
    problem.hold(c, at(c, 0));
  problem.hold(0, at(2, 1));
  problem.hold(1, at(2, 1));
  problem.pull({0, 0, -0.1},
               [](const auto& x) { return at(2, 1)(x) && x[0] < 0.5001 && x[1] < 0.5001; });
  problem.solve();
  return problem.displacement({0, 0, 1}, 2);
}

//! Largest error of the radial displacement of a ring of radii 1 and 2 under inner pressure
double ring(int layers, int order)
{
  const double E = 10, nu = 0.3, p = 1;
  LinearProblem<2> problem(refineMesh(makeShell<2>(1, 2, layers), 0, "ring", order), E, nu);
  problem.hold(1, at(1, 0));
  problem.hold(0, at(0, 0));
  problem.press(0, p);
  problem.solve();
  // Lame: u = (1 + nu)/E p a^2/(b^2 - a^2) ((1 - 2 nu) r + b^2/r)
  double error = 0;
  for (std::size_t i = 0; i < problem.mesh().nodes.size(); ++i) {
    const auto& x = problem.mesh().nodes[i];
    const double r = x.two_norm(), exact = (1 + nu) / E * p / 3 * ((1 - 2 * nu) * r + 4 / r);
    const double u = (problem.value(i, 0) * x[0] + problem.value(i, 1) * x[1]) / r;
    error = std::max(error, std::abs(u - exact) / 0.2);
  }
  return error;
}

//! 2/omega of a free unit square or cube with the diagonal mass
template<int dim>
double criticalStep(int n)
{
  std::array<int, dim> cells;
  cells.fill(n);
  const auto mesh = box<dim>(FieldVector<double, dim>(1), cells);
  const SolidElements<dim> elements(mesh, LinearElastic<dim>{Lame::fromYoung(1, 0.3)});
  typename SolidElements<dim>::Matrix K(elements.pattern());
  elements.addTangent(std::vector<double>(mesh.nodes.size() * dim, 0), 1, K);
  const auto mass = diagonalMass(mesh, 1);
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(mesh.nodes.size() * dim, mesh.nodes.size() * dim);
  const auto& pattern = *elements.pattern();
  for (std::size_t i = 0; i < pattern.rows(); ++i)
    for (std::size_t k = pattern.rowStart[i]; k < pattern.rowStart[i + 1]; ++k)
      for (int a = 0; a < dim; ++a)
        for (int b = 0; b < dim; ++b)
          A(i * dim + a, pattern.column[k] * dim + b) =
            K.block[k][a][b] / std::sqrt(mass[i] * mass[pattern.column[k]]);
  return 2 / std::sqrt(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly)
                         .eigenvalues()
                         .maxCoeff());
}

//! Large bend 10 x 1 of neo-Hooke material under a dead shear traction of two: mean of the end
double bend()
{
  const auto mesh = box<2>({10, 1}, {10, 1});
  const SolidElements<2> elements(mesh, NeoHooke<2>{Lame::fromYoung(1000, 0.3)});
  const Eigen::Index n = Eigen::Index(mesh.nodes.size()) * 2;
  Eigen::VectorXd load = Eigen::VectorXd::Zero(n);
  addTraction<2>(mesh, mesh.findPatch("xmax").value(), {0, -2}, {load.data(), std::size_t(n)});
  std::vector<double> u(n, 0);
  const auto held = [&](Eigen::Index i) { return mesh.nodes[i / 2][0] == 0; };
  for (int step = 1; step <= 5; ++step)
    for (int iteration = 0; iteration < 12; ++iteration) {
      std::vector<double> f(n, 0);
      elements.addForce(u, 1, f);
      SolidElements<2>::Matrix K(elements.pattern());
      elements.addTangent(u, 1, K);
      Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
      const auto& pattern = *elements.pattern();
      for (std::size_t i = 0; i < pattern.rows(); ++i)
        for (std::size_t k = pattern.rowStart[i]; k < pattern.rowStart[i + 1]; ++k)
          for (int a = 0; a < 2; ++a)
            for (int b = 0; b < 2; ++b)
              A(i * 2 + a, pattern.column[k] * 2 + b) = K.block[k][a][b];
      Eigen::VectorXd r = load * (step / 5.0) - Eigen::Map<Eigen::VectorXd>(f.data(), n);
      for (Eigen::Index i = 0; i < n; ++i)
        if (held(i)) {
          A.row(i).setZero();
          A.col(i).setZero();
          A(i, i) = 1;
          r[i] = 0;
        }
      const Eigen::VectorXd du = A.ldlt().solve(r);
      for (Eigen::Index i = 0; i < n; ++i)
        u[i] += du[i];
    }
  return load.dot(Eigen::Map<Eigen::VectorXd>(u.data(), n)) / -2;
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
  compare(cantilever({10, 1, 1}, 0.3), -3.9330189573462815, 1e-8, "cantilever of one layer");
  compare(cantilever({10, 2, 2}, 0.3), -3.961156657029059, 1e-8, "cantilever of two layers");
  compare(cantilever({10, 1, 1}, 0.499), -3.4832550245649183, 1e-8,
          "nearly incompressible cantilever of one layer");
  compare(cantilever({10, 2, 2}, 0.499), -3.5402582372080524, 1e-8,
          "nearly incompressible cantilever of two layers");
  compare(cantilever({20, 4, 4}, 0.3, 1), -2.7015485463183833, 1e-8, "first order locks");
  compare(plate({5, 5, 1}), -0.001089770892598721, 1e-7, "plate");
  compare(plate({10, 10, 1}), -0.0013322186480578923, 1e-7, "finer plate");
  compare(cook(4, 1.0 / 3), 21.662688867073793, 1e-8, "Cook's membrane, 4 x 4");
  compare(cook(8, 1.0 / 3), 22.201050200741793, 1e-8, "Cook's membrane, 8 x 8");
  compare(cook(4, 0.4999), 16.097721818020364, 1e-8, "incompressible membrane, 4 x 4");
  compare(cook(8, 0.4999), 18.019664448546454, 1e-8, "incompressible membrane, 8 x 8");
  compare(block(2, 0.49), -0.06969605840518284, 1e-8, "block");
  compare(block(2, 0.499), -0.06997054456012435, 1e-8, "nearly incompressible block");
  compare(bend(), -5.181323040304051, 1e-6, "large bend");
  compare(criticalStep<2>(8), 0.029987433536727184, 1e-7, "critical step of a square");
  compare(criticalStep<3>(3), 0.07609560596658381, 1e-7, "critical step of a cube");
  const double coarse = ring(2, 2), middle = ring(4, 2), fine = ring(8, 2), linear = ring(16, 1);
  test.check(middle < coarse / 5 && fine < middle / 5, "third order on curved boundaries")
    << coarse << " " << middle << " " << fine;
  test.check(fine < linear / 20, "first order on as many nodes is far off")
    << fine << " " << linear;
  return test.exit();
}
