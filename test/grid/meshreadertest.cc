// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <unistd.h>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/grid/meshchecks.hh>
#include <dune/impact/grid/meshreader.hh>
#include <dune/impact/grid/quadraticsimplex.hh>

#include "refusal.hh"

using namespace Dune;
using namespace Dune::Impact;

const std::string header = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
const std::string names = "$PhysicalNames\n2\n1 7 \"the floor\"\n2 1 \"all\"\n$EndPhysicalNames\n";

std::string nodes(const std::string& list)
{
  return "$Nodes\n" + std::to_string(std::count(list.begin(), list.end(), '\n')) + "\n" + list +
         "$EndNodes\n";
}

std::string elements(const std::string& list)
{
  return "$Elements\n" + std::to_string(std::count(list.begin(), list.end(), '\n')) + "\n" + list +
         "$EndElements\n";
}

//! A file that goes away again
struct Temporary
{
  std::string path = (std::filesystem::temp_directory_path() /
                      ("meshreadertest-" + std::to_string(getpid()) + ".msh"))
                       .string();

  explicit Temporary(const std::string& text) { std::ofstream(path) << text; }
  ~Temporary() { std::filesystem::remove(path); }
};

const std::string square = "1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n";
const std::string triangles = "1 1 2 7 1 1 2\n2 2 2 1 1 1 2 3\n3 2 2 1 1 1 3 4\n";

template<int dim>
SolidMesh<dim> read(const std::string& text, int levels = 0)
{
  const Temporary file(text);
  return refineMesh(readGmsh<dim>(file.path), levels, file.path);
}

//! The sentence without the name of the file
template<int dim>
std::string refusal(const std::string& text)
{
  const Temporary file(text);
  try {
    readGmsh<dim>(file.path);
  }
  catch (const InputError& error) {
    const std::string sentence = error.what();
    return sentence.substr(0, file.path.size() + 2) == file.path + ": "
             ? sentence.substr(file.path.size() + 2)
             : "no file: " + sentence;
  }
  return "accepted";
}

TestSuite testReferenceMeshes(const std::string& folder)
{
  TestSuite test("meshes of disc and block");
  const auto ball = readGmsh<2>(folder + "/ball_coarse.msh"),
             block = readGmsh<2>(folder + "/block_coarse.msh");
  test.check(ball.mesh.nodes.size() == 264 && ball.mesh.cells() == 462 &&
               ball.mesh.facets.size() == 64,
             "sizes of the disc");
  test.check(block.mesh.nodes.size() == 327 && block.mesh.cells() == 544, "sizes of the block");
  test.check(std::abs(meshVolume(block.mesh) - 16000) <= 1e-9, "area of the block")
    << meshVolume(block.mesh);
  const int clamped = block.mesh.findPatch("clamped").value(),
            mortar = block.mesh.findPatch("22").value();
  for (int level = 0; level <= 2; ++level) {
    const auto mesh = refineMesh(block, level, "block");
    std::size_t count[2] = {0, 0};
    for (const auto& facet : mesh.facets)
      for (Index node : facet.corners()) {
        if (facet.patch == clamped)
          test.check(mesh.nodes[node][1] == -40, "clamped side") << mesh.nodes[node];
        if (facet.patch == mortar)
          test.check(mesh.nodes[node][1] == 0, "contact side") << mesh.nodes[node];
        count[facet.patch == clamped ? 0 : 1] += facet.patch == clamped || facet.patch == mortar;
      }
    test.check(count[0] == std::size_t(62) << level && count[1] == std::size_t(134) << level,
               "patches survive refinement")
      << count[0] << " " << count[1];
  }
  return test;
}

