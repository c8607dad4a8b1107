// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <numbers>
#include <random>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/beam.hh>
#include <dune/impact/body/test/checkbody.hh>
#include <dune/impact/body/test/checksystem.hh>

using namespace Dune;
using namespace Dune::Impact;
using Numbers = std::vector<double>;

const BeamMaterial rubber{.young = 1e6, .poisson = 0.35, .density = 1e3};

Beam::Settings curved(std::size_t elements)
{
  const Frame first{RotationExponential::map({0.5, 0.2, -0.3}), {0.4, -0.2, 0.7}};
  return {.name = "beam",
          .length = 0.5,
          .elements = elements,
          .section = rectangularSection(0.05, 0.04, rubber),
          .frames =
            constantStrainFrames(first, parts({1, 4.5, 1}, {0.02, -0.03, 1.05}), 0.5, elements),
          .gravity = {1, -2, -10}};
}

//! A deformed configuration with momenta in all dofs
State general(const Beam& beam)
{
  std::mt19937 random(3);
  State state;
  state.q.resize(beam.configurationSize());
  state.p.resize(beam.velocitySize());
  Numbers q(beam.configurationSize());
  beam.initialise(q, state.p);
  Numbers dq = Test::randomNumbers(beam.velocitySize(), 0.1, random),
          v = Test::randomNumbers(beam.velocitySize(), 1, random);
  for (std::size_t i = 0; i < dq.size(); ++i) {
    dq[i] *= i % 6 < 3 ? 1 : 0.05;
    v[i] *= i % 6 < 3 ? 30 : 2;
  }
  beam.retract(q, dq, state.q);
  beam.momentum(state.q, v, state.p);
  return state;
}

TestSuite testConcept()
{
  TestSuite test("concept");
  const Beam beam(curved(4));
  const State state = general(beam);
  test.subTest(checkBody(beam, state.q, state.p, 0,
                         {.length = 0.02, .symmetricStiffness = false, .curvedDrift = true}));
  for (auto ends : {std::array{true, false}, std::array{false, true}, std::array{true, true}}) {
    Beam::Settings settings = curved(4);
    settings.clamped = ends;
    const Beam held(settings);
    const State s = general(held);
    test.subTest(checkSystem(held, s.q, s.p, 0,
                             {.length = 0.02, .symmetricStiffness = false, .curvedDrift = true}));
    Numbers q1(s.q.size()), p1(s.p.size());
    held.drift(s.q, s.p, 1e-3, q1, p1);
    test.check(held.held(0, 1) == ends[0] && held.held(4, 2) == ends[1], "ends are held");
    for (std::size_t end : {0, 1})
      test.check((held.position(q1, end * 4) == held.position(s.q, end * 4)) == ends[end],
                 "a held end stays")
        << end;
  }
  return test;
}

//! Momentum to velocity: numbers of an independent implementation, per unit length
TestSuite testMomentumToVelocity()
{
  TestSuite test("momentum to velocity");
  // both nodes carry a unit length
  const Beam beam({.name = "beam",
                   .length = 2,
                   .elements = 1,
                   .section = rectangularSection(0.05, 0.05, rubber)});
  const Numbers p = {0.05, -0.09, 0.02, 30, -42, 61, 0, 0, 0, 0, 0, 0};
  Numbers q(24), v(12), rest(12), back(12);
  beam.initialise(q, rest);
  beam.driftVelocity(q, p, 4e-5, v);
  const Numbers expected = {95.9816262137708, -172.567230120962, 19.2868020852107,
                            12.0777158650239, -16.7578380429211, 24.3904845314834};
  for (std::size_t i = 0; i < 6; ++i)
    test.check(std::abs(v[i] - expected[i]) <= 1e-12 * std::abs(expected[i]) + 1e-12,
               "velocity of a momentum")
      << i << ": " << v[i] - expected[i];
  beam.driftMomentum(q, v, 4e-5, back);
  test.check(Test::distance(back, p) <= 1e-13, "and back");
  Numbers fast = p, q1(24), p1(12);
  fast[0] = 1; // turns by about a radian in the step
  beam.driftVelocity(q, fast, 1e-3, v);
  beam.driftMomentum(q, v, 1e-3, back);
  test.check(Test::distance(back, fast) <= 1e-14 * 61,
             "also far away from the velocity without a step")
    << Test::distance(back, fast);
  fast[0] = 100; // turns by far more
  test.check(Test::throws<RunError>([&] { beam.drift(q, fast, 1, q1, p1); }),
             "a drift that cannot be found ends the run");
  return test;
}

