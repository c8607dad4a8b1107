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

  //! Who computes a factor
  enum class FactorLibrary {
    automatic, //!< Eigen, above SparseFactor::largeFactor unknowns CHOLMOD
    eigen,     //!< LDL^T, column by column
    cholmod    //!< LL^T of dense blocks; many times as fast for large matrices
  };

  /** \brief A = L D L^T or L L^T on the free components
   *
   * A matrix scaled by a power of two has the same solutions, bit by bit. Masked components, and
   * those with a zero diagonal, are left out; their solution is zero.
   */
  template<int d>
  class SparseFactor
  {
  public:
    //! Unknowns up to which Eigen is as fast as CHOLMOD, or the difference does not matter
    static constexpr std::size_t largeFactor = 5000;

    explicit SparseFactor(FactorLibrary library = FactorLibrary::automatic);
    ~SparseFactor();
    SparseFactor(SparseFactor&&) noexcept;
    SparseFactor& operator=(SparseFactor&&) noexcept;

    //! Factorise; mask may be null. The ordering is kept while the pattern is the same.
    void compute(const BlockMatrix<d>& matrix, const NodeMask* mask);

    //! Operations of a factor of the matrix; finds the ordering for its pattern
    double operations(const BlockMatrix<d>& matrix);

    //! True if the matrix is positive definite on the free components: all pivots are above 1e-13
    //! of the diagonal entry
    bool positive() const;

    //! True if the factorisation exists, so that solve() may be called. With CHOLMOD that of an
    //! indefinite matrix never does, and with Eigen mostly.
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
