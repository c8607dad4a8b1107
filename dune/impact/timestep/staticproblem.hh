// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_STATICPROBLEM_HH
#define DUNE_IMPACT_TIMESTEP_STATICPROBLEM_HH

#include <Eigen/SparseCore>

#include <dune/impact/body/system.hh>
#include <dune/impact/contact/frictioncoupling.hh>
#include <dune/impact/solver/coulombprojection.hh>

/** \file
 * \ingroup impact_timestep
 * \brief Equilibrium of a system with joints and contact with friction
 */

namespace Dune::Impact {

  /** \brief F(t, q) + G^T lambda + B^T l = 0, c(t, q) = 0, l = P(l - p g(q))
   *
   * Newton's method for all unknowns at once, with the exact derivatives; P is the projection of
   * Coulomb's law, so the method is semismooth and its active and stick sets are those of the last
   * iteration. In dimensionless numbers, lengths divided by the size L of the system and energies by
   * the largest entry of the stiffness, the equations of an iteration are
   *
   *     [ K - d(B^T l)/dq   -G^T   -B^T     ] [ dq      ]   [ F + G^T lambda + B^T l ]
   *     [ G                  0      0       ] [ dlambda ] = [ -c                     ]
   *     [ p P' dg            0      I - P'  ] [ dl      ]   [ P(l - p g) - l         ]
   *
   * with an unsymmetric sparse factorisation. Iterations end when the last increment is small and the
   * sets are those of the iteration before; a configuration that is an equilibrium at the start stays as it is.
   */
  class StaticProblem
  {
  public:
    //! When iterations end
    struct Settings
    {
      double tolerance = 1e-11; //!< of the residual at the start, relative to the largest force
      double smallIncrement = 1e-9; //!< an increment of that size, relative to the system or in radians, is the last one; residuals end in rounding errors
      int maxIterations = 30;
      double largestTurn = 1;   //!< of a node in one iteration
    };

    //! Unknowns
    struct Solution
    {
      std::vector<double> q, joints, forces;
    };

    //! How an attempt ended
    struct Outcome
    {
      bool converged = false;
      int iterations = 0;
      double residual = 0; //!< relative to the largest force
      int active = 0, sticking = 0;
      double minGap = std::numeric_limits<double>::infinity();
    };

    StaticProblem(const System& system, const std::vector<FrictionContact>& contacts, const Settings& settings);

    std::size_t jointRows() const { return jointRows_; }
    std::size_t slots() const { return slotBegin_.back(); }
    std::size_t slotBegin(std::size_t contact) const { return slotBegin_[contact]; }

    //! Solve at time t; slips count from `previous`, which is also where the iteration starts
    Outcome solve(double t, const std::vector<double>& previous, double p, Solution& solution);

    //! A first guess for p: the stiffness of bodies between two contact points
    double stiffness() const;

    //! The covector of joints and external loads
    void addExternal(double t, const Solution& at, std::vector<double>& force) const;

    //! Gaps and slips of an accepted solution, one entry per contact
    void evaluateContacts(double t, const Solution& at, const std::vector<double>& previous, std::vector<FrictionRows>& rows) const;

    //! Size of the system
    double length() const { return length_; }

  private:
    void findFixed();
    void assemble(double t, const std::vector<double>& previous, double p, const Solution& at);
    void addContact(std::size_t contact, double p, const Solution& at, const FrictionRows& rows);
    double apply(const Eigen::VectorXd& step, Solution& at) const;

    const System& system_;
    const std::vector<FrictionContact>& contacts_;
    Settings settings_;
    std::vector<std::size_t> slotBegin_;
    std::size_t jointRows_ = 0;
    double length_ = 1, reach_ = std::numeric_limits<double>::infinity();
    std::vector<char> fixed_; //!< per velocity dof: a joint holds it

    // of the current iteration
    Triplets entries_;
    Eigen::VectorXd residual_, rowScale_, columnScale_;
    double largestForce_ = 0;
    std::vector<ContactSet> sets_;
    double minGap_ = 0;
  };

} // namespace Dune::Impact

#endif
