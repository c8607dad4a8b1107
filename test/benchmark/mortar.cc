// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception Gaps between two wavy
// lines of n facets each: CPU time per facet of one evaluation, apart, near but not in touch, and
// in contact everywhere; and of the curvature.
//
//     benchmark-mortar
#include <config.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <dune/common/parallel/mpihelper.hh>

#include <dune/impact/contact/mortar/mortargap.hh>

#include "../contact/mortar/polylines.hh"
#include "clocks.hh"

using namespace Dune::Impact;

namespace {

  //! The shortest of some runs, in nanoseconds per facet
  template<class F>
  double measure(int facets, F&& f)
  {
    double seconds = 1e300;
    for (int repetition = 0; repetition < 5; ++repetition) {
      const double start = processSeconds();
      f();
      seconds = std::min(seconds, processSeconds() - start);
    }
    return 1e9 * seconds / facets;
  }

  void run(int n)
  {
    Polylines lines;
    const double length = n;
    const auto upper = lines.add(n, [&](double s) {
      return Polylines::Vector{length * s, 0.3 + 0.1 * std::sin(0.37 * length * s)};
    });
    const auto lower = lines.add(n + 7, [&](double s) {
      return Polylines::Vector{length + 2 - (length + 4) * s, 0.1 * std::cos(0.23 * length * s)};
    });
    const MortarGap<2> coupling(upper, lower, {});
    const auto displaced = [&](double height) {
      auto u = lines.zero();
      for (std::size_t node : upper.node)
        u[2 * node + 1] = height;
      return u;
    };
    WeightedGaps<2> gaps;
    const auto evaluate = [&](const std::vector<double>& u) {
      return measure(n, [&] {
        gaps.clear();
        coupling.addGaps(0, u, 0, gaps);
      });
    };
    // a flight with one end hanging low: the boxes of the surfaces overlap, those of most facets do
    // not
    auto tilted = displaced(20);
    for (std::size_t i = 0; i < 10; ++i)
      tilted[2 * upper.node[i] + 1] = 0;
    const double flight = evaluate(displaced(20)), near = evaluate(tilted),
                 contact = evaluate(displaced(0));
    const std::vector<double> mu(upper.node.size(), 1);
    std::vector<MatrixBlock<2>> blocks;
    const double curvature = measure(n, [&] {
      blocks.clear();
      coupling.addCurvature(0, displaced(0), mu, blocks);
    });
    std::printf("%7d %12.1f %12.1f %12.1f %12.1f %9zu\n", n, flight, near, contact, curvature,
                gaps.size());
  }

} // namespace

int main(int argc, char** argv)
{
  Dune::MPIHelper::instance(argc, argv);
  std::printf("nanoseconds per facet\n%7s %12s %12s %12s %12s %9s\n", "facets", "apart",
              "one end near", "contact", "curvature", "gaps");
  for (int n : {1000, 10000, 100000})
    run(n);
}
