// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_MATERIAL_TENSOR_HH
#define DUNE_IMPACT_MATERIAL_TENSOR_HH

#include <cmath>

#include <dune/common/fmatrix.hh>
#include <dune/common/fvector.hh>

/** \file
 * \ingroup impact_material
 * \brief Small tensors and the functions of them that keep their digits near the identity
 *
 * Materials see the displacement gradient H, not F = I + H: strains are then formed without the
 * difference of two numbers near one.
 */

namespace Dune::Impact {

  //! Second-order tensor
  template<int dim>
  using Tensor = FieldMatrix<double, dim, dim>;

  //! c I
  template<int dim>
  Tensor<dim> scaledIdentity(double c)
  {
    Tensor<dim> I(0.0);
    for (int i = 0; i < dim; ++i)
      I[i][i] = c;
    return I;
  }

  //! I + H
  template<int dim>
  Tensor<dim> identityPlus(Tensor<dim> H)
  {
    for (int i = 0; i < dim; ++i)
      H[i][i] += 1;
    return H;
  }

  //! A B
  template<int dim>
  Tensor<dim> product(const Tensor<dim>& A, const Tensor<dim>& B)
  {
    Tensor<dim> AB;
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j) {
        double sum = 0;
        for (int k = 0; k < dim; ++k)
          sum += A[i][k] * B[k][j];
        AB[i][j] = sum;
      }
    return AB;
  }

  //! A B^T
  template<int dim>
  Tensor<dim> productTransposed(const Tensor<dim>& A, const Tensor<dim>& B)
  {
    Tensor<dim> AB;
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j) {
        double sum = 0;
        for (int k = 0; k < dim; ++k)
          sum += A[i][k] * B[j][k];
        AB[i][j] = sum;
      }
    return AB;
  }

  //! a . b
  template<int dim>
  double inner(const FieldVector<double, dim>& a, const FieldVector<double, dim>& b)
  {
    double sum = 0;
    for (int i = 0; i < dim; ++i)
      sum += a[i] * b[i];
    return sum;
  }

  //! A b
  template<int dim>
  FieldVector<double, dim> product(const Tensor<dim>& A, const FieldVector<double, dim>& b)
  {
    FieldVector<double, dim> c;
    for (int i = 0; i < dim; ++i) {
      double sum = 0;
      for (int k = 0; k < dim; ++k)
        sum += A[i][k] * b[k];
      c[i] = sum;
    }
    return c;
  }

  //! A : B
  template<int dim>
  double contract(const Tensor<dim>& A, const Tensor<dim>& B)
  {
    double sum = 0;
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j)
        sum += A[i][j] * B[i][j];
    return sum;
  }

  //! tr A
  template<int dim>
  double trace(const Tensor<dim>& A)
  {
    double sum = 0;
    for (int i = 0; i < dim; ++i)
      sum += A[i][i];
    return sum;
  }

  //! (A + A^T)/2
  template<int dim>
  Tensor<dim> symmetricPart(const Tensor<dim>& A)
  {
    Tensor<dim> B;
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j)
        B[i][j] = 0.5 * (A[i][j] + A[j][i]);
    return B;
  }

  //! (A + B)/2
  template<int dim>
  Tensor<dim> mean(const Tensor<dim>& A, const Tensor<dim>& B)
  {
    Tensor<dim> C;
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j)
        C[i][j] = 0.5 * (A[i][j] + B[i][j]);
    return C;
  }

  //! Green strain E = (F^T F - I)/2 = sym H + H^T H/2
  template<int dim>
  Tensor<dim> greenStrain(const Tensor<dim>& H)
  {
    Tensor<dim> E;
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j <= i; ++j) {
        double sum = H[i][j] + H[j][i];
        for (int k = 0; k < dim; ++k)
          sum += H[k][i] * H[k][j];
        E[i][j] = E[j][i] = 0.5 * sum;
      }
    return E;
  }

  //! Principal invariants: det(I + t X) = 1 + t first + t^2 second + t^3 third
  struct Invariants
  {
    double first, second, third;
  };

  template<int dim>
  Invariants invariants(const Tensor<dim>& X)
  {
    if constexpr (dim == 2)
      return {X[0][0] + X[1][1], X[0][0] * X[1][1] - X[0][1] * X[1][0], 0};
    else {
      const double c00 = X[1][1] * X[2][2] - X[1][2] * X[2][1];
      const double c01 = X[1][2] * X[2][0] - X[1][0] * X[2][2];
      const double c02 = X[1][0] * X[2][1] - X[1][1] * X[2][0];
      const double minors =
        X[0][0] * X[1][1] - X[0][1] * X[1][0] + X[0][0] * X[2][2] - X[0][2] * X[2][0];
      return {X[0][0] + X[1][1] + X[2][2], minors + c00,
              X[0][0] * c00 + X[0][1] * c01 + X[0][2] * c02};
    }
  }

  //! det(I + H) - 1
  template<int dim>
  double volumeChange(const Tensor<dim>& H)
  {
    const auto [first, second, third] = invariants(H);
    return first + second + third;
  }

  //! A^{-1} by cofactors
  template<int dim>
  Tensor<dim> inverse(const Tensor<dim>& A)
  {
    Tensor<dim> B;
    if constexpr (dim == 2) {
      const double f = 1 / (A[0][0] * A[1][1] - A[0][1] * A[1][0]);
      B = {{f * A[1][1], -f * A[0][1]}, {-f * A[1][0], f * A[0][0]}};
    }
    else {
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
          B[i][j] = A[a][c] * A[b][d] - A[a][d] * A[b][c];
        }
      B *= 1 / (A[0][0] * B[0][0] + A[0][1] * B[1][0] + A[0][2] * B[2][0]);
    }
    return B;
  }

  //! A^T
  template<int dim>
  Tensor<dim> transposed(const Tensor<dim>& A)
  {
    Tensor<dim> B;
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j)
        B[i][j] = A[j][i];
    return B;
  }

  /** \brief artanh(r) - r = r^3/3 + r^5/5 + ...
   *
   * The series is used where its ten terms are exact to round-off.
   */
  inline double artanhMinusArgument(double r)
  {
    const double s = r * r;
    if (s > 0.02)
      return std::atanh(r) - r;
    double sum = 0;
    for (int k = 21; k >= 3; k -= 2)
      sum = sum * s + 1.0 / k;
    return sum * s * r;
  }

  /** \brief x - log(1 + x) without cancellation
   *
   * With r = x/(2 + x) one has log(1 + x) = 2 artanh(r) and x - 2r = r x.
   */
  inline double argumentMinusLog1p(double x)
  {
    const double r = x / (2 + x);
    return r * r <= 0.02 ? r * x - 2 * artanhMinusArgument(r) : x - std::log1p(x);
  }

} // namespace Dune::Impact

#endif
