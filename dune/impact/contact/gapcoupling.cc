// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <array>

#include <dune/impact/contact/gapcoupling.hh>

namespace Dune::Impact {

  template<int dim>
  void NodalObstacleGap<dim>::addGaps(double t, ConstSpan u, std::size_t slotOffset, GapSet<dim>& gaps) const
  {
    using Derivative = typename GapSet<dim>::Derivative;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const SurfaceNode<dim>& node = nodes_[i];
      Vec3 reference(0), displacement(0);
      for (int c = 0; c < dim; ++c) {
        reference[c] = node.reference[c];
        displacement[c] = u[node.node * dim + c];
      }
      const auto [distance, direction] = obstacle_->distance(t, reference, displacement);
      FieldVector<double, dim> gradient;
      for (int c = 0; c < dim; ++c)
        gradient[c] = direction[c];
      FieldVector<double, dim> normal = gradient;
      normal *= -1.0;
      gradient *= node.area;
      gaps.add({slotOffset + i, node.node, node.area * distance, node.area, normal}, std::array{Derivative{node.node, gradient}});
    }
  }

  template class NodalObstacleGap<2>;
  template class NodalObstacleGap<3>;

} // namespace Dune::Impact
