// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_COMMON_SINGLEPROCESS_HH
#define DUNE_IMPACT_COMMON_SINGLEPROCESS_HH

/** \file
 * \ingroup impact_common
 * \brief A process without others starts MPI without the search for networks
 */

namespace Dune::Impact {

  /** \brief Whether a launcher has started this process, alone or among others
   *
   * mpirun, srun and the launchers of other MPI libraries tell their processes by variables of the
   * environment who they are.
   */
  bool startedByLauncher();

  /** \brief To be called in `main()` before MPIHelper
   *
   * OpenMPI looks for networks when it starts, which takes several tenths of a second, starts a
   * daemon, and makes a folder in /tmp over which programs that start and end at the same time
   * fight. A process without a launcher has nobody to talk to: these are switched off by the
   * variables `OMPI_MCA_...` of the environment. Variables that the user has set stay as they are,
   * and processes of a launcher are left alone.
   */
  void skipNetworkSearch();

} // namespace Dune::Impact

#endif
