// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_IO_HTML_REPORT_HH
#define DUNE_IMPACT_IO_HTML_REPORT_HH

#include <filesystem>

/** \file
 * \ingroup impact_io_html
 * \brief A page with plots and the motion of a run
 */

namespace Dune::Impact {

  /** \brief Make DIR/report.html from the results in DIR
   *
   * The page is one file that needs no network: the numbers of the summary, plots of the history,
   * the scenario, and the motion if there is a film. Long histories are thinned out to the least
   * and largest values of their intervals. Throws InputError if there are no results in the folder,
   * and RunError if the page cannot be written.
   */
  void writeReport(const std::filesystem::path& directory);

} // namespace Dune::Impact

#endif
