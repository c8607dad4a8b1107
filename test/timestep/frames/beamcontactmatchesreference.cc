// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <numbers>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/beam.hh>
#include <dune/impact/body/beamload.hh>
#include <dune/impact/body/framejoint.hh>
#include <dune/impact/contact/beam/beamcontact.hh>
#include <dune/impact/contact/beam/beamobstacle.hh>
#include <dune/impact/timestep/frames/staticstepper.hh>
#include <dune/impact/timestep/test/checkstepper.hh>

#include "cantileverreference.hh"

using namespace Dune;
using namespace Dune::Impact;

constexpr double pi = std::numbers::pi;

//! The axis of the beam along x
const Matrix3 alongX = (Matrix3() << 0, 0, 1, 1, 0, 0, 0, 1, 0).finished();

void addBeam(System& system, Beam::Settings settings, const Frame& first)
{
  settings.formulation = BeamFormulation::exponential;
  settings.frames = constantStrainFrames(first, settings.unstressed, settings.length,
                                         settings.elements, settings.formulation);
  system.add(std::make_unique<Beam>(settings));
}

void hold(System& system, std::size_t body, std::size_t node, std::optional<FaceMotion> motion = {})
{
  system.add(std::make_unique<FrameJoint>(system.point(body, node), system.initialState().q,
                                          FrameJoint::Kind::clamp, Vector3::UnitZ(),
                                          FrameJoint::Holder{.motion = std::move(motion)}));
}

Vec3 node(const System& system, const State& state, std::size_t body, std::size_t point)
{
  return system.body(body).position(system.configurationSlice(body, state.q), point);
}

double normalForce(const State& state)
{
  double sum = 0;
  for (std::size_t i = 0; i < StaticStepper::forces(state).size(); i += 3)
    sum += StaticStepper::forces(state)[i];
  return sum;
}

//! A cantilever pressed on another one by a line load
TestSuite testCantilevers()
{
  TestSuite test("cantilever on cantilever");
  for (const auto& c : CantileverReference::cases) {
    System system;
    const BeamSection section = circularSection(0.01, {.young = 1e9, .poisson = 0.3, .density = 1});
    addBeam(system, {.name = "upper", .length = 1, .elements = c.upper, .section = section},
            {alongX, {0, 0, 0.02}});
    addBeam(system, {.name = "lower", .length = 1, .elements = c.lower, .section = section},
            {alongX, {0, 0, 0}});
    hold(system, 0, 0);
    hold(system, 1, 0);
    system.add(std::make_unique<LineLoad>(
      system.point(0, 0), VectorExpression{{Expression(), Expression(), Expression("-10*t")}},
      false));
    std::vector<Contact> contacts;
    contacts.push_back({"touch", std::make_unique<BeamContact>(system, 0, 1, c.constraints)});
    StaticStepper stepper(system, contacts, {.step = 0.5});
    StepReport report;
    State state = stepper.start(system.initialState(), report), next;
    for (int i = 0; i < 2; ++i) {
      stepper.step(state, next, report);
      std::swap(state, next);
    }
    const std::string name = std::to_string(c.upper) + "/" + std::to_string(c.lower) + " method " +
                             std::to_string(int(c.constraints)) + ": ";
    const double up = (node(system, state, 0, c.upper) - c.upperTip).two_norm(),
                 low = (node(system, state, 1, c.lower) - c.lowerTip).two_norm();
    // with two points per element the forces, and which points carry them, are not unique
    const bool unique = c.constraints != BeamConstraints::gaussTwo;
    test.check(up <= (unique ? 1e-8 : 1e-6) && low <= (unique ? 1e-8 : 1e-6),
               "positions of the tips")
      << name << up << " " << low;
    test.check(std::abs(normalForce(state) - c.total) <= (unique ? 1e-6 : 0.1) * c.total,
               "sum of the contact forces")
      << name << normalForce(state) - c.total;
    test.check(!unique || report.contacts == c.active, "number of active slots")
      << name << report.contacts << " " << c.active;
    double difference = 0;
    for (std::size_t s = 0; s < c.lineForce.size(); ++s)
      difference =
        std::max(difference, std::abs(StaticStepper::forces(state)[3 * s] /
                                        contacts[0].geometry.find<GapSlipGeometry>()->weight(s) -
                                      c.lineForce[s]));
    test.check(!unique || difference <= 1e-4, "line forces, all of them") << name << difference;
    test.check(report.minGap >= -1e-5 * 0.02 * (c.upper == c.lower ? 5 : 80), "pointwise gaps")
      << name << report.minGap << ", there " << c.smallestGap;
    test.check(std::abs(report.impulse[2] / report.weight) > 0.9 * c.total * 0.5,
               "the upper beam is held up");
    const double energy = system.potentials(1, state.q).elastic;
    test.check(std::abs(state.ledger.stepWork) <= 0.02 * energy, "work of the load")
      << state.ledger.stepWork / energy;
  }
  return test;
}

