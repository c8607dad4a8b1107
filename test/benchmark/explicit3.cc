// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>

#include <dune/common/parallel/mpihelper.hh>

#include <dune/impact/body/solid.hh>
#include <dune/impact/contact/impulse/mortarimpulses.hh>
#include <dune/impact/contact/impulse/nodetoface.hh>
#include <dune/impact/contact/impulse/pointcontact.hh>
#include <dune/impact/contact/mortar/mortargap.hh>
#include <dune/impact/timestep/explicit/cdlagrange.hh>

#include "clocks.hh"
#include "yardstick.hh"

/* Steps of CD-Lagrange with linear tetrahedra, in nanoseconds per tetrahedron and step: internal
 * force and update of a cube on one thread and on two, with nodes and cells numbered along the axes
 * and at random; and flat blocks whose 1e4 facets at the bottom touch a plane, or the top of a
 * second block, by rows of nodes to faces and by those of mortar contact.
 *
 *     benchmark-explicit3 [folder of stvk.cc]
 *     benchmark-explicit3 cells [folder of stvk.cc]   (without contact)
 *     benchmark-explicit3 contact [faces | mortar]    (only two blocks in contact)
 *
 * Wanted: at most 1.3 times what stvk.cc needs for the same with AVX2, 1.8 times faster on two
 * threads, 1.3 times slower at most with random numbers and with contact. A thread that the machine
 * has no core for makes the figure of two threads meaningless: run it on an idle machine. */

using namespace Dune;
using namespace Dune::Impact;

