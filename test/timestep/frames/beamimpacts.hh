// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TEST_TIMESTEP_FRAMES_BEAMIMPACTS_HH
#define DUNE_IMPACT_TEST_TIMESTEP_FRAMES_BEAMIMPACTS_HH

#include <dune/impact/body/beam.hh>
#include <dune/impact/timestep/frames/multisymplectic.hh>

#include "../scenes.hh"

/** \file
 * \brief A curved beam that is thrown onto a plane
 */

namespace Dune::Impact::Test {

  //! Frames of the start and a little later, whose difference gives the velocities
  inline std::vector<Frame> fallingFrames(std::size_t elements, bool next)
  {
    const Matrix3 turned = RotationExponential::map({0.5, 0, 0});
    if (!next)
      return constantStrainFrames({turned, Vector3::Zero()}, parts({1, 4.5, 1}, {0, 0, 1}), 0.5,
                                  elements);
    return constantStrainFrames({turned, 2e-5 * Vector3(0, -std::sin(0.5), std::cos(0.5))},
                                parts({1.004, 4.522, 0.996}, {-0.004, 0, 1}), 0.5, elements);
  }

  //! The beam above the plane z = 0; angular velocities can be perturbed by a factor
  inline Scene fallingBeam(std::size_t elements, double nextTime, double factor = 1)
  {
    Scene scene{.dimension = 3};
    Beam::Settings settings{
      .name = "beam",
      .length = 0.5,
      .elements = elements,
      .section = rectangularSection(0.05, 0.05, {.young = 1e6, .poisson = 0.35, .density = 1e3}),
      .frames = fallingFrames(elements, false),
      .gravity = {0, 0, -10}};
    settings.velocities =
      velocitiesBetween(settings.frames, fallingFrames(elements, true), nextTime);
    for (Vector6& xi : settings.velocities)
      xi.head<3>() *= factor;
    scene.system.add(std::make_unique<Beam>(settings));
    std::vector<PointHandle> points;
    for (std::size_t a = 0; a <= elements; ++a)
      points.push_back(scene.system.point(0, a));
    scene.add(std::make_unique<PointObstacle>(
      points, std::make_shared<Plane>("plane", Vec3{0, 0, 0}, Vec3{0, 0, 1})));
    return scene;
  }

  inline const Beam& theBeam(const Scene& scene)
  {
    return dynamic_cast<const Beam&>(scene.system.body(0));
  }

  //! What a run shows
  struct BeamRun
  {
    double energy = 0;                          //!< of the first interval
    double lowestEnergy = 0, highestEnergy = 0; //!< relative to it, minus one
    double linearDrift = 0, angularDrift = 0;   //!< of p_x, p_y and of l_z
    std::vector<Multisymplectic::ContactInstant> contacts;
    State last;
  };

  template<class Observe>
  BeamRun runBeam(const Scene& scene, Multisymplectic& stepper, long steps, Observe&& observe)
  {
    BeamRun run;
    Momenta start;
    run.last = march(stepper, scene.system.initialState(), steps,
                     [&](const State& from, const State& to, const StepReport&) {
                       const Record record = stepper.record(from, to);
                       if (to.step == 1) {
                         run.energy = record.total();
                         start = record.momenta;
                       }
                       const double error = record.total() / run.energy - 1;
                       run.lowestEnergy = std::min(run.lowestEnergy, error);
                       run.highestEnergy = std::max(run.highestEnergy, error);
                       const Vec3 linear = record.momenta.linear - start.linear;
                       run.linearDrift =
                         std::max({run.linearDrift, std::abs(linear[0]), std::abs(linear[1])});
                       run.angularDrift = std::max(
                         run.angularDrift, std::abs(record.momenta.angular[2] - start.angular[2]));
                       run.contacts.insert(run.contacts.end(), stepper.instants().begin(),
                                           stepper.instants().end());
                       observe(from, to);
                     });
    return run;
  }

  inline BeamRun runBeam(const Scene& scene, Multisymplectic& stepper, long steps)
  {
    return runBeam(scene, stepper, steps, [](const State&, const State&) {});
  }

  //! Largest entry of R R^T - I of all nodes
  inline double orthogonalityDefect(const Scene& scene, const State& state)
  {
    double worst = 0;
    for (std::size_t a = 0; a < theBeam(scene).nodes(); ++a) {
      const Matrix3 R = theBeam(scene).frame(state.q, a).rotation;
      worst = std::max(worst, (R * R.transpose() - Matrix3::Identity()).cwiseAbs().maxCoeff());
    }
    return worst;
  }

} // namespace Dune::Impact::Test

#endif