//! The pretwisted double helix: stretched, bent, unbent
struct Helix
{
  System system;
  std::vector<Contact> contacts;
  int refine;

  Helix(std::size_t n, BeamConstraints constraints, double friction, int refined = 1,
        BeamPartner partner = BeamPartner::closest)
    : refine(refined)
  {
    const double r = 1, a = 1, pitch = 40, b = pitch / (2 * pi), c2 = a * a + b * b;
    const BeamSection section = circularSection(r, {.young = 1000, .poisson = 0.3, .density = 1});
    for (const auto& [name, phase] : {std::pair("one", 0.0), std::pair("two", pi)}) {
      const Vector3 out(std::cos(phase), std::sin(phase), 0),
        around(-std::sin(phase), std::cos(phase), 0),
        tangent = (a * around + b * Vector3::UnitZ()) / std::sqrt(c2);
      Frame first{Matrix3::Zero(), a * out};
      first.rotation << -out, tangent.cross(-out), tangent;
      addBeam(system,
              {.name = name,
               .length = 2 * pi * std::sqrt(c2),
               .elements = n,
               .section = section,
               .unstressed = parts({0, a / c2, b / c2}, {0, 0, 1})},
              first);
    }
    // time 0..4: stretch to 0.5 %, 4..12: bend to 0.5 rad, 12..20: back
    const std::string stretch = "(40*(1+0.005*min(t/4,1)))",
                      theta = "(t<4 ? 1e-9 : (t<12 ? (t-4)/16+1e-9 : (20-t)/16+1e-9))";
    const FaceMotion face({Expression(stretch + "*(1-cos(" + theta + "))/" + theta),
                           Expression(0.0), Expression(stretch + "*sin(" + theta + ")/" + theta)},
                          {Expression(0.0), Expression(theta), Expression(0.0)});
    for (std::size_t body : {0, 1}) {
      hold(system, body, 0);
      hold(system, body, n, face);
    }
    contacts.push_back({"strands",
                        std::make_unique<BeamContact>(system, 0, 1, constraints, partner),
                        {.friction = friction}});
  }

  //! Force and moment of the far end about the centre of the face
  struct Sample
  {
    Vec3 force, moment;
    double total, energy, friction;
    int active, sticking, iterations, attempts;
  };

  std::vector<Sample> run(int end, State& state)
  {
    StaticStepper stepper(system, contacts, {.step = 1.0 / refine});
    StepReport report;
    State next;
    state = stepper.start(system.initialState(), report);
    std::vector<Sample> rows;
    for (int i = 0; i < end * refine; ++i) {
      stepper.step(state, next, report);
      std::swap(state, next);
      const double t = state.time,
                   theta = t <= 4    ? 1e-9
                           : t <= 12 ? (t - 4) / 16 + 1e-9
                                     : (20 - t) / 16 + 1e-9,
                   L = 40 * (1 + 0.005 * std::min(t / 4, 1.0));
      const Vec3 centre = {L * (1 - std::cos(theta)) / theta, 0, L * std::sin(theta) / theta};
      Sample row{Vec3(0),
                 Vec3(0),
                 normalForce(state),
                 system.potentials(t, state.q).elastic,
                 -state.ledger.frictionWork,
                 report.contacts,
                 int(StaticStepper::sets(state).sticking),
                 report.solve.iterations,
                 int(StaticStepper::sets(state).attempts)};
      for (const Reaction& reaction : report.reactions)
        if (reaction.point > 0) {
          row.force += reaction.force;
          row.moment +=
            reaction.moment +
            cross(node(system, state, reaction.body, reaction.point) - centre, reaction.force);
        }
      rows.push_back(row);
    }
    return rows;
  }
};

