// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TEST_TIMESTEP_FRAMES_NSGASCENE_HH
#define DUNE_IMPACT_TEST_TIMESTEP_FRAMES_NSGASCENE_HH

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <dune/impact/body/beam.hh>
#include <dune/impact/body/framejoint.hh>
#include <dune/impact/contact/beam/beamcontact.hh>
#include <dune/impact/contact/beam/pointgapslip.hh>
#include <dune/impact/contact/impulse/pointcontact.hh>
#include <dune/impact/timestep/frames/nsga.hh>

// Systems for the tests of Nsga

namespace Dune::Impact {

  //! A system with contacts; a wall touches points of bodies
  struct Scene
  {
    System system;
    std::vector<Contact> contacts;

    void wall(std::size_t body, std::size_t point, const Vec3& at, const Vec3& normal,
              int dimension, double restitution, double friction = 0)
    {
      const auto points = std::make_shared<PointObstacle>(
        std::vector{system.point(body, point)}, std::make_shared<Plane>("wall", at, normal));
      contacts.push_back({"wall",
                          std::make_shared<PointGapSlip>(system, points, dimension),
                          {.restitution = restitution, .friction = friction}});
    }

    //! Call a function after each step
    template<class F>
    State run(Nsga::Settings settings, int steps, F&& after) const
    {
      settings.gapTolerance = std::ldexp(1, -40);
      Nsga stepper(system, contacts, settings);
      StepReport report;
      State state = stepper.start(system.initialState(), report), next;
      for (int i = 0; i < steps; ++i) {
        stepper.step(state, next, report);
        after(state, next, report, stepper);
        std::swap(state, next);
      }
      return state;
    }
  };

  inline Vec3 position(const System& system, const State& state, std::size_t body,
                       std::size_t point)
  {
    return system.body(body).position(system.configurationSlice(body, state.q), point);
  }

  inline double energy(const Nsga& stepper, const State& from, const State& to)
  {
    return stepper.record(from, to).total();
  }

  //! A beam that hangs at a hinge
  struct FlexiblePendulum : Scene
  {
    FlexiblePendulum(std::size_t n, double restitution)
    {
      const Vector3 axis(std::sin(1.0), 0, -std::cos(1.0));
      Frame first;
      first.rotation << Vector3::UnitY(), axis.cross(Vector3::UnitY()), axis;
      Beam::Settings settings{
        .name = "beam",
        .length = 1,
        .elements = n,
        .section = circularSection(0.01, {.young = 1e8, .poisson = 0.3, .density = 1000}),
        .formulation = BeamFormulation::exponential,
        .gravity = {0, 0, -10}};
      settings.frames = constantStrainFrames(first, straightStrain(), 1, n, settings.formulation);
      system.add(std::make_unique<Beam>(settings));
      system.add(std::make_unique<FrameJoint>(system.point(0, 0), system.initialState().q,
                                              FrameJoint::Kind::hinge, Vector3::UnitY()));
      wall(0, n, {0, 0, 0}, {1, 0, 0}, 3, restitution);
    }
  };

  //! Two beams whose ends are turned around each other
  struct Twist : Scene
  {
    Twist(std::size_t n, BeamConstraints constraints, double friction)
    {
      const BeamSection section =
        circularSection(1, {.young = 1000, .poisson = 0.3, .density = 1e-9});
      const std::string tau = "(t/0.02)",
                        angle = "1.5*pi*(" + tau + "-sin(2*pi*" + tau + ")/(2*pi))";
      for (double x : {1.05, -1.05}) {
        Beam::Settings settings{.name = x > 0 ? "one" : "two",
                                .length = 80,
                                .elements = n,
                                .section = section,
                                .formulation = BeamFormulation::exponential};
        settings.frames = constantStrainFrames({Matrix3::Identity(), {x, 0, 0}}, straightStrain(),
                                               80, n, settings.formulation);
        const std::size_t body = system.add(std::make_unique<Beam>(settings));
        const State initial = system.initialState();
        system.add(
          std::make_unique<FrameJoint>(system.point(body, 0), initial.q, FrameJoint::Kind::clamp));
        system.add(std::make_unique<FrameJoint>(
          system.point(body, n), initial.q, FrameJoint::Kind::clamp, Vector3::UnitZ(),
          FrameJoint::Holder{.motion =
                               FaceMotion({Expression(), Expression(), Expression()},
                                          {Expression(), Expression(), Expression(angle)})}));
      }
      contacts.push_back({"touch",
                          std::make_shared<BeamContact>(system, 0, 1, constraints),
                          {.friction = friction}});
    }

    double torque(const State& state, const StepReport& report, std::size_t n) const
    {
      double sum = 0;
      for (const Reaction& reaction : report.reactions)
        if (reaction.point == n)
          sum += reaction.moment[2] +
                 cross(position(system, state, reaction.body, n), reaction.force)[2];
      return sum;
    }
  };

} // namespace Dune::Impact

#endif
