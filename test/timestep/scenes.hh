// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TEST_TIMESTEP_SCENES_HH
#define DUNE_IMPACT_TEST_TIMESTEP_SCENES_HH

#include <cmath>

#include <dune/impact/body/bar.hh>
#include <dune/impact/body/particle.hh>
#include <dune/impact/body/system.hh>
#include <dune/impact/contact/impulse/pointcontact.hh>
#include <dune/impact/contact/law/masslesstip.hh>
#include <dune/impact/timestep/stepper.hh>

/** \file
 * \brief Small scenes that several tests of time stepping share
 */

namespace Dune::Impact::Test {

  //! A system with its contacts
  struct Scene
  {
    int dimension = 1;
    System system;
    std::vector<Contact> contacts;

    //! The number of the next contact
    std::size_t next() const { return contacts.size(); }

    void add(ContactGeometry geometry, const ContactLaw& law = {})
    {
      contacts.push_back({"contact " + std::to_string(next()), std::move(geometry), law});
    }

    //! A contact of ends without mass
    void addMassless(std::shared_ptr<const MasslessContact> contact)
    {
      system.add(contact);
      add(std::move(contact));
    }

    const Bar& bar(std::size_t body) const { return dynamic_cast<const Bar&>(system.body(body)); }
    PointHandle end(std::size_t body, Bar::End which) const
    {
      return system.point(body, bar(body).endNode(which));
    }
    MasslessTip::Side side(std::size_t body, Bar::End which) const
    {
      return MasslessTip::side(end(body, which), bar(body), which);
    }
  };

  //! Units by which a scene is multiplied; powers of two leave all digits alone
  struct Units
  {
    double mass = 1, length = 1, time = 1;

    double velocity() const { return length / time; }
    double momentum() const { return mass * velocity(); }
    double energy() const { return mass * velocity() * velocity(); }
  };

  //! The steel bars of the impact problem: each is d from the plane between them
  namespace Steel {
    constexpr double young = 2.1e11, density = 7847, length = 0.254, area = 0.645e-3,
                     distance = 0.2e-3, speed = 5;
    inline const double wave = std::sqrt(young / density);
    constexpr double energy = 0.5 * density * area * length * speed * speed; //!< of one bar

    inline Bar::Settings bar(std::size_t elements, const Units& u = {})
    {
      return {.name = "bar",
              .length = length * u.length,
              .elements = elements,
              .area = area * u.length * u.length,
              .young = young * u.mass / (u.length * u.time * u.time),
              .density = density * u.mass / (u.length * u.length * u.length),
              .motion = {.velocity = {speed * u.velocity(), 0, 0}}};
    }
  } // namespace Steel

  //! Two bars that meet in the plane x = length + distance
  inline Scene twoBars(std::size_t elements, double restitution = 0, const Units& u = {})
  {
    Scene scene;
    Bar::Settings left = Steel::bar(elements, u), right = left;
    right.position = {(Steel::length + 2 * Steel::distance) * u.length, 0, 0};
    right.motion.velocity *= -1;
    scene.system.add(std::make_unique<Bar>(left));
    scene.system.add(std::make_unique<Bar>(right));
    scene.add(
      std::make_unique<FacePoint>(scene.end(0, Bar::right), scene.end(1, Bar::left), Vec3{1, 0, 0}),
      {.restitution = restitution});
    return scene;
  }

  inline std::shared_ptr<Plane> wall(double x, double normal)
  {
    return std::make_shared<Plane>("wall", Vec3{x, 0, 0}, Vec3{normal, 0, 0});
  }

  //! A bar of length 1 and wave speed 1 between walls that leave it some room on both sides
  inline Scene barBetweenWalls(std::size_t elements, double restitution, double gravity = 0)
  {
    Scene scene;
    scene.system.add(std::make_unique<Bar>(Bar::Settings{.name = "bar",
                                                         .length = 1,
                                                         .elements = elements,
                                                         .motion = {.velocity = {0.3, 0, 0}},
                                                         .gravity = {gravity, 0, 0}}));
    scene.add(std::make_unique<PointObstacle>(std::vector{scene.end(0, Bar::left)}, wall(-0.1, 1)),
              {.restitution = restitution});
    scene.add(
      std::make_unique<PointObstacle>(std::vector{scene.end(0, Bar::right)}, wall(1.07, -1)),
      {.restitution = restitution});
    return scene;
  }

  //! One steel bar with a massless right end in front of a wall: half of the two-bar problem
  inline Scene masslessOnWall(std::size_t elements, const Units& u = {})
  {
    Scene scene;
    Bar::Settings settings = Steel::bar(elements, u);
    settings.tip = {Bar::Tip::massive, Bar::Tip::masslessShifted};
    scene.system.add(std::make_unique<Bar>(settings));
    const double d = Steel::distance * u.length;
    scene.addMassless(std::make_shared<MasslessTip>(
      scene.side(0, Bar::right), wall(Steel::length * u.length + d, -1), 1.0, d));
    return scene;
  }

  //! A mass on a spring that turns inside a circle
  inline Scene rotatingSpring(double restitution = 1, const Units& u = {})
  {
    Scene scene{.dimension = 2};
    scene.system.add(
      std::make_unique<Particle>(Particle::Settings{.name = "mass",
                                                    .dimension = 2,
                                                    .mass = u.mass,
                                                    .position = {1.5 * u.length, 0, 0},
                                                    .velocity = {u.velocity(), u.velocity(), 0}}));
    scene.system.add(std::make_unique<Spring>(scene.system.point(0, 0), Vec3(0),
                                              10 * u.mass / (u.time * u.time), u.length));
    scene.add(
      std::make_unique<PointObstacle>(std::vector{scene.system.point(0, 0)},
                                      std::make_shared<Cavity>("circle", Vec3(0), 1.55 * u.length)),
      {.restitution = restitution});
    return scene;
  }

  //! March and show each step: observe(from, to, report); returns the last state
  template<class Observe>
  State march(Stepper& stepper, const State& initial, long steps, Observe&& observe)
  {
    StepReport report;
    State from = stepper.start(initial, report), to;
    for (long i = 0; i < steps; ++i) {
      stepper.step(from, to, report);
      observe(std::as_const(from), std::as_const(to), std::as_const(report));
      std::swap(from, to);
    }
    return from;
  }

  //! Largest change of total + dissipated - external work over a run, relative to the largest
  //! energy
  inline double balanceDefect(Stepper& stepper, const State& initial, long steps)
  {
    double first = 0, worst = 0, scale = 0;
    march(stepper, initial, steps, [&](const State& from, const State& to, const StepReport&) {
      const Record record = stepper.record(from, to);
      const double constant = record.total() + record.dissipated - record.externalWork;
      if (to.step == 1)
        first = constant;
      worst = std::max(worst, std::abs(constant - first));
      scale = std::max({scale, std::abs(record.kinetic), std::abs(record.stored.elastic),
                        std::abs(record.stored.potential)});
    });
    return worst / scale;
  }

} // namespace Dune::Impact::Test

#endif