//! A block of 6 n^2 m tetrahedra with edges of the length 1/n and its bottom at a height
SolidMesh<3> kuhn(int n, int m, double height = 0)
{
  SolidMesh<3> mesh;
  const auto id = [n](int i, int j, int k) { return Index((k * (n + 1) + j) * (n + 1) + i); };
  for (int k = 0; k <= m; ++k)
    for (int j = 0; j <= n; ++j)
      for (int i = 0; i <= n; ++i)
        mesh.nodes.push_back({double(i) / n, double(j) / n, height + double(k) / n});
  std::array<int, 3> p = {0, 1, 2};
  for (int k = 0; k < m; ++k)
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
  mesh.patches = {{1, "bottom"}, {2, "top"}};
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      mesh.facets.push_back({{id(i, j, 0), id(i + 1, j + 1, 0), id(i + 1, j, 0)}, 3, 0});
      mesh.facets.push_back({{id(i, j, 0), id(i, j + 1, 0), id(i + 1, j + 1, 0)}, 3, 0});
      mesh.facets.push_back({{id(i, j, m), id(i + 1, j, m), id(i + 1, j + 1, m)}, 3, 1});
      mesh.facets.push_back({{id(i, j, m), id(i + 1, j + 1, m), id(i, j + 1, m)}, 3, 1});
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

struct Case
{
  std::vector<SolidMesh<3>> blocks; //!< the first one may fall
  int threads = 1;
  bool falls = false;
  enum { none, plane, faces, mortar } contact = none;
  double friction = 0;
};

struct Time
{
  double best = 1e100; //!< nanoseconds per cell and step, of the best step
  double average = 0;
  double sweeps = 0; //!< on average
  int active = 0;    //!< nodes in contact
};

Time measureSteps(const Case& c, bool wall = false)
{
  System system;
  double cells = 0;
  for (const auto& mesh : c.blocks) {
    cells += double(mesh.cells());
    const double speed = c.falls && system.bodyCount() == 0 ? -0.1 : 0;
    system.add(std::make_unique<Solid<3>>(
      Solid<3>::Settings{.name = "block",
                         .mesh = mesh,
                         .material = StVenantKirchhoff<3>{Lame::fromYoung(1, 0.3)},
                         .density = 1,
                         .mass = Solid<3>::Mass::lumped,
                         .motion = {.velocity = {0.02, 0, speed}},
                         .threads = c.threads}));
  }
  std::vector<Contact> contacts;
  const ContactLaw law{.friction = c.friction};
  const auto surface = [&](std::size_t body, int patch, std::size_t firstNode) {
    return makeContactSurface<3>(c.blocks[body], patch, body, firstNode);
  };
  if (c.contact == Case::plane) {
    std::vector<PointHandle> points;
    for (std::size_t node : system.body(0).patch("bottom"))
      points.push_back(system.point(0, node));
    contacts.push_back({"floor",
                        std::make_unique<PointObstacle>(
                          points, std::make_shared<Plane>("floor", Vec3(0), Vec3{0, 0, 1})),
                        law});
  }
  else if (c.contact == Case::faces)
    contacts.push_back(
      {"blocks",
       std::make_unique<NodeToFace<3>>(BodySurface<3>{surface(0, 0, 0), system.point(0, 0)},
                                       BodySurface<3>{surface(1, 1, 0), system.point(1, 0)},
                                       std::nullopt, c.threads),
       law});
  else if (c.contact == Case::mortar) {
    const auto gap =
      std::make_shared<MortarGap<3>>(surface(0, 0, 0), surface(1, 1, c.blocks[0].nodes.size()),
                                     MortarSettings{.threads = c.threads});
    contacts.push_back(
      {"blocks", std::make_unique<MortarImpulses<3>>(gap, system.point(0, 0), system.point(1, 0)),
       law});
  }
  CDLagrange stepper(system, contacts, 3, {.step = 1e-4, .gapTolerance = 1e-12});
  StepReport report;
  State state = stepper.start(system.initialState(), report), next;
  double best = 1e100, sum = 0, sweeps = 0;
  int active = 0, steps = 0;
  for (int i = 0; i < 40; ++i) {
    const double begin = wall ? now() : threadSeconds();
    stepper.step(state, next, report);
    const double end = wall ? now() : threadSeconds();
    std::swap(state, next);
    if (c.contact != Case::none && report.contacts == 0)
      continue;
    active = std::max(active, report.contacts);
    sweeps += report.solve.iterations;
    sum += end - begin;
    ++steps;
    best = std::min(best, end - begin);
  }
  return {.best = 1e9 * best / cells,
          .average = 1e9 * sum / steps / cells,
          .sweeps = sweeps / steps,
          .active = active};
}

//! Nanoseconds per cell and step: the best step
double measure(const Case& c, bool wall = false)
{
  return measureSteps(c, wall).best;
}

//! Nanoseconds per cell and step of stvk.cc in a folder, with update
double yardstick(const std::string& folder)
{
  return runProgram("g++ -O3 -march=native -fopenmp -o stvk " + folder +
                      "/stvk.cc; OMP_NUM_THREADS=1 ./stvk 55 20",
                    "simd+CD step", "best ");
}

void measureCells(const char* folder)
{
  const auto cube = kuhn(55, 55);
  std::printf("%zu tetrahedra, %zu nodes\n", cube.cells(), cube.nodes.size());
  double one = 1e100, other = 1e100;
  for (int round = 0; round < 3; ++round) { // the machine may be slower for a while
    one = std::min(one, measure({.blocks = {cube}}));
    if (folder)
      other = std::min(other, yardstick(folder));
  }
  std::printf("one thread           %7.2f ns, %.1f M element-steps/s\n", one, 1e3 / one);
  if (folder)
    std::printf("stvk.cc              %7.2f ns, ratio %.2f\n", other, one / other);
  const double oneWall = measure({.blocks = {cube}}, true),
               two = measure({.blocks = {cube}, .threads = 2}, true);
  std::printf("two threads          %7.2f ns, %.2f times faster\n", two, oneWall / two);
  const double random = measure({.blocks = {shuffled(cube)}});
  std::printf("random numbers       %7.2f ns, ratio %.2f\n", random, random / one);
}

struct Contacts
{
  const char* title;
  Case with;
};

//! Cases with contact beside one without: the best of some rounds, since the machine may be slower
//! for a while
void compare(const Case& without, const std::vector<Contacts>& cases)
{
  constexpr int rounds = 3;
  Time alone;
  std::vector<Time> times(cases.size());
  const auto improve = [](Time& best, const Time& time) {
    if (time.best < best.best)
      best = time;
  };
  for (int round = 0; round < rounds; ++round) {
    improve(alone, measureSteps(without));
    for (std::size_t i = 0; i < cases.size(); ++i)
      improve(times[i], measureSteps(cases[i].with));
  }
  std::printf("without contact      %7.2f ns\n", alone.best);
  for (std::size_t i = 0; i < cases.size(); ++i)
    std::printf(
      "%-20s %7.2f ns, ratio %.2f   (%d nodes in contact, %.1f sweeps and %.2f ns on average)\n",
      cases[i].title, times[i].best, times[i].best / alone.best, times[i].active, times[i].sweeps,
      times[i].average);
}

void measurePlane()
{
  const std::vector<SolidMesh<3>> flat = {kuhn(71, 33)};
  std::printf("flat block, %zu facets at the bottom\n", flat[0].facets.size() / 2);
  compare(
    {.blocks = flat},
    {{"on a plane", {.blocks = flat, .falls = true, .contact = Case::plane}},
     {"with friction", {.blocks = flat, .falls = true, .contact = Case::plane, .friction = 0.3}}});
}

void measurePairs(const std::string& only = "")
{
  const std::vector<SolidMesh<3>> pair = {kuhn(71, 16), kuhn(70, 16, -16.0 / 70)};
  std::printf("two such blocks\n");
  std::vector<Contacts> cases;
  if (only != "mortar") {
    cases.push_back({"nodes to faces", {.blocks = pair, .falls = true, .contact = Case::faces}});
    cases.push_back(
      {"with friction", {.blocks = pair, .falls = true, .contact = Case::faces, .friction = 0.3}});
  }
  if (only != "faces") {
    cases.push_back({"mortar", {.blocks = pair, .falls = true, .contact = Case::mortar}});
    cases.push_back(
      {"with friction", {.blocks = pair, .falls = true, .contact = Case::mortar, .friction = 0.3}});
  }
  compare({.blocks = pair}, cases);
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  if (argc > 1 && argv[1] == std::string("contact")) {
    measurePairs(argc > 2 ? argv[2] : "");
    return 0;
  }
  if (argc > 1 && argv[1] == std::string("cells")) {
    measureCells(argc > 2 ? argv[2] : nullptr);
    return 0;
  }
  measureCells(argc > 1 ? argv[1] : nullptr);
  measurePlane();
  measurePairs();
}
