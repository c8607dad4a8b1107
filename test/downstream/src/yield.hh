// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_DOWNSTREAM_YIELD_HH
#define DUNE_IMPACT_DOWNSTREAM_YIELD_HH

#include <algorithm>
#include <cmath>

#include <dune/impact/scenario/registry.hh>

/** \file
 * \brief A contact law of one's own: restitution that falls with the speed
 */

using namespace Dune::Impact;

/** \brief Impact of bodies that yield
 *
 * Up to the yield speed the impact is elastic; faster ones leave a dent, and e falls with the
 * fourth root of the speed: e = min(1, (v_y / v)^{1/4}).
 */
inline double yieldRestitution(double yieldSpeed, double speed)
{
  return std::min(1.0, std::pow(yieldSpeed / speed, 0.25));
}

//! `[yield.X]` in scenario files: the law of a contact
inline SectionType yieldSection()
{
  return {.name = "yield",
          .summary =
            "a contact whose bodies yield: restitution (speed / v)^(1/4) at the approach speed v",
          .keys = {{.name = "contact",
                    .meaning = "the contact",
                    .kind = Kind::name,
                    .allowed = {"contact"},
                    .required = true},
                   {.name = "speed",
                    .meaning = "approach speed up to which impacts are elastic",
                    .unit = "L/T",
                    .kind = Kind::positive,
                    .required = true}},
          .build = [](const Section& section, Scene& scene) {
            const double yieldSpeed = section.real("speed");
            const std::string name = section.reference("contact").name;
            for (Contact& contact : scene.contacts)
              if (contact.name == name)
                contact.law.restitutionLaw = [yieldSpeed](double speed) {
                  return yieldRestitution(yieldSpeed, speed);
                };
          }};
}

#endif
