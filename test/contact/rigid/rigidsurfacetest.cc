// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <random>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/solid.hh>
#include <dune/impact/contact/mortar/overlap.hh>
#include <dune/impact/contact/rigid/rigidgap.hh>
#include <dune/impact/contact/rigid/rigidsurface.hh>
#include <dune/impact/contact/test/checkimpulsegeometry.hh>
#include <dune/impact/grid/coarsemesh.hh>
#include <dune/impact/grid/hierarchy.hh>
#include <dune/impact/grid/shapes.hh>

/* Solids and rigid bodies: rows of explicit methods, gaps and discrete gradients of implicit ones.
 */

using namespace Dune;
using namespace Dune::Impact;

namespace {

  std::mt19937 random(3);

  double number(double size = 1)
  {
    return std::uniform_real_distribution<double>(-size, size)(random);
  }

  //! A block with random displacements, and a rigid body above its middle
  struct Scene
  {
    System system;
    std::vector<double> q;

    Scene(CellShape cells, std::shared_ptr<const RigidShape> shape, double height,
          std::optional<Vec3> pivot = {}, std::size_t copies = 1)
    {
      system.add(std::make_unique<Solid<3>>(Solid<3>::Settings{
        .name = "block",
        .mesh = refineMesh(makeBox<3>({0, 0, 0}, {1, 1, 0.5}, {4, 4, 2}, cells), 0, "block"),
        .material = LinearElastic<3>{Lame::fromYoung(1, 0.3)},
        .mass = Solid<3>::Mass::lumped}));
      RigidBody::Settings settings{.name = "rigid",
                                   .mass = {2, {1, 1.5, 2}},
                                   .shape = std::move(shape),
                                   .bodies = {},
                                   .pivot = pivot};
      for (std::size_t i = 0; i < copies; ++i)
        settings.bodies.push_back(
          {.position = {0.53 + 0.9 * double(i), 0.46, 0.5 + height},
           .rotation = stepQuaternion(RotationMap::exponential, {0.3, -0.5, 0.7})});
      system.add(std::make_unique<RigidBody>(settings));
      q = system.initialState().q;
      for (std::size_t i = 0; i < system.body(0).configurationSize(); ++i)
        q[i] += number(0.01);
    }

    RigidSide side() const { return RigidSide(system, 1); }
    const SolidMesh<3>& mesh() const
    {
      return dynamic_cast<const Solid<3>&>(system.body(0)).mesh();
    }
    ContactSurface<3> surface() const
    {
      return makeContactSurface<3>(mesh(), mesh().findPatch("zmax"), 0, 0);
    }

    std::vector<PointHandle> points() const
    {
      std::vector<PointHandle> result;
      for (std::size_t i : system.body(0).patch("zmax"))
        result.push_back(system.point(0, i));
      return result;
    }
  };

  struct Shape
  {
    const char* name;
    std::shared_ptr<const RigidShape> shape;
    double height;
  };

  const std::vector<Shape>& shapes()
  {
    static const std::vector<Shape> all = {
      {"ball", std::make_shared<BallShape>(0.3), 0.28},
      {"box", std::make_shared<BoxShape>(Vector3(0.4, 0.5, 0.6)), 0.36},
      {"rod", std::make_shared<RodShape>(0.8, 0.1, 5), 0.3}};
    return all;
  }

  TestSuite testRows(const Shape& shape, CellShape cells)
  {
    TestSuite test(std::string("rows, ") + shape.name);
    const Scene scene(cells, shape.shape, shape.height);
    const CheckImpulseGeometryOptions options{
      .dimension = 3, .length = 1e-3, .tangentialMoments = true};
    const auto points = [&] { return std::make_unique<PointRigid>(scene.points(), scene.side()); };
    const auto faces = [&] {
      return std::make_unique<RigidToFace>(
        BodySurface<3>{scene.surface(), scene.system.point(0, 0)}, scene.side());
    };
    test.subTest(checkImpulseGeometry(*points(), scene.system, scene.q, options));
    test.subTest(checkImpulseGeometry(*faces(), scene.system, scene.q, options));
    test.subTest(
      checkImpulseGeometry(ImpulseGeometryPair(points(), faces()), scene.system, scene.q, options));
    return test;
  }

