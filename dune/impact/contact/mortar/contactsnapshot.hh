// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_MORTAR_CONTACTSNAPSHOT_HH
#define DUNE_IMPACT_CONTACT_MORTAR_CONTACTSNAPSHOT_HH

#include <dune/impact/common/visualizationdata.hh>
#include <dune/impact/contact/mortar/weightedgaps.hh>

/** \file
 * \ingroup impact_contact_mortar
 * \brief What a contact surface looks like
 */

namespace Dune::Impact {

  //! Status of a node of a contact surface, as pictures show it
  enum class ContactStatus { open = 0, touching = 1, alone = 2 };

  /** \brief The non-mortar surface of a contact in its deformed position
   *
   * Fields of the nodes: `pressure`, `multiplier`, `gap` (a distance), `normal` (outwards),
   * `status` (ContactStatus). The pressure is the force of the node over its present area
   * a_p = int N_p, so that the piecewise (bi)linear pressure integrates to the sum of the forces.
   * The multiplier is that of the discrete problem, force over weight of the gap. Of a node with
   * several multipliers, at an edge of the body, forces and multipliers are added up; gap and
   * normal are those of the multiplier with the smallest gap. A node that faces nothing is alone;
   * its gap and normal are not numbers.
   *
   * \param u      displacements of all nodes of the system
   * \param gaps   of this contact at u, multipliers counted from zero
   * \param forces normal force per multiplier
   * \param multipliers their values, pressures
   */
  template<int dim>
  VisualizationData contactSnapshot(const WeightedGapGeometry<dim>& geometry, ConstSpan u,
                                    const WeightedGaps<dim>& gaps, ConstSpan forces,
                                    ConstSpan multipliers);

} // namespace Dune::Impact

#endif
