// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/contact/mortar/normalfield.hh>

namespace Dune::Impact {

  namespace {

    //! Derivative of the area vector by corner k of the facet (a_0, a_1, ...)
    template<int dim>
    FieldMatrix<double, dim, dim> areaMatrix(std::span<const FieldVector<double, dim>, dim> a,
                                             int k)
    {
      if constexpr (dim == 2) {
        const double sign = k == 0 ? -1 : 1;
        return {{0, sign}, {-sign, 0}};
      }
      else { // half of v -> v x d with the opposite edge d, taken backwards
        const auto d = 0.5 * (a[(k + 1) % 3] - a[(k + 2) % 3]);
        return {{0, d[2], -d[1]}, {-d[2], 0, d[0]}, {d[1], -d[0], 0}};
      }
    }

    //! A^T v
    template<int dim>
    FieldVector<double, dim> transposedProduct(const FieldMatrix<double, dim, dim>& A,
                                               const FieldVector<double, dim>& v)
    {
      FieldVector<double, dim> y;
      A.mtv(v, y);
      return y;
    }

  } // namespace

  template<int dim>
  FieldVector<double, dim> areaVector(std::span<const FieldVector<double, dim>, dim> a)
  {
    const auto d = a[1] - a[0];
    if constexpr (dim == 2)
      return {d[1], -d[0]};
    else
      return 0.5 * cross(d, a[2] - a[0]);
  }

  template<int dim>
  NormalField<dim>::NormalField(const ContactSurface<dim>& surface,
                                std::span<const std::array<bool, 3>> mirrored)
  {
    if (!mirrored.empty() && mirrored.size() != surface.node.size())
      throw InputError(
        "mirrored components must be given for all nodes of the surface or for none");
    for (const auto& facet : FlatFacets<dim>(surface).facets)
      corners_.push_back(facet.node);
    facets_.group(surface.node.size(), [&](auto&& add) {
      for (std::size_t f = 0; f < corners_.size(); ++f)
        for (Index i : corners_[f])
          add(i, Index(f));
    });
    setRings();
    setFaces(surface.reference);
    setMirrored(mirrored, surface.reference);
  }

  //! Ring of a node: the sorted corners of the facets around it, and for each corner of each of
  //! these facets its place in the ring
  template<int dim>
  void NormalField<dim>::setRings()
  {
    for (std::size_t p = 0; p < facets_.size(); ++p) {
      std::vector<Index> nodes;
      for (Index f : facets(Index(p)))
        nodes.insert(nodes.end(), corners_[f].begin(), corners_[f].end());
      const auto all = nodes;
      std::sort(nodes.begin(), nodes.end());
      nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
      ringPlaces_.beginRow();
      for (Index i : all)
        ringPlaces_.add(Index(std::lower_bound(nodes.begin(), nodes.end(), i) - nodes.begin()));
      rings_.addRow(nodes);
    }
  }

  //! Neighbours in one face: two facets with a common side whose unit normals in the reference
  //! surface enclose less than sharpestSmoothBend
  template<int dim>
  bool NormalField<dim>::meetSmoothly(Index f, Index g, std::span<const Vector> unitNormals) const
  {
    const auto isShared = [&](Index i) {
      return std::find(corners_[g].begin(), corners_[g].end(), i) != corners_[g].end();
    };
    return std::count_if(corners_[f].begin(), corners_[f].end(), isShared) >= dim - 1 &&
           unitNormals[f] * unitNormals[g] > std::cos(sharpestSmoothBend);
  }

