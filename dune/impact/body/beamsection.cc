// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <numbers>

#include <dune/impact/body/beamsection.hh>

namespace Dune::Impact {

  namespace {

    //! Stiffness and inertia from the area and its second moments
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

  BeamSection rectangularSection(double b1, double b2, const BeamMaterial& material)
  {
    BeamSection section =
      isotropic(b1 * b2, b1 * b2 * b2 * b2 / 12, b2 * b1 * b1 * b1 / 12, material);
    section.outline = rectangle(b1, b2);
    return section;
  }

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

  BeamSection generalSection(const Vector6& stiffness, const Vector3& inertia, double mass)
  {
    return {stiffness, inertia, mass,
            rectangle(std::sqrt(12 * inertia[1] / mass), std::sqrt(12 * inertia[0] / mass)), 0};
  }

} // namespace Dune::Impact
