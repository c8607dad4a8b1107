// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <numbers>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/beam.hh>
#include <dune/impact/body/beamload.hh>
#include <dune/impact/body/framejoint.hh>
#include <dune/impact/body/test/checkconstraint.hh>
#include <dune/impact/timestep/frames/staticstepper.hh>
#include <dune/impact/timestep/test/checkstepper.hh>

using namespace Dune;
using namespace Dune::Impact;

constexpr double pi = std::numbers::pi;

//! The axis of the beam along x, its first section axis along y
const Matrix3 alongX = (Matrix3() << 0, 0, 1, 1, 0, 0, 0, 1, 0).finished();

VectorExpression ramp(double x, double y, double z)
{
  auto expression = [](double a) {
    char text[64];
    std::snprintf(text, sizeof text, "t*(%.17g)", a);
    return Expression(std::string(text));
  };
  return {{expression(x), expression(y), expression(z)}};
}

void addBeam(System& system, Beam::Settings settings)
{
  settings.formulation = BeamFormulation::exponential;
  if (settings.frames.empty())
    settings.frames =
      constantStrainFrames({alongX, Vector3::Zero()}, settings.unstressed, settings.length,
                           settings.elements, settings.formulation);
  system.add(std::make_unique<Beam>(settings));
}

void hold(System& system, std::size_t body, std::size_t node,
          FrameJoint::Kind kind = FrameJoint::Kind::clamp, const Vector3& axis = Vector3::UnitZ(),
          std::optional<FaceMotion> motion = {})
{
  system.add(std::make_unique<FrameJoint>(system.point(body, node), system.initialState().q, kind,
                                          axis, FrameJoint::Holder{.motion = std::move(motion)}));
}

struct Run
{
  State state;
  StepReport report;
  std::vector<int> iterations;
};

Run run(const System& system, int steps, double end = 1)
{
  static const std::vector<Contact> none;
  StaticStepper stepper(system, none, {.step = end / steps});
  Run result;
  State next;
  result.state = stepper.start(system.initialState(), result.report);
  for (int i = 0; i < steps; ++i) {
    stepper.step(result.state, next, result.report);
    std::swap(result.state, next);
    result.iterations.push_back(result.report.solve.iterations);
  }
  return result;
}

Vec3 node(const System& system, const State& state, std::size_t body, std::size_t point)
{
  return system.body(body).position(system.configurationSlice(body, state.q), point);
}

//! A cantilever under an end moment becomes a circle, exactly, whatever the number of elements
TestSuite testRollUp()
{
  TestSuite test("roll-up");
  const double L = 10, EI = 200;
  auto error = [&](std::size_t n, double turns, int steps, int& most) {
    const double M = turns * 2 * pi * EI / L, k = M / EI;
    System system;
    addBeam(system, {.name = "beam",
                     .length = L,
                     .elements = n,
                     .section = generalSection((Vector6() << EI, EI, 100, 5e3, 5e3, 1e4).finished(),
                                               {1, 1, 1}, 1)});
    hold(system, 0, 0);
    system.add(std::make_unique<NodeLoad>(system.point(0, n), ramp(0, 0, 0), ramp(0, 0, M), false));
    const Run result = run(system, steps);
    most = *std::max_element(result.iterations.begin(), result.iterations.end());
    double largest = 0;
    for (std::size_t i = 0; i <= n; ++i) {
      const double s = L * double(i) / double(n);
      largest = std::max(largest, (node(system, result.state, 0, i) -
                                   Vec3{std::sin(k * s) / k, (1 - std::cos(k * s)) / k, 0})
                                    .two_norm());
    }
    const Vec3 moment = result.report.reactions.at(0).moment;
    test.check(std::abs(moment[2] + M) <= 1e-9 * M, "the clamp holds the moment");
    const double energy = system.potentials(1, result.state.q).elastic;
    test.check(std::abs(energy - 0.5 * M * M * L / EI) <= 1e-9 * energy, "energy");
    test.check(std::abs(result.state.ledger.externalWork - energy) <= 1e-9 * energy,
               "work of the moment: it is linear in the angle")
      << result.state.ledger.externalWork / energy - 1;
    return largest;
  };
  int most = 0;
  for (std::size_t n : {3, 4, 8, 16}) {
    const double e = error(n, 1, 24, most);
    test.check(e <= 1e-8, "a full turn") << n << " elements: " << e;
    test.check(most <= 7, "iterations") << n << " elements: " << most;
  }
  for (const auto& [n, turns] : {std::pair(1, 0.4), std::pair(3, 1.4), std::pair(8, 2.0)}) {
    const double e = error(std::size_t(n), turns, 48, most);
    test.check(e <= 1e-8, "other turns") << n << " elements, " << turns << " turns: " << e;
  }
  bool refused = false;
  try {
    error(2, 1, 24, most);
  }
  catch (const RunError& e) {
    refused = std::string(e.what()).find("use more elements") != std::string::npos ||
              std::string(e.what()).find("no equilibrium") != std::string::npos;
  }
  test.check(refused, "two elements cannot make a full turn");
  return test;
}

