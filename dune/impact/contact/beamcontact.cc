// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/contact/beamcontact.hh>

namespace Dune::Impact {

  namespace {

    const Beam* roundBeam(const System& system, std::size_t body)
    {
      const auto* beam = dynamic_cast<const Beam*>(&system.body(body));
      if (!beam || beam->formulation() != BeamFormulation::exponential || !(beam->section().radius > 0))
        throw InputError(fmt::format("{} is not a beam with a circular section and exponential formulation", system.body(body).name()));
      return beam;
    }

    FieldVector<double, 3> toField(const Vector3& x)
    {
      return {x[0], x[1], x[2]};
    }

    Vec3 toVec3(const Vector3& x)
    {
      return {x[0], x[1], x[2]};
    }

  } // namespace

  BeamContact::BeamContact(const System& system, std::size_t nonmortar, std::size_t mortar, BeamConstraints constraints)
    : firstHandle_(system.point(nonmortar, 0)), secondHandle_(system.point(mortar, 0)), first_(roundBeam(system, nonmortar)), second_(roundBeam(system, mortar))
  {
    const std::size_t n = first_->elements();
    double begin = 0, longest = 0;
    const bool atNodes = constraints != BeamConstraints::midpoints;
    weight_.assign(atNodes ? n + 1 : n, 0);
    coordinate_.assign(weight_.size(), 0);
    for (std::size_t e = 0; e < n; ++e) {
      const double L = first_->elementLength(e);
      if (atNodes) {
        weight_[e] += 0.5 * L;
        weight_[e + 1] += 0.5 * L;
        coordinate_[e + 1] = begin + L;
      }
      else {
        weight_[e] = L;
        coordinate_[e] = begin + 0.5 * L;
      }
      begin += L;
    }
    if (constraints == BeamConstraints::midpoints)
      for (std::size_t e = 0; e < n; ++e)
        addPoint(e, 0.5, weight_[e], {{e, 1.0}});
    else if (constraints == BeamConstraints::nodes)
      for (std::size_t a = 0; a <= n; ++a)
        addPoint(std::min(a, n - 1), a < n ? 0 : 1, weight_[a], {{a, 1.0}});
    else
      for (std::size_t e = 0; e < n; ++e)
        for (const auto& [s, w] : gaussRule(3)) {
          const bool dual = constraints == BeamConstraints::dualMortar;
          addPoint(e, s, w * first_->elementLength(e), {{e, dual ? 2 - 3 * s : 1 - s}, {e + 1, dual ? 3 * s - 1 : s}});
        }
    for (std::size_t e = 0; e < second_->elements(); ++e)
      longest = std::max(longest, second_->elementLength(e));
    margin_ = 2 * (first_->section().radius + second_->section().radius) + 0.5 * longest;
    bulge_ = 0.5 * longest;
    tree_ = Tree(boxes(pieces(*second_, secondHandle_, system.initialState().q)));
  }

  void BeamContact::addPoint(std::size_t element, double s, double weight, std::vector<std::pair<std::size_t, double>> slots)
  {
    points_.push_back({element, s, weight, std::move(slots)});
  }

  double BeamContact::stiffness() const
  {
    const double L = first_->elementLength(0);
    return first_->section().stiffness.head<2>().minCoeff() / (L * L * L);
  }

  std::vector<BeamPiece> BeamContact::pieces(const Beam& beam, const PointHandle& handle, ConstSpan q) const
  {
    const ConstSpan own = handle.slice(q);
    std::vector<BeamPiece> result;
    for (std::size_t e = 0; e < beam.elements(); ++e)
      result.push_back({beam.frame(own, e), beam.relativeTwist(own, e)});
    return result;
  }

  //! Boxes around three points of the elements; the search allows for the bulge between them
  std::vector<Box<3>> BeamContact::boxes(const std::vector<BeamPiece>& pieces) const
  {
    std::vector<Box<3>> result(pieces.size());
    for (std::size_t e = 0; e < pieces.size(); ++e)
      for (double s : {0.0, 0.5, 1.0})
        result[e].add(toField(pieces[e].frame(s).position));
    return result;
  }

  std::optional<BeamContact::Partner> BeamContact::partner(ConstSpan q, const Vector3& x) const
  {
    const auto all = pieces(*second_, secondHandle_, q);
    Tree::Boxes tree;
    tree_.refit(boxes(all), tree);
    return closest(all, tree, x);
  }

