// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception One triangle and the
// mortar triangles in front of it: rule, clipping, integrals, derivatives.
#include <config.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/test/checksystem.hh>
#include <dune/impact/common/exceptions.hh>
#include <dune/impact/contact/mortar/trianglekernel.hh>

#include "references.hh"

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Triangles;

using Vector = FieldVector<double, 3>;
using Moments = FacetMoments<3>;
using Facets = std::vector<MortarFacet<3>>;

const std::vector<MortarGapKind> kinds = {MortarGapKind::smoothedNormal,
                                          MortarGapKind::facetNormal};

//! int xi_1^i xi_2^j = i! j! / (i + j + 2)! over the triangle
TestSuite testRule()
{
  TestSuite test("rule");
  for (int i = 0; i <= 3; ++i)
    for (int j = 0; i + j <= 3; ++j) {
      double sum = 0;
      for (const auto& [place, weight] : fourPointRule())
        sum += 0.5 * weight * std::pow(place[1], i) * std::pow(place[2], j);
      const double exact = std::tgamma(i + 1) * std::tgamma(j + 1) / std::tgamma(i + j + 3);
      test.check(std::abs(sum - exact) < 1e-16, "exact to degree 3")
        << i << " " << j << ": " << sum - exact;
    }
  return test;
}

//! Areas of clipped triangles: of all nine corners in the most cases, of none, of coinciding sides
TestSuite testClipping()
{
  TestSuite test("clipping");
  const auto area = [](double x0, double y0, double x1, double y1, double x2, double y2) {
    return ClippedTriangle({Place<double>{x0, y0}, Place<double>{x1, y1}, Place<double>{x2, y2}})
      .doubleArea();
  };
  // corners 0, 2, 1 run counter-clockwise
  test.check(area(0, 0, 0, 1, 1, 0) == 1, "the reference triangle itself");
  test.check(std::abs(area(-1, -1, -1, 5, 5, -1) - 1) < 1e-15, "covered by a larger one");
  test.check(area(2, 2, 2, 3, 3, 2) == 0, "beside");
  test.check(std::abs(area(0.1, 0.1, 0.1, 0.3, 0.3, 0.1) - 0.04) < 1e-16, "inside");
  const ClippedTriangle star(
    {Place<double>{-0.1, 0.45}, Place<double>{0.7, 0.7}, Place<double>{0.45, -0.1}});
  test.check(star.corners().size() == 6, "six corners") << star.corners().size();
  double cut = 0; // of the image: what lies behind the three lines, corner by corner
  for (int k = 0; k < 3; ++k) {
    const auto& P = star.image();
    const int line = k == 0 ? 1 : (k == 1 ? 0 : 2);
    const auto q = crossing(P[k], P[(k + 1) % 3], line), r = crossing(P[k], P[(k + 2) % 3], line);
    cut += std::abs(doubleArea(P[k], q, r));
  }
  test.check(std::abs(star.doubleArea() + cut -
                      std::abs(doubleArea(star.image()[0], star.image()[1], star.image()[2]))) <
               1e-15,
             "area of the star");
  return test;
}

void checkNumbers(TestSuite& test, std::span<const double> values, std::span<const double> expected,
                  double tolerance, const std::string& what)
{
  test.require(values.size() == expected.size(), "as many numbers") << what;
  for (std::size_t i = 0; i < values.size(); ++i)
    test.check(std::abs(values[i] - expected[i]) <= tolerance, what)
      << i << ": " << values[i] << " instead of " << expected[i] << ", difference "
      << values[i] - expected[i];
}

std::vector<double> numbers(std::span<const Vector> row)
{
  std::vector<double> result;
  for (const auto& entry : row)
    result.insert(result.end(), entry.begin(), entry.end());
  return result;
}

std::array<Vector, 3> triangle(const std::vector<Vector>& corners)
{
  return {corners[0], corners[1], corners[2]};
}

