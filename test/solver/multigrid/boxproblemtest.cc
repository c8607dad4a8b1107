// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <random>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/solver/multigrid/boxproblem.hh>
#include <dune/impact/solver/multigrid/sparsefactor.hh>
#include <dune/impact/solver/test/checkboxsolver.hh>

using namespace Dune;
using namespace Dune::Impact;

// A small matrix of dune-istl with rows of different lengths
template<int d>
BCRSMatrix<NodeBlock<d>> istlMatrix(const BlockMatrix<d>& A)
{
  BCRSMatrix<NodeBlock<d>> result(A.size(), A.size(), A.blocks(),
                                  BCRSMatrix<NodeBlock<d>>::row_wise);
  for (auto row = result.createbegin(); row != result.createend(); ++row)
    for (const auto [begin, end] : A.row(row.index()))
      for (std::size_t k = begin; k < end; ++k)
        row.insert(A.column(k));
  for (std::size_t i = 0; i < A.size(); ++i)
    for (const auto [begin, end] : A.row(i))
      for (std::size_t k = begin; k < end; ++k)
        result[i][A.column(k)] = A.block(k);
  return result;
}

template<int d>
TestSuite testMatrix()
{
  TestSuite test("matrix");
  std::mt19937 random(5);
  const BoxData<d> data = randomBoxData<d>(30, 0.3, random),
                   other = randomBoxData<d>(30, 0.3, random);
  auto istl = istlMatrix(data.matrix);
  BlockMatrix<d> A(istl);
  NodeVector<d> y(30), expected(30), r(30);
  A.multiply(data.b, y);
  istl.mv(data.b, expected);
  expected -= y;
  test.check(expected.two_norm() <= 1e-14 * y.two_norm(), "product");
  A.residual(data.b, y, r);
  test.check(r.two_norm() <= 1e-14 * y.two_norm(), "residual") << r.two_norm();

  const auto id = A.patternId();
  istl *= 2;
  test.check(A.assign(istl) && A.patternId() == id, "pattern is kept");
  test.check(A.block(A.find(3, 4)) == istl[3][4] && A.block(A.diagonal(7)) == istl[7][7],
             "new values");
  test.check(!A.assign(istlMatrix(other.matrix)) && A.patternId() != id, "new pattern");
  BlockMatrix<d> copy = A;
  test.check(copy.patternId() == A.patternId(), "copies share the pattern");
  test.check(A.isFinite(), "finite");
  A.block(A.blocks() - 1)[0][0] = NAN;
  test.check(!A.isFinite(), "not finite");
  return test;
}

template<int d>
TestSuite testFactor()
{
  TestSuite test("sparse factor");
  std::mt19937 random(5);
  const BoxData<d> data = randomBoxData<d>(30, 0.3, random);
  SparseFactor<d> factor;
  NodeMask mask(30, 0);
  mask[4] = mask[9] = 1;
  factor.compute(data.matrix, &mask);
  NodeVector<d> x(30), r(30);
  factor.solve(data.b, x);
  data.matrix.residual(x, data.b, r);
  r[4][0] = r[9][0] = 0;
  test.check(factor.positive() && r.two_norm() <= 1e-12, "solves on the free components")
    << r.two_norm();
  test.check(x[4][0] == 0 && x[9][0] == 0, "masked components");
  factor.compute(randomBoxData<d>(30, -0.3, random).matrix, nullptr);
  test.check(!factor.positive(), "indefinite");
  return test;
}

TestSuite testProblem()
{
  TestSuite test("problem");
  test.check(naturalMap(2, 3, 0, -1, 5) == 2, "free component");
  test.check(naturalMap(2, 3, 4.9, -1, 5) > 0.29 && naturalMap(2, 3, 4.9, -1, 5) < 0.31,
             "near a bound");
  test.check(naturalMap(2, 3, 5, -1, 5) == 0 && naturalMap(-2, 3, 5, -1, 5) == -2, "at a bound");
  test.check(naturalMap(2, 0, 1, -1, 5) == 2 && naturalMap(2, 0, 5, -1, 5) == 0, "no diagonal");

  std::mt19937 random(5);
  BoxData<2> data = randomBoxData<2>(10, 0.3, random);
  const auto problem = data.problem();
  NodeVector<2> x(10), y(data.b);
  x = 0.5;
  const double exact = energy(problem, y) - energy(problem, x);
  test.check(std::abs(energyDifference(problem, x, y) - exact) <= 1e-13 * std::abs(exact),
             "energy difference");
  NodeVector<2> Ax(10);
  data.matrix.multiply(x, Ax);
  test.check(std::abs(energy(problem, x) - (dot<2>(x, Ax) / 2 - dot<2>(x, data.b))) <= 1e-13,
             "energy");

  // Far from zero: the difference keeps its digits, the energies do not
  y = x;
  y[3][1] += 1e-9;
  NodeVector<2> r(10);
  data.matrix.residual(x, data.b, r);
  const double change = energyDifference(problem, x, y), step = y[3][1] - x[3][1];
  const double a = data.matrix.block(data.matrix.diagonal(3))[1][1];
  test.check(std::abs(change - (-r[3][1] * step + a / 2 * step * step)) <= 1e-6 * std::abs(change),
             "no cancellation");

  test.check(loadScale(problem) == std::sqrt(dot<2>(data.b, data.b)), "scale");
  data.b = 0;
  data.lower = 1;
  test.check(loadScale(problem) > 0, "scale of a problem driven by bounds");
  test.check(loadScale(BoxProblem<2>{data.matrix, data.b, data.lower, data.upper, 7.0}) == 7,
             "given scale");
  test.check(isValid(problem), "valid");
  data.upper = 0;
  test.check(!isValid(problem), "empty box");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testMatrix<1>());
  test.subTest(testMatrix<2>());
  test.subTest(testMatrix<3>());
  test.subTest(testFactor<1>());
  test.subTest(testFactor<2>());
  test.subTest(testFactor<3>());
  test.subTest(testProblem());
  return test.exit();
}
