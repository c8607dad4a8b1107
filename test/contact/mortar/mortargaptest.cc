// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <string>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/contact/mortar/mortargap.hh>
#include <dune/impact/contact/test/checkweightedgaps.hh>

#include "polylines.hh"

using namespace Dune;
using namespace Dune::Impact;

using Test::Numbers;

const std::vector<MortarGapKind> kinds = {MortarGapKind::smoothedNormal,
                                          MortarGapKind::closestPoint};

//! A wavy lower side of a body over a wavy floor
struct Waves
{
  Polylines lines;
  ContactSurface<2> upper, floor;

  //! Floor from left to right; the upper body from 0 to 10
  Waves(double left, double right, double gap)
  {
    upper = lines.add(
      10, [&](double s) { return FieldVector<double, 2>{10 * s, gap + 0.1 * std::sin(8 * s)}; });
    floor = lines.add(13, [&](double s) {
      return FieldVector<double, 2>{right + (left - right) * s, 0.08 * std::cos(5 * s)};
    });
  }
};

TestSuite testFull()
{
  TestSuite test("covered wholly");
  for (auto kind : kinds)
    for (double gap : {0.3, -0.2}) {
      Waves waves(-2, 12, gap);
      const MortarGap<2> coupling(waves.upper, waves.floor, {.gap = kind});
      const Numbers u = waves.lines.shaken(0.03);
      test.subTest(checkWeightedGaps(coupling, u, {.length = 0.02}));
      WeightedGaps<2> gaps;
      coupling.addGaps(0, u, 0, gaps);
      test.check(gaps.size() == 11, "all nodes have gaps") << gaps.size();
    }
  return test;
}

//! The floor ends below the middle of an edge
TestSuite testCut()
{
  TestSuite test("cut");
  for (auto kind : kinds)
    for (auto [left, right] :
         {std::pair(-2.0, 6.4), std::pair(3.3, 12.0), std::pair(3.3, 6.45), std::pair(4.2, 4.9)}) {
      Waves waves(left, right, 0.1);
      const Numbers u = waves.lines.shaken(0.02);
      const GapWindow window{-1, 2};
      const MortarGap<2> coupling(waves.upper, waves.floor, {.gap = kind, .window = window});
      test.subTest(checkWeightedGaps(coupling, u, {.length = 0.004}));
      WeightedGaps<2> gaps, dropped;
      coupling.addGaps(0, u, 0, gaps);
      MortarGap<2>(waves.upper, waves.floor,
                   {.gap = kind, .cut = CutFacets::drop, .window = window})
        .addGaps(0, u, 0, dropped);
      const auto covered = [&](double x) { return x > left && x < right; };
      std::size_t touched = 0, whole = 0;
      for (int p = 0; p <= 10; ++p) {
        touched += (p > 0 && (covered(p) || covered(p - 0.5) || covered(p - 0.9))) ||
                   (p < 10 && (covered(p + 0.5) || covered(p + 0.9) || covered(p)));
        whole += (p == 0 || covered(p - 1)) && (p == 10 || covered(p + 1)) && covered(p);
      }
      test.check(gaps.size() == touched, "nodes of edges that are covered partly have gaps")
        << gaps.size() << " instead of " << touched;
      test.check(dropped.size() == whole, "with drop only nodes of covered edges")
        << dropped.size() << " instead of " << whole;
    }
  return test;
}

//! Gaps and derivatives go on where the end of the floor passes a node
TestSuite testEndPassesNode()
{
  TestSuite test("an end passes a node");
  const auto gapOf = [](double right, std::size_t multiplier) {
    Polylines lines;
    const auto upper =
      lines.add(4, [](double s) { return FieldVector<double, 2>{4 * s, 0.1 + 0.2 * s}; });
    const auto floor =
      lines.add(3, [&](double s) { return FieldVector<double, 2>{right - (right + 1) * s, 0}; });
    WeightedGaps<2> gaps;
    MortarGap<2>(upper, floor, {}).addGaps(0, lines.zero(), 0, gaps);
    for (std::size_t p = 0; p < gaps.size(); ++p)
      if (gaps[p].multiplier == multiplier)
        return gaps[p].value / gaps[p].weight;
    return std::nan("");
  };
  // rays of the tilted edge to the floor end where the floor ends
  const double end = 2 + 0.05 * (0.1 + 0.2 * 0.5);
  const double before = gapOf(end - 1e-3, 2), at = gapOf(end, 2), after = gapOf(end + 1e-3, 2);
  test.check(std::abs(before - at) < 1e-5 && std::abs(after - at) < 1e-5,
             "the gap of the node goes on")
    << before << " " << at << " " << after;
  test.check(std::isnan(gapOf(end - 1e-3, 3)) && std::isnan(gapOf(end, 3)) &&
               !std::isnan(gapOf(end + 1e-3, 3)),
             "the next node has a gap when its edge is reached");
  return test;
}