//! The polygon may begin at any corner
void checkPolygon(TestSuite& test, std::span<const Corner> corners,
                  const std::vector<double>& expected)
{
  test.require(2 * corners.size() == expected.size(), "as many corners") << corners.size();
  double best = 1;
  for (std::size_t shift = 0; shift < corners.size(); ++shift) {
    double distance = 0;
    for (std::size_t i = 0; i < corners.size(); ++i)
      for (int c = 0; c < 2; ++c)
        distance = std::max(
          distance, std::abs(corners[(i + shift) % corners.size()].xi[c] - expected[2 * i + c]));
    best = std::min(best, distance);
  }
  test.check(best < 1e-14, "corners of the polygon") << best;
}

//! All sides of the mortar triangle are ends of the mortar side: rows are derivatives with moving
//! corners
TestSuite testPair(const References& references, const std::string& name)
{
  TestSuite test(name);
  const NonmortarFacet<3> facet{triangle(references.vectors(name + ".a")),
                                triangle(references.vectors(name + ".n"))};
  const Facets mortar = {{.node = {0, 1, 2},
                          .y = triangle(references.vectors(name + ".b")),
                          .boundary = {true, true, true}}};
  const auto result = FacetKernel<3>({}, {-1, 1}).evaluate(facet, mortar, true);
  const auto& q = result.moments;
  test.require(q.cover == Cover::cut && result.pieces.size() == 1, "a cut facet");
  const auto& piece = result.pieces[0];
  checkPolygon(test, piece.polygon.corners(), references[name + ".polygon"]);
  test.check(std::abs(q.fraction - references[name + ".fraction"][0]) < 1e-14, "covered part")
    << q.fraction;
  std::vector<double> b, D, M, moving, movingD;
  for (int j = 0; j < 3; ++j) {
    b.push_back(q.value[Moments::b(j)]);
    D.push_back(q.value[Moments::D(j)]);
    for (int i = 0; i < 3; ++i)
      M.push_back(q.value[Moments::M(i, j)]);
    for (double x : numbers(q.row(Moments::b(j))))
      moving.push_back(x);
    for (double x : numbers(q.row(Moments::D(j))))
      movingD.push_back(x);
  }
  const auto scale = [](const std::vector<double>& x) {
    return std::abs(*std::max_element(
      x.begin(), x.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }));
  };
  checkNumbers(test, b, references[name + ".gaps"], 1e-12 * scale(b), "int N g");
  checkNumbers(test, D, references[name + ".D"], 1e-12 * scale(D), "int N");
  checkNumbers(test, M, references[name + ".M"], 1e-12 * scale(M), "int N N");
  checkNumbers(test, q.R, references[name + ".R"], 1e-12 * scale(q.R),
               "int N N of the mortar side");
  checkNumbers(test, moving, references[name + ".moving"], 1e-11 * scale(moving),
               "derivative with moving corners");
  checkNumbers(test, movingD, references[name + ".movingD"], 1e-11 * scale(movingD),
               "derivative of the areas");
  return test;
}

Jet<27> frozenMoment(const FacetKernel<3>::Piece& piece, bool smoothed, int k)
{
  std::vector<double> unit(Moments::count, 0);
  unit[k] = 1;
  return functional(variables(piece.nodes), piece.mu, smoothed, unit);
}

Jet<27> movingMoment(const FacetKernel<3>::Piece& piece, bool smoothed, int k)
{
  std::vector<double> unit(Moments::count, 0);
  unit[k] = 1;
  const auto nodes = variables(piece.nodes);
  const std::array<Place<Jet<27>>, 3> image{
    project(nodes.a, nodes.b[0]), project(nodes.a, nodes.b[1]), project(nodes.a, nodes.b[2])};
  std::vector<Place<Jet<27>>> corners;
  for (const Corner& corner : piece.polygon.corners())
    corners.push_back(movingCorner(corner, image));
  return functional(nodes, integrateMonomials<Jet<27>>(corners, piece.polygon.corners()), smoothed,
                    unit);
}

