// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module
// root SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/body/test/checknumbers.hh>
#include <dune/impact/material/materials.hh>
#include <dune/impact/material/test/checkmaterial.hh>

/* Materials with one fault each, which checkMaterial() must find. */

using namespace Dune;
using namespace Dune::Impact;
using Dune::Impact::Test::findsFault;

namespace {

  //! A linear material that is wrong in one respect
  template<int dim>
  struct FaultyMaterial : LinearElastic<dim>
  {
    enum Fault { none, energy_, stress_, tangent_, averaged, rest };

    Fault fault = none;

    double energy(const Tensor<dim>& H) const
    {
      return LinearElastic<dim>::energy(H) * (fault == energy_ ? 1.001 : 1) +
             (fault == rest ? 1e-6 : 0);
    }

    Tensor<dim> stress(const Tensor<dim>& H) const
    {
      auto P = LinearElastic<dim>::stress(H);
      if (fault == stress_)
        P[0][1] *= 1.001;
      return P;
    }

    auto tangent(const Tensor<dim>& H) const
    {
      const LinearElastic<dim> other{{1.001 * this->lame.lambda, this->lame.mu}};
      return fault == tangent_ ? other.tangent(H) : LinearElastic<dim>::tangent(H);
    }

    Tensor<dim> averagedStress(const Tensor<dim>& H0, const Tensor<dim>& H1) const
    {
      return fault == averaged ? this->stress(H1) : LinearElastic<dim>::averagedStress(H0, H1);
    }
  };

  //! Says that a rotation stores nothing, which is wrong
  template<int dim>
  struct RotatedMaterial : LinearElastic<dim>
  {
    static constexpr bool frameIndifferent = true;
  };

  template<int dim>
  TestSuite testMaterial()
  {
    TestSuite test("checkMaterial in dimension " + std::to_string(dim));
    using Faulty = FaultyMaterial<dim>;
    for (int fault = Faulty::none; fault <= Faulty::rest; ++fault) {
      const Faulty material{{{2, 1}}, typename Faulty::Fault(fault)};
      const bool found = findsFault([&] { return checkMaterial(material, "faulty"); });
      test.check(found == (fault != Faulty::none), "a faulty material") << "fault " << fault;
    }
    const RotatedMaterial<dim> rotated{{{2, 1}}};
    test.check(findsFault([&] { return checkMaterial(rotated, "rotated"); }),
               "a material that is not frame indifferent");
    return test;
  }

} // namespace

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testMaterial<2>());
  test.subTest(testMaterial<3>());
  return test.exit();
}
