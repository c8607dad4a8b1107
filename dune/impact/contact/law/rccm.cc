// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>

#include <dune/impact/contact/law/rccm.hh>

namespace Dune::Impact {

  //! g = u_0 (u_c - alpha)/(alpha (u_c - u_0)): one at alpha = u_0 and zero at alpha = u_c, so that
  //! the traction g b f falls linearly with f = alpha
  double RccmLaw::degradation(double alpha) const
  {
    if (alpha <= elasticLimit)
      return 1;
    if (alpha >= rupture)
      return 0;
    return elasticLimit * (rupture - alpha) / (alpha * (rupture - elasticLimit));
  }

  double RccmLaw::size(double opening, double sliding2) const
  {
    const double open = std::max(opening, 0.0);
    return std::sqrt(open * open + modeMix * sliding2);
  }

  //! Without delay alpha = max(alpha, min(f, u_c)); with delay one explicit Euler step of its rate
  //! u_c/tau_c (1 - exp(-a/u_c <f - alpha>_+)), bounded by u_c
  double RccmLaw::advance(double alpha, double f, double h) const
  {
    if (delayTime == 0)
      return std::max(alpha, std::min(f, rupture));
    const double rate =
      -rupture / delayTime * std::expm1(-delayExponent / rupture * std::max(f - alpha, 0.0));
    return std::min(rupture, alpha + h * rate);
  }

  namespace {

    //! Present tangents of a facet at the place of a bond; in the plane the second is the third
    //! axis
    struct FacetFrame
    {
      Vec3 place = {0, 0, 0}, first = {0, 0, 0}, second = {0, 0, 0}, normal;
      double length; //!< of the product of the tangents

      FacetFrame(ConstSpan q, const RccmInterface::Bond& bond)
      {
        for (std::size_t j = 0; j < bond.facet.size(); ++j) {
          const Vec3 y = bond.facet[j].position(q);
          place.axpy(bond.weight[j], y);
          first.axpy(bond.slope[0][j], y);
          if (!bond.slope[1].empty())
            second.axpy(bond.slope[1][j], y);
        }
        if (bond.slope[1].empty())
          second = {0, 0, 1};
        normal = cross(first, second);
        length = normal.two_norm();
        normal /= length;
      }
    };

  } // namespace

  RccmInterface::RccmInterface(const RccmLaw& law, std::vector<Bond> bonds,
                               std::shared_ptr<const Obstacle> obstacle,
                               std::vector<std::vector<std::size_t>> facets)
    : law_(law)
    , bonds_(std::move(bonds))
    , obstacle_(std::move(obstacle))
    , facets_(std::move(facets))
  {}

  Vec3 RccmInterface::obstacleDisplacement(double t) const
  {
    return obstacle_ && obstacle_->moves() ? obstacle_->displacement(t) : Vec3(0);
  }

  //! d = x - y, opening u_N = n . d and sliding u_T = d - u_N n, with the normal of the obstacle at
  //! the start or the present one of the facet
  RccmInterface::Jump RccmInterface::jump(double t, ConstSpan q, std::size_t i) const
  {
    const Bond& bond = bonds_[i];
    Jump result;
    Vec3 d;
    if (bond.facet.empty()) { // differences of references first: a small jump keeps its digits
      d = (bond.point.reference() - bond.anchor) +
          (bond.point.displacement(q) - obstacleDisplacement(t));
      result.normal = bond.normal;
    }
    else {
      const FacetFrame frame(q, bond);
      d = bond.point.position(q) - frame.place;
      result.normal = frame.normal;
    }
    result.opening = result.normal * d;
    result.sliding = d;
    result.sliding.axpy(-result.opening, result.normal);
    return result;
  }

  void RccmInterface::advance(double t, ConstSpan q, double h, Span damage) const
  {
    for (std::size_t i = 0; i < bonds_.size(); ++i) {
      if (law_.broken(damage[i]))
        continue;
      const Jump j = jump(t, q, i);
      damage[i] = law_.advance(damage[i], law_.size(j.opening, j.sliding.two_norm2()), h);
    }
  }

