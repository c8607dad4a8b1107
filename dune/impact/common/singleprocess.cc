// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include <unistd.h>

#include <dune/impact/common/singleprocess.hh>

namespace Dune::Impact {

  bool startedByLauncher()
  {
    // OpenMPI; MPICH, Intel MPI and PMI of Slurm; PMIx; Slurm; MVAPICH; Cray; Flux; Spectrum MPI
    static constexpr std::array<std::string_view, 11> marks{
      "OMPI_COMM_WORLD_", "PMI_",      "PMIX_", "SLURM_STEP", "SLURM_PROCID",  "MV2_COMM_WORLD_",
      "MPI_LOCAL",        "ALPS_APP_", "PALS_", "FLUX_TASK_", "JSM_NAMESPACE_"};
    for (char** entry = environ; entry && *entry; ++entry)
      if (std::any_of(marks.begin(), marks.end(), [name = std::string_view(*entry)](auto mark) {
            return name.starts_with(mark);
          }))
        return true;
    return false;
  }

  void skipNetworkSearch()
  {
    if (startedByLauncher())
      return;
    ::setenv("OMPI_MCA_pml", "ob1", 0);
    ::setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
    ::setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
  }

} // namespace Dune::Impact
