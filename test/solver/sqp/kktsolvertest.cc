// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <random>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/solver/sqp/kktsolver.hh>

/* Quadratic problems with coupled inequalities: conditions of the minimum, trust region, matrices
 * that are singular or indefinite. */

using namespace Dune;
using namespace Dune::Impact;

namespace {

  std::mt19937 random(5);

  double number()
  {
    return std::uniform_real_distribution<double>(-1, 1)(random);
  }

  //! A chain of nodes with random symmetric blocks, and random rows that couple three nodes each
  template<int d>
  struct Example
  {
    Example(std::size_t nodes, std::size_t rows) : fixed(nodes, 0), gradient(nodes)
    {
      std::vector<std::size_t> begin = {0};
      std::vector<typename BlockMatrix<d>::Index> columns;
      for (std::size_t i = 0; i < nodes; ++i) {
        for (std::size_t j = i > 0 ? i - 1 : 0; j < std::min(nodes, i + 2); ++j)
          columns.push_back(j);
        begin.push_back(columns.size());
      }
      matrix = BlockMatrix<d>(begin, columns);
      for (std::size_t i = 0; i < nodes; ++i)
        for (int a = 0; a < d; ++a)
          gradient[i][a] = number();
      for (std::size_t i = 0; i + 1 < nodes; ++i)
        addSpring(i, i + 1, 1);
      fixed[0] = (1 << d) - 1;
      for (std::size_t p = 0; p < rows; ++p) {
        const std::size_t node = 1 + p * (nodes - 3) / std::max<std::size_t>(rows - 1, 1);
        FieldVector<double, d> normal(0);
        normal[d - 1] = 1;
        std::vector<NodeEntry<d>> row;
        for (std::size_t k = 0; k < 3; ++k) {
          FieldVector<double, d> value;
          for (auto& x : value)
            x = 0.3 * number();
          if (k == 0)
            value[d - 1] -= 2;
          row.push_back({(node + k) % nodes, value});
        }
        constraints.add({p, node, 0.2 * number(), 2, 2, normal}, row, row, {});
        gap.push_back(constraints[p].value);
      }
    }

    //! (u_i - u_j).A(u_i - u_j) with a random positive definite A
    void addSpring(std::size_t i, std::size_t j, double factor)
    {
      NodeBlock<d> A(0);
      for (int k = 0; k < d + 2; ++k) {
        FieldVector<double, d> v;
        for (auto& x : v)
          x = number();
        for (int a = 0; a < d; ++a)
          for (int b = 0; b < d; ++b)
            A[a][b] += factor * v[a] * v[b];
      }
      for (const auto& [r, c, sign] : {std::tuple(i, i, 1.0), std::tuple(j, j, 1.0),
                                       std::tuple(i, j, -1.0), std::tuple(j, i, -1.0)}) {
        NodeBlock<d> part = A;
        part *= sign;
        matrix.block(matrix.find(r, c)) += part;
      }
    }

    typename KktSolver<d>::Problem problem(double radius) const
    {
      return {matrix, blocks, gradient, constraints, gap, fixed, radius};
    }

    //! H d + g - C^T lambda on free components, gaps and products with multipliers
    void checkConditions(TestSuite& test, const NodeVector<d>& step,
                         const std::vector<double>& lambda) const
    {
      NodeVector<d> r(matrix.size());
      matrix.multiply(step, r);
      for (const auto& block : blocks)
        block.value.umv(step[block.column], r[block.row]);
      r += gradient;
      for (std::size_t p = 0; p < gap.size(); ++p) {
        double after = gap[p];
        for (const auto& [node, value] : constraints.derivative(p)) {
          r[node].axpy(-lambda[p], value);
          after += value * step[node];
        }
        test.check(after > -1e-11 && lambda[p] >= 0 && std::abs(after * lambda[p]) < 1e-10,
                   "inequality")
          << after << " " << lambda[p];
      }
      for (std::size_t i = 0; i < r.size(); ++i)
        for (int c = 0; c < d; ++c)
          if (fixed[i] >> c & 1)
            test.check(step[i][c] == 0, "fixed component") << step[i][c];
          else
            test.check(std::abs(r[i][c]) < 1e-10, "balance") << r[i][c];
    }

    BlockMatrix<d> matrix;
    std::vector<MatrixBlock<d>> blocks;
    NodeMask fixed;
    NodeVector<d> gradient;
    SignoriniConstraints<d> constraints;
    std::vector<double> gap;
  };

  template<int d>
  TestSuite stepFulfilsTheConditions()
  {
    TestSuite test("conditions of the minimum, dimension " + std::to_string(d));
    int active = 0, inactive = 0;
    for (int trial = 0; trial < 20; ++trial) {
      Example<d> example(12, 6);
      if (trial % 2) // blocks that are not in the pattern
        for (auto [i, j] : {std::pair<std::size_t, std::size_t>(3, 3), {3, 8}, {8, 3}, {8, 8}}) {
          NodeBlock<d> A(0);
          for (int c = 0; c < d; ++c)
            A[c][c] = i == j ? 1 : -1;
          example.blocks.push_back({i, j, A});
        }
      KktSolver<d> solver;
      NodeVector<d> step;
      std::vector<double> lambda(6, trial % 3 ? 0.0 : 1.0); // any first guess
      test.require(solver.solve(example.problem(1e6), step, lambda), "solved");
      test.check(!solver.shortened(), "not shortened");
      example.checkConditions(test, step, lambda);
      for (double x : lambda)
        ++(x > 0 ? active : inactive);
    }
    test.check(active > 10 && inactive > 10, "some are active and some are not")
      << active << " " << inactive;
    return test;
  }

