// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iostream>
#include <limits>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/bar.hh>
#include <dune/impact/body/system.hh>
#include <dune/impact/contact/impulse/pointcontact.hh>
#include <dune/impact/timestep/explicit/cdlagrange.hh>
#include <dune/impact/timestep/explicit/moreaujean.hh>

/** \file
 * \brief Orders of convergence of a bar that hits a rigid wall
 *
 * Usage: convergencetest [FILE], where FILE receives the table of errors as CSV.
 *
 * The contact end moves with v0, rests from t_c = d/v0 to t_r = t_c + 2L/c and then moves with
 * -v0. Velocities of discontinuous solutions are compared as graphs with filled jumps: an impact
 * that comes a step too late is then a small error, as it should be. The distance of two graphs
 * is their two-sided Hausdorff distance in the axes t/2e-4, v/5 and u/4e-4.
 *
 * What to expect: after the release the velocities of schemes without dissipation overshoot by a
 * height that does not shrink with the mesh, so that their graphs do not converge (order 0),
 * while they do in L1 and before the release. The implicit scheme with theta = 1 damps the
 * overshoot and pays with half the order of the displacement.
 */

using namespace Dune;
using namespace Dune::Impact;

namespace {

  // The bar, and the axes in which graphs are compared
  constexpr double young = 2.1e11, density = 7847, length = 0.254, area = 0.645e-3, speed = 5,
                   distance = 0.2e-3;
  constexpr double timeAxis = 2e-4, velocityAxis = 5, displacementAxis = 4e-4;
  constexpr double cloudSpacing = 2e-4, courant = 0.8, endOfWindow = 1.9e-4;
  const double waveSpeed = std::sqrt(young / density);
  const double exactForce = young * area * speed / waveSpeed,
               exactImpulse = 2 * density * area * length * speed;

  struct Point
  {
    double x, y;
  };
  using Polyline = std::vector<Point>;

  //! Points of a polyline at a distance of at most `cloudSpacing`
  Polyline cloud(const Polyline& line)
  {
    Polyline points{line.front()};
    for (std::size_t i = 1; i < line.size(); ++i) {
      const Point a = line[i - 1], b = line[i];
      const int pieces =
        std::max(1, int(std::ceil(std::hypot(b.x - a.x, b.y - a.y) / cloudSpacing)));
      for (int j = 1; j <= pieces; ++j)
        points.push_back({a.x + (b.x - a.x) * j / pieces, a.y + (b.y - a.y) * j / pieces});
    }
    return points;
  }

  /** \brief Points sorted into square cells, for nearest-point queries
   *
   * A query visits rings of cells around its own cell; points in rings farther than r are at a
   * distance of at least r cells.
   */
  class CellGrid
  {
  public:
    explicit CellGrid(const Polyline& points) : low_(points.front())
    {
      Point high = low_;
      for (const Point& p : points) {
        low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
      }
      columns_ = 1 + index(high.x - low_.x);
      rows_ = 1 + index(high.y - low_.y);
      begin_.assign(columns_ * rows_ + 1, 0);
      for (const Point& p : points)
        ++begin_[cell(p) + 1];
      for (std::size_t i = 1; i < begin_.size(); ++i)
        begin_[i] += begin_[i - 1];
      points_.resize(points.size());
      std::vector<std::size_t> next = begin_;
      for (const Point& p : points)
        points_[next[cell(p)]++] = p;
    }

    //! Distance to the nearest point, or any number not above `enough` if a point is so near
    double nearest(const Point& p, double enough) const
    {
      const long column = index(p.x - low_.x), row = index(p.y - low_.y);
      double best = std::numeric_limits<double>::infinity(); // squared
      for (long ring = 0; best > enough * enough && (ring < 1 || best > square((ring - 1) * size));
           ++ring) {
        visitRow(row - ring, column - ring, column + ring, p, best);
        if (ring > 0)
          visitRow(row + ring, column - ring, column + ring, p, best);
        for (long r = row - ring + 1; r < row + ring; ++r) {
          visitRow(r, column - ring, column - ring, p, best);
          visitRow(r, column + ring, column + ring, p, best);
        }
      }
      return std::sqrt(best);
    }

  private:
    static constexpr double size = 16 * cloudSpacing;

    static double square(double x) { return x * x; }
    static long index(double x) { return long(std::floor(x / size)); }
    std::size_t cell(const Point& p) const
    {
      return index(p.y - low_.y) * columns_ + index(p.x - low_.x);
    }

