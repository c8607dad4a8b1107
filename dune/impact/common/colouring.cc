// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <limits>

#include <dune/impact/common/colouring.hh>

namespace Dune::Impact {

  /* Breadth-first search from a start node until the chunk is full. Unvisited neighbours of its
   * last nodes are the rim; the next chunk starts from there, so that chunks leave few scattered
   * nodes. */
  std::vector<std::uint32_t> growChunks(std::size_t nodes, std::size_t size,
                                        const Neighbours& neighbours)
  {
    constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> chunk(nodes, none), queue, rim;
    std::uint32_t number = 0;
    for (std::size_t first = 0; first < nodes; ++number) {
      // a node that the last chunk has left over, or the next one
      while (!rim.empty() && chunk[rim.back()] != none)
        rim.pop_back();
      while (first < nodes && chunk[first] != none)
        ++first;
      if (first == nodes)
        break;
      queue.assign(1, rim.empty() ? std::uint32_t(first) : rim.back());
      chunk[queue[0]] = number;
      std::size_t taken = 0;
      for (; taken < queue.size() && queue.size() < size; ++taken)
        for (const std::uint32_t j : neighbours(queue[taken]))
          if (chunk[j] == none && queue.size() < size) {
            chunk[j] = number;
            queue.push_back(j);
          }
      for (std::size_t k = taken > 0 ? taken - 1 : 0; k < queue.size(); ++k)
        for (const std::uint32_t j : neighbours(queue[k]))
          if (chunk[j] == none)
            rim.push_back(j);
    }
    return chunk;
  }

  //! Greedy colouring: a group gets the colour with the fewest groups among the colours that no
  //! conflicting group has, or a new one. Colours of similar size keep all threads busy.
  ColouredGroups colourGroups(const std::vector<std::uint32_t>& groupOf,
                              std::vector<std::vector<std::uint32_t>> conflicts)
  {
    constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    const std::size_t groups = conflicts.size();
    std::vector<std::uint32_t> colour(groups, none);
    std::vector<std::size_t> members; // per colour
    std::vector<std::size_t> forbidden;
    for (std::size_t g = 0; g < groups; ++g) {
      for (const std::uint32_t other : conflicts[g])
        if (colour[other] != none && other != g)
          forbidden[colour[other]] = g + 1;
      std::size_t best = members.size(); // the smallest colour that is free
      for (std::size_t c = 0; c < members.size(); ++c)
        if (forbidden[c] != g + 1 && (best == members.size() || members[c] < members[best]))
          best = c;
      if (best == members.size()) {
        members.push_back(0);
        forbidden.push_back(0);
      }
      ++members[best];
      colour[g] = std::uint32_t(best);
    }
    std::vector<std::uint32_t> order(groups);
    for (std::size_t g = 0; g < groups; ++g)
      order[g] = std::uint32_t(g);
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return colour[a] < colour[b]; });

    ColouredGroups result;
    std::vector<std::size_t> place(groups), size(groups, 0);
    for (const std::uint32_t g : groupOf)
      ++size[g];
    for (std::size_t k = 0; k < groups; ++k) {
      place[order[k]] = result.groupBegin.back();
      result.groupBegin.push_back(result.groupBegin.back() + size[order[k]]);
      if (k + 1 == groups || colour[order[k + 1]] != colour[order[k]])
        result.colourBegin.push_back(k + 1);
    }
    result.item.resize(groupOf.size());
    for (std::size_t i = 0; i < groupOf.size(); ++i)
      result.item[place[groupOf[i]]++] = std::uint32_t(i);
    return result;
  }

} // namespace Dune::Impact
