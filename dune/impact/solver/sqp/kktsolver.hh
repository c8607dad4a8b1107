// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_SQP_KKTSOLVER_HH
#define DUNE_IMPACT_SOLVER_SQP_KKTSOLVER_HH

#include <memory>
#include <span>
#include <vector>

#include <dune/impact/common/stoptoken.hh>
#include <dune/impact/solver/sqp/stepproblem.hh>

/** \file
 * \ingroup impact_solver_sqp
 * \brief Quadratic problems with coupled inequalities, by active sets
 */

namespace Dune::Impact {

  /** \brief min 1/2 d.H d + g.d with gap + C d >= 0 and |d_i| <= radius
   *
   * The rows of C are the exact derivatives of the constraints. The primal-dual active set method
   * solves with the active constraints A
   *
   *     (H + sigma D   -C_A^T) (d     )   (-g     )
   *     (C_A            0    ) (lambda) = (-gap_A )
   *
   * by a sparse LU factorisation; active in the next iteration is what has lambda > 0, or a gap
   * below zero if it was not active. H need not be definite. D is the diagonal of H in absolute
   * values; the shift sigma is zero unless d leaves the trust region.
   */
  template<int d>
  class KktSolver
  {
  public:
    KktSolver();
    ~KktSolver();

    //! The quadratic problem
    struct Problem
    {
      const BlockMatrix<d>& matrix;               //!< first part of H
      std::span<const MatrixBlock<d>> blocks;     //!< what is added to it
      const NodeVector<d>& gradient;              //!< g
      const SignoriniConstraints<d>& constraints; //!< rows of C
      std::span<const double> gap;
      const NodeMask& fixed; //!< components that are zero
      double radius;
      StopToken stop = {}; //!< looked at before every factorisation
    };

    /** \brief Solve
     *
     * \param lambda  its positive entries are the first active set; solution on exit
     * \return false if no factorisation was found
     */
    bool solve(const Problem& problem, NodeVector<d>& step, std::vector<double>& lambda);

    //! Factorisations of the last solve
    int factorisations() const { return factorisations_; }

    //! True if the trust region made the last step shorter
    bool shortened() const { return shortened_; }

    //! d.H d of the last step
    double curvature() const { return curvature_; }

  private:
    struct Data;
    std::unique_ptr<Data> data_;
    int factorisations_ = 0;
    bool shortened_ = false;
    double curvature_ = 0;
  };

  extern template class KktSolver<2>;
  extern template class KktSolver<3>;

} // namespace Dune::Impact

#endif
