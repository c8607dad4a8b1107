// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_MORTAR_MORTARSETTINGS_HH
#define DUNE_IMPACT_CONTACT_MORTAR_MORTARSETTINGS_HH

#include <array>
#include <optional>
#include <vector>

#include <dune/impact/contact/mortar/contactsurface.hh>
#include <dune/impact/contact/mortar/visibility.hh>

/** \file
 * \ingroup impact_contact_mortar
 * \brief Choices of mortar contact
 */

namespace Dune::Impact {

  //! How the distance of a point of the non-mortar side to the mortar side is measured
  enum class MortarGapKind {
    smoothedNormal, //!< along the interpolated nodal normals of the non-mortar side
    facetNormal,    //!< along the normal of the non-mortar facet; three dimensions only
    closestPoint    //!< to the closest point of the mortar side; two dimensions only
  };

  //! What happens at facets that the mortar side covers only partly, because it ends or turns away
  //! there
  enum class CutFacets {
    rebuild, //!< the dual basis is made anew on the covered part
    drop     //!< their nodes have no gap on this face of the body
  };

  //! Facets see each other where lower < g < upper
  struct GapWindow
  {
    double lower, upper;
  };

  //! How gaps between surfaces are formed
  struct MortarSettings
  {
    MortarGapKind gap = MortarGapKind::smoothedNormal;
    CutFacets cut = CutFacets::rebuild;
    std::optional<GapWindow> window; //!< default: defaultWindow()
    Visibility facing;               //!< facets see each other if they face each other

    /** \brief Number of Gauss points on a whole facet, for the closest point only; 0: three on each
     * segment
     *
     * Without segments there is nothing to cut: nodes of facets with a point that sees no mortar
     * facet have no gap there, and constant pressure is transferred up to the error of the rule
     * only.
     */
    int facetPoints = 0;

    /** \brief Per node of the non-mortar side: components of the nodal normal that are zero
     *
     * Nodes on a plane of symmetry lack the facets behind it. With them the normal lies in the
     * plane, hence a component that a support holds for this reason is taken out. Empty: none.
     */
    std::vector<std::array<bool, 3>> mirrored;

    int threads = 0; //!< 0: OMP_NUM_THREADS, or one per core; results do not depend on it
  };

  /** \brief (-h, 2h) with the mean size h of the facets, that of the side with the larger ones
   *
   * Deeper than a facet a point is as near to other facets; farther than two facets away there
   * is time to find the contact in a later step.
   */
  template<int dim>
  GapWindow defaultWindow(const ContactSurface<dim>& surface, const ContactSurface<dim>& mortar);

} // namespace Dune::Impact

#endif
