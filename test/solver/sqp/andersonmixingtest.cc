// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/solver/sqp/andersonmixing.hh>

/* Mixing finds the fixed point of a linear map with two directions at once, and leaves alone what
 * is no contraction. */

using namespace Dune;
using namespace Dune::Impact;

namespace {

  //! A linear map with fixed point (1, 2, ...; 1) and rates in two directions, which the multiplier
  //! follows
  struct Map
  {
    double first, second, unit = 1;

    static constexpr std::size_t nodes = 6;

    NodeVector<2> fixedPoint() const
    {
      NodeVector<2> z(nodes);
      for (std::size_t i = 0; i < nodes; ++i)
        z[i] = {unit * double(i + 1), -unit * double(i)};
      return z;
    }

    //! The error in x has the first rate, that in y the second one
    void apply(const NodeVector<2>& z, NodeVector<2>& image, std::vector<double>& mu) const
    {
      const auto solution = fixedPoint();
      image = z;
      image -= solution;
      for (auto& e : image)
        e = {first * e[0], second * e[1]};
      mu = {unit + image[0][0] + image[1][1], 0};
      image += solution;
    }

    double error(const NodeVector<2>& z) const
    {
      auto e = z;
      e -= fixedPoint();
      return e.two_norm() / unit;
    }
  };

  NodeVector<2> firstGuess(const Map& map)
  {
    auto z = map.fixedPoint();
    for (std::size_t i = 0; i < z.size(); ++i)
      z[i] += FieldVector<double, 2>{map.unit * 0.25, map.unit * (0.5 + 0.125 * double(i))};
    return z;
  }

  //! Point and multiplier after so many iterations
  struct Result
  {
    NodeVector<2> z;
    std::vector<double> mu;
    int mixed = 0;
  };

  Result iterate(const Map& map, int iterations)
  {
    AndersonMixing<2> mixing;
    Result result{firstGuess(map), {}};
    for (int k = 0; k < iterations; ++k) {
      auto image = result.z;
      map.apply(result.z, image, result.mu);
      auto step = image;
      step -= result.z;
      mixing.add(step, image, result.mu);
      result.mixed += mixing.mix(image, result.mu);
      result.z = image;
    }
    return result;
  }

  TestSuite oneDirection()
  {
    TestSuite test("one rate");
    const Map map{0.2, 0.2};
    const auto result = iterate(map, 2);
    test.check(map.error(result.z) < 1e-14, "the second iteration finds the fixed point")
      << map.error(result.z);
    test.check(std::abs(result.mu[0] - 1) < 1e-14, "and its multiplier") << result.mu[0];
    return test;
  }

  TestSuite twoDirections()
  {
    TestSuite test("two rates");
    const Map map{0.2, -0.1};
    const auto result = iterate(map, 3);
    test.check(map.error(result.z) < 1e-14, "the third iteration finds the fixed point")
      << map.error(result.z);
    test.check(std::abs(result.mu[0] - 1) < 1e-14, "and its multiplier") << result.mu[0];
    return test;
  }

  //! A map that diverges, or hardly contracts, has a large gamma
  TestSuite noContraction()
  {
    TestSuite test("no contraction");
    for (const double rate : {3.0, 0.9, 1.0}) {
      const auto result = iterate({rate, rate}, 3);
      test.check(result.mixed == 0, "nothing is mixed") << "rate " << rate;
    }
    return test;
  }

  TestSuite changedSet()
  {
    TestSuite test("multipliers");
    const Map map{0.2, -0.1};
    AndersonMixing<2> mixing;
    auto z = firstGuess(map), image = z;
    std::vector<double> mu;
    const auto add = [&] {
      map.apply(z, image, mu);
      auto step = image;
      step -= z;
      z = image;
      return step;
    };
    auto step = add();
    mixing.add(step, image, mu);
    step = add();
    mu[1] = 1;
    mixing.add(step, image, mu);
    test.check(!mixing.mix(image, mu), "one that becomes positive begins anew");
    step = add();
    mu[1] = 1;
    mixing.add(step, image, mu);
    test.check(mixing.mix(image, mu), "then iterations are mixed again");
    mixing.restart();
    test.check(!mixing.mix(image, mu), "nothing is left after a restart");
    return test;
  }

  TestSuite units()
  {
    TestSuite test("units");
    const auto one = iterate({0.2, -0.1, 1}, 3), other = iterate({0.2, -0.1, 1024}, 3);
    bool same = true;
    for (std::size_t i = 0; i < one.z.size(); ++i)
      for (int c = 0; c < 2; ++c)
        same = same && 1024 * one.z[i][c] == other.z[i][c];
    test.check(same && 1024 * one.mu[0] == other.mu[0], "powers of two keep their bits");
    return test;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("Anderson mixing");
  test.subTest(oneDirection());
  test.subTest(twoDirections());
  test.subTest(noContraction());
  test.subTest(changedSet());
  test.subTest(units());
  return test.exit();
}
