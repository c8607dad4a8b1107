// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/contact/beam/beampoints.hh>

namespace Dune::Impact {

  const Beam* roundBeam(const System& system, std::size_t body)
  {
    const auto* beam = dynamic_cast<const Beam*>(&system.body(body));
    if (!beam || beam->formulation() != BeamFormulation::exponential ||
        !(beam->section().radius > 0))
      throw InputError(
        fmt::format("{} is not a beam with a circular section and exponential formulation",
                    system.body(body).name()));
    return beam;
  }

  std::vector<BeamPiece> beamPieces(const Beam& beam, const PointHandle& handle, ConstSpan q)
  {
    const ConstSpan own = handle.slice(q);
    std::vector<BeamPiece> result;
    for (std::size_t e = 0; e < beam.elements(); ++e)
      result.push_back({beam.frame(own, e), beam.relativeTwist(own, e)});
    return result;
  }

  //! E I/L^3 with the smaller bending stiffness and the length of the first element
  double bendingStiffness(const Beam& beam)
  {
    const double L = beam.elementLength(0);
    return beam.section().stiffness.head<2>().minCoeff() / (L * L * L);
  }

  /* Points with the length w_i and the functions of their multipliers: one at collocation points;
   * for mortar methods three Gauss points per element with the hat functions 1 - s, s or the dual
   * ones 2 - 3 s, 3 s - 1, for which int psi_i N_j = delta_ij int N_j. Multipliers at nodes have
   * half of the length of each element at the node. */
  BeamContactPoints::BeamContactPoints(const Beam& beam, BeamConstraints constraints)
  {
    const std::size_t n = beam.elements();
    const bool atNodes =
      constraints != BeamConstraints::midpoints && constraints != BeamConstraints::gaussTwo;
    const std::size_t perElement = constraints == BeamConstraints::gaussTwo ? 2 : 1;
    const auto inside = gaussRule(int(perElement)), mortar = gaussRule(3);
    weight.assign(atNodes ? n + 1 : perElement * n, 0);
    coordinate.assign(weight.size(), 0);
    double begin = 0;
    for (std::size_t e = 0; e < n; ++e) {
      const double L = beam.elementLength(e);
      if (atNodes) {
        weight[e] += 0.5 * L;
        weight[e + 1] += 0.5 * L;
        coordinate[e + 1] = begin + L;
      }
      for (std::size_t k = 0; !atNodes && k < perElement; ++k) {
        const std::size_t multiplier = perElement * e + k;
        weight[multiplier] = inside[k].weight * L;
        coordinate[multiplier] = begin + inside[k].s * L;
        points.push_back({e, inside[k].s, weight[multiplier], {{multiplier, 1.0}}});
      }
      if (constraints == BeamConstraints::mortar || constraints == BeamConstraints::dualMortar)
        for (const auto& [s, w] : mortar) {
          const bool dual = constraints == BeamConstraints::dualMortar;
          points.push_back(
            {e, s, w * L, {{e, dual ? 2 - 3 * s : 1 - s}, {e + 1, dual ? 3 * s - 1 : s}}});
        }
      begin += L;
    }
    if (constraints == BeamConstraints::nodes)
      for (std::size_t a = 0; a <= n; ++a)
        points.push_back({std::min(a, n - 1), a < n ? 0.0 : 1.0, weight[a], {{a, 1.0}}});
  }

  //! w_j = sum_i w_i N_j(s_i) over points with a partner. Dual functions change sign: a multiplier
  //! with w_j <= 0.05 sum_i w_i |N_j(s_i)| gets zero, since its W_ji would be large.
  std::vector<double> BeamContactPoints::sums(const std::vector<char>& hasPartner) const
  {
    std::vector<double> sum(size(), 0), total(size(), 0);
    for (std::size_t i = 0; i < points.size(); ++i)
      if (hasPartner[i])
        for (const auto& [multiplier, value] : points[i].multipliers) {
          sum[multiplier] += points[i].weight * value;
          total[multiplier] += points[i].weight * std::abs(value);
        }
    for (std::size_t multiplier = 0; multiplier < size(); ++multiplier)
      if (!(sum[multiplier] > 0.05 * total[multiplier]))
        sum[multiplier] = 0;
    return sum;
  }

} // namespace Dune::Impact