TestSuite testSections()
{
  TestSuite test("sections");
  const double pi = std::numbers::pi, G = 1e6 / 2.7;
  const auto same = [](double a, double b) { return std::abs(a - b) <= 1e-14 * std::abs(b); };
  const BeamSection square = rectangularSection(0.05, 0.05, rubber),
                    flat = rectangularSection(0.1, 0.02, rubber),
                    round = circularSection(0.03, rubber);
  const double I = std::pow(0.05, 4) / 12;
  test.check(same(square.stiffness[0], 1e6 * I) && same(square.stiffness[2], 2 * G * I) &&
               same(square.stiffness[3], G * 0.0025) && same(square.stiffness[5], 1e6 * 0.0025),
             "stiffness of a square");
  test.check(same(square.inertia[1], 1e3 * I) && same(square.inertia[2], 2e3 * I) &&
               same(square.mass, 2.5),
             "inertia of a square");
  test.check(same(flat.stiffness[0], 1e6 * 0.1 * 8e-6 / 12) &&
               same(flat.stiffness[1], 1e6 * 0.02 * 1e-3 / 12),
             "a flat section bends about its longer side");
  test.check(same(round.stiffness[0], 1e6 * pi * 8.1e-7 / 4) && same(round.mass, 1e3 * pi * 9e-4) &&
               round.outline.size() > 8,
             "circle");
  const BeamSection general = generalSection(flat.stiffness, flat.inertia, flat.mass);
  for (std::size_t i = 0; i < 4; ++i)
    test.check((general.outline[i] - flat.outline[i]).norm() <= 1e-15,
               "a general section is drawn with its radii of gyration");
  BeamMaterial soft = rubber;
  soft.shearFactor = 0.5;
  test.check(same(rectangularSection(0.05, 0.05, soft).stiffness[4], 0.5 * G * 0.0025),
             "shear factor");
  return test;
}

//! A cantilever under a small load at its tip bends by F L^3/(3 E I) + F L/(G S), at the pace of
//! the element length squared
TestSuite testCantilever()
{
  TestSuite test("cantilever");
  double before = 0;
  for (std::size_t n : {8, 16, 32}) {
    Beam::Settings settings{.name = "beam",
                            .length = 1,
                            .elements = n,
                            .section = rectangularSection(0.1, 0.1, rubber),
                            .clamped = {true, false}};
    const Beam beam(settings);
    Numbers q(beam.configurationSize()), p(beam.velocitySize());
    beam.initialise(q, p);
    Triplets entries;
    beam.addStiffness(0, q, 0, entries);
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(6 * int(n) + 6, 6 * int(n) + 6);
    for (const auto& e : entries)
      K(e.row(), e.col()) += e.value();
    Eigen::VectorXd f = Eigen::VectorXd::Zero(6 * int(n));
    f[6 * int(n) - 3] = 1e-3; // force along axis 1 at the tip
    const Eigen::VectorXd u = K.bottomRightCorner(6 * int(n), 6 * int(n)).ldlt().solve(f);
    const double I = 1e-4 / 12, exact = 1e-3 / (3 * 1e6 * I) + 1e-3 / (rubber.shear() * 1e-2),
                 error = u[6 * int(n) - 3] / exact - 1;
    if (before != 0)
      test.check(std::abs(error / before - 0.25) < 0.02,
                 "the deflection converges to that of the beam")
        << error << " after " << before;
    before = error;
  }
  test.check(std::abs(before) < 1e-3, "deflection") << before;
  return test;
}

