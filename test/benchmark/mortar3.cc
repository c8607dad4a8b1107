// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception Gaps between two wavy
// sheets of n triangles each: CPU time per facet of one evaluation, apart, with one corner near,
// and in contact everywhere, on one thread and on two; seconds on the clock beside. Where
// dune-grid-glue is installed its ContactMerge, which makes the intersections only, runs on the
// same sheets. Wanted for 1e5 facets: at most 0.5 s in contact, 0.05 s in free flight.
//
//     benchmark-mortar3
#include <config.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include <dune/common/parallel/mpihelper.hh>
#if HAVE_DUNE_GRID_GLUE
#include <dune/grid-glue/merging/contactmerge.hh>
#endif

#include <dune/impact/contact/mortar/mortargap.hh>

#include "../contact/mortar/sheets.hh"
#include "clocks.hh"

using namespace Dune::Impact;

namespace {

  using Vector = Sheets::Vector;

  //! The shortest of some runs: CPU time of all threads, and time on the clock
  struct Seconds
  {
    double cpu = 1e300, clock = 1e300;
  };

  template<class F>
  Seconds measure(F&& f)
  {
    Seconds seconds;
    for (int repetition = 0; repetition < 5; ++repetition) {
      const auto start = std::chrono::steady_clock::now();
      const double cpu = processSeconds();
      f();
      seconds.cpu = std::min(seconds.cpu, processSeconds() - cpu);
      seconds.clock =
        std::min(seconds.clock,
                 std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return seconds;
  }

#if HAVE_DUNE_GRID_GLUE
  //! Seconds of ContactMerge for both surfaces at displacements
  double mergeSeconds(const Sheets::Surface& first, const Sheets::Surface& second,
                      const std::vector<double>& u)
  {
    struct Part
    {
      std::vector<Vector> coordinates;
      std::vector<unsigned int> corners;
      std::vector<Dune::GeometryType> types;

      Part(const Sheets::Surface& surface, const std::vector<double>& u)
      {
        for (std::size_t i = 0; i < surface.node.size(); ++i)
          coordinates.push_back(surface.position(i, u));
        for (const auto& facet : surface.facets) {
          for (Index i : facet.corners())
            corners.push_back(i);
          types.push_back(Dune::GeometryTypes::triangle);
        }
      }
    };
    const Part one(first, u), two(second, u);
    double seconds = 1e300;
    for (int repetition = 0; repetition < 2; ++repetition) {
      Dune::GridGlue::ContactMerge<3, double> merge(0.5);
      const auto start = std::chrono::steady_clock::now();
      static_cast<Dune::GridGlue::Merger<double, 2, 2, 3>&>(merge).build(
        one.coordinates, one.corners, one.types, two.coordinates, two.corners, two.types);
      seconds = std::min(
        seconds, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return seconds;
  }
#endif

  void run(int n, Sheets::Kind kind)
  {
    Sheets sheets;
    const int edge = int(std::lround(std::sqrt(n / 2.0)));
    const double size = edge;
    const auto upper = sheets.add(
      edge, edge,
      [&](double s, double t) {
        return Vector{size * s, size * t, 0.3 + 0.1 * std::sin(0.37 * size * s + 0.2 * size * t)};
      },
      false, kind);
    const auto lower = sheets.add(
      edge + 3, edge + 1,
      [&](double s, double t) {
        return Vector{(size + 4) * s - 2, (size + 4) * t - 2, 0.1 * std::cos(0.23 * size * s)};
      },
      true, kind);
    const auto displaced = [&](double height) {
      auto u = sheets.zero();
      for (std::size_t node : upper.node)
        u[3 * node + 2] = height;
      return u;
    };
    auto tilted = displaced(20); // the boxes of the surfaces overlap, those of most facets do not
    for (std::size_t i = 0; i < 3; ++i)
      tilted[3 * upper.node[i] + 2] = 0;
    for (int threads : {1, 2}) {
      const MortarGap<3> coupling(upper, lower, {.threads = threads});
      WeightedGaps<3> gaps;
      const auto evaluate = [&](const std::vector<double>& u) {
        return measure([&] {
          gaps.clear();
          coupling.addGaps(0, u, 0, gaps);
        });
      };
      const Seconds flight = evaluate(displaced(20)), near = evaluate(tilted),
                    contact = evaluate(displaced(0));
      const double facets = double(upper.facets.size());
      std::printf("%8zu %7d %10.1f %13.1f %10.1f %11.4f %9zu\n", upper.facets.size(), threads,
                  1e9 * flight.cpu / facets, 1e9 * near.cpu / facets, 1e9 * contact.cpu / facets,
                  contact.clock, gaps.size());
    }
#if HAVE_DUNE_GRID_GLUE
    if (kind == Sheets::Kind::crossed)
      std::printf("%8zu   ContactMerge %35s %11.4f\n", upper.facets.size(), "",
                  mergeSeconds(upper, lower, sheets.zero()));
#endif
  }

} // namespace

int main(int argc, char** argv)
{
  Dune::MPIHelper::instance(argc, argv);
  std::printf(
    "nanoseconds of CPU time per facet, seconds on the clock\n%8s %7s %10s %13s %10s %11s %9s\n",
    "facets", "threads", "apart", "a corner near", "contact", "contact [s]", "gaps");
  for (int n : {1000, 10000, 100000})
    run(n, Sheets::Kind::crossed);
  std::printf("quadrilaterals\n");
  run(20000, Sheets::Kind::quadrilaterals);
}