TestSuite testFrozenPair(const References& references, const std::string& name)
{
  TestSuite test(name + ", frozen");
  const NonmortarFacet<3> facet{triangle(references.vectors(name + ".a")),
                                triangle(references.vectors(name + ".n"))};
  const Facets mortar = {{.node = {0, 1, 2},
                          .y = triangle(references.vectors(name + ".b")),
                          .boundary = {true, true, true}}};
  const auto result = FacetKernel<3>({}, {-1, 1}).evaluate(facet, mortar, false);
  std::vector<double> frozen, moving;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 27; ++i) {
      frozen.push_back(frozenMoment(result.pieces[0], true, Moments::b(j)).first[i]);
      moving.push_back(movingMoment(result.pieces[0], true, Moments::b(j)).first[i]);
    }
  checkNumbers(test, frozen, references[name + ".frozen"], 1e-12, "derivative at fixed polygon");
  checkNumbers(test, moving, references[name + ".moving"], 1e-12,
               "derivative with moving corners by jets");
  return test;
}

//! A facet below a bent sheet of triangles, shaken
struct Sheet
{
  NonmortarFacet<3> facet;
  Facets mortar;
  std::vector<Vector> y;

  explicit Sheet(unsigned seed, double right = 1.6)
  {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-0.08, 0.08);
    const auto shaken = [&](double x, double y, double z) {
      return Vector{x + uniform(random), y + uniform(random), z + uniform(random)};
    };
    // outwards is down
    facet = {{shaken(0, 0, 0.2), shaken(0, 1, 0.2), shaken(1, 0, 0.2)},
             {shaken(0, 0, -1), shaken(0, 0, -1), shaken(0, 0, -1)}};
    const int n = 4;
    for (int i = 0; i <= n; ++i)
      for (int j = 0; j <= n; ++j)
        y.push_back(shaken(-0.5 + (right + 0.5) * i / n, -0.5 + 2.1 * j / n, 0));
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) {
        const Index a = i * (n + 1) + j, b = a + n + 1;
        add({a, b, b + 1}, {i + 1 == n, false, j == 0});
        add({a, b + 1, a + 1}, {j + 1 == n, i == 0, false});
      }
  }

  void add(std::array<Index, 3> node, std::array<bool, 3> boundary)
  {
    mortar.push_back(
      {.node = node, .y = {y[node[0]], y[node[1]], y[node[2]]}, .boundary = boundary});
  }
};

//! On a facet that is covered wholly frozen polygons give the derivative; a single one does not
TestSuite testFacetSum()
{
  TestSuite test("facet sum");
  for (auto kind : kinds)
    for (unsigned seed = 0; seed < 10; ++seed) {
      const Sheet sheet(seed);
      const bool smoothed = kind == MortarGapKind::smoothedNormal;
      const auto result =
        FacetKernel<3>({.gap = kind}, {-1, 1}).evaluate(sheet.facet, sheet.mortar, true);
      test.require(result.moments.cover == Cover::full, "covered wholly")
        << result.moments.fraction;
      test.check(result.pieces.size() > 4, "several polygons");
      double single = 0;
      for (int j = 0; j < 3; ++j) {
        std::vector<Vector> sum(result.moments.columns(), Vector(0));
        double value = 0;
        for (const auto& piece : result.pieces) {
          const Jet<27> moving = movingMoment(piece, smoothed, j),
                        frozen = frozenMoment(piece, smoothed, j);
          value += moving.value;
          for (int i = 0; i < 27; ++i) {
            sum[i < 18 ? i / 3 : piece.column[i / 3 - 6]][i % 3] += moving.first[i];
            single = std::max(single, std::abs(moving.first[i] - frozen.first[i]));
          }
        }
        test.check(std::abs(value - result.moments.value[j]) < 1e-15, "value")
          << value - result.moments.value[j];
        checkNumbers(test, numbers(result.moments.row(j)), numbers(sum), 1e-14,
                     "rows are sums of moving derivatives");
      }
      test.check(single > 1e-4, "parts of polygons differ") << single;
    }
  return test;
}

