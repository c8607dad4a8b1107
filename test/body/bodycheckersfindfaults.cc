// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module
// root SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <memory>
#include <random>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/bar.hh>
#include <dune/impact/body/beam.hh>
#include <dune/impact/body/framejoint.hh>
#include <dune/impact/body/particle.hh>
#include <dune/impact/body/test/checkbody.hh>
#include <dune/impact/body/test/checkconstraint.hh>
#include <dune/impact/body/test/checkinteraction.hh>

/* Bodies, springs and joints with one fault each, which their checks must find. */

using namespace Dune;
using namespace Dune::Impact;
using Dune::Impact::Test::findsFault;
using Dune::Impact::Test::Numbers;

namespace {

  //! A bar that is wrong in one respect
  struct FaultyBar : Bar
  {
    enum Fault {
      none,
      wrongForce,
      wrongKinetic,
      wrongDrift,
      wrongMomentum,
      wrongFunctional,
      memory
    };

    FaultyBar(const Settings& settings, Fault fault) : Bar(settings), fault_(fault) {}

    void addForce(double t, ConstSpan q, double weight, Span p) const override
    {
      Bar::addForce(t, q, fault_ == wrongForce ? 1.001 * weight : weight, p);
      if (fault_ == memory)
        p[0] += 1e-10 * weight * double(++calls_);
    }

    double kinetic(ConstSpan q, ConstSpan p) const override
    {
      return Bar::kinetic(q, p) * (fault_ == wrongKinetic ? 1 + 1e-10 : 1);
    }

    double drift(ConstSpan q, ConstSpan p, double h, Span q1, Span p1) const override
    {
      const double result = Bar::drift(q, p, h, q1, p1);
      if (fault_ == wrongDrift)
        q1[0] += 1e-6 * h * h;
      return result;
    }

    void momentum(ConstSpan q, ConstSpan v, Span p) const override
    {
      Bar::momentum(q, v, p);
      if (fault_ == wrongMomentum)
        p[0] *= 1 + 1e-10;
    }

    void addPointFunctional(ConstSpan q, std::size_t point, const Vec3& direction,
                            std::size_t offset, SparseVector& functional) const override
    {
      Bar::addPointFunctional(q, point, direction, offset, functional);
      if (fault_ == wrongFunctional)
        functional.back().value *= 1 + 1e-6;
    }

  private:
    Fault fault_;
    mutable int calls_ = 0;
  };

  TestSuite testBody()
  {
    TestSuite test("checkSystem and checkBody");
    for (int fault = FaultyBar::none; fault <= FaultyBar::memory; ++fault) {
      const FaultyBar bar({.name = "bar",
                           .dimension = 2,
                           .length = 2,
                           .elements = 3,
                           .area = 0.5,
                           .young = 40,
                           .density = 1.5},
                          FaultyBar::Fault(fault));
      std::mt19937 random(1);
      const Numbers q = Test::randomNumbers(bar.configurationSize(), 0.1, random),
                    p = Test::randomNumbers(bar.velocitySize(), 1, random);
      const bool found =
        findsFault([&] { return checkBody(bar, q, p, 0, {.length = 0.1, .dimension = 2}); });
      test.check(found == (fault != FaultyBar::none), "a faulty bar") << "fault " << fault;
    }
    return test;
  }

  //! A spring that is wrong in one respect
  struct FaultySpring : Spring
  {
    enum Fault { none, force, energy, stiffness, anchor, label, memory };

    FaultySpring(const PointHandle& a, const PointHandle& b, Fault fault)
      : Spring(a, b, 7, 0.8)
      , fault_(fault)
    {}

    void addForce(double t, ConstSpan q, SparseVector& result) const override
    {
      const std::size_t begin = result.size();
      Spring::addForce(t, q, result);
      for (std::size_t i = begin; i < result.size(); ++i)
        if (fault_ == force || (fault_ == anchor && i == begin))
          result[i].value *= 1.0001;
      if (fault_ == memory)
        result.push_back({0, 1e-10 * double(++calls_)});
    }

    Potentials potentials(double t, ConstSpan q) const override
    {
      Potentials result = Spring::potentials(t, q);
      if (fault_ == energy)
        result.elastic *= 1.0001;
      return result;
    }

