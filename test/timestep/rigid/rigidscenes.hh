// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TEST_TIMESTEP_RIGID_RIGIDSCENES_HH
#define DUNE_IMPACT_TEST_TIMESTEP_RIGID_RIGIDSCENES_HH

#include <dune/impact/contact/rigid/rigidcontact.hh>
#include <dune/impact/timestep/rigid/energymomentum.hh>
#include <dune/impact/timestep/stepper.hh>

/** \file
 * \brief Rigid bodies with contacts, and runs of them
 */

namespace RigidScenes {

  using namespace Dune;
  using namespace Dune::Impact;

  struct Scene
  {
    System system;
    std::vector<Contact> contacts;

    void add(const RigidBody::Settings& settings)
    {
      system.add(std::make_unique<RigidBody>(settings));
    }

    void touch(std::size_t first, std::size_t second, const ContactLaw& law)
    {
      contacts.push_back(
        {"contact",
         std::make_unique<RigidContact>(RigidSide(system, first), RigidSide(system, second)), law});
    }

    void touchObstacle(std::size_t body, std::shared_ptr<const Obstacle> obstacle,
                       const ContactLaw& law)
    {
      std::vector<PointHandle> points;
      for (std::size_t i : system.body(body).patch(""))
        points.push_back(system.point(body, i));
      contacts.push_back({"wall", std::make_unique<PointObstacle>(points, obstacle), law});
    }
  };

  //! The state of a run; bodies are all rigid
  struct Run
  {
    const System& system;
    Stepper& stepper;
    StepReport report;
    //! with the impulses that acted in the motion of the last step: those of `kick` at its
    //! beginning are in the report before
    StepReport acted;
    State state, next;

    bool kicks; //!< impulses act at the beginning of a step

    Run(const System& s, Stepper& t, bool kicks = false)
      : system(s)
      , stepper(t)
      , state(t.start(s.initialState(), report))
      , kicks(kicks)
    {}
    Run(const System& s, EnergyMomentum& t) : Run(s, t, t.kicks()) {}

    void step()
    {
      if (kicks)
        std::swap(acted, report);
      stepper.step(state, next, report);
      if (!kicks)
        acted = report;
      std::swap(state, next);
    }

    Record record() const { return stepper.record(next, state); }
    const RigidBody& body(std::size_t i) const
    {
      return dynamic_cast<const RigidBody&>(system.body(i));
    }
    RigidPlace place(std::size_t i) const { return RigidPlace(&state.q[i * RigidPlace::size]); }
    Vector3 linear(std::size_t i) const
    {
      return {state.p[6 * i], state.p[6 * i + 1], state.p[6 * i + 2]};
    }
    Vector3 angular(std::size_t i) const
    {
      return {state.p[6 * i + 3], state.p[6 * i + 4], state.p[6 * i + 5]};
    }
    Vector3 velocity(std::size_t i) const { return body(i).inverseMass() * linear(i); }
    Vector3 spin(std::size_t i) const
    {
      return body(i).angularVelocity(place(i).rotation, angular(i));
    }
  };

  //! A thin rod with six nodes in a hollow box whose walls are at -1 and 1
  inline Scene rodInBox(const ContactLaw& law, const RigidBody::Start& start = {
                                                 .velocity = {50, 2, 0}, .spin = {0, 40, 0}})
  {
    Scene scene;
    const double m = 7e-6, M = 1.68e-3;
    scene.add({.name = "rod",
               .mass = {m, {m * 0.02 / 12, m * 1.01 / 12, m * 1.01 / 12}},
               .shape = std::make_shared<RodShape>(1, 0, 6),
               .bodies = {start}});
    scene.add({.name = "box",
               .mass = HollowBoxShape::mass(Vector3(2, 2, 2), M),
               .shape = std::make_shared<HollowBoxShape>(Vector3(2, 2, 2)),
               .bodies = {{}}});
    scene.touch(0, 1, law);
    return scene;
  }

} // namespace RigidScenes

#endif
