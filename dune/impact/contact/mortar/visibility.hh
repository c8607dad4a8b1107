// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_MORTAR_VISIBILITY_HH
#define DUNE_IMPACT_CONTACT_MORTAR_VISIBILITY_HH

#include <algorithm>

#include <dune/impact/common/jet.hh>

/** \file
 * \ingroup impact_contact_mortar
 * \brief How far two facets face each other
 */

namespace Dune::Impact {

  /** \brief Weight of what a facet sees, by the cosine c = -n . m between its normal and that of
   * the mortar facet
   *
   *     w = x^3 (10 - 15 x + 6 x^2),   x = (c - least) / (whole - least) in [0, 1]
   *
   * Facets that face each other have the weight one, those that turn away from each other fade
   * out. The weight has two continuous derivatives, so that gaps stay smooth where the mortar
   * side turns away: before a mortar edge becomes a silhouette, what lies behind it has faded.
   */
  struct Visibility
  {
    double least = 0.3; //!< no weight below
    double whole = 0.5; //!< the weight one above

    //! Value with its first and second derivative
    Jet<1> weight(double c) const
    {
      const double x = (c - least) / (whole - least), slope = 1 / (whole - least);
      if (x <= 0)
        return 0;
      if (x >= 1)
        return 1;
      Jet<1> w(x * x * x * (10 + x * (6 * x - 15)));
      w.first[0] = 30 * slope * x * x * (1 - x) * (1 - x);
      w.second[0] = 60 * slope * slope * x * (1 - x) * (1 - 2 * x);
      return w;
    }

    template<int n>
    Jet<n> weight(const Jet<n>& c) const
    {
      const Jet<1> w = weight(c.value);
      return c.chain(w.value, w.first[0], w.second[0]);
    }
  };

} // namespace Dune::Impact

#endif
