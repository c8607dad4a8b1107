// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <dune/impact/body/beam.hh>
#include <dune/impact/body/framejoint.hh>
#include <dune/impact/geometry/rigidmotion.hh>
#include <dune/impact/scenario/registry.hh>

namespace Dune::Impact {

  namespace {

    Vector6 sixNumbers(const Section& section, const std::string& key,
                       std::optional<std::vector<double>> fallback = {})
    {
      const std::vector<double> x = section.reals(key, std::move(fallback));
      return Eigen::Map<const Vector6>(x.data());
    }

    //! Position, then rotation vector
    Frame toFrame(const Vector6& x)
    {
      return {RotationExponential::map(x.tail<3>()), x.head<3>()};
    }

    //! Exactly one of the keys that describe a section
    std::string sectionKey(const Section& section)
    {
      std::string found;
      for (const char* key : {"square", "circle", "rectangle", "stiffness"})
        if (section.has(key)) {
          if (!found.empty())
            section.fail(key, "has no meaning together with `" + found + "`");
          found = key;
        }
      if (found.empty())
        section.fail("square",
                     "a beam needs a section: square, circle, rectangle, or stiffness and inertia");
      return found;
    }

    BeamSection readGeneral(const Section& section)
    {
      const Vector6 stiffness = sixNumbers(section, "stiffness");
      const std::vector<double> inertia = section.reals("inertia");
      for (const char* key : {"young", "poisson", "density", "shear-factor"})
        if (section.has(key))
          section.fail(key, "has no meaning together with `stiffness`");
      if (!(stiffness.minCoeff() > 0))
        section.fail("stiffness", "must be six positive numbers");
      for (double x : inertia)
        if (!(x > 0))
          section.fail("inertia", "must be four positive numbers");
      return generalSection(stiffness, {inertia[0], inertia[1], inertia[2]}, inertia[3]);
    }

    BeamSection readSection(const Section& section)
    {
      const std::string key = sectionKey(section);
      if (key == "stiffness")
        return readGeneral(section);
      if (section.has("inertia"))
        section.fail("inertia", "has no meaning together with `" + key + "`");
      const BeamMaterial material{.young = section.real("young"),
                                  .poisson = section.real("poisson"),
                                  .density = section.real("density"),
                                  .shearFactor = section.real("shear-factor")};
      if (!(material.poisson > -1 && material.poisson <= 0.5))
        section.fail("poisson", "must be above -1 and at most 0.5");
      if (!(material.shearFactor > 0))
        section.fail("shear-factor", "must be positive");
      if (key == "circle")
        return circularSection(section.real("circle"), material);
      if (key == "square")
        return rectangularSection(section.real("square"), section.real("square"), material);
      const std::vector<double> sides = section.reals("rectangle");
      if (!(sides[0] > 0 && sides[1] > 0))
        section.fail("rectangle", "must be two positive numbers");
      return rectangularSection(sides[0], sides[1], material);
    }

    Frame readFrame(const Section& section)
    {
      if (!section.has("frame"))
        return {RotationExponential::map(toEigen(section.rotation("rotation"))),
                toEigen(section.vector("position"))};
      for (const char* key : {"position", "rotation"})
        if (section.has(key))
          section.fail(key, "has no meaning together with `frame`");
      return toFrame(sixNumbers(section, "frame"));
    }

    Vector6 readStrain(const Section& section, const std::string& key)
    {
      return sixNumbers(section, key, std::vector<double>{0, 0, 0, 0, 0, 1});
    }

    //! Keys that another choice makes useless
    void refuse(const Section& section, std::initializer_list<const char*> keys,
                const std::string& reason)
    {
      for (const char* key : keys)
        if (section.has(key))
          section.fail(key, "has no meaning " + reason);
    }

    //! The shape of a beam without stress
    struct Curve
    {
      double length;
      Vector6 strain; //!< constant along the beam
      Frame first;    //!< of the left end, before `position` and `rotation`
    };

