// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SCENARIO_SUGGEST_HH
#define DUNE_IMPACT_SCENARIO_SUGGEST_HH

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/** \file
 * \ingroup impact_scenario
 * \brief The nearest known name to a mistyped one
 */

namespace Dune::Impact {

  /** \brief Number of edits that lead from one word to another
   *
   * An edit inserts, drops or replaces a character or swaps two neighbours
   * (Damerau-Levenshtein distance in the form of "optimal string alignment").
   */
  std::size_t editDistance(std::string_view a, std::string_view b);

  /** \brief The candidate with the fewest edits, or "" if none is near
   *
   * Near means: at most one edit for every three characters of the longer word, but one is
   * always allowed for words of two characters or more. Of equal candidates the first.
   */
  std::string nearestName(std::string_view name, const std::vector<std::string>& candidates);

  /** \brief The sentence about a patch that a body does not have
   *
   * "block has no patch lid, it has xmin, xmax, ymin, ymax". Sides of generated boxes have other
   * names in many programs (left, right, bottom, top, back, front), which give a hint: "block has
   * no patch top, a box has ymax instead; it has ...".
   * \param lack   "block has no patch"
   * \param patch  the name that was given
   * \param owner  "it has"
   * \param names  of the patches that exist
   */
  std::string missingPatch(std::string_view lack, const std::string& patch, std::string_view owner,
                           const std::vector<std::string>& names);

  //! ", did you mean `x`?" with the nearest candidate, or ""
  std::string suggestion(std::string_view name, const std::vector<std::string>& candidates);

} // namespace Dune::Impact

#endif
