// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_MULTIGRID_BOXPROBLEM_HH
#define DUNE_IMPACT_SOLVER_MULTIGRID_BOXPROBLEM_HH

#include <dune/impact/common/solvereport.hh>
#include <dune/impact/common/stoptoken.hh>
#include <dune/impact/solver/multigrid/blockmatrix.hh>
#include <dune/impact/solver/multigrid/nodefriction.hh>

/** \file
 * \ingroup impact_solver_multigrid
 * \brief Quadratic minimisation in a box: the problem, its residual, its energy
 */

namespace Dune::Impact {

  /** \brief Which x in the box has the least energy?
   *
   * \f[
   *   \min_x J(x) = \tfrac12 x^T A x - b^T x, \qquad lower \le x \le upper
   * \f]
   * in each component. Bounds may be infinite, and equal: then the component is fixed. A is
   * symmetric and may be indefinite, if the box is bounded in the directions of negative
   * curvature; then solvers look for a stationary point. The problem only refers to its data,
   * which must outlive it.
   *
   * Friction with given bounds adds sum_i bound_i |x_{i,T} - kink_i| to J, see NodeFriction.
   */
  template<int d>
  struct BoxProblem
  {
    const BlockMatrix<d>& matrix;
    const NodeVector<d>& b;
    const NodeVector<d>& lower;
    const NodeVector<d>& upper;
    double scale = 0; //!< residuals are measured in units of it; 0 means loadScale()
    const FrictionTerms<d>* friction = nullptr; //!< null without friction
  };

  //! When to stop
  struct BoxSettings
  {
    //! allowed Karush-Kuhn-Tucker residual in units of the scale of the problem
    double tolerance = 1e-10;
    int maxIterations = 1000;
    StopToken stop = {}; //!< looked at in every iteration
  };

  /** \brief The size of the data that drive the problem
   *
   * The larger of |b| and |A x0|, Euclidean norms, x0 the point of the box next to zero. Zero only
   * if x = 0 is feasible and has no residual, which makes it a solution of a convex problem.
   */
  template<int d>
  double loadScale(const BoxProblem<d>& problem);

  //! True if the sizes fit, no number of the vectors is NaN, b is finite, and lower <= upper
  template<int d>
  bool hasValidVectors(const BoxProblem<d>& problem);

  //! The same, and A is finite
  template<int d>
  bool isValid(const BoxProblem<d>& problem, int threads = 1);

  //! Move x to the next point of the box
  template<int d>
  void project(const BoxProblem<d>& problem, NodeVector<d>& x, int threads = 1);

  //! Largest distance of a component from its interval; zero if feasible
  template<int d>
  double infeasibility(const BoxProblem<d>& problem, const NodeVector<d>& x);

  /** \brief Natural map of one component with residual r = (b - Ax)_i and a = |A_ii|
   *
   * The force that can still move the component: r itself, but not more than a times the way to
   * the bound in its direction. Zero exactly where r = 0 or the bound is reached.
   */
  inline double naturalMap(double r, double a, double x, double lower, double upper)
  {
    const double way = r > 0 ? upper - x : lower - x;
    if (way == 0)
      return 0;
    return a > 0 && std::abs(way) * a < std::abs(r) ? way * a : r;
  }

  /** \brief Natural map of a node with friction: a (y - x), y the minimum with a multiple of the
   * identity in place of A
   *
   * The normal component as above; tangential ones with a = max A_cc, and with
   * y - kink = (|p| - bound/a)_+ p/|p|, p = x - kink + r/a.
   */
  template<int d>
  FieldVector<double, d> naturalMap(const BoxProblem<d>& problem, const NodeFriction<d>& friction,
                                    const FieldVector<double, d>& x,
                                    const FieldVector<double, d>& r);

  //! Euclidean norm of the natural map of all components, given the residual r = b - Ax
  template<int d>
  double naturalMapNorm(const BoxProblem<d>& problem, const NodeVector<d>& x,
                        const NodeVector<d>& r, int threads = 1);

  //! Karush-Kuhn-Tucker residual in units of the scale: naturalMapNorm / scale
  template<int d>
  double kktResidual(const BoxProblem<d>& problem, const NodeVector<d>& x);

  //! J(x) = -1/2 x.(b + r), r = b - Ax
  template<int d>
  double energy(const BoxProblem<d>& problem, const NodeVector<d>& x);

  /** \brief J(y) - J(x) = -1/2 (y-x).(r(x) + r(y))
   *
   * Its rounding error is relative to the change of x, not to J.
   */
  template<int d>
  double energyDifference(const BoxProblem<d>& problem, const NodeVector<d>& x,
                          const NodeVector<d>& y);

  //! Scalar product, summed in an order that does not depend on the number of threads
  template<int d>
  double dot(const NodeVector<d>& x, const NodeVector<d>& y, int threads = 1);

} // namespace Dune::Impact

#endif
