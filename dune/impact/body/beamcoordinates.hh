// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_BEAMCOORDINATES_HH
#define DUNE_IMPACT_BODY_BEAMCOORDINATES_HH

#include <dune/impact/common/types.hh>
#include <dune/impact/geometry/se3.hh>

/** \file
 * \ingroup impact_body
 * \brief Where the numbers of a node of a beam are: a rotation by rows and a displacement, and a
 * twist
 */

namespace Dune::Impact {

  //! Views of the numbers of a node in a configuration q or in velocities v
  namespace BeamCoordinates {

    using RotationRows = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>;
    using ConstMap3 = Eigen::Map<const Vector3>;
    using ConstMap6 = Eigen::Map<const Vector6>;
    using Map3 = Eigen::Map<Vector3>;
    using Map6 = Eigen::Map<Vector6>;

    inline RotationRows rotation(ConstSpan q, std::size_t node)
    {
      return RotationRows(q.data() + 12 * node);
    }
    inline ConstMap3 offset(ConstSpan q, std::size_t node)
    {
      return ConstMap3(q.data() + 12 * node + 9);
    }
    inline ConstMap6 twist(ConstSpan v, std::size_t node)
    {
      return ConstMap6(v.data() + 6 * node);
    }
    inline Map6 twist(Span v, std::size_t node)
    {
      return Map6(v.data() + 6 * node);
    }

    inline void setRotation(Span q, std::size_t node, const Matrix3& R)
    {
      Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(q.data() + 12 * node) = R;
    }

    inline Map3 offset(Span q, std::size_t node)
    {
      return Map3(q.data() + 12 * node + 9);
    }

  } // namespace BeamCoordinates

} // namespace Dune::Impact

#endif
