// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dune/impact/timestep/midpoint/implicitproblem.hh>

/* Scale and round-off of the forces of ImplicitProblem */

namespace Dune::Impact {

  namespace {

    double maxNorm(ConstSpan x)
    {
      double result = 0;
      for (double value : x)
        result = std::max(result, std::abs(value));
      return result;
    }

  } // namespace

  //! 2 m/tau^2 + k/2, or k without inertia: force per displacement
  template<int dim>
  double ImplicitProblem<dim>::resistance() const
  {
    return rule_.hasInertia() ? 2 * model_.mass / (h_ * h_) + 0.5 * model_.stiffness
                              : model_.stiffness;
  }

  //! The force that removes the largest overlap of the first guess
  template<int dim>
  double ImplicitProblem<dim>::contactForce()
  {
    const auto& gaps = gapsAt(
      configuration(rule_.gapPoint(), ConstSpan(data<dim>(predictor_), predictor_.size() * dim)));
    double overlap = 0;
    for (std::size_t p = 0; p < gaps.size(); ++p)
      overlap = std::max(overlap, -gaps[p].value / gaps[p].weight);
    return overlap * resistance();
  }

  //! The force that takes prescribed components from free flight to where they end; without inertia
  //! it is among the elastic forces of the first guess
  template<int dim>
  double ImplicitProblem<dim>::motionForce() const
  {
    if (!rule_.hasInertia())
      return 0;
    const ConstSpan a(data<dim>(predictor_), predictor_.size() * dim);
    double way = 0;
    for (std::size_t i = 0; i < model_.solidNodes() * dim; ++i)
      if (model_.isFixed(i))
        way = std::max(way, std::abs(a[i] - x_[i] - h_ * v_[i]));
    return way * resistance();
  }

  /* The forces that balance: inertia of the given motion, loads, elastic forces of the start, and
   * for static problems those of the first guess; contact; prescribed motion. Forces that deform
   * cells by less than the rounding of their size count as zero: a body from which contact has gone
   * is at rest. */
  template<int dim>
  double ImplicitProblem<dim>::forces()
  {
    std::vector<double> inertia(v_.size(), 0), elastic(v_.size(), 0);
    const ConstSpan u = rule_.hasInertia()
                          ? ConstSpan(x_)
                          : ConstSpan(data<dim>(predictor_), predictor_.size() * dim);
    for (const auto& member : model_.members) {
      if (rule_.hasInertia())
        member.body->addMassProduct(1 / h_, member.slice(ConstSpan(v_)),
                                    member.slice(Span(inertia)));
      member.body->addMidpointForce(member.slice(u), member.slice(u), 1,
                                    member.slice(Span(elastic)));
    }
    const double least = std::numeric_limits<double>::epsilon() * model_.stiffness * lengthScale();
    double scale = std::max(
      {maxNorm(inertia), maxNorm(load_), maxNorm(elastic), contactForce(), motionForce(), least});
    for (const RigidStep& one : rigid_)
      scale = std::max(scale, one.forces());
    return std::isfinite(scale) && scale > 0 ? scale : std::numeric_limits<double>::min();
  }

  /* Displacements have a relative error of half an epsilon each, and so have the sums that they
   * enter: max_i sum_j |K_ij| |z_j| epsilon. A plate whose cells are much wider than thick has
   * large K_ij that cancel, and no solver gets below this. */
  template<int dim>
  void ImplicitProblem<dim>::updateNoise(ConstSpan z)
  {
    const auto& matrix = workspace_.matrix;
    double largest = 0;
    for (std::size_t i = 0; i < matrix.size(); ++i) {
      FieldVector<double, dim> sum(0);
      for (const auto [begin, end] : matrix.row(i))
        for (std::size_t k = begin; k < end; ++k)
          for (int a = 0; a < dim; ++a)
            for (int b = 0; b < dim; ++b)
              sum[a] += std::abs(matrix.block(k)[a][b] * z[matrix.column(k) * dim + b]);
      largest = std::max(largest, sum.infinity_norm());
    }
    noise_ = std::numeric_limits<double>::epsilon() * largest;
  }

#define DUNE_IMPACT_INSTANTIATE(dim)                                                               \
  template double ImplicitProblem<dim>::resistance() const;                                        \
  template double ImplicitProblem<dim>::contactForce();                                            \
  template double ImplicitProblem<dim>::motionForce() const;                                       \
  template double ImplicitProblem<dim>::forces();                                                  \
  template void ImplicitProblem<dim>::updateNoise(ConstSpan);

  DUNE_IMPACT_INSTANTIATE(2)
  DUNE_IMPACT_INSTANTIATE(3)
#undef DUNE_IMPACT_INSTANTIATE

} // namespace Dune::Impact
