// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <iostream>
#include <random>
#include <string>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/elements.hh>
#include <dune/impact/grid/coarsemesh.hh>
#include <dune/impact/grid/shapes.hh>
#include <dune/impact/solver/multigrid/algebraichierarchy.hh>

#include "multigridcycles.hh"

using namespace Dune;
using namespace Dune::Impact;
using namespace Dune::Impact::Test;

namespace {

  template<int d>
  NodeCloud<d> cloudOf(const SolidMesh<d>& mesh)
  {
    return {*cellPattern(mesh), mesh.nodes};
  }

  //! Nodes of a ball that are moved at random by a part of their distance
  template<int d>
  NodeCloud<d> shakenBall(int cells, int levels, double part)
  {
    auto cloud = cloudOf<d>(refineMesh(makeBall<d>(1, cells), levels, "ball"));
    std::mt19937 generator(1);
    std::uniform_real_distribution<double> uniform(-part, part);
    for (auto& x : cloud.positions)
      for (auto& c : x)
        c += uniform(generator) / (cells << levels);
    return cloud;
  }

  struct Quality
  {
    double sum = 0;     //!< largest |sum w - 1|
    double moment = 0;  //!< largest |sum w x_I - x|
    double size = 0;    //!< largest sum |w|
    double inexact = 0; //!< part of nodes that are not exact
  };

  //! Weights of one level; positions of coarse nodes are those of their fine nodes
  template<int d>
  Quality quality(const Transfer<d>& P, const NodeCloud<d>& fine, const NodeCloud<d>& coarse,
                  double tolerance)
  {
    Quality result;
    for (std::size_t i = 0; i < P.fineSize(); ++i) {
      double sum = 0, size = 0;
      auto moment = -1.0 * fine.positions[i];
      for (const auto& entry : P.parents(i)) {
        sum += P.weight(entry);
        size += std::abs(P.weight(entry));
        moment.axpy(P.weight(entry), coarse.positions[entry.node]);
      }
      result.sum = std::max(result.sum, std::abs(sum - 1));
      result.moment = std::max(result.moment, moment.two_norm());
      result.size = std::max(result.size, size);
      result.inexact += (moment.two_norm() > tolerance) / double(P.fineSize());
    }
    return result;
  }

  //! All levels: they shrink, constants are exact, affine functions are but for a part of the nodes
  template<int d>
  void checkLevels(TestSuite& test, NodeCloud<d> cloud, double inexact, const std::string& name)
  {
    const auto transfers = algebraicTransfers<d>(cloud);
    std::cout << name << ": " << cloud.positions.size();
    for (const auto& P : transfers) {
      const auto coarse = coarseCloud<d>(cloud, *P);
      test.check(P->fineSize() == cloud.positions.size() &&
                   double(P->coarseSize()) * 1.5 <= double(P->fineSize()),
                 name + ": shrinks")
        << P->fineSize() << " " << P->coarseSize();
      const Quality q = quality<d>(*P, cloud, coarse, 1e-5);
      std::cout << " -> " << P->coarseSize() << " (sum |w| " << q.size << ", off by " << q.moment
                << ", part " << q.inexact << ")";
      test.check(q.sum < 1e-14, name + ": constants") << q.sum;
      test.check(q.size <= 1.5 + 1e-12, name + ": weights are bounded") << q.size;
      test.check(q.inexact <= inexact, name + ": affine functions") << q.inexact;
      cloud = coarse;
    }
    std::cout << std::endl;
    test.check(cloud.positions.size() <= AlgebraicHierarchySettings{}.coarsest,
               name + ": ends with few nodes")
      << cloud.positions.size();
  }

  TestSuite testWeights()
  {
    TestSuite test("weights");
    checkLevels<2>(test, shakenBall<2>(3, 4, 0.2), 0.02, "disc");
    checkLevels<3>(test, shakenBall<3>(2, 3, 0.2), 0.002, "ball");
    checkLevels<2>(
      test,
      cloudOf<2>(refineMesh(makeBox<2>({0, 0}, {20, 1}, {320, 16}, CellShape::cube), 0, "box")), 0,
      "beam of squares");
    checkLevels<3>(test,
                   cloudOf<3>(refineMesh(
                     makeBox<3>({0, 0, 0}, {4, 1, 1}, {40, 10, 10}, CellShape::cube), 0, "box")),
                   0, "beam of cubes");
    // one layer of stretched cells: coarse nodes may lie in a plane, nothing worse happens
    checkLevels<3>(
      test,
      cloudOf<3>(
        refineMesh(makeBox<3>({0, 0, 0}, {1, 1, 0.01}, {20, 20, 1}, CellShape::simplex), 0, "box")),
      1, "plate");
    return test;
  }

