// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <dune/impact/contact/beam/beamcontact.hh>
#include <dune/impact/geometry/closestpoint.hh>
#include <dune/impact/geometry/rigidmotion.hh>

namespace Dune::Impact {

  /* Partners are seen within margin_ = 2 (r1 + r2) + L/2 of the axis, with the length L of the
   * longest element of the mortar beam; bulge_ = L/2 bounds how far an element leaves the box of
   * its three points. */
  BeamContact::BeamContact(const System& system, std::size_t nonmortar, std::size_t mortar,
                           BeamConstraints constraints, BeamPartner partner)
    : firstHandle_(system.point(nonmortar, 0))
    , secondHandle_(system.point(mortar, 0))
    , first_(roundBeam(system, nonmortar))
    , second_(roundBeam(system, mortar))
    , multipliers_(*first_, constraints)
    , partner_(partner)
  {
    double longest = 0;
    for (std::size_t e = 0; e < second_->elements(); ++e)
      longest = std::max(longest, second_->elementLength(e));
    margin_ = 2 * (first_->section().radius + second_->section().radius) + 0.5 * longest;
    bulge_ = 0.5 * longest;
    tree_ = Tree(boxes(beamPieces(*second_, secondHandle_, system.initialState().q)));
  }

  std::string BeamContact::remedy() const
  {
    return partner_ == BeamPartner::closest
             ? "closest points jump where shear bends the axis of the other beam at its nodes, "
               "partner = section avoids it"
             : "";
  }

  //! Boxes around three points of the elements; the search allows for the bulge between them
  std::vector<Box<3>> BeamContact::boxes(const std::vector<BeamPiece>& pieces) const
  {
    std::vector<Box<3>> result(pieces.size());
    for (std::size_t e = 0; e < pieces.size(); ++e)
      for (double s : {0.0, 0.5, 1.0})
        result[e].add(toVec3(pieces[e].frame(s).position));
    return result;
  }

  std::optional<BeamContact::Partner> BeamContact::partner(ConstSpan q, const Vector3& x) const
  {
    const auto all = beamPieces(*second_, secondHandle_, q);
    Tree::Boxes tree;
    tree_.refit(boxes(all), tree);
    return closest(all, tree, x);
  }

  namespace {

    constexpr int chords = 8; // per element

    std::array<Vec3, chords + 1> polyline(const BeamPiece& piece)
    {
      std::array<Vec3, chords + 1> points;
      for (int i = 0; i <= chords; ++i)
        points[std::size_t(i)] = toVec3(piece.frame(double(i) / chords).position);
      return points;
    }

