// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_MORTAR_CONTACTSURFACE_HH
#define DUNE_IMPACT_CONTACT_MORTAR_CONTACTSURFACE_HH

#include <optional>
#include <vector>

#include <dune/impact/common/types.hh>
#include <dune/impact/grid/solidmesh.hh>

/** \file
 * \ingroup impact_contact_mortar
 * \brief The part of the boundary of a body that can touch
 */

namespace Dune::Impact {

  /** \brief Nodes and facets of a contact surface
   *
   * Facets use the numbering of the surface and are oriented outwards as those of SolidMesh.
   */
  template<int dim>
  struct ContactSurface
  {
    using Vector = FieldVector<double, dim>;
    using Facet = typename SolidMesh<dim>::Facet;

    std::size_t body = 0;          //!< number of the body in the system
    std::vector<std::size_t> node; //!< of the system, increasing
    std::vector<Vector> reference; //!< positions of the nodes in the mesh
    std::vector<Facet> facets;     //!< corners are numbers of this surface

    //! Position of node i at the displacements of all nodes of the system
    Vector position(std::size_t i, ConstSpan u) const
    {
      Vector x = reference[i];
      for (int c = 0; c < dim; ++c)
        x[c] += u[node[i] * dim + c];
      return x;
    }
  };

  /** \brief A patch of a mesh as a contact surface; without a patch the whole boundary
   *
   * \param body      number of the body
   * \param firstNode number of the first node of the body in the system
   */
  template<int dim>
  ContactSurface<dim> makeContactSurface(const SolidMesh<dim>& mesh, std::optional<int> patch,
                                         std::size_t body, std::size_t firstNode);

  //! D_p = int N_p over the reference surface, for each node
  template<int dim>
  std::vector<double> nodeAreas(const ContactSurface<dim>& surface);

  //! The part of a surface that carries contact forces
  struct ContactZone
  {
    double area = 0;     //!< of the nodes with a force, in the present configuration
    double pressure = 0; //!< largest force of a node over its area
  };

  /** \brief The zone of a surface that carries contact forces
   *
   * \param u      displacements of all nodes of the system
   * \param forces normal force of each node of the surface
   */
  template<int dim>
  ContactZone contactZone(const ContactSurface<dim>& surface, ConstSpan u, ConstSpan forces);

  //! Mean of the longest edges of the facets of the reference surface
  template<int dim>
  double facetSize(const ContactSurface<dim>& surface);

} // namespace Dune::Impact

#endif
