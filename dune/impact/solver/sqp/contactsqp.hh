// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_SQP_CONTACTSQP_HH
#define DUNE_IMPACT_SOLVER_SQP_CONTACTSQP_HH

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>

#include <dune/impact/common/stoptoken.hh>
#include <dune/impact/solver/sqp/iterationplan.hh>
#include <dune/impact/solver/sqp/kktsolver.hh>
#include <dune/impact/solver/sqp/linearisation.hh>
#include <dune/impact/solver/sqp/stepproblem.hh>

/** \file
 * \ingroup impact_solver_sqp
 * \brief Trust-region SQP with filter for contact problems whose constraints become bounds
 */

namespace Dune::Impact {

  //! When to stop, and how far to trust
  struct SqpSettings
  {
    double tolerance = 1e-11;    //!< of the forces, in units of their scale
    double gapTolerance = 1e-11; //!< of the gaps, in units of the length of the mesh
    int maxIterations = 100;
    double radius = 1; //!< first trust region, in units of the length of the mesh
    //! linearise constraints exactly and solve directly; otherwise simplified rows make them bounds
    bool exactJacobian = false;
    bool curvature = false; //!< second derivatives of the constraints in the matrix
    StopToken stop = {};    //!< looked at in every iteration
  };

  //! Outcome of an SQP
  struct SqpReport : SolveReport
  {
    int rejected = 0; //!< trial points that were not accepted
    //! largest number of multigrid cycles, or of factorisations, of one quadratic problem
    int maxCycles = 0;
    double infeasibility = 0;  //!< worst violation as a length
    bool direct = false;       //!< a factor has taken over from levels that did not contract
    bool shifted = false;      //!< an indefinite matrix was shifted
    bool frozen = false;       //!< bounds of friction were frozen, see ContactSqp
    double frictionDefect = 0; //!< largest force by which friction then misses Coulomb's law
  };

  //! What an observer learns of a trial point, and of the first point
  struct SqpTrial
  {
    int iteration;
    double infeasibility;         //!< worst violation as a length
    double force;                 //!< max norm of the force residual
    std::optional<double> energy; //!< J, if there is a potential
    double radius;                //!< within which it was found
    bool accepted;
    bool forEnergy; //!< the decrease of the energy was tested
  };

  /** \brief Trust-region SQP
   *
   * H and T are those of a Linearisation, which serves several iterations while they converge fast;
   * a trial point that it does not find acceptable is sought once more with a new one. The inner
   * tolerance follows the rate of convergence.
   *
   * In the coordinates w of DecoupledMortarBasis, d = T w, the simplified constraints phi + C~ d >=
   * 0 are bounds. Each iteration solves
   *
   *     min 1/2 d.H d + (R - (B - C~)^T mu).d,   phi + C~ d >= 0,  |w_i| <= Delta
   *
   * A fixed point satisfies R = B^T mu exactly, since the gradient contains what the simplification
   * leaves out (adjoint correction). With the exact Jacobian C the quadratic problem is
   *
   *     min 1/2 d.H d + (R - (B - C)^T mu).d,    phi + C d >= 0,   |d_i| <= Delta
   *
   * and is solved with a direct solver by active sets (KktSolver).
   *
   * With a potential J a trial point must be acceptable to a filter: compared with the current
   * point and with every entry it has less infeasibility h or less energy, with a margin. If the
   * quadratic model promises a decrease of J that is large compared with h^2, a part of it must
   * come true; otherwise the point that is left becomes an entry. (Fletcher, Leyffer and Toint
   * 2002.) Without constraints J decreases in every iteration, down to changes that drown in
   * round-off; there the residual decides.
   *
   * Without a potential a trial point must have less infeasibility than the current point, or a
   * smaller force residual than the largest of the last five points, or the work -1/2 (R + R+).d,
   * which takes the place of the decrease of J, must be a part of what the model promises.
   *
   * **Friction.** Coulomb's law with the multiplier mu of the last iteration is friction with given
   * bounds b_p = beta_p mu_p: each iteration solves
   *
   *     min 1/2 d.H d + (R - (B - C~)^T mu - (T - T~)^T l).d + sum_p b_p |s_p + T~_p d|
   *
   * with the same inequalities, and takes the tangential multipliers l from its residual. In w the
   * last sum is one of norms of tangential components, since nodes with friction follow their
   * mortar nodes in all directions. A fixed point is a solution with the exact rows. The law is
   * part of the residual; it need not be solved better than the other equations on the way. The lag
   * maps errors of mu by a factor of about beta times the coupling of normal and tangential motion:
   * where the residual of the law is not halved in four iterations, b <- (1 - omega) b + omega beta
   * mu with omega = 1/2, 1/4, 1/8. Whatever the b_p, a solution has the balance of energy and the
   * momenta of the rule; after `freezeAfter` iterations they are therefore frozen, and the step is
   * finished with them. There is no potential with friction.
   *
   * A point that is not accepted halves Delta. Multipliers belong to a point: a rejected one leaves
   * no trace.
   */
  template<int d>
  class ContactSqp
  {
  public:
    ContactSqp(const SqpSettings& settings, const BoxMultigridSettings& inner)
      : settings_(settings)
      , loosest_(std::max(inner.tolerance, 1e-2))
      , tightest_(inner.tolerance)
      , linearisation_(inner)
    {}

