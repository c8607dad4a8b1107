// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_ELEMENTKERNEL_IMPL_HH
#define DUNE_IMPACT_BODY_ELEMENTKERNEL_IMPL_HH

/** \file
 * \ingroup impact_body
 * \brief The code of the element kernels, included once per instruction set
 *
 * All of it is in an unnamed namespace: the linker must not mix the versions.
 */

#include <cmath>

#include <dune/impact/body/elementkernel.hh>
#include <dune/impact/body/hourglasskernel.impl.hh>

namespace Dune::Impact {

  namespace {

    // Rows of four nodes to components of four cells, and back
    inline __attribute__((always_inline)) void transpose(const Lane& r0, const Lane& r1,
                                                         const Lane& r2, const Lane& r3, Lane* c)
    {
      const Lane q0 = __builtin_shufflevector(r0, r1, 0, 4, 2, 6),
                 q1 = __builtin_shufflevector(r0, r1, 1, 5, 3, 7);
      const Lane q2 = __builtin_shufflevector(r2, r3, 0, 4, 2, 6),
                 q3 = __builtin_shufflevector(r2, r3, 1, 5, 3, 7);
      c[0] = __builtin_shufflevector(q0, q2, 0, 1, 4, 5);
      c[1] = __builtin_shufflevector(q1, q3, 0, 1, 4, 5);
      c[2] = __builtin_shufflevector(q0, q2, 2, 3, 6, 7);
      c[3] = __builtin_shufflevector(q1, q3, 2, 3, 6, 7);
    }

    //! Differences u_a - u_0 of the corners of four cells
    template<int dim, int N>
    inline __attribute__((always_inline)) void gather(const std::uint32_t (&node)[N][4],
                                                      const double* u, Lane (&d)[N - 1][dim])
    {
      const Lane* row = reinterpret_cast<const Lane*>(u);
      Lane first[4], c[4];
      transpose(row[node[0][0]], row[node[0][1]], row[node[0][2]], row[node[0][3]], first);
      for (int a = 1; a < N; ++a) {
        transpose(row[node[a][0]], row[node[a][1]], row[node[a][2]], row[node[a][3]], c);
        for (int i = 0; i < dim; ++i)
          d[a - 1][i] = c[i] - first[i];
      }
    }

    template<int dim, int N>
    inline __attribute__((always_inline)) void scatter(const std::uint32_t (&node)[N][4],
                                                       const Lane (&f)[N - 1][dim], double* force)
    {
      Lane* row = reinterpret_cast<Lane*>(force);
      Lane sum[3] = {}, r[4];
      for (int a = 1; a < N; ++a) {
        for (int i = 0; i < dim; ++i)
          sum[i] += f[a - 1][i];
        transpose(f[a - 1][0], f[a - 1][1], dim == 3 ? f[a - 1][dim - 1] : Lane{}, Lane{}, r);
        for (int k = 0; k < 4; ++k)
          row[node[a][k]] += r[k];
      }
      transpose(sum[0], sum[1], sum[2], Lane{}, r);
      for (int k = 0; k < 4; ++k)
        row[node[0][k]] -= r[k];
    }

    //! H = sum d_a (x) grad N_a
    template<int dim, int N>
    inline __attribute__((always_inline)) void displacementGradient(const Lane (&d)[N - 1][dim],
                                                                    const Lane (&g)[N - 1][dim],
                                                                    LaneTensor<dim>& H)
    {
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j) {
          H[i][j] = d[0][i] * g[0][j];
          for (int a = 1; a < N - 1; ++a)
            H[i][j] += d[a][i] * g[a][j];
        }
    }

