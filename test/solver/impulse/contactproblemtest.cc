// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <limits>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/solver/impulse/contactproblem.hh>

#include "contactproblems.hh"

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

// Block I/m: r_N = -m q_N, r_T = -m q_T shortened to mu r_N
TestSuite testIsotropic()
{
  TestSuite test("isotropic block");
  Random random(1);
  int stuck = 0, slid = 0, free = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const double m = std::exp(3 * random()), mu = 1 + random();
    const Vector q = random.vector(3);
    for (const int d : {2, 3}) {
      Dense A(d, d);
      for (int k = 0; k < d; ++k)
        A(k, k) = 1 / m;
      Vector expected(d, 0.0), r(d, 5.0);
      const double slip = d == 3 ? std::hypot(q[1], q[2]) : std::abs(q[1]);
      expected[0] = std::max(0.0, -m * q[0]);
      const double factor = std::min(1.0, mu * expected[0] / (m * slip));
      for (int k = 1; k < d; ++k)
        expected[k] = -m * q[k] * factor;
      (expected[0] == 0 ? free : factor < 1 ? slid : stuck)++;
      solveLocalContact(d, A.values.data(), q.data(), mu, r.data());
      test.check(distance(r, expected) <= 1e-14 * m, "closed form")
        << d << ": " << distance(r, expected) / m;
    }
  }
  test.check(stuck > 100 && slid > 100 && free > 100, "all cases occur")
    << stuck << " " << slid << " " << free;
  return test;
}

// General blocks, of full rank or not, with strong coupling of normal and tangents
TestSuite testBlocks(int d, std::size_t rank, double couple)
{
  TestSuite test("general block");
  Random random(17 * d + rank);
  int stuck = 0, slid = 0, free = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    Dense G = random.matrix(d, rank);
    for (std::size_t k = 0; k < rank; ++k)
      for (int i = 1; i < d; ++i)
        G(i, k) += couple * G(0, k);
    const Dense A = delassus(G, Vector(rank, 1.0));
    const Vector v = random.vector(rank), mu = {1.5 * (1 + random())};
    const Vector q = product(G, v);
    Vector r(d, 5.0);
    solveLocalContact(d, A.values.data(), q.data(), mu[0], r.data());
    double size = largest(q);
    for (int i = 0; i < d; ++i)
      for (int j = 0; j < d; ++j)
        size = std::max(size, std::abs(A(i, j) * r[j]));
    const double error = violation(A, d, q, mu, r);
    test.check(error <= 1e-13 * size, "law of friction")
      << "d " << d << " rank " << rank << ": " << error / size;
    double tangential = 0;
    for (int k = 1; k < d; ++k)
      tangential += r[k] * r[k];
    (r[0] == 0 ? free : std::sqrt(tangential) > 0.999999 * mu[0] * r[0] ? slid : stuck)++;
  }
  test.check(stuck > 100 && slid > 100 && free > 100, "all cases occur")
    << stuck << " " << slid << " " << free;
  return test;
}

TestSuite testDegenerate()
{
  TestSuite test("degenerate blocks");
  Vector r(3, 5.0);
  const Vector q = {-1, 3, -4};
  const Vector normalOnly = {2, 0, 0, 0, 0, 0, 0, 0, 0};
  solveLocalContact(3, normalOnly.data(), q.data(), 0.5, r.data());
  test.check(distance(r, {0.5, -0.15, 0.2}) <= 1e-15,
             "no mobility along the tangents: slip stays, impulse against it");
  solveLocalContact(3, normalOnly.data(), q.data(), 0, r.data());
  test.check(r == Vector{0.5, 0, 0}, "no friction");
  const Vector zero(9, 0.0);
  solveLocalContact(3, zero.data(), q.data(), 0.5, r.data());
  test.check(r == Vector{0, 0, 0}, "no mobility at all");
  const Vector separating = {0, 1, 1}, coupled = {2, -1, 0, -1, 2, 0, 0, 0, 1};
  r = {1, 1, 1};
  solveLocalContact(3, coupled.data(), separating.data(), 0.5, r.data());
  test.check(r == Vector{0, 0, 0}, "touching but not approaching");
  solveLocalContact(3, coupled.data(), Vector{-1, 0.5, 0}.data(), 0.5, r.data());
  test.check(distance(r, {0.5, 0, 0}) <= 1e-15, "no tangential velocity to stop");
  return test;
}

TestSuite testResidual()
{
  TestSuite test("residual");
  Delassus H;
  const double values[] = {2, 0, 0, 2};
  H.clear(2);
  H.beginRow();
  H.add(0, values);
  const Vector b = {-1, 3}, mu = {0.5};
  const ContactProblem problem{H, b, mu, 0};
  test.check(velocityScale(problem) == 3, "scale from b");
  test.check(velocityScale(ContactProblem{H, b, mu, 7}) == 7, "given scale");
  test.check(!isFrictionless(problem) && isFrictionless(ContactProblem{H, b, {}, 0}),
             "friction or not");
  test.check(isFrictionless(ContactProblem{H, b, Vector{0.0}, 0}), "zero coefficient");
  const auto value = [&](const Vector& r) { return contactResidual(problem, r).value; };
  test.check(value({0.5, -0.25}) == 0, "solution");
  const double rounding = contactResidual(problem, Vector{0.5, -0.25}).rounding;
  test.check(rounding > 1e-16 && rounding < 1e-14, "round-off of the velocities") << rounding;
  test.check(value({0, 0}) == 1, "no impulse");
  test.check(value({0.75, -0.375}) == 0.5, "too large an impulse");
  test.check(value({0.5, 0.25}) == 1, "friction along the slip");
  test.check(value({0.5, 0}) == 0.5, "no friction impulse");
  test.check(value({-0.5, 0}) == 2, "impulse that pulls");
  test.check(std::isnan(value({std::numeric_limits<double>::quiet_NaN(), 0})), "NaN is not lost");
  test.check(contactReport(3, {1e-14, 0}, 1, 1e-13).converged, "within the tolerance");
  test.check(!contactReport(3, {2e-13, 0}, 1, 1e-13).converged, "beyond the tolerance");
  test.check(contactReport(3, {2e-13, 1e-12}, 1, 1e-13).converged, "round-off is accepted");
  test.check(contactReport(3, {1e-9, 1}, 1, 1e-13).converged &&
               !contactReport(3, {2e-6, 1}, 1, 1e-13).converged,
             "but that of H r only up to what is acceptable");
  test.check(contactReport(3, {2e-6, 0, 3e-6}, 1, 1e-13).converged, "and that of b in any case");
  test.check(acceptableResidual(1e-10) == 1e-6 && acceptableResidual(1e-13) == 1e-6,
             "a millionth of the speed is acceptable");
  test.check(acceptableResidual(1e-8) == 1e-5 && acceptableResidual(1e-3) == 1e-2 &&
               acceptableResidual(0.1) == 0.1,
             "and 1000 tolerances up to a hundredth");
  test.check(!contactReport(3, {std::nan(""), 0}, 1, 1e-13).converged, "NaN has not converged");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testIsotropic());
  test.subTest(testBlocks(2, 2, 0));
  test.subTest(testBlocks(2, 5, 2));
  test.subTest(testBlocks(2, 1, 0));
  test.subTest(testBlocks(3, 3, 0));
  test.subTest(testBlocks(3, 6, 2));
  test.subTest(testBlocks(3, 2, 0));
  test.subTest(testDegenerate());
  test.subTest(testResidual());
  return test.exit();
}
