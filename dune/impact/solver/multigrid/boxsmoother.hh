// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_MULTIGRID_BOXSMOOTHER_HH
#define DUNE_IMPACT_SOLVER_MULTIGRID_BOXSMOOTHER_HH

#include <cstdint>
#include <span>
#include <vector>

#include <dune/impact/solver/multigrid/blockmatrix.hh>
#include <dune/impact/solver/multigrid/nodefriction.hh>

/** \file
 * \ingroup impact_solver_multigrid
 * \brief Sweeps of block Gauss-Seidel with and without bounds
 */

namespace Dune::Impact {

  //! Order of the nodes in a sweep
  enum class Sweep { forward, backward };

  //! Bounds of a correction: lower <= 0 <= upper
  template<int d>
  struct CorrectionBounds
  {
    NodeVector<d> lower, upper;

    void resize(std::size_t n)
    {
      lower.resize(n);
      upper.resize(n);
    }
  };

  /** \brief Gauss-Seidel for A v = b, node by node
   *
   * With A = L + D + U, D the diagonal blocks, a forward sweep computes for i = 1, 2, ...
   *
   *     s = b_i - sum_j A_ij v_j,   step_i = D_i^-1 s,   v_i += step_i,   rest_i = s - D_i step_i
   *
   * and with bounds step_i is the minimiser of 1/2 t.D_i t - s.t within them. From v = 0 only L is
   * needed. The residual after a sweep takes only the other half as well, since row i has not seen
   * just the steps after its own:
   *
   *     b - A v = rest - U step (forward),   rest - L step (backward).
   *
   * Masked components stay as they are, and their residual is reported as zero. No sweep raises
   * the energy, whatever the signs of A: a block that is not positive definite is left alone
   * without bounds, and goes to the better of its bounds, component by component, with them.
   *
   * Nodes are visited in the order of the matrix, chunks of one colour by several threads: results
   * do not depend on their number.
   */
  template<int d>
  class BoxSmoother
  {
  public:
    explicit BoxSmoother(int threads = 1) : threads_(threads) {}

    //! Invert the diagonal blocks; matrix and mask (or null) must outlive the smoother
    void setup(const BlockMatrix<d>& matrix, const NodeMask* mask);

    //! Invert some diagonal blocks again
    void update(std::span<const int> nodes);

    //! Friction of the nodes at x, or none; both must outlive the sweeps
    void setFriction(const FrictionTerms<d>* friction, const NodeVector<d>* x)
    {
      friction_ = friction;
      x_ = x;
    }

    //! True if all diagonal blocks are positive definite on their free components
    bool positive() const { return indefinite_ == 0; }

    //! v from zero, without bounds
    void sweepFromZero(const NodeVector<d>& b, NodeVector<d>& v) const;

    //! v from zero, within bounds
    void sweepFromZero(const NodeVector<d>& b, const CorrectionBounds<d>& bounds, NodeVector<d>& v,
                       NodeVector<d>& rest) const;

    //! Improve v without bounds
    template<Sweep order>
    void sweep(const NodeVector<d>& b, NodeVector<d>& v, NodeVector<d>& step) const;

    //! Improve v within bounds
    template<Sweep order>
    void sweep(const NodeVector<d>& b, const CorrectionBounds<d>& bounds, NodeVector<d>& v,
               NodeVector<d>& step, NodeVector<d>& rest) const;

    //! r = residual after a sweep with these steps; rest may be null, which means zero
    template<Sweep order>
    void residual(const NodeVector<d>& step, const NodeVector<d>* rest, NodeVector<d>& r) const;

    /** \brief Av = A v, all components, after a backward sweep
     *
     * A v = b - rest + L step, but for nodes with masked components, whose rows are multiplied out.
     */
    void product(const NodeVector<d>& b, const NodeVector<d>& v, const NodeVector<d>& step,
                 const NodeVector<d>* rest, NodeVector<d>& Av) const;

    /** \brief Move node i of x to the least energy within lower <= x <= upper, given r = b - Ax,
     * which is updated
     *
     * \return the decrease of the energy, 1/2 t.(r_old + r_new) with t the change of x_i
     */
    double moveNode(std::size_t i, const NodeVector<d>& lower, const NodeVector<d>& upper,
                    NodeVector<d>& x, NodeVector<d>& r) const;

  private:
    void invert(std::size_t i);
    void stepWithin(std::size_t i, const double* s, const double* lo, const double* hi,
                    double* step) const;
    std::uint8_t masked(std::size_t i) const { return mask_ ? (*mask_)[i] : 0; }

    //! Call f(i) in the order of the sweep
    template<Sweep order, class F>
    void inOrder(F&& f) const
    {
      const auto& groups = matrix_->order().groups;
      groups.forEachGroup(
        threads_, order == Sweep::backward, [&](std::size_t begin, std::size_t end) {
          for (std::size_t k = begin; k < end; ++k)
            f(std::size_t(groups.item[order == Sweep::forward ? k : begin + end - 1 - k]));
        });
    }

    int threads_;
    const BlockMatrix<d>* matrix_ = nullptr;
    const NodeMask* mask_ = nullptr;
    const FrictionTerms<d>* friction_ = nullptr;
    const NodeVector<d>* x_ = nullptr; //!< where friction is seen from
    std::vector<NodeBlock<d>> inverse_;
    std::vector<std::uint8_t> positive_;
    std::size_t indefinite_ = 0;
  };

  extern template class BoxSmoother<1>;
  extern template class BoxSmoother<2>;
  extern template class BoxSmoother<3>;

} // namespace Dune::Impact

#endif
