// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_MATERIAL_TANGENT_HH
#define DUNE_IMPACT_MATERIAL_TANGENT_HH

#include <dune/impact/material/tensor.hh>

/** \file
 * \ingroup impact_material
 * \brief The tangent of an isotropic material, kept as the few tensors it is made of
 */

namespace Dune::Impact {

  /** \brief Symmetric tangent dP/dF of an isotropic material
   *
   * The contraction with the gradients g_a, g_b of two shape functions is the block
   *
   *     K_ab = lambda p_a p_b^T + mu p_b p_a^T + (g_a . R g_b) B + (g_a . Q g_b) I,   p = A g
   *
   * with symmetric R, B, Q, hence K_ba = K_ab^T. What depends on one gradient only is formed
   * once per node by direction(). The fourth-order tensor itself is never stored.
   */
  template<int dim>
  struct IsotropicTangent
  {
    using Vector = FieldVector<double, dim>;

    double lambda, mu;
    Tensor<dim> A, R, B, Q;

    //! What depends on the gradient of one shape function
    struct Direction
    {
      Vector g, p, r, q; //!< g, A g, R g, Q g
    };

    Direction direction(const Vector& g) const
    {
      return {g, product(A, g), product(R, g), product(Q, g)};
    }

    //! Add weight * K_ab
    void addBlock(const Direction& a, const Direction& b, double weight, Tensor<dim>& K) const
    {
      const double beta = weight * inner(a.g, b.r), gamma = weight * inner(a.g, b.q);
      const double l = weight * lambda, m = weight * mu;
      for (int i = 0; i < dim; ++i) {
        for (int k = 0; k < dim; ++k)
          K[i][k] += l * a.p[i] * b.p[k] + m * b.p[i] * a.p[k] + beta * B[i][k];
        K[i][i] += gamma;
      }
    }

    IsotropicTangent& operator*=(double factor)
    {
      lambda *= factor;
      mu *= factor;
      B *= factor;
      Q *= factor;
      return *this;
    }
  };

  /** \brief The action dP = (dP/dF) G of any tangent that has direction() and addBlock()
   *
   * Column J of dP is the sum over L of K(e_J, e_L) G e_L. For tests and output, not for loops
   * over cells.
   */
  template<int dim, class Tangent>
  Tensor<dim> applyTangent(const Tangent& tangent, const Tensor<dim>& G)
  {
    Tensor<dim> dP(0.0);
    for (int J = 0; J < dim; ++J)
      for (int L = 0; L < dim; ++L) {
        FieldVector<double, dim> eJ(0.0), eL(0.0);
        eJ[J] = eL[L] = 1;
        Tensor<dim> K(0.0);
        tangent.addBlock(tangent.direction(eJ), tangent.direction(eL), 1, K);
        for (int i = 0; i < dim; ++i)
          for (int k = 0; k < dim; ++k)
            dP[i][J] += K[i][k] * G[k][L];
      }
    return dP;
  }

} // namespace Dune::Impact

#endif
