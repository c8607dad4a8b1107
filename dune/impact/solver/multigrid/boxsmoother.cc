// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>

#include <dune/impact/solver/multigrid/boxsmoother.hh>
#include <dune/impact/solver/multigrid/smallbox.hh>

namespace Dune::Impact {

  namespace {

    // y = A x for one block
    template<int d>
    void multiplyBlock(const double* A, const double* x, double* y)
    {
      for (int r = 0; r < d; ++r) {
        y[r] = A[r * d] * x[0];
        for (int c = 1; c < d; ++c)
          y[r] += A[r * d + c] * x[c];
      }
    }

    // v + step, exactly the bound if the step goes to the bound
    double moved(double v, double step, double lo, double hi, double lower, double upper)
    {
      return step <= lo ? lower : step >= hi ? upper : v + step;
    }

    // s -= A_i x, the neighbour that the sweep has just changed last: the other products need not
    // wait for it
    template<Sweep order, int d>
    void subtractRow(const BlockMatrix<d>& A, std::size_t i, const double* x, double* s)
    {
      subtractProduct<d>(&A.block(A.diagonal(i))[0][0], x + i * d, s);
      if constexpr (order == Sweep::forward) {
        A.subtract(A.upper(i), x, s);
        A.subtract(A.lower(i), x, s);
      }
      else {
        A.subtract(A.lower(i), x, s);
        A.subtractBackward(A.upper(i), x, s);
      }
    }

  } // namespace

  template<int d>
  void BoxSmoother<d>::setup(const BlockMatrix<d>& matrix, const NodeMask* mask)
  {
    matrix_ = &matrix;
    mask_ = mask;
    inverse_.resize(matrix.size());
    positive_.resize(matrix.size());
    matrix.forRows(threads_, [&](std::size_t i) { invert(i); });
    indefinite_ = std::count(positive_.begin(), positive_.end(), false);
  }

  template<int d>
  void BoxSmoother<d>::update(std::span<const int> nodes)
  {
    for (const int i : nodes) {
      indefinite_ -= !positive_[i];
      invert(i);
      indefinite_ += !positive_[i];
    }
  }

  //! D_i^-1 on the free components. A free component with a zero diagonal but a nonzero row has a
  //! direction of negative curvature, so its block does not count as positive.
  template<int d>
  void BoxSmoother<d>::invert(std::size_t i)
  {
    const auto& D = matrix_->block(matrix_->diagonal(i));
    positive_[i] = invertFree<d>(&D[0][0], masked(i), &inverse_[i][0][0]);
    for (int c = 0; c < d; ++c)
      if (D[c][c] == 0 && !(masked(i) >> c & 1) && !matrix_->isZeroRow(i, c))
        positive_[i] = false;
  }

  // The minimiser with friction, or without bounds if it lies within them, otherwise component by
  // component
  template<int d>
  void BoxSmoother<d>::stepWithin(std::size_t i, const double* s, const double* lo,
                                  const double* hi, double* step) const
  {
    if constexpr (d > 1)
      if (friction_)
        if (const auto* term = friction_->of(i)) {
          const auto& D = matrix_->block(matrix_->diagonal(i));
          return minimiseFriction<d>(D, positive_[i], s, lo, hi, term->kink - (*x_)[i], term->bound,
                                     step);
        }
    if (positive_[i]) {
      multiplyBlock<d>(&inverse_[i][0][0], s, step);
      bool inside = true;
      for (int c = 0; c < d; ++c)
        inside = inside && lo[c] <= step[c] && step[c] <= hi[c];
      if (inside)
        return;
    }
    minimiseNode<d>(&matrix_->block(matrix_->diagonal(i))[0][0], s, lo, hi, step);
  }

