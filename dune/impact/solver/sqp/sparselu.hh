// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_SQP_SPARSELU_HH
#define DUNE_IMPACT_SOLVER_SQP_SPARSELU_HH

#include <memory>

#include <Eigen/SparseCore>

/** \file
 * \ingroup impact_solver_sqp
 * \brief Sparse factorisation of matrices that are not positive definite
 */

namespace Dune::Impact {

  //! Who computes a factor
  enum class LuLibrary {
    automatic, //!< Eigen, above SparseLu::largeFactor unknowns UMFPACK
    eigen,
    umfpack
  };

  /** \brief A = L U with pivoting
   *
   * A matrix scaled by a power of two has the same solutions, bit by bit: pivots are compared with
   * each other only. The inertia of A cannot be told from this factor; where it is needed, see
   * SparseFactor.
   */
  class SparseLu
  {
  public:
    using Matrix = Eigen::SparseMatrix<double>;

    static constexpr Eigen::Index largeFactor = 5000;

    explicit SparseLu(LuLibrary library = LuLibrary::automatic);
    ~SparseLu();

    //! Factorise a compressed matrix, which must outlive the factor; false if it is singular
    bool compute(const Matrix& matrix);

    //! A^-1 b
    Eigen::VectorXd solve(const Eigen::VectorXd& b) const;

  private:
    struct Data;
    std::unique_ptr<Data> data_;
  };

} // namespace Dune::Impact

#endif
