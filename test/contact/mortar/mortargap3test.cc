// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception Gaps of surfaces in
// three dimensions: numbers of an independent program, promises of the interface, matching meshes,
// quadrilaterals, planes of symmetry, threads.
#include <config.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/contact/mortar/mortargap.hh>
#include <dune/impact/contact/test/checkweightedgaps.hh>
#include <dune/impact/grid/hierarchy.hh>
#include <dune/impact/grid/shapes.hh>

#include "references.hh"
#include "sheets.hh"

using namespace Dune;
using namespace Dune::Impact;

using Test::Numbers;
using Vector = FieldVector<double, 3>;
using Kind = Sheets::Kind;

const std::vector<MortarGapKind> kinds = {MortarGapKind::smoothedNormal,
                                          MortarGapKind::facetNormal};

WeightedGaps<3> gapsOf(const MortarGap<3>& coupling, const Numbers& u)
{
  WeightedGaps<3> gaps;
  coupling.addGaps(0, u, 0, gaps);
  return gaps;
}

double largest(std::span<const double> x)
{
  double size = 0;
  for (double value : x)
    size = std::max(size, std::abs(value));
  return size;
}

void checkNear(TestSuite& test, double value, double expected, double tolerance,
               const std::string& what)
{
  test.check(std::abs(value - expected) <= tolerance, what)
    << value << " instead of " << expected << ", difference " << value - expected;
}

//! The surface of some triangles of a list of points
ContactSurface<3> surfaceOf(const std::vector<Vector>& points, const std::vector<double>& triangles,
                            std::size_t body)
{
  ContactSurface<3> surface;
  surface.body = body;
  for (double i : triangles)
    surface.node.push_back(std::size_t(i));
  std::sort(surface.node.begin(), surface.node.end());
  surface.node.erase(std::unique(surface.node.begin(), surface.node.end()), surface.node.end());
  for (std::size_t i : surface.node)
    surface.reference.push_back(points[i]);
  const auto local = [&](double i) {
    return Index(std::lower_bound(surface.node.begin(), surface.node.end(), std::size_t(i)) -
                 surface.node.begin());
  };
  for (std::size_t f = 0; f < triangles.size(); f += 3)
    surface.facets.push_back(
      {{local(triangles[f]), local(triangles[f + 1]), local(triangles[f + 2])}, 3});
  return surface;
}

Numbers denseRow(std::span<const WeightedGaps<3>::Derivative> row, std::size_t dofs)
{
  Numbers result(dofs, 0);
  for (const auto& [node, value] : row)
    for (int c = 0; c < 3; ++c)
      result[3 * node + c] = value[c];
  return result;
}

TestSuite testReference(const References& references, const std::string& name, CutFacets cut)
{
  TestSuite test("reference surface " + name);
  const auto points = references.vectors(name + ".vertices"),
             normals = references.vectors(name + ".normal");
  const MortarGap<3> coupling(surfaceOf(points, references[name + ".surface"], 0),
                              surfaceOf(points, references[name + ".mortar"], 1),
                              {.cut = cut, .window = GapWindow{-1, 2}});
  const std::size_t dofs = 3 * points.size();
  const auto gaps = gapsOf(coupling, Numbers(dofs, 0));
  test.require(gaps.size() == 9, "all nodes have gaps") << gaps.size();
  const auto &c = references[name + ".gaps"], &D = references[name + ".D"],
             &M = references[name + ".M"], &slopes = references[name + ".slopes"];
  const auto &d = references[name + ".direction"], &multiplier = references[name + ".multiplier"],
             &force = references[name + ".force"];
  Numbers sum(dofs, 0);
  for (std::size_t p = 0; p < 9; ++p) {
    checkNear(test, gaps[p].value, c[p], 1e-12 * largest(c), "weighted gap");
    checkNear(test, gaps[p].weight, D[p], 1e-12 * largest(D), "D");
    test.check((gaps[p].normal - normals[p]).two_norm() < 1e-14, "normal");
    Numbers row(points.size(), 0);
    for (const auto& [node, weight] : gaps.mortar(p))
      row[node] = weight * gaps[p].weight;
    for (std::size_t i = 0; i < row.size(); ++i)
      checkNear(test, row[i], M[p * row.size() + i], 1e-12 * largest(M), "M");
    const Numbers derivative = denseRow(gaps.derivative(p), dofs);
    double slope = 0;
    for (std::size_t i = 0; i < dofs; ++i) {
      slope += derivative[i] * d[i];
      sum[i] += multiplier[p] * derivative[i];
    }
    checkNear(test, slope, slopes[p], 1e-12 * largest(slopes), "directional derivative");
    if (p == 0 || p == 4) {
      const auto& expected = references[name + ".row" + std::to_string(p)];
      for (std::size_t i = 0; i < dofs; ++i)
        checkNear(test, derivative[i], expected[i], 1e-12 * largest(expected), "derivative row");
    }
  }
  for (std::size_t i = 0; i < dofs; ++i)
    checkNear(test, sum[i], force[i], 1e-12 * largest(force), "forces of multipliers");
  return test;
}

