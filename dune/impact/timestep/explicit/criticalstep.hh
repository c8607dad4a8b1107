// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_EXPLICIT_CRITICALSTEP_HH
#define DUNE_IMPACT_TIMESTEP_EXPLICIT_CRITICALSTEP_HH

#include <dune/impact/body/system.hh>
#include <dune/impact/contact/contact.hh>

/** \file
 * \ingroup impact_timestep_explicit
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
   *
   * If a body has no matrix, Lanczos alone decides, by products with the linearised force. It
   * stops when the residual of the largest Ritz value is a thousandth of it, and the residual is
   * added to be safe.
   *
   * \param extra entries of further stiffness on velocity dofs
   */
  double criticalStep(const System& system, double t, ConstSpan q, const Triplets& extra = {});

  /** \brief The same with the stiffness of adhesion
   *
   * \param damage of the interfaces of all contacts, one after the other; empty: none is damaged
   */
  double criticalStep(const System& system, const std::vector<Contact>& contacts, double t,
                      ConstSpan q, ConstSpan damage = {});

} // namespace Dune::Impact

#endif
