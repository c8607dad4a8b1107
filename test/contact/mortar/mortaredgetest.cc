// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <numbers>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/contact/mortar/mortargap.hh>
#include <dune/impact/contact/test/checkweightedgaps.hh>

#include "polylines.hh"

/* Gaps at edges of a body: each face has its own. */

using namespace Dune;
using namespace Dune::Impact;

//! A square between the walls of a channel: at its corners each face has a gap of its own
TestSuite testChannel()
{
  TestSuite test("channel");
  Polylines lines;
  const double above = 0.01, beside = 0.3;
  const auto square =
    lines.addCircle(4, {0, 1 + above}, std::numbers::sqrt2, -0.75 * std::numbers::pi);
  const auto channel = lines.add(3, [&](double s) {
    return FieldVector<double, 2>{s < 0.5 ? 1 + beside : -1 - beside,
                                  s < 0.3 || s > 0.7 ? 3.0 : 0.0};
  });
  for (auto kind : {MortarGapKind::smoothedNormal, MortarGapKind::closestPoint}) {
    const MortarGap<2> coupling(square, channel, {.gap = kind});
    test.check(coupling.multipliers() == 8, "two faces for each corner") << coupling.multipliers();
    WeightedGaps<2> gaps;
    coupling.addGaps(0, lines.zero(), 0, gaps);
    int bottom = 0, sides = 0;
    for (std::size_t p = 0; p < gaps.size(); ++p) {
      const auto& gap = gaps[p];
      (gap.normal[1] < -0.5 ? bottom : sides) += 1;
      const double distance = gap.normal[1] < -0.5 ? above : beside;
      const double side = square.reference[coupling.multiplierNode(gap.multiplier)][0] > 0 ? 1 : -1;
      const FieldVector<double, 2> normal =
        gap.normal[1] < -0.5 ? FieldVector<double, 2>{0, -1} : FieldVector<double, 2>{side, 0};
      test.check(std::abs(gap.value - distance) < 1e-14 && std::abs(gap.weight - 1) < 1e-14,
                 "the distance of the face")
        << gap.value / gap.weight << " instead of " << distance;
      test.check((gap.normal - normal).two_norm() < 1e-14 &&
                   (gap.direction - normal).two_norm() < 1e-14,
                 "along its normal")
        << gap.normal;
    }
    test.check(bottom == 2 && sides == 4, "the bottom and both sides see something")
      << bottom << " " << sides;
    test.subTest(checkWeightedGaps(coupling, lines.shaken(0.05), {.length = 1e-3}));
  }
  return test;
}

/** An edge over a floor: a face that sees it at a grazing angle leaves the node to the other face
 * if the floor faces that one; both faces of a sharp wedge see it at such an angle and have gaps.
 */
TestSuite testGrazing()
{
  TestSuite test("grazing");
  const auto gapsOfNode = [](const Polylines& lines, const ContactSurface<2>& body,
                             const ContactSurface<2>& floor, std::size_t node) {
    WeightedGaps<2> gaps;
    MortarGap<2>(body, floor).addGaps(0, lines.zero(), 0, gaps);
    int count = 0;
    for (std::size_t p = 0; p < gaps.size(); ++p)
      count += gaps[p].node == body.node[node];
    return count;
  };
  const auto addFloor = [](Polylines& lines) {
    return lines.add(10, [](double s) { return FieldVector<double, 2>{10 - 20 * s, -0.05}; });
  };
  struct Turn
  {
    double degrees;
    int gaps;
  };
  // faded by half at 23.6 degrees
  for (const Turn& turn : {Turn{10, 1}, Turn{20, 1}, Turn{23, 1}, Turn{25, 2}, Turn{45, 2},
                           Turn{65, 2}, Turn{67, 1}}) {
    Polylines lines;
    const double angle = turn.degrees * std::numbers::pi / 180,
                 lowest = std::numbers::sqrt2 * std::cos(angle - 0.25 * std::numbers::pi);
    const auto square =
      lines.addCircle(4, {0, lowest}, std::numbers::sqrt2, -0.75 * std::numbers::pi + angle);
    const int count = gapsOfNode(lines, square, addFloor(lines), 0);
    test.check(count == turn.gaps, "gaps of the corner of a square")
      << turn.degrees << " degrees: " << count;
  }
  Polylines lines;
  const double half = std::tan(20 * std::numbers::pi / 180);
  const auto wedge = lines.add(2, [&](double s) {
    return FieldVector<double, 2>{3 * half * (2 * s - 1), 3 * std::abs(2 * s - 1)};
  });
  const int count = gapsOfNode(lines, wedge, addFloor(lines), 1);
  test.check(count == 2, "a wedge keeps its gaps") << count;
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testChannel());
  test.subTest(testGrazing());
  return test.exit();
}
