// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_MORTAR_FACETKERNEL_HH
#define DUNE_IMPACT_CONTACT_MORTAR_FACETKERNEL_HH

#include <array>
#include <vector>

#include <dune/common/fmatrix.hh>
#include <dune/common/fvector.hh>

#include <dune/impact/contact/mortar/facetmoments.hh>
#include <dune/impact/contact/mortar/mortarsettings.hh>

/** \file
 * \ingroup impact_contact_mortar
 * \brief What mortar contact asks of the integration over one facet
 */

namespace Dune::Impact {

  //! A non-mortar facet: corners and the nodal normals there
  template<int dim>
  struct NonmortarFacet
  {
    std::array<FieldVector<double, dim>, dim> a, n;
  };

  //! A mortar facet that faces the non-mortar facet and is near
  template<int dim>
  struct MortarFacet
  {
    std::array<Index, dim> node; //!< of the mortar surface
    std::array<FieldVector<double, dim>, dim> y;
    //! side k, which lacks corner k, belongs to no other facet, or to one that turns away
    std::array<bool, dim> boundary;
    int layer = 0; //!< facets of one layer do not overlap, see FlatFacets
  };

  //! Second derivatives by the local columns of FacetMoments
  template<int dim>
  class LocalCurvature
  {
  public:
    using Matrix = FieldMatrix<double, dim, dim>;

    explicit LocalCurvature(std::size_t columns)
      : columns_(columns)
      , blocks_(columns * columns, Matrix(0))
    {}

    std::size_t columns() const { return columns_; }
    Matrix& operator()(std::size_t i, std::size_t j) { return blocks_[i * columns_ + j]; }
    const Matrix& operator()(std::size_t i, std::size_t j) const
    {
      return blocks_[i * columns_ + j];
    }

    //! Without the errors of rounding, which are large where little of a facet is covered
    void symmetrise()
    {
      for (std::size_t i = 0; i < columns_; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
          Matrix mean = (*this)(i, j);
          mean += (*this)(j, i).transposed();
          mean *= 0.5;
          (*this)(i, j) = mean;
          (*this)(j, i) = mean.transposed();
        }
    }

  private:
    std::size_t columns_;
    std::vector<Matrix> blocks_;
  };

  /** \brief Integrates over the part of a facet that mortar facets cover
   *
   * A specialisation has
   * \code
   // of the mortar side
   * FacetKernel(const MortarSettings& settings, const GapWindow& window, int layers);
   * double reach() const;      // mortar facets farther from the facet are not seen
   // nor are those outside of this
   * Box<dim> searchBox(const std::array<FieldVector<double, dim>, dim>& corners) const;
   * struct Result { FacetMoments<dim> moments; ... void clearParts(); };
   // the parts of the facet are large; only curvature and the smallest gap need them. The result
   keeps its memory
   *
   * void evaluate(const NonmortarFacet<dim>& facet, std::span<const MortarFacet<dim>> mortar, bool
   derivatives, bool parts, Result& result) const;
   * // add sum_k factor_k (second derivative of moment k)
   * void addCurvature(const NonmortarFacet<dim>& facet, const Result& result, std::span<const
   double> factors, LocalCurvature<dim>& sum) const;
   * // the smallest gap found on the covered part; infinite without one
   * double smallestGap(const NonmortarFacet<dim>& facet, const Result& result, FieldVector<double,
   dim>& place) const;
   * \endcode
   */
  template<int dim>
  class FacetKernel;

} // namespace Dune::Impact

#endif