    //! All cells of a row between two columns; those outside the grid are empty
    void visitRow(long row, long first, long last, const Point& p, double& best) const
    {
      first = std::max(first, 0l);
      last = std::min(last, columns_ - 1);
      if (row < 0 || row >= rows_ || first > last)
        return;
      for (std::size_t i = begin_[row * columns_ + first]; i < begin_[row * columns_ + last + 1];
           ++i)
        best = std::min(best, square(points_[i].x - p.x) + square(points_[i].y - p.y));
    }

    Point low_;
    long columns_, rows_;
    std::vector<std::size_t> begin_; //!< first point of each cell
    Polyline points_;
  };

  //! Largest distance of a point of a from b; a coarse pass first makes most queries of the second
  //! short
  double oneSided(const Polyline& a, const CellGrid& b)
  {
    double largest = 0;
    for (std::size_t stride : {61, 1})
      for (std::size_t i = 0; i < a.size(); i += stride)
        largest = std::max(largest, b.nearest(a[i], largest));
    return largest;
  }

  double hausdorff(const Polyline& a, const Polyline& b)
  {
    const Polyline p = cloud(a), q = cloud(b);
    return std::max(oneSided(p, CellGrid(q)), oneSided(q, CellGrid(p)));
  }

  //! The part of a polyline with increasing x up to a bound
  Polyline clip(const Polyline& line, double bound)
  {
    Polyline result;
    for (const Point& p : line) {
      if (p.x > bound) {
        const Point a = result.back();
        result.push_back({bound, a.y + (p.y - a.y) * (bound - a.x) / (p.x - a.x)});
        break;
      }
      result.push_back(p);
    }
    return result;
  }

  //! What the contact end does, in normalised axes
  struct EndMotion
  {
    Polyline velocity; //!< with filled jumps
    Polyline displacement;
    Polyline impulse; //!< time in seconds and impulse after the kick at that time
  };

  struct Exact
  {
    double contact, release;

    explicit Exact(double gap) : contact(gap / speed), release(contact + 2 * length / waveSpeed) {}

    double velocity(double t) const { return t < contact ? speed : t < release ? 0 : -speed; }
    double impulse(double t) const
    {
      return exactForce * (std::clamp(t, contact, release) - contact);
    }

    EndMotion motion() const
    {
      const double c = contact / timeAxis, r = release / timeAxis, top = speed / velocityAxis;
      const double u = speed * contact / displacementAxis,
                   slope = speed * timeAxis / displacementAxis;
      return {{{0, top}, {c, top}, {c, 0}, {r, 0}, {r, -top}, {2, -top}},
              {{0, 0}, {c, u}, {r, u}, {2, u - slope * (2 - r)}},
              {}};
    }
  };

  enum class Scheme { cdLagrange, moreauHalf, moreauOne };

  std::unique_ptr<Stepper> makeStepper(Scheme scheme, const System& system,
                                       const std::vector<Contact>& contacts, double step)
  {
    const double gapTolerance = 1e-12;
    if (scheme == Scheme::cdLagrange)
      return std::make_unique<CDLagrange>(
        system, contacts, 1, CDLagrange::Settings{.step = step, .gapTolerance = gapTolerance});
    // the problem is linear and Newton's first iteration exact; the tolerance allows for a bar that
    // is almost at rest
    return std::make_unique<MoreauJean>(
      system, contacts, 1,
      MoreauJean::Settings{.step = step,
                           .theta = scheme == Scheme::moreauHalf ? 0.5 : 1,
                           .gapTolerance = gapTolerance,
                           .tolerance = 1e-9});
  }

