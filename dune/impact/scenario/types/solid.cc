// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dune/impact/body/solid.hh>
#include <dune/impact/common/exceptions.hh>
#include <dune/impact/grid/meshreader.hh>
#include <dune/impact/grid/placement.hh>
#include <dune/impact/grid/shapes.hh>
#include <dune/impact/scenario/registry.hh>
#include <dune/impact/scenario/supports.hh>

namespace Dune::Impact {

  namespace {

    constexpr double mostCells = 1e8;

    //! The numbers of cells: one per direction for a box, one for a round shape
    template<std::size_t size>
    std::array<int, size> readCells(const Section& section)
    {
      const std::vector<double> given = section.reals("cells");
      if (given.size() != size)
        section.fail("cells", fmt::format("needs {} number{} for this shape, got {}", size,
                                          size == 1 ? "" : "s", given.size()));
      std::array<int, size> cells;
      double product = 1;
      for (std::size_t k = 0; k < size; ++k) {
        if (!(given[k] >= 1) || given[k] != std::floor(given[k]))
          section.fail("cells",
                       fmt::format("must be whole numbers > 0, got {}", formatReal(given[k])));
        if ((product *= given[k]) > mostCells)
          section.fail("cells", fmt::format("must be at most {:.0f} in all", mostCells));
        cells[k] = int(given[k]);
      }
      return cells;
    }

    template<int dim>
    FieldVector<double, dim> readPoint(const Section& section, const std::string& key)
    {
      const Vec3 given = section.vector(key);
      FieldVector<double, dim> x;
      std::copy_n(given.begin(), dim, x.begin());
      return x;
    }

    //! What a generator, the reader of meshes or their refinement refuses is said of the key that
    //! asked for it
    template<class Make>
    auto generate(const Section& section, Make&& make)
    {
      try {
        return make();
      }
      catch (const InputError& error) {
        section.fail(section.has("mesh") ? "mesh" : "shape", error.what());
      }
    }

    template<int dim>
    CoarseMesh<dim> readBox(const Section& section, CellShape cell)
    {
      const auto lower = readPoint<dim>(section, "lower"), upper = readPoint<dim>(section, "upper");
      for (int k = 0; k < dim; ++k)
        if (!(lower[k] < upper[k]))
          section.fail("upper",
                       fmt::format("must be larger than `lower` in every component, got {} and {}",
                                   formatReal(upper[k]), formatReal(lower[k])));
      const auto cells = readCells<dim>(section);
      return generate(section, [&] { return makeBox<dim>(lower, upper, cells, cell); });
    }

    /* Round shapes are made and refined with the outer radius one and then scaled: refinement cuts
     * cells along the shorter of several diagonals, and where these are equal rounding must not
     * decide, which would differ from unit to unit. */
    template<int dim>
    CoarseMesh<dim> readShell(const Section& section, CellShape cell, double& scale)
    {
      const double inner = section.real("inner"), outer = section.real("outer");
      if (!(inner < outer))
        section.fail("outer", fmt::format("must be larger than `inner`, got {} and {}",
                                          formatReal(outer), formatReal(inner)));
      const int cells = readCells<1>(section)[0];
      scale = outer;
      return generate(section, [&] { return makeShell<dim>(inner / outer, 1, cells, cell); });
    }

    template<int dim>
    CoarseMesh<dim> readShape(const Section& section, double& scale)
    {
      const std::string shape = section.word("shape");
      const CellShape cell = section.word("cell") == "cube" ? CellShape::cube : CellShape::simplex;
      if (shape == "box")
        return readBox<dim>(section, cell);
      if (shape == "shell")
        return readShell<dim>(section, cell, scale);
      scale = section.real("radius");
      const int cells = readCells<1>(section)[0];
      return generate(section, [&] { return makeBall<dim>(1, cells, cell); });
    }

