// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_COMMON_STEPREPORT_HH
#define DUNE_IMPACT_COMMON_STEPREPORT_HH

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
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

  //! Normal impulse of a contact on a node of a solid
  struct NodeImpulse
  {
    std::size_t node; //!< number in the body
    double impulse;

    friend bool operator==(const NodeImpulse&, const NodeImpulse&) = default;
  };

  //! What an accepted step did in one contact
  struct ContactReport
  {
    //! smallest gap of the configuration that the step has reached; infinite if nothing is near
    double gap = std::numeric_limits<double>::infinity();
    Vec3 impulse = {0, 0, 0};      //!< on the first side
    double frictionWork = 0;       //!< work of the tangential impulses, negative for a loss
    int sticking = 0, sliding = 0; //!< points with an impulse, if there is friction
    //! on the first side if it is a solid; those of one node add up
    std::vector<NodeImpulse> nodes;

    friend bool operator==(const ContactReport&, const ContactReport&) = default;

    //! Count a point with the normal impulse n and the tangential impulse t under the law |t| <= mu
    //! n: one at the bound slides
    void addFrictionPoint(double t, double n, double mu)
    {
      constexpr double atBound = 1 - 1e-9;
      ++(t < atBound * mu * n ? sticking : sliding);
    }
  };

  //! What one accepted step did
  struct StepReport
  {
    SolveReport solve;
    //! smallest gap of all contacts, of the configuration that the step has reached
    double minGap = std::numeric_limits<double>::infinity();
    int contacts = 0;         //!< contact points with an impulse or force
    Vec3 impulse = {0, 0, 0}; //!< sum of the impulses on the first sides
    //! time over which the impulses act: impulse / weight is a force
    double weight = 0;
    std::vector<double> pairImpulse;    //!< sum of the normal impulses, per contact
    std::vector<ContactReport> contact; //!< per contact
    //! impulses act at the instant of the row, and what they do belongs to the next one
    bool workFollows = false;
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
      contact.resize(contacts);
      for (ContactReport& one : contact) {
        std::vector<NodeImpulse> memory = std::move(one.nodes);
        memory.clear();
        one = {};
        one.nodes = std::move(memory);
      }
      workFollows = false;
      points_.clear();
      bodyImpulse.assign(bodies, Vec3(0));
      reactions.clear();
    }

    //! Set minGap from the gaps of the contacts
    void findMinGap()
    {
      minGap = std::numeric_limits<double>::infinity();
      for (const ContactReport& one : contact)
        if (one.gap < minGap || std::isnan(one.gap)) // which then stays
          minGap = one.gap;
    }

    //! Count a point with an impulse once, in however many parts of the step it has one
    void countPoint(std::size_t number, std::size_t multiplier)
    {
      const std::pair point(number, multiplier);
      const auto place = std::lower_bound(points_.begin(), points_.end(), point);
      if (place != points_.end() && *place == point)
        return;
      points_.insert(place, point);
      ++contacts;
    }

  private:
    std::vector<std::pair<std::size_t, std::size_t>> points_; // of countPoint, sorted
  };

} // namespace Dune::Impact

#endif
