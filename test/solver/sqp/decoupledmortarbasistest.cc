// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <random>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/common/types.hh>
#include <dune/impact/solver/sqp/decoupledmortarbasis.hh>

/* The coordinates of DecoupledMortarBasis against their formula, and the matrix and prolongation in
 * them. */

using namespace Dune;
using namespace Dune::Impact;

namespace {

  std::mt19937 random(7);

  double number()
  {
    return std::uniform_real_distribution<double>(-1, 1)(random);
  }

  template<int d>
  NodeVector<d> randomVector(std::size_t n)
  {
    NodeVector<d> x(n);
    for (auto& block : x)
      for (auto& entry : block)
        entry = number();
    return x;
  }

  //! A constraint on a node, with a random normal and force rows that do not matter here
  template<int d>
  void addConstraint(std::size_t node, double gap, std::vector<NodeWeight> mortar,
                     SignoriniConstraints<d>& constraints, std::optional<NodeTurn<d>> turn = {})
  {
    FieldVector<double, d> normal;
    for (auto& entry : normal)
      entry = number();
    normal /= normal.two_norm();
    constraints.add({constraints.size(), node, gap, 1.5 + number(), 1, normal, turn}, {}, {},
                    mortar);
  }

  //! A full symmetric matrix
  template<int d>
  BlockMatrix<d> randomMatrix(std::size_t n)
  {
    std::vector<std::size_t> begin = {0};
    std::vector<typename BlockMatrix<d>::Index> columns;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j)
        columns.push_back(j);
      begin.push_back(columns.size());
    }
    BlockMatrix<d> A(begin, columns);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        for (int a = 0; a < d; ++a)
          for (int b = 0; b < d; ++b)
            if (j < i || b <= a)
              A.block(A.find(i, j))[a][b] = A.block(A.find(j, i))[b][a] = number();
    return A;
  }

  //! d = T w constraint by constraint: n_p . (d_p - sum_j m_pj d_j) is the component of w that has
  //! the bound
  template<int d>
  void checkFormula(TestSuite& test, const SignoriniConstraints<d>& constraints,
                    const NodeMask& fixed, const DecoupledMortarBasis<d>& T)
  {
    NodeVector<d> w = randomVector<d>(fixed.size()), dz;
    for (std::size_t i = 0; i < fixed.size(); ++i) {
      const auto mask = T.isBounded(i) ? T.fixedOf(i) : fixed[i];
      for (int c = 0; c < d; ++c)
        if (mask >> c & 1)
          w[i][c] = 0;
    }
    T.apply(w, dz);
    std::vector<int> bounds(fixed.size(), 0);
    for (std::size_t p = 0; p < constraints.size(); ++p)
      bounds[constraints[p].node] += T.component(p) != T.none;
    for (std::size_t i = 0; i < fixed.size(); ++i) {
      test.check(T.isBounded(i) == (bounds[i] > 0), "nodes with bounds") << i;
      if (!T.isBounded(i))
        test.check(dz[i] == w[i], "a node without constraint keeps its components") << i;
    }
    for (std::size_t p = 0; p < constraints.size(); ++p) {
      const std::size_t i = constraints[p].node;
      const int component = T.component(p);
      if (component == T.none)
        continue;
      FieldVector<double, d> mortar(0);
      auto normal = constraints[p].normal;
      for (const auto& [j, weight] : constraints.mortar(p))
        mortar.axpy(weight, dz[j]);
      if constexpr (d == 3)
        if (const auto& turn = constraints[p].turn)
          mortar += cross(dz[turn->node], turn->arm);
      for (int c = 0; c < d; ++c)
        if (fixed[i] >> c & 1) {
          test.check(std::abs(dz[i][c]) < 1e-14, "fixed components do not move") << dz[i][c];
          normal[c] = 0;
        }
      auto relative = dz[i];
      relative.axpy(-(normal * mortar) / normal.two_norm2(), normal);
      const double bound = T.weight(p) * w[i][component],
                   linear = constraints[p].weight * (normal * relative);
      test.check(std::abs(bound - linear) < 1e-13, "the constraint is a bound on its component")
        << bound << " " << linear;
      if (bounds[i] == 1)
        test.check(std::abs(relative.two_norm() - w[i].two_norm()) < 1e-13,
                   "the basis is orthonormal")
          << relative.two_norm() - w[i].two_norm();
    }
  }

  //! T^T g, T^T (H + extra) T and T T^-1 P = P
  template<int d>
  void checkAlgebra(TestSuite& test, std::size_t n, const DecoupledMortarBasis<d>& T)
  {
    const NodeVector<d> w = randomVector<d>(n), v = randomVector<d>(n);
    NodeVector<d> g = randomVector<d>(n), Tw, Tv;
    T.apply(w, Tw);
    T.apply(v, Tv);
    const double product = Tw * g;
    T.applyTransposed(g);
    test.check(std::abs(w * g - product) < 1e-12, "transposed") << w * g - product;

    const BlockMatrix<d> H = randomMatrix<d>(n);
    BlockMatrix<d> A;
    NodeVector<d> HTw(n), Aw(n);
    for (const bool extra : {false, true}) {
      std::vector<MatrixBlock<d>> blocks;
      if (extra) {
        const auto block = randomMatrix<d>(1).block(0);
        blocks = {
          {0, 1, block}, {1, 0, block.transposed()}, {0, 0, block}, {0, 0, block.transposed()}};
      }
      T.transform(H, blocks, A);
      H.multiply(Tw, HTw);
      for (const auto& [row, column, value] : blocks)
        value.umv(Tw[column], HTw[row]);
      A.multiply(w, Aw);
      test.check(std::abs(v * Aw - Tv * HTw) < 1e-11, "matrix") << v * Aw - Tv * HTw;
    }

    Transfer<d> P(2);
    for (std::size_t i = 0; i < n; ++i) {
      P.beginRow();
      P.add(0, number());
      if (i % 2)
        P.add(1, number());
    }
    P.finish();
    const auto TinvP = T.transform(P);
    const NodeVector<d> coarse = randomVector<d>(2);
    NodeVector<d> fine(n), transformed(n), back;
    fine = transformed = 0;
    P.addProlonged(coarse, nullptr, fine);
    TinvP->addProlonged(coarse, nullptr, transformed);
    T.apply(transformed, back);
    back -= fine;
    test.check(back.infinity_norm() < 1e-13, "prolongation") << back.infinity_norm();
  }

  template<int d>
  TestSuite testCases()
  {
    TestSuite test("dimension " + std::to_string(d));
    struct Case
    {
      const char* name;
      std::vector<std::pair<std::size_t, std::vector<NodeWeight>>> constraints;
      NodeMask fixed;
      bool coupled;
    };
    for (const Case& c :
         {Case{"none", {}, NodeMask(6, 0), false},
          Case{"obstacle", {{0, {}}, {3, {}}}, NodeMask(6, 0), false},
          Case{"mortar", {{0, {{4, 0.3}, {5, 0.7}}}, {1, {{4, 1}}}}, NodeMask(6, 0), true},
          Case{"chain",
               {{0, {{1, 0.4}, {2, 0.6}}}, {1, {{3, 0.5}, {4, 0.5}}}, {3, {{5, 1}}}},
               NodeMask(6, 0),
               true},
          Case{"chain in another order",
               {{5, {{3, 1}}}, {3, {{1, 0.5}, {4, 0.5}}}, {1, {{0, 0.4}, {2, 0.6}}}},
               NodeMask(6, 0),
               true},
          Case{"roller", {{2, {}}, {4, {}}}, {0, 0, 1, 0, 2, 0}, false},
          Case{"fixed mortar node",
               {{0, {{4, 0.3}, {5, 0.7}}}},
               {0, 0, 0, 0, NodeMask::value_type((1 << d) - 1), 0},
               true}}) {
      SignoriniConstraints<d> constraints;
      for (const auto& [node, mortar] : c.constraints)
        addConstraint<d>(node, 1, mortar, constraints);
      DecoupledMortarBasis<d> T, again;
      T.setup(constraints, c.fixed);
      again.setup(constraints, c.fixed);
      TestSuite sub(c.name);
      sub.check(T.coupled() == c.coupled && T == again, "coupled, and the same again");
      for (std::size_t p = 0; p < constraints.size(); ++p)
        sub.check(T.component(p) == 0, "every constraint has its node");
      checkFormula(sub, constraints, c.fixed, T);
      checkAlgebra(sub, c.fixed.size(), T);
      test.subTest(sub);
    }
    return test;
  }

  //! SignoriniConstraints on one node have bounds if their normals differ, the nearest ones first;
  //! a normal along fixed axes has none
  TestSuite testChoice()
  {
    TestSuite test("choice");
    const auto unit = [](double angle) {
      return FieldVector<double, 2>{std::cos(angle), std::sin(angle)};
    };
    SignoriniConstraints<2> constraints;
    const std::vector<NodeWeight> mortar[] = {{{2, 0.3}, {3, 0.7}}, {{3, 1}}, {}, {{2, 1}}};
    constraints.add({0, 0, 0.5, 1.2, 1, unit(0.1)}, {}, {}, mortar[0]);
    constraints.add({1, 0, 0.25, 0.8, 1, unit(0.3)}, {}, {}, mortar[1]); // the nearest
    constraints.add({2, 0, 0.75, 1.1, 1, unit(1.4)}, {}, {}, mortar[2]); // differs enough
    constraints.add({3, 0, 0.9, 1.0, 1, unit(2.5)}, {}, {}, mortar[3]);  // there are two already
    constraints.add({4, 1, 1, 1, 1, {1, 0}}, {}, {}, {});
    const NodeMask fixed = {0, 1, 0, 0};
    DecoupledMortarBasis<2> T;
    T.setup(constraints, fixed);
    const int expected[] = {T.none, 0, 1, T.none, T.none};
    for (std::size_t p = 0; p < constraints.size(); ++p)
      test.check(T.component(p) == expected[p], "choice of bounds") << p << ": " << T.component(p);
    checkFormula(test, constraints, fixed, T);
    checkAlgebra(test, fixed.size(), T);
    return test;
  }

  //! A corner in space: three bounds, two if the node cannot move in all directions
  TestSuite testCorner()
  {
    TestSuite test("corner");
    for (const NodeMask& fixed : {NodeMask(6, 0), NodeMask{4, 0, 0, 0, 0, 0}}) {
      SignoriniConstraints<3> constraints;
      const std::vector<NodeWeight> mortar[] = {
        {{2, 0.3}, {3, 0.7}}, {{3, 0.4}, {1, 0.6}}, {{4, 1}}};
      const FieldVector<double, 3> normal[] = {{1, 0, 0}, {0.6, 0.8, 0}, {0.48, 0.36, 0.8}};
      for (std::size_t c = 0; c < 3; ++c)
        constraints.add({c, 0, 0.1, 1.5 + number(), 1, normal[c]}, {}, {}, mortar[c]);
      addConstraint<3>(3, 0.2, {{4, 0.5}, {5, 0.5}}, constraints); // a chain
      DecoupledMortarBasis<3> T;
      T.setup(constraints, fixed);
      test.check(T.component(0) == 0 && T.component(1) == 1 &&
                   T.component(2) == (fixed[0] ? T.none : 2) && T.component(3) == 0,
                 "bounds of a corner");
      checkFormula(test, constraints, fixed, T);
      checkAlgebra(test, fixed.size(), T);
    }
    return test;
  }

  //! Nodes that follow the centre (node 4) and the turn (node 5) of a rigid body
  TestSuite testTurn()
  {
    TestSuite test("rigid body");
    for (const NodeMask& fixed :
         {NodeMask(6, 0), NodeMask{0, 2, 0, 0, 0, 0}, NodeMask{0, 0, 0, 0, 7, 0}}) {
      SignoriniConstraints<3> constraints;
      for (std::size_t node : {0, 1, 3})
        addConstraint<3>(node, 1, {{4, 1.0}}, constraints,
                         NodeTurn<3>{5, {number(), number(), number()}});
      DecoupledMortarBasis<3> T;
      T.setup(constraints, fixed);
      test.check(T.coupled(), "coupled");
      checkFormula(test, constraints, fixed, T);
      checkAlgebra(test, fixed.size(), T);
    }
    return test;
  }

  TestSuite testCycle()
  {
    TestSuite test("cycle");
    SignoriniConstraints<2> constraints;
    addConstraint<2>(0, 1, {{1, 1}}, constraints);
    addConstraint<2>(1, 1, {{2, 0.5}, {3, 0.5}}, constraints);
    addConstraint<2>(2, 1, {{0, 1}}, constraints);
    DecoupledMortarBasis<2> T;
    bool refused = false;
    try {
      T.setup(constraints, NodeMask(4, 0));
    }
    catch (const RunError&) {
      refused = true;
    }
    test.check(refused, "a cycle of mortar sides is refused");

    SignoriniConstraints<2> avoidable; // only the far constraint of node 0 closes the cycle
    avoidable.add({0, 0, 0.1, 1, 1, {0, 1}}, {}, {}, std::vector<NodeWeight>{{2, 1}});
    avoidable.add({1, 0, 0.2, 1, 1, {1, 0}}, {}, {}, std::vector<NodeWeight>{{1, 1}});
    avoidable.add({2, 1, 0.1, 1, 1, {0, 1}}, {}, {}, std::vector<NodeWeight>{{0, 1}});
    T.setup(avoidable, NodeMask(3, 0));
    test.check(T.component(0) == 0 && T.component(1) == T.none && T.component(2) == 0,
               "second bounds are left out where they close a cycle");
    checkFormula(test, avoidable, NodeMask(3, 0), T);
    return test;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testCases<2>());
  test.subTest(testCases<3>());
  test.subTest(testChoice());
  test.subTest(testCorner());
  test.subTest(testTurn());
  test.subTest(testCycle());
  return test.exit();
}
