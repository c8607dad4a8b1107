// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <array>
#include <cmath>
#include <random>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/geometry/closestpoint.hh>

/* Closest points of segments and facets against the smallest distance of a fine raster of points:
 * the raster is never nearer, and at most by the square of its width farther. */

using namespace Dune;
using namespace Dune::Impact;

namespace {

  constexpr int raster = 400;
  constexpr double rounding = 1e-12; // lengths are about 1

  using Corners = std::array<Vec3, 4>;

  Vec3 along(const Vec3& a, const Vec3& b, double s)
  {
    Vec3 x = a;
    x.axpy(s, b - a);
    return x;
  }

  Vec3 point(const Corners& y, int count, double u, double v)
  {
    const auto N = facetShape<4>(count, u, v);
    Vec3 x(0);
    for (int k = 0; k < count; ++k)
      x.axpy(N[k], y[k]);
    return x;
  }

  //! Distance of two segments: all points of the first one, each with its closest point of the
  //! second one
  double rasterDistance(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
  {
    double smallest = 1e300;
    for (int i = 0; i <= raster; ++i) {
      const Vec3 x = along(a, b, double(i) / raster);
      smallest = std::min(smallest, (x - along(c, d, closestOnSegment(x, c, d))).two_norm());
    }
    return smallest;
  }

  double rasterDistance(const Vec3& x, const Corners& y, int count)
  {
    double smallest = 1e300;
    for (int i = 0; i <= raster; ++i)
      for (int j = 0; j <= (count == 3 ? raster - i : raster); ++j)
        smallest = std::min(
          smallest, (x - point(y, count, double(i) / raster, double(j) / raster)).two_norm());
    return smallest;
  }

  //! The raster is at most this much farther: a step along the surface, of which only the part
  //! towards the point counts
  double rasterError(double distance)
  {
    const double width = 4.0 / raster;
    return std::min(width, width * width / std::max(distance, width));
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto vector = [&] { return Vec3{uniform(random), uniform(random), uniform(random)}; };

  int crossings = 0;
  for (int i = 0; i < 1000; ++i) {
    const Vec3 a = vector(), b = vector(), c = vector(), d = vector();
    const double distance = segmentsDistance(a, b, c, d), near = rasterDistance(a, b, c, d);
    test.check(distance <= near + rounding && distance >= near - rasterError(distance),
               "segments: the distance is the smallest one")
      << distance << " not " << near;
    test.check(std::abs(segmentsDistance(d, c, a, b) - distance) <= rounding,
               "segments: the order does not matter");
    if (const auto feet = commonPerpendicular(Vec3(b - a), Vec3(d - c), Vec3(c - a), 1e-12)) {
      ++crossings;
      const Vec3 way = along(c, d, feet->t) - along(a, b, feet->s);
      test.check(std::abs(way * (b - a)) <= rounding && std::abs(way * (d - c)) <= rounding,
                 "the common perpendicular is perpendicular to both");
      test.check(std::abs(std::sqrt(feet->square) - cross(b - a, d - c).two_norm()) <= rounding,
                 "and has the length of the product of both");
      test.check(std::abs(way.two_norm() - distance) <= rounding,
                 "segments that cross are nearest there");
    }
  }
  test.check(crossings > 50 && crossings < 950, "some of the segments cross") << crossings;

  const Vec3 e = {1, 0, 0}, up = {0, 0, 0.5};
  test.check(std::abs(segmentsDistance(Vec3(0), e, up, Vec3(e + up)) - 0.5) <= rounding,
             "parallel segments");
  test.check(std::abs(segmentsDistance(Vec3(0), e, Vec3(3 * e), Vec3(2 * e)) - 1) <= rounding,
             "segments on a line");
  test.check(!commonPerpendicular(e, Vec3{1, 1e-4, 0}, up, 1e-6),
             "nearly parallel segments have no common perpendicular");

  for (int i = 0; i < 60; ++i)
    for (const int count : {3, 4}) {
      Corners y = {vector(), vector(), vector(), Vec3(0)};
      y[3] = y[0] + y[2] - y[1] + 0.2 * vector(); // not flat
      const Vec3 x = 2.0 * vector();
      const auto [u, v] = closestOnFacet(x, y, count);
      test.check(u >= 0 && v >= 0 && (count == 3 ? u + v <= 1 + rounding : u <= 1 && v <= 1),
                 "facets: the closest point lies within")
        << u << ' ' << v;
      const double distance = (x - point(y, count, u, v)).two_norm(),
                   near = rasterDistance(x, y, count);
      if (count == 3)
        test.check(distance <= near + rounding && distance >= near - rasterError(distance),
                   "triangles: the distance is the smallest one")
          << distance << " not " << near;
      // far from a facet that is not flat a perpendicular need not be the shortest way; near it is
      else {
        const Vec3 n = facetNormal(y, 4, 0.4, 0.3), foot = point(y, 4, 0.4, 0.3);
        const auto [s, t] = closestOnFacet(foot + 0.01 * n, y, 4);
        test.check(std::abs(s - 0.4) <= 1e-8 && std::abs(t - 0.3) <= 1e-8,
                   "quadrilaterals: the foot of a short perpendicular is found")
          << s << ' ' << t;
      }
    }
  return test.exit();
}