//! Only what lies in the window is seen
TestSuite testWindow()
{
  TestSuite test("window");
  Polylines lines;
  const auto disc = lines.addCircle(64, {0, 10}, 10, 0.013);
  const auto floor =
    lines.add(30, [](double s) { return FieldVector<double, 2>{30 - 60 * s, -0.05}; });
  WeightedGaps<2> gaps, dropped;
  MortarGap<2>(disc, floor, {.window = GapWindow{-1, 1}}).addGaps(0, lines.zero(), 0, gaps);
  MortarGap<2>(disc, floor, {.cut = CutFacets::drop, .window = GapWindow{-1, 1}})
    .addGaps(0, lines.zero(), 0, dropped);
  test.check(gaps.size() > 6 && gaps.size() < 14 && dropped.size() < gaps.size() &&
               dropped.size() + 4 >= gaps.size(),
             "only the lower side has gaps")
    << gaps.size() << " and " << dropped.size();
  for (std::size_t p = 0; p < gaps.size(); ++p)
    test.check(gaps[p].value / gaps[p].weight < 1, "gaps are in the window")
      << gaps[p].value / gaps[p].weight;
  return test;
}

//! A steep mortar edge is seen only if the settings allow it
TestSuite testFacing()
{
  TestSuite test("facing");
  for (const Visibility& facing : {Visibility{}, Visibility{.least = 0.1, .whole = 0.2}}) {
    Polylines lines;
    const auto upper = lines.add(1, [](double s) { return FieldVector<double, 2>{s, 1.5}; });
    // product of the normals -0.23
    const auto slope =
      lines.add(1, [](double s) { return FieldVector<double, 2>{1.2 - 1.4 * s, 6 * s - 2.4}; });
    WeightedGaps<2> gaps;
    MortarGap<2>(upper, slope, {.window = GapWindow{-5, 5}, .facing = facing})
      .addGaps(0, lines.zero(), 0, gaps);
    test.check(gaps.size() == (facing.least > 0.2 ? 0 : 2), "limit of the angle")
      << facing.least << ": " << gaps.size();
  }
  return test;
}

/** Polygons of few edges, each of which looks past the other: gaps and their derivatives, and that
 * both are continuous while one polygon turns and its edges turn away one after the other.
 */
TestSuite testSilhouettes()
{
  TestSuite test("silhouettes");
  Polylines lines;
  const auto upper = lines.addCircle(6, {0.3, 1.75}, 1, 0.2),
             lower = lines.addCircle(7, {0, 0}, 0.8, 0.1);
  const auto turn = [&](double angle) {
    Numbers u = lines.zero();
    for (std::size_t i = 0; i < lower.node.size(); ++i) {
      const auto& x = lower.reference[i];
      u[2 * lower.node[i]] = (std::cos(angle) - 1) * x[0] - std::sin(angle) * x[1];
      u[2 * lower.node[i] + 1] = std::sin(angle) * x[0] + (std::cos(angle) - 1) * x[1];
    }
    return u;
  };
  for (auto kind : kinds)
    for (double angle : {0.0, 0.21, 0.37, 0.58, 0.74}) {
      const MortarGap<2> coupling(upper, lower, {.gap = kind});
      test.subTest(checkWeightedGaps(coupling, turn(angle), {.length = 1e-3}));
    }
  const MortarGap<2> coupling(upper, lower, {});
  const auto force = [&](double angle) { // sum of the gaps, and its derivative by the angle
    const Numbers u = turn(angle);
    WeightedGaps<2> gaps;
    coupling.addGaps(0, u, 0, gaps);
    std::array<double, 2> result{};
    for (std::size_t p = 0; p < gaps.size(); ++p) {
      result[0] += gaps[p].value;
      for (const auto& [node, value] : gaps.derivative(p))
        if (node >= lower.node.front())
          for (int c = 0; c < 2; ++c) {
            const std::size_t i = node - lower.node.front();
            const double x = lower.reference[i][0] + u[2 * node],
                         y = lower.reference[i][1] + u[2 * node + 1];
            result[1] += value[c] * (c == 0 ? -y : x);
          }
    }
    return result;
  };
  const double step = 1e-3;
  double slope = 0;
  for (double angle = 0; angle < 1; angle += step)
    slope = std::max(slope, std::abs(force(angle)[1]));
  for (double angle = 0; angle < 1; angle += step) {
    const auto before = force(angle), after = force(angle + step);
    test.check(std::abs(after[0] - before[0]) < 2 * slope * step, "gaps are continuous")
      << angle << ": " << after[0] - before[0];
    test.check(std::abs(after[0] - before[0] - 0.5 * step * (before[1] + after[1])) <
                 0.05 * slope * step,
               "their derivative is the one of the path")
      << angle << ": " << after[0] - before[0] << " and " << step * before[1];
  }
  return test;
}