    //! Prolongations of the levels, from the finest on; none for a direct solver
    void setTransfers(typename Linearisation<d>::Transfers transfers)
    {
      linearisation_.setTransfers(std::move(transfers));
    }

    using Observer = std::function<void(const SqpTrial&)>;

    //! Freeze bounds of friction that do not settle after so many iterations, see above
    void setFreezing(int iterations) { freezeAfter_ = iterations; }

    //! Called for the first point and every trial point
    void setObserver(Observer observer) { observer_ = std::move(observer); }

    /** \brief Solve from the first guess z
     *
     * \param mu multipliers per multiplier: first guess on entry, solution on exit
     */
    SqpReport solve(StepProblem<d>& problem, NodeVector<d>& z, std::vector<double>& mu)
    {
      std::vector<FieldVector<double, d>> tangential(mu.size(), FieldVector<double, d>(0));
      return solve(problem, z, mu, tangential);
    }

    //! The same with friction: tangential multipliers l per multiplier
    SqpReport solve(StepProblem<d>& problem, NodeVector<d>& z, std::vector<double>& mu,
                    std::vector<FieldVector<double, d>>& tangential);

  private:
    using Vector = FieldVector<double, d>;
    using Block = NodeBlock<d>;

    //! A point with all that is evaluated there
    struct Point
    {
      NodeVector<d> z, R, r; //!< r = R - B^T mu on free components
      SignoriniConstraints<d> constraints;
      std::vector<double> mu;         //!< per constraint
      std::vector<Vector> tangential; //!< l, per constraint
      double force = 0;               //!< max norm of r
      double law = 0;                 //!< force by which friction misses its law
      double laggedLaw = 0;           //!< the same with the bounds of the quadratic problem
      double infeasibility = 0, complementarity = 0;
      double complementarityError = 0; //!< in units of the tolerances

      //! What is to become small, as a force
      double merit() const { return force + law; }
      std::optional<double> energy;
      bool admissible = false;
    };

    //! Per multiplier
    struct Multipliers
    {
      std::vector<double> normal;
      std::vector<Vector> tangential;
    };

    //! Coordinates of a node, and the axis of one of its constraints
    struct Frame
    {
      const Block& axes;
      Vector normal; //!< of the node
      Vector axis;   //!< of the constraint
    };

    struct FilterEntry
    {
      double infeasibility, energy;
    };

