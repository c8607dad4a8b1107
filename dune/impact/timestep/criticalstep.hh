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
   * massless tips closed and without the prescribed dofs. Gershgorin's bound of it is safe and
   * simple: for a bar it gives the length of an element over the wave speed. Only where it is
   * more than five percent above the value of a Lanczos iteration that has settled, that value is
   * taken. Infinite if nothing is stiff.
   */
  double criticalStep(const System& system, double t, ConstSpan q);

} // namespace Dune::Impact

#endif
