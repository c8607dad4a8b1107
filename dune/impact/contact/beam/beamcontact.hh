// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_BEAM_BEAMCONTACT_HH
#define DUNE_IMPACT_CONTACT_BEAM_BEAMCONTACT_HH

#include <optional>

#include <dune/impact/contact/beam/beampoints.hh>
#include <dune/impact/contact/beam/gapslip.hh>
#include <dune/impact/geometry/boxtree.hh>

/** \file
 * \ingroup impact_contact_beam
 * \brief Contact of two thin round beams
 */

namespace Dune::Impact {

  /** \brief Contact of a nonmortar beam with a mortar beam through points on the nonmortar beam
   *
   * The multipliers are those of BeamContactPoints: a multiplier is a weighted mean of gaps, and
   * its force a force in all variants.
   *
   * A point finds its partner among the elements of the mortar beam that are near; then Newton's
   * method goes along the beam to the closest point, or to the section that the point lies in
   * (BeamPartner). At a node between two elements, where the tangent has a kink, the closest point
   * may be the node itself. A beam goes on for half an element beyond its ends, so that ends do not
   * slip off by a rounding error.
   *
   * Beams that cross at an angle touch in a place that is as long as they are thick. Multipliers do
   * not see it if elements are longer; `gapAnywhere()` does, for those who want to know whether
   * beams pass through each other.
   */
  class BeamContact : public GapSlipGeometry
  {
  public:
    //! Any node of the two beams, which must be round
    BeamContact(const System& system, std::size_t nonmortar, std::size_t mortar,
                BeamConstraints constraints, BeamPartner partner = BeamPartner::closest);

    std::size_t multipliers() const override { return multipliers_.size(); }
    void evaluate(double t, double h, ConstSpan q, ConstSpan previous, ConstSpan l,
                  GapSlip& rows) const override;
    double gapAnywhere(ConstSpan q) const override;
    double weight(std::size_t multiplier) const override { return multipliers_.weight[multiplier]; }
    double reach() const override
    {
      return 0.5 * (first_->section().radius + second_->section().radius);
    }
    double stiffness() const override { return bendingStiffness(*first_); }
    std::string remedy() const override;
    std::size_t firstBody() const override { return firstHandle_.bodyIndex; }
    std::optional<std::size_t> secondBody() const override { return secondHandle_.bodyIndex; }

    //! Arc length of a multiplier along the nonmortar beam
    double coordinate(std::size_t multiplier) const { return multipliers_.coordinate[multiplier]; }

    //! The partner of a point on the mortar beam
    struct Partner
    {
      std::size_t element;
      double eta;
      bool held; //!< the closest point is a node between two elements
    };

    //! The partner of a point; nothing if it is beyond the ends or not near
    std::optional<Partner> partner(ConstSpan q, const Vector3& x) const;

  private:
    using Tree = BoxTree<3>;

    std::vector<Box<3>> boxes(const std::vector<BeamPiece>& pieces) const;
    std::optional<Partner> closest(const std::vector<BeamPiece>& pieces, const Tree::Boxes& boxes,
                                   const Vector3& x) const;
    std::optional<Partner> follow(const std::vector<BeamPiece>& pieces, Partner start,
                                  const Vector3& x) const;

    PointHandle firstHandle_, secondHandle_;
    const Beam *first_, *second_;
    BeamContactPoints multipliers_;
    BeamPartner partner_;
    //! how far partners are seen, and how far elements may leave their boxes
    double margin_, bulge_;
    Tree tree_;
  };

} // namespace Dune::Impact

#endif
