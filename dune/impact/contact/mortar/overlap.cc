// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/contact/mortar/overlap.hh>
#include <dune/impact/geometry/boxtree.hh>
#include <dune/impact/geometry/facetgeometry.hh>

namespace Dune::Impact {

  namespace {

    //! Edges or triangles; quadrilaterals are cut in two
    template<int dim>
    std::vector<std::array<Index, dim>> flatFacets(const ContactSurface<dim>& surface)
    {
      std::vector<std::array<Index, dim>> result;
      for (const auto& facet : surface.facets)
        for (int k = 2; k <= std::max(2, facet.count - 1); ++k)
          if constexpr (dim == 2)
            result.push_back({facet.node[0], facet.node[1]});
          else
            result.push_back({facet.node[0], facet.node[k - 1], facet.node[k]});
      return result;
    }

    //! Unit normal of an edge or a triangle
    template<int dim>
    FieldVector<double, dim> facetNormal(const FacetCorners<dim>& a)
    {
      FieldVector<double, dim> normal;
      if constexpr (dim == 2)
        normal = {a[1][1] - a[0][1], a[0][0] - a[1][0]};
      else
        normal = cross(a[1] - a[0], a[2] - a[0]);
      const double length = normal.two_norm();
      return length > 0 ? normal / length : normal;
    }

    //! Boundary of a body at a configuration
    template<int dim>
    class Boundary
    {
    public:
      using Vector = FieldVector<double, dim>;

      Boundary(const ContactSurface<dim>& surface, ConstSpan u) : facets_(flatFacets(surface))
      {
        for (std::size_t i = 0; i < surface.node.size(); ++i) {
          x_.push_back(surface.position(i, u));
          box_.add(x_.back());
        }
        std::vector<Box<dim>> leaves(facets_.size());
        for (std::size_t f = 0; f < facets_.size(); ++f)
          for (Index i : facets_[f])
            leaves[f].add(x_[i]);
        tree_ = BoxTree<dim>(leaves);
        tree_.refit(leaves, boxes_);
      }

      const std::vector<Vector>& points() const { return x_; }
      const Box<dim>& box() const { return box_; }

      //! Edges of all facets, each once
      std::set<std::array<Index, 2>> edges() const
      {
        std::set<std::array<Index, 2>> result;
        for (const auto& facet : facets_)
          for (int k = 0; k < (dim == 2 ? 1 : 3); ++k)
            result.insert(
              {std::min(facet[k], facet[(k + 1) % dim]), std::max(facet[k], facet[(k + 1) % dim])});
        return result;
      }

      //! Where a segment crosses the boundary, increasing
      std::vector<double> crossings(const Vector& p, const Vector& q) const
      {
        Box<dim> box;
        box.add(p);
        box.add(q);
        std::vector<double> result;
        tree_.query(boxes_, box, [&](std::size_t f) {
          if (const auto t = crossing<dim>(p, q, corners(f)))
            result.push_back(*t);
        });
        std::sort(result.begin(), result.end());
        return result;
      }

      //! Winding number of the boundary about x: one inside of a closed boundary, zero outside
      bool contains(const Vector& x) const
      {
        double winding = 0;
        for (std::size_t f = 0; f < facets_.size(); ++f)
          winding += windingPart<dim>(corners(f), x);
        return winding > 0.5;
      }

      //! A search in a cube that grows until it holds the nearest facet
      double distance(const Vector& x) const
      {
        Box<dim> point;
        point.add(x);
        double distance = std::numeric_limits<double>::infinity();
        for (double reach = 1e-3 * (box_.upper - box_.lower).two_norm(); distance > reach;) {
          if (distance < std::numeric_limits<double>::infinity())
            reach = distance;
          else
            reach *= 2;
          tree_.query(boxes_, point.inflated(reach), [&](std::size_t f) {
            distance = std::min(distance, facetDistance<dim>(corners(f), x));
          });
        }
        return distance;
      }

    private:
      FacetCorners<dim> corners(std::size_t f) const
      {
        FacetCorners<dim> a;
        for (int k = 0; k < dim; ++k)
          a[k] = x_[facets_[f][k]];
        return a;
      }

