// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <functional>
#include <numbers>
#include <random>

#include <fmt/format.h>

#include <dune/impact/body/rigidbody.hh>
#include <dune/impact/common/exceptions.hh>
#include <dune/impact/grid/trianglesurface.hh>
#include <dune/impact/scenario/registry.hh>

namespace Dune::Impact {

  namespace {

    //! A shape and what follows from it
    struct RigidForm
    {
      std::shared_ptr<const RigidShape> shape;
      std::optional<double> volume = {};             //!< empty for thin shapes
      std::function<RigidMass(double)> inertia = {}; //!< from the mass, empty if it must be given
      Vector3 centre = Vector3::Zero();              //!< of mass, in the coordinates of a mesh
      //! principal axes in the coordinates of a mesh
      Quaternion axes = Quaternion::Identity();
    };

    //! Keys of other shapes have no meaning
    void refuseOthers(const Section& section, const std::string& shape,
                      std::initializer_list<const char*> used)
    {
      for (const char* key : {"radius", "length", "points", "size", "hollow", "inner", "outer",
                              "mesh", "nodes", "facets"})
        if (section.has(key) && std::find_if(used.begin(), used.end(), [&](const char* u) {
                                  return std::string(u) == key;
                                }) == used.end())
          section.fail(key, fmt::format("has no meaning with shape = {}", shape));
    }

    Vector3 readSize(const Section& section)
    {
      const Vector3 size = toEigen(section.vector("size"));
      if (!(size.minCoeff() > 0))
        section.fail("size", "must be three positive numbers");
      return size;
    }

    RigidForm readBall(const Section& section)
    {
      refuseOthers(section, "ball", {"radius"});
      const double radius = section.real("radius");
      if (!(radius > 0))
        section.fail("radius", "must be positive for a ball");
      return {std::make_shared<BallShape>(radius), BallShape::volume(radius),
              [radius](double mass) { return BallShape::mass(radius, mass); }};
    }

    RigidForm readShell(const Section& section)
    {
      refuseOthers(section, "shell", {"inner", "outer"});
      const double inner = section.real("inner"), outer = section.real("outer", inner);
      if (outer < inner)
        section.fail("outer", "must not be smaller than `inner`");
      RigidForm form{std::make_shared<ShellShape>(inner, outer), {}, [=](double mass) {
                       return ShellShape::mass(inner, outer, mass);
                     }};
      if (outer > inner)
        form.volume = ShellShape::volume(inner, outer);
      return form;
    }

    RigidForm readBox(const Section& section, const std::string& shape)
    {
      refuseOthers(section, shape, {"size", "hollow"});
      const Vector3 size = readSize(section);
      if (section.flag("hollow"))
        return {std::make_shared<HollowBoxShape>(size), {}, [size](double mass) {
                  return HollowBoxShape::mass(size, mass);
                }};
      return {std::make_shared<BoxShape>(size), size.prod(),
              [size](double mass) { return BoxShape::mass(size, mass); }};
    }

    //! A rod without a radius has no moment of inertia about its axis: its inertia must be given.
    RigidForm readRod(const Section& section)
    {
      refuseOthers(section, "rod", {"length", "radius", "points"});
      const double length = section.real("length"), radius = section.real("radius", 0.0);
      const long points = section.integer("points", 6);
      if (points < 2)
        section.fail("points", "must be at least 2");
      RigidForm form{std::make_shared<RodShape>(length, radius, std::size_t(points)), {}, {}};
      if (radius > 0) {
        form.volume = std::numbers::pi * radius * radius * length;
        form.inertia = [=](double mass) { return RodShape::mass(length, radius, mass); };
      }
      return form;
    }

    /* Volume, centre and inertia of the region inside a closed surface. If moments of inertia
     * are not given, the eigenvectors of the inertia are the body axes, a right-handed system;
     * the vertices are expressed in them, relative to the centre. */
    RigidForm readMesh(const Section& section)
    {
      refuseOthers(section, "mesh", {"mesh"});
      const TriangleSurface surface = [&] {
        try {
          return readTriangleSurface(section.path("mesh"));
        }
        catch (const InputError& error) {
          section.fail("mesh", error.what());
        }
      }();
      const VolumeProperties volume = volumeProperties(surface.vertices, surface.triangles);
      RigidForm form;
      form.centre = volume.centre;
      Vec3 moments = {0, 0, 0};
      if (!section.has("inertia")) {
        const Eigen::SelfAdjointEigenSolver<Matrix3> principal(volume.inertia);
        Matrix3 axes = principal.eigenvectors();
        if (axes.determinant() < 0)
          axes.col(2) *= -1;
        form.axes = Quaternion(axes);
        moments = toVec3(principal.eigenvalues() / volume.volume);
      }
      std::vector<Vector3> vertices;
      for (const Vector3& x : surface.vertices)
        vertices.push_back(form.axes.conjugate() * (x - volume.centre));
      form.shape = std::make_shared<TriangleShape>(std::move(vertices), surface.triangles);
      form.volume = volume.volume;
      form.inertia = [moments](double mass) { return RigidMass{mass, moments * mass}; };
      return form;
    }

