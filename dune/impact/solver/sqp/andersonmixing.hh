// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_SQP_ANDERSONMIXING_HH
#define DUNE_IMPACT_SOLVER_SQP_ANDERSONMIXING_HH

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include <dune/impact/solver/multigrid/blockmatrix.hh>

/** \file
 * \ingroup impact_solver_sqp
 * \brief Acceleration of iterations with one and the same linearisation
 */

namespace Dune::Impact {

  /** \brief Anderson acceleration of depth two
   *
   * Iterations of an SQP that keep their linearisation are those of a map g with g(u) = u in the
   * solution, u = (z, mu), and a linear rate of convergence. The errors lie mostly in a few
   * directions, which the last steps f_k = g(u_k) - u_k show. With the differences of the last
   * three iterations
   *
   *     u_{k+1} = g_k - sum_j gamma_j (g_k - g_{k-j}),
   *     gamma   = argmin |f_k - sum_j gamma_j (f_k - f_{k-j})|,     j = 1, 2,
   *
   * in the Euclidean norm of the displacements. A map that contracts by rho in one direction has
   * gamma = -rho / (1 - rho), so that a large gamma means that there is no such map: nothing is
   * mixed then. The same holds for multipliers that become positive or zero, since g has a kink
   * there. Results in units that differ by powers of two have the same bits.
   */
  template<int d>
  class AndersonMixing
  {
  public:
    static constexpr int depth = 2;
    static constexpr double largest = 0.5; //!< sum of |gamma|
    static constexpr double parallel =
      0.1; //!< sine of the angle below which a difference is left out

    void restart() { size_ = 0; }

    /** \brief Remember an iteration
     *
     * \param step  displacements g(u) - u
     * \param z     displacements of g(u)
     * \param mu    multipliers of g(u)
     */
    void add(const NodeVector<d>& step, const NodeVector<d>& z, const std::vector<double>& mu)
    {
      if (size_ > 0 && !sameSet(mu, last_[0].mu))
        restart();
      std::rotate(last_.begin(), last_.end() - 1, last_.end());
      last_[0] = {step, z, mu};
      size_ = std::min(size_ + 1, depth + 1);
    }

    //! Replace g(u) of the iteration that was added last by the mixture. False if it stays.
    bool mix(NodeVector<d>& z, std::vector<double>& mu)
    {
      const auto gamma = coefficients();
      double sum = 0;
      for (const double g : gamma)
        sum += std::abs(g);
      if (!(sum > 0 && sum <= largest))
        return false;
      const Iteration& now = last_[0];
      for (int j = 1; j < size_; ++j) {
        const double g = gamma[j - 1];
        for (std::size_t i = 0; i < z.size(); ++i)
          z[i].axpy(-g, now.z[i] - last_[j].z[i]);
        for (std::size_t p = 0; p < mu.size(); ++p)
          mu[p] -= g * (now.mu[p] - last_[j].mu[p]);
      }
      for (double& value : mu)
        value = std::max(0.0, value);
      return true;
    }

  private:
    struct Iteration
    {
      NodeVector<d> step, z;
      std::vector<double> mu;
    };

    static bool sameSet(const std::vector<double>& a, const std::vector<double>& b)
    {
      return a.size() == b.size() &&
             std::equal(a.begin(), a.end(), b.begin(),
                        [](double x, double y) { return (x > 0) == (y > 0); });
    }

    //! Least squares by orthogonal differences: e_1 = f_k - f_{k-1}, and e_2 = f_k - f_{k-2}
    //! without its part along e_1
    std::array<double, depth> coefficients() const
    {
      std::array<double, depth> gamma{};
      if (size_ < 2)
        return gamma;
      NodeVector<d> first = last_[0].step;
      first -= last_[1].step;
      const double square = first * first;
      if (!(square > 0))
        return gamma;
      gamma[0] = (first * last_[0].step) / square;
      if (size_ < 3)
        return gamma;
      NodeVector<d> second = last_[0].step;
      second -= last_[2].step;
      const double whole = second * second, part = (first * second) / square;
      second.axpy(-part, first);
      const double rest = second * second;
      if (rest > parallel * parallel * whole) {
        gamma[1] = (second * last_[0].step) / rest;
        gamma[0] -= part * gamma[1];
      }
      return gamma;
    }

    std::array<Iteration, depth + 1> last_; //!< the newest first
    int size_ = 0;
  };

} // namespace Dune::Impact

#endif
