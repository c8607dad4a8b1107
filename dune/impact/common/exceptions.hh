// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_COMMON_EXCEPTIONS_HH
#define DUNE_IMPACT_COMMON_EXCEPTIONS_HH

#include <stdexcept>
#include <string>

/** \file
 * \ingroup impact_common
 * \brief The two ways in which a run can end early
 *
 * Errors of the programmer are assertions; errors of the user and of the data are these
 * exceptions, thrown in every build type. Their text is one sentence for the user and is
 * printed as it is, so they derive from std::runtime_error and not from Dune::Exception,
 * which would add the place in the source.
 */

namespace Dune::Impact {

  //! The input is wrong: exit status 2, nothing was written
  struct InputError : std::runtime_error
  {
    using std::runtime_error::runtime_error;
  };

  //! The run cannot go on: exit status 1, the results up to the last accepted step are kept
  struct RunError : std::runtime_error
  {
    using std::runtime_error::runtime_error;
  };

} // namespace Dune::Impact

#endif