  /** The faces at a node are the parts of its ring of facets that hang together over smooth sides;
   * they have their numbers in the order of their first facets.
   */
  template<int dim>
  void NormalField<dim>::setFaces(std::span<const Vector> reference)
  {
    std::vector<Vector> unitNormals;
    for (std::size_t f = 0; f < corners_.size(); ++f) {
      const auto a = places(Index(f), reference);
      const Vector area = areaVector<dim>(std::span<const Vector, dim>(a));
      unitNormals.push_back(area / area.two_norm());
    }
    cornerNormal_ = corners_;
    for (std::size_t p = 0; p < facets_.size(); ++p)
      node_.push_back(Index(p));
    for (Index p = 0; p < facets_.size(); ++p) {
      std::vector<Index> left(facets(p).begin(), facets(p).end());
      for (bool first = true; !left.empty(); first = false) {
        std::vector<Index> face{left.front()};
        left.erase(left.begin());
        for (std::size_t i = 0; i < face.size(); ++i) {
          const auto apart = std::stable_partition(left.begin(), left.end(), [&](Index f) {
            return !meetSmoothly(face[i], f, unitNormals);
          });
          face.insert(face.end(), apart, left.end());
          left.erase(apart, left.end());
        }
        if (first)
          continue;
        for (Index f : face)
          std::replace(cornerNormal_[f].begin(), cornerNormal_[f].end(), p, Index(node_.size()));
        node_.push_back(p);
      }
    }
  }

  /** A facet with the normal n and a side in the plane of symmetry meets its mirror image there at
   * the angle 2 arcsin |n_c|: a face is continued smoothly if that is the case of one of its
   * facets. A facet that lies in the plane is not one of the whole body and has no normal.
   */
  template<int dim>
  void NormalField<dim>::setMirrored(std::span<const std::array<bool, 3>> nodes,
                                     std::span<const Vector> reference)
  {
    if (nodes.empty())
      return;
    const auto isSmooth = [&](Index f, int c) {
      const auto inPlane =
        std::count_if(corners_[f].begin(), corners_[f].end(), [&](Index i) { return nodes[i][c]; });
      const auto a = places(f, reference);
      const Vector area = areaVector<dim>(std::span<const Vector, dim>(a));
      return inPlane == dim ||
             (inPlane == dim - 1 &&
              std::abs(area[c]) <= std::sin(sharpestSmoothBend / 2) * area.two_norm());
    };
    for (Index k = 0; k < size(); ++k) {
      const auto around = facets(node(k));
      mirrored_.push_back({});
      for (int c = 0; c < dim; ++c)
        mirrored_[k][c] = nodes[node(k)][c] &&
                          std::any_of(around.begin(), around.end(),
                                      [&](Index f) { return isOfFace(f, k) && isSmooth(f, c); });
    }
  }

  //! n = S/|S| with the sum S of the area vectors of the facets of the face; mirrored components of
  //! S are zero. Where the facets cancel, |S| <= 1e-8 of their total area, the normal is zero.
  template<int dim>
  typename NormalField<dim>::Normal NormalField<dim>::normal(Index k,
                                                             std::span<const Vector> x) const
  {
    Vector S(0);
    double total = 0;
    for (Index f : facets(node(k)))
      if (isOfFace(f, k)) {
        const auto a = places(f, x);
        const Vector area = areaVector<dim>(std::span<const Vector, dim>(a));
        S += area;
        total += area.two_norm();
      }
    for (int c = 0; c < dim; ++c)
      if (isMirrored(k, c))
        S[c] = 0;
    const double length = S.two_norm();
    if (!(length > 1e-8 * total))
      return {Vector(0), length};
    return {S / length, length};
  }

  //! dS by the nodes of the ring: the sum of dN_f over the facets of the face, with zero for
  //! mirrored components
  template<int dim>
  void NormalField<dim>::setAreaDerivative(Index k, std::span<const Vector> x,
                                           std::span<Matrix> derivative) const
  {
    std::fill(derivative.begin(), derivative.end(), Matrix(0));
    auto place = ringPlaces(node(k)).begin();
    for (Index f : facets(node(k))) {
      if (isOfFace(f, k)) {
        const auto a = places(f, x);
        for (int i = 0; i < dim; ++i)
          derivative[place[i]] += areaMatrix<dim>(std::span<const Vector, dim>(a), i);
      }
      place += dim;
    }
    for (auto& matrix : derivative)
      for (int c = 0; c < dim; ++c)
        if (isMirrored(k, c))
          matrix[c] = 0;
  }

