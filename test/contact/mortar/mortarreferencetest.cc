// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception Gaps of a disc and a
// block against numbers of an independent program (triangle meshes in src/scenarios, lengths in
// mm): values, derivatives, weights, simplified derivative.
#include <config.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/contact/mortar/mortargap.hh>
#include <dune/impact/grid/hierarchy.hh>
#include <dune/impact/grid/meshreader.hh>

using namespace Dune;
using namespace Dune::Impact;

using Numbers = std::vector<double>;

//! A node of the disc by its number in the mesh file
struct Reference
{
  std::size_t node;
  double normalGap, normalDerivative;   // smoothed normal
  double closestGap, closestDerivative; // closest point, 8 points per edge
  double D;
};

const std::vector<Reference> references = {
  {2, -0.708199427401879, 4.636323878763904, -0.7061971415124773, 4.620758703329468,
   4.903908000748044},
  {6, 1.5316916160746268, -2.1654155239323623, 1.5276633875430614, -2.1190118773407747,
   4.8254017528180455},
  {7, 4.495668470351861, -6.677968013228304, 4.445548025128966, -6.669319808564729,
   4.821045371582528},
  {8, 10.1100712737958, 5.3641034127815885, 9.728112401904182, 4.632371966779572,
   4.9972822523808516},
  {9, 21.09829735965438, 1.006272888562975, 19.32050938109068, 0.4793700284154164,
   4.962114754348983},
  {10, 31.110899663272466, -7.900292557803243, 28.18324119335434, -4.732058784631113,
   4.796373685925388},
  {11, 49.47055684830505, 10.81549720335411, 40.576802397795674, 9.770649402806708,
   4.920173274988415},
  {60, 48.465542837892755, -5.322400659270851, 41.596164868553366, 3.1409690771695153,
   4.971888244394519},
  {61, 33.36897630793128, 7.249717878143867, 29.17274472885393, 7.534497804623845,
   4.901969656842244},
  {62, 19.03741710431683, -0.4804495514350935, 17.555694691501884, -2.0470643812008147,
   4.845581390719466},
  {63, 10.659516559946097, -2.469538896124508, 10.341036779134026, -2.173769031716901,
   4.9065974715370535},
  {64, 5.356492911294036, 1.5269655080525026, 5.261230554354206, 1.4471856014525368,
   5.000358751031536},
  {65, 0.241691678606058, -0.9218021875467275, 0.24382979573170013, -0.8734194329862133,
   4.956214820052966}};

struct Bound
{
  std::size_t node;
  double c, D;
};

const std::vector<Bound> bounds = {{2, -0.7365640753649426, 4.906767429231262},
                                   {6, 0.44212132195052134, 4.906767449543738},
                                   {7, 4.035525299818281, 4.906767449055799},
                                   {64, 4.03552522043751, 4.906767413609877},
                                   {65, 0.4421213274135015, 4.906767415620117}};

//! The two bodies as they are in the files
struct Scene
{
  SolidMesh<2> disc =
    refineMesh(readGmsh<2>(std::string(TEST_DATA) + "/ball_coarse.msh"), 0, "ball");
  SolidMesh<2> block =
    refineMesh(readGmsh<2>(std::string(TEST_DATA) + "/block_coarse.msh"), 0, "block");

  MortarGap<2> coupling(const MortarSettings& settings) const
  {
    return MortarGap<2>(
      makeContactSurface(disc, disc.findPatch("contact_nonmortar"), 0, 0),
      makeContactSurface(block, block.findPatch("contact_mortar"), 1, disc.nodes.size()), settings);
  }

  //! Lower the disc, then shake all nodes
  Numbers displacement(double lower, double shake) const
  {
    Numbers u;
    const std::size_t count = disc.nodes.size() + block.nodes.size();
    for (std::size_t i = 0; i < count; ++i) {
      u.push_back(shake * std::sin(1.7 * double(i)));
      u.push_back((i < disc.nodes.size() ? -lower : 0) + shake * std::cos(2.3 * double(i)));
    }
    return u;
  }
};

