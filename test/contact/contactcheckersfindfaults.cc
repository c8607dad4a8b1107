// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module
// root SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <memory>
#include <random>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/beam.hh>
#include <dune/impact/body/particle.hh>
#include <dune/impact/body/system.hh>
#include <dune/impact/contact/beam/beamobstacle.hh>
#include <dune/impact/contact/impulse/pointcontact.hh>
#include <dune/impact/contact/mortar/contactsurface.hh>
#include <dune/impact/contact/mortar/obstaclegap.hh>
#include <dune/impact/contact/test/checkgapslip.hh>
#include <dune/impact/contact/test/checkimpulsegeometry.hh>
#include <dune/impact/contact/test/checkweightedgaps.hh>
#include <dune/impact/grid/coarsemesh.hh>
#include <dune/impact/grid/shapes.hh>

/* Geometries of contact with one fault each, which their checks must find. */

using namespace Dune;
using namespace Dune::Impact;
using Dune::Impact::Test::findsFault;
using Dune::Impact::Test::Numbers;

namespace {

  //! Points in front of an obstacle, wrong in one respect
  struct FaultyPoints : PointObstacle
  {
    enum Fault { none, gap, axes, body, smallest, memory };

    template<class... Arguments>
    FaultyPoints(Fault fault, Arguments&&... arguments)
      : PointObstacle(std::forward<Arguments>(arguments)...)
      , fault_(fault)
    {}

    void gaps(double t, ConstSpan q, Span result) const override
    {
      PointObstacle::gaps(t, q, result);
      if (fault_ == gap)
        result[0] *= 1.001;
      if (fault_ == memory)
        result[0] += 1e-12 * double(++calls_);
    }

    double addPoints(const Instant& at, ConstSpan q, double tolerance,
                     ContactPoints& points) const override
    {
      ContactPoints right;
      right.clear(points.components());
      const double result = PointObstacle::addPoints(at, q, tolerance, right);
      for (std::size_t i = 0; i < right.size(); ++i) {
        ContactPoint& point = points.add();
        point = right[i];
        if (fault_ == axes)
          point.axes[0] *= 1.001;
        if (fault_ == body)
          point.first.body = 1;
        for (int c = 0; c < right.components(); ++c)
          points.addFunctional([&](SparseVector& entries) {
            const auto functional = right.functional(i, c);
            entries.insert(entries.end(), functional.begin(), functional.end());
          });
      }
      return fault_ == smallest ? result + 1e-3 : result;
    }

  private:
    Fault fault_;
    mutable int calls_ = 0;
  };

  TestSuite testImpulseGeometry()
  {
    TestSuite test("checkImpulseGeometry");
    System system;
    for (const char* name : {"one", "two"})
      system.add(std::make_unique<Particle>(Particle::Settings{.name = name, .radius = 0.1}));
    const Numbers q{0.1, 0.6, -0.2, 1, 1, 1};
    const auto plane = std::make_shared<Plane>("plane", Vec3{0, 0.1, 0}, Vec3{0.2, 1, 0.3});
    for (int fault = FaultyPoints::none; fault <= FaultyPoints::memory; ++fault) {
      const FaultyPoints points(FaultyPoints::Fault(fault),
                                std::vector<PointHandle>{system.point(0, 0)}, plane);
      const bool found = findsFault(
        [&] { return checkImpulseGeometry(points, system, q, {.dimension = 3, .length = 0.2}); });
      test.check(found == (fault != FaultyPoints::none), "faulty points") << "fault " << fault;
    }
    return test;
  }

  //! Gaps in front of an obstacle, wrong in one respect
  struct FaultyGaps : ObstacleGap<2>
  {
    enum Fault { none, value, derivative, curvature, order, memory };

    template<class... Arguments>
    FaultyGaps(Fault fault, Arguments&&... arguments)
      : ObstacleGap<2>(std::forward<Arguments>(arguments)...)
      , fault_(fault)
    {}

    void addGaps(double t, ConstSpan u, std::size_t offset, WeightedGaps<2>& gaps) const override
    {
      WeightedGaps<2> right;
      ObstacleGap<2>::addGaps(t, u, offset, right);
      for (std::size_t i = 0; i < right.size(); ++i) {
        const std::size_t p = fault_ == order ? right.size() - 1 - i : i;
        auto gap = right[p];
        std::vector<NodeEntry<2>> entries(right.derivative(p).begin(), right.derivative(p).end());
        if (fault_ == value)
          gap.value *= gap.value;
        if (fault_ == memory)
          gap.value += 1e-8 * double(++calls_);
        if (fault_ == derivative)
          entries[0].value *= 1.001;
        gaps.add(gap, entries, right.mortar(p));
      }
    }

