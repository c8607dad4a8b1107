// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <limits>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/solver/impulse/delassus.hh>

#include "contactproblems.hh"

using namespace Dune;
using namespace Dune::Impact;

// Rows 0-2 and 1-3 are coupled, row 4 is alone; columns are not sorted.
Delassus sample()
{
  Delassus H;
  H.clear(2);
  const auto add = [&](std::size_t j, double first) {
    const double values[] = {first, first + 1, first + 2, first + 3};
    H.add(j, values);
  };
  H.beginRow();
  add(2, 10);
  add(0, 20);
  H.beginRow();
  add(1, 30);
  add(3, 40);
  H.beginRow();
  add(2, 50);
  add(0, 60);
  H.beginRow();
  add(3, 70);
  add(1, 80);
  H.beginRow();
  add(4, 90);
  return H;
}

TestSuite testBlocks()
{
  TestSuite test("blocks");
  const Delassus H = sample();
  test.check(H.size() == 5 && H.blockSize() == 2 && H.blocks() == 9, "sizes");
  test.check(!H.isDiagonal(), "coupled rows are not diagonal");
  test.check(H.diagonal(0)[0] == 20 && H.diagonal(3)[3] == 73 && H.diagonal(4)[1] == 91,
             "diagonal blocks");
  test.require(H.block(2, 0) && H.block(1, 3), "stored blocks are found");
  test.check(H.block(2, 0)[2] == 62 && H.block(1, 3)[1] == 41, "entries of off-diagonal blocks");
  test.check(!H.block(0, 1) && !H.block(4, 0), "other blocks are not found");
  test.check(H.row(2).columns.size() == 2 && H.row(2).columns[0] == 2 && H.row(4).values[3] == 93,
             "rows");
  return test;
}

TestSuite testMultiply()
{
  TestSuite test("multiply");
  const std::vector<double> x = {1, -1, 2, 0.5, 3, 4, -2, 1, 0, 1};
  const std::vector<double> expected = {10 * 3 + 11 * 4 + 20 - 21,
                                        12 * 3 + 13 * 4 + 22 - 23,
                                        30 * 2 + 31 * 0.5 - 40 * 2 + 41,
                                        32 * 2 + 33 * 0.5 - 42 * 2 + 43,
                                        50 * 3 + 51 * 4 + 60 - 61,
                                        52 * 3 + 53 * 4 + 62 - 63,
                                        -70 * 2 + 71 + 80 * 2 + 81 * 0.5,
                                        -72 * 2 + 73 + 82 * 2 + 83 * 0.5,
                                        91,
                                        93};
  std::vector<double> y(10, 7.0);
  sample().multiply(x, y);
  test.check(y == expected, "product with a vector");
  return test;
}

TestSuite testComponents()
{
  TestSuite test("components");
  std::vector<std::size_t> labels = {9, 9};
  test.check(sample().components(labels) == 3, "number of components");
  test.check(labels == std::vector<std::size_t>{0, 1, 0, 1, 2}, "labels");

  // A chain numbered so that its parts meet only in the last row
  Test::Dense chain(6, 6);
  for (const auto& [i, j] : {std::pair{0, 3}, {3, 5}, {5, 4}, {4, 1}})
    chain(i, j) = chain(j, i) = -1;
  Delassus H;
  Test::fill(H, chain);
  test.check(H.components(labels) == 2, "chain and a single row");
  test.check(labels == std::vector<std::size_t>{0, 0, 1, 0, 0, 0}, "labels of the chain");

  H.clear(1);
  test.check(H.components(labels) == 0 && labels.empty(), "empty matrix");
  return test;
}

TestSuite testReuse()
{
  TestSuite test("reuse");
  Delassus H = sample();
  const double one = 1, bad = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  H.clear(1);
  test.check(H.size() == 0 && H.blocks() == 0 && H.isDiagonal(), "cleared");
  H.beginRow();
  H.add(0, &one);
  H.beginRow();
  H.add(1, &one);
  test.check(H.isDiagonal() && H.isFinite() && H.size() == 2 && H.blockSize() == 1, "filled again");
  H.beginRow();
  H.add(2, &bad);
  test.check(!H.isFinite(), "NaN is noticed");
  H.clear(1);
  test.check(H.isFinite(), "and forgotten");
  H.beginRow();
  H.add(0, &infinite);
  test.check(!H.isFinite(), "infinity is noticed");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testBlocks());
  test.subTest(testMultiply());
  test.subTest(testComponents());
  test.subTest(testReuse());
  return test.exit();
}
