// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <random>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/contact/impulse/contactpoints.hh>
#include <dune/impact/solver/impulse/contactsolver.hh>
#include <dune/impact/solver/impulse/lumpeddelassus.hh>

using namespace Dune;
using namespace Dune::Impact;

//! Three orthogonal unit vectors
std::array<Vec3, 3> randomAxes(std::mt19937& random)
{
  std::normal_distribution<double> normal;
  std::array<Vec3, 3> axes;
  for (Vec3& x : axes)
    x = {normal(random), normal(random), normal(random)};
  axes[0] /= axes[0].two_norm();
  axes[1] = cross(axes[0], axes[1]);
  axes[1] /= axes[1].two_norm();
  axes[2] = cross(axes[0], axes[1]);
  return axes;
}

/* Rows that see a node of their own and some of others, as nodes in front of facets do; the same as
 * functionals and as a matrix. Every other row has tangents that see fewer nodes than its normal,
 * in another order, and a normal with two entries of one dof. In space every third row may be given
 * as a short one. */
struct Rows
{
  int components, dimension;
  ContactPoints shortRows;
  std::vector<bool> isCompressed;
  std::vector<SparseVector> functional;
  std::vector<double> inverseMass, b, friction;

  Rows(int components, int dimension, std::size_t count, int partners, bool someShort,
       std::mt19937& random)
    : components(components)
    , dimension(dimension)
  {
    shortRows.clear(components, ContactPoints::Form::nodes);
    std::uniform_real_distribution<double> uniform(0, 1);
    const std::size_t shared = count / 2 + 1;
    for (std::size_t i = 0; i < (count + shared) * dimension; ++i)
      inverseMass.push_back(i % dimension == 0 ? 0.5 + uniform(random) : inverseMass.back());
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<std::size_t> nodes = {i};
      for (int k = 0; k < partners; ++k)
        nodes.push_back(count + (i + k * 3) % shared);
      isCompressed.push_back(someShort && i % 3 == 0);
      ContactPoints full; // with the functionals of the short row
      full.clear(components);
      full.add().axes = shortRows.add().axes = randomAxes(random);
      std::vector<MortarEntry> partner;
      for (std::size_t k = 1; k < nodes.size(); ++k)
        partner.push_back(
          {3 * nodes[k], -uniform(random), {uniform(random) - 0.5, uniform(random) - 0.5}});
      if (isCompressed.back())
        for (ContactPoints* set : {&full, &shortRows})
          set->addNodes(3 * i, partner);
      for (int c = 0; c < components; ++c) {
        SparseVector& entries = functional.emplace_back();
        const bool special = i % 2 != 0;
        for (std::size_t n = special && c > 0 ? nodes.size() / 2 : 0; n < nodes.size(); ++n) {
          const std::size_t k = special && c > 0 ? nodes.size() - 1 - n : n;
          for (int x = 0; x < dimension; ++x)
            entries.push_back({nodes[k] * dimension + x, (x == c) * (k == 0 ? 1 : -1.0 / partners) +
                                                           0.1 * (uniform(random) - 0.5)});
        }
        if (special && c == 0) { // the first one once more, with a quarter of it
          entries[0].value *= 0.75;
          entries.push_back({entries[0].dof, entries[0].value / 3});
        }
        if (isCompressed.back())
          entries.assign(full.functional(0, c).begin(), full.functional(0, c).end());
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
      if (const std::size_t k = i / components; isCompressed[k])
        H.add(shortRows[k].axes, shortRows.dof(k), shortRows.partners(k));
      else
        H.add(row);
    }
    H.finish();
  }