    bool evaluate(StepProblem<d>& problem, const Multipliers& mu, Point& point);
    void measure(StepProblem<d>& problem, Point& point) const;
    void measureFriction(const StepProblem<d>& problem, Point& point) const;
    double lawResidual(const StepProblem<d>& problem, const Point& point, std::size_t p,
                       double bound) const;
    void updateBounds(const StepProblem<d>& problem, Point& point, int iteration);
    void relax(const Point& reached);
    void addFrictionGradient(const Point& point);
    void buildFriction(const Point& point);
    void takeFriction(const Point& point);
    Frame frameOf(const Point& point, std::size_t p) const;
    Vector toFrame(const Point& point, std::size_t p, const Vector& v) const;
    Vector fromFrame(const Point& point, std::size_t p, const Vector& v) const;
    double forceTolerance(const StepProblem<d>& problem) const;
    bool converged(const StepProblem<d>& problem, const Point& point) const;
    void linearise(StepProblem<d>& problem, const Point& point, const Multipliers& mu);
    double error(const StepProblem<d>& problem, const Point& point) const;
    double innerTolerance() const;
    void buildGradient(const Point& point);
    void buildBounds(const StepProblem<d>& problem, const Point& point, double radius);
    NodeMask touching(const Point& point) const;
    bool solveBounds(const StepProblem<d>& problem, const Point& point, double radius);
    bool solveSimplified(const StepProblem<d>& problem, const Point& point, double radius);
    bool solveExact(const StepProblem<d>& problem, const Point& point, double radius,
                    SqpReport& report);
    bool solveQuadratic(const StepProblem<d>& problem, const Point& point, double radius,
                        SqpReport& report);
    void predictSimplified(const Point& point);
    void predictExact(const Point& point);
    void takeStep(const Point& point, Point& trial, Multipliers& mu) const;
    bool acceptableToFilter(const StepProblem<d>& problem, const Point& current,
                            const Point& trial) const;
    bool acceptableResidual(const StepProblem<d>& problem, const Point& current,
                            const Point& trial) const;
    bool isVisible(const StepProblem<d>& problem) const;
    double decrease(const Point& current, const Point& trial) const;
    bool judge(const StepProblem<d>& problem, const Point& current, const Point& trial);
    void remember(const Point& left, const Point& reached);
    bool findStep(StepProblem<d>& problem, const Point& current, const Multipliers& mu,
                  Point& trial, Multipliers& trialMu, double& radius, SqpReport& report);
    void begin(const StepProblem<d>& problem, const Point& first);
    void finish(const StepProblem<d>& problem, const Point& last, SqpReport& report) const;
    void observe(const SqpTrial& trial) const
    {
      if (observer_)
        observer_(trial);
    }

    SqpSettings settings_;
    double loosest_, tightest_; //!< inner tolerance
    Linearisation<d> linearisation_;
    Observer observer_;
    std::vector<FilterEntry> filter_;
    std::vector<double> residuals_; //!< of the last accepted points
    IterationPlan plan_;

    // the quadratic problem, in the coordinates w unless the Jacobian is exact
    const BlockMatrix<d>* hessian_ = nullptr;
    //! curvature of the constraints, to be added to the Hessian
    std::vector<MatrixBlock<d>> blocks_;
    KktSolver<d> kkt_;
    bool fresh_ = false;         //!< the linearisation is that of the current point
    int served_ = 0;             //!< iterations of the linearisation
    std::optional<double> rate_; //!< error of the current point over that of the last one
    NodeVector<d> gradient_, lower_, upper_, w_, residual_;
    NodeVector<d> d_;            //!< T w
    std::vector<double> gap_;    //!< per constraint: what the bound is made of
    std::vector<double> lambda_; //!< per constraint: multiplier of the bound
    std::vector<double> change_; //!< per constraint: predicted change of phi
    // friction
    bool frictional_ = false;
    bool frozen_ = false;
    int freezeAfter_ = std::numeric_limits<int>::max();
    double omega_ = 1;               //!< of the relaxation of bounds
    std::vector<double> laws_;       //!< of the last points
    std::vector<double> bounds_;     //!< b, per multiplier
    std::vector<char> sticks_;       //!< per multiplier: at the kink in the last iteration
    std::vector<Vector> tangential_; //!< l of the quadratic problem, per constraint
    FrictionTerms<d> terms_;

    double size_ = 0;             //!< of the step, to be compared with the radius
    double model_ = 0;            //!< predicted change of the energy
    double firstModel_ = 0;       //!< predicted decrease of the first iteration
    bool forEnergy_ = false;      //!< the step is judged by the decrease of the energy
    bool forFeasibility_ = false; //!< the step is one towards feasibility
    bool touchesRadius_ = false;
  };

  extern template class ContactSqp<2>;
  extern template class ContactSqp<3>;

} // namespace Dune::Impact

#endif
