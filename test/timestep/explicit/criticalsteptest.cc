// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <random>

#include <Eigen/Dense>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/timestep/explicit/criticalstep.hh>

#include "../scenes.hh"

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

double criticalStepOf(const System& system)
{
  return criticalStep(system, 0, system.initialState().q);
}

void expect(TestSuite& test, double step, double omega2, const std::string& what,
            double tolerance = 1e-12)
{
  const double exact = 2 / std::sqrt(omega2);
  test.check(std::abs(step - exact) <= tolerance * exact, what)
    << step << " instead of " << exact << ", off by " << step / exact - 1;
}

std::unique_ptr<Particle> particle(double mass, double x, int dimension = 1)
{
  return std::make_unique<Particle>(Particle::Settings{
    .name = "mass", .dimension = dimension, .mass = mass, .position = {x, 0, 0}});
}

TestSuite testBars()
{
  TestSuite test("bars");
  for (int dimension : {1, 2, 3})
    for (std::size_t elements : {1, 2, 3, 50, 777}) {
      System system;
      Bar::Settings settings = Steel::bar(elements);
      settings.dimension = dimension;
      system.add(std::make_unique<Bar>(settings));
      const double exact = Steel::length / double(elements) / Steel::wave,
                   step = criticalStepOf(system);
      test.check(std::abs(step - exact) <= 1e-12 * exact,
                 "a uniform bar: length of an element over wave speed")
        << elements << " elements in dimension " << dimension << ": off by " << step / exact - 1;
    }
  return test;
}

TestSuite testMasses()
{
  TestSuite test("masses and springs");
  for (int dimension : {1, 2, 3}) {
    System oscillator;
    oscillator.add(particle(3, 2, dimension));
    oscillator.add(std::make_unique<Spring>(oscillator.point(0, 0), Vec3(0), 7.0, 2.0));
    expect(test, criticalStepOf(oscillator), 7.0 / 3, "oscillator: 2/omega");

    System pair;
    pair.add(particle(3, 2, dimension));
    pair.add(particle(0.7, 4, dimension));
    pair.add(std::make_unique<Spring>(pair.point(0, 0), pair.point(1, 0), 7.0, 1.5));
    expect(test, criticalStepOf(pair), 7.0 * (1 / 3.0 + 1 / 0.7), "two masses and a spring");

    System free;
    free.add(particle(3, 2, dimension));
    test.check(criticalStepOf(free) == std::numeric_limits<double>::infinity(),
               "nothing is stiff: no limit");
  }
  test.check(criticalStepOf(System()) == std::numeric_limits<double>::infinity(),
             "nothing at all: no limit");

  System held;
  held.add(std::make_unique<Bar>(Steel::bar(1)));
  held.prescribe(held.point(0, 0), 0, Expression("0"));
  const double k = Steel::young * Steel::area / Steel::length,
               m = Steel::density * Steel::area * Steel::length;
  expect(test, criticalStepOf(held), k / (0.5 * m), "prescribed dofs do not swing");
  held.prescribe(held.point(0, 1), 0, Expression("0"));
  test.check(criticalStepOf(held) == std::numeric_limits<double>::infinity(),
             "all is prescribed: no limit");
  return test;
}

//! Bars with massless ends, against the eigenvalues of the chain of masses that they are
TestSuite testMassless()
{
  TestSuite test("massless ends");
  using enum Bar::Tip;
  for (std::size_t elements : {2, 3, 10, 50})
    for (bool closed : {false, true}) {
      Scene scene;
      if (closed)
        scene = masslessOnWall(elements);
      else {
        Bar::Settings settings = Steel::bar(elements);
        settings.tip = {massive, masslessShifted};
        scene.system.add(std::make_unique<Bar>(settings));
      }
      const double k = Steel::young * Steel::area / Steel::length * double(elements);
      const double m = Steel::density * Steel::area * Steel::length / double(elements);
      const int n = int(elements);
      Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
      Eigen::VectorXd root = Eigen::VectorXd::Constant(n, 1 / std::sqrt(m));
      for (int i = 0; i + 1 < n; ++i) {
        K(i, i) += k;
        K(i + 1, i + 1) += k;
        K(i, i + 1) -= k;
        K(i + 1, i) -= k;
      }
      K(n - 1, n - 1) += closed ? k : 0;
      root[0] = 1 / std::sqrt(0.5 * m);
      root[n - 1] = 1 / std::sqrt(1.5 * m);
      const double omega2 =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(root.asDiagonal() * K * root.asDiagonal())
          .eigenvalues()[n - 1];
      const double step = criticalStepOf(scene.system), exact = 2 / std::sqrt(omega2);
      test.check(step <= exact * (1 + 1e-12), "the step is safe")
        << elements << " elements: " << step / exact - 1;
      test.check(step >= exact * std::sqrt(0.95), "the step is not much too small")
        << elements << " elements, " << (closed ? "closed" : "open") << ": " << step / exact - 1;
      test.check(step >= Steel::length / double(elements) / Steel::wave * (1 - 1e-12),
                 "massless ends do not reduce the step");
    }
  return test;
}

//! Irregular chains of masses: safe, and not much too small
TestSuite testChains()
{
  TestSuite test("irregular chains");
  std::mt19937 random(5);
  std::uniform_real_distribution<double> exponent(-2, 2);
  for (int repeat = 0; repeat < 40; ++repeat) {
    System system;
    const int n = 2 + repeat;
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
    Eigen::VectorXd root(n);
    for (int i = 0; i < n; ++i) {
      const double m = std::pow(10, exponent(random));
      root[i] = 1 / std::sqrt(m);
      system.add(particle(m, i));
    }
    for (int i = 0; i + 1 < n; ++i) {
      const double k = std::pow(10, exponent(random));
      system.add(std::make_unique<Spring>(system.point(i, 0), system.point(i + 1, 0), k, 1.0));
      K(i, i) += k;
      K(i + 1, i + 1) += k;
      K(i, i + 1) -= k;
      K(i + 1, i) -= k;
    }
    const double omega2 =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(root.asDiagonal() * K * root.asDiagonal())
        .eigenvalues()[n - 1];
    const double step = criticalStepOf(system), exact = 2 / std::sqrt(omega2);
    test.check(step <= exact * (1 + 1e-10) && step >= exact * std::sqrt(0.95),
               "critical step of a chain")
      << n << " masses: " << step / exact - 1;
  }
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("criticalstep");
  test.subTest(testBars());
  test.subTest(testMasses());
  test.subTest(testMassless());
  test.subTest(testChains());
  return test.exit();
}
