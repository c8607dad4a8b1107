// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <dune/common/parallel/mpihelper.hh>
#include <dune/common/test/testsuite.hh>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/geometry/rigidshape.hh>
#include <dune/impact/grid/trianglesurface.hh>

using namespace Dune;
using namespace Dune::Impact;

using Triangles = std::vector<std::array<Vector3, 3>>;

//! The corner of a cube: a tetrahedron with the edges 1, 2, 3 along the axes and the volume 1
const Vector3 o(5, 6, 7), a(6, 6, 7), b(5, 8, 7), c(5, 6, 10);
const Triangles corner = {{o, b, a}, {o, a, c}, {a, b, c}, {o, c, b}};

std::string textStl(const Triangles& triangles)
{
  std::ostringstream out;
  out << "solid thing\n";
  for (const auto& t : triangles) {
    out << "facet normal 0 0 0\n outer loop\n";
    for (const Vector3& x : t)
      out << "  vertex " << x[0] << " " << x[1] << " " << x[2] << "\n";
    out << " endloop\nendfacet\n";
  }
  out << "endsolid thing\n";
  return out.str();
}

std::string binaryStl(const Triangles& triangles)
{
  std::string text(80, 's');
  const auto append = [&](const auto& x) {
    text.append(reinterpret_cast<const char*>(&x), sizeof x);
  };
  append(std::uint32_t(triangles.size()));
  for (const auto& t : triangles) {
    for (int i = 0; i < 3; ++i)
      append(0.0f);
    for (const Vector3& x : t)
      for (int i = 0; i < 3; ++i)
        append(float(x[i]));
    append(std::uint16_t(0));
  }
  return text;
}

std::string gmsh(const std::string& elements, int count)
{
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 5 6 7\n2 6 6 7\n3 5 8 7\n4 5 6 10\n9 "
         "99 99 99\n$EndNodes\n$Elements\n" +
         std::to_string(count) + "\n" + elements + "$EndElements\n";
}

TriangleSurface read(const std::string& text, const std::string& extension)
{
  const auto path = std::filesystem::temp_directory_path() /
                    ("trianglesurfacetest-" + std::to_string(getpid()) + extension);
  std::ofstream(path, std::ios::binary) << text;
  try {
    const TriangleSurface surface = readTriangleSurface(path);
    std::filesystem::remove(path);
    return surface;
  }
  catch (...) {
    std::filesystem::remove(path);
    throw;
  }
}

std::string refusal(const std::string& text, const std::string& extension = ".stl")
{
  try {
    read(text, extension);
  }
  catch (const InputError& error) {
    return error.what();
  }
  return "";
}

int main(int argc, char** argv)
{
  MPIHelper::instance(argc, argv);
  TestSuite test;
  Triangles inside = corner;
  for (auto& t : inside)
    std::swap(t[0], t[1]);
  const std::string faces = "1 2 2 0 1 1 3 2\n2 2 2 0 1 1 2 4\n3 2 2 0 1 2 3 4\n4 2 2 0 1 1 4 3\n";
  for (const auto& [name, text, extension] :
       {std::tuple("text", textStl(corner), ".stl"),
        std::tuple("binary", binaryStl(corner), ".STL"),
        std::tuple("inside out", textStl(inside), ".stl"),
        std::tuple("triangles", gmsh(faces, 4), ".msh"),
        std::tuple("tetrahedron", gmsh("1 4 2 0 1 1 2 3 4\n", 1), ".msh"),
        std::tuple("tetrahedron the other way", gmsh("1 4 2 0 1 2 1 3 4\n", 1), ".msh")}) {
    const TriangleSurface surface = read(text, extension);
    test.check(surface.vertices.size() == 4 && surface.triangles.size() == 4, "sizes")
      << name << ": " << surface.vertices.size() << " " << surface.triangles.size();
    const VolumeProperties volume = volumeProperties(surface.vertices, surface.triangles);
    test.check(std::abs(volume.volume - 1) < 1e-12 &&
                 (volume.centre - Vector3(5.25, 6.5, 7.75)).norm() < 1e-12,
               "volume and centre")
      << name << ": " << volume.volume;
    const TriangleShape shape(surface.vertices, surface.triangles);
    test.check(shape.distance(0, {5.2, 6.2, 7.2}).gap < 0 &&
                 std::abs(shape.distance(0, {4, 6.2, 7.2}).gap - 1) < 1e-12,
               "inside and outside")
      << name;
  }
  Triangles open = corner, turned = corner, flat = corner;
  open.pop_back();
  std::swap(turned[1][0], turned[1][1]);
  flat[0][2] = flat[0][1];
  test.check(refusal(textStl(open)).find("not closed") != std::string::npos, "open surface")
    << refusal(textStl(open));
  test.check(refusal(textStl(turned)).find("not oriented") != std::string::npos, "turned triangle")
    << refusal(textStl(turned));
  test.check(refusal(textStl(flat)).find("no area") != std::string::npos, "triangle without area")
    << refusal(textStl(flat));
  test.check(refusal(textStl({})).find("no triangles") != std::string::npos, "nothing")
    << refusal(textStl({}));
  test.check(refusal("what is this").find("neither") != std::string::npos, "no STL")
    << refusal("what is this");
  test.check(refusal("solid x\nfacet\nvertex 1 2\nendfacet\n").find("three numbers") !=
               std::string::npos,
             "half a vertex");
  test.check(refusal("solid x\nfacet\nvertex 1 2 3\nendfacet\n").find("instead of 3") !=
               std::string::npos,
             "too few vertices");
  test.check(refusal(gmsh("1 3 2 0 1 1 2 3 4\n", 1), ".msh").find("no triangle") !=
               std::string::npos,
             "quadrilaterals")
    << refusal(gmsh("1 3 2 0 1 1 2 3 4\n", 1), ".msh");
  test.check(!refusal("", ".msh").empty() && !refusal("", ".stl").empty(), "empty files");
  return test.exit();
}