//! A quarter of a ring bent out of its plane
TestSuite testBend()
{
  TestSuite test("45-degree bend");
  auto tip = [](std::size_t n, double F) {
    System system;
    const double R = 100, E = 1e7, I = 1.0 / 12;
    addBeam(system,
            {.name = "beam",
             .length = R * pi / 4,
             .elements = n,
             .section = generalSection(
               (Vector6() << E * I, E * I, E / 2 / 6, E / 2 * 5 / 6, E / 2 * 5 / 6, E).finished(),
               {1, 1, 1}, 1),
             .unstressed = parts({0, 1 / R, 0}, {0, 0, 1})});
    hold(system, 0, 0);
    system.add(std::make_unique<NodeLoad>(system.point(0, n), ramp(0, 0, F), ramp(0, 0, 0), false));
    const Run result = run(system, 6);
    return node(system, result.state, 0, n);
  };
  const struct
  {
    std::size_t n;
    double F;
    Vec3 tip;
  } cases[] = {{4, 300, {59.00009477530665, 22.344618483875582, 39.726147004467585}},
               {8, 300, {58.834032595820695, 22.269645466423093, 40.076209092838695}},
               {16, 300, {58.792671567231274, 22.250919752533775, 40.16336950014933}},
               {32, 300, {58.78234030115829, 22.246239433773372, 40.18513804945666}},
               {64, 300, {58.779758036177434, 22.245069423796096, 40.19057885048753}},
               {128, 300, {58.779112504240935, 22.244776925664894, 40.19193896739696}},
               {4, 600, {47.47869662000621, 15.790498008227983, 52.90593428095764}},
               {8, 600, {47.23150651236669, 15.711007094853638, 53.333802995927556}},
               {16, 600, {47.17040732919779, 15.691260908918924, 53.44010274473529}},
               {32, 600, {47.15517149649146, 15.686331843445137, 53.46663687450125}},
               {64, 600, {47.151364898318256, 15.685100039361245, 53.47326788489773}},
               {128, 600, {47.15041339510087, 15.684792117155352, 53.474925480360476}}};
  for (const auto& c : cases) {
    const Vec3 x = tip(c.n, c.F);
    test.check((x - c.tip).two_norm() <= 1e-7, "position of the tip")
      << c.n << " elements, F = " << c.F << ": " << (x - c.tip).two_norm();
  }
  const struct
  {
    double F;
    Vec3 tip;
  } exact[] = {{300, {58.77889732998508, 22.244679426683717, 40.192392332297636}},
               {600, {47.15009624035147, 15.684689478984819, 53.47547799823068}}};
  for (const auto& c : exact) {
    const Vec3 extrapolated = (4.0 * tip(128, c.F) - tip(64, c.F)) / 3.0;
    test.check((extrapolated - c.tip).two_norm() <= 1e-6,
               "converges to the solution of the differential equation")
      << c.F << ": " << (extrapolated - c.tip).two_norm();
  }
  return test;
}

