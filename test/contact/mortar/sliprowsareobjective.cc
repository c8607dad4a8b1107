// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <Eigen/Geometry>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/contact/mortar/mortargap.hh>
#include <dune/impact/contact/mortar/sliprow.hh>
#include <dune/impact/grid/coarsemesh.hh>
#include <dune/impact/grid/meshreader.hh>
#include <dune/impact/grid/shapes.hh>

// Slip rows between two bodies have no resultant and no moment about the middle of the step, and
// vanish for every rigid motion of the pair, by any angle below pi; slips agree with an independent
// implementation and are continuous where mortar nodes change.

using namespace Dune;
using namespace Dune::Impact;

namespace {

  using Vector3 = Eigen::Vector3d;
  using Matrix3 = Eigen::Matrix3d;

  //! Two bodies in contact, and their slips between two configurations
  template<int dim>
  struct Pair
  {
    using Vector = FieldVector<double, dim>;

    Pair(const SolidMesh<dim>& a, const std::string& patchA, const SolidMesh<dim>& b,
         const std::string& patchB, double reach)
      : gap(makeContactSurface<dim>(a, a.findPatch(patchA), 0, 0),
            makeContactSurface<dim>(b, b.findPatch(patchB), 1, a.nodes.size()),
            {.window = GapWindow{-reach, reach}})
      , own(a.nodes.size())
    {
      for (const auto* mesh : {&a, &b})
        for (const auto& node : mesh->nodes)
          positions.push_back(node);
    }

    WeightedGaps<dim> gaps(const std::vector<double>& u) const
    {
      WeightedGaps<dim> result;
      gap.addGaps(0, u, 0, result);
      return result;
    }

    Vector at(const std::vector<double>& u, std::size_t node) const
    {
      Vector x = positions[node];
      for (int c = 0; c < dim; ++c)
        x[c] += u[node * dim + c];
      return x;
    }

    struct Slip
    {
      Vector value, axis;
      double weight;
      std::vector<NodeMatrix<dim>> row;
    };

    //! By nodes
    std::map<std::size_t, Slip> slips(const std::vector<double>& x,
                                      const std::vector<double>& z) const
    {
      const auto start = gaps(x), end = gaps(z);
      std::map<std::size_t, Slip> result;
      SlipRow<dim> maker;
      for (std::size_t p = 0; p < start.size(); ++p)
        for (std::size_t q = 0; q < end.size(); ++q)
          if (start[p].multiplier == end[q].multiplier) {
            const auto middle = [&](std::size_t node) {
              return Vector((at(x, node) + at(z, node)) * 0.5);
            };
            Slip slip{Vector(0),
                      {},
                      start[p].weight,
                      maker.make({&start[p], start.mortar(p), start.shares(p)},
                                 {&end[q], end.mortar(q), end.shares(q)}, middle, {})};
            slip.axis = maker.axis();
            for (const auto& [node, value] : slip.row)
              value.umv(at(z, node) - at(x, node), slip.value);
            result[start[p].node] = slip;
          }
      return result;
    }

    MortarGap<dim> gap;
    std::size_t own;
    std::vector<Vector> positions;
  };

  template<int dim>
  double cross2(const FieldVector<double, dim>& a, const FieldVector<double, dim>& b, int k)
  {
    const int i = dim == 2 ? 0 : (k + 1) % 3, j = dim == 2 ? 1 : (k + 2) % 3;
    return a[i] * b[j] - a[j] * b[i];
  }

  template<int dim>
  void checkBalance(TestSuite& test, const Pair<dim>& pair, const std::vector<double>& x,
                    const std::vector<double>& z)
  {
    const auto slips = pair.slips(x, z);
    test.check(!slips.empty(), "there are slips");
    double resultant = 0, moment = 0;
    for (const auto& [node, slip] : slips)
      for (int c = 0; c < dim; ++c) {
        FieldVector<double, dim> sum(0), turn(0);
        for (const auto& [a, value] : slip.row) {
          const auto m = (pair.at(x, a) + pair.at(z, a)) * 0.5 - pair.at(x, node);
          sum += value[c];
          for (int k = 0; k < (dim == 2 ? 1 : 3); ++k)
            turn[k] += cross2<dim>(m, value[c], k);
        }
        const double scale = slip.axis.two_norm();
        resultant = std::max(resultant, sum.two_norm() / scale);
        moment = std::max(moment, turn.two_norm() / scale);
      }
    test.check(resultant < 1e-13, "no resultant") << resultant;
    test.check(moment < 1e-12, "no moment") << moment;
  }

  //! z = R x + b for the pair as a whole
  template<int dim>
  std::vector<double> moved(const Pair<dim>& pair, const std::vector<double>& x, double angle)
  {
    auto z = x;
    const Vector3 axis = dim == 2 ? Vector3(0, 0, angle) : Vector3(0.6, -0.64, 0.48) * angle;
    const Matrix3 R = Eigen::AngleAxisd(axis.norm(), axis.normalized()).toRotationMatrix();
    for (std::size_t i = 0; i < pair.positions.size(); ++i) {
      const auto y = pair.at(x, i);
      Vector3 v = Vector3::Zero();
      for (int c = 0; c < dim; ++c)
        v[c] = y[c];
      v = R * v;
      for (int c = 0; c < dim; ++c)
        z[i * dim + c] = v[c] + 0.3 * (c + 1) - pair.positions[i][c];
    }
    return z;
  }