    //! Curvature 1/R about the second section axis: the arc turns towards the first one
    Curve readArc(const Section& section)
    {
      refuse(section, {"helix-radius", "pitch", "phase", "turns", "length"}, "for curve = arc");
      const double R = section.real("arc-radius"), angle = section.real("arc-angle");
      return {R * angle, parts({0, 1 / R, 0}, {0, 0, 1}), {}};
    }

    /* A helix about the third coordinate axis that starts at the phase and rises. Its section axes
     * are the inward normal, the binormal and the tangent, in which curvature and torsion are
     * constant. */
    Curve readHelix(const Section& section)
    {
      refuse(section, {"arc-radius", "arc-angle"}, "for curve = helix");
      const double a = section.real("helix-radius"),
                   b = section.real("pitch") / (2 * std::numbers::pi),
                   phase = section.real("phase");
      if (b == 0)
        section.fail("pitch", "must not be zero");
      const double c = std::sqrt(a * a + b * b);
      if (section.has("length") == section.has("turns"))
        section.fail("turns", "a helix needs its length or its turns, and not both");
      const double length = section.has("turns") ? 2 * std::numbers::pi * c * section.real("turns")
                                                 : section.real("length");
      // a negative pitch is a left-handed helix, which rises as well
      const double sense = b > 0 ? 1 : -1;
      const Vector3 out(std::cos(phase), std::sin(phase), 0),
        around(-std::sin(phase), std::cos(phase), 0);
      const Vector3 tangent = (sense * a * around + std::abs(b) * Vector3::UnitZ()) / c;
      Frame first;
      first.rotation << -out, tangent.cross(-out), tangent;
      first.position = a * out;
      return {length, parts({0, a / (c * c), b / (c * c)}, {0, 0, 1}), first};
    }

    Curve readCurve(const Section& section)
    {
      const std::string curve = section.word("curve");
      if (curve == "arc")
        return readArc(section);
      if (curve == "helix")
        return readHelix(section);
      refuse(section, {"arc-radius", "arc-angle", "helix-radius", "pitch", "phase", "turns"},
             "for curve = straight");
      return {section.real("length"), straightStrain(), {}};
    }

    //! Elements must turn by less than half a turn, as while they move: their strain would not be
    //! unique
    void checkElementTurn(const Section& section, const Vector6& strain, double length)
    {
      if (const double turn = strain.head<3>().norm() * length; !(turn < std::numbers::pi - 0.1))
        section.fail(
          "elements",
          fmt::format("each of them turns by {:.3g} rad, which must be below half a turn; use more",
                      turn));
    }

    //! A rigid motion, or what leads to the next configuration in a time
    std::vector<Vector6> readVelocities(const Section& section, const Beam::Settings& settings)
    {
      if (!section.has("next-time")) {
        for (const char* key : {"next-frame", "next-strain"})
          if (section.has(key))
            section.fail(key, "has no meaning without `next-time`");
        return rigidVelocities(settings.frames, {.velocity = section.vector("velocity"),
                                                 .spin = section.rotation("spin")});
      }
      for (const char* key : {"velocity", "spin"})
        if (section.has(key))
          section.fail(key, "has no meaning together with `next-time`");
      const Frame next = toFrame(sixNumbers(section, "next-frame"));
      return velocitiesBetween(settings.frames,
                               constantStrainFrames(next, readStrain(section, "next-strain"),
                                                    settings.length, settings.elements),
                               section.real("next-time"));
    }

