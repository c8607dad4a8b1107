// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_MORTAR_OVERLAP_HH
#define DUNE_IMPACT_CONTACT_MORTAR_OVERLAP_HH

#include <memory>
#include <optional>

#include <dune/impact/contact/mortar/contactsurface.hh>

/** \file
 * \ingroup impact_contact_mortar
 * \brief Bodies that lie in each other
 */

namespace Dune::Impact {

  //! A point of the boundary of one body that lies in another
  template<int dim>
  struct Overlap
  {
    std::size_t body;  //!< that the point belongs to
    std::size_t other; //!< that it lies in
    FieldVector<double, dim> place;
    double depth; //!< distance from the boundary of the other body
  };

  /** \brief The deepest point of either body in the other; nothing if none is deeper than the
   * tolerance
   *
   * Both surfaces are whole boundaries; InputError if one is not closed. Gaps see only a little
   * way into a body, hence bodies that start in each other must be found in another manner.
   * Boundaries are cut where they cross: what is left lies inside or outside as a whole, which
   * the winding number of one of its points tells. Points are nodes, and on edges that cross the
   * other boundary the middles between crossings, so that no overlap is missed; the depth of an
   * overlap without nodes is that of such a middle.
   */
  template<int dim>
  std::optional<Overlap<dim>> findOverlap(const ContactSurface<dim>& first,
                                          const ContactSurface<dim>& second, ConstSpan u,
                                          double tolerance);

  //! How far the facets of a smooth surface are from it at most: by so much two curved surfaces
  //! that lie on each other overlap if their meshes differ
  template<int dim>
  double facetSagitta(const ContactSurface<dim>& surface, ConstSpan u);

  //! Which points lie in a body, whose whole boundary is given
  template<int dim>
  class InsideTest
  {
  public:
    InsideTest(const ContactSurface<dim>& boundary, ConstSpan u);
    ~InsideTest();

    bool operator()(const FieldVector<double, dim>& x) const;

    //! Distance from the boundary
    double distance(const FieldVector<double, dim>& x) const;

  private:
    struct Data;
    std::unique_ptr<Data> data_;
  };

  //! Is every side of a facet also that of another one?
  template<int dim>
  bool isClosed(const ContactSurface<dim>& surface);

} // namespace Dune::Impact

#endif
