// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef TEST_CONTACT_POLYLINES_HH
#define TEST_CONTACT_POLYLINES_HH

#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <vector>

#include <dune/impact/contact/mortar/contactsurface.hh>

//! Polylines as surfaces of a system of nodes without bodies, which lie on the left
class Polylines
{
public:
  using Vector = Dune::FieldVector<double, 2>;
  using Surface = Dune::Impact::ContactSurface<2>;
  using Curve = std::function<Vector(double)>; //!< of a parameter in [0, 1]

  //! An open polyline with a number of edges
  Surface add(int edges, const Curve& curve)
  {
    Surface surface;
    surface.body = bodies_++;
    append(surface, edges, curve);
    return surface;
  }

  //! A further part of a surface; it must be the last one added
  void append(Surface& surface, int edges, const Curve& curve)
  {
    for (int i = 0; i <= edges; ++i)
      addNode(surface, curve(double(i) / edges));
    const auto last = Dune::Impact::Index(surface.node.size() - 1);
    for (auto i = last - edges; i < last; ++i)
      surface.facets.push_back({{i, i + 1}, 2});
  }

  //! A closed polyline around a disc
  Surface addCircle(int edges, const Vector& centre, double radius, double angle = 0)
  {
    Surface surface;
    surface.body = bodies_++;
    for (int i = 0; i < edges; ++i) {
      const double phi = angle + 2 * std::numbers::pi * i / edges;
      addNode(surface, {centre[0] + radius * std::cos(phi), centre[1] + radius * std::sin(phi)});
      surface.facets.push_back({{Dune::Impact::Index(i), Dune::Impact::Index((i + 1) % edges)}, 2});
    }
    return surface;
  }

  std::vector<double> zero() const { return std::vector<double>(2 * nodes_, 0.0); }

  //! Random displacements of a size
  std::vector<double> shaken(double size) const
  {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> uniform(-size, size);
    auto u = zero();
    for (double& x : u)
      x = uniform(random);
    return u;
  }

private:
  void addNode(Surface& surface, const Vector& x)
  {
    surface.node.push_back(nodes_++);
    surface.reference.push_back(x);
  }

  std::size_t nodes_ = 0, bodies_ = 0;
};

#endif
