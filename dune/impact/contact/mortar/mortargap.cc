// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <map>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/common/parallel.hh>
#include <dune/impact/contact/mortar/gapassembler.hh>
#include <dune/impact/contact/mortar/mortargap.hh>

namespace Dune::Impact {

  namespace {

    template<int dim>
    std::vector<FieldVector<double, dim>> positions(const ContactSurface<dim>& surface, ConstSpan u)
    {
      std::vector<FieldVector<double, dim>> x(surface.node.size());
      for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = surface.position(i, u);
      return x;
    }

    template<int dim>
    Box<dim> boundingBox(const std::vector<FieldVector<double, dim>>& x)
    {
      Box<dim> box;
      for (const auto& point : x)
        box.add(point);
      return box;
    }

    template<int dim>
    Box<dim> facetBox(const typename FlatFacets<dim>::Facet& facet,
                      const std::vector<FieldVector<double, dim>>& x)
    {
      Box<dim> box;
      for (Index i : facet.node)
        box.add(x[i]);
      return box;
    }

    template<int dim>
    void setFacetBoxes(const FlatFacets<dim>& flat, const std::vector<FieldVector<double, dim>>& x,
                       std::vector<Box<dim>>& boxes)
    {
      boxes.clear();
      for (const auto& facet : flat.facets)
        boxes.push_back(facetBox<dim>(facet, x));
    }

    template<int dim>
    std::vector<Box<dim>> facetBoxes(const FlatFacets<dim>& flat,
                                     const std::vector<FieldVector<double, dim>>& x)
    {
      std::vector<Box<dim>> boxes;
      setFacetBoxes(flat, x, boxes);
      return boxes;
    }

    template<int dim>
    FieldVector<double, dim> unitNormal(const typename FlatFacets<dim>::Facet& facet,
                                        const std::vector<FieldVector<double, dim>>& x)
    {
      std::array<FieldVector<double, dim>, dim> a;
      for (int k = 0; k < dim; ++k)
        a[k] = x[facet.node[k]];
      auto normal = areaVector<dim>(std::span<const FieldVector<double, dim>, dim>(a));
      return normal / normal.two_norm();
    }

    //! The corner of a facet that is node p
    template<class Facet>
    int cornerOf(const Facet& facet, Index p)
    {
      return int(std::find(facet.node.begin(), facet.node.end(), p) - facet.node.begin());
    }

    template<int dim>
    void requireFacets(const ContactSurface<dim>& surface)
    {
      if (surface.facets.empty())
        throw InputError("a contact surface without facets");
    }

  } // namespace

  //! Window (-h, 2 h) with the larger mean size h of the facets of both sides; gaps outside of it
  //! do not count
  template<int dim>
  GapWindow defaultWindow(const ContactSurface<dim>& surface, const ContactSurface<dim>& mortar)
  {
    const double h = std::max(facetSize(surface), facetSize(mortar));
    return {-h, 2 * h};
  }

  template<int dim>
  MortarGap<dim>::MortarGap(ContactSurface<dim> surface, ContactSurface<dim> mortar,
                            const MortarSettings& settings)
    : surface_(std::move(surface))
    , mortar_(std::move(mortar))
    , flat_(surface_)
    , flatMortar_(mortar_)
    , settings_(settings)
    , threads_(threadCount(settings.threads))
    , window_((requireFacets(surface_), requireFacets(mortar_),
               settings.window ? *settings.window : defaultWindow(surface_, mortar_)))
    , kernel_(settings, window_, flatMortar_.layers)
    , normals_(surface_, settings.mirrored)
    , pattern_(normals_, surface_.node.size())
    , tree_(facetBoxes(flatMortar_, mortar_.reference))
  {
    if (!(window_.lower < 0 && window_.upper > 0))
      throw InputError("the window of gaps must contain zero");
    setMortarNeighbours();
  }

