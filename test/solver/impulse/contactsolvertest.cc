// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>
#include <numbers>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/solver/impulse/contactsolver.hh>

#include "contactproblems.hh"

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

// Count allocations of the whole program. The functions are not inlined: compilers that see one of
// them only take free() for the wrong partner of new.
namespace {
  long allocations = 0;
}

[[gnu::noinline]] void* operator new(std::size_t size)
{
  ++allocations;
  if (void* p = std::malloc(size))
    return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept
{
  std::free(p);
}
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept
{
  std::free(p);
}

using Method = SolveReport (*)(ContactSolver&, const ContactProblem&, Span);

struct NamedMethod
{
  std::string name;
  Method solve;
};

const NamedMethod automatic = {"automatic",
                               [](auto& s, auto& p, Span r) { return s.solveContact(p, r); }};
const NamedMethod gaussSeidel = {
  "Gauss-Seidel", [](auto& s, auto& p, Span r) { return s.solveProjectedGaussSeidel(p, r); }};
const NamedMethod activeSet = {"active set",
                               [](auto& s, auto& p, Span r) { return s.solveActiveSet(p, r); }};
const NamedMethod diagonal = {"diagonal",
                              [](auto& s, auto& p, Span r) { return s.solveDiagonal(p, r); }};

// Solutions are compared to round-off
const ContactSettings tight{.tolerance = 1e-13};

// Five touching masses, the first one moves: row i is v_{i+1} - v_i
TestSuite testCradle(double e, const Vector& impulses, const Vector& velocities)
{
  TestSuite test("cradle");
  const Vector m(5, 1.0), v = {1, 0, 0, 0, 0};
  Dense G(4, 5);
  for (int i = 0; i < 4; ++i) {
    G(i, i) = -1;
    G(i, i + 1) = 1;
  }
  Vector b = product(G, v);
  for (double& x : b)
    x *= 1 + e;
  Delassus H;
  fill(H, delassus(G, m));
  for (const auto& [name, solve] : {automatic, gaussSeidel, activeSet}) {
    ContactSolver solver(tight);
    Vector r(4, 0.0);
    const SolveReport report = solve(solver, {H, b, {}, 0}, r);
    test.check(report.converged, name) << report.residual << " after " << report.iterations;
    test.check(distance(r, impulses) <= 1e-11, name + ": impulses") << distance(r, impulses);
    test.check(distance(kick(G, m, v, r), velocities) <= 1e-11, name + ": velocities");
  }
  return test;
}

TestSuite testMortar()
{
  TestSuite test("mortar");
  const Dense G = mortarJacobian();
  const Vector m = {.1, .2, .2, .2, .2, .1, .125 * 2, .25 * 2, .25 * 2, .25 * 2, .125 * 2};
  Vector v;
  for (int j = 0; j <= 5; ++j)
    v.push_back(-1 + .8 * std::cos(3 * std::numbers::pi * j / 5) * j / 5);
  for (int l = 0; l <= 4; ++l)
    v.push_back(-0.5 - 0.7 * l / 4);

  // ContactPoint 2 of (D, -M), b, r and the velocities afterwards
  const Vector row = {0, 0, 0.2, 0, 0, 0, 0.00375, -0.0775, -0.13625, 0.01, 0};
  const Vector b = {
    -0.05, -0.08188854381999834, -0.09577708763999669, 0.06166563145999504, 0.05155417527999326,
    -0.06};
  const Vector impulses = {0.3400173630881944, 0.2555294479084063, 0.36067965552926257, 0, 0,
                           0.42857142857142877};
  const Vector velocities = {-0.6599826369118055, -0.7939132711915852, -0.8982057826707205,
                             -0.611671842700025,  -0.8022291236000334, -1.3714285714285714,
                             -0.6599826369118056, -0.824173595093604,  -0.942535793553785,
                             -1.0177864068894147, -1.3714285714285714};
  test.check(distance(Vector(&G.values[22], &G.values[33]), row) <= 1e-11, "D and M");
  test.check(distance(product(G, v), b) <= 1e-11, "b") << distance(product(G, v), b);

  Delassus H;
  fill(H, delassus(G, m));
  for (const auto& [name, solve] : {automatic, gaussSeidel, activeSet}) {
    ContactSolver solver(tight);
    Vector r(6, 0.0);
    const SolveReport report = solve(solver, {H, b, {}, 0}, r);
    test.check(report.converged, name) << report.residual << " after " << report.iterations;
    test.check(distance(r, impulses) <= 1e-11, name + ": impulses") << distance(r, impulses);
    test.check(distance(kick(G, m, v, r), velocities) <= 1e-11, name + ": velocities");
  }
  return test;
}

TestSuite testRandom()
{
  TestSuite test("random problems without friction");
  Random random(11);
  ContactSolver solver(
    {.tolerance = 1e-13, .maxIterations = 1000000}); // Gauss-Seidel is slow for some of them
  Delassus H;
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = 1 + random.below(60);
    const std::size_t rank = trial % 3 == 0 ? n + 5 : 1 + random.below(n);
    const auto [dense, b] = RandomProblem(random, n, rank, trial % 2 ? 0.3 : 0.0);
    fill(H, dense);
    Vector reference;
    for (const auto& [name, solve] : {activeSet, automatic, gaussSeidel}) {
      Vector r(n, 0.0);
      const SolveReport report = solve(solver, {H, b, {}, 0}, r);
      const double error = violation(dense, 1, b, {}, r) / largest(b);
      test.check(report.converged, name + " converged")
        << n << "/" << rank << ": " << report.residual << " after " << report.iterations;
      test.check(error <= 1e-11, name + " law") << n << "/" << rank << ": " << error;
      if (name != gaussSeidel.name)
        test.check(report.iterations <= int(3 * n), name + " needs few pivots")
          << n << ": " << report.iterations;
      const Vector w = product(dense, r);
      if (reference.empty())
        reference = w;
      test.check(distance(w, reference) <= 1e-6 * largest(b), name + ": same velocities")
        << distance(w, reference);
    }
  }
  return test;
}