  //! With many bodies a tree finds the rows that all pairs give
  TestSuite testMany()
  {
    TestSuite test("many balls");
    Scene scene(CellShape::cube, std::make_shared<BallShape>(0.2), 0.19, {}, 100);
    for (std::size_t i = 0; i < 100; ++i) { // anywhere over the block
      double* at = &scene.q[scene.side().configurationOffset + i * RigidPlace::size];
      at[0] = 0.5 + number(0.8);
      at[1] = 0.5 + number(0.8);
      at[2] = 0.65 + number(0.1);
    }
    const PointRigid coupling(scene.points(), scene.side());
    ContactPoints rows;
    rows.clear(1);
    const double smallest = coupling.addPoints({}, scene.q, 0, rows);
    std::size_t expected = 0;
    double least = 1;
    for (const PointHandle& point : scene.points())
      for (std::size_t i = 0; i < 100; ++i) {
        const double gap = (toEigen(point.position(scene.q)) -
                            RigidPlace(scene.side().configuration(scene.q, i)).centre)
                             .norm() -
                           0.2;
        expected += gap <= 0;
        least = std::min(least, gap);
      }
    test.check(rows.size() == expected && expected > 30, "rows") << rows.size() << " " << expected;
    test.check(std::abs(smallest - least) < 1e-14, "smallest gap") << smallest << " " << least;
    return test;
  }

  //! Derivatives of the gaps of implicit methods by differences
  TestSuite testGaps(const Shape& shape, CellShape cells, ObstacleGapKind kind,
                     std::optional<Vec3> pivot)
  {
    TestSuite test(std::string("gaps, ") + shape.name);
    const Scene scene(cells, shape.shape, shape.height, pivot);
    const RigidGap coupling(scene.surface(), scene.side(), 0, kind);
    WeightedGaps<3> gaps;
    coupling.addGaps(0, scene.q, 10, gaps);
    test.require(gaps.size() > 5, "gaps") << gaps.size();
    std::vector<double> dq(scene.system.velocitySize()), step(dq.size()), q1(scene.q.size());
    for (double& x : dq)
      x = number();
    const auto values = [&](double h) {
      std::transform(dq.begin(), dq.end(), step.begin(), [&](double d) { return h * d; });
      scene.system.retract(scene.q, step, q1);
      WeightedGaps<3> moved;
      coupling.addGaps(0, q1, 10, moved);
      std::vector<double> c(100, std::numeric_limits<double>::quiet_NaN());
      for (std::size_t p = 0; p < moved.size(); ++p)
        c[moved[p].multiplier - 10] = moved[p].value;
      return c;
    };
    const double h = 1e-6;
    const auto forth = values(h), back = values(-h);
    for (std::size_t p = 0; p < gaps.size(); ++p) {
      double exact = 0;
      for (const auto& [node, value] : gaps.derivative(p))
        for (int c = 0; c < 3; ++c)
          exact += (pivot && node == coupling.centreNode() ? 0 : value[c]) * dq[node * 3 + c];
      const double difference =
        (forth[gaps[p].multiplier - 10] - back[gaps[p].multiplier - 10]) / (2 * h);
      test.check(std::abs(difference - exact) < 1e-7 * gaps[p].weight, "derivative")
        << gaps[p].multiplier << ": " << difference << " " << exact;
      Vec3 sum(0);
      for (const auto& [node, value] : gaps.derivative(p))
        if (node != coupling.centreNode() + 1)
          sum += value;
      test.check(sum.two_norm() < 1e-14 * gaps[p].weight, "no resultant") << sum;
      if (kind == ObstacleGapKind::nodal)
        test.check(std::abs(gaps[p].slope - 1) < 1e-12, "slope") << gaps[p].slope;
    }
    return test;
  }