  std::vector<LumpedDelassus::Dof> dofs() const
  {
    std::vector<LumpedDelassus::Dof> result;
    for (std::size_t i = 0; i < inverseMass.size(); ++i)
      result.push_back(
        {std::uint32_t(i / dimension), std::uint32_t(i % dimension), std::sqrt(inverseMass[i])});
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

//! Largest difference of A A^-1 and I, and of both first rows of A
double inverseError(const LumpedDelassus& H, std::size_t i)
{
  return withBlockSize(H.blockSize(), [&](auto size) {
    constexpr int d = size;
    const double *A = H.diagonal(i), *row = H.inverse<d>(i), *inverse = row + d;
    double error = 0;
    for (int k = 0; k < d; ++k) {
      error = std::max(error, std::abs(row[k] - A[k]) / A[0]);
      for (int l = 0; l < d; ++l) {
        double sum = k == l ? -1 : 0;
        for (int j = 0; j < d; ++j)
          sum += A[k * d + j] * inverse[j < l ? l * (l + 1) / 2 + j : j * (j + 1) / 2 + l];
        error = std::max(error, std::abs(sum));
      }
    }
    return error;
  });
}

//! Impulses and velocities are those that Gauss-Seidel with the matrix finds
TestSuite testSolution(int components, int dimension, int partners, bool someShort)
{
  TestSuite test("solution with " + std::to_string(components) + " components, " +
                 std::to_string(dimension) + " dimensions, " + std::to_string(partners) +
                 " partners" + (someShort ? ", some rows short" : ""));
  std::mt19937 random(3);
  for (bool someHeld : {false, true})
    for (int round = 0; round < 5; ++round) {
      const Rows rows(components, dimension, 40, partners, someShort, random);
      // rows move their own node
      const auto held = [&](std::size_t dof) {
        return someHeld && dof >= 40 * std::size_t(dimension) && dof % 7 == 0;
      };
      const Delassus H = rows.matrix(held);
      LumpedDelassus lumped(rows.dofs());
      test.check(lumped.isIsotropic() == (dimension == 3),
                 "nodes in space have three dofs of the same mass");
      for (int time = 0; time < 2; ++time) { // the second time with memory of the first
        rows.fill(lumped);
        std::vector<double> p0(rows.inverseMass.size()), p1(p0.size()), before(rows.b.size()),
          after(rows.b.size()), size(rows.b.size());
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
          const double error =
            std::max(std::abs(before[i] - wanted0), std::abs(after[i] - wanted1));
          // sizes are those of the numbers of a short row
          const double larger = rows.isCompressed[i / components] ? 2 : 1e-14;
          test.check(error <= 1e-14 * size[i] && size[i] >= (1 - 1e-14) * terms &&
                       size[i] <= (1 + larger) * terms,
                     "rates of momenta")
            << error << ", " << size[i] / terms;
        }
        lumped.hold(held);
      }
      for (std::size_t i = 0; i < H.size(); ++i) {
        const double *A = H.diagonal(i), *block = lumped.diagonal(i);
        double error = 0, largest = 0;
        for (int k = 0; k < components * components; ++k) {
          error = std::max(error, std::abs(A[k] - block[k]));
          largest = std::max(largest, std::abs(A[k]));
        }
        test.check(error <= 1e-14 * largest, "diagonal blocks") << error;
        test.check(inverseError(lumped, i) <= 1e-11, "their inverses") << inverseError(lumped, i);
      }
      test.check(lumped.size() == H.size() && !lumped.isDiagonal() == !H.isDiagonal(),
                 "as many rows, as coupled");
      std::vector<std::size_t> labels, wanted;
      const std::size_t count = lumped.components(labels);
      if (!someHeld)
        test.check(count == H.components(wanted) && labels == wanted, "the same components")
          << count;

      std::vector<double> r(rows.b.size(), 0), s = r, answer(r.size()), product(r.size());
      const ContactSettings settings{.tolerance = 1e-13},
        lumpedSettings{.tolerance = 1e-13, .plainSweeps = 20 * (round % 3)};
      const ContactProblem problem{H, rows.b, rows.friction};
      const auto report =
        ContactSolver(lumpedSettings).solveContact({lumped, rows.b, rows.friction}, r, answer);
      const auto other = !lumped.isDiagonal()
                           ? ContactSolver(settings).solveProjectedGaussSeidel(problem, s)
                           : ContactSolver(settings).solveDiagonal(problem, s);
      test.check(report.converged && other.converged, "both converge")
        << report.residual << ", " << other.residual;
      H.multiply(r, product);
      const double scale = velocityScale(problem);
      test.check(contactResidual(problem, r).value <= 1e-12 * scale, "the law holds")
        << contactResidual(problem, r).value;
      for (std::size_t i = 0; i < r.size(); ++i) {
        test.check(std::abs(r[i] - s[i]) <= 1e-10 * scale, "the same impulses") << r[i] - s[i];
        test.check(std::abs(answer[i] - product[i]) <= 1e-12 * scale, "H r")
          << answer[i] - product[i];
      }
    }
  return test;
}

//! After any number of sweeps impulses push, and friction is within its cone, whatever the first
//! guess
TestSuite testCone(int components)
{
  TestSuite test("few sweeps with " + std::to_string(components) + " components");
  std::mt19937 random(6);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int sweeps = 1; sweeps <= 12; ++sweeps) {
    const Rows rows(components, 3, 40, 3, true, random);
    LumpedDelassus lumped(rows.dofs());
    rows.fill(lumped);
    std::vector<double> r(rows.b.size()), answer(r.size()), product(r.size());
    for (double& x : r)
      x = uniform(random);
    ContactSolver({.tolerance = 1e-15, .maxIterations = sweeps, .plainSweeps = 20})
      .solveContact({lumped, rows.b, rows.friction}, r, answer);
    rows.matrix([](std::size_t) { return false; }).multiply(r, product);
    double work = 0, size = 0;
    for (std::size_t i = 0; i < lumped.size(); ++i) {
      const double* ri = &r[i * components];
      const double slip = components == 1 ? 0 : std::hypot(ri[1], components > 2 ? ri[2] : 0);
      test.check(ri[0] >= 0 && slip <= (1 + 1e-14) * rows.friction[i] * ri[0],
                 "impulses are within the cone")
        << ri[0] << ", " << slip << " after " << sweeps;
    }
    for (std::size_t i = 0; i < r.size(); ++i) {
      test.check(std::abs(answer[i] - product[i]) <= 1e-13, "H r") << answer[i] - product[i];
      work += r[i] * (rows.b[i] + product[i]);
      size += std::abs(r[i] * rows.b[i]);
    }
    test.check(work <= 1e-14 * size, "they take energy") << work / size;
  }
  return test;
}

