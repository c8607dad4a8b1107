// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_FACETRULE_HH
#define DUNE_IMPACT_BODY_FACETRULE_HH

#include <array>
#include <cmath>
#include <vector>

#include <dune/geometry/quadraturerules.hh>

#include <dune/impact/body/shapefunctions.hh>

/** \file
 * \ingroup impact_body
 * \brief Quadrature on a facet of a mesh
 */

namespace Dune::Impact {

  //! A point of a rule on a facet
  template<int dim>
  struct FacetPoint
  {
    //! shape functions, in the order of the corners
    std::array<double, SolidMesh<dim>::facetCorners> value{};
    double weight; //!< with the area element
  };

  //! Points of a rule of degree 4 on an edge, a triangle or a bilinear quadrilateral with corners
  //! at x(node)
  template<int dim, class Position>
  std::vector<FacetPoint<dim>> facetRule(const typename SolidMesh<dim>::Facet& facet, Position&& x)
  {
    constexpr int d = dim - 1;
    std::vector<FacetPoint<dim>> points;
    const auto add = [&](const auto& quadrature, const auto& value, const auto& gradient,
                         const auto& corner) {
      std::array<FieldVector<double, dim>, d> tangent;
      tangent.fill(FieldVector<double, dim>(0));
      FacetPoint<dim> point{{}, quadrature.weight()};
      for (std::size_t i = 0; i < value.size(); ++i) {
        point.value[corner(i)] = value[i];
        for (int k = 0; k < d; ++k)
          tangent[k].axpy(gradient[i][k], x(facet.node[corner(i)]));
      }
      if constexpr (dim == 2)
        point.weight *= tangent[0].two_norm();
      else { // |t_1 x t_2|
        const double product = tangent[0] * tangent[1];
        point.weight *=
          std::sqrt(tangent[0].two_norm2() * tangent[1].two_norm2() - product * product);
      }
      points.push_back(point);
    };
    const GeometryType type =
      facet.count == dim ? GeometryTypes::simplex(d) : GeometryTypes::cube(d);
    const auto& rule = QuadratureRules<double, d>::rule(type, 4);
    if (facet.count == dim)
      for (const auto& quadrature : rule)
        add(quadrature, shapeValues<d, d + 1>(quadrature.position()),
            localGradients<d, d + 1>(quadrature.position()), [](int i) { return i; });
    else if constexpr (dim == 3) // corners go around, shape functions are lexicographic
      for (const auto& quadrature : rule)
        add(quadrature, shapeValues<d, 4>(quadrature.position()),
            localGradients<d, 4>(quadrature.position()), [](int i) { return i < 2 ? i : 5 - i; });
    return points;
  }

} // namespace Dune::Impact

#endif