    /* Order of the functions: 2 for a mesh of simplices of second order, unless the key says
     * otherwise. What a file has and the order cannot use is refused or noted. */
    template<int dim>
    int readOrder(const Section& section, const CoarseMesh<dim>& coarse, const std::string& file,
                  long levels, Scene& scene)
    {
      const bool quadratic = !coarse.middles.empty() && coarse.mesh.cubes.empty();
      const int order = section.word("order", quadratic ? "2" : "1") == "2" ? 2 : 1;
      if (order == 2 && !coarse.mesh.cubes.empty())
        section.fail("order", "2 is there for triangles and tetrahedra, for other cells must be 1");
      if (!coarse.middles.empty() && levels == 0 && order == 1)
        section.fail(
          "mesh",
          fmt::format("{}: the mesh is of second order, and with first order its middle nodes only "
                      "give refined boundaries their shape: give {}`refine`, or save it with first "
                      "order (gmsh -order 1)",
                      file, quadratic ? "`order = 2` or " : ""));
      if (coarse.bentInside > 0 && (levels > 0 || order == 1))
        scene.notes.push_back(fmt::format(
          "{}.mesh: {}: {} middle nodes of curved edges inside the mesh are not used, only its "
          "boundary is curved",
          section.name(), file, coarse.bentInside));
      return order;
    }

    //! Read or generate, refine, and put in place
    template<int dim>
    SolidMesh<dim> readMesh(const Section& section, Scene& scene)
    {
      if (section.has("mesh") && section.has("shape"))
        section.fail("shape", "has no meaning together with `mesh`");
      if (!section.has("mesh") && !section.has("shape"))
        section.fail("mesh", "is missing, a solid needs `mesh` or `shape`");
      if (section.has("scale") && !section.has("mesh"))
        section.fail("scale", "has no meaning without `mesh`");
      const std::string file = section.has("mesh") ? section.path("mesh").string() : "";
      double scale = file.empty() ? 1 : section.real("scale", 1);
      const CoarseMesh<dim> coarse = file.empty()
                                       ? readShape<dim>(section, scale)
                                       : generate(section, [&] { return readGmsh<dim>(file); });
      for (const std::string& note : coarse.notes)
        scene.notes.push_back(fmt::format("{}.mesh: {}: {}", section.name(), file, note));
      const long levels = section.integer("refine");
      if (levels < 0)
        section.fail("refine", fmt::format("must not be negative, got {}", levels));
      if (std::ldexp(double(coarse.mesh.cells()), int(std::min(levels, 99l)) * dim) > mostCells)
        section.fail("refine",
                     fmt::format("{} levels make more than {:.0f} cells", levels, mostCells));
      const int order = readOrder(section, coarse, file, levels, scene);
      SolidMesh<dim> mesh = generate(section, [&] {
        return refineMesh(coarse, int(levels), file.empty() ? section.name() : file, order);
      });
      for (auto& node : mesh.nodes)
        node *= scale;
      placeMesh(mesh, section.vector("position"), section.rotation("rotation"));
      return mesh;
    }

    using Materials = std::vector<MaterialType>;

    template<template<int> class M>
    MaterialType isotropic(const std::string& name)
    {
      return {.name = name,
              .plane = [](const Section& section) { return M<2>{readLame(section)}; },
              .space = [](const Section& section) { return M<3>{readLame(section)}; }};
    }

    //! The function of a material that makes it in a dimension
    template<int dim>
    const auto& maker(const MaterialType& material)
    {
      if constexpr (dim == 2)
        return material.plane;
      else
        return material.space;
    }

    template<int dim>
    AnyMaterial<dim> readMaterial(const Section& section, const Materials& materials)
    {
      const std::string name = section.word("material");
      const auto material = std::find_if(materials.begin(), materials.end(),
                                         [&](const MaterialType& m) { return m.name == name; });
      if (!maker<dim>(*material))
        section.fail("material", fmt::format("{} is not there in dimension {}", name, dim));
      return maker<dim>(*material)(section);
    }

    template<int dim>
    std::vector<Support> readSupports(const Section& section, const SolidMesh<dim>& mesh)
    {
      std::vector<Support> supports;
      for (const std::string& patch : section.words("clamped")) {
        checkPatch(section, "clamped", mesh, patch);
        supports.push_back({patch});
      }
      for (const std::string& word : section.words("rollers")) {
        supports.push_back(readSupport<dim>(section, "rollers", mesh, word));
      }
      return supports;
    }

    template<int dim>
    std::optional<Tensor<dim>> readDeformation(const Section& section)
    {
      if (!section.has("deformation"))
        return {};
      const auto given = section.reals("deformation");
      Tensor<dim> F;
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
          F[i][j] = given[i * dim + j];
      if (!(F.determinant() > 0))
        section.fail("deformation", fmt::format("must have a positive determinant, got {}",
                                                formatReal(F.determinant())));
      return F;
    }

