// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_MORTAR_NORMALFIELD_HH
#define DUNE_IMPACT_CONTACT_MORTAR_NORMALFIELD_HH

#include <algorithm>
#include <array>
#include <numbers>
#include <span>
#include <vector>

#include <dune/common/fmatrix.hh>
#include <dune/common/fvector.hh>

#include <dune/impact/common/compressedrows.hh>
#include <dune/impact/contact/mortar/contactsurface.hh>
#include <dune/impact/contact/mortar/flatfacets.hh>

/** \file
 * \ingroup impact_contact_mortar
 * \brief Nodal normals of a surface with their derivatives
 */

namespace Dune::Impact {

  //! A^T B
  template<int dim>
  FieldMatrix<double, dim, dim> transposedProduct(const FieldMatrix<double, dim, dim>& A,
                                                  const FieldMatrix<double, dim, dim>& B)
  {
    FieldMatrix<double, dim, dim> C(0);
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j)
        for (int k = 0; k < dim; ++k)
          C[i][j] += A[k][i] * B[k][j];
    return C;
  }

  //! Outward normal of a facet, as long as its area: t turned clockwise, or half of e1 x e2
  //! (triangles)
  template<int dim>
  FieldVector<double, dim> areaVector(std::span<const FieldVector<double, dim>, dim> corners);

  /** \brief Averages of the normals of the facets around a node, weighted with their areas
   *
   *     S_p = sum of the area vectors of the facets at p,   n_p = S_p / |S_p|
   *     dn_p = (I - n_p n_p^T) dS_p / |S_p|
   *
   * Inside of a surface S_p does not depend on x_p; at the end of an open polyline it is the
   * normal of the only edge. Quadrilaterals count as their triangles of both layers. Components
   * of S_p that are mirrored away are zero.
   *
   * An edge of a body is no approximation of a smooth surface: where facets of the reference
   * surface meet at more than sharpestSmoothBend they are parts of two faces, and a node there has
   * a normal for each of its faces, from the facets of this face only. The faces are those of the
   * reference surface whatever the deformation, so that normals stay smooth functions of the
   * positions. A face that meets its mirror image in a plane of symmetry at such an angle has its
   * own normal there.
   *
   * Normals have numbers: p is the first one of node p, mostly the only one; the others come after
   * all nodes.
   */
  template<int dim>
  class NormalField
  {
  public:
    using Vector = FieldVector<double, dim>;
    using Matrix = FieldMatrix<double, dim, dim>;

    //! Where facets of the reference surface meet at more than this angle there is an edge of the
    //! body: hexagons count as round, pentagons do not
    static constexpr double sharpestSmoothBend = 65 * std::numbers::pi / 180;

    //! The normal of a node
    struct Normal
    {
      Vector value;  //!< n_p; zero where the facets cancel
      double length; //!< |S_p|
    };

    //! dn_p by the position of a node of the surface
    struct Derivative
    {
      Index node;
      Matrix value;
    };

    //! A block of the second derivative of w . n_p
    struct Curvature
    {
      Index row, column; //!< nodes of the surface
      Matrix value;
    };

    //! \param mirrored per node, see MortarSettings; empty: none
    explicit NormalField(const ContactSurface<dim>& surface,
                         std::span<const std::array<bool, 3>> mirrored = {});

    //! Flat facets that have the node p as a corner, increasing
    std::span<const Index> facets(Index p) const { return facets_[p]; }

    //! The corners of these facets, increasing: the nodes that the normals of p depend on
    std::span<const Index> ring(Index p) const { return rings_[p]; }

    //! Places of the corners of the facets of p in its ring, dim numbers for each of facets(p)
    std::span<const Index> ringPlaces(Index p) const { return ringPlaces_[p]; }

    //! How many normals there are
    std::size_t size() const { return node_.size(); }

    //! The node of a normal
    Index node(Index normal) const { return node_[normal]; }

    //! The normal that a flat facet has in its corner i
    Index cornerNormal(std::size_t facet, int i) const { return cornerNormal_[facet][i]; }

    //! The same of all its corners
    const std::array<Index, dim>& cornerNormals(std::size_t facet) const
    {
      return cornerNormal_[facet];
    }

    //! Does the facet belong to the face of normal k at the node of k, which is a corner of it?
    bool isOfFace(std::size_t facet, Index k) const
    {
      const auto& normals = cornerNormal_[facet];
      return std::find(normals.begin(), normals.end(), k) != normals.end();
    }

    Normal normal(Index k, std::span<const Vector> x) const;

    //! By the nodes of the ring of its node
    std::vector<Derivative> derivative(Index k, std::span<const Vector> x,
                                       const Normal& normal) const;

    //! The same into an array of as many matrices
    void setDerivative(Index k, std::span<const Vector> x, const Normal& normal,
                       std::span<Matrix> derivative) const;

    /** \brief Second derivative of w . n_p
     *
     *     dd(w . n)[s, t] = -((n . t) w . P s + (n . s) w . P t + (w . n) s . P t) / |S|^2 + w . P
     * ddS / |S|,
     *
     * with s, t the changes of S and P = I - n n^T.
     */
    std::vector<Curvature> curvature(Index k, std::span<const Vector> x, const Normal& normal,
                                     const Vector& w) const;

  private:
    void setRings();
    void setFaces(std::span<const Vector> reference);
    void setMirrored(std::span<const std::array<bool, 3>> nodes, std::span<const Vector> reference);
    bool meetSmoothly(Index f, Index g, std::span<const Vector> unitNormals) const;
    void setAreaDerivative(Index k, std::span<const Vector> x, std::span<Matrix> derivative) const;
    bool isMirrored(Index k, int component) const
    {
      return !mirrored_.empty() && mirrored_[k][component];
    }
    void addAreaCurvature(Index k, Vector w, std::vector<Curvature>& blocks) const;

    //! The corners of a facet at x
    std::array<Vector, dim> places(Index facet, std::span<const Vector> x) const
    {
      std::array<Vector, dim> a;
      for (int i = 0; i < dim; ++i)
        a[i] = x[corners_[facet][i]];
      return a;
    }

    std::vector<std::array<Index, dim>> corners_, cornerNormal_;
    std::vector<Index> node_;                           //!< by normals
    CompressedRows<Index> facets_, rings_, ringPlaces_; //!< by nodes
    std::vector<std::array<bool, 3>> mirrored_;         //!< by normals, or empty
  };

  extern template class NormalField<2>;
  extern template class NormalField<3>;

} // namespace Dune::Impact

#endif
