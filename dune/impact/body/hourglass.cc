// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>

#include <Eigen/Dense>

#include <dune/impact/body/hourglass.hh>
#include <dune/impact/body/shapefunctions.hh>

namespace Dune::Impact {

  namespace {

    /* Linear stiffness between fields with the gradients g_I of one integration point, for each
     * component of both: K_{IA,JB} += weight (lambda g_IA g_JB + mu (g_IB g_JA + delta_AB g_I .
     * g_J))
     */
    template<int dim, std::size_t n, class Matrix>
    void addStiffness(const std::array<FieldVector<double, dim>, n>& g, const Lame& lame,
                      double weight, Matrix& K)
    {
      for (std::size_t I = 0; I < n; ++I)
        for (std::size_t J = 0; J < n; ++J) {
          const double product = inner(g[I], g[J]);
          for (int A = 0; A < dim; ++A)
            for (int B = 0; B < dim; ++B)
              K(I * dim + A, J * dim + B) +=
                weight * (lame.lambda * g[I][A] * g[J][B] +
                          lame.mu * (g[I][B] * g[J][A] + (A == B ? product : 0)));
        }
    }

  } // namespace

  /* Fields of the cell: one per pattern, sum_a Gamma_Ia N_a/2^dim, and one incompatible mode per
   * direction with the gradient (j_0/j) J_0^{-T} (2 xi_k - 1) e_k, where j and J are the
   * determinant and the matrix of the map from local coordinates and j_0, J_0 those in the centre.
   * The modes carry no force: K = K_hh - K_hm K_mm^{-1} K_mh. */
  template<int dim>
  Hourglass<dim>::Hourglass(const SolidMesh<dim>& mesh, const std::array<Index, corners>& cell,
                            const Lame& lame)
  {
    constexpr int fields = modes + dim * dim;
    for (int I = 0; I < patterns; ++I) {
      moment_[I] = 0.0;
      for (int a = 1; a < corners; ++a)
        moment_[I].axpy(sign(I, a), mesh.nodes[cell[a]] - mesh.nodes[cell[0]]);
    }
    const auto centre = shapeGradients<dim, corners>(mesh, cell, Vector(0.5));
    // The gradients of the local coordinates there, columns of J_0^{-T}
    std::array<Vector, dim> axis;
    for (int k = 0; k < dim; ++k) {
      axis[k] = 0.0;
      for (int a = 0; a < corners; ++a)
        axis[k].axpy(a >> k & 1 ? 1 : 0, centre.gradient[a]);
    }
    const Lame bounded{std::min(lame.lambda, 1.5 * lame.mu), lame.mu};
    Eigen::Matrix<double, fields, fields> K = Eigen::Matrix<double, fields, fields>::Zero();
    for (int q = 0; q < corners; ++q) {
      const Vector xi = gaussPoint<dim>(q);
      const auto map = shapeGradients<dim, corners>(mesh, cell, xi);
      std::array<Vector, std::size_t(patterns + dim)> g;
      for (int I = 0; I < patterns; ++I) {
        g[I] = 0.0;
        for (int a = 0; a < corners; ++a)
          g[I].axpy(sign(I, a) / double(corners), map.gradient[a]);
      }
      for (int k = 0; k < dim; ++k) {
        g[patterns + k] = axis[k];
        g[patterns + k] *= centre.determinant / map.determinant * (2 * xi[k] - 1);
      }
      addStiffness(g, bounded, map.determinant / corners, K);
    }
    constexpr int extra = dim * dim;
    const Eigen::Matrix<double, extra, extra> mm = K.template bottomRightCorner<extra, extra>();
    const Eigen::Matrix<double, extra, modes> mh = K.template bottomLeftCorner<extra, modes>();
    const Eigen::Matrix<double, modes, modes> condensed =
      K.template topLeftCorner<modes, modes>() - mh.transpose() * mm.ldlt().solve(mh);
    for (int i = 0; i < modes; ++i)
      for (int j = 0; j < modes; ++j)
        K_[i][j] = 0.5 * (condensed(i, j) + condensed(j, i));
  }

  template<int dim>
  auto Hourglass<dim>::vectors(const std::array<Index, corners>& cell, const double* u,
                               const Tensor<dim>& H) const -> Vectors
  {
    Vectors h;
    for (int I = 0; I < patterns; ++I) {
      h[I] = product(H, moment_[I]);
      h[I] *= -1;
      for (int a = 1; a < corners; ++a)
        for (int i = 0; i < dim; ++i)
          h[I][i] += sign(I, a) * (u[cell[a] * dim + i] - u[cell[0] * dim + i]);
    }
    return h;
  }

  template<int dim>
  auto Hourglass<dim>::turnedBack(const Tensor<dim>& H, const Vectors& h) -> Vectors
  {
    Vectors p = h;
    for (int I = 0; I < patterns; ++I)
      for (int A = 0; A < dim; ++A)
        for (int i = 0; i < dim; ++i)
          p[I][A] += H[i][A] * h[I][i];
    return p;
  }

  template<int dim>
  auto Hourglass<dim>::conjugate(const Vectors& p) const -> Vectors
  {
    Vectors q;
    for (int i = 0; i < modes; ++i) {
      double sum = 0;
      for (int j = 0; j < modes; ++j)
        sum += K_[i][j] * p[j / dim][j % dim];
      q[i / dim][i % dim] = sum;
    }
    return q;
  }

  template<int dim>
  double Hourglass<dim>::energy(const Vectors& p) const
  {
    const Vectors q = conjugate(p);
    double sum = 0;
    for (int I = 0; I < patterns; ++I)
      sum += inner(p[I], q[I]);
    return 0.5 * sum;
  }

