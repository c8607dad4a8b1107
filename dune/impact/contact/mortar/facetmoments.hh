// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_MORTAR_FACETMOMENTS_HH
#define DUNE_IMPACT_CONTACT_MORTAR_FACETMOMENTS_HH

#include <array>
#include <cassert>
#include <span>
#include <vector>

#include <dune/common/fmatrix.hh>
#include <dune/common/fvector.hh>

#include <dune/impact/common/jet.hh>
#include <dune/impact/grid/solidmesh.hh>

/** \file
 * \ingroup impact_contact_mortar
 * \brief Integrals over the covered part of a non-mortar facet, and the weighted gaps made of them
 */

namespace Dune::Impact {

  //! How far the mortar side covers a facet
  enum class Cover {
    none, //!< nothing near
    full,
    cut,     //!< in part: up to where the mortar side ends, turns away or leaves the window
    rejected //!< not to be used: the normals lean over, or points of a whole facet see
             //!< nothing
  };

  /** \brief What a kernel integrates over the covered part of a facet with dim corners
   *
   *     b_j = int N_j g,   D_j = int N_j,   M_ij = int N_i N_j,   R_jq = int N_j N_q^2
   *
   * Derivatives are by local columns: the corners a_i, then the nodal normals n_i at the
   * corners as if they were variables of their own, then the mortar nodes.
   */
  template<int dim>
  struct FacetMoments
  {
    using Vector = FieldVector<double, dim>;

    static constexpr int count = 2 * dim + dim * (dim + 1) / 2;

    //! Places of the moments
    static constexpr int b(int j) { return j; }
    static constexpr int D(int j) { return dim + j; }
    static constexpr int M(int i, int j) { return i < j ? M(j, i) : 2 * dim + i * (i + 1) / 2 + j; }

    Cover cover = Cover::none;
    double fraction = 0; //!< covered part of the facet, with weights
    std::array<double, count> value{};
    std::vector<Index> mortar;      //!< nodes of the mortar surface
    std::vector<double> R;          //!< dim rows
    std::vector<Vector> derivative; //!< of the first moments() values; one row of columns() each

    //! Nothing is seen; memory is kept
    void clear()
    {
      cover = Cover::none;
      fraction = 0;
      value.fill(0);
      mortar.clear();
      R.clear();
      derivative.clear();
    }

    //! Moments that the gaps depend on: on facets that are covered wholly the dual basis is
    //! constant
    int moments() const { return cover == Cover::cut ? count : dim; }

    std::size_t columns() const { return 2 * dim + mortar.size(); }
    std::span<const Vector> row(int k) const
    {
      return std::span(derivative).subspan(k * columns(), columns());
    }
    std::span<Vector> row(int k) { return std::span(derivative).subspan(k * columns(), columns()); }

    //! Gaps come from this facet
    bool contributes() const
    {
      return cover == Cover::full || (cover == Cover::cut && fraction >= smallestFraction);
    }

    //! Less than this is not worth a basis of its own: the condition of M grows like the inverse
    //! square
    static constexpr double smallestFraction = 1e-4;
  };

  /** \brief Parts c_p of the weighted gaps that come from a cut facet, as a function of the moments
   *
   *     c_p = D_p u_p,   M u = b
   *
   * This is int psi_p g with the dual basis psi_i = sum_j A_ij N_j, A = D M^-1, of the covered
   * part.
   */
  template<int dim, class T>
  std::array<T, dim> cutGaps(const std::array<T, FacetMoments<dim>::count>& q)
  {
    using Moments = FacetMoments<dim>;
    // the lower half; the upper one becomes that of the factorisation
    std::array<std::array<T, dim>, dim> M;
    std::array<T, dim> u;
    for (int i = 0; i < dim; ++i) { // Cholesky without roots, M = L E L^T
      u[i] = q[Moments::b(i)];
      for (int j = 0; j <= i; ++j) {
        T sum = q[Moments::M(i, j)];
        for (int k = 0; k < j; ++k)
          sum -= M[i][k] * M[k][j];
        if (j < i) {
          M[j][i] = sum; // E_j L_ij
          M[i][j] = sum / M[j][j];
          u[i] -= M[i][j] * u[j];
        }
        else
          M[i][i] = sum;
      }
    }
    for (int i = dim - 1; i >= 0; --i) {
      u[i] = u[i] / M[i][i];
      for (int j = i + 1; j < dim; ++j)
        u[i] -= M[j][i] * u[j];
    }
    for (int i = 0; i < dim; ++i)
      u[i] = u[i] * q[Moments::D(i)];
    return u;
  }

  /** \brief Weighted gaps of the corners of a facet, with their derivatives by the moments
   *
   * A full facet has psi_i = (dim + 1) N_i - 1, hence c_p = (dim + 1) b_p - sum_j b_j.
   */
  template<int dim>
  class FacetGaps
  {
  public:
    static constexpr int count = FacetMoments<dim>::count;

    explicit FacetGaps(const FacetMoments<dim>& moments)
    {
      assert(moments.contributes());
      if (moments.cover == Cover::full)
        setFull(moments);
      else
        setCut(moments);
    }

    //! c_p of corner p; derivative by moment k; second derivative
    double value(int p) const { return value_[p]; }
    double derivative(int p, int k) const
    {
      if (cut_.empty())
        return k < dim ? fullBasis(p, k) : 0;
      return cut_[p].first[k];
    }
    double derivative(int p, int k, int l) const
    {
      return cut_.empty() ? 0 : cut_[p].derivative(k, l);
    }

    //! A_pj of the dual basis; it is the derivative of c_p by b_j
    double basis(int p, int j) const { return derivative(p, FacetMoments<dim>::b(j)); }

  private:
    static double fullBasis(int p, int j) { return p == j ? dim : -1; }

    void setFull(const FacetMoments<dim>& moments)
    {
      for (int p = 0; p < dim; ++p)
        for (int j = 0; j < dim; ++j)
          value_[p] += fullBasis(p, j) * moments.value[j];
    }

    void setCut(const FacetMoments<dim>& moments)
    {
      std::array<Jet<count>, count> q;
      for (int k = 0; k < count; ++k)
        q[k] = Jet<count>::variable(moments.value[k], k);
      const auto gaps = cutGaps<dim>(q);
      cut_.assign(gaps.begin(), gaps.end());
      for (int p = 0; p < dim; ++p)
        value_[p] = cut_[p].value;
    }

    std::array<double, dim> value_{};
    std::vector<Jet<count>> cut_; //!< of a cut facet; on full ones derivatives are constants
  };

} // namespace Dune::Impact

#endif