//! Covered parts of the facets: of each alone, as the weight that its three nodes get
TestSuite testCoverage(const References& references, const std::string& name)
{
  TestSuite test("coverage of surface " + name);
  const auto points = references.vectors(name + ".vertices");
  const auto all = surfaceOf(points, references[name + ".surface"], 0),
             mortar = surfaceOf(points, references[name + ".mortar"], 1);
  for (std::size_t f = 0; f < all.facets.size(); ++f) {
    auto single = all;
    single.facets = {all.facets[f]};
    const auto gaps = gapsOf(MortarGap<3>(single, mortar, {.window = GapWindow{-1, 2}}),
                             Numbers(3 * points.size(), 0));
    std::array<Vector, 3> corners;
    for (int i = 0; i < 3; ++i)
      corners[i] = all.reference[all.facets[f].node[i]];
    double area = 0;
    for (std::size_t p = 0; p < gaps.size(); ++p)
      area += gaps[p].weight;
    checkNear(test, area / areaVector<3>(std::span<const Vector, 3>(corners)).two_norm(),
              references[name + ".coverage"][f], 1e-12, "covered part");
  }
  return test;
}

//! A wavy lower side over a wavy floor of [left, right] x [left, right]; the upper side is [0, 3] x
//! [0, 3]
struct Waves
{
  Sheets sheets;
  ContactSurface<3> upper, floor;

  Waves(double left, double right, double gap, Kind kind = Kind::crossed,
        Kind floorKind = Kind::triangles)
  {
    upper = sheets.add(
      4, 5,
      [&](double s, double t) {
        return Vector{3 * s, 3 * t, gap + 0.08 * std::sin(3 * s + 2 * t)};
      },
      false, kind);
    const double size = right - left;
    floor = sheets.add(
      6, 4,
      [&](double s, double t) {
        return Vector{left + size * s, left + size * (t + 0.1 * s), 0.06 * std::cos(4 * s - t)};
      },
      true, floorKind);
  }
};

TestSuite testFull()
{
  TestSuite test("covered wholly");
  for (auto kind : kinds)
    for (double gap : {0.3, -0.2})
      for (auto [upper, floor] :
           {std::pair(Kind::crossed, Kind::triangles), std::pair(Kind::quadrilaterals, Kind::mixed),
            std::pair(Kind::triangles, Kind::quadrilaterals)}) {
        Waves waves(-0.8, 4, gap, upper, floor);
        const MortarGap<3> coupling(waves.upper, waves.floor, {.gap = kind});
        const Numbers u = waves.sheets.shaken(0.03);
        test.subTest(checkWeightedGaps(coupling, u, {.length = 0.005}));
        const auto gaps = gapsOf(coupling, u);
        test.check(gaps.size() == waves.upper.node.size(), "all nodes have gaps") << gaps.size();
      }
  return test;
}