  /* With u = u_N, psi = S g/2 (k u^2 + b_T |d|^2), k = b_N - b_T where u > 0 and -b_T elsewhere:
   *
   *     d psi = S g (k u n + b_T d) . (dx - dy) + S g k u d . dn
   *     d . dn = u_T . (da x b + a x db) / |a x b|
   *
   * for a facet with the tangents a, b. */
  RccmInterface::Sample RccmInterface::sample(double t, ConstSpan q, const Bond& bond,
                                              double degradation) const
  {
    const Jump j = jump(t, q, std::size_t(&bond - bonds_.data()));
    Vec3 d = j.sliding;
    d.axpy(j.opening, j.normal);
    const double factor = bond.area * degradation, bT = law_.tangentialStiffness;
    const double k = (j.opening > 0 ? law_.normalStiffness : 0.0) - bT;
    Sample s;
    s.energy = 0.5 * factor * ((k + bT) * j.opening * j.opening + bT * j.sliding.two_norm2());
    s.position[0] = bond.facet.empty() ? bond.point.displacement(q) - obstacleDisplacement(t)
                                       : bond.point.position(q);
    s.force[0] = j.sliding;
    s.force[0] *= factor * bT;
    s.force[0].axpy(factor * (k + bT) * j.opening, j.normal);
    if (bond.facet.empty())
      return s;
    const FacetFrame frame(q, bond);
    const double turn = factor * k * j.opening / frame.length;
    const Vec3 along = cross(frame.second, j.sliding), across = cross(j.sliding, frame.first);
    s.places = 1 + bond.facet.size();
    for (std::size_t c = 0; c < bond.facet.size(); ++c) {
      s.position[c + 1] = bond.facet[c].position(q);
      Vec3& f = s.force[c + 1];
      f = s.force[0];
      f *= -bond.weight[c];
      f.axpy(turn * bond.slope[0][c], along);
      if (!bond.slope[1].empty())
        f.axpy(turn * bond.slope[1][c], across);
    }
    return s;
  }

  double RccmInterface::energy(double t, ConstSpan q, ConstSpan damage) const
  {
    double sum = 0;
    for (std::size_t i = 0; i < bonds_.size(); ++i)
      if (!law_.broken(damage[i]))
        sum += sample(t, q, bonds_[i], law_.degradation(damage[i])).energy;
    return sum;
  }

  //! p -= weight dpsi/dq: derivatives by the positions of the point and the corners of the facet,
  //! pulled back to the dofs
  void RccmInterface::addForce(double t, ConstSpan q, ConstSpan damage, double weight, Span p) const
  {
    SparseVector functional;
    for (std::size_t i = 0; i < bonds_.size(); ++i) {
      if (law_.broken(damage[i]))
        continue;
      const Bond& bond = bonds_[i];
      const Sample s = sample(t, q, bond, law_.degradation(damage[i]));
      functional.clear();
      bond.point.addFunctional(q, s.force[0], functional);
      for (std::size_t c = 0; c < bond.facet.size(); ++c)
        bond.facet[c].addFunctional(q, s.force[c + 1], functional);
      addTo(functional, -weight, p);
    }
  }

  //! S g (b_T I + (b_N - b_T) n n^T) on x - sum_j N_j y_j: three functionals along the axes of
  //! space, and one along n. The derivative of n is left out.
  void RccmInterface::addStiffness(double t, ConstSpan q, ConstSpan damage, Triplets& entries) const
  {
    SparseVector functional;
    for (std::size_t i = 0; i < bonds_.size(); ++i) {
      const Bond& bond = bonds_[i];
      const double factor = bond.area * (damage.empty() ? 1 : law_.degradation(damage[i]));
      const Vec3 n = jump(t, q, i).normal;
      for (int c = 0; c < 3; ++c) { // e_c n n^T e_c terms are split as (b_N - b_T) n n^T + b_T I
        Vec3 axis(0);
        axis[c] = 1;
        functional.clear();
        bond.point.addFunctional(q, axis, functional);
        for (std::size_t k = 0; k < bond.facet.size(); ++k)
          bond.facet[k].addFunctional(q, axis * -bond.weight[k], functional);
        for (const Entry& a : functional)
          for (const Entry& b : functional)
            if (a.value != 0 && b.value != 0)
              entries.emplace_back(int(a.dof), int(b.dof),
                                   factor * law_.tangentialStiffness * a.value * b.value);
      }
      functional.clear();
      bond.point.addFunctional(q, n, functional);
      for (std::size_t k = 0; k < bond.facet.size(); ++k)
        bond.facet[k].addFunctional(q, n * -bond.weight[k], functional);
      for (const Entry& a : functional)
        for (const Entry& b : functional)
          entries.emplace_back(int(a.dof), int(b.dof),
                               factor * (law_.normalStiffness - law_.tangentialStiffness) *
                                 a.value * b.value);
    }
  }

