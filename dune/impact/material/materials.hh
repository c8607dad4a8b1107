// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_MATERIAL_MATERIALS_HH
#define DUNE_IMPACT_MATERIAL_MATERIALS_HH

#include <cmath>
#include <limits>
#include <variant>

#include <dune/impact/material/custommaterial.hh>
#include <dune/impact/material/discretegradient.hh>
#include <dune/impact/material/tangent.hh>
#include <dune/impact/material/tensor.hh>

/** \file
 * \ingroup impact_material
 * \brief Stored-energy densities
 *
 * All functions take the displacement gradient H = F - I. In two dimensions the state is plane
 * strain: F_33 = 1, and the energy is per unit thickness.
 *
 * Besides the derivatives at one configuration each material has an averaged stress P(H0, H1)
 * of two configurations with
 *
 *     P(H0, H1) : (H1 - H0) = W(H1) - W(H0)      to round-off,
 *
 * the stress of the dissipative midpoint rule. For energies of the strain it has the form
 * (F0 + F1)/2 S with symmetric S, so that the forces have no moment about the mean positions.
 */

namespace Dune::Impact {

  //! The constants of isotropic elasticity
  struct Lame
  {
    double lambda, mu;

    static Lame fromYoung(double young, double poisson)
    {
      return {young * poisson / ((1 + poisson) * (1 - 2 * poisson)), young / (2 * (1 + poisson))};
    }
  };

  //! lambda tr(E) I + 2 mu E
  template<int dim>
  Tensor<dim> hooke(const Lame& lame, Tensor<dim> E)
  {
    const double pressure = lame.lambda * trace(E);
    E *= 2 * lame.mu;
    for (int i = 0; i < dim; ++i)
      E[i][i] += pressure;
    return E;
  }

  /** \brief W = E : C : E / 2 with the linear strain E = sym H
   *
   * For small displacements and rotations only: a rotation stores energy.
   */
  template<int dim>
  struct LinearElastic
  {
    static constexpr int dimension = dim;
    static constexpr bool frameIndifferent = false;
    static constexpr bool needsPositiveVolume = false;
    using Tangent = IsotropicTangent<dim>;

    Lame lame;

    double energy(const Tensor<dim>& H) const
    {
      const Tensor<dim> E = symmetricPart(H);
      return 0.5 * contract(E, hooke(lame, E));
    }

    Tensor<dim> stress(const Tensor<dim>& H) const { return hooke(lame, symmetricPart(H)); }

    Tangent tangent(const Tensor<dim>&) const
    {
      const auto I = scaledIdentity<dim>(1);
      return {lame.lambda, lame.mu, I, I, scaledIdentity<dim>(lame.mu), Tensor<dim>(0.0)};
    }

    Tensor<dim> averagedStress(const Tensor<dim>& H0, const Tensor<dim>& H1) const
    {
      return stress(mean(H0, H1));
    }

    Tangent averagedTangent(const Tensor<dim>& H0, const Tensor<dim>&) const
    {
      Tangent t = tangent(H0);
      return t *= 0.5;
    }
  };

  /** \brief W = E : C : E / 2 with the Green strain E
   *
   * The averaged stress is that of Simo and Tarnow, S = (S(E0) + S(E1))/2. There is no barrier
   * against compression to zero volume.
   */
  template<int dim>
  struct StVenantKirchhoff
  {
    static constexpr int dimension = dim;
    static constexpr bool frameIndifferent = true;
    static constexpr bool needsPositiveVolume = false;
    using Tangent = IsotropicTangent<dim>;

    Lame lame;

    double strainEnergy(const Tensor<dim>& E) const { return 0.5 * contract(E, hooke(lame, E)); }
    Tensor<dim> secondPiola(const Tensor<dim>& E) const { return hooke(lame, E); }