//! Of two layers of the mortar side the nearer one counts
TestSuite testLayers()
{
  TestSuite test("layers");
  for (double other : {-0.9, 0.7}) {
    Polylines lines;
    const auto upper = lines.add(6, [](double s) { return FieldVector<double, 2>{6 * s, 0.2}; });
    auto floors = lines.add(7, [&](double s) { return FieldVector<double, 2>{7 - 8 * s, other}; });
    lines.append(floors, 5, [](double s) { return FieldVector<double, 2>{7 - 8 * s, 0}; });
    WeightedGaps<2> gaps;
    MortarGap<2>(upper, floors, {}).addGaps(0, lines.zero(), 0, gaps);
    test.check(gaps.size() == 7, "all nodes have gaps") << gaps.size();
    for (std::size_t p = 0; p < gaps.size(); ++p)
      test.check(std::abs(gaps[p].value / gaps[p].weight - 0.2) < 1e-13, "the nearer layer")
        << gaps[p].value / gaps[p].weight;
  }
  return test;
}

//! Near corners the closest point is the corner, in front of it and behind it
TestSuite testCorners()
{
  TestSuite test("corners");
  using V = FieldVector<double, 2>;
  for (double sign : {-1.0, 1.0}) { // a notch that points into the mortar body, and a tip out of it
    const NonmortarFacet<2> facet{.a = {V{0.45, sign * 0.3}, V{0.55, sign * 0.3}},
                                  .n = {V{0, -1}, V{0, -1}}};
    const std::vector<MortarFacet<2>> mortar = {
      {.node = {0, 1}, .y = {V{1, 0}, V{0.5, sign * 0.2}}, .boundary = {false, true}},
      {.node = {1, 2}, .y = {V{0.5, sign * 0.2}, V{0, 0}}, .boundary = {true, false}}};
    const auto result =
      FacetKernel<2>({.gap = MortarGapKind::closestPoint}, {-1, 1}).evaluate(facet, mortar, false);
    int corners = 0;
    for (const auto& segment : result.segments)
      for (const auto& point : segment.points) {
        corners += point.place != Segments::FootPlace::face;
        const double distance = std::hypot(0.45 + 0.1 * point.xi - 0.5, 0.1);
        if (point.place != Segments::FootPlace::face)
          test.check(std::abs(point.gap - sign * distance) < 1e-14, "signed distance of the corner")
            << point.gap << " instead of " << sign * distance;
      }
    test.check(corners > 2, "some closest points are corners") << corners;
  }
  return test;
}

//! A disc over another one; closed polylines on both sides
TestSuite testDiscs()
{
  TestSuite test("discs");
  for (auto kind : kinds) {
    Polylines lines;
    const auto upper = lines.addCircle(40, {0.3, 10}, 5, 0.1);
    const auto lower = lines.addCircle(53, {0, 0}, 5.02, 0.2);
    const MortarGap<2> coupling(upper, lower, {.gap = kind, .window = GapWindow{-1, 2}});
    test.subTest(checkWeightedGaps(coupling, lines.shaken(0.01), {.length = 0.005}));
  }
  return test;
}