    void buildBeam(const Section& section, Scene& scene)
    {
      if (scene.dimension != 3)
        section.fail("type", "a beam needs dimension = 3");
      const bool exponential = section.word("formulation") == "exponential";
      const Curve curve = readCurve(section);
      if (!exponential && section.word("curve") != "straight")
        section.fail("curve", "must be straight for formulation = cayley");
      if (exponential)
        refuse(section, {"next-frame", "next-strain", "next-time"},
               "for formulation = exponential");
      Beam::Settings settings{.name = section.label(),
                              .length = curve.length,
                              .elements = std::size_t(section.integer("elements")),
                              .section = readSection(section),
                              .formulation = exponential ? BeamFormulation::exponential
                                                         : BeamFormulation::cayley,
                              .unstressed = curve.strain,
                              .gravity = scene.gravity};
      if (settings.elements > 10'000'000)
        section.fail("elements", "must be at most 10000000");
      const Vector6 strain =
        exponential && !section.has("strain") ? curve.strain : readStrain(section, "strain");
      for (const Vector6& x : {settings.unstressed, strain})
        if (exponential)
          checkElementTurn(section, x, settings.length / double(settings.elements));
      if (!(strain[5] > 0))
        section.fail("strain",
                     fmt::format("must stretch the axis, its last number must be positive, got {}",
                                 strain[5]));
      settings.frames =
        constantStrainFrames(readFrame(section) * curve.first, strain, settings.length,
                             settings.elements, settings.formulation);
      settings.velocities = readVelocities(section, settings);
      const std::string clamped = section.word("clamped");
      const std::array<bool, 2> held = {clamped == "left" || clamped == "both",
                                        clamped == "right" || clamped == "both"};
      if (!exponential)
        settings.clamped = held;
      if (settings.elements == 1 && clamped == "both")
        section.fail("clamped", "nothing moves if both ends of one element are held");
      scene.add(std::make_unique<Beam>(settings));
      const std::size_t body = scene.bodies.at(section.label());
      for (std::size_t end : {0, 1})
        if (exponential && held[end])
          scene.system.add(
            std::make_unique<FrameJoint>(scene.system.point(body, end * settings.elements),
                                         scene.system.initialState().q, FrameJoint::Kind::clamp));
    }

    // Length, elements and the shape without stress
    std::vector<Key> curveKeys()
    {
      return {
        {.name = "length",
         .meaning = "length",
         .unit = "L",
         .kind = Kind::positive,
         .computed = "radius times angle of an arc, that of the turns of a helix"},
        {.name = "elements",
         .meaning = "number of elements",
         .unit = "1",
         .kind = Kind::count,
         .required = true},
        {.name = "formulation",
         .meaning = "map from strains to frames: `cayley` for the multisymplectic method, "
                    "`exponential` for the others",
         .fallback = "cayley",
         .kind = Kind::word,
         .allowed = {"cayley", "exponential"}},
        {.name = "curve",
         .meaning = "shape without stress: along the third axis; an arc that begins there and "
                    "turns towards the first axis; or a helix about the third axis",
         .fallback = "straight",
         .kind = Kind::word,
         .allowed = {"straight", "arc", "helix"}},
        {.name = "arc-radius", .meaning = "radius of an arc", .unit = "L", .kind = Kind::positive},
        {.name = "arc-angle", .meaning = "angle of an arc", .unit = "1", .kind = Kind::positive},
        {.name = "helix-radius",
         .meaning = "radius of the axis of a helix",
         .unit = "L",
         .kind = Kind::positive},
        {.name = "pitch",
         .meaning = "height of one turn of a helix, negative for a left-handed one",
         .unit = "L",
         .kind = Kind::real},
        {.name = "phase",
         .meaning = "angle at which a helix begins",
         .unit = "1",
         .fallback = "0",
         .kind = Kind::real},
        {.name = "turns",
         .meaning = "number of turns of a helix, instead of its length",
         .unit = "1",
         .kind = Kind::positive}};
    }