    std::vector<Vector3> readPoints(const Section& section, const std::string& key,
                                    std::size_t multiple)
    {
      const std::vector<double> x = section.has(key) ? section.reals(key) : std::vector<double>{};
      if (x.size() % (3 * multiple) != 0)
        section.fail(key, fmt::format("must be {} numbers for each", 3 * multiple));
      std::vector<Vector3> points;
      for (std::size_t i = 0; i < x.size(); i += 3)
        points.emplace_back(x[i], x[i + 1], x[i + 2]);
      return points;
    }

    //! Nodes and facets as they are given, or neither: a body that touches nothing
    RigidForm readCustom(const Section& section)
    {
      refuseOthers(section, "custom", {"nodes", "facets", "radius"});
      const std::vector<Vector3> nodes = readPoints(section, "nodes", 1),
                                 corners = readPoints(section, "facets", 4);
      std::vector<Polygon> facets;
      for (std::size_t i = 0; i < corners.size(); i += 4) {
        Polygon facet(corners.begin() + i, corners.begin() + i + 4);
        if (facet[3] == facet[2])
          facet.pop_back();
        const Vector3 normal = (facet[1] - facet[0]).cross(facet[2] - facet[0]);
        const double size = (facet[2] - facet[0]).norm();
        if (!(normal.norm() > 1e-12 * size * size))
          section.fail("facets", fmt::format("facet {} has no area", i / 4));
        if (facet.size() == 4 &&
            std::abs(normal.normalized().dot(facet[3] - facet[0])) > 1e-9 * size)
          section.fail("facets", fmt::format("facet {} is not flat", i / 4));
        for (std::size_t k = 0; k < facet.size(); ++k) {
          const Vector3 a = facet[(k + 1) % facet.size()] - facet[k],
                        b = facet[(k + 2) % facet.size()] - facet[(k + 1) % facet.size()];
          if (!(normal.dot(a.cross(b)) > 0))
            section.fail("facets", fmt::format("facet {} is not convex", i / 4));
        }
        facets.push_back(std::move(facet));
      }
      return {std::make_shared<FacetShape>(
                nodes, section.has("radius") ? section.real("radius") : 0, std::move(facets)),
              {},
              {}};
    }

    RigidForm readForm(const Section& section)
    {
      const std::string shape = section.word("shape");
      if (shape == "ball")
        return readBall(section);
      if (shape == "shell")
        return readShell(section);
      if (shape == "box" || shape == "plate")
        return readBox(section, shape);
      if (shape == "rod")
        return readRod(section);
      return shape == "mesh" ? readMesh(section) : readCustom(section);
    }

    //! Exactly one of density and mass; inertia from the shape unless it is given
    RigidMass readMass(const Section& section, const RigidForm& form)
    {
      if (section.has("mass") == section.has("density"))
        section.fail("mass", "a rigid body needs either mass or density");
      if (section.has("density") && !form.volume)
        section.fail("density", "this shape has no volume, give its mass");
      const double mass =
        section.has("mass") ? section.real("mass") : section.real("density") * *form.volume;
      if (!section.has("inertia")) {
        if (!form.inertia)
          section.fail("inertia", "must be given, it does not follow from the shape");
        return form.inertia(mass);
      }
      const Vec3 J = section.vector("inertia");
      if (!(J[0] > 0 && J[1] > 0 && J[2] > 0))
        section.fail("inertia", "must be three positive numbers");
      const double slack = 1 + 1e-12;
      if (J[0] > slack * (J[1] + J[2]) || J[1] > slack * (J[2] + J[0]) ||
          J[2] > slack * (J[0] + J[1]))
        section.fail("inertia", "no body has a moment of inertia above the sum of the other two");
      return {mass, J};
    }

