// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_GRID_LATTICE_HH
#define DUNE_IMPACT_GRID_LATTICE_HH

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

/** \file
 * \ingroup impact_grid
 * \brief Integer points, and the cutting of cubes and simplices into simplices
 */

namespace Dune::Impact {

  template<std::size_t dim>
  using LatticePoint = std::array<int, dim>;

  //! Call f for all points with 0 <= point[k] < size[k], the first component running fastest
  template<std::size_t dim, class Function>
  void forEachPoint(const LatticePoint<dim>& size, Function&& f)
  {
    LatticePoint<dim> point{};
    if (std::any_of(size.begin(), size.end(), [](int n) { return n <= 0; }))
      return;
    while (true) {
      f(point);
      std::size_t k = 0;
      while (k < dim && ++point[k] == size[k])
        point[k++] = 0;
      if (k == dim)
        return;
    }
  }

  /** \brief Call f for the simplices of the cube at base: the paths base, base + e_i, base + e_i +
   * e_j, ...
   *
   * The triangulation of Freudenthal. Neighbouring cubes are cut conformingly.
   */
  template<std::size_t dim, class Function>
  void forEachPath(const LatticePoint<dim>& base, Function&& f)
  {
    std::array<std::size_t, dim> order;
    std::iota(order.begin(), order.end(), 0);
    do {
      std::array<LatticePoint<dim>, dim + 1> path;
      path[0] = base;
      for (std::size_t i = 0; i < dim; ++i) {
        path[i + 1] = path[i];
        ++path[i + 1][order[i]];
      }
      f(path);
    } while (std::next_permutation(order.begin(), order.end()));
  }

  /** \brief Cut a simplex with ordered corners into n^dim simplices
   *
   * f gets the dim + 1 corners, each as the numbers b with position sum_i b_i/n corner_i. Two
   * simplices that share a facet are cut conformingly if both list the shared corners in the
   * same order. In the coordinates n >= x_1 >= ... >= x_dim >= 0 with b_i = x_i - x_{i+1} these
   * are the paths that stay inside.
   */
  template<std::size_t dim, class Function>
  void cutSimplex(int n, Function&& f)
  {
    LatticePoint<dim> size;
    size.fill(n);
    const auto inside = [](const LatticePoint<dim>& x) {
      return std::is_sorted(x.rbegin(), x.rend());
    };
    forEachPoint(size, [&](const auto& base) {
      forEachPath(base, [&](const auto& path) {
        if (!std::all_of(path.begin(), path.end(), inside))
          return;
        std::array<std::array<int, dim + 1>, dim + 1> corners;
        for (std::size_t c = 0; c <= dim; ++c)
          for (std::size_t i = 0; i <= dim; ++i)
            corners[c][i] = (i == 0 ? n : path[c][i - 1]) - (i == dim ? 0 : path[c][i]);
        f(corners);
      });
    });
  }

} // namespace Dune::Impact

#endif