//! The floor ends below the upper side
TestSuite testCut()
{
  TestSuite test("cut");
  for (auto kind : kinds)
    for (auto [left, right] : {std::pair(-0.8, 1.87), std::pair(1.13, 4.0), std::pair(0.93, 2.27)})
      for (auto upper : {Kind::crossed, Kind::quadrilaterals}) {
        Waves waves(left, right, 0.1, upper);
        const Numbers u = waves.sheets.shaken(0.02);
        const GapWindow window{-1, 2};
        const MortarGap<3> coupling(waves.upper, waves.floor, {.gap = kind, .window = window});
        test.subTest(checkWeightedGaps(coupling, u, {.length = 0.001, .curvature = right < 2}));
        const auto gaps = gapsOf(coupling, u),
                   dropped =
                     gapsOf(MortarGap<3>(waves.upper, waves.floor,
                                         {.gap = kind, .cut = CutFacets::drop, .window = window}),
                            u);
        test.check(gaps.size() > dropped.size() && gaps.size() < waves.upper.node.size(),
                   "nodes of cut facets have gaps")
          << gaps.size() << ", " << dropped.size();
        for (std::size_t p = 0; p < dropped.size(); ++p) {
          std::size_t q = 0;
          while (q < gaps.size() && gaps[q].multiplier != dropped[p].multiplier)
            ++q;
          test.require(q < gaps.size(), "a node without cut facets has a gap in both ways");
          test.check(gaps[q].value == dropped[p].value, "and the same")
            << gaps[q].value - dropped[p].value;
        }
      }
  return test;
}

//! Of a ball on a floor only nodes below have gaps
TestSuite testBall()
{
  TestSuite test("ball");
  for (auto shape : {CellShape::simplex, CellShape::cube})
    for (auto kind : kinds) {
      const auto mesh = refineMesh(makeBall<3>(1, 2, shape), 2, "ball");
      Sheets sheets;
      const auto floor = sheets.add(
        7, 9, [](double s, double t) { return Vector{-2 + 4 * s, -2 + 4 * t, -1.02 + 0.01 * s}; },
        true);
      auto ball = makeContactSurface(mesh, {}, 1, floor.node.size());
      Numbers u(3 * (floor.node.size() + mesh.nodes.size()), 0);
      const MortarGap<3> coupling(ball, floor, {.gap = kind, .window = GapWindow{-0.3, 0.3}});
      const auto gaps = gapsOf(coupling, u);
      test.check(gaps.size() > 4 && gaps.size() < ball.node.size() / 4,
                 "only the lower side has gaps")
        << gaps.size();
      for (std::size_t p = 0; p < gaps.size(); ++p)
        test.check(gaps[p].value / gaps[p].weight < 0.3, "gaps are in the window")
          << gaps[p].value / gaps[p].weight;
      const Numbers shake = sheets.shaken(0.01);
      std::copy(shake.begin(), shake.end(), u.begin());
      // jets are slow
      test.subTest(checkWeightedGaps(
        coupling, u,
        {.length = 1e-3, .curvature = shape == CellShape::simplex && kind == kinds[0]}));
      const auto worst = coupling.worstGap(u);
      test.require(worst.has_value(), "near");
      test.check(worst->gap > -0.02 && worst->gap < 0.04 && worst->place[2] < -0.95,
                 "the smallest gap and its place")
        << worst->gap << " at " << worst->place;
    }
  return test;
}