TestSuite testHelix()
{
  TestSuite test("double helix");
  struct Case
  {
    std::size_t n;
    BeamConstraints constraints;
    double friction;
    int end;
    //! force at step 4, moments at steps 8, 12, 16; at the end; work of the ends
    double F4, M8, M12, M16, energy, work, dissipated;
  };
  const Case cases[] = {
    {16, BeamConstraints::mortar, 0.2, 20, 30.305468134633852, 28.049046210399055,
     43.80514339690344, 26.665915922134307, 3.035777076818605, 3.5594447431254643,
     0.5537893717573088},
    {16, BeamConstraints::midpoints, 0.2, 20, 30.30550117291739, 28.051432370895412,
     43.801681927011714, 26.655399857202465, 3.035939343744725, 3.5646151603993297,
     0.5588768223970831},
    {16, BeamConstraints::mortar, 0.0, 20, 30.301979314141953, 27.356335000502803,
     43.181490461162525, 27.356335000504004, 3.0300111357621944, 3.0300228111233016,
     -5.974475677314092e-21},
    {8, BeamConstraints::mortar, 0.2, 20, 30.30895791734595, 29.19203501587221, 46.58981755767275,
     27.821461427843477, 3.0349636770481467, 3.5576010848351967, 0.5541732959850725},
    {8, BeamConstraints::midpoints, 0.2, 20, 30.310218911584407, 29.202348176250077,
     46.57645573773174, 27.778928096605632, 3.0355204066864587, 3.5786864348716394,
     0.5754739577991339},
    {32, BeamConstraints::mortar, 0.2, 12, 30.304840689032353, 27.768769302695887,
     43.142214746091554, 0, 6.341134343929886, 6.430149509721284, 0.2712095514454537},
    {32, BeamConstraints::midpoints, 0.2, 12, 30.304752843646963, 27.768565424987216,
     43.140624349450796, 0, 6.341006265370391, 6.430385247423985, 0.2715605494620718},
  };
  for (const Case& c : cases) {
    Helix helix(c.n, c.constraints, c.friction);
    State state;
    const auto rows = helix.run(c.end, state);
    const std::string name = std::to_string(c.n) + " elements, method " +
                             std::to_string(int(c.constraints)) + ", friction " +
                             std::to_string(c.friction) + ": ";
    auto near = [&](double value, double reference, double tolerance, const char* what) {
      test.check(std::abs(value - reference) <= tolerance * std::abs(reference), what)
        << name << value << " instead of " << reference;
    };
    near(rows[3].force[2], c.F4, 1e-6, "force after stretching");
    near(rows[7].moment[1], c.M8, 1e-4, "moment half bent");
    near(rows[11].moment[1], c.M12, 1e-4, "moment fully bent");
    if (c.end == 20)
      near(rows[15].moment[1], c.M16, 1e-3, "moment on the way back");
    near(rows.back().energy, c.energy, 1e-4, "strain energy at the end");
    if (c.friction > 0)
      near(rows.back().friction, c.dissipated, 2e-3, "friction work");
    if (c.end < 20)
      continue; // the balance is that of the cycle
    near(state.ledger.externalWork, c.work, 5e-3, "work of the ends");
    const double gap = state.ledger.externalWork - rows.back().energy - rows.back().friction;
    test.check(std::abs(gap) <= 0.01 * state.ledger.externalWork, "energy balance of the cycle")
      << name << gap / state.ledger.externalWork;
  }
  return test;
}