//! A ring between two blocks: two zones of one coupling, the mortar side in two parts
TestSuite testTwoZones()
{
  TestSuite test("two zones");
  Polylines lines;
  const auto ring = lines.addCircle(60, {0, 0}, 5, 0.03);
  auto blocks = lines.add(21, [](double s) { return FieldVector<double, 2>{6 - 12 * s, -5.03}; });
  lines.append(blocks, 17, [](double s) { return FieldVector<double, 2>{-6 + 12 * s, 4.99}; });
  for (auto kind : kinds) {
    const MortarGap<2> coupling(ring, blocks, {.gap = kind});
    const Numbers u = lines.shaken(0.003);
    test.subTest(checkWeightedGaps(coupling, u, {.length = 0.01}));
    WeightedGaps<2> gaps;
    coupling.addGaps(0, u, 0, gaps);
    int above = 0, below = 0;
    for (std::size_t p = 0; p < gaps.size(); ++p)
      ++(gaps[p].normal[1] > 0 ? above : below);
    test.check(above > 6 && below > 6, "gaps above and below") << above << ", " << below;
  }
  return test;
}

//! On flat pairs the gap is that of the planes; where they touch the simplified derivative is exact
TestSuite testFlat()
{
  TestSuite test("flat");
  for (auto kind : kinds)
    for (auto [right, distance] :
         {std::pair(12.0, 0.25), std::pair(6.3, 0.25), std::pair(12.0, 0.0), std::pair(6.3, 0.0)}) {
      Polylines lines;
      const auto turned = [](double x, double y) {
        return FieldVector<double, 2>{0.8 * x - 0.6 * y, 0.6 * x + 0.8 * y};
      };
      const auto upper =
        lines.add(7, [&](double s) { return turned(10 * s * (0.7 + 0.3 * s), distance); });
      const auto floor = lines.add(9, [&](double s) { return turned(right - (right + 1) * s, 0); });
      const MortarGap<2> coupling(upper, floor, {.gap = kind});
      test.subTest(
        checkWeightedGaps(coupling, lines.zero(), {.length = 0.01, .flat = distance == 0}));
      WeightedGaps<2> gaps;
      coupling.addGaps(0, lines.zero(), 0, gaps);
      for (std::size_t p = 0; p < gaps.size(); ++p)
        test.check(std::abs(gaps[p].value / gaps[p].weight - distance) < 1e-13,
                   "the gap is the distance")
          << gaps[p].value / gaps[p].weight;
    }
  return test;
}

//! Surfaces that lie over each other node by node, turned by any angle: nothing depends on rounding
TestSuite testMatching()
{
  TestSuite test("matching nodes");
  WeightedGaps<2> first;
  for (double angle : {0.0, 0.3, 1.1, 2.6, 4.0}) {
    Polylines lines;
    const auto turned = [&](double x, double y) {
      return FieldVector<double, 2>{std::cos(angle) * x - std::sin(angle) * y,
                                    std::sin(angle) * x + std::cos(angle) * y};
    };
    const auto upper = lines.add(5, [&](double s) { return turned(10 * s, 0.3); });
    const auto floor = lines.add(5, [&](double s) { return turned(10 - 10 * s, 0); });
    WeightedGaps<2> gaps;
    MortarGap<2>(upper, floor, {}).addGaps(0, lines.zero(), 0, gaps);
    if (angle == 0)
      first = gaps;
    test.require(gaps.size() == 6, "all nodes have gaps") << gaps.size();
    for (std::size_t p = 0; p < gaps.size(); ++p) {
      test.check(std::abs(gaps[p].weight - (p == 0 || p == 5 ? 1 : 2)) < 1e-13,
                 "edges are covered wholly")
        << gaps[p].weight;
      test.check(std::abs(gaps[p].value - 0.3 * gaps[p].weight) < 1e-13, "gaps") << gaps[p].value;
      std::map<std::size_t, FieldVector<double, 2>> difference;
      for (const auto& [node, value] : gaps.derivative(p))
        difference[node] = value;
      for (const auto& [node, value] : first.derivative(p))
        difference.try_emplace(node, FieldVector<double, 2>(0.0)).first->second -=
          turned(value[0], value[1]);
      for (const auto& [node, value] : difference)
        test.check(value.two_norm() < 1e-12, "derivatives turn with the bodies")
          << "gap " << p << " node " << node << ": " << value.two_norm();
    }
  }
  return test;
}