// More contacts than activeSetLimit: Gauss-Seidel, and the active set makes its result exact
TestSuite testPolish()
{
  TestSuite test("polish");
  Random random(5);
  const auto [dense, b] = RandomProblem(random, 90, 100, 1.0);
  Delassus H;
  fill(H, dense);
  const ContactProblem problem{H, b, {}, 0};
  ContactSolver solver({.tolerance = 1e-13, .maxIterations = 20, .activeSetLimit = 80}),
    small({.tolerance = 1e-13, .maxIterations = 20, .activeSetLimit = 5});
  Vector r(90, 0.0), rough(90, 0.0);
  const SolveReport sweeps = solver.solveProjectedGaussSeidel(problem, rough);
  test.check(!sweeps.converged && sweeps.residual > 1e-10, "20 sweeps do not suffice")
    << sweeps.residual;
  const SolveReport report = solver.solveContact(problem, r);
  test.check(report.converged && report.iterations < 80, "polished")
    << report.residual << " " << report.iterations;
  test.check(violation(dense, 1, b, {}, r) <= 1e-14 * largest(b), "law at round-off")
    << violation(dense, 1, b, {}, r);
  r.assign(90, 0.0);
  test.check(small.solveContact(problem, r).converged &&
               violation(dense, 1, b, {}, r) <= 1e-12 * largest(b),
             "too many active contacts for a polish: proximal points")
    << violation(dense, 1, b, {}, r);
  return test;
}

// Coupled contacts with friction: Gauss-Seidel against the law
TestSuite testFriction()
{
  TestSuite test("random problems with friction");
  Random random(23);
  ContactSolver solver({.tolerance = 1e-13, .maxIterations = 50000});
  Delassus H;
  for (int trial = 0; trial < 200; ++trial) {
    const int d = 2 + trial % 2;
    const std::size_t n = 1 + random.below(8), size = n * d;
    auto [dense, b] = RandomProblem(random, size, trial % 3 ? 2 * size : size, 0);
    Vector mu(n), r(size, 0.0);
    for (double& x : mu)
      x = trial % 5 ? 0.3 * (1 + random()) : 0;
    fill(H, dense, d);
    const SolveReport report = solver.solveContact({H, b, mu, 0}, r);
    test.check(report.converged, "converged")
      << n << ": " << report.residual << " after " << report.iterations;
    const double error = violation(dense, d, b, mu, r) / largest(b);
    test.check(error <= 2e-12, "law") << n << ": " << error;

    Vector again = r;
    const SolveReport warm = solver.solveProjectedGaussSeidel(ContactProblem{H, b, mu, 0}, again);
    test.check(warm.iterations <= 1 && distance(r, again) <= 1e-10 * (1 + largest(r)),
               "the solution is a fixed point")
      << warm.iterations;
  }
  return test;
}

