// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
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

  //! The smallest number behind a mark in the lines of a command's output that hold a word; 0
  //! without one. It runs in a folder of its own
  inline double runProgram(const std::string& command, const std::string& word,
                           const std::string& mark)
  {
    FILE* pipe = popen(("set -e; d=$(mktemp -d); cd $d; " + command + "; rm -r $d").c_str(), "r");
    double least = 0;
    char text[1000];
    while (pipe && std::fgets(text, sizeof text, pipe)) {
      const std::string line = text;
      const auto place = line.find(mark);
      if (line.find(word) == std::string::npos || place == std::string::npos)
        continue;
      const double value = std::atof(line.c_str() + place + mark.size());
      least = least == 0 ? value : std::min(least, value);
    }
    if (pipe)
      pclose(pipe);
    return least;
  }

  //! CPU seconds of the constrained solve of tnnmg.cc in a folder for a cube of N cells per edge,
  //! or 0
  inline double runYardstick(const std::string& folder, int N)
  {
    const std::string size = std::to_string(N);
    return runProgram("for p in gen tnnmg; do g++ -O3 -march=native -o $p " + folder +
                        "/$p.cc; done; ./gen " + size + " q.bin >/dev/null; ./tnnmg q.bin " + size,
                      "", "cpu=");
  }

} // namespace Dune::Impact

#endif
