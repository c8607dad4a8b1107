// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_COMMON_SOLVEREPORT_HH
#define DUNE_IMPACT_COMMON_SOLVEREPORT_HH

/** \file
 * \ingroup impact_common
 * \brief What an iteration has to say about itself
 */

namespace Dune::Impact {

  //! Outcome of anything iterative
  struct SolveReport
  {
    int iterations = 0;
    double residual = 0; //!< in units of the problem's own scale
    bool converged = true;
    int cycles = 0; //!< multigrid cycles or factor solves, if the method has any
    //! of methods that minimise: energy of the first guess minus that of the result
    double energyDecrease = 0;
  };

} // namespace Dune::Impact

#endif
