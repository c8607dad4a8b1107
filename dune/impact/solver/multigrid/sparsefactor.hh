// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_MULTIGRID_SPARSEFACTOR_HH
#define DUNE_IMPACT_SOLVER_MULTIGRID_SPARSEFACTOR_HH

#include <memory>

#include <dune/impact/solver/multigrid/blockmatrix.hh>

/** \file
 * \ingroup impact_solver_multigrid
 * \brief Sparse factorisation of a symmetric block matrix
 */

namespace Dune::Impact {

  /** \brief A = L D L^T on the free components
   *
   * No square roots: a matrix scaled by a power of two has the same L. Masked components, and
   * those with a zero diagonal, are left out; their solution is zero.
   */
  template<int d>
  class SparseFactor
  {
  public:
    //! A pivot counts as positive above this fraction of the diagonal entry
    static constexpr double pivotThreshold = 1e-13;

    SparseFactor();
    ~SparseFactor();
    SparseFactor(SparseFactor&&) noexcept;
    SparseFactor& operator=(SparseFactor&&) noexcept;

    //! Factorise; mask may be null. The ordering is kept while the pattern is the same.
    void compute(const BlockMatrix<d>& matrix, const NodeMask* mask);

    //! True if the matrix is positive definite on the free components
    bool positive() const;

    //! True if the factorisation exists, so that solve() may be called
    bool valid() const;

    //! x = A^-1 b on the free components, zero on the others
    void solve(const NodeVector<d>& b, NodeVector<d>& x) const;

  private:
    struct Data;
    std::unique_ptr<Data> data_;
  };

  extern template class SparseFactor<1>;
  extern template class SparseFactor<2>;
  extern template class SparseFactor<3>;

} // namespace Dune::Impact

#endif
