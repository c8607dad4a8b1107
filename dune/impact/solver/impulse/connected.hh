// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_IMPULSE_CONNECTED_HH
#define DUNE_IMPACT_SOLVER_IMPULSE_CONNECTED_HH

#include <algorithm>
#include <cstddef>
#include <vector>

/** \file
 * \ingroup impact_solver_impulse
 * \brief Which numbers are connected by pairs
 */

namespace Dune::Impact {

  /** \brief Label the components of a graph on 0, ..., size - 1
   *
   * Union-find: while it runs labels[i] <= i is a number of the same component, and roots have
   * labels[i] == i.
   *
   * \param pairs   called with a function of two numbers, which it calls for all pairs that are
   * connected
   * \param labels  resized; 0, 1, ... in the order of the smallest number of each component
   * \return        the number of components
   */
  template<class Pairs>
  std::size_t labelComponents(std::size_t size, Pairs&& pairs, std::vector<std::size_t>& labels)
  {
    labels.resize(size);
    const auto root = [&](std::size_t i) {
      while (labels[i] != i)
        i = labels[i] = labels[labels[i]];
      return i;
    };

    for (std::size_t i = 0; i < size; ++i)
      labels[i] = i;
    pairs([&](std::size_t i, std::size_t j) {
      const auto [low, high] = std::minmax({root(i), root(j)});
      labels[high] = low;
    });

    for (std::size_t i = 0; i < size; ++i)
      labels[i] = labels[labels[i]];
    std::size_t count = 0;
    for (std::size_t i = 0; i < size; ++i)
      labels[i] = labels[i] == i ? count++ : labels[labels[i]];
    return count;
  }

} // namespace Dune::Impact

#endif
