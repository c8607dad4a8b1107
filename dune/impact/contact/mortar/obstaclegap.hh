// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_MORTAR_OBSTACLEGAP_HH
#define DUNE_IMPACT_CONTACT_MORTAR_OBSTACLEGAP_HH

#include <memory>
#include <vector>

#include <dune/impact/contact/mortar/surfacesamples.hh>
#include <dune/impact/geometry/obstacle.hh>

/** \file
 * \ingroup impact_contact_mortar
 * \brief Gaps between a surface and an obstacle
 */

namespace Dune::Impact {

  /** \brief A surface in front of an obstacle with the signed distance g
   *
   *     c_p = sum_q W_qp g(x_q),   dc_p/dx_a = sum_q W_qp N_qa grad g(x_q)
   *
   * with the points and weights of SurfaceSamples. In front of a plane both kinds are the same.
   */
  template<int dim>
  class ObstacleGap : public WeightedGapGeometry<dim>
  {
  public:
    ObstacleGap(ContactSurface<dim> surface, std::shared_ptr<const Obstacle> obstacle,
                ObstacleGapKind kind);

    const ContactSurface<dim>& surface() const override { return samples_.surface(); }
    const ContactSurface<dim>* mortarSurface() const override { return nullptr; }
    void addGaps(double t, ConstSpan u, std::size_t multiplierOffset,
                 WeightedGaps<dim>& gaps) const override;
    void addCurvature(double t, ConstSpan u, std::span<const double> mu,
                      std::vector<MatrixBlock<dim>>& blocks) const override;
    FieldVector<double, dim> obstacleDisplacement(double t) const override;
    std::optional<double> distance(double t, ConstSpan u,
                                   const FieldVector<double, dim>& x) const override;

  private:
    using Sample = typename SurfaceSamples<dim>::Sample;

    Obstacle::Distance distanceOf(double t, ConstSpan u, const Sample& sample) const;

    SurfaceSamples<dim> samples_;
    std::shared_ptr<const Obstacle> obstacle_;
  };

  extern template class ObstacleGap<2>;
  extern template class ObstacleGap<3>;

} // namespace Dune::Impact

#endif