    void addCurvature(double t, ConstSpan u, std::span<const double> mu,
                      std::vector<MatrixBlock<2>>& blocks) const override
    {
      if (fault_ != curvature)
        ObstacleGap<2>::addCurvature(t, u, mu, blocks);
    }

  private:
    Fault fault_;
    mutable int calls_ = 0;
  };

  TestSuite testWeightedGaps()
  {
    TestSuite test("checkWeightedGaps");
    const auto mesh = refineMesh(makeBall<2>(1, 2, CellShape::simplex), 0, "ball");
    const auto surface = makeContactSurface<2>(mesh, std::nullopt, 0, 0);
    const auto circle = std::make_shared<Sphere>("circle", Vec3{0.2, -2.3, 0}, 1.2);
    std::mt19937 random(1);
    const Numbers u = Test::randomNumbers(2 * mesh.nodes.size(), 0.02, random);
    for (int fault = FaultyGaps::none; fault <= FaultyGaps::memory; ++fault) {
      const FaultyGaps gaps(FaultyGaps::Fault(fault), surface, circle, ObstacleGapKind::weighted);
      const bool found = findsFault([&] { return checkWeightedGaps(gaps, u, {.length = 0.1}); });
      test.check(found == (fault != FaultyGaps::none), "faulty gaps") << "fault " << fault;
    }
    return test;
  }

  //! A beam in front of an obstacle, wrong in one respect
  struct FaultyGapSlip : BeamObstacle
  {
    enum Fault {
      none,
      wrongGap,
      wrongSlip,
      wrongRows,
      noStiffness,
      wrongForce,
      wrongValid,
      appends,
      memory
    };

    template<class... Arguments>
    FaultyGapSlip(Fault fault, Arguments&&... arguments)
      : BeamObstacle(std::forward<Arguments>(arguments)...)
      , fault_(fault)
    {}

    void evaluate(double t, double h, ConstSpan q, ConstSpan previous, ConstSpan l,
                  GapSlip& result) const override
    {
      const Triplets before = result.rows;
      BeamObstacle::evaluate(t, h, q, previous, l, result);
      if (fault_ == wrongGap)
        result.g[0] *= 1.001;
      if (fault_ == wrongSlip)
        result.g[1] += 1e-6;
      if (fault_ == wrongRows)
        result.rows.emplace_back(0, 0, 1e-6);
      if (fault_ == noStiffness)
        result.stiffness.clear();
      if (fault_ == wrongForce)
        result.force *= -1;
      if (fault_ == wrongValid)
        result.valid[0] = 0;
      if (fault_ == appends)
        result.rows.insert(result.rows.end(), before.begin(), before.end());
      if (fault_ == memory)
        result.g[0] += 1e-14 * double(++calls_);
    }

  private:
    Fault fault_;
    mutable int calls_ = 0;
  };

  TestSuite testGapSlip()
  {
    TestSuite test("checkGapSlip");
    System system;
    Beam::Settings beam{.name = "beam",
                        .length = 1,
                        .elements = 2,
                        .section =
                          circularSection(0.05, {.young = 1e6, .poisson = 0.3, .density = 1})};
    beam.formulation = BeamFormulation::exponential;
    beam.frames = constantStrainFrames(
      {RotationExponential::map({0.2, 0.1, 0.3}), {0.02, 0.11, 0.02}},
      parts({0.4, 0.2, 0.5}, {0.01, 0.02, 1}), beam.length, beam.elements, beam.formulation);
    system.add(std::make_unique<Beam>(beam));
    std::mt19937 random(1);
    const Numbers previous = system.initialState().q,
                  dq = Test::randomNumbers(system.velocitySize(), 0.02, random);
    Numbers q(previous.size());
    system.retract(previous, dq, q);
    const auto sphere = std::make_shared<Sphere>("sphere", Vec3{-0.5, 0, 0.5}, 0.3);
    for (int fault = FaultyGapSlip::none; fault <= FaultyGapSlip::memory; ++fault) {
      const FaultyGapSlip contact(FaultyGapSlip::Fault(fault), system, 0, sphere,
                                  BeamConstraints::midpoints);
      const bool found = findsFault([&] { return checkGapSlip(contact, system, q, previous); });
      test.check(found == (fault != FaultyGapSlip::none), "faulty gaps and slips")
        << "fault " << fault;
    }
    return test;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testImpulseGeometry());
  test.subTest(testWeightedGaps());
  test.subTest(testGapSlip());
  return test.exit();
}
