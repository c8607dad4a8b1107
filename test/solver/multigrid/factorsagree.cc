// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <random>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/solver/multigrid/sparsefactor.hh>
#include <dune/impact/solver/sqp/sparselu.hh>
#include <dune/impact/solver/test/checkboxsolver.hh>

/* Factors of all libraries: the same solutions, the same answer whether a matrix is positive
 * definite, and the same bits for matrices scaled by powers of two. */

using namespace Dune;
using namespace Dune::Impact;

namespace {

  template<int d>
  double residualOf(const BoxData<d>& data, const NodeMask& mask, const NodeVector<d>& x)
  {
    NodeVector<d> r(x.size());
    data.matrix.residual(x, data.b, r);
    double largest = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      for (int c = 0; c < d; ++c)
        if (!(mask[i] >> c & 1))
          largest = std::max(largest, std::abs(r[i][c]));
    return largest;
  }

  template<int d>
  NodeVector<d> solution(SparseFactor<d>& factor, const BoxData<d>& data, const NodeMask& mask)
  {
    NodeVector<d> x(data.b.size());
    x = 0;
    factor.compute(data.matrix, &mask);
    if (factor.valid())
      factor.solve(data.b, x);
    return x;
  }

  template<int d>
  NodeMask randomMask(std::size_t n, std::mt19937& random)
  {
    NodeMask mask(n);
    for (auto& components : mask)
      components = random() % 4 == 0 ? NodeMask::value_type(random() % (1 << d)) : 0;
    return mask;
  }

  template<int d>
  TestSuite testCholesky()
  {
    TestSuite test("LDL^T and LL^T, blocks of " + std::to_string(d));
    std::mt19937 random(3);
    SparseFactor<d> eigen(FactorLibrary::eigen), cholmod(FactorLibrary::cholmod);
    for (const std::size_t n : {1, 7, 100, 400}) {
      const BoxData<d> data = randomBoxData<d>(n, 0.3, random);
      for (int masked = 0; masked < 3; ++masked) {
        const NodeMask mask = masked == 0 ? NodeMask(n, 0) : randomMask<d>(n, random);
        const auto x = solution(eigen, data, mask), y = solution(cholmod, data, mask);
        test.check(eigen.positive() && cholmod.positive(), "positive definite");
        test.check(residualOf(data, mask, y) < 1e-12, "solved") << residualOf(data, mask, y);
        auto difference = x;
        difference -= y;
        test.check(difference.infinity_norm() <= 1e-11 * x.infinity_norm(), "same solution")
          << difference.infinity_norm();
        for (const int power : {-41, -1, 1, 2, 57}) {
          BoxData<d> scaled = data;
          for (std::size_t k = 0; k < data.matrix.blocks(); ++k)
            scaled.matrix.block(k) *= std::ldexp(1.0, power);
          for (auto* factor : {&eigen, &cholmod}) {
            auto z = solution(*factor, scaled, mask);
            z *= std::ldexp(1.0, power);
            z -= factor == &eigen ? x : y;
            test.check(z.infinity_norm() == 0, "same bits in other units") << power;
          }
        }
      }
      const BoxData<d> indefinite = randomBoxData<d>(n, -0.5, random);
      eigen.compute(indefinite.matrix, nullptr);
      cholmod.compute(indefinite.matrix, nullptr);
      test.check(n == 1 || !(eigen.positive() || cholmod.positive()), "indefinite") << n;
      const BoxData<d> singular = randomBoxData<d>(n, 0, random); // bodies that nothing holds
      eigen.compute(singular.matrix, nullptr);
      cholmod.compute(singular.matrix, nullptr);
      test.check(!(eigen.positive() || cholmod.positive()) || n == 1, "singular") << n;
    }
    const BoxData<d> data = randomBoxData<d>(300, 0.3, random);
    test.check(std::abs(cholmod.operations(data.matrix) / eigen.operations(data.matrix) - 1) < 0.9,
               "operations of both are of one size")
      << cholmod.operations(data.matrix) << " " << eigen.operations(data.matrix);
    return test;
  }

  //! Saddle point problems, as with constraints
  TestSuite testLu()
  {
    TestSuite test("LU");
    std::mt19937 random(5);
    std::uniform_real_distribution<double> number(-1, 1);
    constexpr int n = 300, m = 40;
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < n; ++i) {
      entries.emplace_back(i, i, 4);
      for (int k = 0; k < 3; ++k) {
        const int j = int(random() % n);
        const double value = number(random);
        entries.emplace_back(i, j, value);
        entries.emplace_back(j, i, value);
      }
    }
    for (int k = 0; k < m; ++k)
      for (int e = 0; e < 5; ++e) {
        const int j = int(random() % n);
        const double value = number(random);
        entries.emplace_back(n + k, j, value);
        entries.emplace_back(j, n + k, -value);
      }
    SparseLu::Matrix matrix(n + m, n + m);
    matrix.setFromTriplets(entries.begin(), entries.end());
    matrix.makeCompressed();
    Eigen::VectorXd b(n + m);
    for (double& value : b)
      value = number(random);
    std::vector<Eigen::VectorXd> solutions;
    for (const LuLibrary library : {LuLibrary::eigen, LuLibrary::umfpack}) {
      SparseLu factor(library);
      test.require(factor.compute(matrix), "factor");
      const Eigen::VectorXd x = factor.solve(b);
      test.check((matrix * x - b).norm() < 1e-11 * x.norm(), "solved") << (matrix * x - b).norm();
      solutions.push_back(x);
      for (const int power : {-33, 1, 20}) {
        const SparseLu::Matrix scaled = matrix * std::ldexp(1.0, power);
        test.require(factor.compute(scaled), "factor");
        test.check((factor.solve(b) * std::ldexp(1.0, power) - x).norm() == 0,
                   "same bits in other units")
          << power;
      }
      SparseLu::Matrix singular(2, 2);
      singular.insert(0, 0) = 1;
      singular.makeCompressed();
      test.check(!factor.compute(singular), "a singular matrix has no factor");
    }
    test.check((solutions[0] - solutions[1]).norm() < 1e-11 * solutions[0].norm(), "same solution");
    return test;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testCholesky<1>());
  test.subTest(testCholesky<2>());
  test.subTest(testCholesky<3>());
  test.subTest(testLu());
  return test.exit();
}
