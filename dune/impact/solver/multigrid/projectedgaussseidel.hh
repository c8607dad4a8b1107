// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_MULTIGRID_PROJECTEDGAUSSSEIDEL_HH
#define DUNE_IMPACT_SOLVER_MULTIGRID_PROJECTEDGAUSSSEIDEL_HH

#include <dune/impact/common/solvereport.hh>
#include <dune/impact/solver/multigrid/boxproblem.hh>
#include <dune/impact/solver/multigrid/boxsmoother.hh>

/** \file
 * \ingroup impact_solver_multigrid
 * \brief Projected block Gauss-Seidel for quadratic minimisation in a box
 */

namespace Dune::Impact {

  /** \brief One node after the other goes to the least energy that its bounds allow
   *
   *     x_i <- argmin { J(x with x_i = y) : lower_i <= y <= upper_i }
   *
   * exactly if the minimiser without bounds is inside, otherwise component by component, see
   * minimiseNode(). The energy never increases, also if A is indefinite: a component with
   * A_ii <= 0 goes to the better bound. Converges for every strictly convex problem, slowly for
   * large ones: it is the smoother and the last resort of BoxMultigrid.
   */
  template<int d>
  class ProjectedGaussSeidel
  {
  public:
    explicit ProjectedGaussSeidel(const BoxSettings& settings = {.maxIterations = 100000},
                                  int threads = 1)
      : settings_(settings)
      , threads_(threads)
      , smoother_(threads)
    {}

    //! Minimise from the first guess x, which is projected into the box
    SolveReport solve(const BoxProblem<d>& problem, NodeVector<d>& x);

    //! Take the matrix of the problems to come, which must outlive them
    void setMatrix(const BlockMatrix<d>& matrix) { smoother_.setup(matrix, nullptr); }

    //! Prepare sweeps for a problem with this matrix, which must outlive them; x is projected,
    //! r = b - Ax
    void setVectors(const BoxProblem<d>& problem, NodeVector<d>& x, NodeVector<d>& r);

    //! The same with a new matrix
    void setProblem(const BoxProblem<d>& problem, NodeVector<d>& x, NodeVector<d>& r)
    {
      setMatrix(problem.matrix);
      setVectors(problem, x, r);
    }

    /** \brief One forward sweep, given r = b - Ax; both are updated
     *
     * \return the decrease of the energy, 1/2 v.(r_old + r_new) with v the change of x
     */
    double sweep(NodeVector<d>& x, NodeVector<d>& r);

    //! The same over some nodes, in this order
    double sweep(const std::vector<int>& nodes, NodeVector<d>& x, NodeVector<d>& r) const;

  private:
    BoxSettings settings_;
    int threads_;
    const BoxProblem<d>* problem_ = nullptr;
    BoxSmoother<d> smoother_;
    CorrectionBounds<d> bounds_;
    NodeVector<d> v_, rest_;
  };

  //! bounds = (lower - x, upper - x)
  template<int d>
  void correctionBounds(const BoxProblem<d>& problem, const NodeVector<d>& x,
                        CorrectionBounds<d>& bounds);

  //! x += v, exactly the bound where v is the whole way to it
  template<int d>
  void addCorrection(const BoxProblem<d>& problem, const CorrectionBounds<d>& bounds,
                     const NodeVector<d>& v, NodeVector<d>& x);

  extern template class ProjectedGaussSeidel<1>;
  extern template class ProjectedGaussSeidel<2>;
  extern template class ProjectedGaussSeidel<3>;

} // namespace Dune::Impact

#endif