//! Balls of few facets, each of which looks past the other
TestSuite testSilhouettes()
{
  TestSuite test("silhouettes");
  for (auto shape : {CellShape::simplex, CellShape::cube})
    for (auto kind : kinds)
      for (double shift : {0.0, 0.8}) {
        const auto mesh =
          refineMesh(makeBall<3>(1, 1, shape), shape == CellShape::simplex ? 1 : 0, "ball");
        const auto lower = makeContactSurface(mesh, {}, 0, 0),
                   upper = makeContactSurface(mesh, {}, 1, mesh.nodes.size());
        Numbers u(6 * mesh.nodes.size(), 0);
        for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
          const Vector x =
            turned({mesh.nodes[i][1], mesh.nodes[i][2], mesh.nodes[i][0]}, 0.4 + shift) +
            Vector{shift, 0.13, 1.85 - 0.4 * shift};
          for (int c = 0; c < 3; ++c)
            u[3 * (mesh.nodes.size() + i) + c] =
              x[c] - mesh.nodes[i][c] + 0.02 * std::sin(3.7 * double(3 * i + c));
        }
        const MortarGap<3> coupling(upper, lower, {.gap = kind});
        // jets are slow
        test.subTest(checkWeightedGaps(
          coupling, u, {.length = 1e-3, .curvature = shape == CellShape::cube && shift > 0}));
        const auto dropped =
          gapsOf(MortarGap<3>(upper, lower, {.gap = kind, .cut = CutFacets::drop}), u);
        test.check(dropped.size() < gapsOf(coupling, u).size(), "facets look past the other ball")
          << dropped.size();
      }
  return test;
}

//! A body between two floors
TestSuite testTwoZones()
{
  TestSuite test("two zones");
  Sheets sheets;
  auto body = sheets.add(
    4, 4, [](double s, double t) { return Vector{2 * s, 2 * t, 0.05 * std::sin(3 * s)}; }, false);
  sheets.append(
    body, 5, 3, [](double s, double t) { return Vector{2 * s, 2 * t, 1 + 0.05 * std::cos(2 * t)}; },
    true);
  auto floors = sheets.add(
    3, 5, [](double s, double t) { return Vector{-0.5 + 3 * s, -0.5 + 3 * t, -0.1}; }, true);
  sheets.append(
    floors, 6, 4, [](double s, double t) { return Vector{-0.5 + 3 * s, -0.5 + 3 * t, 1.1}; },
    false);
  const MortarGap<3> coupling(body, floors, {});
  const Numbers u = sheets.shaken(0.02);
  test.subTest(checkWeightedGaps(coupling, u, {.length = 0.005}));
  const auto gaps = gapsOf(coupling, u);
  test.check(gaps.size() == body.node.size(), "gaps above and below") << gaps.size();
  return test;
}

//! On flat pairs the gap is that of the planes; where they touch the simplified derivative is exact
TestSuite testFlat()
{
  TestSuite test("flat");
  for (auto kind : kinds)
    for (auto upperKind : {Kind::crossed, Kind::quadrilaterals})
      for (auto [right, distance] : {std::pair(4.1, 0.25), std::pair(1.87, 0.25),
                                     std::pair(4.1, 0.0), std::pair(1.87, 0.0)}) {
        Sheets sheets;
        const auto upper = sheets.add(
          4, 5,
          [&](double s, double t) {
            return turned({3 * s * (0.7 + 0.3 * s), 3 * t - 0.2 * s, distance}, 0.8);
          },
          false, upperKind);
        const auto floor = sheets.add(
          5, 3,
          [&](double s, double t) {
            return turned({-1 + (right + 1) * s, -1 + 5 * t + 0.1 * s, 0}, 0.8);
          },
          true, Kind::mixed);
        const MortarGap<3> coupling(upper, floor, {.gap = kind});
        const auto gaps = gapsOf(coupling, sheets.zero());
        test.check(gaps.size() > 10, "gaps") << gaps.size();
        for (std::size_t p = 0; p < gaps.size(); ++p)
          test.check(std::abs(gaps[p].value / gaps[p].weight - distance) < 1e-13,
                     "the gap is the distance")
            << gaps[p].value / gaps[p].weight;
        test.subTest(
          checkWeightedGaps(coupling, sheets.zero(), {.length = 0.002, .flat = distance == 0}));
      }
  return test;
}

