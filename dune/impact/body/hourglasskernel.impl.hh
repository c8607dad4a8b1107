// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_HOURGLASSKERNEL_IMPL_HH
#define DUNE_IMPACT_BODY_HOURGLASSKERNEL_IMPL_HH

#include <dune/impact/body/elementkernel.hh>

/** \file
 * \ingroup impact_body
 * \brief Hourglass forces of four cubes at a time, included once per instruction set
 *
 * The formulas are those of Hourglass. All of it is in an unnamed namespace: the linker must not
 * mix the versions.
 */

namespace Dune::Impact {

  namespace {

    template<int dim>
    struct LaneTensor
    {
      Lane a[dim][dim];
      Lane* operator[](int i) { return a[i]; }
      const Lane* operator[](int i) const { return a[i]; }
    };

    //! A set of vectors, one per hourglass pattern
    template<int dim>
    struct LaneVectors
    {
      static constexpr int patterns = dim == 2 ? 1 : 4;
      Lane a[patterns][dim];
      Lane* operator[](int I) { return a[I]; }
      const Lane* operator[](int I) const { return a[I]; }
    };

    //! h_I = sum_a Gamma_Ia d_a - H M_I
    template<int dim, int N>
    inline __attribute__((always_inline)) void hourglassVectors(const LaneBatch<dim, N, 1>& batch,
                                                                const Lane (&d)[N - 1][dim],
                                                                const LaneTensor<dim>& H,
                                                                LaneVectors<dim>& h)
    {
      for (int I = 0; I < LaneVectors<dim>::patterns; ++I)
        for (int i = 0; i < dim; ++i) {
          h[I][i] = Lane{};
          for (int a = 1; a < N; ++a)
            if (hourglassSign<dim>(I, a) > 0)
              h[I][i] += d[a - 1][i];
            else
              h[I][i] -= d[a - 1][i];
          for (int j = 0; j < dim; ++j)
            h[I][i] -= H[i][j] * batch.moment[I][j];
        }
    }

    //! p_I += A^T h_I
    template<int dim>
    inline __attribute__((always_inline)) void addTurnedBack(const LaneTensor<dim>& A,
                                                             const LaneVectors<dim>& h,
                                                             LaneVectors<dim>& p)
    {
      for (int I = 0; I < LaneVectors<dim>::patterns; ++I)
        for (int i = 0; i < dim; ++i)
          for (int k = 0; k < dim; ++k)
            p[I][i] += A[k][i] * h[I][k];
    }

    //! r_I += A q_I
    template<int dim>
    inline __attribute__((always_inline)) void addTurned(const LaneTensor<dim>& A,
                                                         const LaneVectors<dim>& q,
                                                         LaneVectors<dim>& r)
    {
      for (int I = 0; I < LaneVectors<dim>::patterns; ++I)
        for (int i = 0; i < dim; ++i)
          for (int k = 0; k < dim; ++k)
            r[I][i] += A[i][k] * q[I][k];
    }

    //! q = K p
    template<int dim, int N>
    inline __attribute__((always_inline)) void conjugate(const LaneBatch<dim, N, 1>& batch,
                                                         const LaneVectors<dim>& p,
                                                         LaneVectors<dim>& q)
    {
      constexpr int modes = LaneBatch<dim, N, 1>::modes;
      const Lane* x = p[0];
      Lane* y = q[0];
      for (int i = 0; i < modes; ++i)
        y[i] = Lane{};
      for (int i = 0, k = 0; i < modes; ++i) {
        y[i] += batch.stiffness[k++] * x[i];
        for (int j = i + 1; j < modes; ++j, ++k) {
          y[i] += batch.stiffness[k] * x[j];
          y[j] += batch.stiffness[k] * x[i];
        }
      }
    }

    //! P += h_I (x) q_I
    template<int dim>
    inline __attribute__((always_inline)) void addDyads(const LaneVectors<dim>& h,
                                                        const LaneVectors<dim>& q,
                                                        LaneTensor<dim>& P)
    {
      for (int I = 0; I < LaneVectors<dim>::patterns; ++I)
        for (int i = 0; i < dim; ++i)
          for (int j = 0; j < dim; ++j)
            P[i][j] += h[I][i] * q[I][j];
    }

    //! Forces r_I of the patterns: P -= r_I (x) M_I, f_a += Gamma_Ia r_I
    template<int dim, int N>
    inline __attribute__((always_inline)) void addPatternForces(const LaneBatch<dim, N, 1>& batch,
                                                                const LaneVectors<dim>& r,
                                                                LaneTensor<dim>& P,
                                                                Lane (&f)[N - 1][dim])
    {
      for (int I = 0; I < LaneVectors<dim>::patterns; ++I)
        for (int i = 0; i < dim; ++i) {
          for (int j = 0; j < dim; ++j)
            P[i][j] -= r[I][i] * batch.moment[I][j];
          for (int a = 1; a < N; ++a)
            if (hourglassSign<dim>(I, a) > 0)
              f[a - 1][i] += r[I][i];
            else
              f[a - 1][i] -= r[I][i];
        }
    }

    //! P += sum_I h_I (x) q_I - F q_I (x) M_I,  f_a += sum_I Gamma_Ia F q_I,  q = K F^T h
    template<bool small, int dim, int N>
    inline __attribute__((always_inline)) void addHourglass(const LaneBatch<dim, N, 1>& batch,
                                                            const Lane (&d)[N - 1][dim],
                                                            const LaneTensor<dim>& H,
                                                            LaneTensor<dim>& P,
                                                            Lane (&f)[N - 1][dim])
    {
      LaneVectors<dim> h, q;
      hourglassVectors<dim, N>(batch, d, H, h);
      LaneVectors<dim> p = h;
      if constexpr (!small)
        addTurnedBack<dim>(H, h, p);
      conjugate<dim, N>(batch, p, q);
      LaneVectors<dim> r = q;
      if constexpr (!small) {
        addTurned<dim>(H, q, r);
        addDyads<dim>(h, q, P);
      }
      addPatternForces<dim, N>(batch, r, P, f);
    }

    //! The derivative of that along displacements e with the mean gradient D
    template<bool small, int dim, int N>
    inline __attribute__((always_inline)) void addHourglassTangent(
      const LaneBatch<dim, N, 1>& batch, const Lane (&d)[N - 1][dim], const LaneTensor<dim>& H,
      const Lane (&e)[N - 1][dim], const LaneTensor<dim>& D, LaneTensor<dim>& P,
      Lane (&f)[N - 1][dim])
    {
      LaneVectors<dim> dh, dq;
      hourglassVectors<dim, N>(batch, e, D, dh);
      LaneVectors<dim> dp = dh, h, q;
      if constexpr (!small) {
        hourglassVectors<dim, N>(batch, d, H, h);
        LaneVectors<dim> p = h;
        addTurnedBack<dim>(H, h, p);
        conjugate<dim, N>(batch, p, q);
        addTurnedBack<dim>(H, dh, dp);
        addTurnedBack<dim>(D, h, dp);
      }
      conjugate<dim, N>(batch, dp, dq);
      LaneVectors<dim> dr = dq;
      if constexpr (!small) {
        addTurned<dim>(H, dq, dr);
        addTurned<dim>(D, q, dr);
        addDyads<dim>(dh, q, P);
        addDyads<dim>(h, dq, P);
      }
      addPatternForces<dim, N>(batch, dr, P, f);
    }

  } // namespace

} // namespace Dune::Impact

#endif