  //! v_i = D_i^-1 (b_i - sum A_ij v_j) over the neighbours j before i; the others are still zero
  template<int d>
  void BoxSmoother<d>::sweepFromZero(const NodeVector<d>& b, NodeVector<d>& v) const
  {
    const BlockMatrix<d>& A = *matrix_;
    double* pv = data<d>(v);
    inOrder<Sweep::forward>([&](std::size_t i) {
      double s[d];
      for (int c = 0; c < d; ++c)
        s[c] = b[i][c];
      A.subtract(A.lower(i), pv, s);
      multiplyBlock<d>(&inverse_[i][0][0], s, pv + i * d);
    });
  }

  //! The same with s = b_i - sum A_ij v_j and v_i the minimiser of 1/2 v.D_i v - s.v within the
  //! bounds; rest_i = s - D_i v_i is the force that the bounds take
  template<int d>
  void BoxSmoother<d>::sweepFromZero(const NodeVector<d>& b, const CorrectionBounds<d>& bounds,
                                     NodeVector<d>& v, NodeVector<d>& rest) const
  {
    const BlockMatrix<d>& A = *matrix_;
    double* pv = data<d>(v);
    inOrder<Sweep::forward>([&](std::size_t i) {
      double s[d];
      for (int c = 0; c < d; ++c)
        s[c] = b[i][c];
      A.subtract(A.lower(i), pv, s);
      stepWithin(i, s, &bounds.lower[i][0], &bounds.upper[i][0], pv + i * d);
      subtractProduct<d>(&A.block(A.diagonal(i))[0][0], pv + i * d, s);
      for (int c = 0; c < d; ++c)
        rest[i][c] = s[c];
    });
  }

  //! step_i = D_i^-1 (b_i - sum A_ij v_j) over all j with the present v, then v_i += step_i
  template<int d>
  template<Sweep order>
  void BoxSmoother<d>::sweep(const NodeVector<d>& b, NodeVector<d>& v, NodeVector<d>& step) const
  {
    const BlockMatrix<d>& A = *matrix_;
    double* pv = data<d>(v);
    inOrder<order>([&](std::size_t i) {
      double s[d], t[d];
      for (int c = 0; c < d; ++c)
        s[c] = b[i][c];
      subtractRow<order>(A, i, pv, s);
      multiplyBlock<d>(&inverse_[i][0][0], s, t);
      for (int c = 0; c < d; ++c) {
        step[i][c] = t[c];
        pv[i * d + c] += t[c];
      }
    });
  }

  //! The same with the minimising step within bounds - v. A step to a bound sets v to the bound
  //! itself, since v + step could miss it by round-off.
  template<int d>
  template<Sweep order>
  void BoxSmoother<d>::sweep(const NodeVector<d>& b, const CorrectionBounds<d>& bounds,
                             NodeVector<d>& v, NodeVector<d>& step, NodeVector<d>& rest) const
  {
    const BlockMatrix<d>& A = *matrix_;
    double* pv = data<d>(v);
    inOrder<order>([&](std::size_t i) {
      double s[d], lo[d], hi[d], t[d];
      for (int c = 0; c < d; ++c) {
        s[c] = b[i][c];
        lo[c] = bounds.lower[i][c] - pv[i * d + c];
        hi[c] = bounds.upper[i][c] - pv[i * d + c];
      }
      subtractRow<order>(A, i, pv, s);
      stepWithin(i, s, lo, hi, t);
      for (int c = 0; c < d; ++c) {
        step[i][c] = t[c];
        pv[i * d + c] =
          moved(pv[i * d + c], t[c], lo[c], hi[c], bounds.lower[i][c], bounds.upper[i][c]);
      }
      subtractProduct<d>(&A.block(A.diagonal(i))[0][0], t, s);
      for (int c = 0; c < d; ++c)
        rest[i][c] = s[c];
    });
  }

