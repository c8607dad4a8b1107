// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>

#include <dune/impact/common/types.hh>
#include <dune/impact/contact/mortar/trianglederivative.hh>

namespace Dune::Impact::Triangles {

  namespace {

    using Vector = Point<double>;

    //! Add the derivative of c . N_f: dN_f = (da1 - da0) x e2 + e1 x (da2 - da0)
    void addAreaGradient(const std::array<Vector, 3>& a, const Vector& c,
                         std::span<Vector> gradient)
    {
      const Vector by1 = Impact::cross(a[2] - a[0], c), by2 = Impact::cross(c, a[1] - a[0]);
      gradient[0] -= by1 + by2;
      gradient[1] += by1;
      gradient[2] += by2;
    }

    /** \brief Derivative of the projection xi of a mortar node y, by a_0, a_1, a_2 and y
     *
     *     dxi_1 = ((dw x e2 + w x de2) . N_f + (w x e2 - 2 xi_1 N_f) . dN_f) / J^2,   w = y - a_0,
     *
     * and xi_2 likewise from (e1 x w) . N_f / J^2.
     */
    std::array<std::array<Vector, 4>, 2> projectionGradient(const Pair& pair, const Vector& y,
                                                            const Place<double>& xi)
    {
      const Vector e1 = pair.a[1] - pair.a[0], e2 = pair.a[2] - pair.a[0], w = y - pair.a[0];
      std::array<std::array<Vector, 4>, 2> gradient;
      for (int c = 0; c < 2; ++c) {
        auto& by = gradient[c];
        by.fill(Vector(0));
        const int side = 2 - c; // e2 for xi_1, e1 for xi_2
        const Vector byFoot = c == 0 ? Impact::cross(e2, pair.N) : Impact::cross(pair.N, e1);
        const Vector bySide = c == 0 ? Impact::cross(pair.N, w) : Impact::cross(w, pair.N);
        Vector byArea = c == 0 ? Impact::cross(w, e2) : Impact::cross(e1, w);
        byArea.axpy(-2 * xi[c], pair.N);
        by[3] += byFoot;
        by[0] -= byFoot + bySide;
        by[side] += bySide;
        addAreaGradient(pair.a, byArea, by);
        for (auto& column : by)
          column /= pair.J * pair.J;
      }
      return gradient;
    }

    struct GaussPoint
    {
      double position, weight;
    };

    //! On [0, 1]
    const std::array<GaussPoint, 3> gauss = {{{0.5 - 0.5 * std::sqrt(0.6), 5.0 / 18},
                                              {0.5, 8.0 / 18},
                                              {0.5 + 0.5 * std::sqrt(0.6), 5.0 / 18}}};

  } // namespace

