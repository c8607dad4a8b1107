// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_MORTAR_NEARFACETS_HH
#define DUNE_IMPACT_CONTACT_MORTAR_NEARFACETS_HH

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <dune/common/fvector.hh>

#include <dune/impact/common/compressedrows.hh>

/** \file
 * \ingroup impact_contact_mortar
 * \brief Facets near points, remembered while nothing has moved far
 */

namespace Dune::Impact {

  /** \brief Lists of the facets that can be the nearest of a point
   *
   * Let d be the distance of a point from the nearest facet when its list was made. If no point and
   * no corner has moved by more than s since then, the nearest facet of now was within d + 4s then.
   * So a list with all facets within that distance holds the nearest one as long as s is not
   * exceeded. A facet at the distance d_j then is not nearer than d_j - a now, with the a of
   * approach(): few of a list need be looked at, since it begins with the nearest ones. What is
   * found from a list must not depend on its order nor on the other facets in it, then it does not
   * depend on when it was made.
   */
  template<int dim>
  class NearFacets
  {
  public:
    using Vector = FieldVector<double, dim>;

    //! A facet of a list
    struct Candidate
    {
      double distance; //!< a lower bound of it, when the list was made
      std::uint32_t facet;
    };

    //! \param motion the s of the lists
    explicit NearFacets(double motion) : motion_(motion) {}

    double motion() const { return motion_; }

    //! The most by which a distance of points x and corners y can be smaller than then; infinite if
    //! there are no lists, or they do not hold any more
    double approach(const std::vector<Vector>& x, const std::vector<Vector>& y) const
    {
      const double first = moved(x, x_), second = moved(y, y_);
      return std::max(first, second) <= motion_ ? first + second : infinity;
    }

    /** \brief Make all lists
     *
     * \param x,y      points and corners of facets
     * \param collect  collect(i, list) appends the candidates of point i
     */
    template<class Collect>
    void assign(const std::vector<Vector>& x, const std::vector<Vector>& y, Collect&& collect)
    {
      x_ = x;
      y_ = y;
      candidates_.clear();
      for (std::size_t i = 0; i < x.size(); ++i)
        candidates_.addRow([&](std::vector<Candidate>& list) {
          const auto begin = std::ptrdiff_t(list.size());
          collect(i, list);
          std::sort(list.begin() + begin, list.end(),
                    [](const Candidate& a, const Candidate& b) { return a.distance < b.distance; });
        });
    }

    //! True if no point has a facet
    bool empty() const { return candidates_.entries().empty(); }

    //! The facets of point i, those that were nearest first
    std::span<const Candidate> operator[](std::size_t i) const { return candidates_[i]; }

  private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    double moved(const std::vector<Vector>& a, const std::vector<Vector>& b) const
    {
      if (a.size() != b.size())
        return infinity;
      double largest = 0;
      for (std::size_t i = 0; i < a.size(); ++i)
        largest = std::max(largest, (a[i] - b[i]).two_norm2());
      return std::sqrt(largest);
    }

    double motion_;
    std::vector<Vector> x_, y_;
    CompressedRows<Candidate> candidates_;
  };

} // namespace Dune::Impact

#endif
