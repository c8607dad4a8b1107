// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_MATERIAL_DISCRETEGRADIENT_HH
#define DUNE_IMPACT_MATERIAL_DISCRETEGRADIENT_HH

#include <array>
#include <limits>

#include <dune/impact/material/tensor.hh>

/** \file
 * \ingroup impact_material
 * \brief Stresses of two strains that do exactly the work of the stored energy
 */

namespace Dune::Impact {

  /** \brief W(E1) - W(E0) - S(E_a) : D for a material that has no closed form of it
   *
   * For large D this is the plain difference. For small D, where that is round-off, it is
   *
   *     int_0^{1/2} (S(E_a + tD) + S(E_a - tD) - 2 S(E_a)) : D dt
   *
   * by Gauss points: the integrand is even and of second order in t, the error is of order
   * |D|^7 and the round-off is that of S times D instead of that of W.
   */
  template<class Material, int dim>
  double gradientDefect(const Material& material, const Tensor<dim>& Ea, const Tensor<dim>& D)
  {
    const Tensor<dim> Sa = material.secondPiola(Ea);
    const auto at = [&](double t) {
      Tensor<dim> E = Ea;
      return E.axpy(t, D), E;
    };
    if (contract(D, D) > 1e-6)
      return material.strainEnergy(at(0.5)) - material.strainEnergy(at(-0.5)) - contract(Sa, D);
    // Three Gauss points of [-1/2, 1/2]; the one in the middle contributes nothing
    const double t = 0.38729833462074168852; // sqrt(3/5)/2
    Tensor<dim> sum = material.secondPiola(at(t));
    sum += material.secondPiola(at(-t));
    sum.axpy(-2, Sa);
    return 5.0 / 18.0 * contract(sum, D);
  }

  /** \brief Discrete gradient of Gonzalez in the strain
   *
   *     S = S(E_a) + [W(E1) - W(E0) - S(E_a) : D] / |D|^2  D,    D = E1 - E0,  E_a = (E0 + E1)/2
   *
   * so that S : D = W(E1) - W(E0). The defect in brackets is of third order; a member function
   * gradientDefect() of the material is used if there is one.
   */
  template<class Material, int dim>
  Tensor<dim> gonzalezStress(const Material& material, const Tensor<dim>& E0, const Tensor<dim>& E1)
  {
    const Tensor<dim> Ea = mean(E0, E1);
    const Tensor<dim> D = E1 - E0;
    Tensor<dim> S = material.secondPiola(Ea);
    const double square = contract(D, D);
    if (square < std::numeric_limits<double>::min())
      return S;
    double defect;
    if constexpr (requires { material.gradientDefect(Ea, D); })
      defect = material.gradientDefect(Ea, D);
    else
      defect = gradientDefect(material, Ea, D);
    return S.axpy(defect / square, D), S;
  }

} // namespace Dune::Impact

#endif
