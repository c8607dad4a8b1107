// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module
// root SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_COMMON_REPORT_HH
#define DUNE_IMPACT_COMMON_REPORT_HH

#include <limits>
#include <vector>

#include <dune/impact/common/types.hh>

/** \file
 * \ingroup impact_common
 * \brief What iterations, steps and rows of the history have to say about themselves
 */

namespace Dune::Impact {

  //! Outcome of anything iterative
  struct SolveReport
  {
    int iterations = 0;
    double residual = 0; //!< in units of the problem's own scale
    bool converged = true;
    int cycles = 0; //!< multigrid cycles or factor solves, if the method has any
    //! of methods that minimise: energy of the first guess minus that of the result
    double energyDecrease = 0;
  };

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
  };

  //! Stored energies of a configuration or an interval
  struct Potentials
  {
    double elastic = 0;
    double potential = 0; //!< of gravity
    double contact = 0;   //!< stored in contact: penalty, adhesion

    Potentials& operator+=(const Potentials& other)
    {
      elastic += other.elastic;
      potential += other.potential;
      contact += other.contact;
      return *this;
    }

    double sum() const { return elastic + potential + contact; }
  };

  //! Linear momentum, and angular momentum about the origin
  struct Momenta
  {
    Vec3 linear = {0, 0, 0};
    Vec3 angular = {0, 0, 0};

    Momenta& operator+=(const Momenta& other)
    {
      linear += other.linear;
      angular += other.angular;
      return *this;
    }
  };

  /** \brief One row of the history
   *
   * For methods with momenta between the instants, energies and momenta belong to the
   * interval that ends at `time`, and the accumulated work is that of the impulses before
   * `time`: in each row total + dissipated - externalWork is the same number if the method
   * obeys its energy balance.
   */
  struct Record
  {
    long step = 0;
    double time = 0;
    double kinetic = 0;
    Potentials stored;
    Momenta momenta;
    double dissipated = 0;
    double externalWork = 0;

    //! The energy the method is about
    double total() const { return kinetic + stored.sum(); }
  };

} // namespace Dune::Impact

#endif
