// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_DOWNSTREAM_FIBRES_HH
#define DUNE_IMPACT_DOWNSTREAM_FIBRES_HH

#include <dune/impact/scenario/registry.hh>

/** \file
 * \brief A material of one's own: rubber with fibres in one direction
 */

using namespace Dune::Impact;

//! dP/dF: that of the rubber, and of the fibres k (g_a . a) (g_b . a) (F a) (F a)^T
template<int dim>
struct FibreTangent
{
  using Vector = Dune::FieldVector<double, dim>;

  IsotropicTangent<dim> rubber;
  double stiffness;
  Vector fibre, Fa;

  struct Direction
  {
    typename IsotropicTangent<dim>::Direction rubber;
    double along;
  };

  Direction direction(const Vector& g) const { return {rubber.direction(g), g * fibre}; }

  void addBlock(const Direction& a, const Direction& b, double weight, Tensor<dim>& K) const
  {
    rubber.addBlock(a.rubber, b.rubber, weight, K);
    for (int i = 0; i < dim; ++i)
      for (int k = 0; k < dim; ++k)
        K[i][k] += weight * stiffness * a.along * b.along * Fa[i] * Fa[k];
  }
};

/** \brief W = E : C : E / 2 + k/2 (a . E a)^2 with the Green strain E and fibres along the unit
 * vector a
 *
 * W is quadratic in E, so the stress at the mean strain does exactly the work of W.
 */
template<int dim>
struct Fibres
{
  static constexpr int dimension = dim;
  static constexpr bool frameIndifferent = true;
  static constexpr bool needsPositiveVolume = false;

  Lame lame;
  double stiffness;
  Dune::FieldVector<double, dim> fibre;

  double along(const Tensor<dim>& E) const { return fibre * product(E, fibre); }

  double strainEnergy(const Tensor<dim>& E) const
  {
    return 0.5 * contract(E, hooke(lame, E)) + 0.5 * stiffness * along(E) * along(E);
  }

  //! S = C : E + k (a . E a) a a^T
  Tensor<dim> secondPiola(const Tensor<dim>& E) const
  {
    Tensor<dim> S = hooke(lame, E);
    const double tension = stiffness * along(E);
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j)
        S[i][j] += tension * (fibre[i] * fibre[j]);
    return S;
  }

  Tensor<dim> averagedSecondPiola(const Tensor<dim>& E0, const Tensor<dim>& E1) const
  {
    return secondPiola(mean(E0, E1));
  }

  double energy(const Tensor<dim>& H) const { return strainEnergy(greenStrain(H)); }
  Tensor<dim> stress(const Tensor<dim>& H) const
  {
    return product(identityPlus(H), secondPiola(greenStrain(H)));
  }
  FibreTangent<dim> tangent(const Tensor<dim>& H) const
  {
    return scaledTangent(1, H, secondPiola(greenStrain(H)));
  }

  Tensor<dim> averagedStress(const Tensor<dim>& H0, const Tensor<dim>& H1) const
  {
    return product(identityPlus(mean(H0, H1)),
                   averagedSecondPiola(greenStrain(H0), greenStrain(H1)));
  }

  FibreTangent<dim> averagedTangent(const Tensor<dim>& H0, const Tensor<dim>& H1) const
  {
    return scaledTangent(0.5, mean(H0, H1), averagedSecondPiola(greenStrain(H0), greenStrain(H1)));
  }

  //! P_33 of plane strain, for pictures; fibres are in the plane
  double stressAcross(const Tensor<dim>& H) const { return lame.lambda * trace(greenStrain(H)); }

private:
  FibreTangent<dim> scaledTangent(double factor, const Tensor<dim>& H, const Tensor<dim>& S) const
  {
    const Tensor<dim> F = identityPlus(H);
    Tensor<dim> B = productTransposed(F, F);
    B *= lame.mu;
    IsotropicTangent<dim> rubber{lame.lambda, lame.mu, F, scaledIdentity<dim>(1), B, S};
    return {rubber *= factor, factor * stiffness, fibre, product(F, fibre)};
  }
};

//! Read from the section of a solid
template<int dim>
AnyMaterial<dim> readFibres(const Section& section)
{
  const auto given = section.reals("fibre-direction");
  Dune::FieldVector<double, dim> fibre;
  std::copy_n(given.begin(), dim, fibre.begin());
  if (!(fibre.two_norm() > 0))
    section.fail("fibre-direction", "must not be zero");
  return CustomMaterial<dim>(
    Fibres<dim>{readLame(section), section.real("fibre-stiffness"), fibre / fibre.two_norm()});
}

//! `material = fibres` in scenario files
inline MaterialType fibreMaterial()
{
  return {.name = "fibres",
          .keys = {{.name = "fibre-stiffness",
                    .meaning = "force per area and strain of the fibres",
                    .unit = "M/(L^(d-2) T^2)",
                    .kind = Kind::positive,
                    .required = true},
                   {.name = "fibre-direction",
                    .meaning = "direction of the fibres in the mesh",
                    .unit = "1",
                    .kind = Kind::vector,
                    .required = true}},
          .plane = readFibres<2>,
          .space = readFibres<3>};
}

#endif
