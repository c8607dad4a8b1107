// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <numbers>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/test/checksystem.hh>
#include <dune/impact/common/exceptions.hh>
#include <dune/impact/contact/mortar/overlap.hh>
#include <dune/impact/geometry/facetgeometry.hh>
#include <dune/impact/grid/hierarchy.hh>
#include <dune/impact/grid/shapes.hh>

using namespace Dune;
using namespace Dune::Impact;

//! Two bodies with their whole boundaries; the first one can be moved
template<int dim>
struct Pair
{
  SolidMesh<dim> a, b;
  ContactSurface<dim> first, second;
  std::vector<double> u;

  Pair(const CoarseMesh<dim>& meshA, const CoarseMesh<dim>& meshB)
    : a(refineMesh(meshA, 0, "a"))
    , b(refineMesh(meshB, 0, "b"))
    , first(makeContactSurface(a, {}, 3, 0))
    , second(makeContactSurface(b, {}, 5, a.nodes.size()))
    , u((a.nodes.size() + b.nodes.size()) * dim, 0)
  {}

  std::optional<Overlap<dim>> at(const FieldVector<double, dim>& shift, double tolerance = 1e-9)
  {
    for (std::size_t i = 0; i < a.nodes.size(); ++i)
      for (int c = 0; c < dim; ++c)
        u[i * dim + c] = shift[c];
    return findOverlap(first, second, u, tolerance);
  }
};

//! A ball that touches, dips in, lies within, and is beside a box
template<int dim>
TestSuite testBallAndBox(CellShape shape)
{
  TestSuite test("ball and box");
  FieldVector<double, dim> lower(-4), upper(4);
  upper[dim - 1] = 0;
  std::array<int, dim> cells;
  cells.fill(3);
  Pair<dim> pair(makeBall<dim>(1, 3, shape), makeBox<dim>(lower, upper, cells, shape));
  const auto up = [](double z) {
    FieldVector<double, dim> shift(0);
    shift[dim - 1] = z;
    return shift;
  };
  double lowest = 0;
  for (const auto& x : pair.a.nodes)
    lowest = std::min(lowest, x[dim - 1]);
  test.check(!pair.at(up(3)), "far away");
  test.check(!pair.at(up(-lowest + 1e-6)), "just above");
  test.check(!pair.at(up(-lowest)), "touching");
  const auto dipped = pair.at(up(-lowest - 0.05));
  test.require(dipped.has_value(), "dipped in");
  test.check(std::abs(dipped->depth - 0.05) < 1e-12 &&
               std::abs(dipped->place[dim - 1] + 0.05) < 1e-12,
             "depth and place")
    << dipped->depth << " at " << dipped->place;
  test.check(dipped->body == 3 && dipped->other == 5, "which body lies in which")
    << dipped->body << " " << dipped->other;
  test.check(!pair.at(up(-lowest - 0.05), 0.06), "not deeper than the tolerance");
  const auto within = pair.at(up(-2));
  test.require(within.has_value(), "within");
  test.check(within->depth > 1.9 && within->depth <= 3, "deep inside") << within->depth;
  test.check(!pair.at(up(-7)), "on the other side");
  return test;
}

//! Two bars that cross, no node of one in the other
template<int dim>
TestSuite testCross()
{
  TestSuite test("cross");
  FieldVector<double, dim> lower(-1), upper(1), lower2(-1), upper2(1);
  lower[0] = -5;
  upper[0] = 4;
  lower2[1] = -5;
  upper2[1] = 4;
  if (dim == 3) {
    lower2[2] = -0.8;
    upper2[2] = 1.3;
  }
  std::array<int, dim> one;
  one.fill(1);
  Pair<dim> pair(makeBox<dim>(lower, upper, one), makeBox<dim>(lower2, upper2, one));
  const auto overlap = pair.at(FieldVector<double, dim>(0));
  test.require(overlap.has_value(), "crossing bars are found");
  test.check(overlap->depth > 0.1 && overlap->depth <= 1, "depth") << overlap->depth;
  test.check(overlap->place.infinity_norm() <= 1.3, "place") << overlap->place;
  return test;
}

