// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/timer.hh>

#include <dune/impact/body/elementforces.hh>
#include <dune/impact/body/elements.hh>
#include <dune/impact/grid/shapes.hh>

/* Time of energy, force and tangent of a refined ball, in microseconds per cell; the last column is
 * the force of explicit methods.
 *
 *     benchmark-assembly [levels] [cells along the radius]
 *
 * The tangent of a tetrahedron should take at most one microsecond. */

using namespace Dune;
using namespace Dune::Impact;

//! Best of several runs, in microseconds per cell
template<class Function>
double measure(std::size_t cells, Function&& f)
{
  double best = 1e100;
  for (int run = 0; run < 7; ++run) {
    Timer timer;
    f();
    best = std::min(best, timer.elapsed());
  }
  return 1e6 * best / cells;
}

void run(CellShape shape, int levels, int radial, CubeElement cubes = CubeElement::q1)
{
  Timer timer;
  const auto mesh = refineMesh(makeBall<3>(1, radial, shape), levels, "ball");
  std::printf("%zu %s, %zu nodes, mesh in %.2f s\n", mesh.cells(),
              shape == CellShape::simplex ? "tetrahedra"
              : cubes == CubeElement::q1  ? "hexahedra"
                                          : "hexahedra with one point",
              mesh.nodes.size(), timer.elapsed());
  std::vector<double> u, z, f(3 * mesh.nodes.size());
  for (const auto& x : mesh.nodes)
    for (int i = 0; i < 3; ++i) {
      u.push_back(0.1 * x[i] * x[(i + 1) % 3]);
      z.push_back(1.01 * u.back());
    }
  const Lame lame = Lame::fromYoung(1, 0.3);
  const char* names[] = {"st-venant-kirchhoff", "neo-hooke", "linear"};
  const AnyMaterial<3> materials[] = {StVenantKirchhoff<3>{lame}, NeoHooke<3>{lame},
                                      LinearElastic<3>{lame}};
  std::printf("  %-20s %8s %8s %8s %8s %8s %8s  us per cell\n", "", "energy", "force", "tangent",
              "av.force", "av.tang.", "explicit");
  for (int m = 0; m < 3; ++m) {
    const SolidElements<3> elements(mesh, materials[m], cubes);
    const ElementForces<3> forces(mesh, materials[m], 1, cubes);
    AssemblyMatrix<Tensor<3>> K(elements.pattern());
    double sum = 0;
    const double energy = measure(mesh.cells(), [&] { sum += elements.energy(u); });
    const double force = measure(mesh.cells(), [&] { elements.addForce(u, 1, f); });
    const double tangent = measure(mesh.cells(), [&] { elements.addTangent(u, 1, K); });
    const double averagedForce =
      measure(mesh.cells(), [&] { elements.addAveragedForce(u, z, 1, f); });
    const double averagedTangent =
      measure(mesh.cells(), [&] { elements.addAveragedTangent(u, z, 1, K); });
    const double explicitForce = measure(mesh.cells(), [&] { forces.add(u, 1, f); });
    std::printf("  %-20s %8.3f %8.3f %8.3f %8.3f %8.3f %8.3f\n", names[m], energy, force, tangent,
                averagedForce, averagedTangent, explicitForce);
  }
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  const int levels = argc > 1 ? std::atoi(argv[1]) : 4, radial = argc > 2 ? std::atoi(argv[2]) : 1;
  run(CellShape::simplex, levels, radial);
  run(CellShape::cube, std::max(0, levels - 1), radial);
  run(CellShape::cube, std::max(0, levels - 1), radial, CubeElement::q1r);
}
