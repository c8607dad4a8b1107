// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_BEAM_BEAMPOINTS_HH
#define DUNE_IMPACT_CONTACT_BEAM_BEAMPOINTS_HH

#include <utility>
#include <vector>

#include <dune/impact/body/beam.hh>
#include <dune/impact/body/system.hh>
#include <dune/impact/contact/beam/beampoint.hh>

/** \file
 * \ingroup impact_contact_beam
 * \brief Points along a beam where contact is looked at, and the equations they are summed to
 */

namespace Dune::Impact {

  //! Where the equations of contact hold
  enum class BeamConstraints {
    midpoints, //!< at the middle of each element of the nonmortar beam
    nodes,     //!< at its nodes
    gaussTwo,  //!< at two Gauss points per element, which is one too many: for comparison
    mortar,    //!< at its nodes in the mean, with hat functions
    dualMortar //!< the same with the biorthogonal functions
  };

  //! The beam of that number in a system; InputError unless it is round and has the exponential
  //! formulation
  const Beam* roundBeam(const System& system, std::size_t body);

  //! All elements of a beam in a configuration of the system
  std::vector<BeamPiece> beamPieces(const Beam& beam, const PointHandle& handle, ConstSpan q);

  /** \brief The multipliers of a beam as weighted sums of points
   *
   * g_j = sum_i W_ji g_i, and the force F_j of a multiplier acts at the points as W_ji F_j. For
   * collocation W is the identity. For mortar methods the points are three Gauss points per element
   * and W_ji = w_i N_j(s_i)/w_j with w_j = sum_i w_i N_j(s_i) over the points that have a partner.
   */
  struct BeamContactPoints
  {
    //! A place of the beam where a gap is measured
    struct Point
    {
      std::size_t element;
      double s, weight;                                        //!< weight: length
      std::vector<std::pair<std::size_t, double>> multipliers; //!< and the value of their functions
    };

    std::vector<Point> points;
    std::vector<double> weight, coordinate; //!< per multiplier: length, and arc length

    BeamContactPoints(const Beam& beam, BeamConstraints constraints);

    std::size_t size() const { return weight.size(); }

    //! Sums w_j over the points that have a partner; zero for a multiplier that has too few
    std::vector<double> sums(const std::vector<char>& hasPartner) const;
  };

  //! Force per deflection of an element that bends, by order of magnitude
  double bendingStiffness(const Beam& beam);

} // namespace Dune::Impact

#endif
