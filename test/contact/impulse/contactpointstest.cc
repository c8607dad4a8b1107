// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/test/checksystem.hh>
#include <dune/impact/contact/impulse/contactpoints.hh>
#include <dune/impact/geometry/tangents.hh>

using namespace Dune;
using namespace Dune::Impact;
using Dune::Impact::Test::epsilon;

TestSuite testTangents()
{
  TestSuite test("tangents");
  std::mt19937 random(1);
  std::vector<Vec3> normals = {{1, 0, 0},  {0, 1, 0},     {0, 0, 1},        {0, 0, -1},
                               {-1, 0, 0}, {0.6, 0.8, 0}, {1, 1e-9, 1e-200}};
  for (int i = 0; i < 200; ++i) {
    const auto x = Test::randomNumbers(3, 1, random);
    normals.push_back({x[0], x[1], x[2]});
  }
  for (Vec3 n : normals) {
    n /= n.two_norm();
    const auto [a, b] = tangents(n);
    test.check(std::abs(a * n) <= 4 * epsilon && std::abs(b * n) <= 4 * epsilon &&
                 std::abs(a * b) <= 4 * epsilon,
               "tangents are orthogonal")
      << n;
    test.check(std::abs(a.two_norm() - 1) <= 4 * epsilon &&
                 std::abs(b.two_norm() - 1) <= 4 * epsilon,
               "tangents are unit vectors")
      << n;
    test.check(n[2] != 0 || a[2] == 0, "the first tangent of a planar normal is planar");
  }
  return test;
}

TestSuite testRowSet(int components)
{
  TestSuite test("rows of " + std::to_string(components));
  ContactPoints rows;
  for (int repeat = 0; repeat < 2; ++repeat) {
    rows.clear(components);
    test.check(rows.size() == 0 && rows.components() == components, "clear forgets all rows");
    for (std::size_t i = 0; i < 4; ++i) {
      rows.add().multiplier = 10 * i;
      for (int c = 0; c < components; ++c)
        rows.addFunctional([&](SparseVector& entries) {
          for (std::size_t k = 0; k < i; ++k) // the first row is empty
            entries.push_back({k, double(100 * i + 10 * c + k)});
        });
    }
    for (std::size_t i = 0; i < 4; ++i)
      for (int c = 0; c < components; ++c) {
        const auto functional = rows.functional(i, c);
        test.check(rows[i].multiplier == 10 * i && functional.size() == i,
                   "each row has its functionals");
        for (std::size_t k = 0; k < functional.size(); ++k)
          test.check(functional[k].dof == k && functional[k].value == double(100 * i + 10 * c + k),
                     "functionals are kept");
      }
  }
  return test;
}

//! Short rows are a form of functionals
TestSuite testShortRows(int components)
{
  TestSuite test("short rows of " + std::to_string(components));
  std::mt19937 random(5);
  ContactPoints full, some;
  for (int repeat = 0; repeat < 2; ++repeat) {
    full.clear(components);
    some.clear(components, ContactPoints::Form::nodes);
    for (std::size_t i = 0; i < 6; ++i) {
      auto x = Test::randomNumbers(30, 1, random);
      Vec3 n = {x[0], x[1], x[2]};
      n /= n.two_norm();
      const auto [s, t] = tangents(n);
      std::vector<MortarEntry> partners;
      for (std::size_t k = 0; k <= i % 4; ++k)
        partners.push_back({3 * (k + 1), x[3 + 3 * k], {x[4 + 3 * k], x[5 + 3 * k]}});
      for (ContactPoints* rows : {&full, &some}) {
        rows->add().axes = {n, s, t};
        if (i % 3 == 2) // a row of another kind between them
          for (int c = 0; c < components; ++c)
            rows->addFunctional(
              [&](SparseVector& entries) { entries.push_back({std::size_t(c), x[20 + c]}); });
        else
          rows->addNodes(0, partners);
      }
    }
    for (std::size_t i = 0; i < 6; ++i) {
      test.check(!full.isCompressed(i) && some.isCompressed(i) == (i % 3 != 2),
                 "rows are short where asked for");
      auto r = Test::randomNumbers(components, 1, random);
      std::vector<double> p(15), q(15), wanted(15);
      full.addImpulse(i, r.data(), p);
      some.addImpulse(i, r.data(), q);
      for (int c = 0; c < components; ++c)
        addTo(full.functional(i, c), r[c], wanted);
      for (std::size_t k = 0; k < p.size(); ++k)
        test.check(std::abs(p[k] - wanted[k]) <= 8 * epsilon &&
                     std::abs(q[k] - wanted[k]) <= 8 * epsilon,
                   "impulses act by the functionals")
          << q[k] - wanted[k];
    }
    some.expand();
    for (std::size_t i = 0; i < 6; ++i)
      for (int c = 0; c < components; ++c) {
        const auto a = full.functional(i, c), b = some.functional(i, c);
        test.check(!some.isCompressed(i) && a.size() == b.size(), "expanded rows have all entries");
        for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k)
          test.check(a[k].dof == b[k].dof && a[k].value == b[k].value, "which are the same");
      }
  }
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("rows");
  test.subTest(testTangents());
  for (int components : {1, 2, 3}) {
    test.subTest(testRowSet(components));
    test.subTest(testShortRows(components));
  }
  return test.exit();
}