  /* Neighbour of a mortar facet over the side opposite to corner k: the other facet of the layer
   * with the same nodes of this side. Of two facets the sum of the numbers less the own one is the
   * neighbour; sides of one facet, or of more than two, have none. */
  template<int dim>
  void MortarGap<dim>::setMortarNeighbours()
  {
    using Side = std::array<Index, dim>; // layer and nodes
    const auto side = [&](const auto& facet, int k) {
      Side nodes{Index(facet.layer)};
      for (int i = 0, j = 1; i < dim; ++i)
        if (i != k)
          nodes[j++] = facet.node[i];
      std::sort(nodes.begin() + 1, nodes.end());
      return nodes;
    };
    std::map<Side, std::array<std::size_t, 2>> facets; // numbers, with how many there are
    for (std::size_t f = 0; f < flatMortar_.facets.size(); ++f)
      for (int k = 0; k < dim; ++k) {
        auto& [sum, count] = facets[side(flatMortar_.facets[f], k)];
        sum += f;
        ++count;
      }
    for (std::size_t f = 0; f < flatMortar_.facets.size(); ++f) {
      auto& neighbour = mortarNeighbour_.emplace_back();
      for (int k = 0; k < dim; ++k) {
        const auto& [sum, count] = facets[side(flatMortar_.facets[f], k)];
        neighbour[k] = count == 2 ? sum - f : none;
      }
    }
  }

  //! Mortar facet as it is seen by a facet with the unit normal n: a side is an end of the mortar
  //! side if it has no neighbour, or one that does not face n.
  template<int dim>
  MortarFacet<dim> MortarGap<dim>::mortarFacet(std::size_t facet, const Vector& n,
                                               const Evaluation& at) const
  {
    const auto& flat = flatMortar_.facets[facet];
    MortarFacet<dim> result{.node = flat.node, .y = {}, .boundary = {}, .layer = flat.layer};
    for (int k = 0; k < dim; ++k) {
      const std::size_t neighbour = mortarNeighbour_[facet][k];
      result.y[k] = at.y[flat.node[k]];
      result.boundary[k] = neighbour == none || !faces(n, at.mortarNormal[neighbour]);
    }
    return result;
  }

  //! The cosine -n . m of the angle at which the facets face each other gives a weight of
  //! Visibility above zero.
  template<int dim>
  bool MortarGap<dim>::faces(const Vector& n, const Vector& m) const
  {
    return -(n * m) > settings_.facing.least;
  }

  //! Facets with what they see at u. Nothing is computed if the bounding boxes of both sides are
  //! farther apart than the reach of the window.
  template<int dim>
  void MortarGap<dim>::evaluate(ConstSpan u, bool derivatives, std::span<const double> weights,
                                Evaluation& at) const
  {
    at.x = positions(surface_, u);
    at.y = positions(mortar_, u);
    if (boundingBox(at.x).inflated(kernel_.reach()).overlaps(boundingBox(at.y)))
      setNearFacets(derivatives, weights, at);
    else
      at.facets.clear();
  }

  template<int dim>
  void MortarGap<dim>::setNearFacets(bool derivatives, std::span<const double> weights,
                                     Evaluation& at) const
  {
    findFacets(derivatives, weights, at);
    setNormals(at);
    at.mortarNormal.resize(flatMortar_.facets.size());
    parallelFor(
      at.mortarNormal.size(), threads_,
      [&](std::size_t f) { at.mortarNormal[f] = unitNormal<dim>(flatMortar_.facets[f], at.y); },
      256);
    // to the smallest gap and to curvature, not to the gaps
    const bool partsMatter = !derivatives || !weights.empty();
    parallelFor(at.facets.size(), threads_,
                [&](std::size_t f) { setNearFacet(f, partsMatter, at); });
  }

  //! Mortar facets within the search box of each facet, by the tree. Derivatives are computed for
  //! facets with a corner whose multiplier has a weight, or for all if no weights are given.
  template<int dim>
  void MortarGap<dim>::findFacets(bool derivatives, std::span<const double> weights,
                                  Evaluation& at) const
  {
    setFacetBoxes(flatMortar_, at.y, at.leaves);
    tree_.refit(at.leaves, at.boxes);
    at.facets.resize(flat_.facets.size());
    parallelFor(at.facets.size(), threads_, [&](std::size_t f) {
      const auto& facet = flat_.facets[f];
      auto& found = at.facets[f].found;
      found.clear();
      std::array<Vector, dim> corners;
      for (int i = 0; i < dim; ++i)
        corners[i] = at.x[facet.node[i]];
      tree_.query(at.boxes, kernel_.searchBox(corners), [&](std::size_t i) { found.push_back(i); });
      std::sort(found.begin(), found.end()); // the order of the mesh, whatever the tree
      const auto& multipliers = normals_.cornerNormals(f);
      const bool weighted =
        weights.empty() || std::any_of(multipliers.begin(), multipliers.end(),
                                       [&](Index k) { return weights[k] != 0; });
      at.facets[f].derivatives = derivatives && weighted;
    });
  }