    //! From the centre of mass to the pivot: J + m (|d|^2 - d d^T), which stays diagonal for a
    //! pivot on an axis
    void applyPivot(const Section& section, RigidBody::Settings& settings)
    {
      const Vec3 d = section.vector("pivot");
      if ((d[0] != 0) + (d[1] != 0) + (d[2] != 0) > 1)
        section.fail("pivot", "must be on a principal axis: at most one component is not zero");
      for (int c = 0; c < 3; ++c)
        settings.mass.inertia[c] += settings.mass.mass * (d.two_norm2() - d[c] * d[c]);
      settings.pivot = d;
    }

    //! R = exp(rotation) A with the principal axes A of a mesh. A spin in body axes is given in the
    //! axes of the file, so that exp(rotation) alone turns it to space.
    RigidBody::Start readStart(const Section& section, const RigidForm& form)
    {
      RigidBody::Start start;
      const Quaternion turn =
        stepQuaternion(RotationMap::exponential, toEigen(section.rotation("rotation")));
      start.rotation = turn * form.axes;
      start.rotation.normalize();
      start.position = section.vector("position", toVec3(form.centre));
      if (section.has("spin") && section.has("spin-body"))
        section.fail("spin-body", "has no meaning together with `spin`");
      start.spin = section.has("spin-body") ? toVec3(turn * toEigen(section.rotation("spin-body")))
                                            : section.rotation("spin");
      start.velocity = section.vector("velocity");
      return start;
    }

    //! A lattice of bodies, each shifted by a random part of the spacing
    std::vector<RigidBody::Start> readCopies(const Section& section, const RigidBody::Start& first)
    {
      if (!section.has("copies"))
        return {first};
      const std::vector<long> copies = section.counts("copies");
      const Vec3 spacing = section.vector("spacing");
      const double jitter = section.real("jitter", 0.0);
      if (double(copies[0]) * double(copies[1]) * double(copies[2]) > 1e6)
        section.fail("copies", "must be at most a million bodies");
      std::mt19937 random(1);
      const auto shift = [&] { return jitter * (double(random()) / 4294967296.0 - 0.5); };
      std::vector<RigidBody::Start> starts;
      for (long k = 0; k < copies[2]; ++k)
        for (long j = 0; j < copies[1]; ++j)
          for (long i = 0; i < copies[0]; ++i) {
            RigidBody::Start start = first;
            start.position[0] += (double(i) + shift()) * spacing[0];
            start.position[1] += (double(j) + shift()) * spacing[1];
            start.position[2] += (double(k) + shift()) * spacing[2];
            starts.push_back(start);
          }
      return starts;
    }

    void buildRigid(const Section& section, Scene& scene)
    {
      if (scene.dimension != 3)
        section.fail("type", "a rigid body needs dimension = 3");
      const RigidForm form = readForm(section);
      RigidBody::Settings settings{.name = section.label(),
                                   .mass = readMass(section, form),
                                   .shape = form.shape,
                                   .gravity = scene.gravity};
      const RigidBody::Start start = readStart(section, form);
      settings.bodies = readCopies(section, start);
      for (const char* key : {"spacing", "jitter"})
        if (section.has(key) && !section.has("copies"))
          section.fail(key, "has no meaning without `copies`");
      if (section.has("pivot")) {
        if (section.has("velocity") && section.vector("velocity").two_norm() > 0)
          section.fail("velocity", "has no meaning together with `pivot`");
        applyPivot(section, settings);
        for (RigidBody::Start& body : settings.bodies)
          body.position += toVec3(body.rotation * toEigen(*settings.pivot));
      }
      scene.add(std::make_unique<RigidBody>(settings));
    }

    // The shape that touches
    std::vector<Key> shapeKeys()
    {
      return {
        {.name = "shape",
         .meaning =
           "ball; box, or plate, which is a flat box; rod along the first axis, which touches "
           "with points on its axis; shell, a hollow ball that is touched from inside; mesh, a "
           "closed surface of triangles; custom, nodes and facets, or nothing that touches",
         .fallback = "custom",
         .kind = Kind::word,
         .allowed = {"ball", "box", "plate", "rod", "shell", "mesh", "custom"}},
        {.name = "radius",
         .meaning = "radius of a ball, of a rod (0 for a thin one, then inertia must be given) or "
                    "of the nodes of a custom body",
         .unit = "L",
         .kind = Kind::nonNegative,
         .computed = "needed for a ball, 0 otherwise"},
        {.name = "size",
         .meaning = "edges of a box or plate",
         .unit = "L",
         .kind = Kind::vector,
         .computed = "needed for a box and a plate"},
        {.name = "hollow",
         .meaning = "whether a box has thin walls and is touched from inside; its size is that of "
                    "the inside",
         .fallback = "no",
         .kind = Kind::flag},
        {.name = "length",
         .meaning = "length of a rod",
         .unit = "L",
         .kind = Kind::positive,
         .computed = "needed for a rod"},
        {.name = "points",
         .meaning = "number of points of a rod that touch, from end to end",
         .unit = "1",
         .kind = Kind::count,
         .computed = "6"}};
    }

