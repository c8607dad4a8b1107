// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_MATERIAL_TEST_CHECKMATERIAL_HH
#define DUNE_IMPACT_MATERIAL_TEST_CHECKMATERIAL_HH

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include <dune/common/test/testsuite.hh>

#include <dune/impact/material/material.hh>
#include <dune/impact/material/tangent.hh>

/** \file
 * \ingroup impact_material
 * \brief Test that the functions of a material fit together
 */

namespace Dune::Impact {

  namespace Test {

    //! Tensor with entries in [-size, size]
    template<int dim>
    Tensor<dim> randomTensor(std::mt19937& random, double size)
    {
      std::uniform_real_distribution<double> uniform(-size, size);
      Tensor<dim> A;
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
          A[i][j] = uniform(random);
      return A;
    }

    //! The rotation (I - W)^{-1} (I + W) with a random skew W
    template<int dim>
    Tensor<dim> randomRotation(std::mt19937& random)
    {
      Tensor<dim> W = randomTensor<dim>(random, 1);
      W -= transposed(W);
      return product(inverse(identityPlus(Tensor<dim>(-W))), identityPlus(W));
    }

    //! R (I + H) - I
    template<int dim>
    Tensor<dim> rotated(const Tensor<dim>& R, const Tensor<dim>& H)
    {
      return product(R, identityPlus(H)) - scaledIdentity<dim>(1);
    }

    template<int dim>
    Tensor<dim> combined(Tensor<dim> H, double t, const Tensor<dim>& G)
    {
      return H.axpy(t, G), H;
    }

  } // namespace Test

  //! dW = P : G and dP = (dP/dF) G by central differences; the tangent is symmetric
  template<Material M>
  TestSuite checkDerivatives(const M& material, double stiffness, std::mt19937& random)
  {
    constexpr int dim = M::dimension;
    TestSuite test("derivatives");
    for (double size : {1e-8, 1e-3, 0.2}) {
      const auto H = Test::randomTensor<dim>(random, size), G = Test::randomTensor<dim>(random, 1);
      const auto K = Test::randomTensor<dim>(random, 1);
      const double h = std::min(1e-3 * size, 1e-5);
      const auto plus = Test::combined(H, h, G), minus = Test::combined(H, -h, G);
      const double dW = (material.energy(plus) - material.energy(minus)) / (2 * h);
      test.check(std::abs(dW - contract(material.stress(H), G)) <= 1e-6 * stiffness * size,
                 "stress")
        << dW << " " << contract(material.stress(H), G);

      const auto tangent = material.tangent(H);
      Tensor<dim> dP = material.stress(plus) - material.stress(minus);
      dP *= 1 / (2 * h);
      const auto TG = applyTangent<dim>(tangent, G);
      test.check((dP - TG).infinity_norm() <= 1e-7 * stiffness, "tangent")
        << (dP - TG).infinity_norm();
      const double asymmetry = contract(K, TG) - contract(G, applyTangent<dim>(tangent, K));
      test.check(std::abs(asymmetry) <= 1e-13 * stiffness, "symmetric tangent") << asymmetry;
    }
    return test;
  }

  /** \brief P(H0, H1) : (H1 - H0) = W(H1) - W(H0) for near and far pairs, and the limit H1 = H0
   *
   * The averaged tangent is half the tangent at H1 = H0, and symmetric everywhere.
   */
  template<Material M>
  TestSuite checkAveraged(const M& material, double stiffness, std::mt19937& random)
  {
    constexpr int dim = M::dimension;
    constexpr double eps = std::numeric_limits<double>::epsilon();
    TestSuite test("averaged stress");
    for (double size : {1e-6, 0.2})
      for (double distance : {0.0, 1e-13, 1e-10, 1e-7, 1e-4, 1e-2, 0.2}) {
        const auto H0 = Test::randomTensor<dim>(random, size),
                   G = Test::randomTensor<dim>(random, 1);
        const auto H1 = Test::combined(H0, distance, G);
        const auto P = material.averagedStress(H0, H1);
        const double W0 = material.energy(H0), W1 = material.energy(H1);
        const double work = contract(P, H1 - H0), strain = std::max(size, distance);
        const double roundoff = 60 * eps * stiffness * strain * strain;
        test.check(std::abs(work - (W1 - W0)) <= roundoff, "work is the change of energy")
          << size << " " << distance << ": " << work << " " << W1 - W0;
        const auto near = material.stress(mean(H0, H1));
        test.check((P - near).infinity_norm() <=
                     stiffness * (20 * eps * strain + 20 * distance * distance),
                   "close to the stress at the mean")
          << size << " " << distance << ": " << (P - near).infinity_norm();

        const auto tangent = material.averagedTangent(H0, H1);
        const auto K = Test::randomTensor<dim>(random, 1);
        const double asymmetry =
          contract(K, applyTangent<dim>(tangent, G)) - contract(G, applyTangent<dim>(tangent, K));
        test.check(std::abs(asymmetry) <= 1e-13 * stiffness, "symmetric tangent") << asymmetry;
        auto half = applyTangent<dim>(material.tangent(H0), G);
        half *= 0.5;
        const double defect = (applyTangent<dim>(tangent, G) - half).infinity_norm();
        test.check(defect <= stiffness * (1e-13 + 30 * distance), "tangent at equal states")
          << defect;
      }
    return test;
  }

