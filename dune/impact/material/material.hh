// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_MATERIAL_MATERIAL_HH
#define DUNE_IMPACT_MATERIAL_MATERIAL_HH

#include <concepts>

#include <dune/impact/material/tensor.hh>

/** \file
 * \ingroup impact_material
 * \brief What a stored-energy density must offer
 */

namespace Dune::Impact {

  //! dP/dF contracted with the gradients of two shape functions
  template<class T, int dim>
  concept MaterialTangent = requires(const T& tangent, FieldVector<double, dim> g, Tensor<dim>& K) {
    tangent.addBlock(tangent.direction(g), tangent.direction(g), 1.0, K);
  };

  /** \brief A stored-energy density as a function of the displacement gradient
   *
   * checkMaterial() in dune/impact/material/test/checkmaterial.hh tests that the functions fit
   * together. The tangents are symmetric: addBlock(b, a) gives the transposed block.
   */
  template<class M>
  concept Material = requires(const M& material, const Tensor<M::dimension>& H) {
    { M::frameIndifferent } -> std::convertible_to<bool>;
    { M::needsPositiveVolume } -> std::convertible_to<bool>;
    { material.energy(H) } -> std::same_as<double>;
    { material.stress(H) } -> std::same_as<Tensor<M::dimension>>;
    { material.tangent(H) } -> MaterialTangent<M::dimension>;
    { material.averagedStress(H, H) } -> std::same_as<Tensor<M::dimension>>;
    { material.averagedTangent(H, H) } -> MaterialTangent<M::dimension>;
  };

  //! A material whose energy is a function of the Green strain
  template<class M>
  concept StrainMaterial =
    Material<M> && requires(const M& material, const Tensor<M::dimension>& E) {
      { material.strainEnergy(E) } -> std::same_as<double>;
      { material.secondPiola(E) } -> std::same_as<Tensor<M::dimension>>;
      { material.averagedSecondPiola(E, E) } -> std::same_as<Tensor<M::dimension>>;
    };

} // namespace Dune::Impact

#endif
