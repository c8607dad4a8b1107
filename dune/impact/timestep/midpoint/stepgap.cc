// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/impact/timestep/midpoint/stepgap.hh>

namespace Dune::Impact {

  /* A geometry that knows more than nodes makes the row itself. For others it comes from the
   * derivatives at both ends; rigid motions are removed from it if both sides are bodies. */
  template<int dim>
  void StepGap<dim>::discreteGradient(Row& row) const
  {
    if (geometry->discreteGradient(motion->x, motion->end, multiplier, row))
      return;
    using Positions = std::span<const FieldVector<double, dim>>;
    const Positions positions = geometry->mortarSurface() ? motion->positions : Positions();
    const auto& made =
      motion->gradient.row(startDerivative, derivative, motion->x, motion->z, positions,
                           obstacleIncrement, gap->value - start->value, motion->length);
    row.assign(made.begin(), made.end());
  }

  template struct StepGap<2>;
  template struct StepGap<3>;

} // namespace Dune::Impact