  /* Run the bar and note what its right end does. A velocity of an interval is constant in it;
   * a velocity of an instant is taken to hold from half a step before to half a step after it. */
  EndMotion simulate(Scheme scheme, std::size_t elements, double step, double gap)
  {
    System system;
    system.add(std::make_unique<Bar>(Bar::Settings{.name = "bar",
                                                   .length = length,
                                                   .elements = elements,
                                                   .area = area,
                                                   .young = young,
                                                   .density = density,
                                                   .motion = {.velocity = {speed, 0, 0}}}));
    std::vector<Contact> contacts;
    contacts.push_back(
      {"wall", std::make_unique<PointObstacle>(
                 std::vector{system.point(0, elements)},
                 std::make_shared<Plane>("wall", Vec3{length + gap, 0, 0}, Vec3{-1, 0, 0}))});
    const auto stepper = makeStepper(scheme, system, contacts, step);

    StepReport report;
    State state = stepper->start(system.initialState(), report), next;
    EndMotion motion;
    motion.displacement.push_back({0, 0});
    const double shift = stepper->staggered() ? 0 : 0.5 * step;
    const auto addVelocity = [&](double begin, double end, double v) {
      motion.velocity.push_back({begin / timeAxis, v / velocityAxis});
      motion.velocity.push_back({end / timeAxis, v / velocityAxis});
    };
    addVelocity(0, shift, speed);
    std::vector<double> v(system.velocitySize());
    double impulse = 0;
    while (state.time < endOfWindow) {
      stepper->step(state, next, report);
      const RecordedMomenta recordedMomenta = stepper->recordedMomenta(state, next);
      system.velocity(recordedMomenta.q, recordedMomenta.p, v);
      addVelocity(state.time + shift, next.time + shift, v.back());
      motion.displacement.push_back({next.time / timeAxis, next.q.back() / displacementAxis});
      impulse += report.pairImpulse[0];
      motion.impulse.push_back({next.time, impulse});
      std::swap(state, next);
    }
    return motion;
  }

  //! Mean of |v - v_exact| over the window, in units of the axis
  double l1Error(const Polyline& velocity, const Exact& exact)
  {
    double sum = 0;
    for (std::size_t i = 0; i + 1 < velocity.size(); i += 2) {
      // the exact velocity is constant between these instants
      std::array<double, 4> t = {velocity[i].x * timeAxis, exact.contact, exact.release,
                                 std::min(velocity[i + 1].x * timeAxis, endOfWindow)};
      if (t[0] >= t[3])
        continue; // beyond the window
      t[1] = std::clamp(t[1], t[0], t[3]);
      t[2] = std::clamp(t[2], t[0], t[3]);
      for (int j = 0; j < 3; ++j)
        sum += (t[j + 1] - t[j]) *
               std::abs(velocity[i].y - exact.velocity(0.5 * (t[j] + t[j + 1])) / velocityAxis);
    }
    return sum / timeAxis;
  }

  double impulseError(const Polyline& impulse, const Exact& exact)
  {
    double largest = 0;
    for (const auto& [t, value] : impulse)
      largest = std::max(largest, std::abs(value - exact.impulse(t)));
    return largest / exactImpulse;
  }

  constexpr std::size_t measures = 5;
  constexpr std::array<const char*, measures> measureNames = {
    "velocity_graph_pre", "velocity_graph_all", "displacement_graph_all", "velocity_l1",
    "impulse_sup"};
  using Errors = std::array<double, measures>;

  //! Errors of one mesh: means over four shifts of the impact within a step, whose phase would else
  //! dominate
  Errors errors(Scheme scheme, std::size_t elements)
  {
    const double step = courant * length / double(elements) / waveSpeed;
    const int shifts = 4;
    Errors mean{};
    for (int j = 0; j < shifts; ++j) {
      const double gap = distance + speed * step * (j + 0.37) / shifts;
      const Exact exact(gap);
      const EndMotion a = simulate(scheme, elements, step, gap), b = exact.motion();
      const double pre = (exact.contact + 1.9 * length / waveSpeed) / timeAxis,
                   all = endOfWindow / timeAxis;
      const Errors one = {hausdorff(clip(a.velocity, pre), clip(b.velocity, pre)),
                          hausdorff(clip(a.velocity, all), clip(b.velocity, all)),
                          hausdorff(clip(a.displacement, all), clip(b.displacement, all)),
                          l1Error(a.velocity, exact), impulseError(a.impulse, exact)};
      for (std::size_t m = 0; m < measures; ++m)
        mean[m] += one[m] / shifts;
    }
    return mean;
  }

  const std::vector<std::size_t> meshes = {25, 50, 100, 200, 400};

  //! Least-squares slope of -log(error) over log(elements)
  double order(const std::vector<Errors>& table, std::size_t measure)
  {
    double x = 0, y = 0, xx = 0, xy = 0;
    const double n = double(meshes.size());
    for (std::size_t i = 0; i < meshes.size(); ++i) {
      const double a = std::log(double(meshes[i])), b = -std::log(table[i][measure]);
      x += a;
      y += b;
      xx += a * a;
      xy += a * b;
    }
    return (n * xy - x * y) / (n * xx - x * x);
  }

