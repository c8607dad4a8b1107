// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_TEST_CHECKBOXSOLVER_HH
#define DUNE_IMPACT_SOLVER_TEST_CHECKBOXSOLVER_HH

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <dune/common/test/testsuite.hh>

#include <dune/impact/solver/multigrid/boxproblem.hh>

/** \file
 * \ingroup impact_solver
 * \brief What every solver for BoxProblem must fulfil
 */

namespace Dune::Impact {

  //! What checkBoxSolver() may expect
  struct BoxSolverTraits
  {
    double tolerance = 1e-10;   //!< of the solver
    bool indefinite = true;     //!< the solver finds stationary points of indefinite problems
    bool monotone = true;       //!< the result never has more energy than the first guess
    bool scaleCovariant = true; //!< scaling by powers of two scales the result exactly
  };

  //! A problem that owns its data
  template<int d>
  struct BoxData
  {
    BlockMatrix<d> matrix;
    NodeVector<d> b, lower, upper;

    BoxProblem<d> problem() const { return {matrix, b, lower, upper}; }
  };

  /** \brief Random symmetric matrix with n nodes and about six blocks per row, b of size one, no
   * bounds
   *
   * \param shift  added to the diagonal of a graph Laplacian with random blocks: positive for
   *               positive definite matrices, negative for indefinite ones
   */
  template<int d>
  BoxData<d> randomBoxData(std::size_t n, double shift, std::mt19937& random)
  {
    std::uniform_real_distribution<double> number(-1, 1);
    std::vector<std::set<int>> pattern(n);
    for (std::size_t i = 0; i < n; ++i)
      for (const std::size_t j :
           {i, (i + 1) % n, std::size_t(random() % n), std::size_t(random() % n)}) {
        pattern[i].insert(j);
        pattern[j].insert(i);
      }
    std::vector<std::size_t> rowBegin = {0};
    std::vector<int> columns;
    for (const auto& row : pattern) {
      columns.insert(columns.end(), row.begin(), row.end());
      rowBegin.push_back(columns.size());
    }
    BoxData<d> data{BlockMatrix<d>(rowBegin, columns), NodeVector<d>(n), NodeVector<d>(n),
                    NodeVector<d>(n)};
    auto& A = data.matrix;
    for (std::size_t i = 0; i < n; ++i)
      for (int c = 0; c < d; ++c) {
        A.block(A.diagonal(i))[c][c] += shift;
        data.b[i][c] = number(random);
        data.lower[i][c] = -std::numeric_limits<double>::infinity();
        data.upper[i][c] = std::numeric_limits<double>::infinity();
      }
    for (std::size_t i = 0; i < n; ++i)
      for (const int j : pattern[i])
        if (j > int(i)) { // w w^T of the difference of both nodes
          FieldVector<double, d> w;
          for (int c = 0; c < d; ++c)
            w[c] = number(random);
          for (int a = 0; a < d; ++a)
            for (int b = 0; b < d; ++b) {
              A.block(A.diagonal(i))[a][b] += w[a] * w[b];
              A.block(A.diagonal(j))[a][b] += w[a] * w[b];
              A.block(A.find(i, j))[a][b] -= w[a] * w[b];
              A.block(A.find(j, i))[a][b] -= w[a] * w[b];
            }
        }
    return data;
  }

  //! Random bounds around zero: none, one-sided, two-sided, fixed, away from zero
  template<int d>
  void addRandomBounds(double size, bool finite, std::mt19937& random, BoxData<d>& data)
  {
    std::uniform_real_distribution<double> number(0, size);
    for (std::size_t i = 0; i < data.b.size(); ++i)
      for (int c = 0; c < d; ++c) {
        double &lower = data.lower[i][c], &upper = data.upper[i][c];
        const int kind = finite ? 2 + random() % 3 : random() % 5;
        if (kind == 0)
          (random() % 2 ? lower : upper) = (random() % 2 ? 1 : -1) * number(random);
        if (kind >= 2) {
          lower = -number(random);
          upper = kind == 3 ? lower : number(random);
        }
        if (kind == 4) {
          lower += 2 * size;
          upper += 2 * size;
        }
      }
  }

  //! Is x, found from x0, what a solver may return?
  template<int d>
  TestSuite checkBoxSolution(const BoxProblem<d>& problem, NodeVector<d> x0, const NodeVector<d>& x,
                             const SolveReport& report, const BoxSolverTraits& traits,
                             const std::string& name)
  {
    TestSuite test(name);
    const double residual = kktResidual(problem, x);
    test.check(report.converged, "converged")
      << report.iterations << " iterations, residual " << report.residual;
    test.check(infeasibility(problem, x) == 0, "feasible") << infeasibility(problem, x);
    test.check(residual <= 2 * traits.tolerance, "Karush-Kuhn-Tucker") << residual;
    test.check(std::abs(report.residual - residual) <= traits.tolerance, "reported residual")
      << report.residual;
    project(problem, x0);
    const double change = energyDifference(problem, x0, x);
    const double rounding = 1e-14 * (std::abs(energy(problem, x0)) + std::abs(energy(problem, x)));
    if (traits.monotone)
      test.check(change <= rounding, "energy does not increase") << change;
    return test;
  }

