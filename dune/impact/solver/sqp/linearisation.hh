// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_SQP_LINEARISATION_HH
#define DUNE_IMPACT_SOLVER_SQP_LINEARISATION_HH

#include <tuple>
#include <utility>
#include <vector>

#include <dune/impact/solver/multigrid/boxmultigrid.hh>
#include <dune/impact/solver/sqp/decoupledmortarbasis.hh>
#include <dune/impact/solver/sqp/stepproblem.hh>

/** \file
 * \ingroup impact_solver_sqp
 * \brief The matrix of quadratic problems, in coordinates in which constraints are bounds
 */

namespace Dune::Impact {

  //! What the quadratic problems of a step have needed
  struct LinearisationReport
  {
    int built = 0;       //!< linearisations
    int cycles = 0;      //!< multigrid cycles and solutions with factors
    int maxCycles = 0;   //!< largest number of them of one quadratic problem
    bool direct = false; //!< cycles did not contract: a factor has taken the place of the levels
    double shift = 0;    //!< largest sigma
  };

  /** \brief Hessian H, basis T, matrix A = T^T H T, its levels and factor
   *
   * A linearisation belongs to the point where it was built, and may serve for points after it: in
   * the fixed point of the SQP the adjoint correction makes the equations exact, whatever H and T.
   * Only the rate of convergence suffers. It is kept while the error falls by the factor mostKept
   * per iteration and the constraints are those of the same multipliers; beginStep() forgets it.
   *
   * **Shift.** A quadratic problem whose matrix is not positive definite on the components that do
   * not touch has no minimum in the free directions. Levels follow the negative curvature to the
   * trust region by cycles within bounds, until a factor costs less. Without levels
   *
   *     A + sigma |D|,   D the diagonal of A,
   *
   * takes its place, with the smallest sigma = 1e-8, 1e-7, ... that makes the factor positive: a
   * step that is shorter in the directions of negative curvature. The solution of the SQP does not
   * depend on it.
   *
   * **Levels or factor.** Levels are used as long as they contract. When the cycles beyond those
   * that a good hierarchy takes have cost as much as a factor of the whole matrix, a factor takes
   * over for the rest of the step: at most twice the time of the better choice. Costs are counts of
   * operations, the same on every machine. A factor that would take more than `largestFactor`
   * operations is not tried.
   */
  template<int d>
  class Linearisation
  {
  public:
    using Transfers = typename BoxMultigrid<d>::Transfers;

    static constexpr double mostKept = 0.1;

    explicit Linearisation(const BoxMultigridSettings& settings);

    //! Prolongations of the levels, from the finest on; none for a direct solver
    void setTransfers(Transfers transfers);

    //! Forget everything of earlier steps
    void beginStep();

    //! True if this linearisation may serve at a point with these constraints, after an iteration
    //! that has reduced the error by a factor
    bool mayServe(const SignoriniConstraints<d>& constraints, double rate) const;

    /** \brief Linearise at z
     *
     * \param blocks curvature of the constraints, which is added to the matrix
     */
    void build(StepProblem<d>& problem, const NodeVector<d>& z,
               const SignoriniConstraints<d>& constraints,
               const std::vector<MatrixBlock<d>>& blocks);

    const DecoupledMortarBasis<d>& basis() const { return basis_; }

    //! A, or A + sigma |D|
    const BlockMatrix<d>& matrix() const { return shift_ > 0 ? shifted_ : matrix_; }

    //! The rest of a quadratic problem
    struct Bounds
    {
      const NodeVector<d>&b, &lower, &upper;
      const NodeMask& touching; //!< components that are expected at their upper bounds
      const FrictionTerms<d>* friction = nullptr; //!< null without friction
    };

    /** \brief Minimise 1/2 w.A w - b.w within bounds
     *
     * \param tolerance of the residual, in units of that at the point of the box next to zero
     * \return false if there is no minimum, or numbers are not finite
     */
    bool solve(const Bounds& bounds, double tolerance, NodeVector<d>& w);

    const LinearisationReport& report() const { return report_; }
    int threads() const { return multigrid_.threads(); }

  private:
    using Problem = BoxProblem<d>;

    void updateTransfers();
    void setShift(double shift);
    void makePositive(const Bounds& bounds);
    void startAt(const Problem& problem, const NodeMask& touching, NodeVector<d>& w) const;
    BoxMultigrid<d>& solver() { return direct_ ? factor_ : multigrid_; }
    SolveReport solveOnce(const Bounds& bounds, double tolerance, NodeVector<d>& w);
    SolveReport solveByLevels(const Problem& problem, double tolerance, bool warm,
                              NodeVector<d>& w);
    bool factorIsBetter(int cycles);

    BoxMultigrid<d> multigrid_, factor_; //!< the second without levels
    Transfers transfers_;
    DecoupledMortarBasis<d> basis_, transferBasis_; //!< the second belongs to the transfers in use
    BlockMatrix<d> matrix_, shifted_;
    //! and nodes of constraints, and whether these follow
    std::vector<std::tuple<std::size_t, std::size_t, bool>> multipliers_;
    bool built_ = false;
    bool positive_ = false; //!< the shift was found
    double shift_ = 0;      //!< sigma
    double stepShift_ = 0;  //!< that of the last linearisation of the step
    bool direct_ = false;   //!< by factor_ and not by multigrid_
    double excess_ = 0;     //!< cycles of the step beyond those of good levels
    LinearisationReport report_;
  };

  extern template class Linearisation<2>;
  extern template class Linearisation<3>;

} // namespace Dune::Impact

#endif
