// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module
// root SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_IMPULSE_CONTACTPOINTS_HH
#define DUNE_IMPACT_CONTACT_IMPULSE_CONTACTPOINTS_HH

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <dune/common/exceptions.hh>

#include <dune/impact/common/mortarentry.hh>
#include <dune/impact/common/types.hh>

/** \file
 * \ingroup impact_contact_impulse
 * \brief Contact points as rows of functionals on velocities
 */

namespace Dune::Impact {

  //! A body that takes part in a contact, and which of its members does: copies of a rigid body are
  //! members of one body
  struct ContactMember
  {
    std::uint32_t body = 0;   //!< number in the system
    std::uint32_t member = 0; //!< number in the body

    ContactMember() = default;
    explicit ContactMember(std::size_t body, std::size_t member = 0)
      : body(std::uint32_t(body))
      , member(std::uint32_t(member))
    {}
  };

  /** \brief One contact point
   *
   * Its gap rate and slip are w = G v + o with one functional per component: first the normal,
   * then the tangents. The part o does not come from dofs: it is the velocity of a moved obstacle
   * in the intervals before and after the instant.
   */
  struct ContactPoint
  {
    static constexpr std::size_t sameAsMultiplier = -1;

    std::size_t contact = 0; //!< number of the contact in its list, set by whoever collects points
    std::size_t multiplier = 0; //!< number of the point within its contact
    //! number of the point for first guesses, where several share a multiplier
    std::size_t key = sameAsMultiplier;
    double gap = 0;
    //! normal and tangents: directions of the impulse on the first side
    std::array<Vec3, 3> axes;
    std::array<double, 3> obstacleVelocityBefore = {0, 0, 0};
    std::array<double, 3> obstacleVelocityAfter = {0, 0, 0};
    ContactMember first;
    std::optional<ContactMember> second; //!< without one the second side is an obstacle
    Vec3 place = {0, 0, 0};              //!< where the impulse acts: half way between both sides
  };

  /** \brief The rows of an instant, with functionals in one array so that nothing is allocated in
   * the long run
   *
   * A row of a node in space against others may be kept short, as its axes and what its nodes have
   * to do with them: a third of the numbers of its functionals. Who calls clear() decides; expand()
   * writes the functionals of all short rows.
   */
  class ContactPoints
  {
  public:
    enum class Form { functionals, nodes };

    //! Forget all rows; from now on rows have so many components (1 to 3), and those of nodes the
    //! given form
    void clear(int components, Form form = Form::functionals)
    {
      components_ = components;
      form_ = form;
      rows_.clear();
      entries_.clear();
      ends_.clear();
      nodes_.clear();
      partners_.clear();
    }

    int components() const { return components_; }
    std::size_t size() const { return rows_.size(); }
    const ContactPoint& operator[](std::size_t i) const { return rows_[i]; }

    //! Entries of all functionals together
    std::size_t entries() const { return entries_.size(); }

    ContactPoint& point(std::size_t i) { return rows_[i]; }

    //! Begin a row; its functionals follow by calls of addFunctional, one per component
    ContactPoint& add()
    {
      nodes_.push_back({none, partners_.size()});
      return rows_.emplace_back();
    }

    //! Add the next functional of the row begun last; fill(entries) appends to the entries
    template<class Fill>
    void addFunctional(Fill&& fill)
    {
      fill(entries_);
      ends_.push_back(entries_.size());
    }

    //! Instead of addFunctional: the row begun last, whose axes are set, is that of a node with
    //! three dofs and of those it meets
    void addNodes(std::size_t dof, std::span<const MortarEntry> partners)
    {
      assert(!partners.empty());
      if (form_ == Form::nodes) {
        nodes_.back().dof = dof;
        partners_.insert(partners_.end(), partners.begin(), partners.end());
        ends_.resize(ends_.size() + components_, entries_.size());
      }
      else
        for (int c = 0; c < components_; ++c)
          addFunctional(
            [&](SparseVector& entries) { write(rows_.back().axes, c, dof, partners, entries); });
    }

    bool isCompressed(std::size_t row) const { return nodes_[row].dof != none; }

    //! First dof of the node of a short row
    std::size_t dof(std::size_t row) const { return nodes_[row].dof; }

    std::span<const MortarEntry> partners(std::size_t row) const
    {
      const std::size_t end = row + 1 < nodes_.size() ? nodes_[row + 1].partner : partners_.size();
      return std::span(partners_).subspan(nodes_[row].partner, end - nodes_[row].partner);
    }

    //! Write the functionals of short rows, which then are as all others
    void expand()
    {
      if (std::none_of(nodes_.begin(), nodes_.end(),
                       [](const Nodes& nodes) { return nodes.dof != none; }))
        return;
      expanded_.clear();
      expandedEnds_.clear();
      for (std::size_t i = 0; i < size(); ++i)
        for (int c = 0; c < components_; ++c) {
          if (isCompressed(i))
            write(rows_[i].axes, c, nodes_[i].dof, partners(i), expanded_);
          else
            expanded_.insert(expanded_.end(), functional(i, c).begin(), functional(i, c).end());
          expandedEnds_.push_back(expanded_.size());
        }
      std::swap(entries_, expanded_);
      std::swap(ends_, expandedEnds_);
      partners_.clear();
      std::fill(nodes_.begin(), nodes_.end(), Nodes{none, 0});
    }

    //! Functional of a component of a row that is not short
    std::span<const Entry> functional(std::size_t row, int component) const
    {
      if (isCompressed(row))
        DUNE_THROW(InvalidStateException,
                   "a short row must be expanded before its functionals are asked for");
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

    //! p += sum_c r_c functional_c: what the impulses r of a row do
    void addImpulse(std::size_t row, const double* r, Span p) const
    {
      if (!isCompressed(row)) {
        for (int c = 0; c < components_; ++c)
          addTo(functional(row, c), r[c], p);
        return;
      }
      const auto& axes = rows_[row].axes;
      Vec3 total(0);
      for (int c = 0; c < components_; ++c)
        total.axpy(r[c], axes[c]);
      for (int k = 0; k < 3; ++k)
        p[nodes_[row].dof + k] += total[k];
      for (const MortarEntry& partner : partners(row)) {
        double lean = 0;
        for (int c = 1; c < components_; ++c)
          lean += r[c] * partner.lean[c - 1];
        for (int k = 0; k < 3; ++k)
          p[partner.dof + k] += partner.weight * total[k] + lean * axes[0][k];
      }
    }

  private:
    static constexpr std::size_t none = -1;

    //! Of a short row: dof of its node, and where its partners begin
    struct Nodes
    {
      std::size_t dof, partner;
    };

    static void write(const std::array<Vec3, 3>& axes, int component, std::size_t dof,
                      std::span<const MortarEntry> partners, SparseVector& entries)
    {
      for (int k = 0; k < 3; ++k)
        entries.push_back({dof + k, axes[component][k]});
      for (const MortarEntry& partner : partners)
        for (int k = 0; k < 3; ++k)
          entries.push_back(
            {partner.dof + k, partner.weight * axes[component][k] +
                                (component > 0 ? partner.lean[component - 1] * axes[0][k] : 0)});
    }

    int components_ = 1;
    Form form_ = Form::functionals;
    std::vector<ContactPoint> rows_;
    SparseVector entries_;
    std::vector<std::size_t> ends_;
    std::vector<Nodes> nodes_;          //!< of each row; of one that is not short the dof is none
    std::vector<MortarEntry> partners_; //!< of short rows
    SparseVector expanded_;             //!< scratch
    std::vector<std::size_t> expandedEnds_;
  };

} // namespace Dune::Impact

#endif
