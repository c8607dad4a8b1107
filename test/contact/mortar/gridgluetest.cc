// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception The covered length and
// the gaps of flat pairs are those of ContactMerge of dune-grid-glue.
#include <config.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>
#include <dune/geometry/quadraturerules.hh>
#include <dune/grid-glue/extractors/codim1extractor.hh>
#include <dune/grid-glue/gridglue.hh>
#include <dune/grid-glue/merging/contactmerge.hh>
#include <dune/grid/uggrid.hh>

#include <dune/impact/contact/mortar/mortargap.hh>

#include "polylines.hh"

using namespace Dune;
using namespace Dune::Impact;

using Vector = FieldVector<double, 2>;
using Strip = UGGrid<2>;
using Extractor = GridGlue::Codim1Extractor<Strip::LeafGridView>;
using Glue = GridGlue::GridGlue<Extractor, Extractor>;

//! A row of quadrilaterals between the line y = 0, cut at the places, and y = height; turned and
//! moved by a map
std::unique_ptr<Strip> makeStrip(const std::vector<double>& places, double height,
                                 const std::function<Vector(const Vector&)>& map)
{
  GridFactory<Strip> factory;
  for (double y : {0.0, height})
    for (double x : places)
      factory.insertVertex(map({x, y}));
  const unsigned n = unsigned(places.size());
  for (unsigned i = 0; i + 1 < n; ++i)
    factory.insertElement(GeometryTypes::quadrilateral, {i, i + 1, n + i, n + i + 1});
  return factory.createGrid();
}

//! The edges whose middle lies on a line
std::shared_ptr<Extractor> extract(const Strip& grid,
                                   const std::function<bool(const Vector&)>& isOnSurface)
{
  const auto predicate = [=](const Strip::Codim<0>::Entity& element, unsigned face) {
    return isOnSurface(element.subEntity<1>(face).geometry().center());
  };
  return std::make_shared<Extractor>(grid.leafGridView(), predicate);
}

std::vector<double> places(double from, double to, int edges, double bend)
{
  std::vector<double> x;
  for (int i = 0; i <= edges; ++i) {
    const double s = double(i) / edges;
    x.push_back(from + (to - from) * (s + bend * s * (1 - s)));
  }
  return x;
}

struct Pair
{
  std::vector<double> upper, lower;
  double distance, angle;

  Vector upperMap(const Vector& x) const { return {x[0], x[1] + distance}; }

  Vector lowerMap(const Vector& x) const
  {
    return {std::cos(angle) * x[0] - std::sin(angle) * x[1],
            std::sin(angle) * x[0] + std::cos(angle) * x[1]};
  }
};

//! Covered length and int psi_p g by the other program; psi of whole edges
struct Merged
{
  double length = 0;
  std::vector<double> gaps;

  explicit Merged(const Pair& pair) : gaps(pair.upper.size(), 0)
  {
    const auto upper = makeStrip(pair.upper, 2, [&](const Vector& x) { return pair.upperMap(x); });
    const auto lower = makeStrip(pair.lower, -2, [&](const Vector& x) { return pair.lowerMap(x); });
    const auto first =
      extract(*upper, [&](const Vector& x) { return std::abs(x[1] - pair.distance) < 1e-9; });
    const auto second = extract(*lower, [&](const Vector& x) {
      return std::abs(std::cos(pair.angle) * x[1] - std::sin(pair.angle) * x[0]) < 1e-9;
    });
    Glue glue(first, second, std::make_shared<GridGlue::ContactMerge<2>>(1.0));
    glue.build();
    for (const auto& piece : intersections(glue))
      add(pair, piece);
  }

  template<class Intersection>
  void add(const Pair& pair, const Intersection& piece)
  {
    length += piece.geometry().volume();
    for (const auto& point : QuadratureRules<double, 1>::rule(GeometryTypes::line, 5)) {
      const Vector x = piece.geometry().global(point.position()),
                   y = piece.geometryOutside().global(point.position());
      const double g = x[1] - y[1],
                   w = point.weight() * piece.geometry().integrationElement(point.position());
      const auto edge =
        std::upper_bound(pair.upper.begin(), pair.upper.end(), x[0]) - pair.upper.begin() - 1;
      const double xi = (x[0] - pair.upper[edge]) / (pair.upper[edge + 1] - pair.upper[edge]);
      gaps[edge] += w * (2 - 3 * xi) * g;
      gaps[edge + 1] += w * (3 * xi - 1) * g;
    }
  }
};

WeightedGaps<2> ours(const Pair& pair)
{
  Polylines lines;
  const auto upper = lines.add(int(pair.upper.size()) - 1, [&](double s) {
    return pair.upperMap({pair.upper[std::lround(s * double(pair.upper.size() - 1))], 0});
  });
  const auto lower = lines.add(int(pair.lower.size()) - 1, [&](double s) {
    return pair.lowerMap({pair.lower[std::lround((1 - s) * double(pair.lower.size() - 1))], 0});
  });
  WeightedGaps<2> gaps;
  MortarGap<2>(upper, lower, {}).addGaps(0, lines.zero(), 0, gaps);
  return gaps;
}

TestSuite compare(const Pair& pair, bool covered)
{
  TestSuite test("pair");
  const Merged merged(pair);
  const auto gaps = ours(pair);
  double length = 0, total = 0, mergedTotal = 0;
  for (std::size_t p = 0; p < gaps.size(); ++p) {
    length += gaps[p].weight;
    total += gaps[p].value;
    if (covered)
      test.check(std::abs(gaps[p].value - merged.gaps[gaps[p].multiplier]) < 1e-12, "weighted gap")
        << p << ": " << gaps[p].value << " " << merged.gaps[gaps[p].multiplier];
  }
  for (double gap : merged.gaps)
    mergedTotal += gap;
  test.check(gaps.size() > 2, "there are gaps");
  test.check(std::abs(length - merged.length) < 1e-12, "covered length")
    << length << " " << merged.length;
  test.check(std::abs(total - mergedTotal) < 1e-12, "sum of the gaps")
    << total << " " << mergedTotal;
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  for (double distance : {0.0, 0.3, -0.1})
    for (double angle : {0.0, 0.02}) {
      test.subTest(
        compare({places(0, 10, 7, 0.2), places(-1, 12, 11, -0.1), distance, angle}, true));
      test.subTest(
        compare({places(0, 10, 7, 0.2), places(-1, 6.3, 9, 0.3), distance, angle}, false));
    }
  return test.exit();
}
