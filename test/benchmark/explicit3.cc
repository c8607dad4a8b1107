// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <numeric>
#include <random>

#include <dune/common/parallel/mpihelper.hh>

#include <dune/impact/body/solid.hh>
#include <dune/impact/contact/pointcoupling.hh>
#include <dune/impact/timestep/cdlagrange.hh>

/* Steps of CD-Lagrange with a cube of linear tetrahedra, in nanoseconds per tetrahedron and step:
 * internal force and update on one thread and on two, with the nodes and cells numbered along the
 * axes and at random, and with one face in contact with a plane.
 *
 *     benchmark-explicit3 [cells per edge] [steps]
 *
 * Wanted: 20 ns on one core with AVX2, 1.8 times faster on two, 1.3 times slower at most with random
 * numbers and with contact. A thread that the machine has no core for makes the figure of two threads
 * meaningless: run it on an idle machine. */

using namespace Dune;
using namespace Dune::Impact;

//! A cube of 6 n^3 tetrahedra
SolidMesh<3> kuhn(int n)
{
  SolidMesh<3> mesh;
  const auto id = [n](int i, int j, int k) { return Index((k * (n + 1) + j) * (n + 1) + i); };
  for (int k = 0; k <= n; ++k)
    for (int j = 0; j <= n; ++j)
      for (int i = 0; i <= n; ++i)
        mesh.nodes.push_back({double(i) / n, double(j) / n, double(k) / n});
  std::array<int, 3> p = {0, 1, 2};
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        std::sort(p.begin(), p.end());
        do {
          std::array<int, 3> c = {i, j, k};
          SolidMesh<3>::Simplex cell;
          cell[0] = id(i, j, k);
          for (int s = 0; s < 3; ++s) {
            ++c[p[s]];
            cell[s + 1] = id(c[0], c[1], c[2]);
          }
          const bool odd = (p[0] > p[1]) != ((p[0] > p[2]) != (p[1] > p[2]));
          if (odd)
            std::swap(cell[2], cell[3]);
          mesh.simplices.push_back(cell);
        } while (std::next_permutation(p.begin(), p.end()));
      }
  mesh.patches = {{1, "bottom"}};
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      mesh.facets.push_back({{id(i, j, 0), id(i + 1, j + 1, 0), id(i + 1, j, 0)}, 3, 0});
      mesh.facets.push_back({{id(i, j, 0), id(i, j + 1, 0), id(i + 1, j + 1, 0)}, 3, 0});
    }
  return mesh;
}

SolidMesh<3> shuffled(SolidMesh<3> mesh)
{
  std::mt19937 random(1);
  std::vector<Index> number(mesh.nodes.size());
  std::iota(number.begin(), number.end(), 0);
  std::shuffle(number.begin(), number.end(), random);
  const auto nodes = mesh.nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    mesh.nodes[number[i]] = nodes[i];
  for (auto& cell : mesh.simplices)
    for (Index& corner : cell)
      corner = number[corner];
  for (auto& facet : mesh.facets)
    for (int k = 0; k < facet.count; ++k)
      facet.node[k] = number[facet.node[k]];
  std::shuffle(mesh.simplices.begin(), mesh.simplices.end(), random);
  return mesh;
}

double now()
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

//! CPU time of the calling thread: what one thread needs, also on a busy machine
double cpu()
{
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

//! Nanoseconds per cell and step, the best of several rounds
double measure(const SolidMesh<3>& mesh, int threads, bool contact, double friction, int steps, bool wall)
{
  System system;
  const std::size_t cells = mesh.cells();
  system.add(std::make_unique<Solid<3>>(Solid<3>::Settings{.name = "cube", .mesh = mesh, .material = StVenantKirchhoff<3>{Lame::fromYoung(1, 0.3)}, .density = 1,
                                                           .mass = Solid<3>::Mass::lumped, .motion = {.velocity = {0.02, 0, contact ? -0.1 : 0}}, .threads = threads}));
  std::vector<Contact> contacts;
  if (contact) {
    std::vector<PointHandle> points;
    for (std::size_t node : system.body(0).patch("bottom"))
      points.push_back(system.point(0, node));
    contacts.push_back({"floor", std::make_unique<PointObstacle>(0, points, std::make_shared<Plane>("floor", Vec3(0), Vec3{0, 0, 1})), {.friction = friction}});
  }
  CDLagrange stepper(system, contacts, 3, {.step = 1e-4, .gapTolerance = 1e-12});
  StepReport report;
  State state = stepper.start(system.initialState(), report), next;
  double best = 1e100;
  int active = 0;
  for (int round = 0; round < 5; ++round) {
    const double begin = wall ? now() : cpu();
    for (int i = 0; i < steps; ++i) {
      stepper.step(state, next, report);
      std::swap(state, next);
      active = std::max(active, report.contacts);
    }
    best = std::min(best, ((wall ? now() : cpu()) - begin) / steps);
  }
  if (contact)
    std::printf("    %d nodes in contact\n", active);
  return 1e9 * best / double(cells);
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  const int n = argc > 1 ? std::atoi(argv[1]) : 55, steps = argc > 2 ? std::atoi(argv[2]) : 10;
  const auto mesh = kuhn(n);
  std::printf("%zu tetrahedra, %zu nodes, %zu facets at the bottom\n", mesh.cells(), mesh.nodes.size(), mesh.facets.size());
  const double one = measure(mesh, 1, false, 0, steps, false), oneWall = measure(mesh, 1, false, 0, steps, true);
  std::printf("one thread           %7.2f ns, %.1f M element-steps/s (wall time %.2f ns)\n", one, 1e3 / one, oneWall);
  const double two = measure(mesh, 2, false, 0, steps, true);
  std::printf("two threads          %7.2f ns, %.2f times faster\n", two, oneWall / two);
  const double random = measure(shuffled(mesh), 1, false, 0, steps, false);
  std::printf("random numbers       %7.2f ns, ratio %.2f\n", random, random / one);
  const double contact = measure(mesh, 1, true, 0, steps, false);
  std::printf("in contact           %7.2f ns, ratio %.2f\n", contact, contact / one);
  const double friction = measure(mesh, 1, true, 0.3, steps, false);
  std::printf("with friction        %7.2f ns, ratio %.2f\n", friction, friction / one);
}