      std::vector<std::array<Index, dim>> facets_;
      std::vector<Vector> x_;
      Box<dim> box_;
      BoxTree<dim> tree_;
      typename BoxTree<dim>::Boxes boxes_;
    };

    //! Nodes that are connected by edges get the same number
    class Parts
    {
    public:
      explicit Parts(std::size_t size) : parent_(size)
      {
        std::iota(parent_.begin(), parent_.end(), 0);
      }

      std::size_t operator[](std::size_t i)
      {
        while (parent_[i] != i)
          i = parent_[i] = parent_[parent_[i]];
        return i;
      }

      void connect(std::size_t i, std::size_t j) { parent_[(*this)[i]] = (*this)[j]; }

    private:
      std::vector<std::size_t> parent_;
    };

    /* Of each part, whether it lies inside of another boundary. The node that is tested is the one
     * that is farthest from this boundary: the winding number of a node that touches it means
     * nothing. A part that leaves the box of the boundary is outside. */
    template<int dim>
    std::map<std::size_t, bool> partsInside(const Boundary<dim>& boundary, Parts& parts,
                                            const Boundary<dim>& other)
    {
      struct Witness
      {
        std::size_t node = 0;
        double distance = -1;
      };
      const auto& x = boundary.points();
      std::map<std::size_t, Witness> witness;
      const double outside = std::numeric_limits<double>::infinity();
      const auto inBox = [&](std::size_t i) {
        Box<dim> point;
        point.add(x[i]);
        return other.box().overlaps(point);
      };
      for (std::size_t i = 0; i < x.size(); ++i)
        if (auto& one = witness[parts[i]]; !inBox(i))
          one = {i, outside};
      for (std::size_t i = 0; i < x.size(); ++i)
        if (auto& one = witness[parts[i]]; one.distance < outside)
          if (const double distance = other.distance(x[i]); distance > one.distance)
            one = {i, distance};
      std::map<std::size_t, bool> inside;
      for (const auto& [part, one] : witness)
        inside[part] = one.distance < outside && other.contains(x[one.node]);
      return inside;
    }

    /* Points of a boundary inside of another: nodes, and middles of parts of edges between two
     * crossings. Nodes that are connected by edges without a crossing are all inside or all
     * outside. */
    template<int dim>
    std::vector<FieldVector<double, dim>> pointsInside(const Boundary<dim>& boundary,
                                                       const Boundary<dim>& other)
    {
      const auto& x = boundary.points();
      std::vector<FieldVector<double, dim>> inside;
      Parts parts(x.size());
      for (const auto& [i, j] : boundary.edges()) {
        auto places = other.crossings(x[i], x[j]);
        if (places.empty())
          parts.connect(i, j);
        for (std::size_t k = 1; k < places.size(); ++k) {
          auto middle = x[i];
          middle.axpy(0.5 * (places[k - 1] + places[k]), x[j] - x[i]);
          if (other.contains(middle))
            inside.push_back(middle);
        }
      }
      const auto partIsInside = partsInside(boundary, parts, other);
      for (std::size_t i = 0; i < x.size(); ++i)
        if (partIsInside.at(parts[i]))
          inside.push_back(x[i]);
      return inside;
    }

    template<int dim>
    void requireClosed(const ContactSurface<dim>& surface)
    {
      if (!isClosed(surface))
        throw InputError("the boundary of body " + std::to_string(surface.body) + " is not closed");
    }

  } // namespace

  //! Closed surface: each side occurs as often in one direction as in the other. In two dimensions
  //! the sides are nodes, and each of them ends as many edges as it begins.
  template<int dim>
  bool isClosed(const ContactSurface<dim>& surface)
  {
    std::map<std::array<Index, 2>, int> balance;
    for (const auto& facet : flatFacets(surface))
      if constexpr (dim == 2) {
        ++balance[{facet[0], 0}];
        --balance[{facet[1], 0}];
      }
      else
        for (int k = 0; k < 3; ++k) {
          const Index i = facet[k], j = facet[(k + 1) % 3];
          balance[{std::min(i, j), std::max(i, j)}] += i < j ? 1 : -1;
        }
    return std::all_of(balance.begin(), balance.end(),
                       [](const auto& entry) { return entry.second == 0; });
  }