TestSuite testWhole()
{
  TestSuite test("points per edge");
  Waves waves(-2, 12, 0.3);
  const MortarGap<2> coupling(waves.upper, waves.floor,
                              {.gap = MortarGapKind::closestPoint, .facetPoints = 8});
  test.subTest(checkWeightedGaps(coupling, waves.lines.shaken(0.03), {.length = 0.002}));
  Waves shorter(-2, 6.4, 0.1); // the edge from node 6 to node 7 has points that see nothing
  WeightedGaps<2> gaps;
  MortarGap<2>(shorter.upper, shorter.floor,
               {.gap = MortarGapKind::closestPoint, .window = GapWindow{-1, 2}, .facetPoints = 8})
    .addGaps(0, shorter.lines.shaken(0.02), 0, gaps);
  test.require(gaps.size() == 6, "nodes of edges that are not covered wholly have no gap")
    << gaps.size();
  for (std::size_t p = 0; p < gaps.size(); ++p)
    test.check(gaps[p].multiplier == p, "those of the others have one") << gaps[p].multiplier;
  test.check(
    Test::throws<InputError>([&] { MortarGap<2>(waves.upper, waves.floor, {.facetPoints = 8}); }),
    "points per edge need the closest point");
  test.check(Test::throws<InputError>(
               [&] { MortarGap<2>(waves.upper, waves.floor, {.window = GapWindow{1, 2}}); }),
             "a window without zero");
  return test;
}

//! Second derivatives by jets go with the first ones by hand: kernel against kernel
TestSuite testJets()
{
  TestSuite test("jets");
  using namespace Segments;
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-0.1, 0.1);
  const auto shaken = [&](double x, double y) {
    return FieldVector<double, 2>{x + uniform(random), y + uniform(random)};
  };
  for (auto kind : kinds)
    for (int repeat = 0; repeat < 20; ++repeat) {
      const NonmortarFacet<2> facet{.a = {shaken(0, 0.2), shaken(1, 0.2)},
                                    .n = {shaken(0, -1), shaken(0, -1)}};
      const std::vector<MortarFacet<2>> mortar = {
        {.node = {4, 5}, .y = {shaken(0.7, 0), shaken(0.25, 0)}, .boundary = {true, true}}};
      const FacetKernel<2> kernel({.gap = kind}, {-1, 1});
      const auto result = kernel.evaluate(facet, mortar, true);
      test.require(result.moments.cover == Cover::cut && result.segments.size() == 1, "a cut edge");
      for (int k = 0; k < FacetMoments<2>::count; ++k) {
        Numbers unit(FacetMoments<2>::count, 0);
        unit[k] = 1;
        Jet<16> sum;
        for (const auto& point : result.segments[0].points) {
          Nodes<Jet<16>> nodes;
          int i = 0;
          for (auto [target, values] :
               {std::pair(&nodes.a, &facet.a), std::pair(&nodes.n, &facet.n),
                std::pair(&nodes.b, &mortar[0].y), std::pair(&nodes.z, &point.z)})
            for (int j = 0; j < 2; ++j)
              for (int c = 0; c < 2; ++c)
                (*target)[j][c] = Jet<16>::variable((*values)[j][c], i++);
          sum +=
            integrate(nodes, movingEnds(nodes, result.segments[0].ends, result.segments[0].moves),
                      point, unit);
        }
        test.check(std::abs(sum.value - result.moments.value[k]) < 1e-15, "values") << k;
        for (int i = 0; i < 6; ++i)
          for (int c = 0; c < 2; ++c) {
            const double jet = sum.first[2 * i + c] + (i >= 4 ? sum.first[2 * i + 4 + c] : 0);
            test.check(std::abs(jet - result.moments.row(k)[i][c]) < 1e-14, "derivatives")
              << "moment " << k << " point " << i << ": " << jet - result.moments.row(k)[i][c];
          }
      }
    }
  return test;
}

