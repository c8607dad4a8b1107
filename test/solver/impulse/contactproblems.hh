// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TEST_SOLVER_IMPULSE_CONTACTPROBLEMS_HH
#define DUNE_IMPACT_TEST_SOLVER_IMPULSE_CONTACTPROBLEMS_HH

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include <dune/impact/solver/impulse/contactproblem.hh>
#include <dune/impact/solver/impulse/delassus.hh>

/** \file
 * \brief Contact problems that several tests solve
 */

namespace Dune::Impact::Test {

  using Vector = std::vector<double>;

  //! A dense matrix, row-wise
  struct Dense
  {
    std::size_t rows = 0, cols = 0;
    Vector values;

    Dense(std::size_t rows, std::size_t cols) : rows(rows), cols(cols), values(rows * cols, 0.0) {}
    double& operator()(std::size_t i, std::size_t j) { return values[i * cols + j]; }
    double operator()(std::size_t i, std::size_t j) const { return values[i * cols + j]; }
  };

  inline Vector product(const Dense& A, const Vector& x)
  {
    Vector y(A.rows, 0.0);
    for (std::size_t i = 0; i < A.rows; ++i)
      for (std::size_t j = 0; j < A.cols; ++j)
        y[i] += A(i, j) * x[j];
    return y;
  }

  //! H = G m^-1 G^T
  inline Dense delassus(const Dense& G, const Vector& m)
  {
    Dense H(G.rows, G.rows);
    for (std::size_t i = 0; i < G.rows; ++i)
      for (std::size_t j = 0; j < G.rows; ++j)
        for (std::size_t k = 0; k < G.cols; ++k)
          H(i, j) += G(i, k) * G(j, k) / m[k];
    return H;
  }

  //! v + m^-1 G^T r
  inline Vector kick(const Dense& G, const Vector& m, Vector v, const Vector& r)
  {
    for (std::size_t i = 0; i < G.rows; ++i)
      for (std::size_t k = 0; k < G.cols; ++k)
        v[k] += G(i, k) * r[i] / m[k];
    return v;
  }

  //! Store a dense matrix; blocks of zeros off the diagonal are left out
  inline void fill(Delassus& H, const Dense& dense, int d = 1, double factor = 1)
  {
    H.clear(d);
    for (std::size_t i = 0; i < dense.rows / d; ++i) {
      H.beginRow();
      for (std::size_t j = 0; j < dense.rows / d; ++j) {
        Vector block;
        for (int k = 0; k < d; ++k)
          for (int l = 0; l < d; ++l)
            block.push_back(factor * dense(i * d + k, j * d + l));
        if (i == j || std::ranges::any_of(block, [](double x) { return x != 0; }))
          H.add(j, block.data());
      }
    }
  }

  inline double largest(const Vector& x)
  {
    double result = 0;
    for (const double value : x)
      result = std::max(result, std::abs(value));
    return result;
  }

  inline double distance(const Vector& x, const Vector& y)
  {
    double result = x.size() == y.size() ? 0 : INFINITY;
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
      result = std::max(result, std::abs(x[i] - y[i]));
    return result;
  }

  //! Fixed sequence of uniform numbers in (-1,1)
  class Random
  {
  public:
    explicit Random(unsigned seed) : engine_(seed) {}
    double operator()() { return 2 * ((engine_() + 0.5) / 4294967296.0) - 1; }
    std::size_t below(std::size_t n) { return engine_() % n; }

    Vector vector(std::size_t n)
    {
      Vector x(n);
      for (double& value : x)
        value = (*this)();
      return x;
    }

    Dense matrix(std::size_t rows, std::size_t cols)
    {
      Dense G(rows, cols);
      G.values = vector(rows * cols);
      return G;
    }

  private:
    std::mt19937 engine_;
  };

  //! H = G G^T of n rows with given rank; b = G v + slack with slack >= 0 is solvable, and
  //! consistent if slack = 0
  struct RandomProblem
  {
    Dense H;
    Vector b;

    RandomProblem(Random& random, std::size_t n, std::size_t rank, double slack) : H(0, 0)
    {
      const Dense G = random.matrix(n, rank);
      H = delassus(G, Vector(rank, 1.0));
      b = product(G, random.vector(rank));
      for (double& x : b)
        x += slack * std::abs(random());
    }
  };

  /** \brief Dual mortar coupling on [0,1], 5 segments on the nonmortar and 4 on the mortar side
   *
   * G = (D, -M): D_jj = int N_j, M_jl = int psi_j N_l with the dual functions psi_a = 2 N_a - N_b
   * on each segment
   */
  inline Dense mortarJacobian()
  {
    const int segments = 5, others = 4, points = 20; // 20 intervals resolve both meshes
    const auto hat = [](double x, int j, int n) { return std::max(0.0, 1 - std::abs(n * x - j)); };
    Dense G(segments + 1, segments + others + 2);
    for (int k = 0; k < points; ++k)
      for (const double gauss : {-1 / std::sqrt(3.0), 1 / std::sqrt(3.0)}) {
        const double x = (k + 0.5 + 0.5 * gauss) / points, weight = 0.5 / points;
        const int left = k * segments / points;
        for (const auto& [j, other] : {std::pair{left, left + 1}, {left + 1, left}}) {
          const double N = hat(x, j, segments);
          G(j, j) += weight * N;
          for (int l = 0; l <= others; ++l)
            G(j, segments + 1 + l) -=
              weight * (2 * N - hat(x, other, segments)) * hat(x, l, others);
        }
      }
    return G;
  }

  /** \brief Worst violation of the law, written down independently of the solvers
   *
   * A velocity: negative w_N, impulses of wrong sign or beyond the cone, product of impulse and
   * velocity not zero, slip not against the impulse; impulses are multiplied by H_NN.
   */
  inline double violation(const Dense& H, int d, const Vector& b, const Vector& mu, const Vector& r)
  {
    Vector w = product(H, r);
    double worst = 0;
    for (std::size_t i = 0; i < r.size(); i += d) {
      const double a = H(i, i), rN = r[i], wN = w[i] + b[i];
      const double cone = mu.empty() ? 0 : mu[i / d] * rN;
      double slip = 0, impulse = 0, defect = 0;
      for (int k = 1; k < d; ++k) {
        slip = std::hypot(slip, w[i + k] + b[i + k]);
        impulse = std::hypot(impulse, r[i + k]);
      }
      for (int k = 1; k < d && slip > 0; ++k)
        defect = std::hypot(defect, r[i + k] + cone * (w[i + k] + b[i + k]) / slip);
      worst = std::max({worst, -wN, -a * rN, a * (impulse - cone),
                        cone > 0 ? defect * std::min(slip / cone, a) : 0});
      worst = std::max(worst, std::min(std::abs(wN), a * std::abs(rN)));
    }
    return worst;
  }

} // namespace Dune::Impact::Test

#endif