  //! Negative stiffness that the constraints take away: a saddle of the energy, but a solution
  template<int d>
  TestSuite indefiniteMatrix()
  {
    TestSuite test("indefinite matrix, dimension " + std::to_string(d));
    Example<d> example(12, 1);
    NodeBlock<d> A(0);
    A[d - 1][d - 1] = -50;
    example.blocks.push_back({1, 1, A});
    FieldVector<double, d> down(0);
    down[d - 1] = -2;
    const std::vector<NodeEntry<d>> row = {{1, down}};
    example.constraints.clear();
    example.constraints.add({0, 1, 0.1, 2, 2, down}, row, row, {});
    example.gap = {0.1};
    example.gradient[1][d - 1] = -10;
    KktSolver<d> solver;
    NodeVector<d> step;
    std::vector<double> lambda = {1};
    test.require(solver.solve(example.problem(1e6), step, lambda), "solved");
    example.checkConditions(test, step, lambda);
    test.check(lambda[0] > 0 && std::abs(step[1][d - 1] - 0.05) < 1e-14, "held by the constraint")
      << step[1][d - 1];
    return test;
  }

  //! Nothing holds the chain: the trust region does
  template<int d>
  TestSuite floatingBody()
  {
    TestSuite test("floating body, dimension " + std::to_string(d));
    Example<d> example(12, 0);
    example.fixed[0] = 0;
    KktSolver<d> solver;
    NodeVector<d> step;
    std::vector<double> lambda;
    test.require(solver.solve(example.problem(0.5), step, lambda), "solved");
    test.check(solver.shortened() && step.infinity_norm() <= 0.5 * 1.01, "within the radius")
      << step.infinity_norm();
    test.check(dot(example.gradient, step) + 0.5 * solver.curvature() < 0, "downhill")
      << dot(example.gradient, step);
    return test;
  }

  //! Its load pushes the chain, which nothing else holds, against a constraint that is not active
  //! at first: it is found whatever the rounding of the singular matrix is
  template<int d>
  TestSuite loadFindsTheConstraint()
  {
    TestSuite test("held by what its load finds, dimension " + std::to_string(d));
    for (int trial = 0; trial < 20; ++trial) {
      Example<d> example(12, 0);
      example.fixed[0] = (1 << (d - 1)) - 1; // free to move along the last axis
      const double factor = 1 / (1 + trial / 3.0);
      for (std::size_t k = 0; k < example.matrix.blocks(); ++k)
        example.matrix.block(k) *= factor;
      FieldVector<double, d> closing(0);
      closing[d - 1] = -2;
      const std::vector<NodeEntry<d>> row = {{6, closing}};
      example.constraints.add({0, 6, 0.1, 2, 2, closing}, row, row, {});
      example.gap = {0.1};
      double sum = 0;
      for (std::size_t i = 0; i < 12; ++i)
        sum += example.gradient[i][d - 1];
      example.gradient[3][d - 1] -= sum + 0.5;
      KktSolver<d> solver;
      NodeVector<d> step;
      std::vector<double> lambda = {0};
      test.require(solver.solve(example.problem(1e6), step, lambda), "solved");
      test.check(!solver.shortened() && std::abs(lambda[0] - 0.25) < 1e-10, "multiplier")
        << "trial " << trial << ": " << lambda[0];
      example.checkConditions(test, step, lambda);
    }
    return test;
  }

  //! Rows on fixed nodes only cannot be fulfilled and are left out
  template<int d>
  TestSuite fixedRow()
  {
    TestSuite test("row of fixed nodes, dimension " + std::to_string(d));
    Example<d> example(8, 2);
    FieldVector<double, d> up(1);
    const std::vector<NodeEntry<d>> row = {{0, up}};
    example.constraints.add({2, 0, -0.1, 1, 1, up}, row, row, {});
    example.gap.push_back(-0.1);
    KktSolver<d> solver;
    NodeVector<d> step;
    std::vector<double> lambda(3, 1);
    test.require(solver.solve(example.problem(1e6), step, lambda), "solved");
    test.check(lambda[2] == 0 && step[0].two_norm() == 0, "left out") << lambda[2];
    return test;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(stepFulfilsTheConditions<2>());
  test.subTest(stepFulfilsTheConditions<3>());
  test.subTest(indefiniteMatrix<2>());
  test.subTest(indefiniteMatrix<3>());
  test.subTest(floatingBody<2>());
  test.subTest(floatingBody<3>());
  test.subTest(loadFindsTheConstraint<2>());
  test.subTest(loadFindsTheConstraint<3>());
  test.subTest(fixedRow<2>());
  test.subTest(fixedRow<3>());
  return test.exit();
}
