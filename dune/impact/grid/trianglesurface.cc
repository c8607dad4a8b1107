// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/grid/gmshfile.hh>
#include <dune/impact/grid/trianglesurface.hh>

namespace Dune::Impact {

  namespace {

    using Triangle = std::array<std::size_t, 3>;

    //! Joins equal points
    class Joiner
    {
    public:
      explicit Joiner(TriangleSurface& surface) : surface_(surface) {}

      std::size_t operator()(const std::array<double, 3>& x)
      {
        const auto [found, isNew] = number_.try_emplace(x, surface_.vertices.size());
        if (isNew)
          surface_.vertices.emplace_back(x[0], x[1], x[2]);
        return found->second;
      }

    private:
      TriangleSurface& surface_;
      std::map<std::array<double, 3>, std::size_t> number_;
    };

    TriangleSurface parseTextStl(const std::string& file, const std::string& text)
    {
      TriangleSurface surface;
      Joiner join(surface);
      std::istringstream in(text);
      std::string word;
      std::vector<std::size_t> corners;
      while (in >> word)
        if (word == "vertex") {
          std::array<double, 3> x;
          if (!(in >> x[0] >> x[1] >> x[2]))
            throw InputError(file + ": a vertex has no three numbers");
          corners.push_back(join(x));
        }
        else if (word == "endfacet") {
          if (corners.size() != 3)
            throw InputError(fmt::format("{}: facet {} has {} vertices instead of 3", file,
                                         surface.triangles.size() + 1, corners.size()));
          surface.triangles.push_back({corners[0], corners[1], corners[2]});
          corners.clear();
        }
      return surface;
    }

    //! 80 bytes of anything, the number of facets, and for each a normal, three vertices and two
    //! bytes
    TriangleSurface parseBinaryStl(const std::string& text, std::uint32_t count)
    {
      TriangleSurface surface;
      Joiner join(surface);
      for (std::uint32_t i = 0; i < count; ++i) {
        Triangle triangle;
        for (int k = 0; k < 3; ++k) {
          float x[3];
          std::memcpy(x, text.data() + 84 + 50 * std::size_t(i) + 12 * (k + 1), sizeof x);
          triangle[k] = join({double(x[0]), double(x[1]), double(x[2])});
        }
        surface.triangles.push_back(triangle);
      }
      return surface;
    }

    //! Binary if the size of the file is that of its number of facets: binary files may begin with
    //! `solid` as well
    TriangleSurface readStl(const std::string& file)
    {
      std::ifstream in(file, std::ios::binary);
      if (!in)
        throw InputError(file + ": cannot be read");
      const std::string text{std::istreambuf_iterator<char>(in), {}};
      std::uint32_t count = 0;
      if (text.size() >= 84)
        std::memcpy(&count, text.data() + 80, sizeof count);
      if (text.size() >= 84 && text.size() == 84 + 50 * std::size_t(count))
        return parseBinaryStl(text, count);
      if (text.compare(0, 5, "solid") != 0)
        throw InputError(file + ": is neither text nor binary STL");
      return parseTextStl(file, text);
    }

    //! Faces of tetrahedra that belong to one of them only, outward
    std::vector<Triangle> boundary(const std::string& file, const GmshFile& mesh)
    {
      std::map<Triangle, Triangle> faces;
      for (const GmshElement& element : mesh.elements) {
        const GmshType* type = gmshType(element.type);
        if (!type || type->dimension != 3)
          continue;
        if (type->corners != 4)
          throw InputError(fmt::format("{}: a {} is no tetrahedron", file, type->name));
        std::array<std::size_t, 4> x;
        std::array<Vector3, 4> y;
        for (int k = 0; k < 4; ++k) {
          x[k] = mesh.nodeOfId.at(element.node[k]);
          y[k] = Vector3(mesh.position[x[k]][0], mesh.position[x[k]][1], mesh.position[x[k]][2]);
        }
        if ((y[1] - y[0]).cross(y[2] - y[0]).dot(y[3] - y[0]) < 0)
          std::swap(x[0], x[1]);
        for (const Triangle& f : {Triangle{x[0], x[2], x[1]}, Triangle{x[0], x[1], x[3]},
                                  Triangle{x[1], x[2], x[3]}, Triangle{x[2], x[0], x[3]}}) {
          Triangle key = f;
          std::sort(key.begin(), key.end());
          if (!faces.try_emplace(key, f).second)
            faces.erase(key);
        }
      }
      std::vector<Triangle> result;
      for (const auto& [key, face] : faces)
        result.push_back(face);
      return result;
    }