    //! Smallest distance of two chords, one of each element
    double polylineDistance(const BeamPiece& a, const BeamPiece& b)
    {
      const auto x = polyline(a), y = polyline(b);
      double smallest = std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i < chords; ++i)
        for (std::size_t j = 0; j < chords; ++j)
          smallest = std::min(smallest, segmentsDistance(x[i], x[i + 1], y[j], y[j + 1]));
      return smallest;
    }

  } // namespace

  //! Distance of the axes, as polygons with several chords per element, less the radii
  double BeamContact::gapAnywhere(ConstSpan q) const
  {
    const auto one = beamPieces(*first_, firstHandle_, q),
               two = beamPieces(*second_, secondHandle_, q);
    const double radii = first_->section().radius + second_->section().radius;
    const auto around = boxes(one);
    Tree::Boxes tree;
    tree_.refit(boxes(two), tree);
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t e = 0; e < one.size(); ++e)
      tree_.query(tree, around[e].inflated(radii), [&](std::size_t f) {
        smallest = std::min(smallest, polylineDistance(one[e], two[f]) - radii);
      });
    return smallest;
  }

  //! Partner on the mortar beam: Newton's method from the nearest of the straight chords of
  //! the elements in the search box. Nothing if it is farther away than margin_.
  std::optional<BeamContact::Partner> BeamContact::closest(const std::vector<BeamPiece>& pieces,
                                                           const Tree::Boxes& boxes,
                                                           const Vector3& x) const
  {
    Box<3> box;
    box.add(toVec3(x));
    std::optional<Partner> best;
    double smallest = std::numeric_limits<double>::infinity();
    tree_.query(boxes, box.inflated(margin_ + bulge_), [&](std::size_t e) {
      const Vector3 a = pieces[e].left.position, d = pieces[e].frame(1).position - a;
      const double s = std::clamp(d.dot(x - a) / d.squaredNorm(), 0.0, 1.0),
                   distance = (a + s * d - x).squaredNorm();
      if (distance < smallest || (distance == smallest && best && e < best->element)) {
        smallest = distance;
        best = Partner{e, s, false};
      }
    });
    if (!best)
      return {};
    const auto partner = follow(pieces, *best, x);
    return partner && (pieces[partner->element].frame(partner->eta).position - x).norm() <= margin_
             ? partner
             : std::nullopt;
  }

  /* Newton's method for the PartnerEquation d(eta) . (x_F(eta) - x) = 0, with steps of at most half
   * an element. Where the slope is small or negative d.x_F' takes its place, so that the step goes
   * downhill. Beyond an inner node it goes on at this node in the next element. If both elements
   * lead back to the node, a kink, the node itself is closest and eta is held; the equation of
   * sections is the same on both sides. The first and the last element go on by half an element. */
  std::optional<BeamContact::Partner> BeamContact::follow(const std::vector<BeamPiece>& pieces,
                                                          Partner at, const Vector3& x) const
  {
    const std::size_t last = pieces.size() - 1;
    int direction = 0; // of the last change of the element
    for (int i = 0; i < 100; ++i) {
      const PartnerEquation equation(partner_, pieces[at.element], at.eta, x);
      const double slope = equation.slope > 0.1 * equation.size ? equation.slope : equation.size;
      const double eta = at.eta - std::clamp(equation.value / slope, -0.5, 0.5);
      const bool small = std::abs(eta - at.eta) <= 1e-14;
      const int beyond = eta < 0 && at.element > 0 ? -1 : eta > 1 && at.element < last ? 1 : 0;
      if (beyond == 0) {
        at.eta = eta;
        if (small)
          break;
        continue;
      }
      const double node = beyond < 0 ? 0 : 1;
      if (partner_ == BeamPartner::section && small)
        return Partner{at.element, node, false};
      const Partner next{beyond < 0 ? at.element - 1 : at.element + 1, 1 - node, false};
      const auto leadsBack = [&] {
        return beyond * PartnerEquation(partner_, pieces[next.element], next.eta, x).value > 0;
      };
      if (partner_ == BeamPartner::closest && direction == -beyond && leadsBack())
        return Partner{at.element, node, true};
      at = next;
      direction = beyond;
    }
    if (at.eta < -0.5 || at.eta > 1.5)
      return std::nullopt;
    return at;
  }

  /* Multiplier j has g_j = sum_i W_ji g_i with W_ji = w_i N_j(s_i)/w_j, w_j the sum over the
   * points with a partner. The force at a point is sum_j W_ji l_j; B and the derivative of g are
   * summed with W_ji, the stiffness of a point is that at its force. */
  void BeamContact::evaluate(double, double, ConstSpan q, ConstSpan previous, ConstSpan l,
                             GapSlip& rows) const
  {
    const auto one = beamPieces(*first_, firstHandle_, q),
               oneBefore = beamPieces(*first_, firstHandle_, previous);
    const auto two = beamPieces(*second_, secondHandle_, q),
               twoBefore = beamPieces(*second_, secondHandle_, previous);
    Tree::Boxes tree;
    tree_.refit(boxes(two), tree);
    std::vector<std::optional<Partner>> partners;
    std::vector<char> found;
    for (const BeamContactPoints::Point& point : multipliers_.points) {
      partners.push_back(closest(two, tree, one[point.element].frame(point.s).position));
      found.push_back(partners.back().has_value());
    }
    const std::vector<double> sum = multipliers_.sums(found);
    rows = {};
    rows.g.assign(3 * multipliers(), 0);
    rows.valid.assign(multipliers(), 0);
    for (std::size_t multiplier = 0; multiplier < multipliers(); ++multiplier)
      rows.valid[multiplier] = sum[multiplier] > 0;

    for (std::size_t i = 0; i < multipliers_.points.size(); ++i) {
      const BeamContactPoints::Point& point = multipliers_.points[i];
      if (!partners[i])
        continue;
      Vector3 force = Vector3::Zero();
      for (const auto& [multiplier, value] : point.multipliers)
        if (rows.valid[multiplier])
          force += point.weight * value / sum[multiplier] *
                   Vector3(l[3 * multiplier], l[3 * multiplier + 1], l[3 * multiplier + 2]);
      const Partner& partner = *partners[i];
      const BeamPoint contact(
        {one[point.element], oneBefore[point.element], first_->section().radius}, point.s,
        {two[partner.element], twoBefore[partner.element], second_->section().radius},
        {partner.eta, partner.held, partner_}, force);
      const std::array<std::size_t, 2> dof = {firstHandle_.velocityOffset + 6 * point.element,
                                              secondHandle_.velocityOffset + 6 * partner.element};
      auto column = [&](int j) { return int(dof[j < 12 ? 0 : 1]) + j % 12; };
      for (const auto& [multiplier, value] : point.multipliers) {
        if (!rows.valid[multiplier])
          continue;
        const double w = point.weight * value / sum[multiplier];
        for (int c = 0; c < 3; ++c) {
          rows.g[3 * multiplier + std::size_t(c)] += w * contact.g[c];
          for (int j = 0; j < 24; ++j) {
            rows.derivative.emplace_back(int(3 * multiplier) + c, column(j),
                                         w * contact.derivative(c, j));
            rows.rows.emplace_back(int(3 * multiplier) + c, column(j), w * contact.rows(c, j));
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
