// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_IO_RUNSUMMARY_HH
#define DUNE_IMPACT_IO_RUNSUMMARY_HH

#include <array>
#include <filesystem>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <dune/impact/common/record.hh>
#include <dune/impact/common/stepreport.hh>

/** \file
 * \ingroup impact_io
 * \brief The numbers that tell how a run went
 */

namespace Dune::Impact {

  //! A contact of one pair without interruption
  struct ContactEvent
  {
    long pair = 0;
    double begin = 0; //!< time of the first step with an impulse
    double end = 0;   //!< time of the last one

    friend bool operator==(const ContactEvent&, const ContactEvent&) = default;
  };

  //! A contact whose sides lay deep in each other, at its worst
  struct DeepOverlap
  {
    long pair = 0;
    double time = 0;
    double depth = 0;
    double size = 0; //!< of the smaller body, or of its cells
  };

  //! What the summary says about the run as a whole, from outside the time loop
  struct SummaryInfo
  {
    std::string title;
    std::string method;
    std::string units;
    std::string stopReason;
    double wallSeconds = 0;
    std::vector<std::string> pairs; //!< names of the contacts, in the order of pairImpulse
    //! names of the bodies and obstacles on both sides of each
    std::vector<std::array<std::string, 2>> sides = {};
  };

  /** \brief The accumulated numbers; nan where there is nothing to tell
   *
   * With E the total energy, D the dissipated energy, W the accumulated external work, T the
   * kinetic and U the elastic energy, P and L the momenta of the rows, and an index 0 for the
   * initial state:
   *
   *   energyErrorMax  max |E + D - W - E0| / S, what the ledger does not explain
   *   energyLost      D of the last row over S, negative if the method has gained energy
   *   energyGainMax   largest rise of E - W from one row to the next, over S
   *   linearDrift     max |P - P0|, in units of P; angularDrift likewise
   *   momentumDrift   max |P_i - P0_i| and max |L_i - L0_i|, component by component
   *
   * The scale S = max (T + U) is that of the motion and does not depend on where heights are
   * counted from. If nothing moves or deforms by more than the rounding of the energies, S is
   * the largest of |E|, |D| and |W|; a run without energy has no error;
   *
   * and with the normal impulses r of the steps and the times h over which they act:
   *
   *   totalImpulse    sum of r over all steps and pairs
   *   peakForce       max over the steps of (sum of r over the pairs) / h
   */
  struct SummaryNumbers
  {
    long steps = 0;
    double time = 0;
    double energyInitial, energyFinal, energyErrorMax, energyLost, energyGainMax;
    double linearDrift, angularDrift;
    std::array<double, 6> momentumDrift;
    double minGap, maxPenetration;
    double firstContact, lastContact, totalImpulse, peakForce;
    long impacts = 0;          //!< contact events
    long activeSteps = 0;      //!< steps with an impulse
    long solvedSteps = 0;      //!< steps with iterations
    double iterationsMean = 0; //!< over these
    long iterationsMax = 0;
    double cyclesMean = 0; //!< multigrid cycles or factor solves, over the same steps
    long cyclesMax = 0;
    long failures = 0;      //!< accepted steps whose solver did not converge
    double residualMax = 0; //!< largest residual of these steps, in units of the solver
  };

  /** \brief Accumulates the numbers of a run from its steps and rows
   *
   * All memory of the past is in numbers that pack() gives away and unpack() takes back, so
   * a resumed run ends with the summary of an uninterrupted one, bit by bit. A number that is
   * not finite is not forgotten: it makes the maximum it belongs to nan.
   */
  class RunSummary
  {
  public:
    //! Version of the packed form
    static constexpr int packVersion = 5;

    //! Contact events that are kept; later ones are counted only, so that memory does not grow with
    //! the run
    static constexpr std::size_t maxEvents = 10000;

    //! The row that energy errors and gains are measured from; without it the first row
    void setReference(const Record& row);

    //! The smallest size that matters in each contact: overlaps by more than a tenth of it are
    //! named; without sizes none is
    void setContactSizes(std::vector<double> sizes) { sizes_ = std::move(sizes); }

    //! Take note of an accepted step that ends at `time`
    void observe(const StepReport& report, double time, long step);

    //! Take note of a row of the history; the first one gives the initial momenta
    void observe(const Record& row);

    //! Accumulated work of friction in a contact, as the row of the last step shows it
    double frictionWork(std::size_t pair) const
    {
      return pair < pairs_.size() ? pairs_[pair].shownFrictionWork : 0;
    }

    //! Set a value special to the scenario
    void figure(const std::string& name, double value) { figures_[name] = value; }

    //! |E + D - W - E0| / S of the last row, with the energies seen so far
    double energyError() const;

    SummaryNumbers numbers() const;
    //! The first maxEvents ones
    const std::vector<ContactEvent>& events() const { return events_; }
    const std::map<std::string, double>& statistics() const { return figures_; }

    //! The contacts whose sides overlapped by more than a tenth of their size, at their worst
    std::vector<DeepOverlap> overlaps() const;

    //! The text of summary.json; numbers that are not finite become null
    std::string json(const SummaryInfo& info) const;

    //! Write the text to a file, replacing it as a whole; throws RunError
    void writeJson(const std::filesystem::path& file, const SummaryInfo& info) const;

    std::vector<double> pack() const;

    //! Throws InputError if the numbers do not come from pack() of this version
    void unpack(std::span<const double> packed, int version = packVersion);

  private:
    static constexpr double nan = std::numeric_limits<double>::quiet_NaN();

    // Doubles only, counts too, so that packing is a copy.
    struct Sums
    {
      // E0; E, E + D - W, E - W and D of the last row
      double energyInitial = nan, energyFinal = nan, balance = nan, exchanged = nan, dissipated = 0;
      // motionMax: of T + U; energyMax: of |E|, |D| and |W|
      double errorMax = 0, gainMax = 0, motionMax = 0, energyMax = 0;
      double rows = 0, step = 0, time = 0;
      std::array<double, 6> momenta = {}, momentumDrift = {}; // initial P and L
      double linearDrift = 0, angularDrift = 0;
      double minGap = std::numeric_limits<double>::infinity();
      double firstContact = nan, lastContact = nan, totalImpulse = 0, peakForce = 0,
             activeSteps = 0;
      double solvedSteps = 0, iterations = 0, iterationsMax = 0, cycles = 0, cyclesMax = 0,
             failures = 0, residualMax = 0;
      double impacts = 0; // contact events, also those that are not kept
    };

    // Of a contact; doubles only
    struct Pair
    {
      double event = -1; // the number of the running one, or -1
      double frictionWork = 0, shownFrictionWork = 0;
      double depth = 0, depthTime = 0; // of the deepest overlap that is named
    };

    void observePair(std::size_t pair, bool touching, double time);
    static void observeFriction(Pair& pair, double work, bool follows);
    static void observeOverlap(Pair& pair, double depth, double size, double time);
    void observeSolver(const SolveReport& solve);
    void observeMomenta(const Momenta& momenta);
    double energyScale() const;

    Sums sums_;
    std::vector<Pair> pairs_;
    std::vector<double> sizes_;        // per pair; belong to the scene and not to the past
    std::vector<ContactEvent> events_; // in the order of their beginnings, the first maxEvents
    std::map<std::string, double> figures_;
  };

} // namespace Dune::Impact

#endif