    // The section and its material; order: that of the entries of a strain
    std::vector<Key> sectionKeys(const std::string& order)
    {
      return {
        {.name = "square",
         .meaning = "section: side of a square",
         .unit = "L",
         .kind = Kind::positive},
        {.name = "circle",
         .meaning = "section: radius of a circle",
         .unit = "L",
         .kind = Kind::positive},
        {.name = "rectangle",
         .meaning = "section: sides along its first and second axis",
         .unit = "L",
         .kind = Kind::vector,
         .size = "2"},
        {.name = "stiffness",
         .meaning = "section: its stiffnesses" + order +
                    ", together with `inertia` and instead of a material",
         .unit = "M L^3/T^2[3], M L/T^2",
         .kind = Kind::vector,
         .size = "6"},
        {.name = "inertia",
         .meaning =
           "rotary inertia per length about the three axes of the section, then mass per length",
         .unit = "M L[3], M/L",
         .kind = Kind::vector,
         .size = "4"},
        {.name = "young",
         .meaning = "Young's modulus",
         .unit = "M/(L T^2)",
         .kind = Kind::positive},
        {.name = "poisson",
         .meaning = "Poisson's ratio",
         .unit = "1",
         .fallback = "0",
         .kind = Kind::real},
        {.name = "density", .meaning = "mass per volume", .unit = "M/L^3", .kind = Kind::positive},
        {.name = "shear-factor",
         .meaning = "factor of the shear stiffness",
         .unit = "1",
         .fallback = "1",
         .kind = Kind::real}};
    }

    // Where the beam is at the start
    std::vector<Key> placeKeys(const std::string& order)
    {
      return {{.name = "clamped",
               .meaning = "ends that do not move",
               .fallback = "none",
               .kind = Kind::word,
               .allowed = {"none", "left", "right", "both"}},
              {.name = "position",
               .meaning = "position of the left end at the start",
               .unit = "L",
               .fallback = "0",
               .kind = Kind::vector},
              {.name = "rotation",
               .meaning =
                 "rotation vector of the left end at the start; without it the axis of the "
                 "beam is the third coordinate; for a helix position and rotation of its axis",
               .unit = "1",
               .fallback = "0",
               .kind = Kind::rotation},
              {.name = "frame",
               .meaning = "position and rotation vector of the left end at the start, instead of "
                          "`position` and `rotation`",
               .unit = "L[3], 1",
               .kind = Kind::vector,
               .size = "6",
               .computed = "`position` and `rotation`"},
              {.name = "strain",
               .meaning = "strain at the start, the same everywhere" + order,
               .unit = "1/L[3], 1",
               .kind = Kind::vector,
               .size = "6",
               .computed = "that of the curve without stress"}};
    }

    // How it moves at the start
    std::vector<Key> motionKeys()
    {
      return {{.name = "velocity",
               .meaning = "velocity at the start",
               .unit = "L/T",
               .fallback = "0",
               .kind = Kind::vector},
              {.name = "spin",
               .meaning = "angular velocity about the centre of mass at the start",
               .unit = "1/T",
               .fallback = "0",
               .kind = Kind::rotation},
              {.name = "next-frame",
               .meaning =
                 "frame of the left end `next-time` later, for initial velocities between two "
                 "configurations",
               .unit = "L[3], 1",
               .kind = Kind::vector,
               .size = "6"},
              {.name = "next-strain",
               .meaning = "strain `next-time` later",
               .unit = "1/L[3], 1",
               .kind = Kind::vector,
               .size = "6",
               .computed = "0 0 0 0 0 1, unstressed"},
              {.name = "next-time",
               .meaning = "time between the two configurations",
               .unit = "T",
               .kind = Kind::positive}};
    }

  } // namespace

  void registerBeam(Registry& registry)
  {
    const std::string order = " (bending 1, bending 2, torsion; shear 1, shear 2, axial)";
    registry.add(BodyType{
      .name = "beam",
      .summary = "a geometrically exact beam that bends, twists, shears and stretches (dimension "
                 "3); its axis is the third axis of its sections",
      .keys = joinKeys({curveKeys(), sectionKeys(order), placeKeys(order), motionKeys()}),
      .build = buildBeam});
  }

} // namespace Dune::Impact
