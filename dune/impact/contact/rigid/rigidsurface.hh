// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_RIGID_RIGIDSURFACE_HH
#define DUNE_IMPACT_CONTACT_RIGID_RIGIDSURFACE_HH

#include <memory>
#include <optional>
#include <vector>

#include <dune/impact/contact/impulse/nodetoface.hh>
#include <dune/impact/contact/rigid/rigidcontact.hh>

/** \file
 * \ingroup impact_contact_rigid
 * \brief Surfaces of solids and rigid bodies, as rows for explicit methods
 *
 * The solid is the first side. An impulse r along a, with a = -n for the normal n of the solid,
 * acts on the solid at the place y of its surface and on the rigid body, with its centre at X, as
 *
 *     r N_j a  at the nodes j of the solid with y = sum_j N_j y_j,
 *     -r a     at X,  and the moment  -(y - X) x r a:
 *
 * whatever the direction a, the forces have no resultant and no moment.
 */

namespace Dune::Impact {

  /** \brief Nodes of rigid bodies against the facets of a solid
   *
   * A node is a point, or the centre of a ball with the radius of the nodes of the shape. The gap
   * is its distance from the closest point of the surface, less the radius. A ball also touches
   * other facets in front of which its centre is: it can lie in a fold. One multiplier per node,
   * several for balls.
   */
  class RigidToFace : public ImpulseGeometry
  {
  public:
    RigidToFace(BodySurface<3> first, const RigidSide& second,
                std::optional<GapWindow> window = {});

    std::size_t firstBody() const override { return faces_.second().body.bodyIndex; }
    std::optional<std::size_t> secondBody() const override { return second_.bodyIndex; }
    std::size_t multipliers() const override;
    void gaps(double t, ConstSpan q, Span gaps) const override;
    double addPoints(const Instant& at, ConstSpan q, double tolerance,
                     ContactPoints& rows) const override;
    double length(ConstSpan q) const override;

  private:
    using Foot = NodeToFace<3>::Foot;

    std::vector<FieldVector<double, 3>> nodes(ConstSpan q) const;
    template<class F>
    void visit(ConstSpan q, F&& f) const;
    std::size_t multipliersEach() const;

    RigidSide second_;
    NodeToFace<3> faces_; //!< without nodes of its own: knows the facets
  };

  /** \brief Both ways: nodes of the solid against the rigid surface, and nodes of the rigid body
   * against facets
   *
   * Multipliers are those of the first geometry, then those of the second.
   */
  class ImpulseGeometryPair : public ImpulseGeometry
  {
  public:
    ImpulseGeometryPair(std::unique_ptr<ImpulseGeometry> first,
                        std::unique_ptr<ImpulseGeometry> second)
      : first_(std::move(first))
      , second_(std::move(second))
    {}

    std::size_t firstBody() const override { return first_->firstBody(); }
    std::optional<std::size_t> secondBody() const override { return first_->secondBody(); }
    std::size_t multipliers() const override
    {
      return first_->multipliers() + second_->multipliers();
    }
    void gaps(double t, ConstSpan q, Span gaps) const override;
    double addPoints(const Instant& at, ConstSpan q, double tolerance,
                     ContactPoints& rows) const override;
    double length(ConstSpan q) const override
    {
      return std::max(first_->length(q), second_->length(q));
    }

  private:
    std::unique_ptr<ImpulseGeometry> first_, second_;
  };

} // namespace Dune::Impact

#endif
