// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_HOURGLASS_HH
#define DUNE_IMPACT_BODY_HOURGLASS_HH

#include <array>

#include <dune/impact/body/elementkernel.hh>
#include <dune/impact/grid/solidmesh.hh>
#include <dune/impact/material/materials.hh>
#include <dune/impact/material/tensor.hh>

/** \file
 * \ingroup impact_body
 * \brief The hourglass energy of cubes with one integration point
 */

namespace Dune::Impact {

  /** \brief Energy of the motions of a cube that its mean deformation gradient does not see
   *
   * A cube with one integration point sees only the mean F = I + sum u_a (x) B_a with the mean
   * gradients B_a = 1/V int grad N_a. Bending and twisting change nothing in it. Their sizes are
   * the hourglass vectors
   *
   *     h_I = sum_a gamma_Ia x_a,   gamma_Ia = Gamma_Ia - M_I . B_a,   M_I = sum_a Gamma_Ia X_a
   *
   * of the sign patterns Gamma_I: products of two or three of the signs of the local coordinates.
   * gamma_I is orthogonal to affine fields, so h_I vanishes in every homogeneous deformation, also
   * of distorted cells. The moments M_I of a parallelepiped are zero. With p_I = F^T h_I, which
   * does not change when the body turns, the energy of a cell is
   *
   *     W = V w(F) + 1/2 p . K p.
   *
   * K holds the bending stiffness of the linear cell with incompatible modes, condensed and
   * projected to the patterns. It is positive definite for every F, so that there is no hourglass
   * instability, and its bulk modulus is bounded, lambda_hg = min(lambda, 3/2 mu), so that nearly
   * incompressible bodies bend as they should.
   *
   * Small strains (LinearElastic) take p_I = h_I.
   */
  template<int dim>
  class Hourglass
  {
  public:
    static constexpr int corners = 1 << dim;
    static constexpr int patterns = dim == 2 ? 1 : 4;
    static constexpr int modes = patterns * dim; //!< numbers in p

    using Vector = FieldVector<double, dim>;
    using Vectors = std::array<Vector, patterns>;

    /** \brief Hourglass vectors and their energy conjugates of a deformation
     *
     * The force on a corner is sum_I (h_I (x) q_I) B_a + gamma_Ia F q_I.
     */
    struct State
    {
      Tensor<dim> H; //!< F - I
      Vectors h, q;
    };

    Hourglass() = default;

    //! For a cell of a mesh and the Lamé constants of small strains
    Hourglass(const SolidMesh<dim>& mesh, const std::array<Index, corners>& cell, const Lame& lame);

    //! h_I = sum_a Gamma_Ia u_a - H M_I for displacements of the nodes with the mean gradient H
    Vectors vectors(const std::array<Index, corners>& cell, const double* u,
                    const Tensor<dim>& H) const;

    //! F^T h_I
    static Vectors turnedBack(const Tensor<dim>& H, const Vectors& h);

    //! K p
    Vectors conjugate(const Vectors& p) const;

    //! 1/2 p . K p
    double energy(const Vectors& p) const;

    const Vector& moment(int pattern) const { return moment_[pattern]; }
    double stiffness(int i, int j) const { return K_[i][j]; }

    //! Gamma_Ia
    static int sign(int pattern, int corner) { return hourglassSign<dim>(pattern, corner); }

    //! f_a += weight (sum_I (h_I (x) q_I) B_a + gamma_Ia F q_I); small strains: F = I, no first
    //! part
    void addForce(const State& s, const std::array<Vector, corners>& B, bool smallStrain,
                  double weight, std::array<Vector, corners>& f) const;

    /** \brief Blocks of the upper triangle of a symmetric tangent, row by row
     *
     *     K_ab += weight (J_a K J_b^T + sum_I (gamma_Ib B_a . q_I + gamma_Ia B_b . q_I) I)
     *
     * with the derivatives J_a = dp/dx_a. At a state of two configurations this is the surrogate
     * in which the derivative of p at the second is replaced by that at the mean.
     */
    void addTangent(const State& s, const std::array<Vector, corners>& B, bool smallStrain,
                    double weight, std::array<Tensor<dim>, corners*(corners + 1) / 2>& upper) const;

  private:
    Vectors moment_;
    std::array<std::array<double, modes>, modes> K_;
  };

  extern template class Hourglass<2>;
  extern template class Hourglass<3>;

} // namespace Dune::Impact

#endif