    //! The boundary of the tetrahedra, or the triangles of the file if it has no tetrahedra
    TriangleSurface readGmsh(const std::string& file)
    {
      const GmshFile mesh = parseGmsh(file);
      for (const GmshElement& element : mesh.elements)
        if (const GmshType* type = gmshType(element.type); type && type->nodes > type->corners)
          throw InputError(
            fmt::format("{}: a {} is of second order, a rigid surface is made of flat "
                        "triangles; save the mesh with first order (gmsh -order 1)",
                        file, type->name));
      std::vector<Triangle> triangles = boundary(file, mesh);
      if (triangles.empty())
        for (const GmshElement& element : mesh.elements) {
          const GmshType* type = gmshType(element.type);
          if (!type || type->dimension != 2)
            continue;
          if (type->corners != 3)
            throw InputError(fmt::format("{}: a {} is no triangle", file, type->name));
          triangles.push_back({mesh.nodeOfId.at(element.node[0]), mesh.nodeOfId.at(element.node[1]),
                               mesh.nodeOfId.at(element.node[2])});
        }
      TriangleSurface surface;
      std::map<std::size_t, std::size_t> number;
      for (Triangle& t : triangles) {
        for (std::size_t& x : t) {
          const auto [found, isNew] = number.try_emplace(x, surface.vertices.size());
          if (isNew)
            surface.vertices.emplace_back(mesh.position[x][0], mesh.position[x][1],
                                          mesh.position[x][2]);
          x = found->second;
        }
        surface.triangles.push_back(t);
      }
      return surface;
    }

    /* A surface is closed and oriented if each directed edge occurs once, and its reverse too. Its
     * volume is sum a.(b x c)/6 over the triangles; where it is negative all triangles are turned
     * around. */
    void check(const std::string& file, TriangleSurface& surface)
    {
      if (surface.triangles.empty())
        throw InputError(file + ": has no triangles");
      double size = 0;
      for (const Vector3& x : surface.vertices) {
        if (!x.allFinite())
          throw InputError(file + ": a coordinate is not a finite number");
        size = std::max(size, (x - surface.vertices[0]).norm());
      }
      std::map<std::pair<std::size_t, std::size_t>, int> edges;
      double volume = 0;
      for (std::size_t i = 0; i < surface.triangles.size(); ++i) {
        const Triangle& t = surface.triangles[i];
        const Vector3 a = surface.vertices[t[0]] - surface.vertices[0],
                      b = surface.vertices[t[1]] - surface.vertices[0],
                      c = surface.vertices[t[2]] - surface.vertices[0];
        if (!((b - a).cross(c - a).norm() > 1e-14 * size * size))
          throw InputError(fmt::format("{}: triangle {} has no area", file, i + 1));
        volume += a.dot(b.cross(c)) / 6;
        for (int k = 0; k < 3; ++k)
          if (++edges[{t[k], t[(k + 1) % 3]}] > 1)
            throw InputError(fmt::format("{}: triangle {} has an edge that another one has in the "
                                         "same direction: the surface is not oriented",
                                         file, i + 1));
      }
      for (const auto& [edge, count] : edges)
        if (!edges.count({edge.second, edge.first})) {
          const Vector3& x = surface.vertices[edge.first];
          throw InputError(fmt::format("{}: the surface is not closed at {:.6g} {:.6g} {:.6g}",
                                       file, x[0], x[1], x[2]));
        }
      if (!(std::abs(volume) > 1e-12 * size * size * size))
        throw InputError(file + ": the surface encloses no volume");
      if (volume < 0)
        for (Triangle& t : surface.triangles)
          std::swap(t[1], t[2]);
    }

  } // namespace

  TriangleSurface readTriangleSurface(const std::filesystem::path& file)
  {
    std::string extension = file.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return char(std::tolower(c)); });
    TriangleSurface surface =
      extension == ".stl" ? readStl(file.string()) : readGmsh(file.string());
    check(file.string(), surface);
    return surface;
  }

} // namespace Dune::Impact
