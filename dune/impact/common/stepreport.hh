// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_COMMON_STEPREPORT_HH
#define DUNE_IMPACT_COMMON_STEPREPORT_HH

#include <limits>
#include <vector>

#include <dune/impact/common/solvereport.hh>
#include <dune/impact/common/types.hh>

/** \file
 * \ingroup impact_common
 * \brief What a step has to say about itself
 */

namespace Dune::Impact {

  //! What joints do to a point of a body
  struct Reaction
  {
    std::size_t body, point;
    Vec3 force, moment; //!< spatial, the moment about the point
  };

  //! What one accepted step did
  struct StepReport
  {
    SolveReport solve;
    double minGap = std::numeric_limits<double>::infinity(); //!< smallest gap of all contacts
    int contacts = 0;         //!< contact points with an impulse or force
    Vec3 impulse = {0, 0, 0}; //!< sum of the impulses on the first sides
    //! time over which the impulses act: impulse / weight is a force
    double weight = 0;
    std::vector<double> pairImpulse; //!< sum of the normal impulses, per contact
    std::vector<Vec3> bodyImpulse;   //!< sum of the contact impulses, per body
    std::vector<Reaction> reactions; //!< of joints and prescribed frames

    //! Begin anew, for a system of so many bodies and contacts; memory is used again
    void begin(std::size_t bodies, std::size_t contacts, double time)
    {
      solve = {};
      minGap = std::numeric_limits<double>::infinity();
      this->contacts = 0;
      impulse = 0;
      weight = time;
      pairImpulse.assign(contacts, 0);
      bodyImpulse.assign(bodies, Vec3(0));
      reactions.clear();
    }
  };

} // namespace Dune::Impact

#endif