    double energy(const Tensor<dim>& H) const { return strainEnergy(greenStrain(H)); }
    Tensor<dim> stress(const Tensor<dim>& H) const
    {
      return product(identityPlus(H), secondPiola(greenStrain(H)));
    }
    Tangent tangent(const Tensor<dim>& H) const { return tangent(H, secondPiola(greenStrain(H))); }

    //! Symmetric S with S : (E1 - E0) = W(E1) - W(E0)
    Tensor<dim> averagedSecondPiola(const Tensor<dim>& E0, const Tensor<dim>& E1) const
    {
      return hooke(lame, mean(E0, E1));
    }

    Tensor<dim> averagedStress(const Tensor<dim>& H0, const Tensor<dim>& H1) const
    {
      return product(identityPlus(mean(H0, H1)),
                     averagedSecondPiola(greenStrain(H0), greenStrain(H1)));
    }

    //! Symmetric surrogate of dP(H0, H1)/dH1: F1 is replaced by the mean of F0 and F1
    Tangent averagedTangent(const Tensor<dim>& H0, const Tensor<dim>& H1) const
    {
      Tangent t = tangent(mean(H0, H1), averagedSecondPiola(greenStrain(H0), greenStrain(H1)));
      return t *= 0.5;
    }

  private:
    // sym(g_a (x) F_i) : C : sym(g_b (x) F_k) + delta_ik g_a . S g_b
    Tangent tangent(const Tensor<dim>& H, const Tensor<dim>& S) const
    {
      const Tensor<dim> F = identityPlus(H);
      Tensor<dim> B = productTransposed(F, F);
      B *= lame.mu;
      return {lame.lambda, lame.mu, F, scaledIdentity<dim>(1), B, S};
    }
  };

  /** \brief W = mu/2 (tr C - dim) - mu ln J + lambda/2 (ln J)^2
   *
   * Compressible neo-Hooke; infinite where J = det F <= 0. With y = det C - 1 and C = I + 2E
   *
   *     W = mu (tr E - ln(1 + y)/2) + lambda/8 ln(1 + y)^2,
   *     S = 2 mu C^{-1} E + lambda/2 ln(1 + y) C^{-1}.
   */
  template<int dim>
  struct NeoHooke
  {
    static constexpr int dimension = dim;
    static constexpr bool frameIndifferent = true;
    static constexpr bool needsPositiveVolume = true;
    using Tangent = IsotropicTangent<dim>;

    Lame lame;

    double strainEnergy(const Tensor<dim>& E) const
    {
      const auto [first, second, third] = strainInvariants(E);
      const double y = first + second + third, L = std::log1p(y);
      return 0.5 * lame.mu * (argumentMinusLog1p(y) - second - third) + 0.125 * lame.lambda * L * L;
    }

    Tensor<dim> secondPiola(const Tensor<dim>& E) const
    {
      const auto [first, second, third] = strainInvariants(E);
      const Tensor<dim> inverseC = inverse(cauchyGreen(E));
      Tensor<dim> S = symmetricPart(product(inverseC, E));
      S *= 2 * lame.mu;
      S.axpy(0.5 * lame.lambda * std::log1p(first + second + third), inverseC);
      return S;
    }

    double energy(const Tensor<dim>& H) const
    {
      if (!(volumeChange(H) > -1))
        return std::numeric_limits<double>::infinity();
      return strainEnergy(greenStrain(H));
    }

    Tensor<dim> stress(const Tensor<dim>& H) const
    {
      return product(identityPlus(H), secondPiola(greenStrain(H)));
    }

    // lambda q_a q_b^T + (mu - lambda ln J) q_b q_a^T + mu (g_a . g_b) I,  q = F^{-T} g
    Tangent tangent(const Tensor<dim>& H) const
    {
      const Tensor<dim> zero(0.0);
      const double m = lame.mu - lame.lambda * std::log1p(volumeChange(H));
      return {lame.lambda, m,    transposed(inverse(identityPlus(H))),
              zero,        zero, scaledIdentity<dim>(lame.mu)};
    }