  template<int dim>
  void checkRigid(TestSuite& test, const Pair<dim>& pair, const std::vector<double>& x)
  {
    for (const double angle : {0.04, 0.5, 2.0, -2.5})
      for (const auto& [node, slip] : pair.slips(x, moved(pair, x, angle)))
        test.check(slip.value.two_norm() < 1e-12 * slip.axis.two_norm(), "rigid motion")
          << "slip " << slip.value.two_norm() << " after a turn by " << angle;
  }

  Pair<2> ballOnBlock()
  {
    const std::string folder = DUNE_IMPACT_TEST_DATA;
    return Pair<2>(
      refineMesh(readGmsh<2>(folder + "/ball_coarse.msh"), 0, "ball"), "contact_nonmortar",
      refineMesh(readGmsh<2>(folder + "/block_coarse.msh"), 0, "block"), "contact_mortar", 3);
  }

  TestSuite reference()
  {
    TestSuite test("ball on block");
    const auto pair = ballOnBlock();
    std::vector<double> x(pair.positions.size() * 2), z;
    for (std::size_t i = 0; i < pair.positions.size(); ++i) {
      x[2 * i] = 0.1 * std::sin(1.7 * double(i));
      x[2 * i + 1] = 0.1 * std::cos(2.3 * double(i)) - (i < pair.own ? 2.05 : 0);
    }
    z = x;
    for (std::size_t k = 0; k < z.size(); ++k) {
      z[k] += 0.3 * std::sin(0.9 * double(k) + 0.3);
      if (k / 2 < pair.own)
        z[k] += k % 2 == 0 ? 0.2 : 0.02;
    }
    const auto slips = pair.slips(x, z);
    // by numbers of the mesh file, which start with one
    const std::map<std::size_t, std::pair<double, double>> expected = {
      {2, {2.911089938741047, 4.903908000748044}},
      {6, {0.4578287879341773, 4.8254017528180455}},
      {7, {-1.6980316835781468, 4.821045371582528}},
      {64, {1.2863677330173544, 5.000358751031536}},
      {65, {3.0319322691895585, 4.956214820052966}}};
    for (const auto& [number, values] : expected) {
      const auto found = slips.find(number - 1);
      test.require(found != slips.end(), "node " + std::to_string(number));
      const auto& [slip, axis, weight, row] = found->second;
      const double along = (-axis[1] * slip[0] + axis[0] * slip[1]) / axis.two_norm();
      test.check(std::abs(weight - values.second) < 1e-11 * 5, "weight") << weight;
      test.check(std::abs(along - values.first) < 1e-11 * 5, "slip")
        << along << " and not " << values.first;
    }
    checkBalance(test, pair, x, z);
    checkRigid(test, pair, x);
    return test;
  }

  TestSuite boxes()
  {
    TestSuite test("boxes in space");
    const Pair<3> pair(refineMesh(makeBox<3>({0.1, 0.1, 1}, {0.9, 0.9, 2}, {3, 3, 2}), 0, "upper"),
                       "zmin", refineMesh(makeBox<3>({0, 0, 0}, {1, 1, 1}, {2, 2, 2}), 0, "lower"),
                       "zmax", 0.5);
    std::mt19937 random(3);
    std::uniform_real_distribution<double> noise(-0.04, 0.04);
    std::vector<double> x(pair.positions.size() * 3), z;
    for (double& value : x)
      value = noise(random);
    z = x;
    for (double& value : z)
      value += noise(random);
    checkBalance(test, pair, x, z);
    checkRigid(test, pair, x);
    return test;
  }

  //! The ball is moved along the block in small steps: the slip changes by as little in each
  TestSuite continuity()
  {
    TestSuite test("continuity");
    const auto pair = ballOnBlock();
    std::vector<double> x(pair.positions.size() * 2, 0), z;
    for (std::size_t i = 0; i < pair.own; ++i)
      x[2 * i + 1] = -2.0;
    double last = 0, largest = 0;
    for (int n = 0; n <= 400; ++n) {
      z = x;
      for (std::size_t i = 0; i < pair.own; ++i)
        z[2 * i] += 1.69 + 0.01 * n;
      const auto slips = pair.slips(x, z);
      const auto found = slips.find(1);
      test.require(found != slips.end(), "the lowest node has a slip");
      const double size = found->second.value.two_norm() / found->second.axis.two_norm();
      if (n > 0)
        largest = std::max(largest, std::abs(size - last));
      last = size;
    }
    test.check(largest < 0.012, "no jumps") << largest;
    return test;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(reference());
  test.subTest(boxes());
  test.subTest(continuity());
  return test.exit();
}
