// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_ROWS_HH
#define DUNE_IMPACT_CONTACT_ROWS_HH

#include <array>

#include <dune/impact/common/types.hh>

/** \file
 * \ingroup impact_contact
 * \brief Contact points as rows of functionals on velocities
 */

namespace Dune::Impact {

  /** \brief One contact point
   *
   * Its gap rate and slip are w = G v + drive with one functional per component: first the
   * normal, then the tangents. The drive is the part that does not come from dofs: the velocity
   * of a moved obstacle in the intervals before and after the instant.
   */
  struct Row
  {
    static constexpr std::size_t sameAsSlot = -1;

    std::size_t contact = 0;     //!< number of the contact (coupling and law) the row belongs to
    std::size_t slot = 0;        //!< number of the point within its contact
    std::size_t key = sameAsSlot; //!< number of the point for first guesses, where several share a slot
    double gap = 0;
    std::array<Vec3, 3> axes;    //!< normal and tangents: directions of the impulse on the first side
    std::array<double, 3> driveBefore = {0, 0, 0};
    std::array<double, 3> driveAfter = {0, 0, 0};
    std::size_t firstBody = 0;
    long secondBody = -1;        //!< -1 for an obstacle
    Vec3 place = {0, 0, 0};      //!< where the impulse acts: half way between both sides
  };

  //! The rows of an instant, with functionals in one array so that nothing is allocated in the long run
  class RowSet
  {
  public:
    //! Forget all rows; from now on rows have so many components (1 to 3)
    void clear(int components)
    {
      components_ = components;
      rows_.clear();
      entries_.clear();
      ends_.clear();
    }

    int components() const { return components_; }
    std::size_t size() const { return rows_.size(); }
    const Row& operator[](std::size_t i) const { return rows_[i]; }

    //! Entries of all functionals together
    std::size_t entries() const { return entries_.size(); }

    Row& row(std::size_t i) { return rows_[i]; }

    //! Begin a row; its functionals follow by calls of addFunctional, one per component
    Row& add()
    {
      return rows_.emplace_back();
    }

    //! Add the next functional of the row begun last; fill(entries) appends to the entries
    template<class Fill>
    void addFunctional(Fill&& fill)
    {
      fill(entries_);
      ends_.push_back(entries_.size());
    }

    //! Functional of a component of a row
    std::span<const Entry> functional(std::size_t row, int component) const
    {
      const std::size_t i = row * components_ + component;
      const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
      return std::span(entries_).subspan(begin, ends_[i] - begin);
    }

    //! Those of all components of a row; others are empty
    std::array<std::span<const Entry>, 3> functionals(std::size_t row) const
    {
      std::array<std::span<const Entry>, 3> result;
      for (int c = 0; c < components_; ++c)
        result[c] = functional(row, c);
      return result;
    }

  private:
    int components_ = 1;
    std::vector<Row> rows_;
    SparseVector entries_;
    std::vector<std::size_t> ends_;
  };

} // namespace Dune::Impact

#endif
