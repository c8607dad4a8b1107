// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <random>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/solver/contactsolver.hh>
#include <dune/impact/solver/lumpeddelassus.hh>

using namespace Dune;
using namespace Dune::Impact;

/* Rows that see a node of their own and some of others, as nodes in front of facets do; the same as functionals and as a matrix. Every other
 * row has tangents that see fewer nodes than its normal, in another order, and a normal with two entries of one dof. */
struct Rows
{
  int components, dimension;
  std::vector<SparseVector> functional;
  std::vector<double> inverseMass, b, friction;

  Rows(int components, int dimension, std::size_t count, int partners, std::mt19937& random)
    : components(components), dimension(dimension)
  {
    std::uniform_real_distribution<double> uniform(0, 1);
    const std::size_t shared = count / 2 + 1;
    for (std::size_t i = 0; i < (count + shared) * dimension; ++i)
      inverseMass.push_back(i % dimension == 0 ? 0.5 + uniform(random) : inverseMass.back());
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<std::size_t> nodes = {i};
      for (int k = 0; k < partners; ++k)
        nodes.push_back(count + (i + k * 3) % shared);
      for (int c = 0; c < components; ++c) {
        SparseVector& entries = functional.emplace_back();
        const bool special = i % 2 != 0;
        for (std::size_t n = special && c > 0 ? nodes.size() / 2 : 0; n < nodes.size(); ++n) {
          const std::size_t k = special && c > 0 ? nodes.size() - 1 - n : n;
          for (int x = 0; x < dimension; ++x)
            entries.push_back({nodes[k] * dimension + x, (x == c) * (k == 0 ? 1 : -1.0 / partners) + 0.1 * (uniform(random) - 0.5)});
        }
        if (special && c == 0) { // the first one once more, with a quarter of it
          entries[0].value *= 0.75;
          entries.push_back({entries[0].dof, entries[0].value / 3});
        }
        b.push_back(2 * uniform(random) - (c == 0 ? 1.5 : 1));
      }
      friction.push_back(components > 1 ? 0.6 * uniform(random) : 0);
    }
  }

  void fill(LumpedDelassus& H) const
  {
    H.clear(components);
    for (std::size_t i = 0; i < functional.size(); i += components) {
      LumpedDelassus::Functionals row;
      std::copy_n(functional.begin() + std::ptrdiff_t(i), components, row.begin());
      H.add(row);
    }
  }

  std::vector<LumpedDelassus::Dof> dofs() const
  {
    std::vector<LumpedDelassus::Dof> result;
    for (std::size_t i = 0; i < inverseMass.size(); ++i)
      result.push_back({std::uint32_t(i / dimension), std::uint32_t(i % dimension), std::sqrt(inverseMass[i])});
    return result;
  }

  template<class Held>
  Delassus matrix(Held&& held) const
  {
    Delassus H;
    H.clear(components);
    const std::size_t count = functional.size() / components;
    std::vector<double> velocity(inverseMass.size()), block(components * components);
    for (std::size_t i = 0; i < count; ++i) {
      H.beginRow();
      for (std::size_t j = 0; j < count; ++j) {
        bool coupled = i == j;
        for (int k = 0; k < components; ++k) {
          std::fill(velocity.begin(), velocity.end(), 0);
          for (const auto& [dof, value] : functional[i * components + k])
            velocity[dof] += held(dof) ? 0 : inverseMass[dof] * value;
          for (int l = 0; l < components; ++l) {
            block[k * components + l] = dot(functional[j * components + l], velocity);
            coupled = coupled || block[k * components + l] != 0;
          }
        }
        if (coupled)
          H.add(j, block.data());
      }
    }
    return H;
  }
};

