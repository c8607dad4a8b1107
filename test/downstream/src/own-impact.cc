// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <iostream>

#include <dune/common/parallel/mpihelper.hh>

#include <dune/impact/scenario/simulation.hh>

#include "ownregistry.hh"

/** \file
 * \brief A program of one's own: runs scenario files that name the new types
 */

int main(int argc, char** argv)
{
  Dune::MPIHelper::instance(argc, argv);
  if (argc != 3) {
    std::cerr << "usage: own-impact FILE.ini OUTPUT" << std::endl;
    return 2;
  }
  try {
    Simulation simulation(argv[1], {}, ownRegistry());
    simulation.run({.output = argv[2]});
  }
  catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    return 1;
  }
}
