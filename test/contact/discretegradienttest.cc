// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <random>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/contact/discretegradient.hh>

/* The discrete gradient of a gap that is invariant under rigid motions, and of a gap to an obstacle. */

using namespace Dune;
using namespace Dune::Impact;

namespace {

  std::mt19937 random(11);

  double number() { return std::uniform_real_distribution<double>(-1, 1)(random); }

  template<int dim>
  using Points = std::vector<FieldVector<double, dim>>;

  template<int dim>
  Points<dim> randomPoints(std::size_t n, double size)
  {
    Points<dim> x(n);
    for (auto& point : x)
      for (auto& entry : point)
        entry = size * number();
    return x;
  }

  //! Invariant under rigid motions: |x0 - x1| + |x0 - x2|^2 / 2 - |x1 - x3|, with derivative
  template<int dim>
  double gap(const Points<dim>& x, std::vector<NodeEntry<dim>>& derivative)
  {
    const auto a = x[0] - x[1], b = x[0] - x[2], c = x[1] - x[3];
    const double la = a.two_norm(), lc = c.two_norm();
    derivative = {{0, a / la + b}, {1, -(a / la) - c / lc}, {2, -b}, {3, c / lc}};
    return la + 0.5 * b.two_norm2() - lc;
  }

  //! Distance of node 0 and node 1 to a sphere about the centre, with derivative
  template<int dim>
  double obstacleGap(const Points<dim>& x, const FieldVector<double, dim>& centre, std::vector<NodeEntry<dim>>& derivative)
  {
    const auto a = x[0] - centre, b = x[1] - centre;
    derivative = {{0, a / a.two_norm()}, {1, b / (2 * b.two_norm())}};
    return a.two_norm() + 0.5 * b.two_norm() - 1;
  }

  template<int dim>
  std::vector<double> displacements(const Points<dim>& x, const Points<dim>& reference)
  {
    std::vector<double> u;
    for (std::size_t i = 0; i < x.size(); ++i)
      for (int c = 0; c < dim; ++c)
        u.push_back(x[i][c] - reference[i][c]);
    return u;
  }

  //! Row of the invariant gap between two configurations
  template<int dim>
  std::vector<NodeEntry<dim>> rowBetween(const Points<dim>& reference, const Points<dim>& x, const Points<dim>& z, double& change)
  {
    std::vector<NodeEntry<dim>> atX, atZ;
    change = -gap<dim>(x, atX);
    change += gap<dim>(z, atZ);
    DiscreteGradient<dim> gradient;
    return gradient.row(atX, atZ, displacements<dim>(x, reference), displacements<dim>(z, reference), reference, FieldVector<double, dim>(0), change, 1);
  }

  template<int dim>
  Vec3 moment(const FieldVector<double, dim>& arm, const FieldVector<double, dim>& force)
  {
    Vec3 a(0), f(0);
    std::copy(arm.begin(), arm.end(), a.begin());
    std::copy(force.begin(), force.end(), f.begin());
    return cross(a, f);
  }

  template<int dim>
  TestSuite testBodies()
  {
    TestSuite test("gap between bodies, dimension " + std::to_string(dim));
    for (int trial = 0; trial < 50; ++trial) {
      const auto reference = randomPoints<dim>(4, 1);
      auto x = reference, z = reference;
      const auto first = randomPoints<dim>(4, 0.3), second = randomPoints<dim>(4, 0.3);
      for (std::size_t i = 0; i < 4; ++i) {
        x[i] += first[i];
        z[i] += second[i];
      }
      double change, work = 0;
      FieldVector<double, dim> resultant(0);
      Vec3 moments(0);
      for (const auto& [node, value] : rowBetween<dim>(reference, x, z, change)) {
        work += value * (z[node] - x[node]);
        resultant += value;
        moments += moment<dim>((x[node] + z[node]) / 2.0, value);
      }
      test.check(std::abs(work - change) < 1e-13, "work is the change of the gap") << work - change;
      test.check(resultant.two_norm() < 1e-13, "no resultant") << resultant;
      test.check(moments.two_norm() < 1e-13, "no moment about the mean configuration") << moments;
    }
    return test;
  }

