// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_BODY_HH
#define DUNE_IMPACT_BODY_BODY_HH

#include <optional>
#include <string>
#include <vector>

#include <dune/impact/body/mechanicalsystem.hh>
#include <dune/impact/common/visualizationdata.hh>

/** \file
 * \ingroup impact_body
 * \brief A mechanical system with a name, points that can touch, and a look
 */

namespace Dune::Impact {

  /** \brief A body of a scene
   *
   * Contact, springs, loads and probes reach a body only through its points: where a point is
   * and how its velocity depends on the velocity dofs. The position is given as reference plus
   * displacement, so that small differences of large coordinates keep their digits.
   */
  class Body : public MechanicalSystem
  {
  public:
    explicit Body(std::string name) : name_(std::move(name)) {}

    const std::string& name() const { return name_; }

    //! Number of points
    virtual std::size_t pointCount() const = 0;

    //! Reference position of a point
    virtual Vec3 reference(std::size_t point) const = 0;

    //! Displacement of a point from its reference position
    virtual Vec3 displacement(ConstSpan q, std::size_t point) const = 0;

    //! Current position of a point
    Vec3 position(ConstSpan q, std::size_t point) const
    {
      return reference(point) + displacement(q, point);
    }

    //! Append the functional v -> direction . (velocity of the point), with an offset added to the
    //! dofs
    virtual void addPointFunctional(ConstSpan q, std::size_t point, const Vec3& direction,
                                    std::size_t offset, SparseVector& functional) const = 0;

    /** \brief The same for the material that is at a place in space while it moves with the point
     *
     * The places of contact of a rigid body are not its points; those of all other bodies are.
     */
    virtual void addPlaceFunctional(ConstSpan q, std::size_t point, const Vec3&,
                                    const Vec3& direction, std::size_t offset,
                                    SparseVector& functional) const
    {
      addPointFunctional(q, point, direction, offset, functional);
    }

    //! Distance from a point at which the surface of the body begins (particles have a radius)
    virtual double radius(std::size_t) const { return 0; }

    /** \brief The points of a named place, empty if there is no such place
     *
     * The empty name means all points that can come into contact.
     */
    virtual std::vector<std::size_t> patch(const std::string& place) const = 0;

    //! The names that patch() knows, for messages
    virtual std::vector<std::string> patchNames() const = 0;

    //! Total mass and centre of mass
    virtual double mass() const = 0;
    virtual Vec3 centreOfMass(ConstSpan q) const = 0;

    //! Configuration and momentum at the start
    virtual void initialise(Span q, Span p) const = 0;

    //! False for a point without mass, on which no force can act
    virtual bool carriesMass(std::size_t) const { return true; }

    //! True if a support holds a component of a point, so that it never moves
    virtual bool held(std::size_t, int) const { return false; }

    //! Number of the member that a point belongs to, for bodies that are several
    virtual std::size_t member(std::size_t) const { return 0; }

    //! True if some points carry no mass and are placed by placeMasslessNodes()
    virtual bool hasMasslessPoints() const { return false; }

    //! Set the points that carry no mass to where they are without contact
    virtual void placeMasslessNodes(Span) const {}

    //! Points, cells and fields of a configuration
    virtual void sample(ConstSpan q, ConstSpan v, VisualizationData& visual) const = 0;

  private:
    std::string name_;
  };

  //! Velocity at the start: a rigid motion about the centre of mass
  struct InitialMotion
  {
    Vec3 velocity = {0, 0, 0};
    Vec3 spin = {0, 0, 0}; //!< spatial angular velocity
  };

} // namespace Dune::Impact

#endif
