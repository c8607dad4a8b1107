// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <vector>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/common/compressedrows.hh>
#include <dune/impact/solver/impulse/delassusassembly.hh>

using namespace Dune;
using namespace Dune::Impact;

//! Points of a chain: point i sees the dofs i and i + 1, both of mass 1 / (1 + dof), in two
//! components; dofs with a number from `held` on are not free
struct Chain
{
  Chain(std::size_t points, std::size_t held) : held(held)
  {
    for (std::size_t i = 0; i < points; ++i)
      for (int c = 0; c < 2; ++c) {
        jacobian.beginRow();
        velocities.beginRow();
        for (std::size_t dof = i; dof < i + 2; ++dof) {
          const double value = 1.0 + double(i) - 3.0 * c * double(dof);
          jacobian.add({dof, value});
          velocities.add({dof, value * (1.0 + double(dof))});
        }
      }
  }

  std::size_t size() const { return jacobian.size() / 2; }
  int blockSize() const { return 2; }
  bool isFree(std::size_t dof) const { return dof < held; }
  std::span<const Entry> functional(std::size_t i, int c) const { return jacobian[2 * i + c]; }
  std::span<const Entry> velocity(std::size_t i, int c) const { return velocities[2 * i + c]; }

  //! Entry of H = G M^-1 G^T
  double entry(std::size_t i, int c, std::size_t j, int k) const
  {
    double sum = 0;
    for (const auto& [dof, value] : velocity(i, c))
      for (const auto& [other, otherValue] : functional(j, k))
        sum += dof == other && isFree(dof) ? value * otherValue : 0;
    return sum;
  }

  //! The neighbour before a point comes last
  template<class Block>
  void addBlocks(std::size_t i, Block&& block) const
  {
    for (const std::size_t j : {i, i + 1, i - 1})
      if (j < size())
        for (int c = 0; c < 2; ++c)
          for (int k = 0; k < 2; ++k)
            block(j)[2 * c + k] += entry(i, c, j, k);
  }

  CompressedRows<Entry> jacobian, velocities;
  std::size_t held;
};

static_assert(ContactResponse<Chain> && SparseContactResponse<Chain>);
static_assert(!ContactResponse<Delassus> && !SparseContactResponse<Delassus>);

TestSuite testMatrix()
{
  TestSuite test("matrix");
  DelassusAssembly assembly;
  Delassus H;
  for (const std::size_t points : {5, 2, 1}) { // scratch memory of more points is left
    const Chain chain(points, points);
    assembly.assemble(chain, H);
    test.check(H.size() == points && H.blockSize() == 2, "size");
    test.check(H.blocks() == 3 * points - 2, "each block once") << H.blocks();
    for (std::size_t i = 0; i < points; ++i) {
      test.check(H.row(i).columns[0] == i, "columns in the order of the response");
      for (std::size_t j = 0; j < points; ++j)
        for (int c = 0; c < 2 && H.block(i, j); ++c)
          for (int k = 0; k < 2; ++k)
            test.check(H.block(i, j)[2 * c + k] == chain.entry(i, c, j, k), "entries");
    }
  }
  return test;
}

//! Both forms have the same product
TestSuite testFactors()
{
  TestSuite test("factors");
  const Chain chain(4, 4);
  Delassus H;
  DelassusAssembly().assemble(chain, H);
  FactoredDelassus product;
  assembleFactors(chain, product);
  test.check(product.size() == 4 && product.dofs() == 4, "dofs that are not free are left out");
  std::vector<double> x, y(8), z(8);
  for (int i = 0; i < 8; ++i)
    x.push_back(1 + i % 3);
  H.multiply(x, y);
  product.multiply(x, z);
  for (int i = 0; i < 8; ++i)
    test.check(std::abs(y[i] - z[i]) <= 1e-13 * std::abs(y[i]), "product") << y[i] << " " << z[i];
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testMatrix());
  test.subTest(testFactors());
  return test.exit();
}
