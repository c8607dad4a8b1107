// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <random>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/solver/multigrid/transfer.hh>

#include "gridproblems.hh"

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

namespace {

  std::mt19937 random_(11);

  double number(double lower, double upper)
  {
    return std::uniform_real_distribution<double>(lower, upper)(random_);
  }

  template<int d>
  NodeVector<d> randomVector(std::size_t n)
  {
    NodeVector<d> x(n);
    for (auto& block : x)
      for (double& value : block)
        value = number(-1, 1);
    return x;
  }

  // The same hierarchy with random signed blocks in some rows, as after a change of basis
  template<int d>
  Transfer<d> withBlocks(const Transfer<d>& scalar)
  {
    Transfer<d> result(scalar.coarseSize());
    for (std::size_t i = 0; i < scalar.fineSize(); ++i) {
      result.beginRow();
      for (const auto& entry : scalar.parents(i))
        if (i % 3 == 0) {
          NodeBlock<d> block;
          for (auto& row : block)
            for (double& value : row)
              value = number(-1, 1);
          result.add(entry.node, block);
        }
        else
          result.add(entry.node, scalar.weight(entry));
    }
    result.finish();
    return result;
  }

  // Mask of some components
  NodeMask randomMask(std::size_t n, int d)
  {
    NodeMask mask(n);
    for (auto& bits : mask)
      bits = random_() % 5 ? 0 : random_() % (1 << d);
    return mask;
  }

} // namespace

// (P^T A P) x = P^T (A (P x)) for random x, with truncation
template<int d>
TestSuite testGalerkin(const BlockMatrix<d>& A, const Transfer<d>& P, const NodeMask* mask)
{
  TestSuite test("Galerkin product");
  GalerkinProduct<d> product;
  BlockMatrix<d> coarse;
  product.setup(A, P, coarse);
  product.compute(A, mask, coarse);
  const auto x = randomVector<d>(P.coarseSize());
  NodeVector<d> fine(P.fineSize()), Afine(P.fineSize()), expected(P.coarseSize()),
    result(P.coarseSize());
  fine = 0;
  P.addProlonged(x, mask, fine);
  A.multiply(fine, Afine);
  for (std::size_t i = 0; i < fine.size(); ++i)
    for (int c = 0; c < d; ++c)
      if (mask && (*mask)[i] >> c & 1)
        Afine[i][c] = 0;
  P.restrictResidual(Afine, expected);
  coarse.multiply(x, result);
  const double size = expected.two_norm();
  expected -= result;
  test.check(expected.two_norm() <= 1e-13 * size, "triple product") << expected.two_norm() / size;

  // Only the rows that depend on a change of the mask
  NodeMask changed = mask ? *mask : NodeMask(P.fineSize(), 0);
  changed[3] ^= 1;
  BlockMatrix<d> all = coarse;
  product.compute(A, &changed, all);
  std::vector<int> rows;
  std::vector<char> used(P.coarseSize(), false);
  for (const auto [begin, end] : A.row(3))
    for (std::size_t k = begin; k < end; ++k)
      for (const auto& parent : P.parents(A.column(k)))
        if (!used[parent.node]) {
          used[parent.node] = true;
          rows.push_back(parent.node);
        }
  product.compute(A, &changed, rows, coarse);
  bool equal = true;
  for (std::size_t k = 0; k < coarse.blocks(); ++k)
    equal = equal && coarse.block(k) == all.block(k);
  test.check(equal, "update of some rows");
  return test;
}

template<int d>
TestSuite testTransposed(const Transfer<d>& P)
{
  TestSuite test("restriction is the transposed prolongation");
  const auto x = randomVector<d>(P.coarseSize()), y = randomVector<d>(P.fineSize());
  NodeVector<d> Px(P.fineSize()), Rx(P.coarseSize());
  Px = 0;
  P.addProlonged(x, nullptr, Px);
  P.restrictResidual(y, Rx);
  test.check(std::abs(dot<d>(Px, y) - dot<d>(x, Rx)) <= 1e-13 * Px.two_norm() * y.two_norm(),
             "scalar products");
  return test;
}

// Coarse corrections at random places of their bounds, corners among them, are feasible on the fine
// level
template<int d>
TestSuite testBounds(const Transfer<d>& P, const NodeMask* mask)
{
  TestSuite test("monotone restriction of bounds");
  CorrectionBounds<d> fine, coarse;
  fine.resize(P.fineSize());
  coarse.resize(P.coarseSize());
  for (std::size_t i = 0; i < P.fineSize(); ++i)
    for (int c = 0; c < d; ++c) {
      fine.lower[i][c] = random_() % 4 ? -number(0, 1) : random_() % 2 ? 0 : -infinity;
      fine.upper[i][c] = random_() % 4 ? number(0, 1) : random_() % 2 ? 0 : infinity;
    }
  P.restrictBounds(fine, mask, coarse);
  for (int trial = 0; trial < 20; ++trial) {
    NodeVector<d> v(P.coarseSize()), Pv(P.fineSize());
    for (std::size_t I = 0; I < v.size(); ++I)
      for (int c = 0; c < d; ++c) {
        const double lower = std::max(coarse.lower[I][c], -10.0),
                     upper = std::min(coarse.upper[I][c], 10.0);
        test.check(lower <= 0 && upper >= 0, "zero is allowed");
        v[I][c] = trial < 5 ? number(lower, upper) : random_() % 2 ? lower : upper;
      }
    Pv = 0;
    P.addProlonged(v, mask, Pv);
    double worst = 0;
    for (std::size_t i = 0; i < Pv.size(); ++i)
      for (int c = 0; c < d; ++c)
        worst = std::max({worst, fine.lower[i][c] - Pv[i][c], Pv[i][c] - fine.upper[i][c]});
    test.check(worst <= 1e-14, "feasible") << worst;
  }
  return test;
}

template<int dim, int d>
TestSuite testAll(Shape shape, int N)
{
  TestSuite test(std::to_string(dim) + "D, block size " + std::to_string(d));
  const auto model = gridProblem<dim, d>(shape, N);
  const NodeMask mask = randomMask(model.matrix.size(), d);
  const Transfer<d> blocks = withBlocks(*model.transfers[0]);
  for (const Transfer<d>* P : {&*model.transfers[0], &blocks}) {
    test.subTest(testTransposed(*P));
    for (const NodeMask* used : {static_cast<const NodeMask*>(nullptr), &mask}) {
      test.subTest(testGalerkin(model.matrix, *P, used));
      test.subTest(testBounds(*P, used));
    }
  }
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testAll<1, 1>(Shape::simplex, 32));
  test.subTest(testAll<2, 1>(Shape::cube, 16));
  test.subTest(testAll<2, 2>(Shape::simplex, 16));
  test.subTest(testAll<3, 1>(Shape::simplex, 8));
  test.subTest(testAll<3, 3>(Shape::cube, 8));
  return test.exit();
}
