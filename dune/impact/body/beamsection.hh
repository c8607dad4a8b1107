// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_BEAMSECTION_HH
#define DUNE_IMPACT_BODY_BEAMSECTION_HH

#include <vector>

#include <dune/impact/geometry/se3.hh>

/** \file
 * \ingroup impact_body
 * \brief Sections of beams: stiffness, inertia and outline
 */

namespace Dune::Impact {

  /** \brief What a beam must know of its section
   *
   * Axes 1 and 2 lie in the section, axis 3 is that of the beam. Vectors are ordered (bending 1,
   * bending 2, torsion; shear 1, shear 2, axial), the order of twists.
   */
  struct BeamSection
  {
    Vector6 stiffness = Vector6::Zero(); //!< diagonal of C: moments and forces per strain
    Vector3 inertia = Vector3::Zero();   //!< rotary inertia per length about the three axes
    double mass = 0;                     //!< per length
    //! polygon in the plane of axes 1 and 2, counter-clockwise, for pictures
    std::vector<Eigen::Vector2d> outline;
    //! of a circle, which can touch other beams; 0 for other sections
    double radius = 0;
  };

  //! Isotropic elasticity and density
  struct BeamMaterial
  {
    double young = 1, poisson = 0, density = 1;
    double shearFactor = 1; //!< of the shear stiffness

    double shear() const { return young / (2 * (1 + poisson)); }
  };

  /** \brief Rectangle with the sides b1 and b2 along the axes 1 and 2
   *
   *     S = b1 b2, I1 = b1 b2^3/12, I2 = b2 b1^3/12
   *     C = diag(E I1, E I2, G (I1 + I2); k G S, k G S, E S),   J = rho diag(I1, I2, I1 + I2)
   *
   * The torsional stiffness is that of the polar moment, without warping.
   */
  BeamSection rectangularSection(double b1, double b2, const BeamMaterial& material);

  //! Circle: S = pi r^2, I1 = I2 = pi r^4/4, otherwise as the rectangle
  BeamSection circularSection(double radius, const BeamMaterial& material);

  //! Any stiffness and inertia; drawn as the rectangle with the same radii of gyration
  BeamSection generalSection(const Vector6& stiffness, const Vector3& inertia, double mass);

} // namespace Dune::Impact

#endif
