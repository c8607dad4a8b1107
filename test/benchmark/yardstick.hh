// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TEST_BENCHMARK_YARDSTICK_HH
#define DUNE_IMPACT_TEST_BENCHMARK_YARDSTICK_HH

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

/** \file
 * \brief Another program beside ours
 */

namespace Dune::Impact {

  //! CPU seconds of the constrained solve of tnnmg.cc in a directory for a cube of N cells per edge, or 0
  inline double runYardstick(const std::string& directory, int N)
  {
    const std::string size = std::to_string(N);
    const std::string command = "set -e; d=$(mktemp -d); cd $d; for p in gen tnnmg; do g++ -O3 -march=native -o $p "
                                + directory + "/$p.cc; done; ./gen " + size + " q.bin >/dev/null; ./tnnmg q.bin "
                                + size + "; rm -r $d";
    FILE* pipe = popen(command.c_str(), "r");
    double seconds = 0;
    char line[1000];
    while (pipe && std::fgets(line, sizeof line, pipe))
      if (const auto place = std::string(line).find("cpu="); place != std::string::npos) {
        const double value = std::atof(line + place + 4);
        seconds = seconds == 0 ? value : std::min(seconds, value);
      }
    if (pipe)
      pclose(pipe);
    return seconds;
  }

} // namespace Dune::Impact

#endif