  //! Discrete gradients do the work of the gap for any motion, and have neither resultant nor
  //! moment
  TestSuite testDiscreteGradient(const Shape& shape, ObstacleGapKind kind)
  {
    TestSuite test(std::string("discrete gradient, ") + shape.name);
    const Scene scene(CellShape::cube, shape.shape, shape.height);
    const RigidGap coupling(scene.surface(), scene.side(), 0, kind, 10.0);
    for (const double size : {1e-8, 1e-2, 0.3}) {
      std::vector<double> q1 = scene.q, D(scene.system.velocitySize());
      for (std::size_t i = 0; i < scene.system.body(0).configurationSize(); ++i)
        q1[i] += D[i] = number(0.1 * size);
      const std::size_t at = scene.side().configurationOffset, centre = coupling.centreNode();
      const Vector3 theta(number(3 * size), number(3 * size), number(3 * size));
      for (int c = 0; c < 3; ++c) {
        q1[at + c] += D[centre * 3 + c] = number(0.2 * size);
        D[(centre + 1) * 3 + c] = theta[c];
      }
      const Quaternion turned =
        stepQuaternion(RotationMap::cayley, theta) * RigidPlace(&scene.q[at]).rotation;
      const double numbers[] = {turned.w(), turned.x(), turned.y(), turned.z()};
      std::copy_n(numbers, 4, &q1[at + 6]);
      WeightedGaps<3> before, after;
      coupling.addGaps(0, scene.q, 0, before);
      coupling.addGaps(0, q1, 0, after);
      test.require(before.size() == after.size() && before.size() == coupling.multipliers(),
                   "all gaps");
      std::vector<NodeEntry<3>> row;
      for (std::size_t p = 0; p < before.size(); ++p) {
        coupling.discreteGradient(scene.q, q1, p, row);
        double work = 0;
        Vec3 force(0), moment(0);
        for (const auto& [node, value] : row) {
          for (int c = 0; c < 3; ++c)
            work += value[c] * D[node * 3 + c];
          if (node == centre + 1) {
            moment += value;
            continue;
          }
          const auto place = [&](const std::vector<double>& q) {
            return node == centre ? toVec3(RigidPlace(&q[at]).centre)
                                  : scene.system.point(0, node).position(q);
          };
          force += value;
          moment += cross(0.5 * (place(scene.q) + place(q1)), value);
        }
        test.check(std::abs(work - (after[p].value - before[p].value)) < 1e-14 * before[p].weight,
                   "work")
          << size << ": " << work - (after[p].value - before[p].value);
        test.check(force.two_norm() < 1e-14 * before[p].weight &&
                     moment.two_norm() < 1e-14 * before[p].weight,
                   "resultant and moment")
          << force << ", " << moment;
      }
    }
    return test;
  }

  TestSuite testInside()
  {
    TestSuite test("inside");
    const Scene scene(CellShape::cube, shapes()[0].shape, 0.3);
    const InsideTest<3> inside(makeContactSurface<3>(scene.mesh(), std::nullopt, 0, 0),
                               std::vector<double>(scene.system.body(0).configurationSize(), 0));
    test.check(inside({0.5, 0.5, 0.25}) && !inside({0.5, 0.5, 0.6}) && !inside({1.1, 0.5, 0.2}),
               "points");
    test.check(std::abs(inside.distance({0.5, 0.5, 0.2}) - 0.2) < 1e-14, "distance")
      << inside.distance({0.5, 0.5, 0.2});
    return test;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  for (const Shape& shape : shapes()) {
    for (CellShape cells : {CellShape::cube, CellShape::simplex})
      test.subTest(testRows(shape, cells));
    for (ObstacleGapKind kind : {ObstacleGapKind::nodal, ObstacleGapKind::weighted}) {
      test.subTest(testGaps(shape, CellShape::cube, kind, {}));
      test.subTest(testGaps(shape, CellShape::simplex, kind, Vec3{0, 0, 0.2}));
      test.subTest(testDiscreteGradient(shape, kind));
    }
  }
  test.subTest(testMany());
  test.subTest(testInside());
  return test.exit();
}
