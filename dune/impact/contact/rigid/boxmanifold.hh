// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_RIGID_BOXMANIFOLD_HH
#define DUNE_IMPACT_CONTACT_RIGID_BOXMANIFOLD_HH

#include <vector>

#include <dune/impact/geometry/so3.hh>

/** \file
 * \ingroup impact_contact_rigid
 * \brief Where two boxes touch
 */

namespace Dune::Impact {

  //! A box in space
  struct PlacedBox
  {
    Vector3 centre;
    Matrix3 axes; //!< columns
    Vector3 half; //!< half of the edge lengths
  };

  //! A point of contact of two boxes
  struct BoxContact
  {
    double gap;
    Vector3 place;       //!< half way between both surfaces
    std::size_t feature; //!< below boxFeatures
  };

  constexpr std::size_t boxFeatures = 9; //!< eight corners of a common face, or a pair of edges

  /** \brief Points of contact of two boxes with gap <= tolerance, and their common normal out of
   * the second
   *
   * The boxes are farthest apart along a normal of a face of one of them, or along the common
   * perpendicular of two edges (separating axes). In the first case the face of the other that
   * looks at it is clipped by its borders, and the corners of what remains are the points; in the
   * second the point is between the closest points of both edges. A face is preferred to edges
   * that are farther apart by rounding only.
   *
   * Returns how far the boxes are apart along that axis, at most their distance.
   */
  double boxContacts(const PlacedBox& first, const PlacedBox& second, double tolerance,
                     Vector3& normal, std::vector<BoxContact>& contacts);

} // namespace Dune::Impact

#endif
