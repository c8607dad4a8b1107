// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <dune/impact/contact/mortar/trianglecover.hh>

namespace Dune::Impact::Triangles {

  namespace {

    //! Do polygons overlap by more than rounding? A side of one of them separates them if not
    bool overlap(std::span<const Corner> p, std::span<const Corner> q)
    {
      const auto separates = [](std::span<const Corner> a, std::span<const Corner> b) {
        for (std::size_t i = 0; i < a.size(); ++i) {
          const auto &begin = a[i].xi, &end = a[i + 1 == a.size() ? 0 : i + 1].xi;
          const double length = std::hypot(end[0] - begin[0], end[1] - begin[1]);
          if (length > uncovered && std::all_of(b.begin(), b.end(), [&](const Corner& c) {
                return doubleArea(begin, end, c.xi) <= uncovered * length;
              }))
            return true;
        }
        return false;
      };
      return !separates(p, q) && !separates(q, p);
    }

  } // namespace

  /* Pieces in the order of their largest distance; each stays unless it overlaps one of the same
   * layer that has stayed. The original order is restored, so that sums do not depend on
   * distances. */
  void keepNearest(std::vector<Piece>& pieces)
  {
    std::vector<std::size_t> order(pieces.size()), kept;
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
      return pieces[i].farthest < pieces[j].farthest;
    });
    for (std::size_t i : order) {
      const auto hides = [&](std::size_t j) {
        return pieces[i].layer == pieces[j].layer &&
               overlap(pieces[i].polygon.corners(), pieces[j].polygon.corners());
      };
      if (std::none_of(kept.begin(), kept.end(), hides))
        kept.push_back(i);
    }
    std::sort(kept.begin(), kept.end());
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (kept[i] != i)
        pieces[i] = std::move(pieces[kept[i]]);
    pieces.resize(kept.size());
  }

  double coveredFraction(const std::vector<Piece>& pieces, double layer)
  {
    double sum = 0;
    for (const auto& piece : pieces)
      sum += layer * piece.weight * piece.polygon.doubleArea();
    return sum;
  }

  //! True unless the side is on a line of the facet, shorter than rounding, or within rounding of a
  //! side N_j = 0 of the facet
  bool isInner(const ClippedTriangle& polygon, std::size_t i)
  {
    const Corner &begin = polygon.corners()[i], &end = polygon.next(i);
    if (begin.onLine || std::hypot(end.xi[0] - begin.xi[0], end.xi[1] - begin.xi[1]) <= uncovered)
      return false;
    for (int j = 0; j < 3; ++j)
      if (shapeFunction(begin.xi, j) <= uncovered && shapeFunction(end.xi, j) <= uncovered)
        return false;
    return true;
  }

  bool endsInside(const std::vector<Piece>& pieces)
  {
    for (const auto& piece : pieces)
      if (piece.boundary[0] || piece.boundary[1] || piece.boundary[2])
        for (std::size_t i = 0; i < piece.polygon.corners().size(); ++i)
          if (piece.boundary[piece.polygon.corners()[i].carrier] && isInner(piece.polygon, i))
            return true;
    return false;
  }

  //! Neighbours have the inner side from p to q in opposite directions: it is crossed out if (q, p)
  //! of the same layer is in the list. What remains is open.
  bool hasOpenSides(const std::vector<Piece>& pieces)
  {
    struct Side
    {
      int layer;
      std::size_t p, q;
      bool operator==(const Side&) const = default;
    };
    std::vector<Side> open;
    for (const auto& piece : pieces)
      for (std::size_t i = 0; i < piece.polygon.corners().size(); ++i) {
        const int k = piece.polygon.corners()[i].carrier;
        if (!isInner(piece.polygon, i) || piece.boundary[k])
          continue;
        const Side side{piece.layer, piece.column[edgeBegin(k)], piece.column[edgeEnd(k)]};
        const auto other = std::find(open.begin(), open.end(), Side{side.layer, side.q, side.p});
        if (other == open.end())
          open.push_back(side);
        else
          open.erase(other);
      }
    return !open.empty();
  }

} // namespace Dune::Impact::Triangles
