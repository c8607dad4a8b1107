// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/impact/solver/multigrid/nodefriction.hh>

namespace Dune::Impact {

  namespace {

    constexpr int rounds = 30; // over the components of a node that the box cuts off

    //! t with t_N given, or free if normal is null; false if it leaves the box tangentially
    template<int d>
    bool minimum(const NodeBlock<d>& D, const double* s, const double* lo, const double* hi,
                 const FieldVector<double, d>& k, double bound, const double* normal, double* t)
    {
      NodeBlock<d> S = D;
      FieldVector<double, d> q(0);
      for (int a = 1; a < d; ++a) {
        const double ratio = D[a][0] / D[0][0];
        q[a] = normal ? s[a] - D[a][0] * *normal : s[a] - ratio * s[0];
        if (!normal)
          for (int b = 1; b < d; ++b)
            S[a][b] -= ratio * D[0][b];
      }
      for (int a = 1; a < d; ++a)
        for (int b = 1; b < d; ++b)
          q[a] -= S[a][b] * k[b];
      const auto u = shrink<d>(S, q, bound);
      t[0] = normal ? *normal : s[0] / D[0][0];
      bool inside = true;
      for (int a = 1; a < d; ++a) {
        t[a] = k[a] + u[a];
        if (!normal)
          t[0] -= D[0][a] / D[0][0] * t[a];
        inside = inside && lo[a] <= t[a] && t[a] <= hi[a];
      }
      return inside;
    }

    /* The least value of a/2 t^2 - s t + bound sqrt((t - k)^2 + rest^2) in [lo, hi]. If a > 0 the
     * derivative increases, and its zero is halved in; else the best of the ends, the kink and the
     * present value is taken. */
    double minimiseComponent(double a, double s, double lo, double hi, double t, double k,
                             double bound, double rest)
    {
      const auto slope = [&](double y) {
        const double length = std::hypot(y - k, rest);
        return a * y - s + (length > 0 ? bound * ((y - k) / length) : 0);
      };
      const auto value = [&](double y) {
        return y * (a / 2 * y - s) + bound * std::hypot(y - k, rest);
      };
      if (rest == 0 && lo <= k && k <= hi && std::abs(a * k - s) <= bound)
        return k;
      if (!(a > 0)) {
        double best = t;
        for (const double y : {lo, hi, std::clamp(k, lo, hi)})
          if (std::isfinite(y) && value(y) < value(best))
            best = y;
        return best;
      }
      double left = std::max(lo, (s - bound) / a), right = std::min(hi, (s + bound) / a);
      if (!(left < right))
        return std::clamp(left, lo, hi);
      if (slope(left) >= 0)
        return left;
      if (slope(right) <= 0)
        return right;
      for (int i = 0; i < 200; ++i) {
        const double middle = left + 0.5 * (right - left);
        if (middle <= left || middle >= right)
          break;
        (slope(middle) < 0 ? left : right) = middle;
      }
      return left;
    }

    template<int d>
    void minimiseByComponents(const NodeBlock<d>& D, const double* s, const double* lo,
                              const double* hi, const FieldVector<double, d>& k, double bound,
                              double* t)
    {
      std::fill_n(t, d, 0.0);
      for (int round = 0; round < rounds; ++round) {
        bool moved = false;
        for (int c = 0; c < d; ++c) {
          double force = s[c], rest = 0;
          for (int e = 0; e < d; ++e)
            if (e != c) {
              force -= D[c][e] * t[e];
              rest = e > 0 ? std::hypot(rest, t[e] - k[e]) : rest;
            }
          const double next = minimiseComponent(D[c][c], force, lo[c], hi[c], t[c], k[c],
                                                c > 0 ? bound : 0, c > 0 ? rest : 0);
          moved = moved || next != t[c];
          t[c] = next;
        }
        if (!moved)
          return;
      }
    }

  } // namespace

  template<int d>
  void minimiseFriction(const NodeBlock<d>& D, bool positive, const double* s, const double* lo,
                        const double* hi, const FieldVector<double, d>& k, double bound, double* t)
  {
    if (positive && D[0][0] > 0) {
      bool inside = minimum<d>(D, s, lo, hi, k, bound, nullptr, t);
      if (t[0] < lo[0] || t[0] > hi[0]) {
        const double normal = std::clamp(t[0], lo[0], hi[0]);
        inside = minimum<d>(D, s, lo, hi, k, bound, &normal, t);
      }
      if (inside)
        return;
    }
    if (std::isfinite(bound))
      return minimiseByComponents<d>(D, s, lo, hi, k, bound, t);
    // held at the kink, as far as the box reaches
    double force = s[0];
    for (int c = 1; c < d; ++c) {
      t[c] = std::clamp(k[c], lo[c], hi[c]);
      force -= D[0][c] * t[c];
    }
    t[0] = minimiseComponent(D[0][0], force, lo[0], hi[0], 0, 0, 0, 0);
  }

  template void minimiseFriction<2>(const NodeBlock<2>&, bool, const double*, const double*,
                                    const double*, const FieldVector<double, 2>&, double, double*);
  template void minimiseFriction<3>(const NodeBlock<3>&, bool, const double*, const double*,
                                    const double*, const FieldVector<double, 3>&, double, double*);

} // namespace Dune::Impact