  struct Case
  {
    Scheme scheme;
    const char* name;
    Errors orders;       //!< expected
    double displacement; //!< expected error of the displacement graph on the finest mesh
  };

  // Measured with an independent implementation of both schemes
  const std::vector<Case> cases = {
    {Scheme::cdLagrange, "cd-lagrange", {1.053, -0.082, 0.884, 0.477, 0.697}, 3.4e-3},
    {Scheme::moreauHalf, "moreau-jean-0.5", {1.031, -0.012, 0.829, 0.434, 0.701}, 5.3e-3},
    {Scheme::moreauOne, "moreau-jean-1", {1.021, 0.435, 0.541, 0.566, 0.503}, 0}};

} // namespace

//! The fast Hausdorff distance against all pairs, and against a distance known in closed form
TestSuite testHausdorff()
{
  TestSuite test("Hausdorff distance");
  Polyline a, b;
  for (int i = 0; i <= 20; ++i) {
    a.push_back({0.004 * i, 0.02 * std::sin(0.7 * i)});
    b.push_back({0.0041 * i, 0.03 * std::cos(1.1 * i) + (i == 13 ? 0.05 : 0)});
  }
  double largest = 0;
  for (const auto& [p, q] : {std::pair(cloud(a), cloud(b)), std::pair(cloud(b), cloud(a))})
    for (const Point& x : p) {
      double nearest = std::numeric_limits<double>::infinity();
      for (const Point& y : q)
        nearest = std::min(nearest, std::hypot(x.x - y.x, x.y - y.y));
      largest = std::max(largest, nearest);
    }
  test.check(std::abs(hausdorff(a, b) - largest) < 1e-15, "agrees with all pairs")
    << hausdorff(a, b) << " instead of " << largest;
  test.check(hausdorff(a, a) == 0, "zero for equal graphs");

  // a jump that comes 0.03 late is 0.03 away, one that overshoots by 0.4 is 0.4 away
  const Polyline jump = {{0, 0}, {0.5, 0}, {0.5, 1}, {1, 1}},
                 late = {{0, 0}, {0.53, 0}, {0.53, 1}, {1, 1}};
  const Polyline over = {{0, 0}, {0.5, 0}, {0.5, 1.4}, {0.5, 1}, {1, 1}};
  test.check(std::abs(hausdorff(jump, late) - 0.03) < cloudSpacing, "late jump")
    << hausdorff(jump, late);
  test.check(std::abs(hausdorff(jump, over) - 0.4) < cloudSpacing, "overshoot")
    << hausdorff(jump, over);
  return test;
}

TestSuite testOrders(const Case& c, std::ostream& csv)
{
  TestSuite test(c.name);
  std::vector<Errors> table;
  for (std::size_t n : meshes) {
    table.push_back(errors(c.scheme, n));
    csv << c.name << ',' << n;
    for (double error : table.back())
      csv << fmt::format(",{:.6e}", error);
    csv << '\n';
  }
  for (std::size_t m = 0; m < measures; ++m) {
    const double measured = order(table, m);
    std::cout << fmt::format("{:16} {:24} order {:6.3f}, expected {:6.3f}; errors", c.name,
                             measureNames[m], measured, c.orders[m]);
    for (const Errors& e : table)
      std::cout << fmt::format(" {:.3e}", e[m]);
    std::cout << '\n';
    test.check(std::abs(measured - c.orders[m]) <= 0.05, std::string("order of ") + measureNames[m])
      << measured << " instead of " << c.orders[m];
  }
  if (c.displacement > 0)
    test.check(std::abs(table.back()[2] / c.displacement - 1) < 0.1,
               "size of the displacement error")
      << table.back()[2] << " instead of " << c.displacement;
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  std::ofstream csv;
  if (argc > 1) {
    csv.open(argv[1]);
    test.require(bool(csv), "the table of errors can be written") << argv[1];
  }
  csv << "scheme,elements";
  for (const char* name : measureNames)
    csv << ',' << name;
  csv << '\n';
  test.subTest(testHausdorff());
  for (const Case& c : cases)
    test.subTest(testOrders(c, csv));
  if (argc > 1)
    test.check(bool(csv.flush()), "the table of errors was written") << argv[1];
  return test.exit();
}