double directional(std::span<const WeightedGaps<2>::Derivative> row)
{
  double sum = 0;
  for (const auto& [node, value] : row)
    for (int c = 0; c < 2; ++c)
      sum += value[c] * std::sin(0.9 * double(2 * node + c) + 0.3);
  return sum;
}

//! Gaps by the number in the file
std::map<std::size_t, std::size_t> byNode(const WeightedGaps<2>& gaps)
{
  std::map<std::size_t, std::size_t> result;
  for (std::size_t p = 0; p < gaps.size(); ++p)
    result[gaps[p].node + 1] = p;
  return result;
}

WeightedGaps<2> gapsOf(const MortarGap<2>& coupling, const Numbers& u)
{
  WeightedGaps<2> gaps;
  coupling.addGaps(0, u, 0, gaps);
  return gaps;
}

void checkNear(TestSuite& test, double value, double expected, double tolerance,
               const std::string& what)
{
  test.check(std::abs(value - expected) <= tolerance, what)
    << value << " instead of " << expected << ", difference " << value - expected;
}

TestSuite testWeightedGaps(const Scene& scene)
{
  TestSuite test("weighted gaps");
  const Numbers u = scene.displacement(2.05, 0.1);
  const GapWindow window{-5, 15};
  const auto normal = gapsOf(scene.coupling({.cut = CutFacets::drop, .window = window}), u);
  const auto closest = gapsOf(
    scene.coupling({.gap = MortarGapKind::closestPoint, .window = window, .facetPoints = 8}), u);
  const auto normalPlace = byNode(normal), closestPlace = byNode(closest);
  for (const auto& [node, normalGap, normalDerivative, closestGap, closestDerivative, D] :
       references) {
    test.require(normalPlace.count(node) && closestPlace.count(node), "the node has a gap") << node;
    const std::size_t p = normalPlace.at(node), q = closestPlace.at(node);
    checkNear(test, normal[p].value, normalGap, 1e-10, "smoothed normal");
    checkNear(test, directional(normal.derivative(p)), normalDerivative, 1e-10,
              "derivative, smoothed normal");
    checkNear(test, normal[p].weight, D, 1e-10, "weight");
    checkNear(test, closest[q].value, closestGap, 1e-10, "closest point");
    checkNear(test, directional(closest.derivative(q)), closestDerivative, 1e-10,
              "derivative, closest point");
  }
  return test;
}

//! How far the simplified derivative is from the exact one, at nodes nearer than 0.5
TestSuite testSimplifiedDerivative(const Scene& scene)
{
  TestSuite test("simplified derivative");
  const auto gaps =
    gapsOf(scene.coupling({.window = GapWindow{-5, 15}}), scene.displacement(2.05, 0.1));
  double diagonal = 0, other = 0;
  for (std::size_t p = 0; p < gaps.size(); ++p) {
    const auto& gap = gaps[p];
    if (std::abs(gap.value / gap.weight) >= 0.5)
      continue;
    double own = 0, largest = 0;
    for (const auto& [node, value] : gaps.derivative(p)) {
      if (node == gap.node) {
        own = value.two_norm();
        diagonal = std::max(diagonal, (value + gap.weight * gap.normal).two_norm() / gap.weight);
      }
      else if (node < scene.disc.nodes.size())
        largest = std::max(largest, value.infinity_norm());
    }
    other = std::max(other, largest / own);
  }
  checkNear(test, diagonal, 0.1335220640150146, 1e-10, "own block");
  checkNear(test, other, 0.03740857241093511, 1e-10, "other nodes of the same side");
  return test;
}

//! Multipliers 1 + cos(k) along the disc, counter-clockwise from the node 2 of the file
Numbers multipliers(const ContactSurface<2>& disc, const WeightedGaps<2>& gaps)
{
  Numbers mu(disc.node.size(), 0);
  std::map<Index, Index> next;
  for (const auto& facet : disc.facets)
    next[facet.node[0]] = facet.node[1];
  Index node = Index(std::find(disc.node.begin(), disc.node.end(), 1) - disc.node.begin());
  for (std::size_t k = 0; k < disc.node.size(); ++k, node = next[node])
    mu[node] = 1 + std::cos(double(k));
  Numbers valid(mu.size(), 0);
  for (std::size_t p = 0; p < gaps.size(); ++p)
    valid[gaps[p].multiplier] = mu[gaps[p].multiplier];
  return valid;
}

