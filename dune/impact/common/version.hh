// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_COMMON_VERSION_HH
#define DUNE_IMPACT_COMMON_VERSION_HH

#include <string>

/** \file
 * \ingroup impact_common
 * \brief Version of the library
 */

namespace Dune::Impact {

  //! Version of the library, for example 0.1
  std::string version();

} // namespace Dune::Impact

#endif
