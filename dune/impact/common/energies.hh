// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_COMMON_ENERGIES_HH
#define DUNE_IMPACT_COMMON_ENERGIES_HH

#include <dune/impact/common/types.hh>

/** \file
 * \ingroup impact_common
 * \brief Stored energies and momenta
 */

namespace Dune::Impact {

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

} // namespace Dune::Impact

#endif
