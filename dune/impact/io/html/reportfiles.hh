// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_IO_HTML_REPORTFILES_HH
#define DUNE_IMPACT_IO_HTML_REPORTFILES_HH

#include <string_view>

/** \file
 * \ingroup impact_io_html
 * \brief The texts of which a report is made; embed.cmake writes them into the library
 */

namespace Dune::Impact::ReportFiles {

  //! report/page.html, with names in @ signs for the others
  extern const std::string_view page;
  extern const std::string_view style;    //!< report/page.css
  extern const std::string_view script;   //!< report/page.js
  extern const std::string_view dygraphs; //!< plots, from the package libjs-dygraphs
  extern const std::string_view dygraphsStyle;
  extern const std::string_view three; //!< three dimensions, from the package libjs-three
  extern const std::string_view orbitControls;

} // namespace Dune::Impact::ReportFiles

#endif
