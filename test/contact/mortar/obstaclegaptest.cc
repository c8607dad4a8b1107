// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <memory>
#include <numeric>
#include <random>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/contact/mortar/obstaclegap.hh>
#include <dune/impact/contact/test/checkweightedgaps.hh>
#include <dune/impact/grid/hierarchy.hh>
#include <dune/impact/grid/shapes.hh>

using namespace Dune;
using namespace Dune::Impact;

using Test::Numbers;

//! A deformed ball of radius 1 about the origin, its nodes numbered from 3
template<int dim>
struct Ball
{
  SolidMesh<dim> mesh;
  ContactSurface<dim> surface;
  Numbers u;

  explicit Ball(CellShape shape)
    : mesh(refineMesh(makeBall<dim>(1, 2, shape), 0, "ball"))
    , surface(makeContactSurface(mesh, {}, 0, 3))
  {
    std::mt19937 random(4);
    u = Test::randomNumbers((3 + mesh.nodes.size()) * dim, 0.05, random);
  }
};

struct Place
{
  std::shared_ptr<const Obstacle> obstacle;
  bool flat;
};

//! Obstacles around the ball; the cylinder is a circle in two dimensions
std::vector<Place> obstacles()
{
  return {{std::make_shared<Plane>("plane", Vec3{0, -1.1, 0}, Vec3{0.1, 1, 0}), true},
          {std::make_shared<Cavity>("cavity", Vec3{0.1, 0, 0}, 1.3), false},
          {std::make_shared<Sphere>("sphere", Vec3{0.2, -2.3, 0}, 1.2), false},
          {std::make_shared<Cylinder>("cylinder", Vec3{0.2, -2.3, 0}, Vec3{0, 0, 1}, 1.2), false}};
}

template<int dim>
TestSuite testChecker(CellShape shape)
{
  TestSuite test("all obstacles");
  const Ball<dim> ball(shape);
  for (const auto& [obstacle, flat] : obstacles())
    for (auto kind : {ObstacleGapKind::nodal, ObstacleGapKind::weighted})
      test.subTest(checkWeightedGaps(ObstacleGap<dim>(ball.surface, obstacle, kind), ball.u,
                                     {.length = 0.1, .flat = flat}));
  return test;
}

//! A moving plane: the gap changes with time as the plane moves
TestSuite testMotion()
{
  TestSuite test("motion");
  const Ball<2> ball(CellShape::simplex);
  auto plane = std::make_shared<Plane>("plane", Vec3{0, -1.1, 0}, Vec3{0, 1, 0});
  plane->setMotion({Expression(0), Expression("3*t"), Expression(0)});
  const ObstacleGap<2> coupling(ball.surface, plane, ObstacleGapKind::weighted);
  WeightedGaps<2> before, after;
  coupling.addGaps(0, ball.u, 0, before);
  coupling.addGaps(0.1, ball.u, 0, after);
  for (std::size_t p = 0; p < before.size(); ++p)
    test.check(std::abs(after[p].value - before[p].value + 0.3 * before[p].weight) < 1e-14,
               "gaps follow the plane")
      << p;
  return test;
}

//! In front of a plane the sum of the gaps is the integral of the distance, whatever the kind
template<int dim>
TestSuite testSum(CellShape shape)
{
  TestSuite test("sum");
  const Ball<dim> ball(shape);
  const auto plane = obstacles().front().obstacle;
  std::vector<double> sums;
  for (auto kind : {ObstacleGapKind::nodal, ObstacleGapKind::weighted}) {
    WeightedGaps<dim> gaps;
    ObstacleGap<dim>(ball.surface, plane, kind).addGaps(0, ball.u, 0, gaps);
    double sum = 0;
    for (std::size_t p = 0; p < gaps.size(); ++p)
      sum += gaps[p].value;
    sums.push_back(sum);
  }
  test.check(std::abs(sums[0] - sums[1]) < 1e-12, "nodal and weighted")
    << sums[0] << " " << sums[1];
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  for (auto shape : {CellShape::simplex, CellShape::cube}) {
    test.subTest(testChecker<2>(shape));
    test.subTest(testChecker<3>(shape));
    test.subTest(testSum<2>(shape));
    test.subTest(testSum<3>(shape));
  }
  test.subTest(testMotion());
  return test.exit();
}