//! Surfaces that lie on each other node by node, turned by any angle: nothing depends on rounding
TestSuite testMatching()
{
  TestSuite test("matching nodes");
  for (auto kind : kinds) {
    std::vector<Numbers> rows;
    std::vector<double> weights;
    for (double angle : {0.0, 0.3, 1.1, 2.6}) {
      Sheets sheets;
      const auto bent = [&](double s, double t) {
        return turned({2 * s, 2 * t + 0.3 * s, 0.2 * s * s + 0.1 * t * s}, angle);
      };
      const auto upper = sheets.add(4, 3, bent, false), floor = sheets.add(4, 3, bent, true);
      // diagonals match: facets of both sides are the same triangles
      const MortarGap<3> coupling(upper, floor, {.gap = kind});
      const auto gaps = gapsOf(coupling, sheets.zero());
      test.require(gaps.size() == upper.node.size(), "all nodes have gaps") << gaps.size();
      for (std::size_t p = 0; p < gaps.size(); ++p) {
        test.check(std::abs(gaps[p].value) < 1e-15, "the gap is zero") << gaps[p].value;
        Numbers row = denseRow(gaps.derivative(p), sheets.zero().size());
        for (std::size_t i = 0; i < row.size(); i += 3) {
          const Vector back = turned({row[i], row[i + 1], row[i + 2]}, -angle);
          std::copy(back.begin(), back.end(), row.begin() + i);
        }
        if (angle == 0) {
          rows.push_back(row);
          weights.push_back(gaps[p].weight);
        }
        checkNear(test, gaps[p].weight, weights[p], 1e-14, "facets are covered wholly");
        for (std::size_t i = 0; i < row.size(); ++i)
          checkNear(test, row[i], rows[p][i], 1e-13, "the turned derivative");
      }
    }
  }
  return test;
}

//! Half of a surface with mirrored normals has the gaps of the whole one at the plane, except the
//! weight
TestSuite testSymmetry()
{
  TestSuite test("plane of symmetry");
  Sheets sheets;
  const auto height = [](double x, double y) { return 0.3 - 0.1 * x * x + 0.05 * y; };
  const auto half = sheets.add(
    4, 3, [&](double s, double t) { return Vector{2 * s, 2 * t, height(2 * s, 2 * t)}; }, false,
    Kind::quadrilaterals);
  const auto whole = sheets.add(
    8, 3, [&](double s, double t) { return Vector{4 * s - 2, 2 * t, height(4 * s - 2, 2 * t)}; },
    false, Kind::quadrilaterals);
  const auto floor =
    sheets.add(6, 5, [](double s, double t) { return Vector{-3 + 6 * s, -1 + 4 * t, 0}; }, true);
  std::vector<std::array<bool, 3>> mirrored;
  for (const auto& x : half.reference)
    mirrored.push_back({x[0] == 0, false, false});
  const MortarGap<3> coupling(half, floor, {.mirrored = mirrored});
  const auto halfGaps = gapsOf(coupling, sheets.zero()),
             wholeGaps = gapsOf(MortarGap<3>(whole, floor, {}), sheets.zero());
  test.require(halfGaps.size() == half.node.size() && wholeGaps.size() == whole.node.size(),
               "all nodes have gaps");
  for (std::size_t p = 0; p < halfGaps.size(); ++p) {
    const auto q =
      std::size_t(std::find(whole.reference.begin(), whole.reference.end(), half.reference[p]) -
                  whole.reference.begin());
    test.require(q < whole.node.size(), "the node of the whole");
    test.check((halfGaps[p].normal - wholeGaps[q].normal).two_norm() < 1e-14,
               "the normal of the whole")
      << halfGaps[p].normal;
    checkNear(test, halfGaps[p].value / halfGaps[p].weight,
              wholeGaps[q].value / wholeGaps[q].weight, 1e-14, "the gap of the whole");
  }
  test.check(Test::throws<InputError>(
               [&] { MortarGap<3>(half, floor, {.mirrored = {{true, false, false}}}); }),
             "components for all nodes");
  return test;
}