//! A moved face carries a beam along without forces; a hinge and a sphere let it turn
TestSuite testJoints()
{
  TestSuite test("joints");
  const BeamSection section = circularSection(0.1, {.young = 1e6, .poisson = 0.3, .density = 1});
  {
    System system;
    addBeam(system, {.name = "beam", .length = 2, .elements = 4, .section = section});
    hold(system, 0, 0, FrameJoint::Kind::clamp, Vector3::UnitZ(),
         FaceMotion({Expression("0.5*t"), Expression(1.0), Expression(0.0)},
                    {Expression(0.0), Expression("1.2*t"), Expression("0.4*t")}));
    const Run result = run(system, 2);
    const Frame F1{RotationExponential::map({0, 1.2, 0.4}), {0.5, 1, 0}},
      F0{Matrix3::Identity(), {0, 1, 0}};
    const Vector3 x = (F1 * F0.inverse() * Frame{Matrix3::Identity(), {2, 0, 0}}).position;
    const Vec3 tip = node(system, result.state, 0, 4);
    test.check((Vector3(tip[0], tip[1], tip[2]) - x).norm() <= 1e-9,
               "a free beam follows its clamp");
    test.check(system.potentials(1, result.state.q).elastic <= 1e-16, "without stress");
  }
  {
    // hinged at both ends about y, dead load in the middle: half of it at each end, no moment about
    // the axis
    System system;
    addBeam(system, {.name = "beam", .length = 2, .elements = 8, .section = section});
    hold(system, 0, 0, FrameJoint::Kind::hinge, Vector3::UnitY());
    hold(system, 0, 8, FrameJoint::Kind::spherical);
    system.add(std::make_unique<LineLoad>(system.point(0, 0), ramp(0, 0, -20), false));
    const Run result = run(system, 4);
    const Reaction left = result.report.reactions.at(0), right = result.report.reactions.at(1);
    test.check(std::abs(left.force[2] - 10) <= 1e-7 && std::abs(right.force[2] - 10) <= 1e-7,
               "reactions of a symmetric load")
      << left.force[2] - 10 << " " << right.force[2] - 10;
    test.check(std::abs(left.moment[1]) <= 1e-9 && right.moment.two_norm() == 0,
               "no moment about the axis of a hinge");
    test.check(node(system, result.state, 0, 4)[2] < -0.01, "it bends");
    const double mismatch = std::abs(result.state.ledger.stepWork),
                 stored = system.potentials(1, result.state.q).elastic;
    test.check(mismatch <= 0.1 * stored,
               "work of the load is the stored energy but for the trapezoidal rule")
      << mismatch / stored;
    // followers: the same load along the beam turns with the sections
    System follower;
    addBeam(follower, {.name = "beam", .length = 2, .elements = 8, .section = section});
    hold(follower, 0, 0);
    follower.add(
      std::make_unique<NodeLoad>(follower.point(0, 8), ramp(-3, 0, 0), ramp(0, 0, 0), true));
    const Run bent = run(follower, 8);
    const Vec3 force = bent.report.reactions.at(0).force;
    test.check(std::abs(force.two_norm() - 3) <= 1e-8, "a follower keeps its size")
      << force.two_norm() - 3;
    test.check(node(follower, bent.state, 0, 8)[1] < -0.05, "and acts across the beam");
  }
  return test;
}