//! Moments of a facet whose nodes are moved by s in a direction
Moments movedMoments(const Sheet& sheet, const MortarSettings& settings, const GapWindow& window,
                     const std::vector<double>& d, double s)
{
  NonmortarFacet<3> facet = sheet.facet;
  Facets mortar = sheet.mortar;
  for (int i = 0; i < 3; ++i)
    for (int c = 0; c < 3; ++c) {
      facet.a[i][c] += s * d[3 * i + c];
      facet.n[i][c] += s * d[9 + 3 * i + c];
      for (auto& triangle : mortar)
        triangle.y[i][c] += s * d[18 + 3 * triangle.node[i] + c];
    }
  return FacetKernel<3>(settings, window).evaluate(facet, mortar, true).moments;
}

//! Derivative of moment k along d, columns by nodes
double along(const Moments& q, int k, const std::vector<double>& d)
{
  double sum = 0;
  for (std::size_t i = 0; i < q.columns(); ++i)
    for (int c = 0; c < 3; ++c)
      sum += q.row(k)[i][c] * d[3 * (i < 6 ? i : 6 + q.mortar[i - 6]) + c];
  return sum;
}

//! Second derivative of moment k along d and e
double curvatureAlong(const FacetKernel<3>& kernel, const Sheet& sheet, int k,
                      const std::vector<double>& d, const std::vector<double>& e)
{
  const auto result = kernel.evaluate(sheet.facet, sheet.mortar, true);
  const auto& q = result.moments;
  std::vector<double> unit(Moments::count, 0);
  unit[k] = 1;
  LocalCurvature<3> curvature(q.columns());
  kernel.addCurvature(sheet.facet, result, unit, curvature);
  double second = 0;
  const auto at = [&](const std::vector<double>& v, std::size_t i, int c) {
    return v[3 * (i < 6 ? i : 6 + q.mortar[i - 6]) + c];
  };
  for (std::size_t i = 0; i < q.columns(); ++i)
    for (std::size_t j = 0; j < q.columns(); ++j)
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
          second += at(d, i, a) * curvature(i, j)[a][b] * at(e, j, b);
  return second;
}

//! Flux through the end of the mortar side, against differences; first and second derivatives
TestSuite testDifferences()
{
  TestSuite test("differences");
  std::mt19937 random(3);
  for (auto kind : kinds)
    for (double right : {1.6, 0.55, 0.3})
      for (unsigned seed = 0; seed < 4; ++seed) {
        const Sheet sheet(seed, right);
        const FacetKernel<3> kernel({.gap = kind}, {-1, 1});
        const auto result = kernel.evaluate(sheet.facet, sheet.mortar, true);
        const auto& q = result.moments;
        test.require(q.cover == (right > 1 ? Cover::full : Cover::cut), "cover")
          << right << " " << q.fraction;
        const auto d = Test::randomNumbers(18 + 3 * sheet.y.size(), 0.01, random),
                   e = Test::randomNumbers(d.size(), 0.01, random);
        for (int k = 0; k < q.moments(); ++k) {
          const Test::Difference slope(
            [&](double s) { return movedMoments(sheet, {.gap = kind}, {-1, 1}, d, s).value[k]; });
          test.check(std::abs(along(q, k, d) - slope.value) < 1e-9 * 0.01 + slope.rounding,
                     "derivative")
            << k << ": " << along(q, k, d) << " instead of " << slope.value;
          const double second = curvatureAlong(kernel, sheet, k, d, e);
          const Test::Difference bend([&](double s) {
            return along(movedMoments(sheet, {.gap = kind}, {-1, 1}, e, s), k, d);
          });
          test.check(std::abs(second - bend.value) < 1e-8 * 1e-4 + bend.rounding,
                     "second derivative")
            << k << ": " << second << " instead of " << bend.value;
        }
      }
  return test;
}