  template<int dim>
  void Hourglass<dim>::addForce(const State& s, const std::array<Vector, corners>& B,
                                bool smallStrain, double weight,
                                std::array<Vector, corners>& f) const
  {
    Tensor<dim> P(0.0); // sum_I h_I (x) q_I - F q_I (x) M_I
    Vectors Fq = s.q;
    for (int I = 0; I < patterns; ++I) {
      if (!smallStrain)
        Fq[I] += product(s.H, s.q[I]);
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
          P[i][j] += (smallStrain ? 0 : s.h[I][i] * s.q[I][j]) - Fq[I][i] * moment_[I][j];
    }
    for (int a = 0; a < corners; ++a) {
      Vector sum = product(P, B[a]);
      for (int I = 0; I < patterns; ++I)
        sum.axpy(sign(I, a), Fq[I]);
      f[a].axpy(weight, sum);
    }
  }

  namespace {

    /* J K J^T for J_a = dp/dx_a with the columns h_I B_aA + gamma_Ia F e_A, in two steps that take
     * sums over patterns before those over corners:
     *
     *     X_a = J_a K = sum_A B_aA Y_A + sum_I gamma_Ia Z_I,   Y_A = sum_I h_I k_IA,  Z_I = F k_I
     *     X_a J_b^T = sum_B B_bB W_aB + sum_J gamma_Jb V_aJ,
     *     W_aB = sum_J x_aJB (x) h_J,   V_aJ = sum_B x_aJB (x) F e_B
     *
     * with the rows k_IA of K and the columns x_aJB of X_a. */
    template<int dim>
    struct HourglassProduct
    {
      using Cell = Hourglass<dim>;
      static constexpr int modes = Cell::modes, patterns = Cell::patterns;
      using Rows = std::array<std::array<double, modes>, dim>;
      using Weights = std::array<double, patterns>; //!< gamma_Ia of a corner

      HourglassProduct(const Cell& cell, const typename Cell::State& s) : s(s), F(identityPlus(s.H))
      {
        for (int i = 0; i < dim; ++i)
          for (int m = 0; m < modes; ++m) {
            for (int A = 0; A < dim; ++A) {
              Y[A][i][m] = 0;
              for (int I = 0; I < patterns; ++I)
                Y[A][i][m] += s.h[I][i] * cell.stiffness(I * dim + A, m);
            }
            for (int I = 0; I < patterns; ++I) {
              Z[I][i][m] = 0;
              for (int A = 0; A < dim; ++A)
                Z[I][i][m] += F[i][A] * cell.stiffness(I * dim + A, m);
            }
          }
      }

      //! W_aB and V_aJ of a corner
      struct Corner
      {
        std::array<Tensor<dim>, dim> W;
        std::array<Tensor<dim>, patterns> V;
      };

      Corner corner(const FieldVector<double, dim>& B, const Weights& gamma) const
      {
        Corner result;
        for (int i = 0; i < dim; ++i) {
          std::array<double, modes> x{};
          for (int m = 0; m < modes; ++m) {
            for (int A = 0; A < dim; ++A)
              x[m] += B[A] * Y[A][i][m];
            for (int I = 0; I < patterns; ++I)
              x[m] += gamma[I] * Z[I][i][m];
          }
          for (int k = 0; k < dim; ++k) {
            for (int b = 0; b < dim; ++b) {
              result.W[b][i][k] = 0;
              for (int J = 0; J < patterns; ++J)
                result.W[b][i][k] += x[J * dim + b] * s.h[J][k];
            }
            for (int J = 0; J < patterns; ++J) {
              result.V[J][i][k] = 0;
              for (int b = 0; b < dim; ++b)
                result.V[J][i][k] += x[J * dim + b] * F[k][b];
            }
          }
        }
        return result;
      }

      const typename Cell::State& s;
      Tensor<dim> F;
      std::array<Rows, dim> Y;
      std::array<Rows, patterns> Z;
    };

  } // namespace

  template<int dim>
  void Hourglass<dim>::addTangent(const State& s, const std::array<Vector, corners>& B,
                                  bool smallStrain, double weight,
                                  std::array<Tensor<dim>, corners*(corners + 1) / 2>& upper) const
  {
    State flat = s; // p = h: the derivatives are those of h = 0, F = I
    if (smallStrain) {
      flat.H = 0.0;
      flat.h.fill(Vector(0.0));
      flat.q.fill(Vector(0.0));
    }
    const HourglassProduct<dim> product(*this, flat);
    std::array<typename HourglassProduct<dim>::Weights, corners> gamma;
    for (int a = 0; a < corners; ++a)
      for (int I = 0; I < patterns; ++I)
        gamma[a][I] = sign(I, a) - inner(moment_[I], B[a]);
    for (int a = 0, k = 0; a < corners; ++a) {
      const auto corner = product.corner(B[a], gamma[a]);
      for (int b = a; b < corners; ++b, ++k) {
        for (int j = 0; j < dim; ++j)
          upper[k].axpy(weight * B[b][j], corner.W[j]);
        double geometric = 0;
        for (int I = 0; I < patterns; ++I) {
          upper[k].axpy(weight * gamma[b][I], corner.V[I]);
          geometric += gamma[b][I] * inner(B[a], flat.q[I]) + gamma[a][I] * inner(B[b], flat.q[I]);
        }
        for (int i = 0; i < dim; ++i)
          upper[k][i][i] += weight * geometric;
      }
    }
  }

  template class Hourglass<2>;
  template class Hourglass<3>;

} // namespace Dune::Impact
