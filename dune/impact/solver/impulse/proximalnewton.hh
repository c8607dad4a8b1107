// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_IMPULSE_PROXIMALNEWTON_HH
#define DUNE_IMPACT_SOLVER_IMPULSE_PROXIMALNEWTON_HH

#include <memory>
#include <vector>

#include <Eigen/Dense>

#include <dune/impact/common/solvereport.hh>
#include <dune/impact/solver/impulse/contactproblem.hh>
#include <dune/impact/solver/impulse/coulombprojection.hh>

/** \file
 * \ingroup impact_solver_impulse
 * \brief Proximal points for contacts that act together and resist other methods
 */

namespace Dune::Impact {

  /** \brief Proximal point method with a semismooth Newton method inside
   *
   * Contacts of stacks and of rows of bodies are redundant, so that H is singular, and its other
   * eigenvalues differ by many orders: sweeps creep, and Newton's method has no regular matrix. A
   * proximal point
   *
   *     r <- solution for H + alpha C and b - alpha C r,    C: mean diagonal entry c of each
   * contact
   *
   * has a regular matrix, and the same fixed points. alpha follows the residual e of the last
   * point and the number k of points,
   *
   *     alpha = max(1e-8, min(sigma e, 1) 3^-k),
   *
   * and is ten times larger for a further attempt if a point was not found. A point is the root of
   *
   *     f(x) = c (x - P(xi)),    xi = (1 - alpha) x + alpha r - (G u + b)/c,    u = W x,
   *
   * with the projection P of CoulombProjection. Newton's method eliminates dx contact by contact,
   * with D = P'(xi) and M = 1 - (1 - alpha) D, and solves for the velocities of the bodies:
   *
   *     (1 + W K G) du = -W M^-1 f/c,    K = M^-1 D/c,    dx = -M^-1 (f + D G du)/c,
   *
   * by a sparse LU factor of as many unknowns as dofs are seen by contacts, however many contacts
   * there are. Steps are halved until |f|^2 is below its largest value in the last ten iterations.
   * A point is cut to the cones, r = P(x).
   *
   * The first attempt starts from the first guess; where it fails, others start from r = 0 with
   * alpha = 1 and different sigma. There is no proof of convergence with friction; no problem of
   * stacks, heaps, dominoes and random impacts is known that it does not solve to one part in a
   * million of the speed where a solution is known.
   *
   * Dofs are scaled by the largest entry of their columns of G: units of length and mass that
   * differ by powers of two have the same bits.
   */
  class ProximalNewton
  {
  public:
    ProximalNewton();
    ~ProximalNewton();
    ProximalNewton(ProximalNewton&&) noexcept;
    ProximalNewton& operator=(ProximalNewton&&) noexcept;

    /** \brief Improve r
     *
     * \param problem   finite data
     * \param settings  tolerance
     * \param r         first guess, finite; then the best impulses found, in their cones if they
     *                  are not the first guess
     * \return          residual of r; the iterations are the factors
     */
    SolveReport solve(const FactoredProblem& problem, const ContactSettings& settings, Span r);

  private:
    using Vector = Eigen::VectorXd;

    //! A place x with its velocities and f(x)
    struct Point
    {
      std::vector<double> x, u, f;
      double size = 0; //!< largest |f|
    };

    void setup(const FactoredDelassus& matrix);
    bool attempt(const FactoredProblem& problem, const ContactSettings& settings, double alpha,
                 double sigma, int factors);
    bool findPoint(const FactoredProblem& problem, double alpha, double enough, int& factors);
    double evaluate(const FactoredProblem& problem, double alpha, Point& point) const;
    Eigen::Vector3d argument(const FactoredProblem& problem, double alpha, const Point& point,
                             std::size_t i) const;
    void assemble(const FactoredProblem& problem, double alpha);
    bool findDirection(const FactoredProblem& problem, double alpha);
    void moveCentre(const FactoredProblem& problem);
    double judge(const FactoredProblem& problem, double tolerance);
    bool isDone(const ContactSettings& settings);

    // The matrix 1 + W K G in scaled dofs, and where the pairs of dofs of each contact are in it
    struct Factor;
    std::unique_ptr<Factor> factor_;
    std::vector<std::size_t> place_, diagonal_;
    std::vector<double> scale_, c_;

    Point point_, trial_;
    std::vector<double> centre_; // r of the proximal point
    std::vector<double> dx_;
    std::vector<Eigen::Matrix3d> slope_, inverse_; // D and M^-1
    Vector rhs_;
    std::vector<double> best_;
    SolveReport report_; // of best_
    double halved_ = 0;  // residual since which `idle_` points have not halved it
    int idle_ = 0;
    double work_ = 0; // multiplications of all factors
    StopToken stop_;  // looked at before every factor
  };

} // namespace Dune::Impact

#endif
