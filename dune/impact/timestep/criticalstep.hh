// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_CRITICALSTEP_HH
#define DUNE_IMPACT_TIMESTEP_CRITICALSTEP_HH

#include <dune/impact/body/system.hh>

/** \file
 * \brief The stability limit of explicit methods
 */

namespace Dune::Impact {

  /** \brief Critical step 2/omega of central differences
   *
   * omega^2 is the largest eigenvalue of M^{-1} K at the given configuration, with contacts of
   * massless tips closed and without the prescribed dofs. It is enclosed between the value of a
   * Lanczos iteration and Gershgorin's bound; if the iteration has not settled within a small
   * part of the bound, the bound is taken, so that the step is safe. For a uniform bar both
   * agree: the critical step is the length of an element over the wave speed. Infinite if
   * nothing is stiff.
   */
  double criticalStep(const System& system, double t, ConstSpan q);

} // namespace Dune::Impact

#endif
