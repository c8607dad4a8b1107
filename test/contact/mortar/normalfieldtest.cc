// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <random>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/test/checksystem.hh>
#include <dune/impact/common/exceptions.hh>
#include <dune/impact/contact/mortar/normalfield.hh>
#include <dune/impact/grid/hierarchy.hh>
#include <dune/impact/grid/shapes.hh>

using namespace Dune;
using namespace Dune::Impact;

template<int dim>
using Positions = std::vector<FieldVector<double, dim>>;

template<int dim>
Positions<dim> randomPositions(std::size_t size, double scale, std::mt19937& random)
{
  std::uniform_real_distribution<double> uniform(-scale, scale);
  Positions<dim> x(size);
  for (auto& point : x)
    for (double& component : point)
      component = uniform(random);
  return x;
}

template<int dim>
Positions<dim> moved(Positions<dim> x, double factor, const Positions<dim>& d)
{
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i].axpy(factor, d[i]);
  return x;
}

//! Derivatives against differences, on the rough surface of a ball and on an open part of it
template<int dim>
TestSuite testDerivatives(bool open, bool mirrored = false)
{
  TestSuite test("derivatives");
  const auto mesh = refineMesh(makeBall<dim>(1, 2), 0, "ball");
  auto surface = makeContactSurface(mesh, {}, 0, 0);
  if (open)
    surface.facets.resize(surface.facets.size() / 2);
  std::vector<std::array<bool, 3>> components;
  if (mirrored)
    components.assign(surface.node.size(), {true, false, false});
  const NormalField<dim> field(surface, components);
  std::mt19937 random(8);
  const auto x =
    moved(surface.reference, 1, randomPositions<dim>(surface.node.size(), 0.1, random));
  const auto d = randomPositions<dim>(x.size(), 1, random),
             e = randomPositions<dim>(x.size(), 1, random);
  const auto w = randomPositions<dim>(1, 1, random)[0];
  for (Index p = 0; p < x.size(); ++p) {
    if (field.facets(p).empty() || (mirrored && surface.reference[p][0] > 0.5))
      continue; // normals along the mirrored component are none
    const auto slope = [&](const Positions<dim>& y) {
      double sum = 0;
      for (const auto& [node, value] : field.derivative(p, y, field.normal(p, y))) {
        FieldVector<double, dim> change;
        value.mv(d[node], change);
        sum += w * change;
      }
      return sum;
    };
    const auto normal = field.normal(p, x);
    test.check(std::abs(normal.value.two_norm() - 1) < 1e-14 &&
                 (mirrored || normal.value * surface.reference[p] > 0.5),
               "unit normals point outwards")
      << normal.value;
    test.check(!mirrored || normal.value[0] == 0, "no mirrored component") << normal.value;
    const Test::Difference first(
      [&](double s) { return w * field.normal(p, moved(x, 0.1 * s, d)).value; });
    test.check(std::abs(0.1 * slope(x) - first.value) < 1e-9, "derivative")
      << 0.1 * slope(x) << " instead of " << first.value;
    const Test::Difference second([&](double s) { return slope(moved(x, 0.1 * s, e)); });
    double curvature = 0;
    for (const auto& block : field.curvature(p, x, normal, w)) {
      FieldVector<double, dim> change;
      block.value.mv(e[block.column], change);
      curvature += 0.1 * (d[block.row] * change);
    }
    test.check(std::abs(curvature - second.value) < 1e-8 * (1 + std::abs(curvature)),
               "second derivative")
      << curvature << " instead of " << second.value;
  }
  return test;
}

//! Inside of a surface the normal of a node does not depend on its own place
template<int dim>
TestSuite testOwnPlace()
{
  TestSuite test("own place");
  const auto surface = makeContactSurface(refineMesh(makeBall<dim>(1, 2), 0, "ball"), {}, 0, 0);
  const NormalField<dim> field(surface);
  auto x = surface.reference;
  const auto before = field.normal(2, x).value;
  x[2] *= 1.1;
  test.check((field.normal(2, x).value - before).two_norm() < 1e-14, "the normal stays");
  return test;
}

//! Normals of quadrilaterals do not depend on a diagonal: those of a brick are symmetric
TestSuite testQuadrilaterals()
{
  TestSuite test("quadrilaterals");
  const auto mesh = refineMesh(makeBall<3>(1, 2, CellShape::cube), 1, "ball");
  const auto surface = makeContactSurface(mesh, {}, 0, 0);
  const NormalField<3> field(surface);
  for (Index p = 0; p < surface.node.size(); ++p) {
    const auto n = field.normal(p, surface.reference).value;
    test.check(n * surface.reference[p] > 0.9 * surface.reference[p].two_norm(), "outwards") << n;
    for (Index q = 0; q < p; ++q)
      if ((surface.reference[q] + surface.reference[p]).two_norm() < 1e-12)
        test.check((field.normal(q, surface.reference).value + n).two_norm() < 1e-13,
                   "opposite nodes have opposite normals")
          << n;
  }
  return test;
}

