// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_LAW_CONTACTLAW_HH
#define DUNE_IMPACT_CONTACT_LAW_CONTACTLAW_HH

#include <functional>
#include <string>

#include <dune/impact/common/exceptions.hh>

/** \file
 * \ingroup impact_contact_law
 * \brief The law of a contact: unilateral, restitution, friction, penalty
 */

namespace Dune::Impact {

  //! Which slip Coulomb's law sees
  enum class Slip { postImpact, midStep };

  /** \brief Law of a contact: unilateral with Newton restitution and Coulomb friction
   *
   * With the gap rate w- before and w+ after the impulse r:
   *
   *     0 <= r  perp  w+ + e w- >= 0
   *
   * and, for the slip s = s+ (post-impact) or s = s+ + s- (mid-step), the friction impulse
   * opposes s with |r_T| <= mu r_N. The mid-step form never raises the energy.
   */
  struct ContactLaw
  {
    double restitution = 0;
    double friction = 0;
    Slip slip = Slip::postImpact;
    //! of a penalty k/2 min(g, 0)^2 instead of the unilateral law; zero if there is none
    double stiffness = 0;
    //! penalty of two centres: gap that follows the unit normal of the middle of steps, instead of
    //! the true one
    bool dynamicGap = false;

    /** \brief Restitution as a function of the speed of approach -w- > 0, instead of `restitution`
     *
     * Values must be between zero and one.
     */
    std::function<double(double)> restitutionLaw = {};

    //! e for the gap rate w- before the impulse; it matters for points that approach only
    double restitutionAt(double rate) const
    {
      if (!restitutionLaw || !(rate < 0))
        return restitution;
      const double e = restitutionLaw(-rate);
      if (!(e >= 0 && e <= 1))
        throw RunError("a law of restitution must give a number between 0 and 1, not " +
                       std::to_string(e) + " as at the speed " + std::to_string(-rate));
      return e;
    }

    //! True if friction can raise the energy: on the slip after an impact that rebounds
    bool canGain() const
    {
      return friction > 0 && (restitution > 0 || restitutionLaw) && slip == Slip::postImpact;
    }
  };

} // namespace Dune::Impact

#endif