TestSuite testPicture()
{
  TestSuite test("picture");
  const Beam beam(curved(3));
  State state = general(beam);
  Numbers v(beam.velocitySize());
  beam.velocity(state.q, state.p, v);
  VisualizationData visual;
  beam.sample(state.q, v, visual);
  test.check(visual.points.size() == 16 && visual.cells.size() == 12 + 4 &&
               visual.offsets.back() == visual.connectivity.size(),
             "a skin of quadrilaterals, closed by triangles");
  test.check(visual.pointFields.size() == 2 && visual.pointFields[0].values.size() == 48 &&
               visual.cellFields[1].values.size() == 3 * visual.cells.size(),
             "fields");
  // the skin is closed and oriented outwards: a straight beam has its volume
  const Beam straight(
    {.name = "straight", .length = 0.5, .elements = 3, .section = curved(3).section});
  Numbers q(straight.configurationSize()), rest(straight.velocitySize());
  straight.initialise(q, rest);
  VisualizationData skin;
  straight.sample(q, rest, skin);
  double volume = 0;
  for (std::size_t c = 0, begin = 0; c < skin.cells.size(); begin = skin.offsets[c++]) {
    const auto corner = [&](std::size_t i) { return skin.points[skin.connectivity[begin + i]]; };
    for (std::size_t i = 1; i + 1 < skin.offsets[c] - begin; ++i)
      volume += corner(0) * cross(corner(i), corner(i + 1)) / 6;
  }
  test.check(std::abs(volume / (0.5 * 0.05 * 0.04) - 1) < 1e-14, "volume of the skin") << volume;
  test.check(beam.patch("").size() == 4 && beam.patch("tip") == std::vector<std::size_t>{3} &&
               beam.patch("2") == std::vector<std::size_t>{2} && beam.patch("7").empty(),
             "places");
  return test;
}

TestSuite testStart()
{
  TestSuite test("start");
  Beam::Settings settings = curved(10);
  settings.velocities =
    rigidVelocities(settings.frames, {.velocity = {1, 2, 3}, .spin = {4, -5, 6}});
  const Beam beam(settings);
  Numbers q(beam.configurationSize()), p(beam.velocitySize());
  beam.initialise(q, p);
  const Vec3 centre = beam.centreOfMass(q);
  Momenta m = beam.momenta(q, p);
  test.check((m.linear / beam.mass() - Vec3{1, 2, 3}).two_norm() < 1e-13,
             "velocity of the centre of mass")
    << m.linear / beam.mass();
  double work = 0; // 1/2 w . L about the centre and 1/2 v . P are the kinetic energy
  const Vec3 angular = m.angular - cross(centre, m.linear);
  work = 0.5 * (angular * Vec3{4, -5, 6} + m.linear * Vec3{1, 2, 3});
  test.check(std::abs(work / beam.kinetic(q, p) - 1) < 1e-13, "rigid motion");
  for (std::size_t e = 0; e < 10; ++e)
    test.check((beam.strain(q, e) - parts({1, 4.5, 1}, {0.02, -0.03, 1.05})).norm() < 1e-13,
               "strain of the start");
  const auto velocities = velocitiesBetween(
    settings.frames,
    constantStrainFrames(settings.frames[0], parts({1.01, 4.5, 1}, {0.02, -0.03, 1.05}), 0.5, 10),
    0.1);
  test.check(velocities[0].norm() == 0 && velocities[10].norm() > 0,
             "velocities between two configurations");
  test.check(Test::throws<InputError>([&] {
               settings.frames.pop_back();
               Beam wrong(settings);
             }),
             "number of frames");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("beamtest");
  test.subTest(testConcept());
  test.subTest(testMomentumToVelocity());
  test.subTest(testSections());
  test.subTest(testCantilever());
  test.subTest(testPicture());
  test.subTest(testStart());
  return test.exit();
}
