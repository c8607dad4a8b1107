// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_COMMON_COLOURING_HH
#define DUNE_IMPACT_COMMON_COLOURING_HH

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <dune/impact/common/parallel.hh>

/** \file
 * \ingroup impact_common
 * \brief Work that several threads can do in a fixed order
 */

namespace Dune::Impact {

  /** \brief Items in groups, groups in colours: groups of one colour have nothing to do with each
   * other
   *
   * Colours come one after the other, groups of a colour at the same time, items of a group one
   * after the other. Results do not depend on the number of threads, since the groups do not.
   */
  struct ColouredGroups
  {
    std::vector<std::uint32_t> item;            //!< in this order
    std::vector<std::size_t> groupBegin = {0};  //!< places in item, and the end
    std::vector<std::size_t> colourBegin = {0}; //!< groups, and the end

    std::size_t colours() const { return colourBegin.size() - 1; }

    //! Call body(begin, end) for the places of each group; backward: the last colour first
    template<class Body>
    void forEachGroup(int threads, bool backward, Body&& body) const
    {
      for (std::size_t k = 0; k < colours(); ++k) {
        const std::size_t colour = backward ? colours() - 1 - k : k, first = colourBegin[colour];
        parallelFor(
          colourBegin[colour + 1] - first, threads,
          [&](std::size_t g) { body(groupBegin[first + g], groupBegin[first + g + 1]); }, 1);
      }
    }
  };

  //! Neighbours of a node
  using Neighbours = std::function<std::span<const std::uint32_t>(std::size_t)>;

  /** \brief Number of a chunk for each node: connected parts of about the given size
   *
   * Each grows from a node next to the chunk before it, nearest nodes first.
   */
  std::vector<std::uint32_t> growChunks(std::size_t nodes, std::size_t size,
                                        const Neighbours& neighbours);

  /** \brief Colour the groups, and sort items by colour and group; within a group they keep their
   * order
   *
   * \param groupOf per item
   * \param conflicts per group, of groups that must not have its colour
   */
  ColouredGroups colourGroups(const std::vector<std::uint32_t>& groupOf,
                              std::vector<std::vector<std::uint32_t>> conflicts);

} // namespace Dune::Impact

#endif
