// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
/* Two cantilevers of n elements each, one pressed on the other: milliseconds per Newton iteration
 * for the equations and for their solution, and how they grow with n. */
#include <config.h>

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/timer.hh>

#include <dune/impact/body/beamload.hh>
#include <dune/impact/body/framejoint.hh>
#include <dune/impact/contact/beam/beamcontact.hh>
#include <dune/impact/timestep/frames/frictionalequilibrium.hh>

using namespace Dune;
using namespace Dune::Impact;

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  const Matrix3 alongX = (Matrix3() << 0, 0, 1, 1, 0, 0, 0, 1, 0).finished();
  fmt::print("{:>9} {:>10} {:>12} {:>12} {:>10} {:>10}\n", "elements", "unknowns", "assembly/ms",
             "solution/ms", "growth", "growth");
  double lastAssembly = 0, lastSolution = 0, lastElements = 0;
  for (std::size_t n : {10, 30, 100, 300, 1000}) {
    System system;
    const BeamSection section = circularSection(0.01, {.young = 1e9, .poisson = 0.3, .density = 1});
    for (double z : {0.02, 0.0}) {
      Beam::Settings settings{.name = z > 0 ? "upper" : "lower",
                              .length = 1,
                              .elements = n,
                              .section = section,
                              .formulation = BeamFormulation::exponential};
      settings.frames =
        constantStrainFrames({alongX, {0, 0, z}}, straightStrain(), 1, n, settings.formulation);
      const std::size_t body = system.add(std::make_unique<Beam>(settings));
      system.add(std::make_unique<FrameJoint>(system.point(body, 0), system.initialState().q,
                                              FrameJoint::Kind::clamp));
    }
    system.add(std::make_unique<LineLoad>(
      system.point(0, 0), VectorExpression{{Expression(), Expression(), Expression(-1.0)}}, false));
    std::vector<Contact> contacts;
    contacts.push_back({"touch",
                        std::make_shared<BeamContact>(system, 0, 1, BeamConstraints::mortar),
                        {.friction = 0.2}});
    const State initial = system.initialState();
    FrictionalEquilibrium once(system, contacts, {.maxIterations = 0}),
      whole(system, contacts, {.maxIterations = 4});
    double assembly = std::numeric_limits<double>::infinity(), total = assembly;
    for (int repeat = 0; repeat < 3; ++repeat) {
      FrictionalEquilibrium::Solution a{initial.q, std::vector<double>(whole.jointRows(), 0),
                                        std::vector<double>(3 * whole.multipliers(), 0)},
        b = a;
      const double p = whole.stiffness();
      Timer timer;
      once.solve({0, 1, initial.q}, p, a);
      assembly = std::min(assembly, timer.elapsed());
      timer.reset();
      const auto outcome = whole.solve({0, 1, initial.q}, p, b);
      total = std::min(total, timer.elapsed() / std::max(1, outcome.iterations));
    }
    const double solution = total - assembly, ratio = std::log(double(n) / lastElements);
    fmt::print(
      "{:>9} {:>10} {:>12.3f} {:>12.3f} {:>10} {:>10}\n", n,
      system.velocitySize() + whole.jointRows() + 3 * whole.multipliers(), 1e3 * assembly,
      1e3 * solution,
      lastElements > 0 ? fmt::format("n^{:.2f}", std::log(assembly / lastAssembly) / ratio) : "",
      lastElements > 0 ? fmt::format("n^{:.2f}", std::log(solution / lastSolution) / ratio) : "");
    lastAssembly = assembly;
    lastSolution = solution;
    lastElements = double(n);
  }
}
