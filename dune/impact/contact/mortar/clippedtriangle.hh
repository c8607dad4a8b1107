// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_MORTAR_CLIPPEDTRIANGLE_HH
#define DUNE_IMPACT_CONTACT_MORTAR_CLIPPEDTRIANGLE_HH

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <span>

/** \file
 * \ingroup impact_contact_mortar
 * \brief The part of a triangle that lies in the reference triangle, with the origin of its corners
 *
 * The reference triangle has the shape functions N = (1 - xi_1 - xi_2, xi_1, xi_2); its side j is
 * the line N_j = 0. A mortar triangle that faces it has an image with the corners 0, 2, 1 in
 * counter-clockwise order. Side k of the image lacks corner k and runs from corner k + 2 to
 * corner k + 1 (modulo 3).
 */

namespace Dune::Impact::Triangles {

  template<class T>
  using Place = std::array<T, 2>;

  constexpr int edgeBegin(int k)
  {
    return (k + 2) % 3;
  }
  constexpr int edgeEnd(int k)
  {
    return (k + 1) % 3;
  }

  //! N_j
  template<class T>
  T shapeFunction(const Place<T>& xi, int j)
  {
    if (j == 0)
      return T(1.0) - xi[0] - xi[1];
    return xi[j - 1];
  }

  //! (q - p) x (r - p)
  template<class T>
  T doubleArea(const Place<T>& p, const Place<T>& q, const Place<T>& r)
  {
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
  }

  //! Where the line from P to Q meets the line N_j = 0: P + t (Q - P), t = d_P / (d_P - d_Q), d =
  //! N_j
  template<class T>
  Place<T> crossing(const Place<T>& P, const Place<T>& Q, int j)
  {
    const T dP = shapeFunction(P, j), t = dP / (dP - shapeFunction(Q, j));
    return {P[0] + t * (Q[0] - P[0]), P[1] + t * (Q[1] - P[1])};
  }

  //! A corner of the polygon, and what carries the side from it to the next corner
  struct Corner
  {
    enum class Kind : std::int8_t {
      nonmortar, //!< corner `index` of the reference triangle
      mortar,    //!< corner `index` of the image
      crossing   //!< of side `index` of the image with `line`
    };

    Corner() = default;
    Corner(Kind kind, int index, int line, const Place<double>& xi, bool onLine, int carrier)
      : xi(xi)
      , kind(kind)
      , index(std::int8_t(index))
      , line(std::int8_t(line))
      , carrier(std::int8_t(carrier))
      , onLine(onLine)
    {}

    Place<double> xi;
    Kind kind;
    std::int8_t index, line, carrier;
    bool onLine; //!< the next side lies on the line `carrier`; else on side `carrier` of the image
  };

  /** \brief Sutherland-Hodgman clipping with tags
   *
   * Decisions are made with plain numbers, "N_j >= 0 is inside", without a tolerance: a polygon
   * that is wrong by rounding is wrong by an area of rounding. Crossings are made from whole sides
   * of the image; where both ends of such a side have the same N_j, so has every point that was
   * made of them, hence no quotient is 0 / 0.
   */
  class ClippedTriangle
  {
  public:
    ClippedTriangle() = default;

    explicit ClippedTriangle(const std::array<Place<double>, 3>& image) : image_(image)
    {
      for (int k : {1, 0, 2}) // from 0 to 2 to 1
        add({Corner::Kind::mortar, edgeBegin(k), 0, image[edgeBegin(k)], false, k});
      for (int j = 0; j < 3; ++j)
        clip(j);
    }

    std::span<const Corner> corners() const { return {corners_.data(), std::size_t(size_)}; }
    const Corner& next(std::size_t i) const { return corners_[int(i) + 1 == size_ ? 0 : i + 1]; }
    const std::array<Place<double>, 3>& image() const { return image_; }

    double doubleArea() const
    {
      double sum = 0;
      for (int k = 2; k < size_; ++k)
        sum += Triangles::doubleArea(corners_[0].xi, corners_[k - 1].xi, corners_[k].xi);
      return sum;
    }

  private:
    void add(const Corner& corner)
    {
      assert(size_ < int(corners_.size()));
      corners_[size_++] = corner;
    }

    //! The corner where a side leaves or enters N_j >= 0
    Corner crossingOf(const Corner& side, int j) const
    {
      if (side.onLine) {
        const int i = 3 - side.carrier - j;
        return {Corner::Kind::nonmortar,
                i,
                0,
                {i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0},
                true,
                side.carrier};
      }
      return {Corner::Kind::crossing,
              side.carrier,
              j,
              crossing(image_[edgeBegin(side.carrier)], image_[edgeEnd(side.carrier)], j),
              false,
              side.carrier};
    }

    void clip(int j)
    {
      const int count = size_;
      std::array<bool, 10> isInside;
      bool all = true;
      for (int i = 0; i < count; ++i)
        all &= isInside[i] = shapeFunction(corners_[i].xi, j) >= 0;
      if (all)
        return;
      isInside[count] = isInside[0];
      std::array<Corner, 9> old;
      std::copy_n(corners_.begin(), count, old.begin());
      size_ = 0;
      for (int i = 0; i < count; ++i) {
        const Corner& corner = old[i];
        const bool inside = isInside[i], nextInside = isInside[i + 1];
        if (inside)
          add(corner);
        if (inside == nextInside)
          continue;
        Corner between = crossingOf(corner, j);
        if (inside) { // the polygon goes on along the line
          between.onLine = true;
          between.carrier = std::int8_t(j);
        }
        add(between);
      }
    }

    std::array<Place<double>, 3> image_{};
    std::array<Corner, 9> corners_; // six; more where rounding bends a side of no length
    int size_ = 0;
  };

} // namespace Dune::Impact::Triangles

#endif