TestSuite testPlane()
{
  TestSuite test("plane");
  const auto mesh = read<2>(header + names + nodes(square) + elements(triangles), 1);
  test.check(mesh.cells() == 8 && mesh.patches.size() == 1 && mesh.patches[0].name == "the floor",
             "triangles");
  test.check(mesh.findPatch("7") == 0, "patch by number");
  const auto quads =
    read<2>(header + nodes(square) + elements("1 1 2 7 1 1 2\n2 3 2 1 1 1 2 3 4\n"), 2);
  test.check(quads.cubes.size() == 16 && std::abs(meshVolume(quads) - 1) <= 1e-14, "quadrilaterals")
    << meshVolume(quads);
  test.check(quads.findPatch("7") == 0, "patch without a name");
  const auto gaps =
    read<2>(header + nodes("11 0 0 0\n40 1 0 0\n23 1 1 0\n") + elements("9 2 2 1 1 11 40 23\n"));
  const auto mixed = read<2>(header + nodes(square + "5 2 0.5 0\n") +
                               elements("1 3 2 1 1 1 2 3 4\n2 2 2 1 1 2 5 3\n3 1 2 7 1 5 3\n"),
                             1);
  test.check(mixed.simplices.size() == 4 && mixed.cubes.size() == 4 &&
               std::abs(meshVolume(mixed) - 1.5) <= 1e-14,
             "triangles and quadrilaterals");
  test.check(mixed.facets.size() == 10 && mixed.prolongations.size() == 1, "facets of both");
  test.check(gaps.nodes.size() == 3 && gaps.nodes[2][1] == 1, "numbers with gaps");
  return test;
}

TestSuite testSpace()
{
  TestSuite test("space");
  const std::string cube =
    "1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n";
  const auto hex =
    read<3>(header + nodes(cube) + elements("1 3 2 5 1 1 2 3 4\n2 5 2 1 1 1 2 3 4 5 6 7 8\n"), 1);
  test.check(hex.cubes.size() == 8 && std::abs(meshVolume(hex) - 1) <= 1e-14, "hexahedron")
    << meshVolume(hex);
  std::size_t bottom = 0;
  for (const auto& facet : hex.facets)
    for (Index node : facet.corners())
      bottom += facet.patch == 0 && hex.nodes[node][2] == 0;
  test.check(bottom == 16, "patch of the hexahedron") << bottom;
  const std::string corner = "1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n";
  const auto tet =
    read<3>(header + nodes(corner) + elements("1 2 2 5 1 2 3 4\n2 4 2 1 1 1 2 3 4\n"), 2);
  test.check(tet.simplices.size() == 64 && std::abs(meshVolume(tet) - 1.0 / 6) <= 1e-14,
             "tetrahedron")
    << meshVolume(tet);
  return test;
}

//! Meshes of second order refine onto the parabola through their middle nodes
TestSuite testSecondOrder()
{
  TestSuite test("second order");
  const std::string list = "1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0.5 -0.1 0\n5 0.5 0.5 0\n6 0 0.5 0\n";
  const auto coarse =
    read<2>(header + nodes(list) + elements("1 8 2 7 1 1 2 4\n2 9 2 1 1 1 2 3 4 5 6\n"));
  test.check(coarse.nodes.size() == 3 && coarse.cells() == 1, "middle nodes are no nodes");
  const auto fine =
    read<2>(header + nodes(list) + elements("1 8 2 7 1 1 2 4\n2 9 2 1 1 1 2 3 4 5 6\n"), 3);
  for (const auto& facet : fine.facets)
    for (Index node : facet.corners())
      if (facet.patch == 0) {
        const auto& x = fine.nodes[node];
        test.check(std::abs(x[1] + 0.4 * x[0] * (1 - x[0])) <= 1e-14, "on the parabola") << x;
      }

  // A tetrahedron whose slanted facet is the sphere to second order
  const double s = std::sqrt(0.5);
  const auto n = [](int id, double x, double y, double z) {
    return std::to_string(id) + " " + std::to_string(x) + " " + std::to_string(y) + " " +
           std::to_string(z) + "\n";
  };
  const std::string octant = n(1, 0, 0, 0) + n(2, 1, 0, 0) + n(3, 0, 1, 0) + n(4, 0, 0, 1) +
                             n(5, .5, 0, 0) + n(6, s, s, 0) + n(7, 0, .5, 0) + n(8, 0, 0, .5) +
                             n(9, 0, s, s) + n(10, s, 0, s);
  const auto tet = read<3>(header + nodes(octant) +
                             elements("1 9 2 7 1 2 3 4 6 9 10\n2 11 2 1 1 1 2 3 4 5 6 7 8 9 10\n"),
                           1);
  std::size_t middle = 0;
  for (const auto& x : tet.nodes)
    middle += std::abs(x.two_norm() - 1) <= 1e-6;
  test.check(middle == 6, "middle nodes become nodes") << middle;
  return test;
}

