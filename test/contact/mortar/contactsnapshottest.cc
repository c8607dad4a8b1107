// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/contact/mortar/contactsnapshot.hh>
#include <dune/impact/contact/mortar/mortargap.hh>
#include <dune/impact/grid/coarsemesh.hh>
#include <dune/impact/grid/shapes.hh>

#include "../../timestep/midpoint/solidscene.hh"
#include "polylines.hh"

/* Pictures of contact surfaces: their pressure integrates to the force, whatever the rule and the
 * coupling. */

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

namespace {

  const VisualizationField& field(const VisualizationData& visual, const std::string& name)
  {
    return *std::find_if(visual.pointFields.begin(), visual.pointFields.end(),
                         [&](const auto& f) { return f.name == name; });
  }

  //! Integral of a field that is linear on lines and triangles
  double integral(const VisualizationData& visual, const std::string& name)
  {
    const auto& values = field(visual, name).values;
    double sum = 0;
    for (std::size_t i = 0, begin = 0; i < visual.cells.size(); begin = visual.offsets[i++]) {
      const auto corner = [&](std::size_t k) { return visual.connectivity[begin + k]; };
      const std::size_t count = visual.offsets[i] - begin;
      const Vec3 a = visual.points[corner(1)] - visual.points[corner(0)];
      double area = a.two_norm(), mean = values[corner(0)] + values[corner(1)];
      if (count == 3) {
        area = cross(a, visual.points[corner(2)] - visual.points[corner(0)]).two_norm() / 2;
        mean += values[corner(2)];
      }
      sum += area * mean / double(count);
    }
    return sum;
  }

  //! The zone of a contact from its surface: area of the nodes with a pressure, and the largest.
  //! Multipliers are the pressures before the surface was stretched.
  template<int dim>
  void checkZone(TestSuite& test, const SolidScene<dim>& scene, const State& state,
                 const StepReport& report, const VisualizationData& visual)
  {
    VisualizationData loaded = visual;
    auto& ones = loaded.pointFields.emplace_back(VisualizationField{"ones", 1, {}}).values;
    const auto &pressure = field(visual, "pressure").values,
               &multiplier = field(visual, "multiplier").values;
    double largest = 0;
    for (std::size_t i = 0; i < pressure.size(); ++i) {
      ones.push_back(pressure[i] > 0);
      largest = std::max(largest, pressure[i]);
      test.check((multiplier[i] > 0) == (pressure[i] > 0) &&
                   std::abs(multiplier[i] - pressure[i]) <= 0.5 * pressure[i],
                 "multiplier beside the pressure")
        << multiplier[i] << " " << pressure[i];
    }
    const auto& surface =
      scene.contacts[0].geometry.template find<WeightedGapGeometry<dim>>()->surface();
    const std::size_t begin = scene.system.point(surface.body, 0).configurationOffset / dim;
    std::vector<double> forces(surface.node.size(), 0);
    for (const auto& [node, impulse] : report.contact[0].nodes)
      forces[std::size_t(std::ranges::find(surface.node, begin + node) - surface.node.begin())] +=
        impulse / report.weight;
    const ContactZone zone = contactZone<dim>(surface, state.q, forces);
    const double area = integral(loaded, "ones");
    test.check(std::abs(zone.area - area) <= 1e-12 * area &&
                 std::abs(zone.pressure - largest) <= 1e-12 * largest,
               "area and pressure of the zone")
      << zone.area << " " << area << ", " << zone.pressure << " " << largest;
  }

  //! Steps of a scene; in each the pressure of the picture has the force of the report
  template<int dim>
  void checkRun(TestSuite& test, SolidScene<dim>& scene, RuleName rule, double step, int steps)
  {
    scene.build({.step = step, .rule = makeRule<dim>(rule)});
    test.check(scene.stepper->contactSurfaces() == std::vector<std::string>{scene.contacts[0].name},
               "names");
    State state = scene.start(), next;
    StepReport report;
    int touching = 0;
    for (int n = 0; n < steps; ++n, std::swap(state, next)) {
      scene.stepper->step(state, next, report);
      std::vector<VisualizationData> visuals;
      scene.stepper->sampleContacts(state, next, visuals);
      const double force = report.pairImpulse[0] / step,
                   found = integral(visuals.at(0), "pressure");
      test.check(std::abs(found - force) <= 1e-12 * force, "pressure integrates to the force")
        << found << " " << force;
      touching += force > 0;
      checkZone(test, scene, next, report, visuals[0]);
      const auto& pressure = field(visuals[0], "pressure").values;
      const auto& gap = field(visuals[0], "gap").values;
      const auto& normal = field(visuals[0], "normal").values;
      const auto& status = field(visuals[0], "status").values;
      for (std::size_t i = 0; i < pressure.size(); ++i) {
        test.check((status[i] == double(ContactStatus::touching)) == (pressure[i] > 0),
                   "status of pressure");
        test.check((status[i] == double(ContactStatus::alone)) <= std::isnan(gap[i]),
                   "alone without a gap");
        if (!std::isnan(gap[i]))
          test.check(std::abs(std::hypot(normal[3 * i], normal[3 * i + 1], normal[3 * i + 2]) - 1) <
                       1e-12,
                     "unit normal");
        if (pressure[i] > 0 && rule != RuleName::midpoint)
          test.check(std::abs(gap[i]) < 1e-9, "closed where there is pressure") << gap[i];
      }
    }
    test.check(touching > 1, "there is contact") << touching;
  }