//! The same bits on one and on several threads
TestSuite testThreads()
{
  TestSuite test("threads");
  const auto evaluate = [&](int threads) {
    Sheets sheets;
    const auto upper = sheets.add(
      20, 20,
      [&](double s, double t) {
        return Vector{3 * s, 3 * t, 0.05 + 0.02 * std::sin(9 * s + 5 * t)};
      },
      false, Kind::mixed);
    const auto floor = sheets.add(
      41, 23,
      [&](double s, double t) {
        return Vector{-1 + 3.4 * s, -1 + 5 * t, 0.02 * std::cos(7 * s - t)};
      },
      true);
    const MortarGap<3> coupling(upper, floor, {.threads = threads});
    const Numbers u = sheets.shaken(0.005), mu(upper.node.size(), 1);
    std::pair<WeightedGaps<3>, std::vector<MatrixBlock<3>>> result;
    coupling.addGaps(0, u, 0, result.first);
    coupling.addCurvature(0, u, mu, result.second);
    return result;
  };
  const auto [one, oneBlocks] = evaluate(1);
  test.check(one.size() > 100, "many gaps") << one.size();
  for (int threads : {2, 5}) {
    const auto [other, blocks] = evaluate(threads);
    test.require(other.size() == one.size() && blocks.size() == oneBlocks.size(),
                 "as many gaps and blocks");
    bool same = true;
    for (std::size_t p = 0; p < one.size(); ++p) {
      same = same && one[p].value == other[p].value && one[p].weight == other[p].weight &&
             one[p].normal == other[p].normal;
      for (std::size_t i = 0; i < one.derivative(p).size(); ++i)
        same = same && one.derivative(p)[i].node == other.derivative(p)[i].node &&
               one.derivative(p)[i].value == other.derivative(p)[i].value;
    }
    for (std::size_t i = 0; i < blocks.size(); ++i)
      same = same && blocks[i].row == oneBlocks[i].row && blocks[i].column == oneBlocks[i].column &&
             blocks[i].value == oneBlocks[i].value;
    test.check(same, "bit for bit the same") << threads;
  }
  return test;
}

TestSuite testFreeFlight()
{
  TestSuite test("free flight");
  Waves waves(-0.8, 4, 0.3);
  const MortarGap<3> coupling(waves.upper, waves.floor, {});
  Numbers u = waves.sheets.zero();
  for (std::size_t node : waves.upper.node)
    u[3 * node + 2] = 50;
  std::vector<MatrixBlock<3>> blocks;
  coupling.addCurvature(0, u, Numbers(waves.upper.node.size(), 1), blocks);
  test.check(gapsOf(coupling, u).size() == 0 && blocks.empty() && !coupling.worstGap(u),
             "nothing is near");
  test.check(gapsOf(MortarGap<3>(waves.upper, waves.floor, {.window = GapWindow{-0.05, 0.05}}),
                    waves.sheets.zero())
                 .size() == 0,
             "out of the window");
  test.check(Test::throws<InputError>([&] {
               MortarGap<3>(waves.upper, waves.floor, {.gap = MortarGapKind::closestPoint});
             }),
             "the closest point is refused");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  const References references(std::string(TEST_DATA) + "/mortar-3d.txt");
  test.subTest(testReference(references, "full", CutFacets::drop));
  test.subTest(testReference(references, "cut", CutFacets::rebuild));
  for (const std::string name : {"full", "cut"})
    test.subTest(testCoverage(references, name));
  test.subTest(testFull());
  test.subTest(testCut());
  test.subTest(testBall());
  test.subTest(testSilhouettes());
  test.subTest(testTwoZones());
  test.subTest(testFlat());
  test.subTest(testMatching());
  test.subTest(testSymmetry());
  test.subTest(testThreads());
  test.subTest(testFreeFlight());
  return test.exit();
}