  //! Deepest point of one boundary inside of the other, both ways; the depth is the distance of the
  //! point from the other boundary.
  template<int dim>
  std::optional<Overlap<dim>> findOverlap(const ContactSurface<dim>& first,
                                          const ContactSurface<dim>& second, ConstSpan u,
                                          double tolerance)
  {
    requireClosed(first);
    requireClosed(second);
    const Boundary<dim> a(first, u), b(second, u);
    std::optional<Overlap<dim>> deepest;
    if (!a.box().overlaps(b.box()))
      return deepest;
    const auto search = [&](const Boundary<dim>& boundary, std::size_t body,
                            const Boundary<dim>& other, std::size_t otherBody) {
      for (const auto& point : pointsInside(boundary, other))
        if (const double depth = other.distance(point);
            depth > tolerance && (!deepest || depth > deepest->depth) && other.contains(point))
          deepest = Overlap<dim>{body, otherBody, point, depth};
    };
    search(a, first.body, b, second.body);
    search(b, second.body, a, first.body);
    return deepest;
  }

  /* A facet of length L of a smooth surface that turns by the angle a from facet to facet is
   * L/4 tan(a/2) away from it. Edges where it turns by more than 45 degrees are edges of the body.
   */
  template<int dim>
  double facetSagitta(const ContactSurface<dim>& surface, ConstSpan u)
  {
    const double smooth = std::sqrt(0.5);
    struct Flat
    {
      FieldVector<double, dim> normal;
      double length;
    };
    std::map<std::array<Index, 2>, std::vector<Flat>> sides; // nodes in the plane
    for (const auto& facet : flatFacets(surface)) {
      FacetCorners<dim> a;
      for (int k = 0; k < dim; ++k)
        a[k] = surface.position(facet[k], u);
      Flat flat{facetNormal<dim>(a), 0};
      for (int k = 0; k < dim; ++k)
        flat.length = std::max(flat.length, (a[k] - a[(k + 1) % dim]).two_norm());
      for (int k = 0; k < dim; ++k) {
        const Index i = facet[k], j = dim == 2 ? i : facet[(k + 1) % dim];
        sides[{std::min(i, j), std::max(i, j)}].push_back(flat);
      }
    }
    double largest = 0;
    for (const auto& [side, flats] : sides)
      if (flats.size() == 2)
        if (const double cosine = flats[0].normal * flats[1].normal; cosine >= smooth)
          largest = std::max(largest, 0.25 * std::max(flats[0].length, flats[1].length) *
                                        std::sqrt(std::max(0.0, 1 - cosine) / (1 + cosine)));
    return largest;
  }

  template<int dim>
  struct InsideTest<dim>::Data
  {
    Boundary<dim> boundary;
  };

  template<int dim>
  InsideTest<dim>::InsideTest(const ContactSurface<dim>& boundary, ConstSpan u)
    : data_(std::make_unique<Data>(Data{Boundary<dim>(boundary, u)}))
  {}

  template<int dim>
  InsideTest<dim>::~InsideTest() = default;

  template<int dim>
  bool InsideTest<dim>::operator()(const FieldVector<double, dim>& x) const
  {
    Box<dim> point;
    point.add(x);
    return data_->boundary.box().overlaps(point) && data_->boundary.contains(x);
  }

  //! Distance from the boundary, without sign
  template<int dim>
  double InsideTest<dim>::distance(const FieldVector<double, dim>& x) const
  {
    return data_->boundary.distance(x);
  }

  template class InsideTest<2>;
  template class InsideTest<3>;
  template double facetSagitta(const ContactSurface<2>&, ConstSpan);
  template double facetSagitta(const ContactSurface<3>&, ConstSpan);
  template bool isClosed(const ContactSurface<2>&);
  template bool isClosed(const ContactSurface<3>&);
  template std::optional<Overlap<2>> findOverlap(const ContactSurface<2>&, const ContactSurface<2>&,
                                                 ConstSpan, double);
  template std::optional<Overlap<3>> findOverlap(const ContactSurface<3>&, const ContactSurface<3>&,
                                                 ConstSpan, double);

} // namespace Dune::Impact
