// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_IMPULSE_NODETOFACE_HH
#define DUNE_IMPACT_CONTACT_IMPULSE_NODETOFACE_HH

#include <algorithm>
#include <optional>
#include <vector>

#include <dune/impact/body/interaction.hh>
#include <dune/impact/contact/impulse/impulsegeometry.hh>
#include <dune/impact/contact/mortar/mortarsettings.hh>
#include <dune/impact/contact/mortar/nearfacets.hh>
#include <dune/impact/geometry/boxtree.hh>
#include <dune/impact/geometry/closestpoint.hh>

/** \file
 * \ingroup impact_contact_impulse
 * \brief Contact of surfaces of solids as rows, for explicit methods
 *
 * Rows of both couplings leave linear and angular momentum alone. For the normal row this holds
 * since it is the derivative of a gap that no rigid motion changes. The slip along t of a node x
 * over a place y = sum N_j y_j on the other side is
 *
 *     t . (v_x - sum N_j v_j - w x (x - y)),
 *
 * with the angular velocity w of the other side nearby: without the last term friction would act
 * on both sides along different lines.
 */

namespace Dune::Impact {

  //! A surface of a body, with where the arrays of the body begin; the surface numbers the nodes of
  //! the body from zero
  template<int dim>
  struct BodySurface
  {
    ContactSurface<dim> surface;
    PointHandle body; //!< any point of it

    //! The numbers of the body in the configuration of the system
    ConstSpan configuration(ConstSpan q) const
    {
      return q.subspan(body.configurationOffset, body.body->configurationSize());
    }

    FieldVector<double, dim> position(std::size_t i, ConstSpan q) const
    {
      return surface.position(i, configuration(q));
    }

    std::size_t dof(std::size_t i) const { return body.velocityOffset + surface.node[i] * dim; }
    PointHandle point(std::size_t i) const
    {
      return {body.body, body.bodyIndex, surface.node[i], body.configurationOffset,
              body.velocityOffset};
    }
  };

  /** \brief Nodes of the first side against the facets of the second
   *
   * A node is seen by the nearest facet within the window; the facet is a segment, a triangle or
   * a bilinear quadrilateral. With the closest point y of the facet
   *
   *     g = +- |x - y|,   dg = n . (v_x - sum N_j v_j),   n = +- (x - y)/|x - y|,
   *
   * negative behind the facet. Facets are sought in a tree of boxes; those near a node of the first
   * side are remembered. Nodes are looked at on several threads, each into its own place. An object
   * must not be asked by two threads at the same time.
   */
  template<int dim>
  class NodeToFace : public ImpulseGeometry
  {
  public:
    using Vector = FieldVector<double, dim>;
    static constexpr int corners = SolidMesh<dim>::facetCorners;

    //! Where a node meets a facet
    struct Foot
    {
      std::size_t facet;
      std::array<double, corners> weight = {}; //!< N_j of the closest point
      std::array<double, 2> local = {};        //!< its coordinates on the facet
      Vector normal;
      double gap;
      double height; //!< size of the distance from the plane of the facet
      //! of a triangle that is no needle, not at an edge: the gap is the height
      bool within = false;
    };

    NodeToFace(BodySurface<dim> first, BodySurface<dim> second,
               std::optional<GapWindow> window = {}, int threads = 0);

    const BodySurface<dim>& first() const { return first_; }
    const BodySurface<dim>& second() const { return second_; }

    //! The feet of all nodes that have one
    std::vector<std::optional<Foot>> feet(ConstSpan q) const;

    //! The same for any places instead of the nodes of the first side
    std::vector<std::optional<Foot>> feet(ConstSpan q, const std::vector<Vector>& x) const;

    //! All feet of places, each on another facet, ordered by facets
    std::vector<std::vector<Foot>> allFeet(ConstSpan q, const std::vector<Vector>& x) const;

    std::size_t firstBody() const override { return first_.body.bodyIndex; }
    std::optional<std::size_t> secondBody() const override { return second_.body.bodyIndex; }
    std::size_t multipliers() const override { return first_.surface.node.size(); }
    void gaps(double t, ConstSpan q, Span gaps) const override;
    double addPoints(const Instant& at, ConstSpan q, double tolerance,
                     ContactPoints& rows) const override;
    double length(ConstSpan q) const override;

  private:
    //! The feet of a place that may be the nearest
    struct Nearest
    {
      double distance;
      std::vector<Foot> feet;
    };

    double reach() const { return std::max(window_.upper, -window_.lower); }
    //! distances that differ by no more are the same
    double slack() const { return 1e-9 * reach(); }
    std::vector<Vector> places(const BodySurface<dim>& side, ConstSpan q) const;
    std::vector<std::optional<Foot>> nearFeet(const std::vector<Vector>& x,
                                              const std::vector<Vector>& y) const;
    Box<dim> facetBox(std::size_t facet, const std::vector<Vector>& y) const;
    typename BoxTree<dim>::Boxes treeBoxes(const std::vector<Vector>& x,
                                           const std::vector<Vector>& y) const;
    double closest(const Vector& x, const std::vector<Vector>& y, Foot& foot,
                   std::array<Vector, corners>& corner, Vector& d) const;
    std::optional<Foot> foot(const Vector& x, std::size_t facet, const std::vector<Vector>& y,
                             double farthest) const;
    void addInside(std::size_t node, const Foot& foot, const std::vector<Vector>& y,
                   ContactPoints& rows) const
      requires(dim == 3);
    static void setWithin(const TrianglePlace& place, Foot& foot)
      requires(dim == 3);
    double improve(const Vector& x, std::size_t facet, const std::vector<Vector>& y,
                   Nearest& nearest) const;
    std::optional<Foot> best(const Nearest& nearest) const;
    void makeLists(const std::vector<Vector>& x, const std::vector<Vector>& y) const;

    BodySurface<dim> first_, second_;
    GapWindow window_;
    int threads_;
    BoxTree<dim> tree_;
    mutable NearFacets<dim> near_; //!< of the nodes of the first side
  };

  extern template class NodeToFace<2>;
  extern template class NodeToFace<3>;

} // namespace Dune::Impact

#endif
