// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception Constant pressure goes
// through the coupling of flat surfaces that touch: with M_pq = D_p m_pq
//
//     sum_q M_pq = D_p,   sum_q M_pq y_q = D_p x_p,   sum_p M_pq = int N_q over the shared part.
//
// The last integral is made without any clipping where the mortar side is covered wholly, and by
// the resultant force and moment else.
#include <config.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/contact/mortar/mortargap.hh>

#include "sheets.hh"

using namespace Dune;
using namespace Dune::Impact;

using Vector = FieldVector<double, 3>;
using Kind = Sheets::Kind;

constexpr double tolerance = 1e-13;

//! A part of the plane, jittered inside, edges straight
struct Part
{
  double x0, x1, y0, y1;
  int nx, ny;
  Kind kind;
};

//! Inner nodes move, those of the edges stay on them
Sheets::Map mapOf(const Part& part, double angle, double jitter)
{
  return [=](double s, double t) {
    const double inner = 16 * s * (1 - s) * t * (1 - t);
    const double x = part.x0 + (part.x1 - part.x0) * (s + 0.12 * s * (1 - s)) +
                     jitter * inner * std::sin(9 * s + 5 * t);
    const double y = part.y0 + (part.y1 - part.y0) * (t - 0.1 * t * (1 - t)) +
                     jitter * inner * std::cos(7 * s - 8 * t);
    return turned({x, y, 0.3}, angle);
  };
}

struct Scene
{
  std::string name;
  std::vector<Part> upper, lower;
  std::size_t gaps; //!< 0: as many as nodes of the upper side
  double shared;    //!< area
};

ContactSurface<3> surfaceOf(Sheets& sheets, const std::vector<Part>& parts, double angle,
                            double jitter, bool up)
{
  auto surface =
    sheets.add(parts[0].nx, parts[0].ny, mapOf(parts[0], angle, jitter), up, parts[0].kind);
  for (std::size_t i = 1; i < parts.size(); ++i)
    sheets.append(surface, parts[i].nx, parts[i].ny, mapOf(parts[i], angle, jitter), up,
                  parts[i].kind);
  return surface;
}

std::map<std::size_t, Vector> placesOf(const ContactSurface<3>& surface)
{
  std::map<std::size_t, Vector> result;
  for (std::size_t i = 0; i < surface.node.size(); ++i)
    result[surface.node[i]] = surface.reference[i];
  return result;
}

TestSuite testScene(const Scene& scene, double angle)
{
  TestSuite test(scene.name);
  Sheets sheets;
  const auto upper = surfaceOf(sheets, scene.upper, angle, 0.05, false),
             lower = surfaceOf(sheets, scene.lower, angle, -0.06, true);
  WeightedGaps<3> gaps;
  MortarGap<3>(upper, lower, {}).addGaps(0, sheets.zero(), 0, gaps);
  test.check(gaps.size() == (scene.gaps > 0 ? scene.gaps : upper.node.size()), "number of gaps")
    << gaps.size() << " of " << upper.node.size();

  const auto x = placesOf(upper), y = placesOf(lower);
  std::map<std::size_t, double> columns;
  double area = 0;
  Vector moment(0), mortarMoment(0);
  for (std::size_t p = 0; p < gaps.size(); ++p) {
    double sum = 0;
    Vector first(0);
    for (const auto& [node, weight] : gaps.mortar(p)) {
      const double M = gaps[p].weight * weight;
      sum += M;
      first.axpy(M, y.at(node));
      columns[node] += M;
    }
    test.check(std::abs(gaps[p].value) < tolerance, "no gap") << gaps[p].value;
    test.check(std::abs(sum - gaps[p].weight) < tolerance, "sum of a row") << sum - gaps[p].weight;
    const Vector difference = first - gaps[p].weight * x.at(gaps[p].node);
    test.check(difference.two_norm() < 10 * tolerance, "moment of a row") << difference.two_norm();
    area += gaps[p].weight;
    moment.axpy(gaps[p].weight, x.at(gaps[p].node));
  }
  for (const auto& [node, M] : columns)
    mortarMoment.axpy(M, y.at(node));
  test.check(std::abs(area - scene.shared) < 10 * tolerance, "area of the shared part")
    << area - scene.shared;
  test.check((moment - mortarMoment).two_norm() < 10 * tolerance, "moments of both sides")
    << (moment - mortarMoment).two_norm();
  return test;
}