  //! Normals of the corners of facets that have found something, with derivatives where these are
  //! wanted
  template<int dim>
  void MortarGap<dim>::setNormals(Evaluation& at) const
  {
    std::vector<char> wanted(normals_.size(), 0); // 1: the normal, 2: its derivative too
    for (std::size_t f = 0; f < at.facets.size(); ++f)
      if (!at.facets[f].found.empty())
        for (int i = 0; i < dim; ++i) {
          char& k = wanted[normals_.cornerNormal(f, i)];
          k = std::max(k, char(at.facets[f].derivatives ? 2 : 1));
        }
    at.normal.resize(normals_.size());
    parallelFor(at.normal.size(), threads_, [&](std::size_t k) {
      if (wanted[k] == 0)
        return;
      NodeNormal& normal = at.normal[k];
      static_cast<typename NormalField<dim>::Normal&>(normal) = normals_.normal(Index(k), at.x);
      normal.derivative.resize(wanted[k] == 2 ? normals_.ring(normals_.node(Index(k))).size() : 0);
      if (wanted[k] == 2)
        normals_.setDerivative(Index(k), at.x, normal, normal.derivative);
    });
  }

  //! Moments of one facet and the mortar facets that face it, and the largest cosine -n . m of
  //! these
  template<int dim>
  void MortarGap<dim>::setNearFacet(std::size_t facet, bool parts, Evaluation& at) const
  {
    NearFacet& near = at.facets[facet];
    near.gaps.reset();
    near.facing = -1;
    thread_local std::vector<MortarFacet<dim>> facing;
    facing.clear();
    if (!near.found.empty()) {
      for (int i = 0; i < dim; ++i) {
        near.geometry.a[i] = at.x[flat_.facets[facet].node[i]];
        near.geometry.n[i] = at.normal[normals_.cornerNormal(facet, i)].value;
      }
      const Vector n = unitNormal<dim>(flat_.facets[facet], at.x);
      for (std::size_t i : near.found)
        if (faces(n, at.mortarNormal[i])) {
          facing.push_back(mortarFacet(i, n, at));
          near.facing = std::max(near.facing, -(n * at.mortarNormal[i]));
        }
    }
    if (facing.empty()) {
      near.result.moments.cover = Cover::none;
      near.result.clearParts();
    }
    else
      kernel_.evaluate(near.geometry, facing, near.derivatives, parts, near.result);
    if (near.result.moments.contributes())
      near.gaps.emplace(near.result.moments);
  }

  /* A face of a node has a gap if it sees the mortar side. Exception at an edge of the body: at a
   * grazing angle a small overlap is a large negative gap with a weight close to zero. A face
   * whose visibility weight is below one half therefore leaves the node to another face that sees
   * the mortar side with at least this weight. A sharp wedge that digs in has only faces at
   * grazing angles, and keeps their gaps. */
  template<int dim>
  bool MortarGap<dim>::hasGap(const Evaluation& at, Index multiplier) const
  {
    if (!seesMortar(at, multiplier))
      return false;
    if (!isFaded(at, multiplier))
      return true;
    const Index p = normals_.node(multiplier);
    const auto facets = normals_.facets(p);
    return std::none_of(facets.begin(), facets.end(), [&](Index f) {
      const Index other = normals_.cornerNormal(f, cornerOf(flat_.facets[f], p));
      return other != multiplier && !isFaded(at, other) && seesMortar(at, other);
    });
  }

  //! Is the visibility weight below one half for all facets of a face that contribute? The weight
  //! is one half at the mean of the two cosines of Visibility.
  template<int dim>
  bool MortarGap<dim>::isFaded(const Evaluation& at, Index multiplier) const
  {
    const double half = 0.5 * (settings_.facing.least + settings_.facing.whole);
    const auto facets = normals_.facets(normals_.node(multiplier));
    return std::none_of(facets.begin(), facets.end(), [&](Index f) {
      return normals_.isOfFace(f, multiplier) && at.facets[f].gaps && at.facets[f].facing >= half;
    });
  }

