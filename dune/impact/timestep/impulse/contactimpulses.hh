// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_IMPULSE_CONTACTIMPULSES_HH
#define DUNE_IMPACT_TIMESTEP_IMPULSE_CONTACTIMPULSES_HH

#include <dune/impact/body/system.hh>
#include <dune/impact/common/stoptoken.hh>
#include <dune/impact/contact/contact.hh>
#include <dune/impact/contact/impulse/impulsegeometry.hh>
#include <dune/impact/solver/impulse/contactsolver.hh>
#include <dune/impact/timestep/impulse/impulseresponse.hh>

/** \file
 * \ingroup impact_timestep_impulse
 * \brief From contact points and laws to impulses: what all velocity-level contact steps share
 */

namespace Dune::Impact {

  //! Refuse contacts that have no impulse points; those of ends without mass may be allowed
  void requireImpulsePoints(const std::vector<Contact>& contacts, const std::string& method,
                            bool allowMassless);

  /** \brief End the run if contact impulses are neither converged nor acceptable
   *
   * The rule of all methods with contact impulses: a residual is converged, see acceptedResidual(),
   * or acceptable, see acceptableResidual(), and then counted by the caller, or the reason of a
   * RunError that names the contact.
   */
  void requireImpulses(const SolveReport& report, double tolerance, const std::string& contact);

  //! Add the report of points that act apart from others: the largest numbers count, and all parts
  //! must have converged
  void addPart(const SolveReport& part, SolveReport& report);

  /** \brief The contact problem of one instant
   *
   * Use: collect() finds the closed contact points; then the stepper gives rates before the
   * impulse and without impulse, and the Delassus matrix; solve() finds the impulses; accountWork()
   * adds them up. For momenta with a sparse inverse mass, kick() does all of it: points that act
   * together are solved apart from the others, few of them with their matrix, many with the matrix
   * as a product. Many points of bodies with a diagonal mass are solved together, see
   * LumpedDelassus.
   *
   * Impulses are remembered as first guesses of the next instant: a sorted list of the points that
   * have one, each with its number and its components.
   */
  class ContactImpulses
  {
  public:
    /** \brief For a system and its contacts, which must outlive the object
     *
     * Contacts with impulse points take part, unless their law is a penalty. Others are left to the
     * stepper; see requireImpulsePoints().
     */
    ContactImpulses(const System& system, const std::vector<Contact>& contacts, int dimension);

    //! For the iterations of both solvers
    void setStop(StopToken stop)
    {
      solver_.setStop(stop);
      lumpedSolver_.setStop(stop);
    }

    //! Let the laws of contact hold to this part of the speed; without this call 1e-10. Impulses
    //! that miss it are judged by requireImpulses(), and reported as not converged if accepted.
    void setTolerance(double tolerance);

    //! Normal impulse of a multiplier of a contact in a list of impulses
    double normalImpulse(ConstSpan list, std::size_t contact, std::size_t multiplier) const;

    //! Collect all points with gap <= tolerance; returns the smallest gap. For kick() alone points
    //! may be compressed.
    double collect(const Instant& at, ConstSpan q, double tolerance,
                   ContactPoints::Form form = ContactPoints::Form::functionals);

    //! Report the gaps of the last collect()
    void reportGaps(StepReport& report) const;

    const ContactPoints& points() const { return points_; }

    /** \brief Solve for impulses that act on momenta, and apply them
     *
     * \param q      configuration
     * \param before momenta before the instant
     * \param p      momenta with all other forces; receives the impulses
     * \param list   impulses of the last solve; receives those of this one
     */
    void kick(ConstSpan q, ConstSpan before, Span p, std::vector<double>& list, StepReport& report,
              Ledger& ledger);

    /** \brief Set the rates of a component of a point, for steppers that assemble themselves
     *
     * The functional is applied to x = v, or as a sparse velocity to x = p.
     */
    void setRates(std::size_t point, int component, std::span<const Entry> functional,
                  ConstSpan before, ConstSpan free);
    Delassus& delassus() { return delassus_; }

    //! Resize the arrays for the points collected
    void prepare();

    //! Solve for the impulses; list as in kick()
    SolveReport solve(std::vector<double>& list);

    //! Impulses of the last solve, components() numbers per point
    ConstSpan impulses() const { return impulse_; }

    //! Enter work and impulses into the ledger and the report
    void accountWork(StepReport& report, Ledger& ledger) const;

  private:
    struct PartFactors;

    const ContactLaw& law(std::size_t point) const { return contacts_[points_[point].contact].law; }
    bool guarded(std::size_t point) const
    {
      return law(point).friction > 0 && law(point).slip == Slip::midStep;
    }
    double target(std::size_t point, int component, bool mixed) const;
    template<class Points>
    bool isMixed(const Points& points) const;
    void setTarget(std::size_t point, bool mixed);
    template<class Matrix>
    void setTargets(const Matrix& matrix);
    double pointNumber(std::size_t contact, std::size_t key) const;
    void recall(ConstSpan list);
    void remember(std::vector<double>& list);
    template<class Matrix>
    SolveReport solvePart(ImpulseResponse::Points points, bool together, Matrix& matrix);
    SolveReport solveIslands();
    SolveReport solveLumped(ConstSpan before, ConstSpan p);
    SolveReport solveGeneral(ConstSpan q, ConstSpan before, ConstSpan p);
    void check(const SolveReport& report) const;
    double tangentialImpulse(std::size_t point) const;
    void reportNodes(std::size_t point, ContactReport& contact) const;

    const System& system_;
    const std::vector<Contact>& contacts_;
    //! per contact; null if it takes no part
    std::vector<const ImpulseGeometry*> geometry_;
    int components_;              //!< per point: 1 without any friction, else the dimension
    bool sameRestitution_ = true; //!< of all contacts
    bool guarded_ = false;        //!< friction of some contact is on the mid-step slip
    ContactPoints points_;
    std::vector<double> gaps_; //!< smallest of each contact

    //! Where the velocities of a solid begin and end, with so many numbers per node
    struct SolidDofs
    {
      std::size_t begin = 0, end = 0, each = 1;
    };
    std::vector<SolidDofs> solid_; //!< the first side of each contact; empty if it is none
    ImpulseResponse response_;
    Delassus delassus_;
    FactoredDelassus factored_;
    bool hasDiagonalMass_ = false;
    //! of all points where the mass is diagonal and points are many
    LumpedDelassus lumped_;
    ContactSolver solver_, lumpedSolver_;
    std::vector<double> before_, free_, rhs_, impulse_, friction_;
    //! size_: of the terms in the rates, whose rounding is no motion
    std::vector<double> after_, size_;

    // scratch
    std::vector<std::size_t> labels_;
    std::vector<std::uint32_t> single_; //!< points that act alone
    std::vector<double> partRhs_, partImpulse_, partFriction_, partProduct_;
    //! number of each point, sorted by these
    std::vector<std::pair<double, std::uint32_t>> numbers_;
  };

} // namespace Dune::Impact

#endif