  template<int dim>
  TestSuite testObstacle(RuleName rule, ObstacleGapKind kind)
  {
    TestSuite test(std::string("obstacle, ") + nameOf(rule) + ", dimension " + std::to_string(dim));
    SolidScene<dim> scene;
    auto ball = softBall<dim>(StVenantKirchhoff<dim>{soft}, 2, 1);
    ball.motion.velocity = last<dim>(-1);
    scene.add(std::move(ball), std::make_shared<Sphere>("sphere", last<dim>(-30.3), 20), kind);
    checkRun(test, scene, rule, 0.3, 8);
    return test;
  }

  TestSuite testMortar(RuleName rule)
  {
    TestSuite test(std::string("two discs, ") + nameOf(rule));
    SolidScene<2> scene;
    auto upper = softBall<2>(StVenantKirchhoff<2>{soft}, 3, 1),
         lower = softBall<2>(StVenantKirchhoff<2>{soft}, 4, 1);
    upper.motion.velocity = last<2>(-1);
    for (auto& node : upper.mesh.nodes)
      node += FieldVector<double, 2>{0.3, 20.2};
    auto surface = scene.surfaceOf(upper.mesh);
    scene.add(std::move(upper));
    auto mortar = scene.surfaceOf(lower.mesh);
    scene.add(std::move(lower));
    scene.contacts.push_back(
      {"discs", std::make_unique<MortarGap<2>>(std::move(surface), std::move(mortar))});
    checkRun(test, scene, rule, 0.3, 8);
    return test;
  }

  //! A square over a floor beside a wall: at the corner both faces have a gap and a force, the
  //! picture has one of each
  TestSuite testEdge()
  {
    TestSuite test("edge");
    Polylines lines;
    const auto square =
      lines.addCircle(4, {0, 1.01}, std::numbers::sqrt2, -0.75 * std::numbers::pi);
    const auto wall = lines.add(2, [](double s) {
      return FieldVector<double, 2>{s < 0.7 ? 1.3 : -2.0, s < 0.3 ? 3.0 : 0.0};
    });
    const MortarGap<2> coupling(square, wall);
    WeightedGaps<2> gaps;
    coupling.addGaps(0, lines.zero(), 0, gaps);
    std::vector<double> forces(coupling.multipliers(), 0);
    double sum = 0;
    for (std::size_t p = 0; p < gaps.size(); ++p)
      sum += forces[gaps[p].multiplier] = 1 + double(p);
    const VisualizationData visual = contactSnapshot(coupling, lines.zero(), gaps, forces, forces);
    test.require(gaps.size() == 4 && visual.points.size() == 4, "two gaps below and two beside")
      << gaps.size();
    test.check(std::abs(integral(visual, "pressure") - sum) < 1e-13 * sum,
               "pressure integrates to the forces of all faces")
      << integral(visual, "pressure");
    const auto& gap = field(visual, "gap").values;
    const auto& normal = field(visual, "normal").values;
    const auto& status = field(visual, "status").values;
    const double expected[] = {0.01, 0.01, 0.3}; // the smallest one at the corner
    for (std::size_t i = 0; i < 3; ++i) {
      test.check(std::abs(gap[i] - expected[i]) < 1e-14 &&
                   status[i] == double(ContactStatus::touching),
                 "gap")
        << i << ": " << gap[i];
      test.check(std::abs(normal[3 * i + (i < 2 ? 1 : 0)] - (i < 2 ? -1 : 1)) < 1e-14, "its normal")
        << i;
    }
    test.check(std::isnan(gap[3]) && status[3] == double(ContactStatus::alone),
               "the last corner sees nothing");
    return test;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testEdge());
  for (RuleName rule : {RuleName::midpoint, RuleName::modified, RuleName::dissipative}) {
    test.subTest(testObstacle<2>(rule, ObstacleGapKind::weighted));
    test.subTest(testObstacle<3>(rule, ObstacleGapKind::nodal));
    test.subTest(testMortar(rule));
  }
  return test.exit();
}