//! int N_q over the mortar side for a mortar side below the whole of the upper one, shape functions
//! of its own facets
TestSuite testColumns(Kind upperKind, Kind lowerKind, double angle)
{
  TestSuite test("columns");
  Sheets sheets;
  const auto upper = surfaceOf(sheets, {{-1, 6, -1, 5, 6, 5, upperKind}}, angle, 0.05, false);
  const auto lower = surfaceOf(sheets, {{0, 4, 0, 3, 4, 5, lowerKind}}, angle, -0.06, true);
  WeightedGaps<3> gaps;
  MortarGap<3>(upper, lower, {}).addGaps(0, sheets.zero(), 0, gaps);
  std::map<std::size_t, double> columns;
  for (std::size_t p = 0; p < gaps.size(); ++p)
    for (const auto& [node, weight] : gaps.mortar(p))
      columns[node] += gaps[p].weight * weight;
  const auto areas = nodeAreas(lower); // bilinear shape functions on quadrilaterals
  for (std::size_t i = 0; i < areas.size(); ++i)
    test.check(std::abs(columns[lower.node[i]] - areas[i]) < tolerance, "sum of a column")
      << columns[lower.node[i]] - areas[i];
  return test;
}

//! Weights of nodes of surfaces that are covered wholly, the same as those of constant pressure on
//! the body
TestSuite testWeights(Kind kind, double angle)
{
  TestSuite test("weights");
  Sheets sheets;
  const auto upper = surfaceOf(sheets, {{0, 4, 0, 3, 4, 5, kind}}, angle, 0.05, false);
  const auto lower = surfaceOf(sheets, {{-1, 5, -1, 4, 4, 3, Kind::crossed}}, angle, -0.06, true);
  WeightedGaps<3> gaps;
  MortarGap<3>(upper, lower, {}).addGaps(0, sheets.zero(), 0, gaps);
  test.require(gaps.size() == upper.node.size(), "all nodes have gaps");
  const auto areas = nodeAreas(upper);
  for (std::size_t i = 0; i < areas.size(); ++i)
    test.check(std::abs(gaps[i].weight - areas[i]) < tolerance, "D_p = int N_p")
      << gaps[i].weight - areas[i];
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  const auto triangles = Kind::crossed, quads = Kind::quadrilaterals, mixed = Kind::mixed;
  const std::vector<Scene> scenes = {
    {"same square", {{0, 4, 0, 3, 5, 4, triangles}}, {{0, 4, 0, 3, 3, 4, triangles}}, 0, 12},
    {"quadrilaterals", {{0, 4, 0, 3, 5, 4, quads}}, {{0, 4, 0, 3, 3, 4, quads}}, 0, 12},
    {"mixed", {{0, 4, 0, 3, 5, 4, mixed}}, {{-1, 5, -1, 4, 3, 4, mixed}}, 0, 12},
    {"cut", {{0, 4, 0, 3, 5, 4, triangles}}, {{-1, 2.7, -1, 4, 3, 4, triangles}}, 25, 2.7 * 3},
    {"cut quadrilaterals",
     {{0, 4, 0, 3, 5, 4, quads}},
     {{-1, 2.7, -1, 4, 3, 4, quads}},
     25,
     2.7 * 3},
    {"cut on all sides",
     {{0, 4, 0, 3, 5, 4, triangles}},
     {{0.9, 3.3, 0.4, 2.6, 3, 4, mixed}},
     23,
     2.4 * 2.2},
    {"two zones",
     {{0, 2, 0, 3, 4, 4, triangles}, {3, 5, 0, 3, 3, 5, mixed}},
     {{-1, 6, -1, 4, 9, 4, triangles}},
     0,
     12},
    {"two zones, both cut",
     {{0, 6, 0, 3, 9, 4, triangles}},
     {{-1, 1.87, -1, 4, 3, 4, triangles}, {4.3, 7, -1, 4, 4, 3, quads}},
     40,
     3 * (1.87 + 1.7)}};
  for (double angle : {0.0, 0.4, 2.9}) {
    for (const auto& scene : scenes)
      test.subTest(testScene(scene, angle));
    for (auto upper : {triangles, quads})
      for (auto lower : {triangles, quads, mixed})
        test.subTest(testColumns(upper, lower, angle));
    for (auto kind : {triangles, quads, mixed})
      test.subTest(testWeights(kind, angle));
  }
  return test.exit();
}