  double gapMoment(const Pair& pair, const Monomials<double>& mu, int j)
  {
    double sum = 0;
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k)
        sum += pair.s[i] * pair.W[k] * mu.three[i][j][k];
    return pair.J * sum;
  }

  /* With the integrals w_l = int N_j N_l W and g_l = int N_j N_l s: da_l has the factor -J w_l / mN
   * on m, db_k has J / mN sum_i eta_k(i) w_i on m, dn_l has J g_l on N_f, and dN_f what is left. */
  void addGapGradient(double factor, const Pair& pair, const Monomials<double>& mu, int j,
                      const std::array<std::size_t, 9>& column, std::span<Vector> row)
  {
    std::array<double, 3> w, g;
    double byJ = 0;
    for (int l = 0; l < 3; ++l) {
      const auto& product = mu.three[j][l];
      w[l] = pair.W[0] * product[0] + pair.W[1] * product[1] + pair.W[2] * product[2];
      g[l] = pair.s[0] * product[0] + pair.s[1] * product[1] + pair.s[2] * product[2];
      byJ += pair.s[l] * w[l];
    }
    const double scale = factor * pair.J / pair.mN;
    Vector byArea = pair.N;
    byArea *= pair.smoothed ? factor * byJ / pair.J : factor * (byJ / pair.J + g[0] + g[1] + g[2]);
    byArea.axpy(-scale * byJ, pair.m);
    for (int l = 0; l < 3; ++l) {
      row[column[l]].axpy(-scale * w[l], pair.m);
      row[column[6 + l]].axpy(
        scale * (pair.eta[l][0] * w[0] + pair.eta[l][1] * w[1] + pair.eta[l][2] * w[2]), pair.m);
      if (pair.smoothed) {
        row[column[3 + l]].axpy(factor * pair.J * g[l], pair.N);
        byArea.axpy(factor * pair.J * g[l], pair.n[l]);
      }
    }
    // the derivative of byArea . N_f, see addAreaGradient()
    const Vector by1 = Impact::cross(pair.a[2] - pair.a[0], byArea),
                 by2 = Impact::cross(byArea, pair.a[1] - pair.a[0]);
    row[column[0]] -= by1;
    row[column[0]] -= by2;
    row[column[1]] += by1;
    row[column[2]] += by2;
  }

  Gradient areaGradient(const Pair& pair)
  {
    Gradient dJ = zeroGradient();
    addAreaGradient(pair.a, pair.N / pair.J, dJ);
    return dJ;
  }

  //! w'(c) dc with the cosine c = -m . N_f/(|m| J). Its derivatives by N_f and m are the parts of m
  //! and N_f orthogonal to N_f and m, divided by -|m| J.
  Gradient facingGradient(const Pair& pair, const std::array<Vector, 3>& b,
                          const Visibility& facing)
  {
    Gradient gradient = zeroGradient();
    const double mm = pair.m.two_norm2();
    const double factor = -facing.weight(facingCosine(pair)).first[0] / (std::sqrt(mm) * pair.J);
    Vector byArea = pair.m, byMortar = pair.N;
    byArea.axpy(-pair.mN / (pair.J * pair.J), pair.N);
    byMortar.axpy(-pair.mN / mm, pair.m);
    byArea *= factor;
    byMortar *= factor;
    addAreaGradient(pair.a, byArea, gradient);
    addAreaGradient(b, byMortar, std::span(gradient).subspan(6));
    return gradient;
  }

  //! J N_i s W of b_i, J N_i of D_i and J N_i N_j of M_ij, with s and W interpolated by the shape
  //! functions N of the facet
  std::array<double, FacetMoments<3>::count> integrands(const Pair& pair,
                                                        const std::array<double, 3>& N)
  {
    double s = 0, W = 0;
    for (int i = 0; i < 3; ++i) {
      s += N[i] * pair.s[i];
      W += N[i] * pair.W[i];
    }
    std::array<double, FacetMoments<3>::count> f;
    for (int i = 0; i < 3; ++i) {
      f[FacetMoments<3>::b(i)] = pair.J * N[i] * s * W;
      f[FacetMoments<3>::D(i)] = pair.J * N[i];
      for (int j = 0; j <= i; ++j)
        f[FacetMoments<3>::M(i, j)] = pair.J * N[i] * N[j];
    }
    return f;
  }

  /* The side lies on the image P Q of a mortar edge. Its point xi = (1 - t) P + t Q has the
   * velocity v = (1 - t) dP + t dQ across the side; a motion along the side sweeps no area, so
   * that the ends of the side may move differently. V = v_1 E_2 - v_2 E_1 with the side E. */
  std::array<SweptPoint, 3> sweptPoints(const Pair& pair, const Piece& piece, std::size_t i)
  {
    const auto& polygon = piece.polygon;
    const Corner &begin = polygon.corners()[i], &end = polygon.next(i);
    const int p = edgeBegin(begin.carrier), q = edgeEnd(begin.carrier);
    const auto &P = polygon.image()[p], &Q = polygon.image()[q];
    const auto dP = projectionGradient(pair, piece.nodes.b[p], P),
               dQ = projectionGradient(pair, piece.nodes.b[q], Q);
    const Place<double> E{end.xi[0] - begin.xi[0], end.xi[1] - begin.xi[1]},
      D{Q[0] - P[0], Q[1] - P[1]};
    std::array<SweptPoint, 3> points;
    for (int k = 0; k < 3; ++k) {
      const Place<double> xi{begin.xi[0] + gauss[k].position * E[0],
                             begin.xi[1] + gauss[k].position * E[1]};
      const double t =
        ((xi[0] - P[0]) * D[0] + (xi[1] - P[1]) * D[1]) / (D[0] * D[0] + D[1] * D[1]);
      auto& V = points[k].V = zeroGradient();
      for (int c = 0; c < 3; ++c) {
        V[c].axpy(E[1] * (1 - t), dP[0][c]).axpy(E[1] * t, dQ[0][c]);
        V[c].axpy(-E[0] * (1 - t), dP[1][c]).axpy(-E[0] * t, dQ[1][c]);
      }
      V[6 + p].axpy(E[1] * (1 - t), dP[0][3]).axpy(-E[0] * (1 - t), dP[1][3]);
      V[6 + q].axpy(E[1] * t, dQ[0][3]).axpy(-E[0] * t, dQ[1][3]);
      points[k].weight = gauss[k].weight;
      points[k].N = shapeFunctions(xi);
    }
    return points;
  }

} // namespace Dune::Impact::Triangles
