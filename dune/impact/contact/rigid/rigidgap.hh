// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_RIGID_RIGIDGAP_HH
#define DUNE_IMPACT_CONTACT_RIGID_RIGIDGAP_HH

#include <optional>
#include <vector>

#include <dune/impact/contact/mortar/surfacesamples.hh>
#include <dune/impact/contact/rigid/rigidcontact.hh>

/** \file
 * \ingroup impact_contact_rigid
 * \brief Gaps between the surface of a solid and a rigid body, for implicit methods
 */

namespace Dune::Impact {

  /** \brief A surface in front of a rigid body that moves
   *
   * With the signed distance g of the shape, the rotation Lambda and the centre X of the body
   *
   *     c_p = sum_q W_qp g(y_q),   y_q = Lambda^T (x_q - X),   n_q = Lambda grad g(y_q)
   *
   * at the points of SurfaceSamples. The rigid body has two nodes in the derivatives, the centre,
   * -sum_q W_qp n_q, and the turn (a rotation in space), -sum_q W_qp (x_q - X) x n_q.
   *
   * Between two configurations with Lambda_1 = cay(theta) Lambda_0 the increments of a sample seen
   * from the body are
   *
   *     s_q = D_q - DX - theta x (x_q - X)_mean = (1 - theta^/2) Lambda_1 (y_q1 - y_q0).
   *
   * So n_q = (1 + theta^/2)^-1 Lambda_1 G, with the discrete gradient G of g between y_q0 and y_q1,
   * does the work n_q . s_q = g(y_q1) - g(y_q0). The row with these n_q at the mean places has no
   * resultant and no moment, whatever n_q is.
   *
   * The curvature of the gaps is left out.
   */
  class RigidGap : public WeightedGapGeometry<3>
  {
  public:
    /** \brief The shape must have one surface
     *
     * \param reach  nodes farther away have no gap; without it two facets of the solid or the size
     * of the body
     */
    RigidGap(ContactSurface<3> surface, const RigidSide& side, std::size_t member,
             ObstacleGapKind kind, std::optional<double> reach = {});

    const ContactSurface<3>& surface() const override { return samples_.surface(); }
    const ContactSurface<3>* mortarSurface() const override { return nullptr; }
    std::optional<std::size_t> secondBody() const override { return side_.bodyIndex; }
    void addGaps(double t, ConstSpan q, std::size_t multiplierOffset,
                 WeightedGaps<3>& gaps) const override;
    void addCurvature(double, ConstSpan, std::span<const double>,
                      std::vector<MatrixBlock<3>>&) const override
    {}
    std::optional<double> distance(double t, ConstSpan q,
                                   const FieldVector<double, 3>& x) const override;
    bool discreteGradient(ConstSpan q0, ConstSpan q1, std::size_t multiplier,
                          std::vector<NodeEntry<3>>& row) const override;

    //! The node of the centre; that of the turn is the next one
    std::size_t centreNode() const { return side_.velocityOffset / 3 + 2 * member_; }

  private:
    using Sample = SurfaceSamples<3>::Sample;

    Vector3 position(const Sample& sample, ConstSpan q) const;

    SurfaceSamples<3> samples_;
    RigidSide side_;
    std::size_t member_;
    double reach_;
  };

} // namespace Dune::Impact

#endif
