// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_STEPPER_HH
#define DUNE_IMPACT_TIMESTEP_STEPPER_HH

#include <memory>
#include <string>
#include <vector>

#include <dune/impact/common/record.hh>
#include <dune/impact/common/state.hh>
#include <dune/impact/common/stepreport.hh>
#include <dune/impact/common/visualizationdata.hh>

/** \file
 * \ingroup impact_timestep
 * \brief What a time stepping method is
 */

namespace Dune::Impact {

  //! Momenta as a row of the history shows them, with the configuration they belong to
  struct RecordedMomenta
  {
    ConstSpan q; //!< configuration in which the momenta act
    ConstSpan p;
    double step = 0;         //!< time from that configuration to the row
    bool velocities = false; //!< p holds velocities, as implicit methods do
    //! memory of p where it is not that of a state
    std::shared_ptr<const std::vector<double>> owner = {};
  };

  //! A number of a run that is special to its method, for the summary
  struct MethodStatistic
  {
    std::string name;
    double value;
  };

  /** \brief A time stepping method for a system with contacts
   *
   * A step reads one state and writes another. It may keep scratch memory, but no memory of
   * earlier steps: stepping twice from the same state gives the same bits. Every
   * implementation must pass checkStepper().
   */
  class Stepper
  {
  public:
    virtual ~Stepper() = default;

    /** \brief The state from which the method starts, made from positions and momenta at time zero
     *
     * The report tells of impulses at time zero, for bodies that touch at the start.
     */
    virtual State start(const State& initial, StepReport& report) = 0;

    /** \brief One step
     *
     * \param from   the state at the beginning, which is not changed
     * \param to     receives the new state; whatever it held before is overwritten and its memory
     * used again
     * \param report receives what happened
     *
     * Throws RunError if the step cannot be made; then `to` and `report` mean nothing.
     */
    virtual void step(const State& from, State& to, StepReport& report) = 0;

    //! The row of the history that belongs to the state `to`
    virtual Record record(const State& from, const State& to) const = 0;

    //! The momenta that the row of `to` shows
    virtual RecordedMomenta recordedMomenta(const State& from, const State& to) const = 0;

    //! Names of the contacts that have surfaces to show
    virtual std::vector<std::string> contactSurfaces() const { return {}; }

    //! Append the contact surfaces as they are after the step, in the order of contactSurfaces()
    virtual void sampleContacts(const State&, const State&, std::vector<VisualizationData>&) const
    {}

    //! Numbers that only this method has
    virtual std::vector<MethodStatistic> statistics(const State&) const { return {}; }

    //! True if momenta and energies belong to intervals, so that the first interval defines the
    //! initial energy
    virtual bool staggered() const = 0;

    //! True if steps can differ in length, so that the end is a time and not a number of steps
    virtual bool variableStep() const = 0;
  };

} // namespace Dune::Impact

#endif