//! Boxes on, beside and at the corner of each other, with faces, edges and nodes that coincide:
//! touching is no overlap, whatever node is looked at
template<int dim>
TestSuite testTouchingBoxes(CellShape shape)
{
  TestSuite test("touching boxes");
  for (int fine : {1, 2, 3}) {
    std::array<int, dim> cells, coarse;
    cells.fill(fine);
    coarse.fill(2);
    Pair<dim> pair(
      makeBox<dim>(FieldVector<double, dim>(0), FieldVector<double, dim>(1), cells, shape),
      makeBox<dim>(FieldVector<double, dim>(-2), FieldVector<double, dim>(0), coarse, shape));
    for (double x : {-2.0, -1.5, -1.0, -0.3, 0.0}) {
      FieldVector<double, dim> shift(x);
      shift[dim - 1] = 0;
      test.check(!pair.at(shift), "on top") << x;
      shift[dim - 1] = -0.125;
      const auto overlap = pair.at(shift);
      if (x < 0)
        test.check(overlap && std::abs(overlap->depth - 0.125) < 1e-12, "lowered")
          << x << ": " << (overlap ? overlap->depth : 0);
      else
        test.check(!overlap, "beside") << x;
    }
  }
  return test;
}

//! Facets of a circle of n equal edges are r (1 - cos(pi/n)) off, the longest of unequal ones more;
//! those of a box are not off
TestSuite testSagitta()
{
  TestSuite test("sagitta");
  Pair<2> pair(makeBall<2>(1, 4), makeBox<2>({0, 0}, {1, 1}, {3, 3}));
  const double expected = 1 - std::cos(std::numbers::pi / double(pair.first.facets.size())),
               found = facetSagitta(pair.first, pair.u);
  test.check(found > 0.99 * expected && found < 1.5 * expected, "of a disc")
    << found << " " << expected;
  test.check(facetSagitta(pair.second, pair.u) < 1e-15, "of a box");
  return test;
}

TestSuite testHole()
{
  TestSuite test("in the hole of a ring");
  Pair<2> pair(makeBall<2>(1, 3), makeShell<2>(1.2, 2, 2));
  test.check(!pair.at({0, 0}), "a disc in the hole of a ring lies in nothing");
  test.check(pair.at({0.5, 0}).has_value(), "but not when it has moved");
  auto open = pair.second;
  open.facets.pop_back();
  test.check(!isClosed(open) && isClosed(pair.second), "closed and open boundaries");
  test.check(Test::throws<InputError>([&] { findOverlap(pair.first, open, pair.u, 0); }),
             "open boundaries are refused");
  return test;
}

TestSuite testGeometry()
{
  TestSuite test("facets");
  const auto near = [&](double value, double expected, const char* what) {
    test.check(std::abs(value - expected) < 1e-14, what) << value;
  };
  const FacetCorners<2> edge{FieldVector<double, 2>{0, 0}, FieldVector<double, 2>{2, 0}};
  near(facetDistance<2>(edge, {1, 3}), 3, "above an edge");
  near(facetDistance<2>(edge, {5, 4}), 5, "beside an edge");
  near(*crossing<2>({0.5, 1}, {0.5, -3}, edge), 0.25, "crossing of an edge");
  test.check(!crossing<2>({3, 1}, {3, -3}, edge) && !crossing<2>({1, 1}, {2, 1}, edge),
             "no crossing of an edge");
  const FacetCorners<3> triangle{Vec3{0, 0, 0}, Vec3{2, 0, 0}, Vec3{0, 2, 0}};
  near(facetDistance<3>(triangle, {0.5, 0.5, -2}), 2, "above a triangle");
  near(facetDistance<3>(triangle, {2, 2, 1}), std::sqrt(3.0), "beside an edge of a triangle");
  near(facetDistance<3>(triangle, {-3, 0, 4}), 5, "beside a corner of a triangle");
  near(*crossing<3>({0.5, 0.5, 1}, {0.5, 0.5, -3}, triangle), 0.25, "crossing of a triangle");
  test.check(!crossing<3>({1.5, 1, 1}, {1.5, 1, -3}, triangle) &&
               !crossing<3>({0.5, 0.5, 1}, {0.5, 0.5, 0.1}, triangle),
             "no crossing of a triangle");
  near(windingPart<3>({Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}, {0, 0, 0}), 0.125,
       "an octant");
  near(windingPart<2>({FieldVector<double, 2>{1, 0}, FieldVector<double, 2>{0, 1}}, {0, 0}), 0.25,
       "a quadrant");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testGeometry());
  for (auto shape : {CellShape::simplex, CellShape::cube}) {
    test.subTest(testBallAndBox<2>(shape));
    test.subTest(testBallAndBox<3>(shape));
    test.subTest(testTouchingBoxes<2>(shape));
    test.subTest(testTouchingBoxes<3>(shape));
  }
  test.subTest(testCross<2>());
  test.subTest(testCross<3>());
  test.subTest(testHole());
  test.subTest(testSagitta());
  return test.exit();
}
