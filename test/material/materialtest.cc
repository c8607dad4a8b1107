// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/material/material.hh>
#include <dune/impact/material/materials.hh>
#include <dune/impact/material/test/checkmaterial.hh>

using namespace Dune;
using namespace Dune::Impact;

//! A material without tangent is none
struct NoTangent
{
  static constexpr int dimension = 2;
  static constexpr bool frameIndifferent = true;
  static constexpr bool needsPositiveVolume = false;
  double energy(const Tensor<2>&) const { return 0; }
  Tensor<2> stress(const Tensor<2>& H) const { return H; }
};

static_assert(!Material<NoTangent>);
static_assert(!Material<int>);
static_assert(StrainMaterial<NeoHooke<2>> && StrainMaterial<StVenantKirchhoff<3>>);
static_assert(Material<LinearElastic<3>> && !StrainMaterial<LinearElastic<3>>);

//! Neo-Hooke through the generic defect of the discrete gradient
template<int dim>
struct PlainNeoHooke
{
  NeoHooke<dim> material;
  double strainEnergy(const Tensor<dim>& E) const { return material.strainEnergy(E); }
  Tensor<dim> secondPiola(const Tensor<dim>& E) const { return material.secondPiola(E); }
};

//! Closed form, quadrature and plain difference of the defect agree where they are accurate
template<int dim>
TestSuite testDefect()
{
  TestSuite test("defect of the discrete gradient");
  const NeoHooke<dim> material{Lame::fromYoung(1, 0.3)};
  std::mt19937 random(5);
  for (double distance : {1e-5, 1e-4, 5e-4, 1e-2, 0.1}) {
    const auto E0 = symmetricPart(Test::randomTensor<dim>(random, 0.1));
    const auto E1 = Test::combined(E0, distance, symmetricPart(Test::randomTensor<dim>(random, 1)));
    const auto Ea = mean(E0, E1);
    const Tensor<dim> D = E1 - E0;
    const double exact = material.gradientDefect(Ea, D),
                 generic = gradientDefect(PlainNeoHooke<dim>{material}, Ea, D);
    test.check(std::abs(exact - generic) <=
                 1e-15 * (distance < 1e-3 ? distance : 1) + 1e-9 * std::abs(exact),
               "generic")
      << distance << ": " << exact << " " << generic;
    const auto difference =
      gonzalezStress(material, E0, E1) - gonzalezStress(PlainNeoHooke<dim>{material}, E0, E1);
    test.check(difference.infinity_norm() <= 1e-12, "stress") << difference.infinity_norm();
  }
  // Third order: the defect of D/2 is an eighth, down to differences far below round-off of W
  Tensor<dim> Ea(0.0), D(0.0);
  Ea[0][0] = 0.1;
  D[0][0] = 1;
  D[0][1] = D[1][0] = 0.3;
  for (double size : {1e-4, 1e-9, 1e-15}) {
    const double ratio =
      material.gradientDefect(Ea, size * D) / material.gradientDefect(Ea, 0.5 * size * D);
    test.check(std::abs(ratio - 8) <= 1e-6, "third order") << size << ": " << ratio;
  }
  return test;
}

//! Uniaxial strain: P_11 = (lambda + 2 mu) e for small e; plane strain needs no other stress
template<int dim>
TestSuite testSmallStrain()
{
  TestSuite test("small strain");
  const double young = 210, poisson = 0.25, e = 1e-9;
  const Lame lame = Lame::fromYoung(young, poisson);
  const double modulus = young * (1 - poisson) / ((1 + poisson) * (1 - 2 * poisson));
  Tensor<dim> H(0.0);
  H[0][0] = e;
  const auto check = [&](const auto& material, const std::string& name) {
    test.check(std::abs(material.stress(H)[0][0] / (modulus * e) - 1) <= 1e-8, name)
      << material.stress(H)[0][0];
    test.check(std::abs(material.energy(H) / (0.5 * modulus * e * e) - 1) <= 1e-8, name + " energy")
      << material.energy(H);
    const double side = lame.lambda * e;
    test.check(std::abs(material.stress(H)[1][1] / side - 1) <= 1e-8, name + " lateral stress");
  };
  check(StVenantKirchhoff<dim>{lame}, "St. Venant-Kirchhoff");
  check(NeoHooke<dim>{lame}, "neo-Hooke");
  check(LinearElastic<dim>{lame}, "linear");
  return test;
}

template<int dim>
TestSuite testMaterials()
{
  TestSuite test(std::to_string(dim) + "D");
  for (double poisson : {0.0, 0.3, 0.49}) {
    const Lame lame = Lame::fromYoung(3.0, poisson);
    test.subTest(checkMaterial(StVenantKirchhoff<dim>{lame}, "St. Venant-Kirchhoff"));
    test.subTest(checkMaterial(NeoHooke<dim>{lame}, "neo-Hooke"));
    test.subTest(checkMaterial(LinearElastic<dim>{lame}, "linear"));
  }
  test.subTest(testDefect<dim>());
  test.subTest(testSmallStrain<dim>());
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testMaterials<2>());
  test.subTest(testMaterials<3>());
  return test.exit();
}
