// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/common/parallel/mpihelper.hh>

#include "multigridcycles.hh"

/* Elasticity in three dimensions on four uniform levels, up to 800 000 unknowns. */

int main(int argc, char** argv)
{
  using namespace Dune::Impact::Test;
  Dune::MPIHelper::instance(argc, argv);
  Dune::TestSuite test;
  const auto none = [](int, auto&) {};
  const auto sphere = [](int N, auto& model) { addSphere<3>(N, model); };
  checkFlat<3, 3>(test, Shape::simplex, {8, 16, 32, 64}, "cube P1, no contact", none);
  checkFlat<3, 3>(test, Shape::simplex, {8, 16, 32, 64}, "cube P1, contact", sphere);
  checkFlat<3, 3>(test, Shape::cube, {4, 8, 16, 32}, "cube Q1, no contact", none);
  checkFlat<3, 3>(test, Shape::cube, {4, 8, 16, 32}, "cube Q1, contact", sphere);
  return test.exit();
}
