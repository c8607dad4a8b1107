// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dune/common/parallel/mpihelper.hh>

#include <dune/impact/body/bar.hh>
#include <dune/impact/body/particle.hh>
#include <dune/impact/body/system.hh>
#include <dune/impact/contact/impulse/pointcontact.hh>
#include <dune/impact/timestep/explicit/cdlagrange.hh>

#include "clocks.hh"

/** \file
 * \brief Speed of explicit steps against what the memory allows
 *
 * A bar step must read q, p, the stiffness and the inverse mass and write q and p: 48 bytes per
 * element. At the rate at which this machine does a triad a = b + s c (24 bytes per element) in
 * the same run, that is the limit. A bouncing particle shows what a step costs besides.
 *
 * All times are processor times of the thread, best of several repetitions, since other programs
 * may run. The exit status is 1 if a limit is missed.
 */

using namespace Dune;
using namespace Dune::Impact;

namespace {

  //! Shortest of several runs
  template<class Work>
  double shortest(int repetitions, Work&& work)
  {
    double best = 1e300;
    for (int i = 0; i < repetitions; ++i) {
      const double begin = threadSeconds();
      work();
      best = std::min(best, threadSeconds() - begin);
    }
    return best;
  }

  //! Bytes per second of a = b + s c
  double triadRate()
  {
    const std::size_t n = 20'000'000;
    std::vector<double> a(n, 1), b(n, 2), c(n, 3);
    double s = 3;
    const double time = shortest(10, [&] {
      double* x = a.data();
      const double *y = b.data(), *z = c.data();
      for (std::size_t i = 0; i < n; ++i)
        x[i] = y[i] + s * z[i];
      s = x[n / 2] > 0 ? 3 : 2; // the result is used
    });
    return 24.0 * double(n) / time;
  }

  //! Seconds per step of a stepper that has run for a while
  double secondsPerStep(Stepper& stepper, const State& initial, long steps, int repetitions)
  {
    StepReport report;
    State state = stepper.start(initial, report), next;
    const auto run = [&] {
      for (long k = 0; k < steps; ++k) {
        stepper.step(state, next, report);
        std::swap(state, next);
      }
    };
    run();
    return shortest(repetitions, run) / double(steps);
  }

  //! A bar full of waves, with a wall far away
  double barStep(std::size_t elements)
  {
    System system;
    system.add(std::make_unique<Bar>(Bar::Settings{.name = "bar",
                                                   .length = 0.254,
                                                   .elements = elements,
                                                   .area = 0.645e-3,
                                                   .young = 2.1e11,
                                                   .density = 7847,
                                                   .motion = {.velocity = {5, 0, 0}}}));
    std::vector<Contact> contacts;
    contacts.push_back({"wall", std::make_unique<PointObstacle>(
                                  std::vector{system.point(0, elements)},
                                  std::make_shared<Plane>("wall", Vec3{1, 0, 0}, Vec3{-1, 0, 0}))});
    CDLagrange stepper(system, contacts, 1,
                       {.step = 0.8 * 0.254 / double(elements) / std::sqrt(2.1e11 / 7847)});
    State initial = system.initialState();
    for (std::size_t i = 0; i < initial.p.size(); ++i)
      initial.p[i] *= 1 + 0.1 * std::sin(double(i));
    return secondsPerStep(stepper, initial, 20, 20);
  }

  //! A particle that bounces for ever (restitution 1) or comes to rest
  double particleStep(double restitution)
  {
    System system;
    system.add(std::make_unique<Particle>(Particle::Settings{
      .name = "ball", .dimension = 1, .position = {1, 0, 0}, .gravity = {-9.81, 0, 0}}));
    std::vector<Contact> contacts;
    contacts.push_back({"floor",
                        std::make_unique<PointObstacle>(
                          std::vector{system.point(0, 0)},
                          std::make_shared<Plane>("floor", Vec3{0, 0, 0}, Vec3{1, 0, 0})),
                        {.restitution = restitution}});
    CDLagrange stepper(system, contacts, 1, {.step = 1e-3});
    return secondsPerStep(stepper, system.initialState(), 1'000'000, 3);
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  const std::size_t elements = 1'000'000;
  const double rate = triadRate();
  const double limit = 48 / rate, bar = barStep(elements) / double(elements), ratio = bar / limit;
  const double bouncing = particleStep(1), resting = particleStep(0.8);
  fmt::print("memory triad          {:8.2f} GB/s\n", 1e-9 * rate);
  fmt::print("bar, 1e6 elements     {:8.2f} ns per element-step; memory allows {:.2f}; ratio "
             "{:.2f}, at most 3\n",
             1e9 * bar, 1e9 * limit, ratio);
  fmt::print("bouncing particle     {:8.1f} ns per step, at most 1000\n", 1e9 * bouncing);
  fmt::print("resting particle      {:8.1f} ns per step, at most 1000\n", 1e9 * resting);
  return ratio <= 3 && std::max(bouncing, resting) <= 1e-6 ? 0 : 1;
}
