// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_IO_MARKUP_HH
#define DUNE_IMPACT_IO_MARKUP_HH

#include <string>
#include <string_view>

/** \file
 * \ingroup impact_io
 * \brief Text in XML and HTML
 */

namespace Dune::Impact {

  //! The text with the characters that mean something in markup replaced; it may stand in an
  //! attribute
  inline std::string markupText(std::string_view text)
  {
    std::string result;
    for (char c : text)
      switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
      }
    return result;
  }

} // namespace Dune::Impact

#endif
