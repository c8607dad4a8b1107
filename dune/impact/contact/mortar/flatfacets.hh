// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_MORTAR_FLATFACETS_HH
#define DUNE_IMPACT_CONTACT_MORTAR_FLATFACETS_HH

#include <array>
#include <vector>

#include <dune/impact/contact/mortar/contactsurface.hh>

/** \file
 * \ingroup impact_contact_mortar
 * \brief Surfaces as edges or triangles
 */

namespace Dune::Impact {

  /** \brief The facets of a surface, quadrilaterals cut into triangles in both ways
   *
   * A surface of edges or triangles is one layer. One with quadrilaterals is two: each layer cuts
   * them along another diagonal, triangles are in both, and integrals over the surface are the
   * means of those over the layers. On a flat quadrilateral of area A the mean of int N_p over
   * the pieces is (A + T_p) / 6, with the area T_p of the triangle of p and its neighbours: just
   * what the bilinear shape function of p gives. So constant pressure is carried over exactly, and
   * no diagonal is preferred.
   */
  template<int dim>
  struct FlatFacets
  {
    //! A flat part of a facet
    struct Facet
    {
      std::array<Index, dim> node; //!< of the surface
      std::size_t origin;          //!< facet of the surface
      int layer;
    };

    std::vector<Facet> facets;
    int layers;

    explicit FlatFacets(const ContactSurface<dim>& surface) : layers(1)
    {
      for (const auto& facet : surface.facets)
        if (facet.count > dim)
          layers = 2;
      for (int layer = 0; layer < layers; ++layer)
        for (std::size_t f = 0; f < surface.facets.size(); ++f)
          add(surface.facets[f], f, layer);
    }

    //! Of each facet in sums
    double weight() const { return 1.0 / layers; }

  private:
    void add(const typename ContactSurface<dim>::Facet& facet, std::size_t origin, int layer)
    {
      const auto& p = facet.node;
      if constexpr (dim == 2)
        facets.push_back({{p[0], p[1]}, origin, layer});
      else if (facet.count == 3)
        facets.push_back({{p[0], p[1], p[2]}, origin, layer});
      else
        for (int k : {layer, layer + 2}) // the diagonal from corner `layer` to the opposite one
          facets.push_back({{p[k], p[(k + 1) % 4], p[(k + 2) % 4]}, origin, layer});
    }
  };

} // namespace Dune::Impact

#endif
