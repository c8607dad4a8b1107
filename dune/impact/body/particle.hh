// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_BODY_PARTICLE_HH
#define DUNE_IMPACT_BODY_PARTICLE_HH

#include <dune/impact/body/lumpedbody.hh>

/** \file
 * \ingroup impact_body
 * \brief Point masses
 */

namespace Dune::Impact {

  //! A point mass, with a radius for contact only
  class Particle : public LumpedBody
  {
  public:
    //! What a particle is made of
    struct Settings
    {
      std::string name;
      int dimension = 3;
      double mass = 1;
      double radius = 0;
      Vec3 position = {0, 0, 0};
      Vec3 velocity = {0, 0, 0};
      Vec3 gravity = {0, 0, 0};
    };

    explicit Particle(const Settings& settings)
      : LumpedBody(settings.name, settings.dimension, settings.gravity,
                   {.velocity = settings.velocity})
      , radius_(settings.radius)
    {
      setNodes({settings.position}, {settings.mass});
    }

    double radius(std::size_t) const override { return radius_; }

    std::vector<std::size_t> patch(const std::string& place) const override
    {
      return place.empty() || place == "centre-of-mass" || place == "0"
               ? std::vector<std::size_t>{0}
               : std::vector<std::size_t>{};
    }

    std::vector<std::string> patchNames() const override { return {"centre-of-mass"}; }

    void sample(ConstSpan q, ConstSpan v, VisualizationData& visual) const override;

  private:
    double radius_;
  };

} // namespace Dune::Impact

#endif
