// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/test/checksystem.hh>
#include <dune/impact/contact/rows.hh>
#include <dune/impact/geometry/tangents.hh>

using namespace Dune;
using namespace Dune::Impact;
using Dune::Impact::Test::epsilon;

TestSuite testTangents()
{
  TestSuite test("tangents");
  std::mt19937 random(1);
  std::vector<Vec3> normals = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}, {-1, 0, 0}, {0.6, 0.8, 0}, {1, 1e-9, 1e-200}};
  for (int i = 0; i < 200; ++i) {
    const auto x = Test::randomNumbers(3, 1, random);
    normals.push_back({x[0], x[1], x[2]});
  }
  for (Vec3 n : normals) {
    n /= n.two_norm();
    const auto [a, b] = tangents(n);
    test.check(std::abs(a * n) <= 4 * epsilon && std::abs(b * n) <= 4 * epsilon && std::abs(a * b) <= 4 * epsilon, "tangents are orthogonal") << n;
    test.check(std::abs(a.two_norm() - 1) <= 4 * epsilon && std::abs(b.two_norm() - 1) <= 4 * epsilon, "tangents are unit vectors") << n;
    test.check(n[2] != 0 || a[2] == 0, "the first tangent of a planar normal is planar");
  }
  return test;
}

TestSuite testRowSet(int components)
{
  TestSuite test("rows of " + std::to_string(components));
  RowSet rows;
  for (int repeat = 0; repeat < 2; ++repeat) {
    rows.clear(components);
    test.check(rows.size() == 0 && rows.components() == components, "clear forgets all rows");
    for (std::size_t i = 0; i < 4; ++i) {
      rows.add().slot = 10 * i;
      for (int c = 0; c < components; ++c)
        rows.addFunctional([&](SparseVector& entries) {
          for (std::size_t k = 0; k < i; ++k) // the first row is empty
            entries.push_back({k, double(100 * i + 10 * c + k)});
        });
    }
    for (std::size_t i = 0; i < 4; ++i)
      for (int c = 0; c < components; ++c) {
        const auto functional = rows.functional(i, c);
        test.check(rows[i].slot == 10 * i && functional.size() == i, "each row has its functionals");
        for (std::size_t k = 0; k < functional.size(); ++k)
          test.check(functional[k].dof == k && functional[k].value == double(100 * i + 10 * c + k), "functionals are kept");
      }
  }
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("rows");
  test.subTest(testTangents());
  for (int components : {1, 2, 3})
    test.subTest(testRowSet(components));
  return test.exit();
}
