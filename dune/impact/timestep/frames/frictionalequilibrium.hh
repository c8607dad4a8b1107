// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_FRAMES_FRICTIONALEQUILIBRIUM_HH
#define DUNE_IMPACT_TIMESTEP_FRAMES_FRICTIONALEQUILIBRIUM_HH

#include <dune/impact/common/stoptoken.hh>
#include <dune/impact/contact/contact.hh>
#include <dune/impact/timestep/frames/alartcurniersystem.hh>

/** \file
 * \ingroup impact_timestep_frames
 * \brief Equilibrium of a system with joints and contact with friction
 */

namespace Dune::Impact {

  //! A force F(t, q) that shall be in equilibrium with joints and contact, and its derivative
  class ForceBalance
  {
  public:
    virtual ~ForceBalance() = default;

    //! Add F(t, q)
    virtual void addForce(double t, ConstSpan q, Span force) const = 0;

    //! Append the entries of -dF/dq
    virtual void addStiffness(double t, ConstSpan q, Triplets& entries) const = 0;
  };

  /** \brief F(t, q) + G^T lambda + B^T l = 0, c(t, q) = 0, l = P(l - p g(q))
   *
   * Newton's method for all unknowns at once, with the exact derivatives; P is the projection of
   * Coulomb's law, so the method is semismooth and its active and stick sets are those of the last
   * iteration. The equations of an iteration are those of AlartCurnierSystem with
   *
   *     K = -dF/dq - d(B^T l)/dq   and the residuals   F + G^T lambda + B^T l,   -c,
   *     P(l - p g) - l.
   *
   * Iterations end when the last increment is small and the
   * sets are those of the iteration before; a configuration that is an equilibrium at the start
   * stays as it is.
   */
  class FrictionalEquilibrium
  {
  public:
    //! When iterations end
    struct Settings
    {
      double tolerance = 1e-11; //!< of the residual at the start, relative to the largest force
      //! an increment of that size, relative to the system or in radians, is the last one;
      //! residuals end in rounding errors
      double smallIncrement = 1e-9;
      //! a small increment is the last one only if it is below this or not smaller than the one
      //! before; 0: always
      double tinyIncrement = 0;
      int maxIterations = 30;
      double largestTurn = 1;    //!< of a node in one iteration
      double regularisation = 0; //!< of contact rows that depend on each other
      double length = 0;         //!< size of a system that is one point
      //! what users call the method, for contacts that it cannot handle
      std::string method = "quasi-static";
      std::vector<double> contactScaling = {}; //!< factors of p per contact; empty: all one
      StopToken stop = {};                     //!< looked at in every iteration of a step
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
    };

    FrictionalEquilibrium(const System& system, const std::vector<Contact>& contacts,
                          const Settings& settings);

    std::size_t jointRows() const { return newton_.jointRows(); }
    const GapSlipGeometry& geometry(std::size_t contact) const { return *geometry_[contact]; }
    std::size_t multipliers() const { return multiplierBegin_.back(); }
    std::size_t multiplierBegin(std::size_t contact) const { return multiplierBegin_[contact]; }

    //! A step from `previous`: slips count from there, over a time h
    struct Step
    {
      double time, h;
      const std::vector<double>& previous;
      const ForceBalance* balance = nullptr; //!< F; nothing stands for the forces of the system
      bool frictionless = false;             //!< leave the law of friction out
      int patience = 1;                      //!< factor of the largest number of iterations
    };

    //! Solve at the end of a step, with iterations that start from the solution given
    Outcome solve(const Step& step, double p, Solution& solution);

    //! A first guess for p: the stiffness of bodies between two contact points
    double stiffness() const;

    //! The covector of joints and external loads
    void addExternal(double t, const Solution& at, std::vector<double>& force) const;

    //! Gaps and slips of an accepted solution, one entry per contact
    void evaluateContacts(const Step& step, const Solution& at, std::vector<GapSlip>& rows) const;

    //! Throw RunError if an element of a beam turns by half a turn or more: its strain is not
    //! unique then
    void checkTurns(ConstSpan q) const;

    //! What the geometries suggest where no solution is found, to end a sentence
    std::string remedies() const;

    //! Reactions of all joints, from their multipliers
    std::vector<Reaction> reactions(ConstSpan q, ConstSpan joints) const;

    //! Size of the system
    double length() const { return newton_.length(); }

    //! Sets of the multipliers in the last iteration
    const std::vector<ContactSet>& sets() const { return sets_; }

  private:
    struct Problem;

    void assemble(const Step& step, double p, const Solution& at);
    double apply(const Eigen::VectorXd& step, Solution& at) const;

    const System& system_;
    const std::vector<Contact>& contacts_;
    Settings settings_;
    std::vector<const GapSlipGeometry*> geometry_; //!< per contact
    std::vector<std::size_t> multiplierBegin_;
    double reach_ = std::numeric_limits<double>::infinity();
    AlartCurnierSystem newton_;

    // of the current iteration
    double largestForce_ = 0;
    std::vector<ContactSet> sets_;
  };

} // namespace Dune::Impact

#endif