/* A square of nodes in front of triangles of another size, pressed on them: plain sweeps go too
 * far. Going on by a part of the changes needs fewer sweeps than those of FactoredDelassus, which
 * do not do so, and finds the same impulses. */
TestSuite testRelaxation(int components)
{
  TestSuite test("nodes against another mesh with " + std::to_string(components) + " components");
  constexpr std::size_t n = 60, m = 30; // nodes on an edge of both sides
  std::mt19937 random(8);
  std::vector<LumpedDelassus::Dof> dofs;
  for (std::uint32_t i = 0; i < 3 * (n * n + m * m); ++i)
    dofs.push_back({i / 3, i % 3, 1});
  const std::array<Vec3, 3> axes = {Vec3{0, 0, 1}, Vec3{1, 0, 0}, Vec3{0, 1, 0}};
  LumpedDelassus H(dofs);
  FactoredDelassus factored;
  H.clear(components);
  factored.clear(components);
  std::vector<double> b, friction(n * n, components > 1 ? 0.5 : 0);
  for (std::size_t i = 0; i < n * n; ++i) {
    const double x = double(i % n) * (m - 1) / (n - 1), y = double(i / n) * (m - 1) / (n - 1);
    const std::size_t c = std::min(m - 2, std::size_t(x)), r = std::min(m - 2, std::size_t(y));
    const double u = x - double(c), v = y - double(r);
    const auto partner = [&](std::size_t dx, std::size_t dy, double weight) {
      return MortarEntry{3 * (n * n + (r + dy) * m + c + dx), -weight, {0, 0}};
    };
    const std::vector<MortarEntry> partners = {partner(0, 0, 1 - std::max(u, v)),
                                               partner(1, 1, std::min(u, v)),
                                               u > v ? partner(1, 0, u - v) : partner(0, 1, v - u)};
    H.add(axes, 3 * i, partners);
    factored.beginRow();
    for (int k = 0; k < components; ++k) {
      const auto add = [&](std::size_t dof, double weight) {
        for (int e = 0; e < 3; ++e) {
          factored.addFunctional(k, dof + e, weight * axes[k][e]);
          factored.addVelocity(k, dof + e, weight * axes[k][e]);
        }
      };
      add(3 * i, 1);
      for (const MortarEntry& partner : partners)
        add(partner.dof, partner.weight);
      b.push_back(k == 0 ? -1 - 0.1 * double(random()) / 4294967296.0 : 0.1);
    }
    factored.endRow();
  }
  H.finish();
  const ContactSettings settings{.tolerance = 1e-12, .plainSweeps = 100};
  std::vector<double> r(b.size(), 0), answer(r.size());
  ContactSolver solver(settings);
  test.check(solver.solveContact({H, b, friction}, r, answer).converged, "impulses are found");
  for (bool smooth : {true, false}) {
    auto other = b;
    for (double& x : other) // from those impulses on, with other velocities
      x *= 1.05 + (smooth ? 0 : 0.1 * double(random()) / 4294967296.0);
    auto p = r, s = r;
    const auto report = solver.solveContact({H, other, friction}, p, answer);
    const auto plain =
      NonsmoothGaussSeidel<FactoredDelassus>().solve({factored, other, friction}, settings, s);
    test.check(report.converged && plain.converged &&
                 10 * report.iterations <= (smooth ? 9 : 10) * plain.iterations,
               "fewer sweeps")
      << report.iterations << " instead of " << plain.iterations;
    for (std::size_t i = 0; i < p.size(); ++i)
      test.check(std::abs(p[i] - s[i]) <= 1e-10, "the impulses are the same") << p[i] - s[i];
  }
  return test;
}