    template<int dim>
    typename Solid<dim>::Mass readMass(const Section& section, const Scene& scene)
    {
      const std::string mass = section.word("mass", scene.explicitMethod ? "lumped" : "consistent");
      if (scene.explicitMethod && mass != "lumped")
        section.fail("mass", "must be lumped for an explicit method");
      return mass == "lumped" ? Solid<dim>::Mass::lumped : Solid<dim>::Mass::consistent;
    }

    template<int dim>
    CubeElement readElement(const Section& section, const SolidMesh<dim>& mesh)
    {
      if (!mesh.cubes.empty())
        return section.word("element", "q1") == "q1r" ? CubeElement::q1r : CubeElement::q1;
      if (section.has("element"))
        section.fail("element", "has no meaning for a mesh without cubes");
      return CubeElement::q1;
    }

    template<int dim>
    void buildSolid(const Section& section, Scene& scene, const Materials& materials)
    {
      typename Solid<dim>::Settings settings{
        .name = section.label(),
        .mesh = readMesh<dim>(section, scene),
        .material = readMaterial<dim>(section, materials),
        .density = section.real("density"),
        .mass = readMass<dim>(section, scene),
        .deformation = readDeformation<dim>(section),
        .motion = {.velocity = section.vector("velocity"), .spin = section.rotation("spin")},
        .gravity = scene.gravity};
      settings.cubes = readElement(section, settings.mesh);
      settings.supports = readSupports(section, settings.mesh);
      scene.add(std::make_unique<Solid<dim>>(std::move(settings)));
    }

    // A mesh from a file, or a generated one
    std::vector<Key> meshKeys()
    {
      return {
        {.name = "mesh",
         .meaning =
           "a Gmsh file of format 2.2, instead of `shape`; its physical groups are the patches",
         .kind = Kind::path,
         .computed = "made from `shape`"},
        {.name = "scale",
         .meaning = "length of the unit in which the mesh file is written",
         .unit = "L",
         .kind = Kind::positive,
         .computed = "1 if there is a mesh"},
        {.name = "shape",
         .meaning = "a generated shape: box (patches xmin, xmax, ymin, ymax and in dimension 3 "
                    "zmin, zmax, named after the coordinate across them), ball (surface) or shell "
                    "(inner, outer) about the origin",
         .kind = Kind::word,
         .allowed = {"box", "ball", "shell"},
         .computed = "read from `mesh`"}};
    }

    // The generated shapes
    std::vector<Key> shapeKeys()
    {
      return {{.name = "lower",
               .meaning = "corner of the box with the smallest coordinates",
               .unit = "L",
               .kind = Kind::vector,
               .when = "shape = box"},
              {.name = "upper",
               .meaning = "corner of the box with the largest coordinates",
               .unit = "L",
               .kind = Kind::vector,
               .when = "shape = box"},
              {.name = "radius",
               .meaning = "radius of the ball",
               .unit = "L",
               .kind = Kind::positive,
               .when = "shape = ball"},
              {.name = "inner",
               .meaning = "inner radius of the shell",
               .unit = "L",
               .kind = Kind::positive,
               .when = "shape = shell"},
              {.name = "outer",
               .meaning = "outer radius of the shell",
               .unit = "L",
               .kind = Kind::positive,
               .when = "shape = shell"},
              {.name = "cells",
               .meaning =
                 "number of cells before refinement: per direction of a box, along the radius "
                 "of a ball, across the wall of a shell",
               .unit = "1",
               .kind = Kind::list,
               .when = "shape = box ball shell"},
              {.name = "cell",
               .meaning = "type of the generated cells",
               .fallback = "simplex",
               .kind = Kind::word,
               .allowed = {"simplex", "cube"},
               .when = "shape = box ball shell"}};
    }

    // Functions and levels of any mesh
    std::vector<Key> elementKeys()
    {
      return {{.name = "order",
               .meaning =
                 "order of the displacements: 1, or 2 for triangles and tetrahedra with nodes in "
                 "the middle of their edges, which bend without locking and follow curved "
                 "boundaries; solids of order 2 touch with method = cd-lagrange only",
               .kind = Kind::word,
               .allowed = {"1", "2"},
               .computed = "2 for a mesh file of triangles or tetrahedra of second order, "
                           "otherwise 1"},
              {.name = "element",
               .meaning =
                 "element on cubes: q1 (two integration points per direction, which locks in "
                 "bending and near Poisson's ratio 0.5), q1r (one point and an hourglass energy, "
                 "which does not, for cells that are nearly parallelepipeds)",
               .kind = Kind::word,
               .allowed = {"q1", "q1r"},
               .computed = "q1 for meshes with cubes"},
              {.name = "refine",
               .meaning = "how often all cells are halved; these levels are those of multigrid",
               .unit = "1",
               .fallback = "0",
               .kind = Kind::integer}};
    }

