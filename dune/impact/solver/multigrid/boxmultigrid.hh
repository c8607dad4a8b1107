// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_MULTIGRID_BOXMULTIGRID_HH
#define DUNE_IMPACT_SOLVER_MULTIGRID_BOXMULTIGRID_HH

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include <dune/impact/common/solvereport.hh>
#include <dune/impact/common/stoptoken.hh>
#include <dune/impact/solver/multigrid/boxhierarchy.hh>
#include <dune/impact/solver/multigrid/boxproblem.hh>
#include <dune/impact/solver/multigrid/projectedgaussseidel.hh>

/** \file
 * \ingroup impact_solver_multigrid
 * \brief Truncated nonsmooth Newton multigrid for quadratic minimisation in a box
 */

namespace Dune::Impact {

  //! When the corrections of coarse levels have bounds of their own
  enum class CoarseBounds {
    automatic, //!< as soon as a direction of non-positive curvature has been seen
    always,
    never //!< for experiments: indefinite problems need them
  };

  //! What BoxMultigrid does, and when it stops
  struct BoxMultigridSettings
  {
    //! allowed Karush-Kuhn-Tucker residual in units of the scale of the problem
    double tolerance = 1e-10;
    int maxIterations = 500; //!< projected sweeps
    //! V-cycles within bounds, which problems with negative curvature need
    int maxBoundedCycles = 500;
    CycleSettings cycle = {};
    CoarseBounds coarseBounds = CoarseBounds::automatic;
    bool conjugateGradients = true;
    //! improve the first guess: from the next coarser level, or by exchange of active sets
    bool nestedStart = true;
    bool lineSearch = true; //!< false, for experiments: corrections are taken as they are
    StopToken stop = {};    //!< looked at in every iteration
  };

  //! What may differ from one solve with a matrix to the next
  struct BoxSolveOptions
  {
    double tolerance; //!< see BoxMultigridSettings
    //! the components at bounds of the first guess are likely to stay there, and the others not to
    //! reach theirs: begin with the linear problem that this makes
    bool warm = false;
    int maxCycles = 1000000; //!< V-cycles, or solutions with the factor
  };

  /** \brief Minimise 1/2 x.Ax - b.x in a box
   *
   * One iteration, each sub-step of which lowers the energy:
   *
   *     1. a sweep of projected Gauss-Seidel over all components, then some around those at their
   *        bounds, which settle the set of components at bounds at little cost
   *     2. truncate: components at their bounds do not move in what follows
   *     3. v = a V-cycle for the truncated problem A v = r = b - Ax
   *     4. project: v within lower - x <= v <= upper - x
   *     5. x += alpha v, alpha = r.v / v.Av as far as the box allows; to its end if v.Av <= 0
   *
   * (Gräser and Sander, Truncated nonsmooth Newton multigrid methods, 2019.) While no component
   * hits a bound and the forces that would free one are smaller than those on the free components,
   * the V-cycle preconditions conjugate gradients instead, and 1 is left out: a settled problem
   * costs as much as a linear one.
   *
   * The first guess is improved by a correction from the next coarser level, found in the same way
   * with bounds averaged over the children of a node, and taken like a V-cycle, steps 4 and 5. It
   * brings the contact zone to its place within a coarse cell; without it the zone would grow by
   * about a cell per iteration.
   *
   * If A is not positive on the truncated space, seen from the diagonal blocks and the factor of
   * the coarsest level or from v.Av <= 0, the corrections of all levels have bounds (monotone
   * multigrid): otherwise they would follow the negative curvature to a saddle or beyond all
   * bounds.
   *
   * Without transfers the only level is solved by its sparse factor, and the first guess comes from
   * primal-dual active sets (Hintermüller, Ito and Kunisch 2002): a direct solver, some ten
   * factors for convex problems; the sweeps are its safeguard.
   *
   * Several problems with one matrix share levels and factor: setMatrix(), then solve() with
   * options. A warm start takes the components at bounds from the first guess. If they are the
   * right ones, the problem is a linear one, and without transfers no factor is computed anew.
   *
   * **Friction** with given bounds makes the problem a convex one with kinks, block by block.
   * Sweeps minimise node by node exactly. Truncation also takes the tangential components of nodes
   * at their kink; on the rest the friction is smooth, and a Newton step of it (in space with the
   * second derivative of |u|) takes the place of 3. The line search is exact for the convex
   * function.
   *
   * Scaling A, b and the bounds by powers of two scales all iterates exactly. The result does not
   * depend on earlier solves; what is kept is memory, patterns and the ordering of the factor, and
   * with the matrix its levels and factor.
   */
  template<int d>
  class BoxMultigrid
  {
  public:
    using Transfers = typename BoxHierarchy<d>::Transfers;
    //! Called after each sub-step with its name and x
    using Observer = std::function<void(std::string_view, const NodeVector<d>&)>;

    explicit BoxMultigrid(const BoxMultigridSettings& settings = {})
      : settings_(settings)
      , threads_(threadCount(settings.cycle.threads))
      , hierarchy_(settings.cycle)
      , gaussSeidel_({.maxIterations = 100000}, threads_)
    {}

    //! Transfers from level 1 to the finest level 0, from level 2 to level 1, ...; none: direct
    //! solver
    void setTransfers(Transfers transfers);

    void setObserver(Observer observer) { observer_ = std::move(observer); }

