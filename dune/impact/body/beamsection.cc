// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <numbers>

#include <dune/impact/body/beamsection.hh>

namespace Dune::Impact {

  namespace {

    /* Stiffness (E I1, E I2, G (I1 + I2), k G S, k G S, E S) with the shear factor k, and inertia
     * per length, from the area S and its second moments. The torsional stiffness is that of a
     * section without warping, exact for circles. */
    BeamSection isotropic(double S, double I1, double I2, const BeamMaterial& m)
    {
      BeamSection section;
      const double G = m.shear(), GS = m.shearFactor * G * S;
      section.stiffness << m.young * I1, m.young * I2, G * (I1 + I2), GS, GS, m.young * S;
      section.inertia << m.density * I1, m.density * I2, m.density * (I1 + I2);
      section.mass = m.density * S;
      return section;
    }

    std::vector<Eigen::Vector2d> rectangle(double b1, double b2)
    {
      return {
        {-0.5 * b1, -0.5 * b2}, {0.5 * b1, -0.5 * b2}, {0.5 * b1, 0.5 * b2}, {-0.5 * b1, 0.5 * b2}};
    }

  } // namespace

  //! I1 = b1 b2^3/12 about the first section axis, I2 = b2 b1^3/12 about the second
  BeamSection rectangularSection(double b1, double b2, const BeamMaterial& material)
  {
    BeamSection section =
      isotropic(b1 * b2, b1 * b2 * b2 * b2 / 12, b2 * b1 * b1 * b1 / 12, material);
    section.outline = rectangle(b1, b2);
    return section;
  }

  //! S = pi r^2, I1 = I2 = S r^2/4; the outline is a polygon with 24 corners, for pictures only
  BeamSection circularSection(double radius, const BeamMaterial& material)
  {
    const double S = std::numbers::pi * radius * radius, I = 0.25 * S * radius * radius;
    BeamSection section = isotropic(S, I, I, material);
    section.radius = radius;
    const int corners = 24;
    for (int i = 0; i < corners; ++i) {
      const double angle = 2 * std::numbers::pi * i / corners;
      section.outline.emplace_back(radius * std::cos(angle), radius * std::sin(angle));
    }
    return section;
  }

  //! The outline is the rectangle with the same ratio of inertia to mass: b1^2 = 12 inertia_2/mass,
  //! b2^2 = 12 inertia_1/mass
  BeamSection generalSection(const Vector6& stiffness, const Vector3& inertia, double mass)
  {
    return {stiffness, inertia, mass,
            rectangle(std::sqrt(12 * inertia[1] / mass), std::sqrt(12 * inertia[0] / mass)), 0};
  }

} // namespace Dune::Impact