  //! Start from the nearest chord
  std::optional<BeamContact::Partner> BeamContact::closest(const std::vector<BeamPiece>& pieces, const Tree::Boxes& boxes, const Vector3& x) const
  {
    Box<3> box;
    box.add(toField(x));
    std::optional<Partner> best;
    double smallest = std::numeric_limits<double>::infinity();
    tree_.query(boxes, box.inflated(margin_ + bulge_), [&](std::size_t e) {
      const Vector3 a = pieces[e].left.position, d = pieces[e].frame(1).position - a;
      const double s = std::clamp(d.dot(x - a) / d.squaredNorm(), 0.0, 1.0), distance = (a + s * d - x).squaredNorm();
      if (distance < smallest || (distance == smallest && best && e < best->element)) {
        smallest = distance;
        best = Partner{e, s, false};
      }
    });
    if (!best)
      return {};
    const auto partner = follow(pieces, *best, x);
    return partner && (pieces[partner->element].frame(partner->eta).position - x).norm() <= margin_ ? partner : std::nullopt;
  }

  /* Newton's method for the closest point, element by element; where the second derivative of the distance is
   * not positive it goes downhill. */
  std::optional<BeamContact::Partner> BeamContact::follow(const std::vector<BeamPiece>& pieces, Partner at, const Vector3& x) const
  {
    const std::size_t last = pieces.size() - 1;
    int direction = 0; // of the last change of the element
    for (int i = 0; i < 100; ++i) {
      const ClosestPointEquation equation(pieces[at.element], at.eta, x);
      const double slope = equation.slope > 0.1 * equation.size ? equation.slope : equation.size;
      const double eta = at.eta - std::clamp(equation.value / slope, -0.5, 0.5), change = std::abs(eta - at.eta);
      if (eta < 0 && at.element > 0) {
        if (direction > 0)
          return Partner{at.element, 0, true};
        --at.element;
        at.eta = 1;
        direction = -1;
      }
      else if (eta > 1 && at.element < last) {
        if (direction < 0)
          return Partner{at.element, 1, true};
        ++at.element;
        at.eta = 0;
        direction = 1;
      }
      else {
        at.eta = eta;
        if (change <= 1e-14)
          break;
      }
    }
    if (at.eta < -0.5 || at.eta > 1.5)
      return std::nullopt;
    return at;
  }

  void BeamContact::evaluate(double, ConstSpan q, ConstSpan previous, ConstSpan l, FrictionRows& rows) const
  {
    const auto one = pieces(*first_, firstHandle_, q), oneBefore = pieces(*first_, firstHandle_, previous);
    const auto two = pieces(*second_, secondHandle_, q), twoBefore = pieces(*second_, secondHandle_, previous);
    Tree::Boxes tree;
    tree_.refit(boxes(two), tree);
    std::vector<std::optional<Partner>> partners;
    std::vector<double> sum(slots(), 0), total(slots(), 0);
    for (const Point& point : points_) {
      partners.push_back(closest(two, tree, one[point.element].frame(point.s).position));
      for (const auto& [slot, value] : point.slots)
        if (partners.back()) {
          sum[slot] += point.weight * value;
          total[slot] += point.weight * std::abs(value);
        }
    }
    rows = {};
    rows.g.assign(3 * slots(), 0);
    rows.valid.assign(slots(), 0);
    for (std::size_t slot = 0; slot < slots(); ++slot)
      rows.valid[slot] = sum[slot] > 0.05 * total[slot];

    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Point& point = points_[i];
      if (!partners[i])
        continue;
      Vector3 force = Vector3::Zero();
      for (const auto& [slot, value] : point.slots)
        if (rows.valid[slot])
          force += point.weight * value / sum[slot] * Vector3(l[3 * slot], l[3 * slot + 1], l[3 * slot + 2]);
      const Partner& partner = *partners[i];
      const BeamPoint contact({one[point.element], oneBefore[point.element], first_->section().radius}, point.s,
                              {two[partner.element], twoBefore[partner.element], second_->section().radius}, partner.eta, partner.held, force);
      const std::array<std::size_t, 2> dof = {firstHandle_.velocityOffset + 6 * point.element, secondHandle_.velocityOffset + 6 * partner.element};
      auto column = [&](int j) { return int(dof[j < 12 ? 0 : 1]) + j % 12; };
      for (const auto& [slot, value] : point.slots) {
        if (!rows.valid[slot])
          continue;
        const double w = point.weight * value / sum[slot];
        for (int c = 0; c < 3; ++c) {
          rows.g[3 * slot + std::size_t(c)] += w * contact.g[c];
          for (int j = 0; j < 24; ++j) {
            rows.derivative.emplace_back(int(3 * slot) + c, column(j), w * contact.derivative(c, j));
            rows.rows.emplace_back(int(3 * slot) + c, column(j), w * contact.rows(c, j));
          }
        }
      }
      if (!force.isZero(0))
        for (int a = 0; a < 24; ++a)
          for (int b = 0; b < 24; ++b)
            rows.stiffness.emplace_back(column(a), column(b), contact.stiffness(a, b));
      rows.minGap = std::min(rows.minGap, contact.g[0]);
      rows.force -= toVec3(contact.force);
    }
  }

} // namespace Dune::Impact