//! Triangles that are missing, and triangles that turn away, against differences
TestSuite testFading()
{
  TestSuite test("fading");
  std::mt19937 random(7);
  for (auto kind : kinds)
    for (bool missing : {false, true})
      for (unsigned seed = 0; seed < 2; ++seed) {
        Sheet sheet(seed);
        for (auto& y : sheet.y)
          // steeper and steeper, up to about 75 degrees
          y[2] -= 0.9 * y[0] * std::abs(y[0]) + 0.3 * y[0];
        for (auto& triangle : sheet.mortar)
          for (int i = 0; i < 3; ++i)
            triangle.y[i] = sheet.y[triangle.node[i]];
        if (missing)
          sheet.mortar.erase(sheet.mortar.begin() + sheet.mortar.size() / 2);
        const MortarSettings settings{.gap = kind, .facing = {.least = 0.3, .whole = 0.95}};
        const GapWindow window{-4, 4};
        const FacetKernel<3> kernel(settings, window);
        const auto q = kernel.evaluate(sheet.facet, sheet.mortar, true).moments;
        test.require(q.cover == Cover::cut, "cover") << q.fraction;
        const auto d = Test::randomNumbers(18 + 3 * sheet.y.size(), 0.01, random),
                   e = Test::randomNumbers(d.size(), 0.01, random);
        for (int k = 0; k < q.moments(); ++k) {
          const Test::Difference slope(
            [&](double s) { return movedMoments(sheet, settings, window, d, s).value[k]; });
          test.check(std::abs(along(q, k, d) - slope.value) < 1e-8 * 0.01 + slope.rounding,
                     "derivative")
            << k << ": " << along(q, k, d) << " instead of " << slope.value;
          if (k % 4 == 0)
            test.check(std::abs(curvatureAlong(kernel, sheet, k, d, e) -
                                Test::Difference([&](double s) {
                                  return along(movedMoments(sheet, settings, window, e, s), k, d);
                                }).value) < 1e-6 * 1e-4,
                       "second derivative")
              << k;
        }
      }
  return test;
}

//! Window, sheets above each other, edges at which the mortar side only turns away
TestSuite testCover()
{
  TestSuite test("cover");
  Sheet sheet(1);
  const auto coverOf = [&](const GapWindow& window) {
    return FacetKernel<3>({}, window).evaluate(sheet.facet, sheet.mortar, false).moments;
  };
  test.check(coverOf({-1, 1}).cover == Cover::full, "full");
  test.check(coverOf({-1, 0.25}).cover == Cover::cut, "partly out of the window");
  test.check(coverOf({-0.01, 0.01}).cover == Cover::none, "out of the window");
  const Facets lower = sheet.mortar;
  for (auto triangle : lower) {
    for (auto& y : triangle.y)
      y[2] -= 0.15;
    for (auto& node : triangle.node)
      node += 100;
    sheet.mortar.insert(sheet.mortar.begin(), triangle);
  }
  const auto doubled = FacetKernel<3>({}, {-1, 1}).evaluate(sheet.facet, sheet.mortar, false);
  test.check(doubled.moments.cover == Cover::full && std::abs(doubled.moments.fraction - 1) < 1e-12,
             "of two sheets the nearer counts")
    << doubled.moments.fraction;
  for (Index node : doubled.moments.mortar)
    test.check(node < 100, "the nearer one");
  sheet.mortar = lower;
  std::erase_if(sheet.mortar, [](const auto& triangle) { return triangle.y[0][0] > 0.3; });
  test.check(coverOf({-1, 1}).cover == Cover::cut, "triangles that are missing, but not at an end");
  auto lying = sheet;
  lying.facet.n[1] = Vector{1, 0, 0.1};
  test.check(FacetKernel<3>({}, {-1, 1}).evaluate(lying.facet, lying.mortar, false).moments.cover ==
               Cover::rejected,
             "a normal that leans over");
  test.check(
    Test::throws<InputError>([] { FacetKernel<3>({.gap = MortarGapKind::closestPoint}, {-1, 1}); }),
    "no closest point");
  test.check(Test::throws<InputError>([] { FacetKernel<3>({.facetPoints = 4}, {-1, 1}); }),
             "no points per facet");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  const References references(std::string(TEST_DATA) + "/mortar-3d.txt");
  test.subTest(testRule());
  test.subTest(testClipping());
  for (const std::string name : {"vertex-inside", "edges-cut"}) {
    test.subTest(testPair(references, name));
    test.subTest(testFrozenPair(references, name));
  }
  test.subTest(testFacetSum());
  test.subTest(testDifferences());
  test.subTest(testFading());
  test.subTest(testCover());
  return test.exit();
}