// Uncoupled contacts: all methods agree; an obstacle that cannot move and yet approaches has no
// solution
TestSuite testDiagonal()
{
  TestSuite test("uncoupled contacts");
  Dense dense(4, 4);
  for (int i = 0; i < 4; ++i)
    dense(i, i) = 1 << i;
  Delassus H;
  fill(H, dense);
  const Vector b = {-1, 3, -2, -24};
  for (const auto& [name, solve] : {diagonal, automatic, gaussSeidel, activeSet}) {
    ContactSolver solver;
    Vector r(4, 0.0);
    test.check(solve(solver, {H, b, {}, 0}, r).converged && r == Vector{1, 0, 0.5, 3}, name);
  }
  dense(2, 2) = 0;
  fill(H, dense);
  for (const auto& [name, solve] : {diagonal, automatic, gaussSeidel, activeSet}) {
    ContactSolver solver;
    Vector r(4, 0.0);
    const SolveReport report = solve(solver, {H, b, {}, 0}, r);
    test.check(!report.converged && report.residual == 2.0 / 24 && report.iterations < 10,
               name + ": no solution")
      << report.residual;
  }
  H.clear(1);
  Vector none;
  test.check(ContactSolver().solveContact({H, {}, {}, 0}, none).converged, "no contact at all");
  return test;
}

/* Newton's law of restitution, b = (1+e) w^-, with the same e on all rows: the kinetic energy
 * changes by 1/2 r.(w^+ + w^-) <= 0. As a control, the law clipped to approaching rows,
 * b = w^- + e min(w^-,0), creates energy in many impacts.
 */
TestSuite testRestitution(double e)
{
  TestSuite test("restitution");
  Random random(7);
  ContactSolver solver;
  Delassus H;
  int gains = 0, clippedGains = 0;
  double worst = -1;
  for (int trial = 0; trial < 3000; ++trial) {
    const Dense G = random.matrix(3, 4);
    const Dense dense = delassus(G, Vector(4, 1.0));
    const Vector before = product(G, random.vector(4));
    fill(H, dense);
    const auto relativeGain = [&](const Vector& b) {
      Vector r(3, 0.0);
      test.check(solver.solveContact({H, b, {}, 0}, r).converged, "converged");
      const Vector change = product(dense, r);
      double gain = 0, size = 0;
      for (int i = 0; i < 3; ++i) {
        gain += 0.5 * r[i] * (change[i] + 2 * before[i]);
        size += r[i] * (std::abs(change[i]) + std::abs(before[i]));
      }
      return size > 0 ? gain / size : 0.0;
    };
    Vector b(3), clipped(3);
    for (int i = 0; i < 3; ++i) {
      b[i] = (1 + e) * before[i];
      clipped[i] = before[i] + e * std::min(before[i], 0.0);
    }
    const double gain = relativeGain(b);
    worst = std::max(worst, gain);
    gains += gain > 1e-13;
    clippedGains += relativeGain(clipped) > 1e-13;
  }
  test.check(gains == 0, "no energy is created")
    << "e=" << e << ": " << gains << " times, " << worst;
  test.check(e < 1 || clippedGains > 100, "the clipped law is noticed") << clippedGains;
  return test;
}

// Problems scaled by powers of two have the same bits, and a used solver the same as a new one
TestSuite testBits()
{
  TestSuite test("scales");
  Random random(31);
  int active = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const int d = 1 + trial % 3;
    const std::size_t n = trial < 6 ? 1 : 2 + random.below(6), size = n * d;
    const auto [dense, b] = RandomProblem(random, size, trial % 2 ? size + 2 : size / 2 + 1, 0);
    const Vector mu(n, d == 1 ? 0 : 0.3), start = random.vector(size);
    for (const auto& [name, solve] : {automatic, gaussSeidel, activeSet}) {
      const bool frictionless = d == 1 || name == activeSet.name;
      const auto scaled = [&](ContactSolver& solver, int powerH, int powerB) {
        Delassus H;
        fill(H, dense, d, std::ldexp(1.0, powerH));
        Vector bScaled = b, r = start;
        for (std::size_t i = 0; i < size; ++i) {
          bScaled[i] = std::ldexp(b[i], powerB);
          r[i] = std::ldexp(start[i], powerB - powerH);
        }
        solve(solver, {H, bScaled, frictionless ? ConstSpan() : ConstSpan(mu), 0}, r);
        for (double& x : r)
          x = std::ldexp(x, powerH - powerB);
        return r;
      };
      ContactSolver fresh({.maxIterations = 100});
      const Vector r = scaled(fresh, 0, 0);
      active += largest(r) > 0;
      for (const auto& [powerH, powerB] : {std::pair{1, 0}, {0, 1}, {17, -40}, {-33, 21}})
        test.check(scaled(fresh, powerH, powerB) == r, name + " scaled")
          << d << ": " << powerH << " " << powerB;
      test.check(scaled(fresh, 0, 0) == r, name + " with a used solver");
    }
  }
  test.check(active > 90, "contacts act in most cases") << active;
  return test;
}