    //! E = sym H + H^T H / 2, S = lambda tr E + 2 mu E
    template<int dim>
    inline __attribute__((always_inline)) void greenStress(const LaneTensor<dim>& H, double lambda,
                                                           double mu, LaneTensor<dim>& S)
    {
      Lane trace = {};
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j <= i; ++j) {
          Lane c = H[i][j] + H[j][i];
          for (int k = 0; k < dim; ++k)
            c += H[k][i] * H[k][j];
          if (i == j)
            trace += c;
          S[i][j] = mu * c;
          S[j][i] = S[i][j];
        }
      for (int i = 0; i < dim; ++i)
        S[i][i] += (0.5 * lambda) * trace;
    }

    //! F S with F = I + H
    template<int dim>
    inline __attribute__((always_inline)) void push(const LaneTensor<dim>& H,
                                                    const LaneTensor<dim>& S, LaneTensor<dim>& P)
    {
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j) {
          P[i][j] = S[i][j];
          for (int k = 0; k < dim; ++k)
            P[i][j] += H[i][k] * S[k][j];
        }
    }

    //! det(I + H) - 1
    template<int dim>
    inline __attribute__((always_inline)) void volumeChange(const LaneTensor<dim>& H, Lane& y)
    {
      if constexpr (dim == 2)
        y = H[0][0] + H[1][1] + (H[0][0] * H[1][1] - H[0][1] * H[1][0]);
      else {
        const Lane c00 = H[1][1] * H[2][2] - H[1][2] * H[2][1];
        const Lane c01 = H[1][2] * H[2][0] - H[1][0] * H[2][2];
        const Lane c02 = H[1][0] * H[2][1] - H[1][1] * H[2][0];
        const Lane minors =
          H[0][0] * H[1][1] - H[0][1] * H[1][0] + H[0][0] * H[2][2] - H[0][2] * H[2][0];
        y = H[0][0] + H[1][1] + H[2][2] + (minors + c00) +
            (H[0][0] * c00 + H[0][1] * c01 + H[0][2] * c02);
      }
    }

    //! F^{-T}, by cofactors
    template<int dim>
    inline __attribute__((always_inline)) void inverseTransposed(const LaneTensor<dim>& H,
                                                                 const Lane& determinant,
                                                                 LaneTensor<dim>& B)
    {
      LaneTensor<dim> F = H;
      for (int i = 0; i < dim; ++i)
        F[i][i] += 1.0;
      if constexpr (dim == 2) {
        B[0][0] = F[1][1] / determinant;
        B[1][1] = F[0][0] / determinant;
        B[0][1] = -F[1][0] / determinant;
        B[1][0] = -F[0][1] / determinant;
      }
      else
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) {
            const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
            B[i][j] = (F[a][c] * F[b][d] - F[a][d] * F[b][c]) / determinant;
          }
    }

    template<KernelMaterial material, int dim>
    struct Law;

    template<int dim>
    struct Law<KernelMaterial::stVenantKirchhoff, dim>
    {
      static constexpr bool needsVolume = true;

      static inline __attribute__((always_inline)) void stress(const LaneTensor<dim>& H,
                                                               const Lane&, double lambda,
                                                               double mu, LaneTensor<dim>& P)
      {
        LaneTensor<dim> S;
        greenStress<dim>(H, lambda, mu, S);
        push<dim>(H, S, P);
      }

      //! dP = dH S + F dS with dE = sym(F^T dH)
      static inline __attribute__((always_inline)) void tangent(const LaneTensor<dim>& H,
                                                                const LaneTensor<dim>& D,
                                                                const Lane&, double lambda,
                                                                double mu, LaneTensor<dim>& P)
      {
        LaneTensor<dim> S, T;
        greenStress<dim>(H, lambda, mu, S);
        Lane trace = {};
        for (int i = 0; i < dim; ++i)
          for (int j = 0; j <= i; ++j) {
            Lane c = D[i][j] + D[j][i];
            for (int k = 0; k < dim; ++k)
              c += H[k][i] * D[k][j] + D[k][i] * H[k][j];
            if (i == j)
              trace += c;
            T[i][j] = mu * c;
            T[j][i] = T[i][j];
          }
        for (int i = 0; i < dim; ++i)
          T[i][i] += (0.5 * lambda) * trace;
        push<dim>(H, T, P);
        for (int i = 0; i < dim; ++i)
          for (int j = 0; j < dim; ++j)
            for (int k = 0; k < dim; ++k)
              P[i][j] += D[i][k] * S[k][j];
      }
    };

    inline __attribute__((always_inline)) void logarithm(const Lane& y, Lane& L)
    {
      for (int k = 0; k < 4; ++k)
        L[k] = std::log1p(y[k]);
    }

    template<int dim>
    struct Law<KernelMaterial::neoHooke, dim>
    {
      static constexpr bool needsVolume = true;

      //! P = F^{-T} (2 mu E + lambda ln J)
      static inline __attribute__((always_inline)) void stress(const LaneTensor<dim>& H,
                                                               const Lane& y, double lambda,
                                                               double mu, LaneTensor<dim>& P)
      {
        LaneTensor<dim> B, S;
        Lane L;
        inverseTransposed<dim>(H, 1.0 + y, B);
        logarithm(y, L);
        greenStress<dim>(H, 0, mu, S);
        for (int i = 0; i < dim; ++i)
          S[i][i] += lambda * L;
        for (int i = 0; i < dim; ++i)
          for (int j = 0; j < dim; ++j) {
            P[i][j] = B[i][0] * S[0][j];
            for (int k = 1; k < dim; ++k)
              P[i][j] += B[i][k] * S[k][j];
          }
      }

      //! dP = mu D + (mu - lambda ln J) B D^T B + lambda (B : D) B,  B = F^{-T}
      static inline __attribute__((always_inline)) void tangent(const LaneTensor<dim>& H,
                                                                const LaneTensor<dim>& D,
                                                                const Lane& y, double lambda,
                                                                double mu, LaneTensor<dim>& P)
      {
        LaneTensor<dim> B, X;
        Lane L, trace = {};
        inverseTransposed<dim>(H, 1.0 + y, B);
        logarithm(y, L);
        for (int i = 0; i < dim; ++i)
          for (int j = 0; j < dim; ++j) { // X = D^T B
            trace += B[i][j] * D[i][j];
            X[i][j] = D[0][i] * B[0][j];
            for (int k = 1; k < dim; ++k)
              X[i][j] += D[k][i] * B[k][j];
          }
        const Lane m = mu - lambda * L;
        for (int i = 0; i < dim; ++i)
          for (int j = 0; j < dim; ++j) {
            Lane sum = B[i][0] * X[0][j];
            for (int k = 1; k < dim; ++k)
              sum += B[i][k] * X[k][j];
            P[i][j] = mu * D[i][j] + m * sum + lambda * trace * B[i][j];
          }
      }
    };

    template<int dim>
    struct Law<KernelMaterial::linear, dim>
    {
      static constexpr bool needsVolume = false;

      static inline __attribute__((always_inline)) void stress(const LaneTensor<dim>& H,
                                                               const Lane&, double lambda,
                                                               double mu, LaneTensor<dim>& P)
      {
        Lane trace = H[0][0];
        for (int i = 1; i < dim; ++i)
          trace += H[i][i];
        for (int i = 0; i < dim; ++i)
          for (int j = 0; j < dim; ++j)
            P[i][j] = mu * (H[i][j] + H[j][i]);
        for (int i = 0; i < dim; ++i)
          P[i][i] += lambda * trace;
      }

      static inline __attribute__((always_inline)) void tangent(const LaneTensor<dim>&,
                                                                const LaneTensor<dim>& D,
                                                                const Lane& y, double lambda,
                                                                double mu, LaneTensor<dim>& P)
      {
        stress(D, y, lambda, mu, P);
      }
    };

    // Batches are read once and in their order; on some machines they come late all the same if
    // they are not asked for so many bytes ahead
    constexpr std::size_t ahead = 2048, cacheLine = 64;

    template<KernelMaterial material, bool linearised, int dim, int N, int Q>
    double sumForces(const LaneBatch<dim, N, Q>* batches, std::size_t count,
                     const KernelInput& input)
    {
      using Material = Law<material, dim>;
      const double lambda = input.lambda, mu = input.mu;
      Lane smallest = {};
      for (const LaneBatch<dim, N, Q>* batch = batches; batch != batches + count; ++batch) {
        for (std::size_t byte = 0; byte < sizeof(*batch); byte += cacheLine)
          __builtin_prefetch(reinterpret_cast<const char*>(batch) + ahead + byte);
        Lane d[N - 1][dim], e[N - 1][dim], f[N - 1][dim] = {};
        gather<dim, N>(batch->node, input.displacement, d);
        if constexpr (linearised)
          gather<dim, N>(batch->node, input.direction, e);
        for (int q = 0; q < Q; ++q) {
          LaneTensor<dim> H, P, D;
          Lane y = {};
          displacementGradient<dim, N>(d, batch->gradient[q], H);
          if constexpr (Material::needsVolume) {
            volumeChange<dim>(H, y);
            smallest = y < smallest ? y : smallest;
          }
          if constexpr (linearised) {
            displacementGradient<dim, N>(e, batch->gradient[q], D);
            Material::tangent(H, D, y, lambda, mu, P);
          }
          else
            Material::stress(H, y, lambda, mu, P);
          for (int i = 0; i < dim; ++i)
            for (int j = 0; j < dim; ++j)
              P[i][j] *= batch->weight[q];
          if constexpr (LaneBatch<dim, N, Q>::hourglass) {
            if constexpr (linearised)
              addHourglassTangent<!Material::needsVolume, dim, N>(*batch, d, H, e, D, P, f);
            else
              addHourglass<!Material::needsVolume, dim, N>(*batch, d, H, P, f);
          }
          for (int a = 0; a < N - 1; ++a)
            for (int i = 0; i < dim; ++i) {
              Lane sum = P[i][0] * batch->gradient[q][a][0];
              for (int j = 1; j < dim; ++j)
                sum += P[i][j] * batch->gradient[q][a][j];
              f[a][i] += sum;
            }
        }
        scatter<dim, N>(batch->node, f, input.force);
      }
      double result = smallest[0];
      for (int k = 1; k < 4; ++k)
        result = smallest[k] < result ? smallest[k] : result;
      return 1 + result;
    }

    template<int dim, int N, int Q>
    double dispatch(const LaneBatch<dim, N, Q>* batches, std::size_t count,
                    const KernelInput& input)
    {
      const auto call = [&]<KernelMaterial material>() {
        return input.direction ? sumForces<material, true, dim, N, Q>(batches, count, input)
                               : sumForces<material, false, dim, N, Q>(batches, count, input);
      };
      switch (input.material) {
      case KernelMaterial::neoHooke:
        return call.template operator()<KernelMaterial::neoHooke>();
      case KernelMaterial::linear:
        return call.template operator()<KernelMaterial::linear>();
      default:
        return call.template operator()<KernelMaterial::stVenantKirchhoff>();
      }
    }

  } // namespace

} // namespace Dune::Impact

#endif