TestSuite testSpecial()
{
  TestSuite test("special cases");
  using V = FieldVector<double, 2>;
  ContactSurface<2> fold;
  fold.node = {0, 1, 2};
  fold.reference = {V{0, 0}, V{1, 0}, V{3, 0}};
  fold.facets = {{{0, 1}, 2}, {{1, 2}, 2}};
  const NormalField<2> field(fold);
  const Positions<2> folded{V{0, 0}, V{1, 0}, V{0, 0}}, straight{V{0, 0}, V{1, 0}, V{3, 0}};
  test.check(field.normal(1, folded).value == V(0.0), "no normal where edges cancel");
  test.check(field.normal(0, folded).value == V({0, -1}), "at an end that of the edge");
  test.check(field.normal(1, straight).value == V({0, -1}), "the body lies on the left");
  const std::vector<std::array<bool, 3>> tooFew(2);
  test.check(Test::throws<InputError>([&] { NormalField<2>(fold, tooFew); }),
             "mirrored components of all nodes");
  return test;
}

//! Half of a wedge has the normals of the whole one at the plane of symmetry: at a blunt edge their
//! mean, at a sharp edge that of its face
TestSuite testMirroredEdge()
{
  TestSuite test("edge in a plane of symmetry");
  using V = FieldVector<double, 2>;
  for (double slope : {0.3, 0.6, 0.7, 2.0, 30.0}) {
    ContactSurface<2> whole, half;
    whole.node = {0, 1, 2};
    whole.reference = {V{-1, slope}, V{0, 0}, V{1, slope}};
    whole.facets = {{{0, 1}, 2}, {{1, 2}, 2}};
    half.node = {0, 1};
    half.reference = {V{0, 0}, V{1, slope}};
    half.facets = {{{0, 1}, 2}};
    const NormalField<2> one(whole),
      other(half, std::vector<std::array<bool, 3>>{{true, false, false}, {false, false, false}});
    const bool sharp = 2 * std::atan(slope) > NormalField<2>::sharpestSmoothBend;
    test.check(one.size() == (sharp ? 4 : 3), "a sharp edge has two normals") << one.size();
    const V n = one.normal(one.cornerNormal(1, 0), whole.reference).value,
            m = other.normal(0, half.reference).value;
    test.check((n - m).two_norm() < 1e-14, "the half has the normal of the whole")
      << n << " and " << m << " with the slope " << slope;
  }
  return test;
}

//! A brick has a normal for each face at its edges and corners; they turn with their own facets
//! only, as their derivatives say
template<int dim>
TestSuite testEdges(CellShape shape)
{
  TestSuite test("edges");
  std::array<int, dim> cells;
  cells.fill(2);
  const FieldVector<double, dim> one(1);
  const auto surface =
    makeContactSurface(refineMesh(makeBox<dim>(-one, one, cells, shape), 0, "box"), {}, 0, 0);
  const NormalField<dim> field(surface);
  std::vector<int> normals(surface.node.size(), 0);
  for (Index k = 0; k < field.size(); ++k)
    ++normals[field.node(k)];
  for (Index p = 0; p < surface.node.size(); ++p) {
    const auto faces = std::count_if(surface.reference[p].begin(), surface.reference[p].end(),
                                     [](double x) { return std::abs(std::abs(x) - 1) < 1e-12; });
    test.check(normals[p] == faces, "one normal for each face")
      << normals[p] << " at " << surface.reference[p];
  }
  std::mt19937 random(9);
  const auto x =
               moved(surface.reference, 1, randomPositions<dim>(surface.node.size(), 0.1, random)),
             d = randomPositions<dim>(x.size(), 1, random);
  const auto w = randomPositions<dim>(1, 1, random)[0];
  const auto slope = [&](Index k, const Positions<dim>& y) {
    double sum = 0;
    for (const auto& [node, value] : field.derivative(k, y, field.normal(k, y)))
      for (int c = 0; c < dim; ++c)
        sum += w[c] * (value[c] * d[node]);
    return sum;
  };
  for (Index k = 0; k < field.size(); ++k) {
    test.check(std::abs(field.normal(k, surface.reference).value.infinity_norm() - 1) < 1e-14,
               "that of the face")
      << field.normal(k, surface.reference).value;
    const Test::Difference first(
      [&](double s) { return w * field.normal(k, moved(x, 0.1 * s, d)).value; });
    test.check(std::abs(0.1 * slope(k, x) - first.value) < 1e-9, "derivative")
      << 0.1 * slope(k, x) << " instead of " << first.value;
    const Test::Difference second([&](double s) { return slope(k, moved(x, 0.1 * s, d)); });
    double curvature = 0;
    for (const auto& block : field.curvature(k, x, field.normal(k, x), w)) {
      FieldVector<double, dim> change;
      block.value.mv(d[block.column], change);
      curvature += 0.1 * (d[block.row] * change);
    }
    test.check(std::abs(curvature - second.value) < 1e-8 * (1 + std::abs(curvature)),
               "second derivative")
      << curvature << " instead of " << second.value;
  }
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  for (bool open : {false, true}) {
    test.subTest(testDerivatives<2>(open));
    test.subTest(testDerivatives<3>(open));
  }
  test.subTest(testDerivatives<2>(true, true));
  test.subTest(testDerivatives<3>(true, true));
  test.subTest(testQuadrilaterals());
  for (auto shape : {CellShape::cube, CellShape::simplex}) {
    test.subTest(testEdges<2>(shape));
    test.subTest(testEdges<3>(shape));
  }
  test.subTest(testOwnPlace<2>());
  test.subTest(testOwnPlace<3>());
  test.subTest(testSpecial());
  test.subTest(testMirroredEdge());
  return test.exit();
}
