// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_MULTIGRID_NODEFRICTION_HH
#define DUNE_IMPACT_SOLVER_MULTIGRID_NODEFRICTION_HH

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <dune/common/fvector.hh>

#include <dune/impact/solver/multigrid/blockmatrix.hh>

/** \file
 * \ingroup impact_solver_multigrid
 * \brief Friction with given bounds in a quadratic problem: a norm per node, and its local minimum
 */

namespace Dune::Impact {

  /** \brief The term bound |x_T - kink_T| of a node, T its components from the second on
   *
   * The first component is the normal one and has no friction. An infinite bound holds the node at
   * its kink.
   */
  template<int d>
  struct NodeFriction
  {
    std::size_t node;
    double bound;
    FieldVector<double, d> kink = FieldVector<double, d>(0); //!< the first component is not used
    bool sticks = false;                                     //!< the node is expected at its kink

    //! |x_T - kink_T|
    double slide(const FieldVector<double, d>& x) const
    {
      if constexpr (d < 2)
        return 0;
      else if constexpr (d == 2)
        return std::abs(x[1] - kink[1]);
      else
        return std::hypot(x[1] - kink[1], x[2] - kink[2]);
    }

    bool atKink(const FieldVector<double, d>& x) const { return slide(x) == 0; }

    //! bound (x_T - kink_T)/|x_T - kink_T|; zero at the kink
    FieldVector<double, d> gradient(const FieldVector<double, d>& x) const
    {
      FieldVector<double, d> g(0);
      if (const double length = slide(x); length > 0)
        for (int c = 1; c < d; ++c)
          g[c] = bound * ((x[c] - kink[c]) / length);
      return g;
    }
  };

  //! After a step t from x that ends at the kink, let y = x + t be there exactly
  template<int d>
  void reachKink(const NodeFriction<d>& term, const FieldVector<double, d>& x,
                 const FieldVector<double, d>& t, FieldVector<double, d>& y)
  {
    for (int c = 1; c < d; ++c)
      if (t[c] != term.kink[c] - x[c])
        return;
    for (int c = 1; c < d; ++c)
      y[c] = term.kink[c];
  }

  //! The friction of a quadratic problem
  template<int d>
  class FrictionTerms
  {
  public:
    void clear(std::size_t nodes)
    {
      terms_.clear();
      ofNode_.assign(nodes, -1);
    }

    //! Terms with a bound of zero are left out; a node has one term
    void add(const NodeFriction<d>& term)
    {
      if (!(term.bound > 0) || ofNode_[term.node] >= 0)
        return;
      ofNode_[term.node] = int(terms_.size());
      terms_.push_back(term);
    }

    bool empty() const { return terms_.empty(); }
    auto begin() const { return terms_.begin(); }
    auto end() const { return terms_.end(); }

    //! The term of a node, or null
    const NodeFriction<d>* of(std::size_t node) const
    {
      return ofNode_[node] < 0 ? nullptr : &terms_[ofNode_[node]];
    }

  private:
    std::vector<NodeFriction<d>> terms_;
    std::vector<int> ofNode_;
  };

  /** \brief Minimise 1/2 u.S u - q.u + bound |u| for a positive definite matrix of order d - 1
   *
   * u = 0 if |q| <= bound. Otherwise (S + bound/rho) u = q with rho = |u|, which in the eigenbasis
   * of S is F(rho) = 1 with F(rho)^2 = sum (q_i/(e_i rho + bound))^2. 1/F is concave and
   * increasing: Newton's method from rho = 0 increases to the root.
   */
  template<int d>
  FieldVector<double, d> shrink(const NodeBlock<d>& S, const FieldVector<double, d>& q,
                                double bound)
  {
    FieldVector<double, d> u(0);
    if constexpr (d == 2) {
      if (std::abs(q[1]) > bound)
        u[1] = std::copysign(std::abs(q[1]) - bound, q[1]) / S[1][1];
    }
    if constexpr (d == 3) {
      if (!(std::hypot(q[1], q[2]) > bound))
        return u;
      // S = V diag(e) V^T with the angle that makes the entry off the diagonal vanish
      const double angle = 0.5 * std::atan2(2 * S[1][2], S[1][1] - S[2][2]);
      const double c = std::cos(angle), s = std::sin(angle);
      const double e[2] = {c * c * S[1][1] + 2 * c * s * S[1][2] + s * s * S[2][2],
                           s * s * S[1][1] - 2 * c * s * S[1][2] + c * c * S[2][2]};
      const double p[2] = {c * q[1] + s * q[2], c * q[2] - s * q[1]};
      double rho = 0, v[2] = {p[0] / e[0], p[1] / e[1]};
      for (int k = 0; bound > 0 && k < 100; ++k) {
        double square = 0, slope = 0; // F^2 and -F F'
        for (int i = 0; i < 2; ++i) {
          const double f = p[i] / (e[i] * rho + bound);
          square += f * f;
          slope += f * f * e[i] / (e[i] * rho + bound);
          v[i] = f * rho;
        }
        const double F = std::sqrt(square), next = rho + (F - 1) * square / slope;
        if (!(next > rho * (1 + 4e-16)))
          break;
        rho = next;
      }
      u[1] = c * v[0] - s * v[1];
      u[2] = s * v[0] + c * v[1];
    }
    return u;
  }

  /** \brief Lower 1/2 t.D t - s.t + bound |t_T - k| of one node within lo <= t <= hi, from t = 0
   *
   * k is the kink seen from the present point. A positive definite D has the minimum in closed
   * form: with the normal component free, and if that leaves its bounds with the normal component
   * there (the minimum over t_T is a convex function of it). Where the box cuts off the tangential
   * components, or D is not definite, one component after the other is moved.
   */
  template<int d>
  void minimiseFriction(const NodeBlock<d>& D, bool positive, const double* s, const double* lo,
                        const double* hi, const FieldVector<double, d>& k, double bound, double* t);

  extern template void minimiseFriction<2>(const NodeBlock<2>&, bool, const double*, const double*,
                                           const double*, const FieldVector<double, 2>&, double,
                                           double*);
  extern template void minimiseFriction<3>(const NodeBlock<3>&, bool, const double*, const double*,
                                           const double*, const FieldVector<double, 3>&, double,
                                           double*);

} // namespace Dune::Impact

#endif