    // Material and mass
    std::vector<Key> elasticKeys(std::vector<std::string> materials)
    {
      return {{.name = "material",
               .meaning = "stored energy; `linear` is for small rotations only",
               .fallback = "st-venant-kirchhoff",
               .kind = Kind::word,
               .allowed = std::move(materials)},
              {.name = "young",
               .meaning = "Young's modulus",
               .unit = "M/(L^(d-2) T^2)",
               .kind = Kind::positive,
               .required = true},
              {.name = "poisson",
               .meaning = "Poisson's ratio, above -1 and below 0.5",
               .unit = "1",
               .kind = Kind::real,
               .required = true},
              {.name = "density",
               .meaning = "mass per volume",
               .unit = "M/L^d",
               .kind = Kind::positive,
               .required = true},
              {.name = "mass",
               .meaning = "the consistent mass matrix, or a diagonal one: its row sums, with "
                          "order = 2 its diagonal scaled to the mass of each cell",
               .kind = Kind::word,
               .allowed = {"consistent", "lumped"},
               .computed = "lumped for explicit methods, otherwise consistent"}};
    }

    // Supports, and the state at the start
    std::vector<Key> startKeys()
    {
      return {{.name = "clamped",
               .meaning = "patches that do not move, by name or number",
               .fallback = "",
               .kind = Kind::words},
              {.name = "rollers",
               .meaning =
                 "components of patches that do not move, patch:components, as in xmin:x ymin:yz",
               .fallback = "",
               .kind = Kind::words},
              {.name = "deformation",
               .meaning = "deformation gradient at the start, row by row, about the centre of mass",
               .unit = "1",
               .kind = Kind::vector,
               .size = "d*d",
               .computed = "none"},
              {.name = "position",
               .meaning = "shift of the shape, after its rotation",
               .unit = "L",
               .fallback = "0",
               .kind = Kind::vector},
              {.name = "rotation",
               .meaning = "rotation vector of the shape, about the origin of its mesh",
               .unit = "1",
               .fallback = "0",
               .kind = Kind::rotation},
              {.name = "velocity",
               .meaning = "velocity at the start",
               .unit = "L/T",
               .fallback = "0",
               .kind = Kind::vector},
              {.name = "spin",
               .meaning = "angular velocity about the centre of mass at the start",
               .unit = "1/T",
               .fallback = "0",
               .kind = Kind::rotation}};
    }

  } // namespace

  Lame readLame(const Section& section)
  {
    const double young = section.real("young"), poisson = section.real("poisson");
    if (!(poisson > -1 && poisson < 0.5))
      section.fail("poisson",
                   fmt::format("must be above -1 and below 0.5, got {}", formatReal(poisson)));
    return Lame::fromYoung(young, poisson);
  }

  void registerSolid(Registry& registry, std::vector<MaterialType> others)
  {
    Materials materials = {isotropic<StVenantKirchhoff>("st-venant-kirchhoff"),
                           isotropic<NeoHooke>("neo-hooke"), isotropic<LinearElastic>("linear")};
    std::move(others.begin(), others.end(), std::back_inserter(materials));
    std::vector<std::string> names;
    for (const MaterialType& material : materials)
      names.push_back(material.name);
    BodyType type{
      .name = "solid",
      .summary = "an elastic body on a mesh of simplices or cubes, in dimension 2 (plane strain, "
                 "per unit thickness) and 3",
      .keys = joinKeys(
        {meshKeys(), shapeKeys(), elementKeys(), elasticKeys(std::move(names)), startKeys()}),
      .build = [materials](const Section& section, Scene& scene) {
        if (scene.dimension == 1)
          section.fail("type", "a solid needs dimension 2 or 3, in dimension 1 use a bar");
        if (scene.dimension == 2)
          buildSolid<2>(section, scene, materials);
        else
          buildSolid<3>(section, scene, materials);
      }};
    for (const MaterialType& material : materials)
      for (Key key : material.keys) {
        key.when = "material = " + material.name;
        type.keys.push_back(std::move(key));
      }
    registry.add(std::move(type));
  }

} // namespace Dune::Impact
