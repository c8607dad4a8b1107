// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include "barimpacts.hh"
#include "beamimpacts.hh"

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

/* The largest error of the interval energy falls with the square of the step: three halvings, the
 * slope of a straight line through the logarithms. Single runs scatter, because the instants of
 * impact fall differently into the steps, so medians of several initial gaps are taken. */

double median(std::vector<double> x)
{
  std::sort(x.begin(), x.end());
  return x.size() % 2 ? x[x.size() / 2] : 0.5 * (x[x.size() / 2 - 1] + x[x.size() / 2]);
}

//! Slope of log2(error) over the number of halvings, with its sign turned
double order(const std::vector<double>& errors)
{
  const double n = double(errors.size());
  double x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const double e = std::log2(errors[i]);
    x += double(i);
    y += e;
    xx += double(i * i);
    xy += double(i) * e;
  }
  return -(n * xy - x * y) / (n * xx - x * x);
}

void check(TestSuite& test, const std::string& name, const std::vector<double>& errors)
{
  std::cout << name << ":";
  for (double error : errors)
    std::cout << " " << error;
  std::cout << ", order " << order(errors) << "\n";
  test.check(order(errors) >= 1.6 && order(errors) <= 2.8, "second order")
    << name << ": " << order(errors);
}

TestSuite testBars()
{
  TestSuite test("bars");
  for (const BarReference& data : barReferences) {
    std::vector<double> errors;
    for (int halvings = 0; halvings <= 3; ++halvings) {
      std::vector<double> runs;
      for (int i = 0; i < (data.prolonged ? 5 : 13); ++i) {
        const Scene scene = barImpact(data, 1 + 0.0137 * i);
        Multisymplectic stepper(scene.system, scene.contacts,
                                {.step = std::ldexp(barStep, -halvings)});
        const BarRun run = runBars(scene, stepper, 1800L << halvings); // contact ends at 25
        runs.push_back(run.energyError);
        test.check(run.momentumDrift <= 1e-13, "momentum") << run.momentumDrift;
      }
      errors.push_back(median(runs));
    }
    check(test,
          "case " + std::to_string(data.number) + (data.prolonged ? ", prolonged" : ", bounce"),
          errors);
  }
  return test;
}

TestSuite testBeam()
{
  TestSuite test("beam");
  for (double nextTime : {4e-5, 8e-5}) {
    std::vector<double> errors;
    for (int halvings = 0; halvings <= 3; ++halvings) {
      const Scene scene = fallingBeam(10, nextTime);
      Multisymplectic stepper(scene.system, scene.contacts,
                              {.step = std::ldexp(4e-5, -halvings), .firstInterval = true});
      const BeamRun run = runBeam(scene, stepper, 2500L << halvings);
      errors.push_back(std::max(run.highestEnergy, -run.lowestEnergy));
    }
    check(test, nextTime == 4e-5 ? "fast" : "medium", errors);
  }
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("impactenergyerrorissecondorder");
  test.subTest(testBars());
  test.subTest(testBeam());
  return test.exit();
}