//! Impulses and velocities are those that Gauss-Seidel with the matrix finds
TestSuite testSolution(int components, int dimension, int partners)
{
  TestSuite test("solution with " + std::to_string(components) + " components, " + std::to_string(dimension) + " dimensions, " + std::to_string(partners) + " partners");
  std::mt19937 random(3);
  for (bool someHeld : {false, true})
    for (int round = 0; round < 5; ++round) {
      const Rows rows(components, dimension, 40, partners, random);
      const auto held = [&](std::size_t dof) { return someHeld && dof >= 40 * std::size_t(dimension) && dof % 7 == 0; }; // rows move their own node
      const Delassus H = rows.matrix(held);
      LumpedDelassus lumped(rows.dofs());
      for (int time = 0; time < 2; ++time) { // the second time with memory of the first
        rows.fill(lumped);
        std::vector<double> p0(rows.inverseMass.size()), p1(p0.size()), before(rows.b.size()), after(rows.b.size()), size(rows.b.size());
        for (auto* p : {&p0, &p1})
          for (double& x : *p)
            x = std::uniform_real_distribution<double>(-1, 1)(random);
        lumped.rates(p0, p1, {before, after, size});
        for (std::size_t i = 0; i < size.size(); ++i) {
          double wanted0 = 0, wanted1 = 0, terms = 0;
          for (const auto& [dof, value] : rows.functional[i]) {
            const double entry = value * rows.inverseMass[dof];
            wanted0 += entry * p0[dof];
            wanted1 += entry * p1[dof];
            terms += std::abs(entry * p0[dof]) + std::abs(entry * p1[dof]);
          }
          const double error = std::max(std::abs(before[i] - wanted0), std::abs(after[i] - wanted1));
          test.check(error <= 1e-14 * terms && std::abs(size[i] - terms) <= 1e-14 * terms, "rates of momenta") << error;
        }
        lumped.hold(held);
      }
      test.check(lumped.size() == H.size() && !lumped.isDiagonal() == !H.isDiagonal(), "as many rows, as coupled");
      std::vector<std::size_t> labels, wanted;
      const std::size_t count = lumped.components(labels);
      if (!someHeld)
        test.check(count == H.components(wanted) && labels == wanted, "the same components") << count;

      std::vector<double> r(rows.b.size(), 0), s = r, answer(r.size()), product(r.size());
      const ContactSettings settings{.tolerance = 1e-13}, lumpedSettings{.tolerance = 1e-13, .plainSweeps = 20 * (round % 3)};
      const ContactProblem problem{H, rows.b, rows.friction};
      const auto report = ContactSolver(lumpedSettings).solveContact({lumped, rows.b, rows.friction}, r, answer);
      const auto other = !lumped.isDiagonal() ? ContactSolver(settings).solveProjectedGaussSeidel(problem, s) : ContactSolver(settings).solveDiagonal(problem, s);
      test.check(report.converged && other.converged, "both converge") << report.residual << ", " << other.residual;
      H.multiply(r, product);
      const double scale = velocityScale(problem);
      test.check(contactResidual(problem, r).value <= 1e-12 * scale, "the law holds") << contactResidual(problem, r).value;
      for (std::size_t i = 0; i < r.size(); ++i) {
        test.check(std::abs(r[i] - s[i]) <= 1e-10 * scale, "the same impulses") << r[i] - s[i];
        test.check(std::abs(answer[i] - product[i]) <= 1e-12 * scale, "H r") << answer[i] - product[i];
      }
    }
  return test;
}

//! Where nothing approaches there are no impulses, whatever the first guess
TestSuite testSeparation()
{
  TestSuite test("separation");
  std::mt19937 random(4);
  const Rows rows(1, 3, 20, 3, random);
  LumpedDelassus lumped(rows.dofs());
  rows.fill(lumped);
  std::vector<double> b(20, 0.1), r(20, 5), answer(20, 7);
  const auto report = ContactSolver().solveContact({lumped, b, {}}, r, answer);
  test.check(report.converged && r == std::vector<double>(20, 0) && answer == r, "no impulses");
  b[3] = -1;
  r[5] = NAN;
  test.check(ContactSolver().solveContact({lumped, b, {}}, r, answer).converged && r[3] > 0, "a first guess that is no number is not used");
  b[3] = NAN;
  test.check(!ContactSolver({.maxIterations = 5}).solveContact({lumped, b, {}}, r, answer).converged, "rates that are no numbers are no problem with a solution");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("matrix of nodes with a diagonal mass");
  for (int dimension : {1, 2, 3})
    for (int partners : {0, 4})
      for (int components = 1; components <= dimension; components = components == 1 ? std::max(2, dimension) : 4)
        test.subTest(testSolution(components, dimension, partners));
  test.subTest(testSeparation());
  return test.exit();
}
