// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <array>
#include <cmath>
#include <random>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/common/jet.hh>
#include <dune/impact/contact/mortar/discretegradient.hh>

/* The discrete gradient of a gap that is invariant under rigid motions, and of a gap to an
 * obstacle. */

using namespace Dune;
using namespace Dune::Impact;

namespace {

  std::mt19937 random(11);

  double number()
  {
    return std::uniform_real_distribution<double>(-1, 1)(random);
  }

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
  double obstacleGap(const Points<dim>& x, const FieldVector<double, dim>& centre,
                     std::vector<NodeEntry<dim>>& derivative)
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
  std::vector<NodeEntry<dim>> rowBetween(const Points<dim>& reference, const Points<dim>& x,
                                         const Points<dim>& z, double& change)
  {
    std::vector<NodeEntry<dim>> atX, atZ;
    change = -gap<dim>(x, atX);
    change += gap<dim>(z, atZ);
    DiscreteGradient<dim> gradient;
    return gradient.row(atX, atZ, displacements<dim>(x, reference),
                        displacements<dim>(z, reference), reference, FieldVector<double, dim>(0),
                        change, 1);
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
      const double distance =
        difference(rowBetween<dim>(reference, reference, rotated(q), change), limit);
      test.check(distance < 20 * q, "tends to the row of the rigid motion")
        << q << ": " << distance;
      if (q < 1e-1)
        test.check(distance < 0.3 * last, "in proportion")
          << q << ": " << distance << " after " << last;
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
      const auto reference = randomPoints<dim>(2, 1), first = randomPoints<dim>(2, 0.3),
                 second = randomPoints<dim>(2, 0.3);
      const auto drive = trial % 2 ? randomPoints<dim>(1, 0.2)[0] : FieldVector<double, dim>(0);
      FieldVector<double, dim> centre(0);
      centre[0] = 4;
      auto x = reference, z = reference;
      for (std::size_t i = 0; i < 2; ++i) {
        x[i] += first[i];
        z[i] += second[i];
      }
      std::vector<NodeEntry<dim>> atX, atZ;
      const double change =
        obstacleGap<dim>(z, centre + drive, atZ) - obstacleGap<dim>(x, centre, atX);
      DiscreteGradient<dim> gradient;
      const auto& row = gradient.row(atX, atZ, displacements<dim>(x, reference),
                                     displacements<dim>(z, reference), {}, drive, change, 1);
      double work = 0;
      for (std::size_t i = 0; i < row.size(); ++i)
        work += row[i].value * (z[row[i].node] - x[row[i].node] - drive);
      test.check(std::abs(work - change) < 1e-13, "work is the change of the gap") << work - change;
      const auto& same =
        gradient.row(atX, atX, displacements<dim>(x, reference), displacements<dim>(x, reference),
                     {}, FieldVector<double, dim>(0), 0, 1);
      for (std::size_t i = 0; i < same.size(); ++i)
        test.check((same[i].value - atX[i].value).two_norm() < 1e-15,
                   "without motion the derivative");
    }
    return test;
  }

  /* A gap between two triangles, points 0-2 and 3-5: the area of the first times the mean of
   * (y_i - y_3).n over its corners, n the unit normal of the second */
  template<class T>
  T triangleGap(const std::array<T, 18>& y)
  {
    const auto difference = [&](int i, int j) {
      return std::array<T, 3>{y[3 * i] - y[3 * j], y[3 * i + 1] - y[3 * j + 1],
                              y[3 * i + 2] - y[3 * j + 2]};
    };
    const auto product = [](const std::array<T, 3>& a, const std::array<T, 3>& b) {
      return std::array<T, 3>{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                              a[0] * b[1] - a[1] * b[0]};
    };
    const auto times = [](const std::array<T, 3>& a, const std::array<T, 3>& b) {
      return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    };
    const auto length = [&](const std::array<T, 3>& a) {
      using std::sqrt;
      return sqrt(times(a, a));
    };
    const auto normal = product(difference(4, 3), difference(5, 3));
    const T area = 0.5 * length(product(difference(1, 0), difference(2, 0)));
    return area / 3.0 *
           (times(difference(0, 3), normal) + times(difference(1, 3), normal) +
            times(difference(2, 3), normal)) /
           length(normal);
  }

  using Triangles = std::array<double, 18>;

  double triangleGap(const Triangles& y, std::vector<NodeEntry<3>>& derivative)
  {
    std::array<Jet<18>, 18> jets;
    for (int i = 0; i < 18; ++i)
      jets[i] = Jet<18>::variable(y[i], i);
    const Jet<18> c = triangleGap(jets);
    derivative.clear();
    for (std::size_t i = 0; i < 6; ++i)
      derivative.push_back({i, {c.first[3 * i], c.first[3 * i + 1], c.first[3 * i + 2]}});
    return c.value;
  }

  //! Numbers of one row between two triangles
  struct RowFigures
  {
    // |q|; e with the mean of the derivatives, and with the derivative in the middle
    double q, error, middleError;
    double work; // row.D less the change of the gap
    Vec3 resultant, moment;
  };

  RowFigures statistics(const Triangles& x, const Triangles& z)
  {
    std::vector<NodeEntry<3>> atX, atZ, atMiddle;
    Triangles middle;
    for (int i = 0; i < 18; ++i)
      middle[i] = 0.5 * (x[i] + z[i]);
    double change = -triangleGap(x, atX);
    change += triangleGap(z, atZ);
    triangleGap(middle, atMiddle);
    const std::vector<FieldVector<double, 3>> origin(6, FieldVector<double, 3>(0));
    DiscreteGradient<3> gradient;
    const auto row = [&](double c) {
      return gradient.row(atX, atZ, x, z, origin, FieldVector<double, 3>(0), c, 1);
    };
    // the row is linear in the change of the gap, with the factor q/|q|^2
    const auto zero = row(0), one = row(1), actual = row(change);
    RowFigures result{0, change, change, -change, Vec3(0), Vec3(0)};
    double s2 = 0;
    for (std::size_t i = 0; i < 6; ++i)
      s2 += (one[i].value - zero[i].value).two_norm2();
    result.q = 1 / std::sqrt(s2);
    for (std::size_t i = 0; i < 6; ++i) {
      const auto q = (one[i].value - zero[i].value) / s2;
      Vec3 D, m;
      for (int c = 0; c < 3; ++c) {
        D[c] = z[3 * i + c] - x[3 * i + c];
        m[c] = middle[3 * i + c];
      }
      result.error -= 0.5 * (atX[i].value + atZ[i].value) * q; // P g.D = g.q
      result.middleError -= atMiddle[i].value * D;
      result.work += actual[i].value * D;
      result.resultant += actual[i].value;
      result.moment += cross(m, actual[i].value);
    }
    return result;
  }

  //! Numbers of an independent program
  TestSuite testReference()
  {
    TestSuite test("two triangles against reference numbers");
    const Triangles x = {2.0409191213851825,   -2.5556650313141818,  0.41809884672577885,
                         -0.5677696061279298,  -0.45264929211044586, -0.2155971630897659,
                         -2.019986129147251,   -0.23193237764418947, -0.8652130762749417,
                         3.3229995166448827,   0.22578661322792176,  -0.3526307943415954,
                         -0.2812874181513504,  -0.6680463461089501,  -1.0551505512051214,
                         -0.39080097723465473, 0.48194538850678587,  -0.2385536065733667};
    const Triangles z = {2.3282467322731115,   -2.6156056700341557,  0.42537671624877826,
                         -0.10402335076408625, -0.28911763530415246, -0.3671657837739713,
                         -2.0748378215265713,  -0.06977483811774884, -0.2846866660452859,
                         3.2421134184423086,   0.1527190095041904,   -0.05193671395888805,
                         -0.5472254010995266,  -0.7555624158409093,  -0.7903888609681762,
                         -0.216695972377385,   0.5094003994914915,   -0.03752230012482288};
    const auto near = [&](const char* name, double value, double expected, double tolerance) {
      test.check(std::abs(value - expected) <= tolerance, name)
        << value << ", expected " << expected;
    };
    const auto balanced = [&](const RowFigures& row) {
      test.check(std::abs(row.work) < 1e-14 && row.resultant.infinity_norm() < 1e-14 &&
                   row.moment.infinity_norm() < 2e-14,
                 "balances")
        << row.work << ", " << row.resultant << ", " << row.moment;
    };
    const auto row = statistics(x, z);
    near("error", row.error, -0.17645162947858886, 1e-13);
    balanced(row);

    // z is x turned by Q = (I - W/2)^-1 (I + W/2), moved, and disturbed
    const Vec3 w = {-0.8484486920531288, 0.30639204525002395, -0.2878934279424425};
    const Triangles shape = {-1.6686198426559695,  0.27644575952099965, 0.7005448853493901,
                             -0.4447674556827841,  -1.0764058401008076, 0.026124833534033623,
                             -0.05274730824287927, 1.4055981660180925,  0.7474079874793504,
                             0.19381564626462,     1.1116332052239921,  -0.20552304990579248,
                             -0.9258995736483681,  0.584058311025248,   0.5825384186556901,
                             -0.2148289111268558,  -0.7828085779639662, 0.22915390521326254};
    struct Case
    {
      double s, q, error, middleError;
    };
    for (const Case& c :
         {Case{0.1, 0.3062762460651857, 0.02022961179421673, -0.02602496327425846},
          Case{0.01, 0.03068116597205861, 0.00018665219789553572, -0.0007089556050457677},
          Case{0.001, 0.0030686031272998903, 1.8258961862025087e-06, -5.3280029545898014e-05},
          Case{0.0001, 0.00030686512659417505, 1.8217183134173684e-08, -5.154419379558911e-06}}) {
      Triangles moved;
      for (int i = 0; i < 6; ++i) {
        const Vec3 y = {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
        // Cayley: y + (w x y + w x (w x y)/2)/(1 + |w|^2/4)
        Vec3 turn = cross(w, y);
        turn.axpy(0.5, cross(w, turn));
        for (int k = 0; k < 3; ++k)
          moved[3 * i + k] =
            y[k] + turn[k] / (1 + 0.25 * w.two_norm2()) + 0.2 + c.s * shape[3 * i + k];
      }
      const auto disturbed = statistics(x, moved);
      near("q", disturbed.q, c.q, 1e-12);
      near("error", disturbed.error, c.error, 1e-14);
      near("error of the middle", disturbed.middleError, c.middleError, 1e-14);
      balanced(disturbed);
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
  test.subTest(testReference());
  return test.exit();
}