  /* Sums over the bonds, with the positions d and forces f of the point and the corners of its
   * facet at both ends: energy 1/2 (psi_0 + psi_1) - 1/4 (d_1 - d_0) . (f_1 - f_0) and defect
   * psi_1 - psi_0 - 1/2 (d_1 - d_0) . (f_0 + f_1) */
  RccmInterface::Interval RccmInterface::interval(double t0, ConstSpan q0, double t1, ConstSpan q1,
                                                  ConstSpan damage) const
  {
    Interval result;
    for (std::size_t i = 0; i < bonds_.size(); ++i) {
      if (law_.broken(damage[i]))
        continue;
      const double g = law_.degradation(damage[i]);
      const Sample a = sample(t0, q0, bonds_[i], g), b = sample(t1, q1, bonds_[i], g);
      double sum = 0, difference = 0;
      for (std::size_t c = 0; c < a.places; ++c) {
        const Vec3 d = b.position[c] - a.position[c];
        sum += d * (a.force[c] + b.force[c]);
        difference += d * (b.force[c] - a.force[c]);
      }
      result.energy += 0.5 * (a.energy + b.energy) - 0.25 * difference;
      result.defect += b.energy - a.energy - 0.5 * sum;
    }
    return result;
  }

  VisualizationData RccmInterface::picture(double t, ConstSpan q, ConstSpan damage,
                                           ConstSpan forces) const
  {
    VisualizationData visual;
    VisualizationField lost{"damage", 1, {}}, length{"damage_length", 1, {}}, opening{"gap", 1, {}},
      sliding{"sliding", 3, {}}, traction{"traction", 3, {}};
    VisualizationField normal{"normal", 3, {}}, pressure{"pressure", 1, {}},
      status{"status", 1, {}};
    for (std::size_t i = 0; i < bonds_.size(); ++i) {
      const double g = law_.degradation(damage[i]);
      const Jump j = jump(t, q, i);
      const Vec3 pull = sample(t, q, bonds_[i], g).force[0] / -bonds_[i].area;
      visual.points.push_back(bonds_[i].point.position(q));
      lost.values.push_back(1 - g);
      length.values.push_back(damage[i]);
      opening.values.push_back(j.opening);
      normal.values.insert(normal.values.end(), j.normal.begin(), j.normal.end());
      pressure.values.push_back(forces[i] / bonds_[i].area);
      status.values.push_back(forces[i] > 0);
      sliding.values.insert(sliding.values.end(), j.sliding.begin(), j.sliding.end());
      traction.values.insert(traction.values.end(), pull.begin(), pull.end());
    }
    for (const auto& facet : facets_) {
      visual.cells.push_back(facet.size() == 2   ? VisualizationCell::line
                             : facet.size() == 3 ? VisualizationCell::triangle
                                                 : VisualizationCell::quadrilateral);
      visual.connectivity.insert(visual.connectivity.end(), facet.begin(), facet.end());
      visual.offsets.push_back(visual.connectivity.size());
    }
    VisualizationField multiplier = pressure; // of a node: its force over the area of its bond
    multiplier.name = "multiplier";
    visual.pointFields = {lost,     length,   opening,    sliding, normal,
                          traction, pressure, multiplier, status};
    return visual;
  }

  //! -1/2 f . (o_after - o_before) of the bonds that are not broken, with the displacement o of the
  //! obstacle and f = dpsi/dx of the point at time t
  double RccmInterface::obstacleWork(double t, double before, double after, ConstSpan q,
                                     ConstSpan damage) const
  {
    if (!obstacle_ || !obstacle_->moves())
      return 0;
    const Vec3 path = obstacle_->displacement(after) - obstacle_->displacement(before);
    double sum = 0;
    for (std::size_t i = 0; i < bonds_.size(); ++i)
      if (!law_.broken(damage[i]))
        sum -= 0.5 * (sample(t, q, bonds_[i], law_.degradation(damage[i])).force[0] * path);
    return sum;
  }

} // namespace Dune::Impact
