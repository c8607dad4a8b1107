// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <array>
#include <cmath>
#include <vector>

#include <dune/impact/common/types.hh>
#include <dune/impact/contact/mortar/fullfacet.hh>

namespace Dune::Impact::Triangles {

  namespace {

    using Vector = Point<double>;

    //! One number for each of the moments j = 0, 1, 2; the fourth is not used
    using Lane = double __attribute__((vector_size(32), aligned(32)));

    //! A vector for each j, by components
    struct alignas(32) LaneVector
    {
      Lane component[3] = {};

      [[gnu::always_inline]] void add(const Lane& factor, const Vector& v)
      {
        for (int c = 0; c < 3; ++c)
          component[c] += factor * v[c];
      }

      [[gnu::always_inline]] Vector at(int j) const
      {
        return {component[0][j], component[1][j], component[2][j]};
      }
    };

    //! The index of the pair (l, k) among 00, 10, 11, 20, 21, 22
    constexpr int pairIndex(int l, int k)
    {
      return l < k ? pairIndex(k, l) : l * (l + 1) / 2 + k;
    }

    //! mu_jlk, by pairs lk
    struct alignas(32) Cubic
    {
      Lane value[6] = {};

      Lane& operator[](int i) { return value[i]; }
      const Lane& operator[](int i) const { return value[i]; }
    };

    //! Shape functions of a place in the facet
    [[gnu::always_inline]] inline void setShapes(const Place<double>& xi, Lane& N)
    {
      N = Lane{1 - xi[0] - xi[1], xi[0], xi[1], 0};
    }

    //! sum += weight N_j N_l N_k
    [[gnu::always_inline]] inline void addPoint(double weight, const Lane& N, Cubic& sum)
    {
      for (int l = 0; l < 3; ++l)
        for (int k = 0; k <= l; ++k)
          sum[pairIndex(l, k)] += weight * N[l] * N[k] * N;
    }

    //! As integrateMonomials(): a fan of triangles with the rule of four points, whose places are
    //! the centre and 2/5 corner + 3/5 centre
    [[gnu::always_inline]] inline void integrateCubic(std::span<const Corner> corners, Cubic& sum)
    {
      Lane first, last, next;
      setShapes(corners[0].xi, first);
      setShapes(corners[1].xi, last);
      for (std::size_t k = 2; k < corners.size(); ++k) {
        setShapes(corners[k].xi, next);
        const double area = doubleArea(corners[0].xi, corners[k - 1].xi, corners[k].xi);
        if (area >= smallestPart) {
          const Lane all = first + last + next, fifth = 0.2 * all;
          addPoint(-27.0 / 96 * area, all / 3, sum);
          for (const Lane* corner : {&first, &last, &next})
            addPoint(25.0 / 96 * area, fifth + 0.4 * *corner, sum);
        }
        last = next;
      }
    }

    //! Sums over the pieces of a facet
    struct alignas(32) Sums
    {
      Cubic mu;
      Lane beta = {};
      Lane g[3] = {};  //!< by l
      LaneVector w[3]; //!< w_jl nu, by l
      LaneVector beta_nu;
      std::vector<LaneVector> mortar; //!< by mortar nodes
    };

    /* One piece, see integrateWhole(): mu_jlk, and from it w_jl = sum_k omega_k mu_jlk, g_jl =
     * sum_k h_k mu_jlk and beta_j = sum_l h_l w_jl. R_j of the mortar node k is sum_l eta_k(l)
     * mu_jl with mu_jl = sum_i mu_jli (`two`), because the shape functions sum up to one. */
    [[gnu::always_inline]] inline void addPiece(const Piece& piece, const Vector& unit,
                                                const std::array<double, 3>& omega, double weight,
                                                Sums& sums, FacetMoments<3>& moments)
    {
      Cubic mu;
      integrateCubic(piece.polygon.corners(), mu);
      for (Lane& entry : mu.value)
        entry *= weight;
      const auto& h = piece.height;
      Lane w[3], two[3], beta = {};
      for (int l = 0; l < 3; ++l) {
        const Lane &m0 = mu[pairIndex(l, 0)], &m1 = mu[pairIndex(l, 1)], &m2 = mu[pairIndex(l, 2)];
        w[l] = omega[0] * m0 + omega[1] * m1 + omega[2] * m2;
        sums.g[l] += h[0] * m0 + h[1] * m1 + h[2] * m2;
        two[l] = m0 + m1 + m2;
        beta += h[l] * w[l];
      }
      for (int i = 0; i < 6; ++i)
        sums.mu[i] += mu[i];
      sums.beta += beta;
      const Vector nu = piece.normal / (piece.normal * unit);
      sums.beta_nu.add(beta, nu);
      for (int l = 0; l < 3; ++l)
        sums.w[l].add(w[l], nu);
      const std::size_t nodes = moments.mortar.size();
      for (int k = 0; k < 3; ++k) {
        const auto& eta = piece.eta[k];
        const std::size_t node = piece.column[k] - 6;
        sums.mortar[node].add(eta[0] * w[0] + eta[1] * w[1] + eta[2] * w[2], nu);
        const Lane R = eta[0] * two[0] + eta[1] * two[1] + eta[2] * two[2];
        for (int j = 0; j < 3; ++j)
          moments.R[j * nodes + node] += R[j];
      }
    }

