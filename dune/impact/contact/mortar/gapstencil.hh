// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_MORTAR_GAPSTENCIL_HH
#define DUNE_IMPACT_CONTACT_MORTAR_GAPSTENCIL_HH

#include <algorithm>
#include <compare>
#include <span>
#include <vector>

#include <dune/impact/common/compressedrows.hh>
#include <dune/impact/contact/mortar/normalfield.hh>

/** \file
 * \ingroup impact_contact_mortar
 * \brief Which nodes of its own surface a weighted gap depends on
 */

namespace Dune::Impact {

  /** \brief The nodes of the rings of the ring of each node
   *
   * The gap of a node depends on the corners of its facets, its ring, and on the normals there,
   * which depend on the rings of these. Derivatives are summed in arrays over the nodes of this
   * pattern; where they go is known beforehand. At an edge of the body all faces of a node have
   * this pattern.
   */
  template<int dim>
  class GapStencil
  {
  public:
    GapStencil(const NormalField<dim>& normals, std::size_t nodes)
    {
      std::vector<Index> all;
      for (Index p = 0; p < nodes; ++p) {
        all.clear();
        for (Index q : normals.ring(p))
          all.insert(all.end(), normals.ring(q).begin(), normals.ring(q).end());
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        const auto place = [&](Index node) {
          return Index(std::lower_bound(all.begin(), all.end(), node) - all.begin());
        };
        ringPlaces_.beginRow();
        for (Index q : normals.ring(p)) {
          ringPlaces_.add(place(q));
          places_.beginRow();
          for (Index node : normals.ring(q))
            places_.add(place(node));
        }
        nodes_.addRow(all);
        addNormals(normals, p);
      }
    }

    //! The pattern of p, increasing
    std::span<const Index> nodes(Index p) const { return nodes_[p]; }

    //! Place of node k of the ring of p in the pattern of p
    Index place(Index p, std::size_t k) const { return ringPlaces_[p][k]; }

    //! Places of the ring of node k of the ring of p
    std::span<const Index> places(Index p, std::size_t k) const
    {
      return places_[ringPlaces_.begin(p) + k];
    }

    //! A normal that the gap of a node depends on
    struct RowNormal
    {
      Index ringPlace; //!< of its node in the ring of the row
      Index normal;

      auto operator<=>(const RowNormal&) const = default;
    };

    //! The normals that the facets of p have in their corners, each once
    std::span<const RowNormal> normals(Index p) const { return normals_[p]; }

    //! Places of the corners of the facets of p among these normals, dim numbers for each of its
    //! facets
    std::span<const Index> normalPlaces(Index p) const { return normalPlaces_[p]; }

  private:
    void addNormals(const NormalField<dim>& field, Index p)
    {
      std::vector<RowNormal> all;
      auto ringPlace = field.ringPlaces(p).begin();
      for (Index f : field.facets(p))
        for (int i = 0; i < dim; ++i)
          all.push_back({*ringPlace++, field.cornerNormal(f, i)});
      auto each = all;
      std::sort(each.begin(), each.end());
      each.erase(std::unique(each.begin(), each.end()), each.end());
      normalPlaces_.beginRow();
      for (const RowNormal& normal : all)
        normalPlaces_.add(Index(std::lower_bound(each.begin(), each.end(), normal) - each.begin()));
      normals_.addRow(each);
    }

    CompressedRows<Index> nodes_, ringPlaces_, normalPlaces_; //!< a row per node
    CompressedRows<Index> places_; //!< a row per node of the ring of a node
    CompressedRows<RowNormal> normals_;
  };

} // namespace Dune::Impact

#endif