//! Joints of two beams: rows and stiffness against differences, and two beams clamped together are
//! one
TestSuite testTwoBodies()
{
  TestSuite test("joints of two beams");
  const BeamSection section = circularSection(0.1, {.young = 1e6, .poisson = 0.3, .density = 1});
  using Kind = FrameJoint::Kind;
  for (Kind kind : {Kind::clamp, Kind::hinge, Kind::spherical}) {
    System system;
    addBeam(system, {.name = "one", .length = 1, .elements = 2, .section = section});
    addBeam(system, {.name = "two",
                     .length = 1,
                     .elements = 1,
                     .section = section,
                     .frames = constantStrainFrames(
                       {RotationExponential::map({0.3, 0.2, 0.5}), {1, 0.3, 0}}, straightStrain(),
                       1, 1, BeamFormulation::exponential)});
    const State initial = system.initialState();
    const FrameJoint joint(system.point(0, 2), initial.q, kind, {1, 2, 3},
                           {.motion = {}, .other = system.point(1, 0)});
    const std::size_t n = system.velocitySize(), m = joint.rows();
    // both bodies move as one: still joined, turned
    std::vector<double> dq(n), q(initial.q.size());
    const Frame motion = Exponential::map(parts({0.4, -0.3, 0.2}, {0.1, 0.5, -0.2}));
    for (std::size_t b = 0; b < 2; ++b) {
      const auto& beam = dynamic_cast<const Beam&>(system.body(b));
      const PointHandle handle = system.point(b, 0);
      for (std::size_t a = 0; a < beam.nodes(); ++a) {
        const Frame g = beam.frame(handle.slice(initial.q), a);
        Eigen::Map<Vector6>(dq.data() + handle.velocityOffset + 6 * a) =
          Exponential::inverse(relative(g, motion * g));
      }
    }
    system.retract(initial.q, dq, q);
    std::vector<double> c(m);
    joint.residual(0, q, c);
    for (std::size_t i = 0; i < m; ++i)
      test.check(std::abs(c[i]) <= 1e-14, "a common motion keeps the joint") << c[i];
    test.subTest(checkConstraint(joint, system, q, {.length = 0.1}));
  }
  auto bent = [&](bool two) {
    System system;
    addBeam(
      system,
      {.name = "one", .length = two ? 1.0 : 2.0, .elements = two ? 4u : 8u, .section = section});
    if (two)
      addBeam(system, {.name = "two",
                       .length = 1,
                       .elements = 4,
                       .section = section,
                       .frames = constantStrainFrames({alongX, {1, 0, 0}}, straightStrain(), 1, 4,
                                                      BeamFormulation::exponential)});
    hold(system, 0, 0);
    const State initial = system.initialState();
    if (two)
      system.add(std::make_unique<FrameJoint>(
        system.point(1, 0), initial.q, Kind::clamp, Vector3::UnitY(),
        FrameJoint::Holder{.motion = {}, .other = system.point(0, 4)}));
    system.add(std::make_unique<NodeLoad>(system.point(two ? 1 : 0, two ? 4 : 8), ramp(0, 10, -20),
                                          ramp(3, 0, 0), false));
    const Run result = run(system, 8);
    return std::pair(node(system, result.state, two ? 1 : 0, two ? 4 : 8),
                     *std::max_element(result.iterations.begin(), result.iterations.end()));
  };
  const auto [whole, few] = bent(false);
  const auto [joined, many] = bent(true);
  test.check((whole - joined).two_norm() <= 1e-9, "two beams clamped together are one")
    << (whole - joined).two_norm();
  test.check(many <= few + 1, "in as many iterations") << few << " " << many;
  return test;
}

//! The promises of a stepper
TestSuite testStepper()
{
  System system;
  addBeam(system, {.name = "beam",
                   .length = 2,
                   .elements = 4,
                   .section = circularSection(0.1, {.young = 1e6, .poisson = 0.3, .density = 1})});
  hold(system, 0, 0);
  system.add(std::make_unique<NodeLoad>(system.point(0, 4), ramp(0, 3, 1), ramp(0, 0, 2), false));
  static const std::vector<Contact> none;
  StaticStepper stepper(system, none, {.step = 0.5});
  return checkStepper(stepper, system.initialState(), {.steps = 4});
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testRollUp());
  test.subTest(testBend());
  test.subTest(testJoints());
  test.subTest(testTwoBodies());
  test.subTest(testStepper());
  return test.exit();
}