    //! b_j = J beta_j, M_ij = J sum_k mu_ijk and D_i = sum_j M_ij; R is multiplied by J.
    [[gnu::always_inline]] inline void setValues(double J, const Sums& sums,
                                                 FacetMoments<3>& moments)
    {
      using Moments = FacetMoments<3>;
      for (int j = 0; j < 3; ++j)
        moments.value[Moments::b(j)] = J * sums.beta[j];
      for (int i = 0; i < 3; ++i) {
        const Lane two =
          J * (sums.mu[pairIndex(i, 0)] + sums.mu[pairIndex(i, 1)] + sums.mu[pairIndex(i, 2)]);
        moments.value[Moments::D(i)] = two[0] + two[1] + two[2];
        for (int j = 0; j <= i; ++j)
          moments.value[Moments::M(i, j)] = two[j];
      }
      for (double& R : moments.R)
        R *= J;
    }

    //! db_j by corners, normals and mortar nodes, see integrateWhole(). The area vector N_f = e1 x
    //! e2 depends on the corners: c . dN_f = (e2 x c) . de1 + (c x e1) . de2 with c = byArea.
    [[gnu::always_inline]] inline void setDerivatives(const Piece& facet, const Vector& unit,
                                                      double J, bool smoothed, const Sums& sums,
                                                      FacetMoments<3>& moments)
    {
      const auto& [a, n, b] = facet.nodes;
      for (int j = 0; j < 3; ++j) {
        const auto row = moments.row(FacetMoments<3>::b(j));
        Vector byArea = unit * sums.beta[j] - sums.beta_nu.at(j);
        for (int l = 0; l < 3; ++l) {
          row[l] = sums.w[l].at(j) * -J;
          row[3 + l] = smoothed ? unit * (J * sums.g[l][j]) : Vector(0);
          byArea.axpy(sums.g[l][j], smoothed ? n[l] : unit);
        }
        const Vector by1 = Impact::cross(a[2] - a[0], byArea),
                     by2 = Impact::cross(byArea, a[1] - a[0]);
        row[0] -= by1 + by2;
        row[1] += by1;
        row[2] += by2;
        for (std::size_t k = 0; k < sums.mortar.size(); ++k)
          row[6 + k] = sums.mortar[k].at(j) * J;
      }
    }

    struct Input
    {
      std::span<const Piece> pieces;
      bool smoothed;
      double weight;
      bool derivatives;
    };

    //! Sums over the pieces with n_f (`unit`), J = |N_f| and omega_k = n_f . n_k, or one without
    //! smoothed normals
    [[gnu::always_inline]] inline void integrate(const Input& input, FacetMoments<3>& moments)
    {
      thread_local std::vector<LaneVector> memory;
      Sums sums;
      sums.mortar = std::move(memory);
      sums.mortar.assign(moments.mortar.size(), LaneVector{});
      const Nodes<double>& nodes = input.pieces[0].nodes;
      Vector unit = normalOf(nodes.a);
      const double J = unit.two_norm();
      unit /= J;
      std::array<double, 3> omega = {1, 1, 1};
      if (input.smoothed)
        for (int k = 0; k < 3; ++k)
          omega[k] = unit * nodes.n[k];
      for (const Piece& piece : input.pieces)
        addPiece(piece, unit, omega, input.weight, sums, moments);
      setValues(J, sums, moments);
      if (input.derivatives)
        setDerivatives(input.pieces[0], unit, J, input.smoothed, sums, moments);
      memory = std::move(sums.mortar);
    }

    // The same function twice, for the plain instruction set and for AVX2
    using Function = void (*)(const Input&, FacetMoments<3>&);

    void integratePlain(const Input& input, FacetMoments<3>& moments)
    {
      integrate(input, moments);
    }

#if defined(__x86_64__) && defined(__GNUC__)
    [[gnu::target("avx2,fma")]] void integrateAvx2(const Input& input, FacetMoments<3>& moments)
    {
      integrate(input, moments);
    }

    const Function best = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
                            ? integrateAvx2
                            : integratePlain;
#else
    const Function best = integratePlain;
#endif

  } // namespace

  void integrateWhole(std::span<const Piece> pieces, bool smoothed, double weight, bool derivatives,
                      FacetMoments<3>& moments)
  {
    best({pieces, smoothed, weight, derivatives}, moments);
  }

} // namespace Dune::Impact::Triangles