  //! dn = (I - n n^T) dS/|S|
  template<int dim>
  void NormalField<dim>::setDerivative(Index k, std::span<const Vector> x, const Normal& normal,
                                       std::span<Matrix> derivative) const
  {
    setAreaDerivative(k, x, derivative);
    for (auto& value : derivative) {
      const Vector along = transposedProduct(value, normal.value); // n^T dS
      for (int i = 0; i < dim; ++i)
        value[i].axpy(-normal.value[i], along);
      value /= normal.length;
    }
  }

  template<int dim>
  std::vector<typename NormalField<dim>::Derivative> NormalField<dim>::derivative(
    Index k, std::span<const Vector> x, const Normal& normal) const
  {
    const auto nodes = ring(node(k));
    std::vector<Matrix> values(nodes.size());
    setDerivative(k, x, normal, values);
    std::vector<Derivative> result;
    for (std::size_t i = 0; i < values.size(); ++i)
      result.push_back({nodes[i], values[i]});
    return result;
  }

  //! Blocks of w . ddS. The area vector is linear in the corners in two dimensions, and bilinear in
  //! three.
  template<int dim>
  void NormalField<dim>::addAreaCurvature(Index k, Vector w, std::vector<Curvature>& blocks) const
  {
    for (int c = 0; c < dim; ++c)
      if (isMirrored(k, c))
        w[c] = 0;
    if constexpr (dim == 3) { // 2 N = a0 x a1 + a1 x a2 + a2 x a0, hence blocks w . (s x t) / 2
      const Matrix W = {
        {0, 0.5 * w[2], -0.5 * w[1]}, {-0.5 * w[2], 0, 0.5 * w[0]}, {0.5 * w[1], -0.5 * w[0], 0}};
      for (Index f : facets(node(k)))
        for (int side = 0; side < dim && isOfFace(f, k); ++side) {
          const Index i = corners_[f][side], j = corners_[f][(side + 1) % dim];
          blocks.push_back({i, j, W});
          blocks.push_back({j, i, W.transposed()});
        }
    }
  }

  /* Blocks dS_s^T C dS_t + (P w/|S|) . ddS for the nodes s, t of the ring, with P = I - n n^T and
   *
   *     C = -(P w n^T + n (P w)^T + (w . n) P)/|S|^2. */
  template<int dim>
  std::vector<typename NormalField<dim>::Curvature> NormalField<dim>::curvature(
    Index k, std::span<const Vector> x, const Normal& normal, const Vector& w) const
  {
    const auto nodes = ring(node(k));
    std::vector<Matrix> dS(nodes.size());
    setAreaDerivative(k, x, dS);
    const Vector& n = normal.value;
    const double along = w * n;
    Vector Pw = w;
    Pw.axpy(-along, n);
    Matrix form; // of s and t
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j)
        form[i][j] = -(Pw[i] * n[j] + n[i] * Pw[j] + along * ((i == j) - n[i] * n[j])) /
                     (normal.length * normal.length);
    std::vector<Curvature> blocks;
    for (std::size_t s = 0; s < dS.size(); ++s)
      for (std::size_t t = 0; t < dS.size(); ++t)
        blocks.push_back({nodes[s], nodes[t], transposedProduct(dS[s], form * dS[t])});
    addAreaCurvature(k, Pw / normal.length, blocks);
    return blocks;
  }

  template FieldVector<double, 2> areaVector<2>(std::span<const FieldVector<double, 2>, 2>);
  template FieldVector<double, 3> areaVector<3>(std::span<const FieldVector<double, 3>, 3>);
  template class NormalField<2>;
  template class NormalField<3>;

} // namespace Dune::Impact
