// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <fmt/format.h>

#include <dune/impact/body/beamload.hh>
#include <dune/impact/body/implicitbody.hh>
#include <dune/impact/body/surfaceload.hh>
#include <dune/impact/scenario/registry.hh>
#include <dune/impact/scenario/suggest.hh>

namespace Dune::Impact {

  namespace {

    std::array<Expression, 3> readForce(const Section& section, const std::string& key = "force")
    {
      std::array<Expression, 3> force;
      const auto given = section.expressions(key);
      for (std::size_t c = 0; c < given.size(); ++c) {
        if (!given[c])
          section.fail(key, fmt::format("a component of a {} cannot be free, write 0", key));
        force[c] = *given[c];
      }
      return force;
    }

    //! A force or a pressure on a patch of a body with a mesh, a force on one of its nodes
    template<int dim>
    void loadSolid(const Section& section, Scene& scene, std::size_t body,
                   const SolidMesh<dim>& mesh)
    {
      const Place place = section.place("at");
      const bool pressure = section.has("pressure");
      if (!pressure && place.word.empty())
        return scene.system.add(
          std::make_unique<Load>(scene.point(section, "at", body, ""), readForce(section)));
      const std::string name = place.node ? std::to_string(*place.node) : place.word;
      const auto patch = mesh.findPatch(name);
      const std::string solid = scene.system.body(body).name();
      if (!patch)
        section.fail("at",
                     name.empty()
                       ? missingPatch("must be a patch of", solid, "which has", mesh.patchNames())
                       : missingPatch(solid + " has no patch", name, "it has", mesh.patchNames()));
      const PointHandle first = scene.system.point(body, 0);
      const typename SurfaceLoad<dim>::Offsets offsets{first.configurationOffset,
                                                       first.velocityOffset};
      if (pressure)
        scene.system.add(std::make_unique<SurfaceLoad<dim>>(
          mesh, *patch, offsets, section.expression("pressure"), section.flag("follower")));
      else
        scene.system.add(
          std::make_unique<SurfaceLoad<dim>>(mesh, *patch, offsets, readForce(section)));
    }

    //! A force and a moment on a node, or a force along the whole beam
    void loadBeam(const Section& section, Scene& scene, std::size_t body)
    {
      if (section.has("pressure"))
        section.fail("pressure", "has no meaning for a beam");
      if (!section.has("force") && !section.has("moment"))
        section.fail("force", "a load of a beam needs a force or a moment");
      const bool follower = section.flag("follower");
      const VectorExpression force =
        section.has("force") ? VectorExpression{readForce(section)} : VectorExpression{};
      if (section.has("at") && section.place("at").word == "line") {
        if (section.has("moment"))
          section.fail("moment", "has no meaning along a line");
        scene.system.add(std::make_unique<LineLoad>(scene.system.point(body, 0), force, follower));
        return;
      }
      const VectorExpression moment =
        section.has("moment") ? VectorExpression{readForce(section, "moment")} : VectorExpression{};
      scene.system.add(std::make_unique<NodeLoad>(scene.point(section, "at", body, "right"), force,
                                                  moment, follower));
    }

    void buildLoad(const Section& section, Scene& scene)
    {
      const std::size_t body = scene.body(section, "body");
      if (const auto* beam = dynamic_cast<const Beam*>(&scene.system.body(body));
          beam && beam->formulation() == BeamFormulation::exponential)
        return loadBeam(section, scene, body);
      if (section.has("moment"))
        section.fail("moment", "acts on beams with formulation = exponential only");
      if (section.has("pressure") && section.has("force"))
        section.fail("pressure", "has no meaning together with `force`, use two loads");
      if (section.has("follower") && !section.has("pressure"))
        section.fail("follower", "only a pressure can follow the surface");
      if (const auto* solid = dynamic_cast<const ImplicitBody<2>*>(&scene.system.body(body)))
        return loadSolid<2>(section, scene, body, solid->mesh());
      if (const auto* solid = dynamic_cast<const ImplicitBody<3>*>(&scene.system.body(body)))
        return loadSolid<3>(section, scene, body, solid->mesh());
      if (section.has("pressure"))
        section.fail("pressure", fmt::format("acts on a patch of a solid, {} has none",
                                             scene.system.body(body).name()));
      const auto force = readForce(section);
      scene.system.add(
        std::make_unique<Load>(scene.massivePoint(section, "at", body, "right"), force));
    }

  } // namespace

  void registerLoad(Registry& registry)
  {
    registry.add(SectionType{
      .name = "load",
      .summary = "a force on a point of a body, a force and a moment on a beam, or a force or "
                 "pressure on a patch of a solid",
      .keys = {{.name = "body",
                .meaning = "the body",
                .kind = Kind::name,
                .allowed = {"body"},
                .required = true},
               {.name = "at",
                .meaning = "where on the body: a word such as left or the name of a patch, the "
                           "number of a node (for a pressure: of a patch), or a point (the node "
                           "next to it); `line` for the whole length of a beam",
                .unit = "L",
                .kind = Kind::place,
                .computed = "its centre for a particle or rigid body, its right end for a bar or "
                            "beam, needed for a solid"},
               {.name = "force",
                .meaning =
                  "force per component, expressions in t; on a patch it is the total force, spread "
                  "evenly over the area, along a beam evenly over its length",
                .unit = "M L/T^2",
                .kind = Kind::expressionVector,
                .computed = "needed unless there is a pressure"},
               {.name = "moment",
                .meaning = "moment on a node of a beam per component, expressions in t",
                .unit = "M L^2/T^2",
                .kind = Kind::expressionVector,
                .computed = "none"},
               {.name = "pressure",
                .meaning =
                  "pressure on a patch of a solid against its outward normal, an expression in t",
                .unit = "M/(L^(d-2) T^2)",
                .kind = Kind::expression,
                .computed = "none"},
               {.name = "follower",
                .meaning = "whether the pressure follows the moving surface or stays as on the "
                           "reference surface; of a beam, whether force and moment are given in "
                           "the axes of the section and turn with it",
                .fallback = "no",
                .kind = Kind::flag}},
      .build = buildLoad});
  }

} // namespace Dune::Impact
