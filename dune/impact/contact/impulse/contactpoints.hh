// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
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

#include <dune/impact/common/compressedrows.hh>
#include <dune/impact/common/mortarentry.hh>
#include <dune/impact/common/types.hh>

/** \file
 * \ingroup impact_contact_impulse
 * \brief Contact points with their functionals on velocities
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

  //! G: the functionals of contact points on the velocity dofs, row by row
  using ContactJacobian = CompressedRows<Entry>;

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
    //! normal and tangents: orthogonal unit vectors, directions of the impulse on the first side
    std::array<Vec3, 3> axes;
    //! impulse on the first side of a unit normal impulse, if it is not the normal: weighted gaps
    //! have facets with different normals
    std::optional<Vec3> push = {};
    //! first dof of the node of the first side whose gap it is, if it is a weighted one
    std::optional<std::size_t> owner = {};
    std::array<double, 3> obstacleVelocityBefore = {0, 0, 0};
    std::array<double, 3> obstacleVelocityAfter = {0, 0, 0};
    ContactMember first;
    std::optional<ContactMember> second; //!< without one the second side is an obstacle
    Vec3 place = {0, 0, 0};              //!< where the impulse acts: half way between both sides

    //! Impulse on the first side of a unit impulse of a component
    const Vec3& unitImpulse(int component) const
    {
      return component == 0 && push ? *push : axes[std::size_t(component)];
    }
  };

  /** \brief The contact points of an instant, with their Jacobian G in one array so that nothing is
   * allocated in the long run
   *
   * A point of a node in space against others may be compressed, to its axes and the weights of its
   * nodes: a third of the numbers of its functionals. Who calls clear() decides; expand() writes
   * the functionals of all compressed points.
   */
  class ContactPoints
  {
  public:
    enum class Form { functionals, nodes };

    //! Forget all points; from now on points have so many components (1 to 3), and those of nodes
    //! the given form
    void clear(int components, Form form = Form::functionals)
    {
      components_ = components;
      form_ = form;
      points_.clear();
      jacobian_.clear();
      nodes_.clear();
      partners_.clear();
    }

    int components() const { return components_; }
    std::size_t size() const { return points_.size(); }
    const ContactPoint& operator[](std::size_t i) const { return points_[i]; }

    //! Entries of all functionals together
    std::size_t entries() const { return jacobian_.entries().size(); }

    ContactPoint& point(std::size_t i) { return points_[i]; }

    //! Begin a point; its functionals follow by calls of addFunctional, one per component
    ContactPoint& add()
    {
      nodes_.push_back(none);
      partners_.beginRow();
      return points_.emplace_back();
    }

    //! Add the next functional of the point begun last; fill(entries) appends to the entries
    template<class Fill>
    void addFunctional(Fill&& fill)
    {
      jacobian_.addRow(std::forward<Fill>(fill));
    }

    //! Instead of addFunctional: the point begun last, whose axes are set, is that of a node with
    //! three dofs and of those it meets
    void addNodes(std::size_t dof, std::span<const MortarEntry> partners)
    {
      assert(!partners.empty());
      if (form_ == Form::nodes) {
        nodes_.back() = dof;
        partners_.add(partners);
        jacobian_.addEmptyRows(std::size_t(components_));
      }
      else
        for (int c = 0; c < components_; ++c)
          addFunctional(
            [&](SparseVector& entries) { write(points_.back().axes, c, dof, partners, entries); });
    }

    bool isCompressed(std::size_t point) const { return nodes_[point] != none; }

    //! First dof of the node of a compressed point
    std::size_t dof(std::size_t point) const { return nodes_[point]; }

    std::span<const MortarEntry> partners(std::size_t point) const { return partners_[point]; }

    //! Write the functionals of compressed points, which then are as all others
    void expand()
    {
      if (std::none_of(nodes_.begin(), nodes_.end(), [](std::size_t dof) { return dof != none; }))
        return;
      expanded_.clear();
      for (std::size_t i = 0; i < size(); ++i)
        for (int c = 0; c < components_; ++c) {
          if (isCompressed(i))
            expanded_.addRow([&](SparseVector& entries) {
              write(points_[i].axes, c, nodes_[i], partners(i), entries);
            });
          else
            expanded_.addRow(functional(i, c));
        }
      std::swap(jacobian_, expanded_);
      partners_.clear();
      partners_.addEmptyRows(size());
      std::fill(nodes_.begin(), nodes_.end(), none);
    }

    //! Functional of a component of a point that is not compressed
    std::span<const Entry> functional(std::size_t point, int component) const
    {
      if (isCompressed(point))
        DUNE_THROW(InvalidStateException,
                   "a compressed point must be expanded before its functionals are asked for");
      return jacobian_[point * components_ + component];
    }

    //! Those of all components of a point; others are empty
    std::array<std::span<const Entry>, 3> functionals(std::size_t point) const
    {
      std::array<std::span<const Entry>, 3> result;
      for (int c = 0; c < components_; ++c)
        result[c] = functional(point, c);
      return result;
    }

    //! p += sum_c r_c functional_c: what the impulses r of a point do
    void addImpulse(std::size_t point, const double* r, Span p) const
    {
      if (!isCompressed(point)) {
        for (int c = 0; c < components_; ++c)
          addTo(functional(point, c), r[c], p);
        return;
      }
      const auto& axes = points_[point].axes;
      Vec3 total(0);
      for (int c = 0; c < components_; ++c)
        total.axpy(r[c], axes[c]);
      for (int k = 0; k < 3; ++k)
        p[nodes_[point] + k] += total[k];
      for (const MortarEntry& partner : partners(point)) {
        double tilt = 0;
        for (int c = 1; c < components_; ++c)
          tilt += r[c] * partner.tiltWeight[c - 1];
        for (int k = 0; k < 3; ++k)
          p[partner.dof + k] += partner.weight * total[k] + tilt * axes[0][k];
      }
    }

  private:
    static constexpr std::size_t none = -1;

    static void write(const std::array<Vec3, 3>& axes, int component, std::size_t dof,
                      std::span<const MortarEntry> partners, SparseVector& entries)
    {
      for (int k = 0; k < 3; ++k)
        entries.push_back({dof + k, axes[component][k]});
      for (const MortarEntry& partner : partners)
        for (int k = 0; k < 3; ++k)
          entries.push_back(
            {partner.dof + k,
             partner.weight * axes[component][k] +
               (component > 0 ? partner.tiltWeight[component - 1] * axes[0][k] : 0)});
    }

    int components_ = 1;
    Form form_ = Form::functionals;
    std::vector<ContactPoint> points_;
    ContactJacobian jacobian_;             //!< G: a row per point and component
    std::vector<std::size_t> nodes_;       //!< first dof of the node of a compressed point, or none
    CompressedRows<MortarEntry> partners_; //!< of compressed points; empty for others
    ContactJacobian expanded_;             //!< scratch
  };

} // namespace Dune::Impact

#endif