  // r_j -= A_ji t = A_ij^T t
  template<int d>
  double BoxSmoother<d>::moveNode(std::size_t i, const NodeVector<d>& lower,
                                  const NodeVector<d>& upper, NodeVector<d>& x,
                                  NodeVector<d>& r) const
  {
    const BlockMatrix<d>& A = *matrix_;
    const auto lo = lower[i] - x[i], hi = upper[i] - x[i];
    FieldVector<double, d> t;
    stepWithin(i, &r[i][0], &lo[0], &hi[0], &t[0]);
    double decrease = r[i] * t;
    const auto old = x[i];
    for (int c = 0; c < d; ++c)
      x[i][c] = moved(x[i][c], t[c], lo[c], hi[c], lower[i][c], upper[i][c]);
    if (friction_)
      if (const auto* term = friction_->of(i))
        reachKink(*term, old, t, x[i]);
    for (const auto [begin, end] : A.row(i))
      for (std::size_t k = begin; k < end; ++k)
        A.block(k).mmtv(t, r[A.column(k)]);
    decrease += r[i] * t;
    return decrease / 2;
  }

  /* Row i has seen all steps up to its own, so half of A is enough: b - A v = rest - U step after a
   * forward sweep, b - A v = rest - L step after a backward one. */
  template<int d>
  template<Sweep order>
  void BoxSmoother<d>::residual(const NodeVector<d>& step, const NodeVector<d>* rest,
                                NodeVector<d>& r) const
  {
    const BlockMatrix<d>& A = *matrix_;
    const double* p = data<d>(step);
    A.forRows(threads_, [&](std::size_t i) {
      double s[d] = {};
      if (rest)
        for (int c = 0; c < d; ++c)
          s[c] = (*rest)[i][c];
      if constexpr (order == Sweep::forward)
        A.subtract(A.upper(i), p, s);
      else
        A.subtract(A.lower(i), p, s);
      for (int c = 0; c < d; ++c)
        r[i][c] = masked(i) >> c & 1 ? 0 : s[c];
    });
  }

  //! A v = b - rest + L step after a backward sweep. Rows with masked components are multiplied
  //! out, because b and rest do not contain their residual.
  template<int d>
  void BoxSmoother<d>::product(const NodeVector<d>& b, const NodeVector<d>& v,
                               const NodeVector<d>& step, const NodeVector<d>* rest,
                               NodeVector<d>& Av) const
  {
    const BlockMatrix<d>& A = *matrix_;
    A.forRows(threads_, [&](std::size_t i) {
      double s[d] = {};
      if (masked(i))
        A.subtractRow(i, data<d>(v), s);
      else {
        A.subtract(A.lower(i), data<d>(step), s);
        for (int c = 0; c < d; ++c)
          s[c] -= b[i][c] - (rest ? (*rest)[i][c] : 0);
      }
      for (int c = 0; c < d; ++c)
        Av[i][c] = -s[c];
    });
  }

  template class BoxSmoother<1>;
  template class BoxSmoother<2>;
  template class BoxSmoother<3>;

#define DUNE_IMPACT_INSTANTIATE(d, order)                                                          \
  template void BoxSmoother<d>::sweep<order>(const NodeVector<d>&, NodeVector<d>&, NodeVector<d>&) \
    const;                                                                                         \
  template void BoxSmoother<d>::sweep<order>(const NodeVector<d>&, const CorrectionBounds<d>&,     \
                                             NodeVector<d>&, NodeVector<d>&, NodeVector<d>&)       \
    const;                                                                                         \
  template void BoxSmoother<d>::residual<order>(const NodeVector<d>&, const NodeVector<d>*,        \
                                                NodeVector<d>&) const;

  DUNE_IMPACT_INSTANTIATE(1, Sweep::forward)
  DUNE_IMPACT_INSTANTIATE(1, Sweep::backward)
  DUNE_IMPACT_INSTANTIATE(2, Sweep::forward)
  DUNE_IMPACT_INSTANTIATE(2, Sweep::backward)
  DUNE_IMPACT_INSTANTIATE(3, Sweep::forward)
  DUNE_IMPACT_INSTANTIATE(3, Sweep::backward)
#undef DUNE_IMPACT_INSTANTIATE

} // namespace Dune::Impact