  //! The same for every number of threads, every unit of length, and with nodes that have no
  //! neighbours
  TestSuite testIndependence()
  {
    TestSuite test("independence");
    auto cloud = shakenBall<3>(2, 2, 0.2);
    const auto one = algebraicTransfers<3>(cloud, {.threads = 1}),
               two = algebraicTransfers<3>(cloud, {.threads = 2});
    for (auto& x : cloud.positions)
      x *= 1024;
    const auto scaled = algebraicTransfers<3>(cloud);
    const auto same = [&](const auto& other) {
      bool equal = other.size() == one.size();
      for (std::size_t l = 0; equal && l < one.size(); ++l) {
        equal = one[l]->samePattern(*other[l]);
        for (std::size_t i = 0; equal && i < one[l]->fineSize(); ++i)
          for (std::size_t k = 0; k < one[l]->parents(i).size(); ++k)
            equal = equal && one[l]->weight(one[l]->parents(i)[k]) ==
                               other[l]->weight(other[l]->parents(i)[k]);
      }
      return equal;
    };
    test.check(one.size() >= 1 && same(two), "threads");
    test.check(same(scaled), "units");
    NodeCloud<2> loose{{}, std::vector<FieldVector<double, 2>>(500, {0.0, 0.0})};
    for (std::size_t i = 0; i < 500; ++i)
      loose.graph.rowStart.push_back(0);
    test.check(algebraicTransfers<2>(loose).empty(), "nodes without neighbours have no levels");
    return test;
  }

  //! The nodes of a model problem
  template<int dim>
  NodeCloud<dim> cloudOf(int N, const BlockMatrix<dim>& matrix)
  {
    NodeCloud<dim> cloud;
    const GridNodes<dim> nodes{N};
    for (int i = 0; i < nodes.size(); ++i) {
      const auto x = nodes.coordinates(i);
      cloud.positions.emplace_back();
      std::copy(x.begin(), x.end(), cloud.positions.back().begin());
      matrix.forSortedRow(
        i, [&](std::size_t k) { cloud.graph.column.push_back(std::uint32_t(matrix.column(k))); });
      cloud.graph.rowStart.push_back(cloud.graph.column.size());
    }
    return cloud;
  }

  //! Cycles of algebraic levels beside those of geometric ones, on the same problem
  template<int dim>
  void compareCycles(TestSuite& test, Shape shape, int N, bool contact, const std::string& name)
  {
    auto model = gridProblem<dim, dim>(shape, N);
    if (contact)
      addSphere<dim>(N, model);
    const auto geometric = solveChecked(test, model, {}, name + ", geometric");
    model.transfers = algebraicTransfers<dim>(cloudOf<dim>(N, model.matrix));
    test.check(!model.transfers.empty(), name + ": has levels");
    const auto algebraic = solveChecked(test, model, {}, name + ", algebraic");
    std::cout << name << ": " << geometric.cycles << " cycles with geometric, " << algebraic.cycles
              << " with algebraic levels" << std::endl;
    test.check(algebraic.cycles <= 2 * geometric.cycles, name + ": cycles")
      << geometric.cycles << " " << algebraic.cycles;
  }

  TestSuite testCycles()
  {
    TestSuite test("cycles");
    for (bool contact : {false, true}) {
      const std::string end = contact ? ", contact" : "";
      compareCycles<2>(test, Shape::simplex, 64, contact, "square P1" + end);
      compareCycles<2>(test, Shape::cube, 64, contact, "square Q1" + end);
      compareCycles<3>(test, Shape::simplex, 16, contact, "cube P1" + end);
      compareCycles<3>(test, Shape::cube, 16, contact, "cube Q1" + end);
    }
    return test;
  }

  //! One and two threads: the same bits
  TestSuite testThreads()
  {
    TestSuite test("threads");
    auto model = gridProblem<3, 3>(Shape::simplex, 16);
    addSphere<3>(16, model);
    NodeVector<3> solution[2];
    for (int threads : {1, 2}) {
      BoxMultigrid<3> solver({.cycle = {.threads = threads}});
      solver.setTransfers(model.transfers);
      auto& x = solution[threads - 1];
      x.resize(model.b.size());
      x = 0;
      const auto report = solver.solve(model.problem(), x);
      test.check(report.converged, "converges") << report.residual;
    }
    bool equal = true;
    for (std::size_t i = 0; i < solution[0].size(); ++i)
      equal = equal && solution[0][i] == solution[1][i];
    test.check(model.matrix.order().groups.colours() > 1, "several colours")
      << model.matrix.order().groups.colours();
    test.check(equal, "bit-identical");
    return test;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testWeights());
  test.subTest(testIndependence());
  test.subTest(testCycles());
  test.subTest(testThreads());
  return test.exit();
}