    // Shells, surfaces from files, and nodes and facets
    std::vector<Key> surfaceKeys()
    {
      return {
        {.name = "inner",
         .meaning = "inner radius of a shell",
         .unit = "L",
         .kind = Kind::positive,
         .computed = "needed for a shell"},
        {.name = "outer",
         .meaning = "outer radius of a shell",
         .unit = "L",
         .kind = Kind::positive,
         .computed = "the inner radius: a thin shell"},
        {.name = "mesh",
         .meaning = "file of a closed surface: Gmsh 2.2 (its triangles, or the boundary of its "
                    "tetrahedra) or STL",
         .kind = Kind::path,
         .computed = "needed for a mesh"},
        {.name = "nodes",
         .meaning = "points that touch of a custom body, in body axes from the centre of mass, "
                    "three numbers each",
         .unit = "L",
         .kind = Kind::list,
         .computed = "none"},
        {.name = "facets",
         .meaning =
           "flat convex facets that are touched of a custom body, four corners each, "
           "counter-clockwise seen from the free side; a triangle repeats its third corner",
         .unit = "L",
         .kind = Kind::list,
         .computed = "none"}};
    }

    // Mass, inertia and a point that is held
    std::vector<Key> massKeys()
    {
      return {
        {.name = "mass",
         .meaning = "mass",
         .unit = "M",
         .kind = Kind::positive,
         .computed = "density times volume"},
        {.name = "density",
         .meaning = "mass per volume, instead of `mass`",
         .unit = "M/L^3",
         .kind = Kind::positive,
         .computed = "mass per volume"},
        {.name = "inertia",
         .meaning = "moments of inertia about the axes of the body through its centre of mass",
         .unit = "M L^2",
         .kind = Kind::vector,
         .size = "3",
         .computed = "from the shape, filled evenly"},
        {.name = "pivot",
         .meaning =
           "point of the body that does not move, from the centre of mass along one of its axes",
         .unit = "L",
         .kind = Kind::vector,
         .computed = "none"}};
    }

    // Position and motion at the start
    std::vector<Key> startKeys()
    {
      return {
        {.name = "position",
         .meaning = "position of the centre of mass at the start",
         .unit = "L",
         .kind = Kind::vector,
         .computed = "0, for a mesh where the file has it"},
        {.name = "rotation",
         .meaning = "rotation vector at the start",
         .unit = "1",
         .fallback = "0",
         .kind = Kind::rotation},
        {.name = "velocity",
         .meaning = "velocity of the centre of mass at the start",
         .unit = "L/T",
         .fallback = "0",
         .kind = Kind::vector},
        {.name = "spin",
         .meaning = "angular velocity at the start, in space",
         .unit = "1/T",
         .fallback = "0",
         .kind = Kind::rotation},
        {.name = "spin-body",
         .meaning = "the same in the axes of the body (for a mesh: of the file), instead of `spin`",
         .unit = "1/T",
         .kind = Kind::rotation,
         .computed = "spin"}};
    }

    // Many of them
    std::vector<Key> copyKeys()
    {
      return {
        {.name = "copies",
         .meaning = "numbers of copies along the three coordinates; contact with the body itself "
                    "is contact among them",
         .unit = "1",
         .kind = Kind::counts,
         .size = "3",
         .computed = "one body"},
        {.name = "spacing",
         .meaning = "distances of the copies along the three coordinates",
         .unit = "L",
         .kind = Kind::vector,
         .computed = "needed with copies"},
        {.name = "jitter",
         .meaning =
           "part of the spacing by which copies are out of place, at random but always the same",
         .unit = "1",
         .kind = Kind::fraction,
         .computed = "0"}};
    }

  } // namespace

  void registerRigid(Registry& registry)
  {
    registry.add(BodyType{
      .name = "rigid",
      .summary = "a rigid body, or many copies of one (dimension 3); its axes are its principal "
                 "axes of inertia",
      .keys = joinKeys({shapeKeys(), surfaceKeys(), massKeys(), startKeys(), copyKeys()}),
      .build = buildRigid});
  }

} // namespace Dune::Impact