TestSuite testNotFinite()
{
  TestSuite test("data that are not finite");
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               inf = std::numeric_limits<double>::infinity();
  for (const bool coupled : {false, true})
    for (const auto& [h, beta] :
         {std::pair{nan, -1.0}, {inf, -1.0}, {1.0, nan}, {1.0, inf}, {1.0, -inf}}) {
      Dense dense(2, 2);
      dense.values = {2, coupled ? 0.5 : 0, coupled ? 0.5 : 0, h};
      const Vector b = {-1, beta};
      Delassus H;
      fill(H, dense);
      for (const auto& [name, solve] : {automatic, gaussSeidel, activeSet}) {
        ContactSolver solver;
        Vector r(2, 1.0);
        const SolveReport report = solve(solver, {H, b, {}, 0}, r);
        test.check(!report.converged && report.iterations == 0 && r == Vector{0, 0}, name)
          << h << " " << beta;
      }
    }
  Dense dense(2, 2);
  dense.values = {2, 0.5, 0.5, 2};
  const Vector b = {-1, -1};
  Delassus H;
  fill(H, dense);
  for (const auto& [name, solve] : {automatic, gaussSeidel, activeSet}) {
    ContactSolver solver(tight);
    Vector r = {nan, inf};
    const SolveReport report = solve(solver, {H, b, {}, 0}, r);
    test.check(report.converged && distance(r, {0.4, 0.4}) < 1e-12, name + ": bad first guess");
  }
  return test;
}

// Fill and solve twice; the second time nothing may be allocated
TestSuite testAllocations()
{
  TestSuite test("allocations");
  const long before = allocations;
  delete new int(before);
  test.require(allocations > before, "allocations are counted");
  Random random(41);
  for (const auto& [n, d, limit] :
       {std::tuple{1, 1, 200}, {1, 3, 200}, {20, 1, 200}, {20, 1, 19}, {5, 2, 200}, {5, 3, 200}}) {
    const std::size_t size = n * d;
    const auto [dense, b] =
      RandomProblem(random, size, n > 1 ? size - 1 : size, n == 20 ? 0.3 : 0.0);
    Vector mu(n, 0.2), r(size), block(d * d);
    Delassus H;
    ContactSolver solver({.activeSetLimit = limit});
    const auto step = [&] {
      H.clear(d);
      for (int i = 0; i < n; ++i) {
        H.beginRow();
        for (int j = 0; j < n; ++j) {
          for (int k = 0; k < d * d; ++k)
            block[k] = dense(i * d + k / d, j * d + k % d);
          H.add(j, block.data());
        }
      }
      std::ranges::fill(r, 0.0);
      solver.solveContact({H, b, mu, 0}, r);
    };
    step();
    const long first = allocations;
    step();
    test.check(allocations == first, "steady state")
      << n << "x" << d << ": " << allocations - first;
  }
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testCradle(0, {0.8, 0.6, 0.4, 0.2}, {0.2, 0.2, 0.2, 0.2, 0.2}));
  test.subTest(testCradle(1, {1.6, 1.2, 0.8, 0.4}, {-0.6, 0.4, 0.4, 0.4, 0.4}));
  test.subTest(testMortar());
  test.subTest(testRandom());
  test.subTest(testPolish());
  test.subTest(testFriction());
  test.subTest(testDiagonal());
  for (const double e : {0.0, 0.3, 0.5, 0.8, 1.0})
    test.subTest(testRestitution(e));
  test.subTest(testBits());
  test.subTest(testNotFinite());
  test.subTest(testAllocations());
  return test.exit();
}