  //! z is a rigid motion of x and q more: as q vanishes the correction does so in proportion
  template<int dim>
  TestSuite testContinuity()
  {
    TestSuite test("continuity, dimension " + std::to_string(dim));
    const auto reference = randomPoints<dim>(4, 1), shape = randomPoints<dim>(4, 1);
    const auto rotated = [&](double q) {
      auto z = reference;
      for (std::size_t i = 0; i < 4; ++i) {
        const auto& X = reference[i];
        z[i][0] = std::cos(0.4) * X[0] - std::sin(0.4) * X[1] + 0.3;
        z[i][1] = std::sin(0.4) * X[0] + std::cos(0.4) * X[1];
        z[i].axpy(q, shape[i]);
      }
      return z;
    };
    const auto difference = [](const auto& a, const auto& b) {
      double largest = 0;
      for (std::size_t i = 0; i < a.size(); ++i)
        largest = std::max(largest, (a[i].value - b[i].value).two_norm());
      return largest;
    };
    double change, last = 0;
    const auto limit = rowBetween<dim>(reference, reference, rotated(0), change);
    test.check(std::abs(change) < 1e-14, "a rigid motion does not change the gap") << change;
    for (const double q : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5}) {
      const double distance = difference(rowBetween<dim>(reference, reference, rotated(q), change), limit);
      test.check(distance < 20 * q, "tends to the row of the rigid motion") << q << ": " << distance;
      if (q < 1e-1)
        test.check(distance < 0.3 * last, "in proportion") << q << ": " << distance << " after " << last;
      last = distance;
    }
    return test;
  }

  //! row . (D - drive) is the change of the gap to an obstacle that moves by the drive
  template<int dim>
  TestSuite testObstacle()
  {
    TestSuite test("gap to an obstacle, dimension " + std::to_string(dim));
    for (int trial = 0; trial < 50; ++trial) {
      const auto reference = randomPoints<dim>(2, 1), first = randomPoints<dim>(2, 0.3), second = randomPoints<dim>(2, 0.3);
      const auto drive = trial % 2 ? randomPoints<dim>(1, 0.2)[0] : FieldVector<double, dim>(0);
      FieldVector<double, dim> centre(0);
      centre[0] = 4;
      auto x = reference, z = reference;
      for (std::size_t i = 0; i < 2; ++i) {
        x[i] += first[i];
        z[i] += second[i];
      }
      std::vector<NodeEntry<dim>> atX, atZ;
      const double change = obstacleGap<dim>(z, centre + drive, atZ) - obstacleGap<dim>(x, centre, atX);
      DiscreteGradient<dim> gradient;
      const auto& row = gradient.row(atX, atZ, displacements<dim>(x, reference), displacements<dim>(z, reference), {}, drive, change, 1);
      double work = 0;
      for (std::size_t i = 0; i < row.size(); ++i)
        work += row[i].value * (z[row[i].node] - x[row[i].node] - drive);
      test.check(std::abs(work - change) < 1e-13, "work is the change of the gap") << work - change;
      const auto& same = gradient.row(atX, atX, displacements<dim>(x, reference), displacements<dim>(x, reference), {}, FieldVector<double, dim>(0), 0, 1);
      for (std::size_t i = 0; i < same.size(); ++i)
        test.check((same[i].value - atX[i].value).two_norm() < 1e-15, "without motion the derivative");
    }
    return test;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testBodies<2>());
  test.subTest(testBodies<3>());
  test.subTest(testContinuity<2>());
  test.subTest(testContinuity<3>());
  test.subTest(testObstacle<2>());
  test.subTest(testObstacle<3>());
  return test.exit();
}