    void addStiffness(double t, ConstSpan q, Triplets& entries) const override
    {
      Spring::addStiffness(t, q, entries);
      if (fault_ == stiffness)
        entries.emplace_back(0, 1, 1e-4);
    }

    bool external() const override { return fault_ == label; }

  private:
    Fault fault_;
    mutable int calls_ = 0;
  };

  TestSuite testInteraction()
  {
    TestSuite test("checkInteraction");
    System system;
    for (double x : {0.0, 1.3})
      system.add(std::make_unique<Particle>(
        Particle::Settings{.name = x == 0 ? "one" : "two", .position = {x, 0.2 * x, 0.5}}));
    const Numbers q{0.1, -0.2, 0.05, 0.15, 0.1, -0.1};
    for (int fault = FaultySpring::none; fault <= FaultySpring::memory; ++fault) {
      const FaultySpring spring(system.point(0, 0), system.point(1, 0), FaultySpring::Fault(fault));
      const bool found = findsFault(
        [&] { return checkInteraction(spring, system, q, {.length = 0.1, .internal = true}); });
      test.check(found == (fault != FaultySpring::none), "a faulty spring") << "fault " << fault;
    }
    return test;
  }

  //! A joint that is wrong in one respect
  struct FaultyJoint : FrameJoint
  {
    enum Fault { none, wrongRows, noStiffness, wrongForce, wrongMoment, wrongRate, memory };

    template<class... Arguments>
    FaultyJoint(Fault fault, Arguments&&... arguments)
      : FrameJoint(std::forward<Arguments>(arguments)...)
      , fault_(fault)
    {}

    void residual(double t, ConstSpan q, Span c) const override
    {
      FrameJoint::residual(t, q, c);
      if (fault_ == memory)
        c[0] += 1e-16 * double(++calls_);
    }

    void addPoints(double t, ConstSpan q, std::size_t first, Triplets& entries) const override
    {
      FrameJoint::addPoints(t, q, first, entries);
      if (fault_ == wrongRows)
        entries.emplace_back(int(first), 0, 1e-4);
    }

    void addStiffness(ConstSpan q, ConstSpan lambda, Triplets& entries) const override
    {
      if (fault_ != noStiffness)
        FrameJoint::addStiffness(q, lambda, entries);
    }

    void rate(double t, ConstSpan q, double h, Span rates) const override
    {
      FrameJoint::rate(t, q, h, rates);
      if (fault_ == wrongRate)
        rates[0] += 1e-3;
    }

    void addReactions(ConstSpan q, ConstSpan lambda,
                      std::vector<Reaction>& reactions) const override
    {
      FrameJoint::addReactions(q, lambda, reactions);
      if (fault_ == wrongForce)
        reactions[0].force *= -1;
      if (fault_ == wrongMoment)
        reactions[1].moment[2] += 1e-6;
    }

  private:
    Fault fault_;
    mutable int calls_ = 0;
  };

  TestSuite testConstraint()
  {
    TestSuite test("checkConstraint");
    System system;
    for (const char* name : {"one", "two"}) {
      Beam::Settings beam{.name = name, .length = 1, .elements = 2};
      beam.formulation = BeamFormulation::exponential;
      beam.frames = constantStrainFrames(
        {RotationExponential::map({0.3, 0.2, 0.5}), {0.1, name[0] == 'o' ? 0.0 : 0.3, 0}},
        parts({0.1, 0.3, 0.2}, {0, 0, 1}), beam.length, beam.elements, beam.formulation);
      system.add(std::make_unique<Beam>(beam));
    }
    const Numbers q = system.initialState().q;
    for (int fault = FaultyJoint::none; fault <= FaultyJoint::memory; ++fault) {
      const FaultyJoint joint(FaultyJoint::Fault(fault), system.point(0, 2), q,
                              FrameJoint::Kind::hinge, Vector3(1, 2, 3),
                              FrameJoint::Holder{.motion = {}, .other = system.point(1, 0)});
      const bool found =
        findsFault([&] { return checkConstraint(joint, system, q, {.length = 0.1}); });
      test.check(found == (fault != FaultyJoint::none), "a faulty joint") << "fault " << fault;
    }
    return test;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testBody());
  test.subTest(testInteraction());
  test.subTest(testConstraint());
  return test.exit();
}
