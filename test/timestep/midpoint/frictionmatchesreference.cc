// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <iostream>
#include <string>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include "mortarscene.hh"

// Impacts of soft bodies with Coulomb friction agree with an independent implementation of the same
// equations; every step has its balance of energy, and free bodies keep both momenta.

using namespace Dune;
using namespace Dune::Impact;

namespace {

  struct Expected
  {
    double initial, change, contactLoss, frictionWork;
    int contactSteps;
  };

  struct Outcome : Run
  {
    double contactLoss = 0, frictionWork = 0;
  };

  Outcome runWithFriction(const Setup& setup, double end)
  {
    Outcome result;
    static_cast<Run&>(result) =
      run(setup, std::lround(end / setup.step), [&](const Scene& scene, const Step& step) {
        result.contactLoss += promisedLoss(scene, step);
        result.frictionWork -= step.to.ledger.frictionWork - step.from.ledger.frictionWork;
      });
    return result;
  }

  void compare(TestSuite& test, const std::string& name, const Setup& setup, double end,
               const Expected& expected)
  {
    const Outcome got = runWithFriction(setup, end);
    const auto check = [&](const char* what, double value, double reference, double scale) {
      test.check(std::abs(value - reference) <= 1e-6 * scale, name)
        << what << " " << value << " and not " << reference;
    };
    check("energy", got.initial, expected.initial, std::abs(expected.initial));
    check("change of energy", got.change, expected.change, std::abs(expected.change));
    check("loss in contact", got.contactLoss, expected.contactLoss, expected.contactLoss);
    check("work of friction", got.frictionWork, expected.frictionWork, expected.frictionWork);
    test.check(got.contactSteps == expected.contactSteps, name)
      << got.contactSteps << " steps in contact";
    checkBalance(test, name, setup, got);
    std::cout << name << ": " << got.contactIterations
              << " iterations per step in contact, at most " << got.mostIterations << std::endl;
    if (setup.secondDisc) {
      std::cout << "drift of momentum " << got.momentum << ", of angular momentum " << got.angular
                << std::endl;
      test.check(got.momentum <= 1e-12 * 0.3, name) << "momentum " << got.momentum;
      test.check(got.angular <= 1e-11 * 38, name) << "angular momentum " << got.angular;
    }
  }

  TestSuite obliqueImpacts()
  {
    TestSuite test("oblique impacts");
    Setup setup{.spin = 0.002,
                .velocity = {2, -0.198, 0},
                .shift = {0, -1.95, 0},
                .gravity = 0,
                .friction = 0.3};
    setup.step = 1;
    compare(test, "oblique 1", setup, 8,
            {1.5856020974286744, -0.1559866171347839, 0.001051784243096679, 0.1549348328922141, 6});
    setup.step = 0.5;
    compare(
      test, "oblique 0.5", setup, 8,
      {1.5856020974286744, -0.15829611615020434, 0.0004399990019590419, 0.1578561171492897, 11});
    setup.step = 0.25;
    compare(
      test, "oblique 0.25", setup, 8,
      {1.5856020974286744, -0.15904039240970058, 3.161550360922423e-06, 0.15903723085913235, 21});
    setup.step = 0.125;
    compare(
      test, "oblique 0.125", setup, 8,
      {1.5856020974286744, -0.15896075106169616, 2.3060676330331965e-06, 0.15895844499396847, 42});
    return test;
  }

  TestSuite bounce()
  {
    TestSuite test("bounce");
    compare(
      test, "bounce", {.spin = 0.002, .friction = 0.3}, 40,
      {1.5702314415507526, -0.17768865773799902, 0.0016503596874924706, 0.1760382980512607, 6});
    return test;
  }

  TestSuite persistent()
  {
    TestSuite test("slides until it rolls");
    Setup setup{.spin = 0, .shift = {0, -1.99, 0}, .gravity = 0.0981, .friction = 0.3};
    compare(
      test, "persistent 1", setup, 60,
      {1.5682742452729697, -0.5340977814380625, 0.010655787374727822, 0.5234419940676083, 59});
    setup.step = 0.5;
    compare(
      test, "persistent 0.5", setup, 60,
      {1.5682742452729697, -0.5263315229121495, 0.00276467248745051, 0.5235668504508106, 111});
    return test;
  }

  TestSuite freeDiscs()
  {
    TestSuite test("two free discs");
    Setup setup{
      .spin = 0.02, .velocity = {0, -0.3, 0}, .gravity = 0, .friction = 0.3, .secondDisc = true};
    setup.step = 1;
    compare(
      test, "discs 1", setup, 24,
      {0.23100579829679324, -0.05534581637589189, 0.002177716371013828, 0.05316810000554235, 4});
    setup.step = 0.5;
    compare(
      test, "discs 0.5", setup, 24,
      {0.23100579829679324, -0.05469357418608439, 0.0006700170816352482, 0.05402355710445267, 8});
    return test;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(obliqueImpacts());
  test.subTest(bounce());
  test.subTest(persistent());
  test.subTest(freeDiscs());
  return test.exit();
}
