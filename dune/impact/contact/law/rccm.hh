// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_LAW_RCCM_HH
#define DUNE_IMPACT_CONTACT_LAW_RCCM_HH

#include <array>
#include <memory>
#include <vector>

#include <dune/impact/body/interaction.hh>
#include <dune/impact/common/visualizationdata.hh>
#include <dune/impact/geometry/obstacle.hh>

/** \file
 * \ingroup impact_contact_law
 * \brief Adhesion with damage: the interface law of Raous, Cangemi, Cocou and Monerie
 */

namespace Dune::Impact {

  /** \brief Law of one point of an interface
   *
   * The jump has the opening u_N and the sliding u_T; f = sqrt(max(u_N, 0)^2 + A |u_T|^2) is its
   * size with the mode mix A. The damage alpha is a length that only grows: the interface is
   * whole up to alpha = u_0, broken from alpha = u_c on, and in between the tractions
   *
   *     t_N = g(alpha) b_N <u_N>_+,   t_T = g(alpha) b_T u_T,
   *     g = u_0 (u_c - alpha) / (alpha (u_c - u_0))
   *
   * fall linearly with the jump. Without delay alpha is the largest f so far. With delay
   *
   *     d alpha/dt = u_c/tau_c (1 - exp(-a/u_c <f - alpha>_+)).
   *
   * To break it in mode I takes the energy b_N u_0 u_c / 2 per area, without delay.
   */
  struct RccmLaw
  {
    double normalStiffness = 0;     //!< b_N, traction per length
    double tangentialStiffness = 0; //!< b_T
    double modeMix = 1;             //!< A
    double elasticLimit = 0;        //!< u_0
    double rupture = 0;             //!< u_c > u_0
    double delayTime = 0;           //!< tau_c; 0: no delay
    double delayExponent = 1;       //!< a

    //! g(alpha), between one and zero
    double degradation(double alpha) const;

    //! f
    double size(double opening, double sliding2) const;

    //! Damage after a time h with the jump of size f; never less than before, never above u_c
    double advance(double alpha, double f, double h) const;

    //! True if nothing is left
    bool broken(double alpha) const { return alpha >= rupture; }
  };

  /** \brief Points that are glued to an obstacle or to a facet of another body
   *
   * Each bond is between a node x of the first side and the place y where it was at the start: a
   * point that moves with the obstacle, or y = sum N_j y_j on a facet with its present unit normal
   * n. With d = x - y, u_N = n . d and u_T = d - u_N n the energy of a bond of area S is
   *
   *     psi = S g/2 (b_N <u_N>_+^2 + b_T |u_T|^2).
   *
   * Forces are its exact derivatives at fixed damage, with that of the normal, so that they have
   * neither a resultant nor a moment.
   *
   * The damage belongs to the state of the simulation: one number per bond.
   */
  class RccmInterface
  {
  public:
    //! A node and what it is glued to
    struct Bond
    {
      std::size_t multiplier; //!< number of the node in its surface
      double area;
      PointHandle point;
      Vec3 anchor = {0, 0, 0};             //!< place on the obstacle at displacement zero
      Vec3 normal = {0, 0, 0};             //!< of the obstacle there, towards the point
      std::vector<PointHandle> facet = {}; //!< corners of the facet; empty for an obstacle
      std::vector<double> weight = {};     //!< N_j
      //! dN_j along the facet, with tangents sum slope_j y_j; the second is empty in the plane
      std::array<std::vector<double>, 2> slope = {};
    };

    //! Jump of a bond
    struct Jump
    {
      double opening; //!< u_N
      Vec3 sliding;   //!< u_T
      Vec3 normal;
    };

    /** \brief Constructor
     *
     * \param facets corners of the facets between the bonds, as numbers of bonds, for pictures
     */
    RccmInterface(const RccmLaw& law, std::vector<Bond> bonds,
                  std::shared_ptr<const Obstacle> obstacle = {},
                  std::vector<std::vector<std::size_t>> facets = {});

    const RccmLaw& law() const { return law_; }
    std::size_t size() const { return bonds_.size(); }
    const Bond& bond(std::size_t i) const { return bonds_[i]; }

    Jump jump(double t, ConstSpan q, std::size_t bond) const;

    //! Damage after a step of length h that has led to q
    void advance(double t, ConstSpan q, double h, Span damage) const;

    //! Sum of psi
    double energy(double t, ConstSpan q, ConstSpan damage) const;

    //! p += weight * (-d psi/dq)
    void addForce(double t, ConstSpan q, ConstSpan damage, double weight, Span p) const;

    /** \brief Entries of the stiffness for a bound on the step
     *
     * As if the bonds were closed in all directions: S g (b_N n n^T + b_T (I - n n^T)).
     * Empty damage means none.
     */
    void addStiffness(double t, ConstSpan q, ConstSpan damage, Triplets& entries) const;

    //! What the energy of an interval from q0 to q1 is made of, both at the same damage
    struct Interval
    {
      double energy = 0; //!< 1/2 (psi_0 + psi_1) - 1/4 (d_1 - d_0) . (f_1 - f_0)
      //! psi_1 - psi_0 - 1/2 (d_1 - d_0) . (f_0 + f_1), zero for a quadratic energy
      double defect = 0;
    };

    Interval interval(double t0, ConstSpan q0, double t1, ConstSpan q1, ConstSpan damage) const;

    //! Work that a moved obstacle does at time t between the instants before and after: -1/2 f .
    //! (o_after - o_before)
    double obstacleWork(double t, double before, double after, ConstSpan q, ConstSpan damage) const;

    /** \brief The bonds where their nodes are
     *
     * Fields: `damage`, the part 1 - g of the stiffness that is lost, `damage_length` alpha, the
     * jump as `gap` (its opening) and `sliding`, the `normal`, the `traction` of adhesion on the
     * first side, the `pressure` and the `multiplier` of contact, and the `status`, 1 where there
     * is pressure, else 0.
     *
     * \param forces normal force of contact per bond
     */
    VisualizationData picture(double t, ConstSpan q, ConstSpan damage, ConstSpan forces) const;

  private:
    //! Energy and derivatives of one bond; place 0 is the point, then the corners of the facet
    struct Sample
    {
      double energy = 0;
      std::array<Vec3, 5> position, force; //!< of an obstacle only place 0, relative to it
      std::size_t places = 1;
    };

    Sample sample(double t, ConstSpan q, const Bond& bond, double degradation) const;
    Vec3 obstacleDisplacement(double t) const;

    RccmLaw law_;
    std::vector<Bond> bonds_;
    std::shared_ptr<const Obstacle> obstacle_;
    std::vector<std::vector<std::size_t>> facets_;
  };

} // namespace Dune::Impact

#endif
