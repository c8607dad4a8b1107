// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_NEARFACETS_HH
#define DUNE_IMPACT_CONTACT_NEARFACETS_HH

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <dune/common/fvector.hh>

/** \file
 * \ingroup impact_contact
 * \brief Facets near points, remembered while nothing has moved far
 */

namespace Dune::Impact {

  /** \brief Lists of the facets that can be the nearest of a point
   *
   * Let d be the distance of a point from the nearest facet when its list was made. If no point and no
   * corner has moved by more than s since then, the nearest facet of now was within d + 4s then. So a list
   * with all facets within that distance holds the nearest one as long as fits() is true. What is found
   * from a list must not depend on the other facets in it, then it does not depend on when it was made.
   */
  template<int dim>
  class NearFacets
  {
  public:
    using Vector = FieldVector<double, dim>;

    //! \param motion the s of the lists
    explicit NearFacets(double motion)
      : motion_(motion)
    {}

    double motion() const { return motion_; }

    //! True if there are lists, and points x and corners y have not moved farther than they allow
    bool fits(const std::vector<Vector>& x, const std::vector<Vector>& y) const
    {
      return near(x, x_) && near(y, y_);
    }

    /** \brief Make all lists
     *
     * \param x,y      points and corners of facets
     * \param collect  collect(i, list) appends the facets of point i
     */
    template<class Collect>
    void assign(const std::vector<Vector>& x, const std::vector<Vector>& y, Collect&& collect)
    {
      x_ = x;
      y_ = y;
      facets_.clear();
      end_.clear();
      for (std::size_t i = 0; i < x.size(); ++i) {
        collect(i, facets_);
        end_.push_back(facets_.size());
      }
    }

    //! True if no point has a facet
    bool empty() const { return facets_.empty(); }

    //! The facets of point i
    std::span<const std::uint32_t> operator[](std::size_t i) const
    {
      const std::size_t begin = i == 0 ? 0 : end_[i - 1];
      return std::span(facets_).subspan(begin, end_[i] - begin);
    }

  private:
    bool near(const std::vector<Vector>& a, const std::vector<Vector>& b) const
    {
      double largest = 0;
      for (std::size_t i = 0; i < a.size() && a.size() == b.size(); ++i)
        largest = std::max(largest, (a[i] - b[i]).two_norm2());
      return a.size() == b.size() && largest <= motion_ * motion_;
    }

    double motion_;
    std::vector<Vector> x_, y_;
    std::vector<std::uint32_t> facets_;
    std::vector<std::size_t> end_;
  };

} // namespace Dune::Impact

#endif