  //! W(RF) = W(F), P(RF) = R P(F); a rotation has neither energy nor stress
  template<Material M>
  TestSuite checkFrameIndifference(const M& material, double stiffness, std::mt19937& random)
  {
    constexpr int dim = M::dimension;
    TestSuite test("frame indifference");
    const auto H = Test::randomTensor<dim>(random, 0.2), R = Test::randomRotation<dim>(random);
    const auto RH = Test::rotated(R, H), rigid = Test::rotated(R, Tensor<dim>(0.0));
    const double dW = material.energy(RH) - material.energy(H);
    test.check(std::abs(dW) <= 1e-13 * stiffness, "energy") << dW;
    const auto dP = material.stress(RH) - product(R, material.stress(H));
    test.check(dP.infinity_norm() <= 1e-13 * stiffness, "stress") << dP.infinity_norm();
    test.check(std::abs(material.energy(rigid)) <= 1e-14 * stiffness, "energy of a rotation")
      << material.energy(rigid);
    test.check(material.stress(rigid).infinity_norm() <= 1e-14 * stiffness, "stress of a rotation");
    return test;
  }

  //! The functions of the strain agree with those of the displacement gradient
  template<StrainMaterial M>
  TestSuite checkStrainForm(const M& material, double stiffness, std::mt19937& random)
  {
    constexpr int dim = M::dimension;
    TestSuite test("form in the strain");
    const auto H = Test::randomTensor<dim>(random, 0.2);
    const auto E = greenStrain(H), S = material.secondPiola(E);
    test.check(std::abs(material.strainEnergy(E) - material.energy(H)) <= 1e-14 * stiffness,
               "energy");
    test.check((product(identityPlus(H), S) - material.stress(H)).infinity_norm() <=
                 1e-14 * stiffness,
               "stress");
    test.check((S - transposed(S)).infinity_norm() == 0, "symmetric stress");
    const auto G = symmetricPart(Test::randomTensor<dim>(random, 1));
    const double h = 1e-5;
    const double dW = (material.strainEnergy(Test::combined(E, h, G)) -
                       material.strainEnergy(Test::combined(E, -h, G))) /
                      (2 * h);
    test.check(std::abs(dW - contract(S, G)) <= 1e-7 * stiffness, "2 dW/dC")
      << dW << " " << contract(S, G);
    return test;
  }

  //! All that holds for every material
  template<Material M>
  TestSuite checkMaterial(const M& material, const std::string& name, unsigned int seed = 1)
  {
    constexpr int dim = M::dimension;
    std::mt19937 random(seed);
    TestSuite test(name);
    const Tensor<dim> zero(0.0);
    // A modulus of the material: the stress of a unit stretch
    Tensor<dim> stretch(0.0);
    stretch[0][0] = 1;
    const double stiffness = applyTangent<dim>(material.tangent(zero), stretch)[0][0];
    test.check(stiffness > 0, "positive modulus") << stiffness;
    test.check(material.energy(zero) == 0, "no energy at rest");
    test.check(material.stress(zero).infinity_norm() == 0, "no stress at rest");
    for (int trial = 0; trial < 20; ++trial) {
      test.subTest(checkDerivatives(material, stiffness, random));
      test.subTest(checkAveraged(material, stiffness, random));
      if constexpr (M::frameIndifferent)
        test.subTest(checkFrameIndifference(material, stiffness, random));
      if constexpr (StrainMaterial<M>)
        test.subTest(checkStrainForm(material, stiffness, random));
    }
    if constexpr (M::needsPositiveVolume) {
      stretch[0][0] = -1.5;
      test.check(std::isinf(material.energy(stretch)), "infinite energy of an inverted state");
      stretch[0][0] = -1;
      test.check(std::isinf(material.energy(stretch)), "infinite energy of a flat state");
    }
    return test;
  }

} // namespace Dune::Impact

#endif