//! The whole cycle with the scaling that the stepper chooses, on three meshes, with and without
//! friction
TestSuite testRobustness()
{
  TestSuite test("helix cycles with automatic scaling");
  for (std::size_t n : {8, 16, 32})
    for (const auto& [constraints, partner] :
         {std::pair(BeamConstraints::mortar, BeamPartner::closest),
          std::pair(BeamConstraints::midpoints, BeamPartner::closest),
          std::pair(BeamConstraints::mortar, BeamPartner::section),
          std::pair(BeamConstraints::midpoints, BeamPartner::section),
          std::pair(BeamConstraints::nodes, BeamPartner::section)})
      for (double friction : {0.0, 0.2}) {
        Helix helix(n, constraints, friction, 1, partner);
        State state;
        const std::string name = std::to_string(n) + " elements, method " +
                                 std::to_string(int(constraints)) + ", partner " +
                                 std::to_string(int(partner)) + ", friction " +
                                 std::to_string(friction) + ": ";
        try {
          const auto rows = helix.run(20, state);
          int iterations = 0;
          for (const auto& row : rows)
            iterations += row.iterations;
          test.check(iterations <= 20 * 25, "iterations") << name << iterations;
          test.check(std::abs(state.ledger.stepWork) <= 0.01 * state.ledger.externalWork,
                     "energy balance")
            << name << state.ledger.stepWork / state.ledger.externalWork;
        }
        catch (const RunError& e) {
          test.check(false, "the cycle is solved") << name << e.what();
        }
      }
  return test;
}

//! The defect of the energy balance shrinks with the step
TestSuite testEnergyBalance()
{
  TestSuite test("energy balance of the helix");
  double before = 0;
  for (int refine : {1, 2}) {
    Helix helix(8, BeamConstraints::mortar, 0.2, refine);
    State state;
    helix.run(20, state);
    const double defect = std::abs(state.ledger.stepWork / state.ledger.externalWork);
    test.check(defect <= 0.01, "below one per cent") << defect;
    if (refine > 1)
      test.check(defect <= 0.7 * before, "shrinks with the step") << before << " " << defect;
    before = defect;
  }
  return test;
}

//! The dual basis: the helix cycle and the cantilevers
TestSuite testDualMortar()
{
  TestSuite test("dual mortar");
  for (double friction : {0.0, 0.2}) {
    State state, standardState;
    Helix dual(16, BeamConstraints::dualMortar, friction),
      standard(16, BeamConstraints::mortar, friction);
    const auto rows = dual.run(20, state), expected = standard.run(20, standardState);
    for (int i : {3, 7, 11, 15})
      test.check(std::abs(rows[std::size_t(i)].moment[1] - expected[std::size_t(i)].moment[1]) <=
                   5e-3 * std::abs(expected[11].moment[1]),
                 "moments are those of the standard basis")
        << friction << " step " << i << ": " << rows[std::size_t(i)].moment[1] << " "
        << expected[std::size_t(i)].moment[1];
    test.check(std::abs(rows.back().friction - expected.back().friction) <=
                 0.05 * expected.back().friction + 1e-12,
               "friction work")
      << rows.back().friction << " " << expected.back().friction;
    test.check(std::abs(state.ledger.stepWork) <= 0.01 * state.ledger.externalWork,
               "energy balance")
      << state.ledger.stepWork / state.ledger.externalWork;
  }
  return test;
}

