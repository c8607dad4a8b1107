// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_IMPULSE_IMPULSERESPONSE_HH
#define DUNE_IMPACT_TIMESTEP_IMPULSE_IMPULSERESPONSE_HH

#include <dune/impact/body/system.hh>
#include <dune/impact/common/compressedrows.hh>
#include <dune/impact/contact/impulse/contactpoints.hh>
#include <dune/impact/solver/impulse/delassusassembly.hh>

/** \file
 * \ingroup impact_timestep_impulse
 * \brief What impulses of contact points do to velocities, for systems with a sparse inverse mass
 */

namespace Dune::Impact {

  /** \brief M^{-1} G^T of the contact points of an instant, which points act together, and the
   * matrices H = G M^{-1} G^T of these
   *
   * Points act together if they see the same dof, directly or over other points: such a set is an
   * island. Dofs whose motion is prescribed connect nothing.
   */
  class ImpulseResponse
  {
  public:
    //! Numbers of some points of the instant
    using Points = std::span<const std::uint32_t>;

    //! The system must outlive the object
    explicit ImpulseResponse(const System& system) : system_(system) {}

    //! Take the points of an instant, which must not change while the object is used
    void set(ConstSpan q, const ContactPoints& points);

    //! M^{-1} G^T of a component of a point
    std::span<const Entry> velocity(std::size_t point, int component) const
    {
      return velocities_[point * points_->components() + component];
    }

    //! Find the islands, in the order of their first points; returns their number
    std::size_t findIslands();

    //! The points of an island, in their order
    Points island(std::size_t i) const { return islands_[i]; }

    //! The matrix of some points, numbered as they come
    void assemble(Points points, Delassus& matrix);

    //! The same as a product
    void assemble(Points points, FactoredDelassus& matrix) const;

  private:
    struct Touch //!< an entry of a functional, seen from its dof
    {
      std::uint32_t point;
      int component;
      double value;
    };
    static constexpr std::uint32_t none = -1;

    struct Part;

    void findTouches(Points points);
    void forgetDofs();

    const System& system_;
    const ContactPoints* points_ = nullptr;
    CompressedRows<Entry> velocities_; // a row per point and component
    // of each dof of the system among those that points see, or none
    std::vector<std::uint32_t> dofNumber_;
    std::vector<std::size_t> dofs_; // the dofs that points see
    CompressedRows<Touch> touches_; // of each of these dofs
    DelassusAssembly assembly_;
    std::vector<std::size_t> labels_;       // island of each point
    CompressedRows<std::uint32_t> islands_; // their points
  };

} // namespace Dune::Impact

#endif