    Tensor<dim> averagedSecondPiola(const Tensor<dim>& E0, const Tensor<dim>& E1) const
    {
      return gonzalezStress(*this, E0, E1);
    }

    Tensor<dim> averagedStress(const Tensor<dim>& H0, const Tensor<dim>& H1) const
    {
      return product(identityPlus(mean(H0, H1)),
                     averagedSecondPiola(greenStrain(H0), greenStrain(H1)));
    }

    /** \brief Symmetric surrogate of dP(H0, H1)/dH1
     *
     * Half of T : C(E_a) : T + g_a . S g_b I with T = sym(g (x) F_m), the moduli at the mean
     * strain E_a and the averaged stress S; the derivative of the quotient in S is left out.
     */
    Tangent averagedTangent(const Tensor<dim>& H0, const Tensor<dim>& H1) const
    {
      const Tensor<dim> E0 = greenStrain(H0), E1 = greenStrain(H1), Ea = mean(E0, E1);
      const Tensor<dim> F = identityPlus(mean(H0, H1)), inverseC = inverse(cauchyGreen(Ea));
      const auto [first, second, third] = strainInvariants(Ea);
      const double m = lame.mu - 0.5 * lame.lambda * std::log1p(first + second + third);
      const Tensor<dim> A = product(F, inverseC);
      Tensor<dim> B = productTransposed(A, F);
      B *= m;
      Tangent t{lame.lambda, m, A, inverseC, B, averagedSecondPiola(E0, E1)};
      return t *= 0.5;
    }

    /** \brief W(E1) - W(E0) - S(E_a) : D for D = E1 - E0 and the mean E_a, of third order in D
     *
     * With X = 2 C_a^{-1} D and its invariants a1, a2, a3 let L = ln det(I +- X/2). The
     * difference and the sum of the two are 2 artanh(r) and ln(1 + s) with
     *
     *     r = (a1 + a3/4)/(2 + a2/2),   s = a2/2 + a2^2/16 - (a1/2 + a3/8)^2,
     *
     * and the defect is (lambda/4 ln det C_a - mu/2)(2 artanh(r) - a1) + lambda/4 artanh(r) ln(1 +
     * s), where 2 artanh(r) - a1 = 2 (artanh(r) - r) + (a3 - a1 a2)/(4 + a2). Nothing cancels.
     */
    double gradientDefect(const Tensor<dim>& Ea, const Tensor<dim>& D) const
    {
      const auto [first, second, third] = strainInvariants(Ea);
      Tensor<dim> X = product(inverse(cauchyGreen(Ea)), D);
      X *= 2;
      const auto [a1, a2, a3] = invariants(X);
      const double r = (a1 + 0.25 * a3) / (2 + 0.5 * a2), odd = 0.5 * a1 + 0.125 * a3;
      const double cubic = 2 * artanhMinusArgument(r) + (a3 - a1 * a2) / (4 + a2);
      const double sum = std::log1p(0.5 * a2 + 0.0625 * a2 * a2 - odd * odd);
      return (0.25 * lame.lambda * std::log1p(first + second + third) - 0.5 * lame.mu) * cubic +
             0.25 * lame.lambda * std::atanh(r) * sum;
    }

  private:
    static Tensor<dim> cauchyGreen(Tensor<dim> E)
    {
      E *= 2;
      return identityPlus(E);
    }

    //! Invariants of 2E: their sum is det C - 1
    static Invariants strainInvariants(Tensor<dim> E)
    {
      E *= 2;
      return invariants(E);
    }
  };

  //! One of the materials, or one of another module; loops over cells are inside of std::visit
  template<int dim>
  using AnyMaterial =
    std::variant<StVenantKirchhoff<dim>, NeoHooke<dim>, LinearElastic<dim>, CustomMaterial<dim>>;

} // namespace Dune::Impact

#endif