//! Gaps between the points where the equations hold: a bound on the overlap of the helix, in radii
TestSuite testPointwiseGaps()
{
  TestSuite test("pointwise gaps");
  double last = 1;
  for (std::size_t n : {8, 16, 32}) {
    Helix helix(n, BeamConstraints::mortar, 0.2);
    State state;
    helix.run(12, state);
    const BeamContact& contact =
      dynamic_cast<const BeamContact&>(*helix.contacts[0].geometry.find<GapSlipGeometry>());
    // the gap at twenty points of each element of the first strand
    double smallest = 0;
    const auto& beam = dynamic_cast<const Beam&>(helix.system.body(0));
    const auto& other = dynamic_cast<const Beam&>(helix.system.body(1));
    const auto pieces = beamPieces(beam, helix.system.point(0, 0), state.q),
               others = beamPieces(other, helix.system.point(1, 0), state.q);
    for (std::size_t e = 0; e < n; ++e)
      for (int k = 0; k < 20; ++k) {
        const Vector3 x = pieces[e].frame((k + 0.5) / 20).position;
        if (const auto partner = contact.partner(state.q, x))
          smallest = std::min(
            smallest, (others[partner->element].frame(partner->eta).position - x).norm() - 2);
      }
    std::cout << "helix of " << n << " elements: smallest gap anywhere " << smallest << " radii"
              << std::endl;
    test.check(smallest >= -0.02, "at most two per cent of the radius") << n << ": " << smallest;
    test.check(-smallest <= 0.6 * last, "and less on finer meshes")
      << n << ": " << smallest << " after " << last;
    last = std::max(-smallest, 1e-4);
  }
  return test;
}

//! The promises of a stepper, while strands slide and stick
TestSuite testStepper()
{
  Helix helix(8, BeamConstraints::mortar, 0.2);
  StaticStepper stepper(helix.system, helix.contacts, {.step = 1});
  return checkStepper(stepper, helix.system.initialState(), {.steps = 8});
}

//! A cantilever is pressed to a floor that comes up
TestSuite testFloor()
{
  TestSuite test("cantilever and a floor that moves");
  for (const BeamConstraints constraints : {BeamConstraints::midpoints, BeamConstraints::nodes,
                                            BeamConstraints::mortar, BeamConstraints::dualMortar}) {
    System system;
    addBeam(system,
            {.name = "beam",
             .length = 1,
             .elements = 16,
             .section = circularSection(0.01, {.young = 1e9, .poisson = 0.3, .density = 1})},
            {alongX, {0, 0, 0.02}});
    hold(system, 0, 0);
    const auto floor = std::make_shared<Plane>("floor", Vec3{1, 0, 0}, Vec3{-0.3, 0, 1});
    floor->setMotion({Expression(), Expression(), Expression("0.1*t")});
    std::vector<Contact> contacts;
    contacts.push_back(
      {"floor", std::make_shared<BeamObstacle>(system, 0, floor, constraints), {.friction = 0.2}});
    StaticStepper stepper(system, contacts, {.step = 0.05});
    StepReport report;
    State state = stepper.start(system.initialState(), report), next;
    double smallest = 0;
    for (int i = 0; i < 20; ++i) {
      stepper.step(state, next, report);
      std::swap(state, next);
      smallest = std::min(smallest, report.minGap);
    }
    const Vec3 balance = report.impulse / report.weight + report.reactions.at(0).force;
    test.check(report.impulse[2] > 0 &&
                 balance.two_norm() <= 1e-8 * report.impulse.two_norm() / report.weight,
               "the clamp holds what the floor pushes")
      << balance;
    // in the mean over half an element the end may sink in by a part of the slope
    test.check(smallest >=
                 (constraints == BeamConstraints::mortar ? -0.25 * 0.3 / 16 : -1e-3 * 0.01),
               "no overlap")
      << int(constraints) << ": " << smallest;
    const double energy = system.potentials(1, state.q).elastic,
                 friction = -state.ledger.frictionWork;
    test.check(energy > 0 &&
                 std::abs(state.ledger.externalWork - energy - friction) <= 0.05 * energy,
               "work of the floor")
      << int(constraints) << ": " << state.ledger.externalWork << " " << energy << " " << friction;
  }
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testCantilevers());
  test.subTest(testHelix());
  test.subTest(testRobustness());
  test.subTest(testEnergyBalance());
  test.subTest(testDualMortar());
  test.subTest(testPointwiseGaps());
  test.subTest(testFloor());
  test.subTest(testStepper());
  return test.exit();
}
