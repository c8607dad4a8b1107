// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_MULTIGRID_FACTORBACKEND_HH
#define DUNE_IMPACT_SOLVER_MULTIGRID_FACTORBACKEND_HH

#include <memory>
#include <vector>

#include <Eigen/SparseCore>

#include <dune/impact/solver/multigrid/sparsefactor.hh>

/** \file
 * \ingroup impact_solver_multigrid
 * \brief The libraries behind SparseFactor
 */

namespace Dune::Impact {

  /** \brief Factor of a symmetric matrix, given by its lower triangle
   *
   * Implementations scale exactly: a matrix times a power of two has the same factor times a power
   * of two, and solutions with the same bits.
   */
  class FactorBackend
  {
  public:
    using Matrix = Eigen::SparseMatrix<double>;

    virtual ~FactorBackend() = default;

    static std::unique_ptr<FactorBackend> make(FactorLibrary library);

    //! Find an ordering for a pattern; `block` unknowns in a row belong to one node
    virtual void analyse(const Matrix& lower, int block) = 0;

    //! Multiplications and additions of a factor with this pattern
    virtual double operations() const = 0;

    //! Factorise; rows of unknowns that are not free are those of the identity
    virtual void factorise(const Matrix& lower, const std::vector<char>& free) = 0;

    //! x = A^-1 x
    virtual void solve(Eigen::VectorXd& x) const = 0;

    bool valid() const { return valid_; }
    bool positive() const { return positive_; }

  protected:
    bool valid_ = false, positive_ = false;
  };

} // namespace Dune::Impact

#endif