//! Forces sum_p mu_p dc_p on all nodes
Numbers forces(const WeightedGaps<2>& gaps, const Numbers& mu, std::size_t size)
{
  Numbers f(size, 0);
  for (std::size_t p = 0; p < gaps.size(); ++p)
    for (const auto& [node, value] : gaps.derivative(p))
      for (int c = 0; c < 2; ++c)
        f[2 * node + c] += mu[gaps[p].multiplier] * value[c];
  return f;
}

Numbers moved(Numbers u, double h)
{
  for (std::size_t k = 0; k < u.size(); ++k)
    u[k] += h * std::sin(0.9 * double(k) + 0.3);
  return u;
}

double largest(const Numbers& x)
{
  double result = 0;
  for (double value : x)
    result = std::max(result, std::abs(value));
  return result;
}

//! Differences (f(h) - f(-h)) / 2h against a derivative, the best of some h, relative
template<class F>
double differenceError(F&& f, const Numbers& derivative)
{
  double best = 1e300;
  for (double h : {1e-3, 1e-4, 1e-5, 1e-6}) {
    const Numbers right = f(h), left = f(-h);
    double error = 0;
    for (std::size_t k = 0; k < right.size(); ++k)
      error = std::max(error, std::abs((right[k] - left[k]) / (2 * h) - derivative[k]));
    best = std::min(best, error / largest(derivative));
  }
  return best;
}

TestSuite testDerivatives(const Scene& scene)
{
  TestSuite test("derivatives");
  const auto coupling = scene.coupling({.cut = CutFacets::drop, .window = GapWindow{-5, 15}});
  const Numbers u = scene.displacement(2.05, 0.1);
  const auto gaps = gapsOf(coupling, u);
  const Numbers mu = multipliers(coupling.surface(), gaps), force = forces(gaps, mu, u.size());
  checkNear(test, largest(force), 15.473244854352698, 1e-10, "largest force");
  Numbers slopes, curvature(u.size(), 0);
  for (std::size_t p = 0; p < gaps.size(); ++p)
    slopes.push_back(directional(gaps.derivative(p)));
  const double first = differenceError(
    [&](double h) {
      const auto at = gapsOf(coupling, moved(u, h));
      Numbers c;
      for (std::size_t p = 0; p < at.size(); ++p)
        c.push_back(at[p].value);
      return c;
    },
    slopes);
  test.check(first < 1e-9, "differences of gaps") << first;
  std::vector<MatrixBlock<2>> blocks;
  coupling.addCurvature(0, u, mu, blocks);
  const Numbers direction = moved(Numbers(u.size(), 0), 1);
  for (const auto& block : blocks)
    for (int c = 0; c < 2; ++c)
      for (int d = 0; d < 2; ++d)
        curvature[2 * block.row + c] += block.value[c][d] * direction[2 * block.column + d];
  const double second = differenceError(
    [&](double h) { return forces(gapsOf(coupling, moved(u, h)), mu, u.size()); }, curvature);
  test.check(second < 1e-9, "differences of forces") << second;
  return test;
}

TestSuite testBounds(const Scene& scene)
{
  TestSuite test("bounds");
  const auto gaps = gapsOf(scene.coupling({.cut = CutFacets::drop, .window = GapWindow{-3, 3}}),
                           scene.displacement(2.15, 0));
  const auto place = byNode(gaps);
  test.check(gaps.size() == bounds.size(), "number of gaps") << gaps.size();
  for (const auto& [node, c, D] : bounds) {
    test.require(place.count(node) == 1, "the node has a gap") << node;
    checkNear(test, gaps[place.at(node)].value, c, 1e-9 * std::abs(c), "gap");
    checkNear(test, gaps[place.at(node)].weight, D, 1e-9 * D, "weight");
  }
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  const Scene scene;
  test.subTest(testWeightedGaps(scene));
  test.subTest(testSimplifiedDerivative(scene));
  test.subTest(testDerivatives(scene));
  test.subTest(testBounds(scene));
  return test.exit();
}
