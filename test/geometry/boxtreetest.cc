// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/geometry/boxtree.hh>

using namespace Dune;
using namespace Dune::Impact;

template<int dim>
using Leaves = std::vector<Box<dim>>;

template<int dim>
Box<dim> randomBox(std::mt19937& random, double size)
{
  std::uniform_real_distribution<double> place(0, 1), side(0, size);
  Box<dim> box;
  FieldVector<double, dim> x;
  for (double& component : x)
    component = place(random);
  box.add(x);
  for (double& component : x)
    component += side(random);
  box.add(x);
  return box;
}

//! All leaves of a query, increasing; none twice
template<int dim>
std::vector<std::size_t> found(TestSuite& test, const BoxTree<dim>& tree,
                               const typename BoxTree<dim>::Boxes& boxes, const Box<dim>& box)
{
  std::vector<std::size_t> result, again;
  tree.query(boxes, box, [&](std::size_t i) { result.push_back(i); });
  tree.query(boxes, box, [&](std::size_t i) { again.push_back(i); });
  test.check(result == again, "the order repeats");
  std::sort(result.begin(), result.end());
  test.check(std::adjacent_find(result.begin(), result.end()) == result.end(), "no leaf twice");
  return result;
}

template<int dim>
void compare(TestSuite& test, const BoxTree<dim>& tree, const Leaves<dim>& leaves,
             std::mt19937& random)
{
  typename BoxTree<dim>::Boxes boxes;
  tree.refit(leaves, boxes);
  for (int repeat = 0; repeat < 30; ++repeat) {
    const auto box = randomBox<dim>(random, repeat % 3 == 0 ? 0 : 0.3);
    std::vector<std::size_t> expected;
    for (std::size_t i = 0; i < leaves.size(); ++i)
      if (leaves[i].overlaps(box))
        expected.push_back(i);
    test.check(found(test, tree, boxes, box) == expected, "the same as without a tree")
      << leaves.size() << " leaves";

    double nearest = 0.5, shrinking = 0.5; // within this distance only
    for (const auto& leaf : leaves)
      nearest = std::min(nearest, std::sqrt(leaf.distance2(box.lower)));
    tree.queryNear(boxes, box.lower, shrinking, [&](std::size_t i) {
      return shrinking = std::min(shrinking, std::sqrt(leaves[i].distance2(box.lower)));
    });
    test.check(shrinking == nearest, "the nearest leaf") << shrinking << " instead of " << nearest;
    std::size_t near = 0, expectedNear = 0;
    tree.queryNear(boxes, box.lower, 0.1, [&](std::size_t) {
      ++near;
      return 0.1;
    });
    for (const auto& leaf : leaves)
      expectedNear += leaf.distance2(box.lower) <= 0.1 * 0.1;
    test.check(near == expectedNear, "all leaves within a distance")
      << near << " instead of " << expectedNear;
  }
}

template<int dim>
TestSuite testSearch()
{
  TestSuite test("search");
  std::mt19937 random(1);
  for (std::size_t n : {0, 1, 2, 3, 7, 64, 1000})
    for (double size : {0.0, 0.05, 2.0}) {
      Leaves<dim> leaves, moved;
      for (std::size_t i = 0; i < n; ++i) {
        leaves.push_back(randomBox<dim>(random, size));
        moved.push_back(randomBox<dim>(random, size));
      }
      const BoxTree<dim> tree(leaves);
      test.check(tree.size() == n, "number of leaves");
      compare(test, tree, leaves, random);
      compare(test, tree, moved, random); // refit: right, though slow
    }
  return test;
}

//! Boxes that coincide, or lie on a line
template<int dim>
TestSuite testDegenerate()
{
  TestSuite test("degenerate boxes");
  std::mt19937 random(2);
  Leaves<dim> same(100, randomBox<dim>(random, 0.1)), line;
  for (int i = 0; i < 100; ++i) {
    Box<dim> box;
    FieldVector<double, dim> x(0.5);
    x[0] = 0.01 * (i / 3);
    box.add(x);
    line.push_back(box);
  }
  compare(test, BoxTree<dim>(same), same, random);
  compare(test, BoxTree<dim>(line), line, random);
  const Box<dim> empty;
  test.check(!empty.overlaps(same[0]) && !same[0].overlaps(empty), "an empty box overlaps nothing");
  return test;
}

//! Boxes looked at when every facet of a circle or sphere searches in a plane below
template<int dim>
TestSuite testCost()
{
  TestSuite test("cost");
  const auto visits = [](int n, double height) {
    Leaves<dim> floor;
    Leaves<dim> body;
    const int rows = dim == 2 ? 1 : n, columns = n;
    for (int i = 0; i < columns; ++i)
      for (int j = 0; j < rows; ++j)
        for (int k = 0; k < 2; ++k) {
          FieldVector<double, dim> x(0);
          x[0] = double(i + k) / columns;
          if (dim == 3)
            x[1] = double(j + k) / rows;
          if (k == 0) {
            floor.emplace_back();
            body.emplace_back();
          }
          floor.back().add(x);
          x[dim - 1] = height + 4 * (x[0] - 0.5) * (x[0] - 0.5);
          body.back().add(x);
        }
    const BoxTree<dim> tree(floor);
    typename BoxTree<dim>::Boxes boxes;
    tree.refit(floor, boxes);
    std::size_t count = 0;
    for (const auto& box : body)
      count += tree.query(boxes, box.inflated(2.0 / n), [](std::size_t) {});
    return double(count) / double(body.size());
  };
  const int n = dim == 2 ? 1000 : 40;
  const double one = visits(n, 0), four = visits(4 * n, 0);
  test.check(four < one + 16, "boxes per facet grow at most with the depth of the tree")
    << one << ", " << four;
  test.check(visits(4 * n, 0.5) == 1, "in free flight only the root is looked at");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testSearch<2>());
  test.subTest(testSearch<3>());
  test.subTest(testDegenerate<2>());
  test.subTest(testDegenerate<3>());
  test.subTest(testCost<2>());
  test.subTest(testCost<3>());
  return test.exit();
}
