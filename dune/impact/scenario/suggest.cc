// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dune/impact/scenario/suggest.hh>

namespace Dune::Impact {

  // Dynamic programming over prefixes: d(i,j) is the distance of the first i characters of a
  // and the first j of b,
  //   d(i,j) = min{ d(i-1,j) + 1, d(i,j-1) + 1, d(i-1,j-1) + [a_i != b_j],
  //                 d(i-2,j-2) + 1  if a_i = b_{j-1} and a_{i-1} = b_j }.
  // Three rows are enough.
  std::size_t editDistance(std::string_view a, std::string_view b)
  {
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    std::iota(last.begin(), last.end(), 0);
    for (std::size_t i = 1; i <= a.size(); ++i) {
      row[0] = i;
      for (std::size_t j = 1; j <= b.size(); ++j) {
        row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
          row[j] = std::min(row[j], before[j - 2] + 1);
      }
      before.swap(last);
      last.swap(row);
    }
    return last[b.size()];
  }

  //! The candidate with the fewest edits e <= max(1, n/3), where n is the length of the longer name
  std::string nearestName(std::string_view name, const std::vector<std::string>& candidates)
  {
    constexpr std::size_t longest = 100; // no name is that long, no need to look
    std::string nearest;
    std::size_t fewest = longest;
    for (const auto& candidate : candidates) {
      const auto length = std::max(name.size(), candidate.size());
      if (length < 2 || length > longest)
        continue;
      const auto edits = editDistance(name, candidate);
      if (edits <= std::max<std::size_t>(1, length / 3) && edits < fewest) {
        nearest = candidate;
        fewest = edits;
      }
    }
    return nearest;
  }

  std::string missingPatch(std::string_view lack, const std::string& patch, std::string_view owner,
                           const std::vector<std::string>& names)
  {
    static const std::map<std::string, std::string> sides = {{"left", "xmin"},   {"right", "xmax"},
                                                             {"bottom", "ymin"}, {"top", "ymax"},
                                                             {"back", "zmin"},   {"front", "zmax"}};
    std::string hint = ",";
    if (const auto side = sides.find(patch);
        side != sides.end() && std::find(names.begin(), names.end(), side->second) != names.end())
      hint = fmt::format(", a box has {} instead;", side->second);
    return fmt::format("{} {}{} {} {}", lack, patch, hint, owner,
                       names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")));
  }

  std::string suggestion(std::string_view name, const std::vector<std::string>& candidates)
  {
    const auto nearest = nearestName(name, candidates);
    return nearest.empty() ? "" : ", did you mean `" + nearest + "`?";
  }

} // namespace Dune::Impact