  /** Has a face of a node a gap in the window from its facets that contribute? If cut facets are
   * dropped, or integrals are over whole facets, all must be covered wholly. A facet between sharp
   * bends does not contribute, but what its nodes see through the other facets of the face counts.
   */
  template<int dim>
  bool MortarGap<dim>::seesMortar(const Evaluation& at, Index multiplier) const
  {
    const Index p = normals_.node(multiplier);
    double value = 0, weight = 0;
    for (Index f : normals_.facets(p)) {
      if (!normals_.isOfFace(f, multiplier))
        continue;
      const NearFacet& near = at.facets[f];
      const Cover cover = near.result.moments.cover;
      if (cover != Cover::full && (settings_.cut == CutFacets::drop || settings_.facetPoints > 0))
        return false;
      if (near.gaps) {
        const int self = cornerOf(flat_.facets[f], p);
        value += near.gaps->value(self);
        weight += near.result.moments.value[FacetMoments<dim>::D(self)];
      }
    }
    return weight > 0 && value < window_.upper * weight;
  }

  //! c_p, D_p, D_p m_pj = sum_i A_pi R_ij over the facets of a face, and dc_p by corners, their
  //! normals and mortar nodes
  template<int dim>
  void MortarGap<dim>::makeRow(const Evaluation& at, Index multiplier, Row& row) const
  {
    row.isGap = hasGap(at, multiplier);
    if (!row.isGap)
      return;
    const Index p = normals_.node(multiplier);
    thread_local typename Row::Sums sums; // keeps its memory
    sums.clear(pattern_.nodes(p).size(), pattern_.normals(p).size(), mortar_.node.size());
    row.value = row.weight = 0;
    auto places = normals_.ringPlaces(p), normalPlaces = pattern_.normalPlaces(p);
    for (Index f : normals_.facets(p)) {
      if (normals_.isOfFace(f, multiplier))
        row.addFacet(*this, at, f, p, places.template first<dim>(), sums);
      if (at.facets[f].gaps && normals_.isOfFace(f, multiplier))
        row.add(*this, at.facets[f], p, cornerOf(flat_.facets[f], p), places.template first<dim>(),
                normalPlaces.template first<dim>(), sums);
      places = places.subspan(dim);
      normalPlaces = normalPlaces.subspan(dim);
    }
    row.finish(*this, at, p, sums);
  }

  /* Gaps c_p with their derivatives and the weights m_pj of mortar nodes. The multipliers are
   * computed in parallel and added in their order, so that the result does not depend on the
   * number of threads. */
  template<int dim>
  void MortarGap<dim>::addGaps(double, ConstSpan u, std::size_t multiplierOffset,
                               WeightedGaps<dim>& gaps) const
  {
    thread_local Evaluation ownEvaluation; // keep their memory
    thread_local std::vector<Row> ownRows;
    Evaluation& at = ownEvaluation; // inside of the loop the name would mean that of another thread
    auto& rows = ownRows;
    evaluate(u, true, {}, at);
    if (at.facets.empty())
      return;
    rows.resize(multipliers());
    parallelFor(rows.size(), threads_, [&](std::size_t k) { makeRow(at, Index(k), rows[k]); });
    for (std::size_t k = 0; k < rows.size(); ++k)
      if (const Row& row = rows[k]; row.isGap)
        gaps.add({multiplierOffset + k, surface_.node[multiplierNode(k)], row.value, row.weight,
                  at.normal[k].value, row.direction, row.slope},
                 row.derivative, row.mortar, row.shares);
  }

  //! Smallest gap of the points, or corners of polygons, of all facets, with its place and the
  //! facet of the surface
  template<int dim>
  std::optional<WorstGap<dim>> MortarGap<dim>::worstGap(ConstSpan u) const
  {
    Evaluation at;
    evaluate(u, false, {}, at);
    std::optional<WorstGap<dim>> worst;
    for (std::size_t f = 0; f < at.facets.size(); ++f) {
      const NearFacet& near = at.facets[f];
      Vector place;
      const double gap = kernel_.smallestGap(near.geometry, near.result, place);
      if (std::isfinite(gap) && (!worst || gap < worst->gap))
        worst = WorstGap<dim>{gap, place, flat_.facets[f].origin};
    }
    return worst;
  }

  template GapWindow defaultWindow(const ContactSurface<2>&, const ContactSurface<2>&);
  template GapWindow defaultWindow(const ContactSurface<3>&, const ContactSurface<3>&);
  template class MortarGap<2>;
  template class MortarGap<3>;

} // namespace Dune::Impact
