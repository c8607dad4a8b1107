// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/impact/common/version.hh>

namespace Dune::Impact {

  std::string version()
  {
    return DUNE_IMPACT_VERSION;
  }

} // namespace Dune::Impact
