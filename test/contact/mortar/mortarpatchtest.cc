// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception Constant pressure goes
// through the coupling of flat surfaces that touch: with M_pq = D_p m_pq
//
//     sum_q M_pq = D_p,   sum_q M_pq y_q = D_p x_p,
//     sum_p M_pq = int N_q over the part that both sides share.
#include <config.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/contact/mortar/mortargap.hh>

#include "polylines.hh"

using namespace Dune;
using namespace Dune::Impact;

//! A part of the x axis with its nodes
using Part = std::vector<double>;

Part part(double from, double to, int edges, double bend)
{
  Part x;
  for (int i = 0; i <= edges; ++i) {
    const double s = double(i) / edges;
    x.push_back(from + (to - from) * (s + bend * s * (1 - s)));
  }
  return x;
}

//! Integral over (lower, upper) of the hat function of node i
double hatIntegral(const Part& nodes, std::size_t i, double lower, double upper)
{
  double sum = 0;
  for (int side : {-1, 1}) {
    if ((i == 0 && side < 0) || (i + 1 == nodes.size() && side > 0))
      continue;
    const double other = nodes[i + side], length = std::abs(other - nodes[i]);
    const double a = std::max(lower, std::min(nodes[i], other)),
                 b = std::min(upper, std::max(nodes[i], other));
    if (a < b)
      sum += (b - a) * (1 - std::abs(0.5 * (a + b) - nodes[i]) / length);
  }
  return sum;
}

struct Scene
{
  std::vector<Part> upper, lower;
  double angle;

  FieldVector<double, 2> turned(double x) const
  {
    return {3 + std::cos(angle) * x, 1 + std::sin(angle) * x};
  }

  ContactSurface<2> surface(Polylines& lines, const std::vector<Part>& parts, bool backwards) const
  {
    ContactSurface<2> result;
    for (const Part& x : parts) {
      const int edges = int(x.size()) - 1;
      lines.append(result, edges, [&](double s) {
        return turned(x[std::lround((backwards ? 1 - s : s) * edges)]);
      });
    }
    return result;
  }
};

//! Place on the line of each node of the system
std::map<std::size_t, double> placesOf(const ContactSurface<2>& surface, const Scene& scene)
{
  std::map<std::size_t, double> result;
  for (std::size_t i = 0; i < surface.node.size(); ++i)
    result[surface.node[i]] =
      (surface.reference[i] - scene.turned(0)) * (scene.turned(1) - scene.turned(0));
  return result;
}

//! Over the part that both sides share
double hatIntegral(const Scene& scene, const Part& part, std::size_t i)
{
  double sum = 0;
  for (const Part& upper : scene.upper)
    sum += hatIntegral(part, i, upper.front(), upper.back());
  return sum;
}

TestSuite testScene(const Scene& scene, std::size_t expected)
{
  TestSuite test("scene");
  constexpr double tolerance = 1e-13;
  Polylines lines;
  const auto upper = scene.surface(lines, scene.upper, false),
             lower = scene.surface(lines, scene.lower, true);
  WeightedGaps<2> gaps;
  MortarGap<2>(upper, lower, {}).addGaps(0, lines.zero(), 0, gaps);
  test.check(gaps.size() == expected, "number of gaps") << gaps.size();

  const auto x = placesOf(upper, scene), y = placesOf(lower, scene);
  std::map<std::size_t, double> columns;
  for (std::size_t p = 0; p < gaps.size(); ++p) {
    double sum = 0, moment = 0;
    for (const auto& [node, weight] : gaps.mortar(p)) {
      const double M = gaps[p].weight * weight;
      sum += M;
      moment += M * y.at(node);
      columns[node] += M;
    }
    test.check(std::abs(gaps[p].value) < tolerance, "no gap") << gaps[p].value;
    test.check(std::abs(sum - gaps[p].weight) < tolerance, "sum of a row") << sum - gaps[p].weight;
    test.check(std::abs(moment - gaps[p].weight * x.at(gaps[p].node)) < 10 * tolerance,
               "moment of a row")
      << moment - gaps[p].weight * x.at(gaps[p].node);
  }
  std::size_t node = lower.node.front();
  for (const Part& nodes : scene.lower)
    for (std::size_t i = nodes.size(); i-- > 0; ++node) {
      const double integral = hatIntegral(scene, nodes, i);
      test.check(std::abs(columns[node] - integral) < tolerance, "sum of a column")
        << columns[node] - integral;
    }
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  for (double angle : {0.0, 0.4, 2.9}) {
    // not matching
    test.subTest(testScene({{part(0, 10, 7, 0)}, {part(0, 10, 5, 0)}, angle}, 8));
    // mortar side longer
    test.subTest(testScene({{part(0, 10, 7, 0.2)}, {part(-1, 11, 9, -0.3)}, angle}, 8));
    // an edge half covered
    test.subTest(testScene({{part(0, 10, 10, 0)}, {part(-2, 6.5, 6, 0.1)}, angle}, 8));
    // two of them
    test.subTest(testScene({{part(0, 10, 10, 0)}, {part(2.3, 6.5, 6, 0.1)}, angle}, 6));
    // two zones
    test.subTest(
      testScene({{part(0, 4, 5, 0.1), part(7, 10, 4, 0.1)}, {part(-1, 12, 17, 0.2)}, angle}, 11));
    // two zones by the mortar side
    test.subTest(testScene(
      {{part(0, 10, 10, 0)}, {part(-1, 3.25, 5, 0.2), part(5.6, 9.3, 4, -0.1)}, angle}, 5 + 6));
  }
  return test.exit();
}