  //! Scale A by 2^a and lengths by 2^l: the same iterates, scaled
  template<int d, class Solver>
  TestSuite checkScaling(Solver& solver, const BoxData<d>& data)
  {
    TestSuite test("scaling by powers of two");
    NodeVector<d> x(data.b.size()), y(data.b.size());
    x = 0;
    const SolveReport report = solver.solve(data.problem(), x);
    for (const auto& [a, l] : {std::pair{40, 0}, {0, -30}, {-70, 25}}) {
      BoxData<d> scaled = data;
      for (std::size_t k = 0; k < data.matrix.blocks(); ++k)
        scaled.matrix.block(k) *= std::ldexp(1.0, a);
      scaled.b *= std::ldexp(1.0, a + l);
      scaled.lower *= std::ldexp(1.0, l);
      scaled.upper *= std::ldexp(1.0, l);
      y = 0;
      const SolveReport again = solver.solve(scaled.problem(), y);
      y *= std::ldexp(1.0, -l);
      bool equal = again.iterations == report.iterations;
      for (std::size_t i = 0; i < x.size(); ++i)
        equal = equal && x[i] == y[i];
      test.check(equal, "bit by bit") << a << " " << l;
    }
    return test;
  }

  //! Bad data end at once, without an exception and without convergence
  template<int d, class Solver>
  TestSuite checkBadData(Solver& solver, const BoxData<d>& good)
  {
    TestSuite test("bad data");
    const double nan = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();
    const auto fails = [&](const BoxData<d>& bad, double start) {
      NodeVector<d> x(bad.b.size());
      x = 0;
      x[0][0] = start;
      return !solver.solve(bad.problem(), x).converged;
    };
    for (const double value : {nan, infinity}) {
      BoxData<d> bad = good;
      bad.matrix.block(0)[0][0] = value;
      test.check(fails(bad, 0), "matrix") << value;
      bad = good;
      bad.b[1][d - 1] = value;
      test.check(fails(bad, 0), "right-hand side") << value;
    }
    BoxData<d> bad = good;
    bad.lower[1][0] = nan;
    test.check(fails(bad, 0), "bound is not a number");
    bad = good;
    bad.lower[1][0] = 1;
    bad.upper[1][0] = 0;
    test.check(fails(bad, 0), "empty box");
    test.check(fails(good, nan), "first guess");
    return test;
  }

  /** \brief Check a solver on small random problems
   *
   * \param solver  has `SolveReport solve(const BoxProblem<d>&, NodeVector<d>& x)`, x being first
   *                guess and result
   */
  template<int d, class Solver>
  TestSuite checkBoxSolver(Solver&& solver, const BoxSolverTraits& traits = {})
  {
    TestSuite test("box solver, block size " + std::to_string(d));
    std::mt19937 random(7);
    std::uniform_real_distribution<double> number(-3, 3);
    const auto run = [&](const BoxData<d>& data, const std::string& name) {
      for (const bool zero : {true, false}) {
        NodeVector<d> x0(data.b.size());
        for (auto& block : x0)
          for (double& value : block)
            value = zero ? 0 : number(random);
        NodeVector<d> x = x0;
        const SolveReport report = solver.solve(data.problem(), x);
        test.subTest(checkBoxSolution(data.problem(), x0, x, report, traits, name));
      }
    };
    for (const std::size_t n : {1, 2, 5, 40}) {
      BoxData<d> data = randomBoxData<d>(n, 0.3, random);
      run(data, "no bounds");
      for (const double size : {0.1, 1.0}) {
        BoxData<d> bounded = data;
        addRandomBounds(size, false, random, bounded);
        run(bounded, "random bounds");
        bounded = randomBoxData<d>(n, -0.5, random);
        addRandomBounds(size, true, random, bounded);
        if (traits.indefinite)
          run(bounded, "indefinite");
      }
      BoxData<d> fixed = data;
      fixed.lower = fixed.upper = fixed.b;
      run(fixed, "all fixed");
      data.b = 0;
      run(data, "no load");
    }
    BoxData<d> data = randomBoxData<d>(20, 0.3, random);
    addRandomBounds(0.5, false, random, data);
    if (traits.scaleCovariant)
      test.subTest(checkScaling(solver, data));
    test.subTest(checkBadData(solver, data));
    return test;
  }

} // namespace Dune::Impact

#endif