//! The projection takes the root before the focal point
TestSuite testProjection()
{
  TestSuite test("projection");
  using namespace Segments;
  using V = FieldVector<double, 2>;
  // a convex arc, body above: normals meet at (0.5, 1)
  const std::array<V, 2> a{V{0, 0}, V{1, 0}},
    n{V{-0.5, -1} / std::sqrt(1.25), V{0.5, -1} / std::sqrt(1.25)};
  for (double xi : {-0.3, 0.0, 0.2, 0.5, 1.0, 1.2})
    for (double s : {-0.5, 0.0, 0.4, 3.0}) {
      const V y = interpolate(a, xi) + s * interpolate(n, xi);
      const auto found = tryProject(a, n, y);
      test.check(found && std::abs(*found - xi) < 1e-13,
                 "points before the focal point find their place")
        << xi << " " << s;
    }
  test.check(!tryProject(a, n, V{0.4, 2}), "points behind the focal point have no projection");
  test.check(!tryProject(a, n, V{0.5, std::sqrt(1.25) * 0.894427190999916}),
             "nor has the focal point");
  // a skew pair of normals: two real roots
  const std::array<V, 2> skew{V{-0.1, -1}, V{0.3, -0.8}};
  for (double xi : {0.0, 0.3, 1.0})
    for (double s : {-0.5, 0.7}) {
      const V y = interpolate(a, xi) + s * interpolate(skew, xi);
      const auto found = tryProject(a, skew, y);
      test.check(found && std::abs(*found - xi) < 1e-13, "of two roots the right one")
        << xi << " " << s;
    }
  return test;
}

//! Far apart there is nothing; too short a window loses gaps
TestSuite testFreeFlight()
{
  TestSuite test("free flight");
  Waves waves(-2, 12, 0.3);
  const MortarGap<2> coupling(waves.upper, waves.floor, {});
  Numbers u = waves.lines.zero();
  for (Index i = 0; i < 11; ++i)
    u[2 * waves.upper.node[i] + 1] = 50;
  WeightedGaps<2> gaps;
  coupling.addGaps(0, u, 0, gaps);
  std::vector<MatrixBlock<2>> blocks;
  coupling.addCurvature(0, u, Numbers(11, 1), blocks);
  test.check(gaps.size() == 0 && blocks.empty() && !coupling.worstGap(u), "nothing is near");
  MortarGap<2>(waves.upper, waves.floor, {.window = GapWindow{-0.05, 0.05}})
    .addGaps(0, waves.lines.zero(), 0, gaps);
  test.check(gaps.size() == 0, "out of the window");
  const auto worst = coupling.worstGap(waves.lines.zero());
  test.require(worst.has_value(), "near again");
  test.check(worst->gap > 0.1 && worst->gap < 0.3 && std::abs(worst->place[1] - 0.3) < 0.11,
             "the worst gap and its place")
    << worst->gap;
  return test;
}

//! Nothing depends on the unit of length
TestSuite testUnits()
{
  TestSuite test("units");
  for (auto kind : kinds) {
    WeightedGaps<2> expected;
    for (double unit : {1.0, 1024.0 * 1024, 1.0 / (1024 * 1024)}) {
      Polylines lines;
      const auto upper = lines.add(10, [&](double s) {
        return unit * FieldVector<double, 2>{10 * s, 0.1 + 0.1 * std::sin(8 * s)};
      });
      const auto floor = lines.add(13, [&](double s) {
        return unit * FieldVector<double, 2>{6.4 - 8 * s, 0.08 * std::cos(5 * s)};
      });
      WeightedGaps<2> gaps;
      MortarGap<2>(upper, floor, {.gap = kind}).addGaps(0, lines.zero(), 0, gaps);
      if (expected.size() == 0)
        expected = gaps;
      test.require(gaps.size() == expected.size() && gaps.size() > 5, "the same gaps")
        << gaps.size();
      for (std::size_t p = 0; p < gaps.size(); ++p)
        test.check(gaps[p].value == unit * unit * expected[p].value &&
                     gaps[p].weight == unit * expected[p].weight,
                   "values to the last bit")
          << gaps[p].value;
    }
  }
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testProjection());
  test.subTest(testJets());
  test.subTest(testFull());
  test.subTest(testCut());
  test.subTest(testEndPassesNode());
  test.subTest(testWindow());
  test.subTest(testSilhouettes());
  test.subTest(testFacing());
  test.subTest(testLayers());
  test.subTest(testCorners());
  test.subTest(testDiscs());
  test.subTest(testTwoZones());
  test.subTest(testFlat());
  test.subTest(testMatching());
  test.subTest(testWhole());
  test.subTest(testUnits());
  test.subTest(testFreeFlight());
  return test.exit();
}