TestSuite testRefusals()
{
  TestSuite test("refusals");
  const auto check = [&](const std::string& found, const std::string& expected) {
    test.check(found == expected, expected) << "found: " << found;
  };
  check(refusal<2>("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"),
        "Gmsh format 4.1 cannot be read, save it as format 2.2 (gmsh -format msh22)");
  check(refusal<2>("$MeshFormat\n2.2 1 8\n\1\0\0\0"),
        "binary Gmsh files cannot be read, save it as text");
  check(refusal<2>("solid ascii\n"), "not a Gmsh file, $MeshFormat expected in the first line");
  check(refusal<2>(""), "not a Gmsh file, $MeshFormat expected in the first line");
  check(refusal<2>(header), "$Nodes is missing");
  check(refusal<2>(header + nodes(square)), "$Elements is missing");
  check(refusal<2>(header + "$Nodes\n4\n1 0 0 x\n"), "line 6: a coordinate expected, found 'x'");
  check(refusal<2>(header + "$Nodes\n4\n1 0 0 0\n"),
        "line 7: a node number expected, found the end of the file");
  check(refusal<2>(header + "$Nodes\n400000\n1 0 0 0\n"),
        "line 5: the number 400000 is larger than the file");
  check(refusal<2>(header + nodes(square + "4 0 0 0\n") + elements(triangles)),
        "line 10: node 4 is there twice");
  check(refusal<2>(header + nodes(square) + elements(triangles + "4 2 2 1 1 1 2 5\n")),
        "element 4 has the node 5, which does not exist");
  check(refusal<2>(header + nodes(square) + elements("2 2 2 1 1 1 2 3\n3 2 2 1 1 1 4 3\n")),
        "cell 3 is inverted: its corners run the wrong way round");
  check(refusal<2>(header + nodes("1 0 0 0\n2 1 0 0\n3 2 0 0\n") + elements("5 2 2 1 1 1 2 3\n")),
        "cell 5 has no area");
  check(refusal<2>(header + nodes(square) + elements("1 6 2 1 1 1 2 3 4 1 2\n")),
        "element 1 has the type 6, which cannot be read");
  check(refusal<3>(header + nodes(square) + elements(triangles)),
        "the mesh has cells of dimension 2, but the body has dimension 3");
  check(refusal<2>(header + nodes("1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n") +
                   elements("1 4 2 1 1 1 2 3 4\n")),
        "the mesh has cells of dimension 3, but the body has dimension 2");
  check(refusal<2>(header + nodes("1 0 0 0\n2 1 0 0\n3 1 1 0.5\n4 0 1 0\n") + elements(triangles)),
        "node 3 of the plane mesh has z other than zero");
  check(refusal<2>(header + nodes(square) + elements(triangles + "4 1 2 7 1 1 3\n")),
        "element 4 of the physical group 7 is not on the boundary");
  check(refusal<2>(header + nodes(square) + elements(triangles + "4 1 2 8 1 2 1\n")),
        "element 4 is in the physical groups 7 and 8");
  check(refusal<2>(header + nodes(square) + elements(triangles + "4 2 2 1 1 1 3 2\n")),
        "cell 4 is inverted: its corners run the wrong way round");
  check(refusal<2>(header + names + nodes(square) + elements("2 2 2 1 1 1 2 3\n3 2 2 4 1 1 3 4\n")),
        "the cells belong to 2 physical groups (`all`, 4), a body has one material and needs one "
        "group; save each as a mesh of its own");
  test.check(isRefused([] { readGmsh<2>("/nowhere/mesh.msh"); }), "missing file");
  return test;
}

//! What the mesh does not have of a file is said
TestSuite testNotes()
{
  TestSuite test("notes");
  const auto notes = [](const std::string& text) {
    const Temporary file(text);
    return readGmsh<2>(file.path).notes;
  };
  using List = std::vector<std::string>;
  test.check(notes(header + names + nodes(square) + elements(triangles)).empty(),
             "nothing to say of a mesh that is used as a whole");
  const std::string lonely = header + nodes("8 5 5 0\n" + square + "9 2 2 0\n");
  const Temporary file(lonely + elements(triangles));
  const auto coarse = readGmsh<2>(file.path);
  test.check(coarse.notes == List{"2 nodes that belong to no cell left out: 8 9"},
             "nodes without cells");
  test.check(coarse.mesh.nodes.size() == 4 && coarse.mesh.cells() == 2 &&
               coarse.mesh.findPatch("7") == 0,
             "and the mesh is that of the others");
  test.check(notes(header + nodes(square) + elements(triangles + "4 15 2 3 1 2\n")) ==
               List{"the physical group 3 of dimension 0 is not used, patches have dimension 1"},
             "physical points");
  const std::string middle = "5 0.5 0 0\n6 1 0.5 0\n7 0.5 0.4 0\n8 0.5 1 0\n9 0 0.5 0\n";
  const Temporary second(header + nodes(square + middle) +
                         elements("2 9 2 1 1 1 2 3 5 6 7\n3 9 2 1 1 1 3 4 7 8 9\n"));
  const auto curved = readGmsh<2>(second.path);
  test.check(!curved.middles.empty() && coarse.middles.empty(), "second order is told");
  test.check(curved.notes.empty() && curved.bentInside == 1, "curved edges inside");
  return test;
}

