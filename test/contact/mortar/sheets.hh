// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TEST_CONTACT_MORTAR_SHEETS_HH
#define DUNE_IMPACT_TEST_CONTACT_MORTAR_SHEETS_HH

#include <functional>
#include <random>
#include <vector>

#include <dune/impact/contact/mortar/contactsurface.hh>

/** \file
 * \brief Surfaces of triangles or quadrilaterals over a square
 */
class Sheets
{
public:
  using Vector = Dune::FieldVector<double, 3>;
  using Surface = Dune::Impact::ContactSurface<3>;
  using Index = Dune::Impact::Index;
  using Map = std::function<Vector(double, double)>; //!< of (s, t) in the unit square

  //! crossed: diagonals of both directions
  enum class Kind { triangles, crossed, quadrilaterals, mixed };

  //! nx times ny quadrilaterals; the normal is that of ds x dt, or the opposite one
  Surface add(int nx, int ny, const Map& map, bool up, Kind kind = Kind::triangles)
  {
    Surface surface;
    surface.body = bodies_++;
    append(surface, nx, ny, map, up, kind);
    return surface;
  }

  //! A further part of a surface; it must be the last one added
  void append(Surface& surface, int nx, int ny, const Map& map, bool up,
              Kind kind = Kind::triangles)
  {
    const Index first = Index(surface.node.size());
    for (int i = 0; i <= nx; ++i)
      for (int j = 0; j <= ny; ++j) {
        surface.node.push_back(nodes_++);
        surface.reference.push_back(map(double(i) / nx, double(j) / ny));
      }
    for (Index i = 0; i < Index(nx); ++i)
      for (Index j = 0; j < Index(ny); ++j) {
        const Index a = first + i * (ny + 1) + j, b = a + ny + 1;
        const bool whole = kind == Kind::quadrilaterals || (kind == Kind::mixed && i % 2 == 0);
        const bool other = kind == Kind::crossed && (i + j) % 2 == 1;
        addFacets(surface, {a, b, b + 1, a + 1}, up, whole, other);
      }
  }

  std::vector<double> zero() const { return std::vector<double>(3 * nodes_, 0.0); }

  //! Random displacements of a size
  std::vector<double> shaken(double size, unsigned seed = 11) const
  {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-size, size);
    auto u = zero();
    for (double& x : u)
      x = uniform(random);
    return u;
  }

private:
  static void addFacets(Surface& surface, std::array<Index, 4> p, bool up, bool whole, bool other)
  {
    if (!up)
      std::swap(p[1], p[3]);
    if (whole)
      surface.facets.push_back({{p[0], p[1], p[2], p[3]}, 4});
    else if (other) {
      surface.facets.push_back({{p[1], p[2], p[3]}, 3});
      surface.facets.push_back({{p[1], p[3], p[0]}, 3});
    }
    else {
      surface.facets.push_back({{p[0], p[1], p[2]}, 3});
      surface.facets.push_back({{p[0], p[2], p[3]}, 3});
    }
  }

  std::size_t nodes_ = 0, bodies_ = 0;
};

//! A rotation about a skew axis
inline Sheets::Vector turned(const Sheets::Vector& x, double angle)
{
  Sheets::Vector axis{0.36, 0.48, 0.8}, y;
  const double c = std::cos(angle), s = std::sin(angle), along = (1 - c) * (axis * x);
  for (int i = 0; i < 3; ++i)
    y[i] = c * x[i] + along * axis[i] +
           s * (axis[(i + 1) % 3] * x[(i + 2) % 3] - axis[(i + 2) % 3] * x[(i + 1) % 3]);
  return y;
}

#endif
