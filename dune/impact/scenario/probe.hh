// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SCENARIO_PROBE_HH
#define DUNE_IMPACT_SCENARIO_PROBE_HH

#include <optional>

#include <dune/impact/geometry/se3.hh>
#include <dune/impact/scenario/scene.hh>
#include <dune/impact/timestep/stepper.hh>

/** \file
 * \ingroup impact_scenario
 * \brief Columns of the history that a scenario asks for
 */

namespace Dune::Impact {

  //! Columns of the history that follow a place of a body
  class Probe
  {
  public:
    Probe(const Section& section, const Scene& scene);

    //! Names of the columns: name.x, name.y, name.z as far as the dimension goes
    void addColumns(std::vector<std::string>& columns) const;

    //! Append the values; positions are those of q, velocities those of the recordedMomenta
    void addValues(const System& system, ConstSpan q, const RecordedMomenta& recordedMomenta,
                   const StepReport& report, std::vector<double>& values) const;

  private:
    enum class Quantity {
      position,
      displacement,
      velocity,
      force,
      rotation,
      reaction,
      reactionMoment
    };

    Vec3 value(const System& system, ConstSpan q, const RecordedMomenta& recordedMomenta,
               const StepReport& report) const;
    Vec3 velocity(const System& system, ConstSpan q, const RecordedMomenta& recordedMomenta) const;
    Vec3 rotation(ConstSpan q) const;
    Vec3 reaction(const System& system, ConstSpan q, const StepReport& report) const;

    std::string name_;
    int dimension_;
    Quantity quantity_;
    std::size_t body_;
    std::optional<PointHandle> point_; //!< empty for the centre of mass
    Vec3 initialCentre_;
    Frame initialFrame_; //!< of the section of a beam
  };

} // namespace Dune::Impact

#endif