//! Where nothing approaches there are no impulses, whatever the first guess
TestSuite testSeparation()
{
  TestSuite test("separation");
  std::mt19937 random(4);
  const Rows rows(1, 3, 20, 3, true, random);
  LumpedDelassus lumped(rows.dofs());
  lumped.clear(1);
  const MortarEntry partner{3, -1, {0, 0}};
  lumped.add({Vec3{0, 0, NAN}, Vec3(0), Vec3(0)}, 0, {&partner, 1});
  lumped.finish();
  test.check(!lumped.isFinite(), "axes that are no numbers are noticed");
  rows.fill(lumped);
  test.check(lumped.isFinite(), "and forgotten");
  std::vector<double> b(20, 0.1), r(20, 5), answer(20, 7);
  const auto report = ContactSolver().solveContact({lumped, b, {}}, r, answer);
  test.check(report.converged && r == std::vector<double>(20, 0) && answer == r, "no impulses");
  b[3] = -1;
  r[5] = NAN;
  test.check(ContactSolver().solveContact({lumped, b, {}}, r, answer).converged && r[3] > 0,
             "a first guess that is no number is not used");
  b[3] = NAN;
  test.check(
    !ContactSolver({.maxIterations = 5}).solveContact({lumped, b, {}}, r, answer).converged,
    "rates that are no numbers are no problem with a solution");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test("matrix of nodes with a diagonal mass");
  for (int dimension : {1, 2, 3})
    for (int partners : {0, 4})
      for (int components = 1; components <= dimension;
           components = components == 1 ? std::max(2, dimension) : 4)
        for (bool someShort : {false, true})
          if (!someShort || (dimension == 3 && partners > 0))
            test.subTest(testSolution(components, dimension, partners, someShort));
  for (int components : {1, 3}) {
    test.subTest(testCone(components));
    test.subTest(testRelaxation(components));
  }
  test.subTest(testSeparation());
  return test.exit();
}