    const BoxMultigridSettings& settings() const { return settings_; }
    int threads() const { return threads_; }
    bool direct() const { return !transfer_; }

    //! Take the matrix of the problems to come, which must outlive them
    void setMatrix(const BlockMatrix<d>& matrix);

    /** \brief Minimise from the first guess x, which is projected into the box
     *
     * The matrix of the problem is that of setMatrix(). Data that are not finite, or an empty box,
     * end at once: not converged, infinite residual. So does a problem that has no minimum because
     * the box is unbounded in a direction of non-positive curvature.
     */
    SolveReport solve(const BoxProblem<d>& problem, NodeVector<d>& x,
                      const BoxSolveOptions& options);

    //! The same with a new matrix
    SolveReport solve(const BoxProblem<d>& problem, NodeVector<d>& x)
    {
      setMatrix(problem.matrix);
      return solve(problem, x, {.tolerance = settings_.tolerance});
    }

    /** \brief True if the matrix is positive definite with the components at bounds of x held
     *
     * With transfers, if no level shows the contrary.
     */
    bool positive(const BoxProblem<d>& problem, const NodeVector<d>& x);

    //! Did the last solve meet a direction of non-positive curvature?
    bool metNegativeCurvature() const { return negative_; }

    /** \brief V-cycles that take as long as one factor of the matrix
     *
     * From counts of operations, so that it is the same on every machine; finds the ordering of
     * the factor.
     */
    double cyclesPerFactor();

    //! Operations of a factor of the coarsest level
    double factorOperations();

  private:
    void start(const BoxProblem<d>& problem, NodeVector<d>& x);
    bool startFromBounds(const BoxProblem<d>& problem, NodeVector<d>& x, SolveReport& report);
    void startFromCoarse(const BoxProblem<d>& problem, NodeVector<d>& x, SolveReport& report);
    void startFromActiveSet(const BoxProblem<d>& problem, NodeVector<d>& x, bool warm,
                            SolveReport& report);
    void improveStart(const BoxProblem<d>& problem, NodeVector<d>& x, bool warm,
                      SolveReport& report);
    bool mayGoOn(const SolveReport& report) const;
    bool setMask(const NodeMask& mask);
    void settle(const BoxProblem<d>& problem, NodeVector<d>& x, SolveReport& report);
    void truncate(const BoxProblem<d>& problem, const NodeVector<d>& x);
    void iterate(const BoxProblem<d>& problem, NodeVector<d>& x, SolveReport& report);
    void conjugateGradients(const BoxProblem<d>& problem, NodeVector<d>& x, SolveReport& report);
    void boundedStep(const BoxProblem<d>& problem, NodeVector<d>& x, SolveReport& report);
    void projectCorrection(const BoxProblem<d>& problem, const NodeVector<d>& x);
    void projectedStep(const BoxProblem<d>& problem, NodeVector<d>& x, SolveReport& report);
    double lineSearch(const BoxProblem<d>& problem, NodeVector<d>& x);
    bool needsBounds();
    const BlockMatrix<d>& levelMatrix() const { return d == 3 && frictional_ ? linear_ : *matrix_; }
    void beginFriction(const BoxProblem<d>& problem, NodeVector<d>& x);
    std::vector<int> linearise(const BoxProblem<d>& problem, const NodeVector<d>& x);
    void setSmoothResidual(const BoxProblem<d>& problem, const NodeVector<d>& x);
    void solveLinear(SolveReport& report);
    void frictionLineSearch(const BoxProblem<d>& problem, NodeVector<d>& x);
    void frictionStep(const BoxProblem<d>& problem, NodeVector<d>& x, SolveReport& report);
    void observe(std::string_view name, const NodeVector<d>& x) const;

    BoxMultigridSettings settings_;
    int threads_;
    BoxHierarchy<d> hierarchy_;
    ProjectedGaussSeidel<d> gaussSeidel_;
    Observer observer_;

    const BlockMatrix<d>* matrix_ = nullptr;
    bool finite_ = false;    // are all entries of the matrix?
    bool levelsSet_ = false; // are the levels those of the matrix?
    double accepted_ = 0;    // largest residual that counts as zero
    bool curvature_ = false; // non-positive curvature was met with this mask
    bool negative_ = false;  // or with one before
    bool unbounded_ = false;
    int boundedCycles_ = 0, maxCycles_ = 0;
    NodeMask mask_; // truncated components
    NodeMask newMask_;
    NodeMask decoupled_; // components with a zero row, always truncated
    std::vector<int> changed_, zone_;
    std::vector<char> inZone_;
    CorrectionBounds<d> bounds_;
    NodeVector<d> r_, v_, Av_, p_, Ap_;

    bool frictional_ = false; // the problem has friction
    BlockMatrix<d> linear_;   // matrix of the levels then, in space
    NodeVector<d> smooth_;    // residual of the smooth part

    std::shared_ptr<const Transfer<d>> transfer_; // to the next coarser level, or null
    std::unique_ptr<BoxMultigrid> coarse_;        // for the first guess
    CorrectionBounds<d> coarseBounds_;
    NodeVector<d> coarseB_, coarseX_;
  };

  extern template class BoxMultigrid<1>;
  extern template class BoxMultigrid<2>;
  extern template class BoxMultigrid<3>;

} // namespace Dune::Impact

#endif