//! Nodes of the file between corners are those of the mesh of second order, whatever their order
TestSuite testQuadraticNodes()
{
  TestSuite test("nodes of second order");
  const std::string middle = "5 0.5 0.1 0\n6 1.1 0.5 0\n7 0.45 0.4 0\n8 0.5 0.9 0\n9 0.1 0.5 0\n";
  const Temporary plane(header + nodes(square + middle) +
                        elements("2 9 2 1 1 1 2 3 5 6 7\n3 9 2 1 1 1 3 4 7 8 9\n"));
  const auto disc = refineMesh(readGmsh<2>(plane.path), 0, "plane", 2);
  const auto has = [](const auto& mesh, const auto& a, const auto& b, const auto& x) {
    for (std::size_t c = 0; c < mesh.quadratic.size(); ++c)
      for (std::size_t j = 0; j < mesh.simplices[c].size(); ++j)
        for (std::size_t i = 0; i < mesh.simplices[c].size(); ++i)
          if (mesh.nodes[mesh.simplices[c][i]] == a && mesh.nodes[mesh.simplices[c][j]] == b &&
              mesh.nodes[mesh.quadratic[c][latticeIndex(int(i), int(j))]] == x)
            return true;
    return false;
  };
  using Plane = FieldVector<double, 2>;
  test.check(disc.order() == 2 && disc.nodes.size() == 9, "number of nodes");
  test.check(has(disc, Plane{0, 0}, Plane{1, 0}, Plane{0.5, 0.1}), "on the boundary");
  test.check(has(disc, Plane{0, 0}, Plane{1, 1}, Plane{0.45, 0.4}), "inside");
  for (const auto& facet : disc.facets)
    test.check(
      facet.nodes().size() == 3 &&
        has(disc, disc.nodes[facet.node[0]], disc.nodes[facet.node[1]], disc.nodes[facet.node[2]]),
      "of facets");
  // edges of the tetrahedron of Gmsh: 01 12 20 30 32 31
  const Temporary space(header +
                        nodes("1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 .5 .01 0\n6 .5 .52 0\n"
                              "7 .03 .5 0\n8 0 .04 .5\n9 .05 .5 .5\n10 .5 .06 .5\n") +
                        elements("1 11 2 1 1 1 2 3 4 5 6 7 8 9 10\n"));
  const auto cell = refineMesh(readGmsh<3>(space.path), 0, "space", 2);
  using Space = FieldVector<double, 3>;
  const Space corner[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  test.check(cell.nodes.size() == 10 && has(cell, corner[0], corner[1], Space{.5, .01, 0}) &&
               has(cell, corner[1], corner[2], Space{.5, .52, 0}) &&
               has(cell, corner[2], corner[0], Space{.03, .5, 0}) &&
               has(cell, corner[3], corner[0], Space{0, .04, .5}) &&
               has(cell, corner[3], corner[2], Space{.05, .5, .5}) &&
               has(cell, corner[3], corner[1], Space{.5, .06, .5}),
             "edges of a tetrahedron");
  const Temporary folded(header +
                         nodes("1 0 0 0\n2 1 0 0\n3 0 1 0\n5 .8 0 0\n6 .5 .5 0\n7 0 .5 0\n") +
                         elements("1 9 2 1 1 1 2 3 5 6 7\n"));
  test.check(isRefused([&] { refineMesh(readGmsh<2>(folded.path), 0, "folded", 2); }),
             "a node at four fifths of its edge folds the cell at a corner");
  return test;
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  test.subTest(testReferenceMeshes(TEST_DATA));
  test.subTest(testPlane());
  test.subTest(testSpace());
  test.subTest(testSecondOrder());
  test.subTest(testRefusals());
  test.subTest(testNotes());
  test.subTest(testQuadraticNodes());
  return test.exit();
}
