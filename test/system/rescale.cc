// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cstdlib>
#include <iostream>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/scenario/registry.hh>
#include <dune/impact/scenario/units.hh>

/** \file
 * \brief `rescale FILE.ini MASS LENGTH TIME`: print a scenario in units that are smaller by these
 * factors
 */

int main(int argc, char** argv)
{
  using namespace Dune::Impact;
  if (argc != 5) {
    std::cerr << "rescale FILE.ini MASS LENGTH TIME" << std::endl;
    return 2;
  }
  try {
    const UnitFactors factors{
      .mass = std::atof(argv[2]), .length = std::atof(argv[3]), .time = std::atof(argv[4])};
    std::cout << rescale(IniFile::read(argv[1]), makeRegistry().table(), factors);
    return 0;
  }
  catch (const InputError& error) {
    std::cerr << error.what() << std::endl;
    return 2;
  }
}
