// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SCENARIO_SCENE_HH
#define DUNE_IMPACT_SCENARIO_SCENE_HH

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <dune/impact/body/system.hh>
#include <dune/impact/contact/beam/gapslip.hh>
#include <dune/impact/contact/contact.hh>
#include <dune/impact/contact/impulse/impulsegeometry.hh>
#include <dune/impact/contact/mortar/weightedgaps.hh>
#include <dune/impact/geometry/obstacle.hh>
#include <dune/impact/scenario/section.hh>

/** \file
 * \ingroup impact_scenario
 * \brief What a scenario file describes, as objects
 */

namespace Dune::Impact {

  //! Bodies, obstacles and contacts of a scenario
  struct Scene
  {
    int dimension = 3;
    Vec3 gravity = {0, 0, 0};
    bool explicitMethod = false; //!< the method needs lumped masses
    System system;
    std::vector<Contact> contacts;
    std::map<std::string, std::size_t> bodies;        //!< numbers in the system, by name
    std::vector<std::shared_ptr<Obstacle>> obstacles; //!< ordered by name
    std::vector<std::string> notes; //!< what is not used of the input, with the name of the key

    //! Add a body under the name it has
    void add(std::unique_ptr<Body> body);

    //! Add an obstacle under the name it has; numbers of obstacles are final once all are there
    void add(std::shared_ptr<Obstacle> obstacle);

    //! Number of the body that a key names; an obstacle is refused
    std::size_t body(const Section& section, const std::string& key) const;

    //! Points of the body that a place means; refuses an unknown place with the list of known ones
    std::vector<PointHandle> points(const Section& section, const std::string& key,
                                    std::size_t body, const std::string& place) const;

    /** \brief The point of a body that a key of kind place means
     *
     * A patch of one point, a node, or the node nearest to a point. Without the key it is the only
     * point of a body, the centre of a rigid one, or the given end.
     */
    PointHandle point(const Section& section, const std::string& key, std::size_t body,
                      const std::string& end) const;

    //! The same, but a point without mass is refused: no force can act there
    PointHandle massivePoint(const Section& section, const std::string& key, std::size_t body,
                             const std::string& end) const;

    //! Number of the obstacle of a name; nothing if there is none
    std::optional<std::size_t> findObstacle(const std::string& name) const;

    //! Smallest gap of a contact, and where it is if that is known
    struct Nearest
    {
      double gap = std::numeric_limits<double>::infinity();
      std::optional<Vec3> place;
    };

    //! Smallest gap of a contact at the start: a negative distance if the sides overlap, infinite
    //! if they do not see each other, or if solids do not overlap by more than the tolerance
    Nearest nearest(std::size_t contact) const;

    //! Name of the body or obstacle of a side
    std::string sideName(const ContactSide& side) const;

    //! The smallest size that matters in a contact: of its bodies or of their cells; infinite for
    //! points
    double smallestSize(std::size_t contact) const;

    //! Size of the largest coordinate, from which length tolerances are derived
    double length() const;
  };

} // namespace Dune::Impact

#endif
