// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cstdlib>
#include <string>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/common/singleprocess.hh>

using namespace Dune;
using namespace Dune::Impact;

//! The way of messages that OpenMPI will take; empty: it looks for one
std::string messageLayer()
{
  const char* value = std::getenv("OMPI_MCA_pml");
  return value ? value : "";
}

//! Alone: no search. A decision of the user stays.
TestSuite testAlone()
{
  TestSuite test("a process on its own");
  ::clearenv();
  ::setenv("PATH", "/usr/bin", 1);
  ::setenv("SLURM_JOB_ID", "7", 1); // in an allocation, without srun
  test.check(!startedByLauncher(), "no launcher");
  skipNetworkSearch();
  test.check(messageLayer() == "ob1", "no search") << messageLayer();

  ::setenv("OMPI_MCA_pml", "ucx", 1);
  skipNetworkSearch();
  test.check(messageLayer() == "ucx", "the user decides") << messageLayer();
  return test;
}

//! Processes of a launcher find their network themselves
TestSuite testLaunched()
{
  TestSuite test("a process of a launcher");
  for (const char* variable :
       {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK", "PMIX_NAMESPACE",
        "SLURM_STEP_ID", "SLURM_PROCID", "MV2_COMM_WORLD_RANK", "MPI_LOCALRANKID", "PALS_RANKID"}) {
    ::clearenv();
    ::setenv(variable, "0", 1);
    test.check(startedByLauncher(), "recognised") << variable;
    skipNetworkSearch();
    test.check(messageLayer().empty(), "nothing is set") << variable;
  }
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testAlone());
  test.subTest(testLaunched());
  return test.exit();
}
