// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/grid/gmshfile.hh>
#include <dune/impact/grid/meshchecks.hh>
#include <dune/impact/grid/meshreader.hh>
#include <dune/impact/grid/topology.hh>

namespace Dune::Impact {

  namespace {

    using Edge = std::pair<std::size_t, std::size_t>; // ids, the smaller first

    //! Corners at the ends of the edge of each middle node, in the order of Gmsh
    std::span<const std::array<int, 2>> middleEdges(int type)
    {
      static constexpr std::array<std::array<int, 2>, 3> triangle{{{0, 1}, {1, 2}, {2, 0}}};
      static constexpr std::array<std::array<int, 2>, 4> quadrilateral{
        {{0, 1}, {1, 2}, {2, 3}, {3, 0}}};
      static constexpr std::array<std::array<int, 2>, 6> tetrahedron{
        {{0, 1}, {1, 2}, {2, 0}, {3, 0}, {3, 2}, {3, 1}}};
      if (type == 9)
        return triangle;
      if (type == 10 || type == 16)
        return quadrilateral;
      if (type == 11)
        return tetrahedron;
      return {};
    }

    //! From the content of the file to a mesh
    template<int dim>
    class Assembler
    {
    public:
      using Mesh = SolidMesh<dim>;
      using Point = typename Mesh::Point;

      Assembler(std::string file) : file_(std::move(file)), gmsh_(parseGmsh(file_)) {}

      CoarseMesh<dim> assemble()
      {
        checkDimension();
        checkVolumes();
        collectNodes();
        for (const GmshElement& element : gmsh_.elements)
          if (gmshType(element.type)->dimension == dim)
            addCell(element);
        labels_.cell.insert(labels_.cell.end(), cubeId_.begin(), cubeId_.end());
        checkMesh(mesh_, file_, labels_);
        findFacets(mesh_);
        collectPatches();
        checkMesh(mesh_, file_, labels_);
        noteGroups();
        CoarseMesh<dim> coarse;
        coarse.bentInside = bentInside();
        if (!middle_.empty())
          for (const auto& facet : mesh_.facets)
            coarse.curves.push_back(curve(facet));
        for (const auto& [ends, middle] : middle_)
          coarse.middles.push_back(
            {number_.at(ends.first), number_.at(ends.second), position(middle)});
        coarse.notes = std::move(notes_);
        coarse.mesh = std::move(mesh_);
        return coarse;
      }

    private:
      [[noreturn]] void fail(const std::string& what) const
      {
        throw InputError(file_ + ": " + what);
      }

      void checkDimension() const
      {
        int highest = 0;
        for (const GmshElement& element : gmsh_.elements)
          highest = std::max(highest, gmshType(element.type)->dimension);
        if (highest != dim)
          fail("the mesh has cells of dimension " + std::to_string(highest) +
               ", but the body has dimension " + std::to_string(dim));
        if (dim == 2)
          for (std::size_t i = 0; i < gmsh_.position.size(); ++i)
            if (gmsh_.position[i][2] != 0)
              fail("node " + std::to_string(gmsh_.nodeId[i]) +
                   " of the plane mesh has z other than zero");
      }

      //! The name of a physical group, or its number
      std::string groupName(int dimension, int number) const
      {
        const auto name = gmsh_.name.find({dimension, number});
        if (name != gmsh_.name.end())
          return "`" + name->second + "`";
        return number == 0 ? "no group" : std::to_string(number);
      }

      //! A body has one material: cells of several physical groups are not taken for one
      void checkVolumes() const
      {
        std::set<int> groups;
        for (const GmshElement& element : gmsh_.elements)
          if (gmshType(element.type)->dimension == dim)
            groups.insert(element.physical);
        if (groups.size() < 2)
          return;
        std::string list;
        for (const int number : groups)
          list += (list.empty() ? "" : ", ") + groupName(dim, number);
        fail("the cells belong to " + std::to_string(groups.size()) + " physical groups (" + list +
             "), a body has one material and needs one group; save each as a mesh of its own");
      }

      //! Physical groups that are neither cells nor facets are no patches
      void noteGroups()
      {
        std::set<std::pair<int, int>> groups;
        for (const GmshElement& element : gmsh_.elements)
          if (const int dimension = gmshType(element.type)->dimension;
              dimension < dim - 1 && element.physical != 0)
            groups.insert({dimension, element.physical});
        for (const auto& [dimension, number] : groups)
          notes_.push_back("the physical group " + groupName(dimension, number) + " of dimension " +
                           std::to_string(dimension) + " is not used, patches have dimension " +
                           std::to_string(dim - 1));
      }

      //! Number of middle nodes of inner edges that are not in the middle
      std::size_t bentInside() const
      {
        constexpr double straight = 1e-9; // offset over length of an edge
        std::set<Edge> boundary;
        for (const auto& facet : mesh_.facets)
          for (int k = 0; k < facet.count; ++k)
            boundary.insert(
              edge(labels_.node[facet.node[k]], labels_.node[facet.node[(k + 1) % facet.count]]));
        std::size_t bent = 0;
        for (const auto& [ends, middle] : middle_) {
          const Point a = position(ends.first), b = position(ends.second);
          Point offset = position(middle);
          offset.axpy(-0.5, a);
          offset.axpy(-0.5, b);
          bent += !boundary.contains(ends) && offset.two_norm() > straight * (b - a).two_norm();
        }
        return bent;
      }

      //! How many there are, and the first few of them
      static std::string listed(const std::vector<std::size_t>& ids)
      {
        constexpr std::size_t few = 5;
        std::string text;
        for (std::size_t i = 0; i < std::min(few, ids.size()); ++i)
          text += " " + std::to_string(ids[i]);
        return text + (ids.size() > few ? " ..." : "");
      }

      //! Nodes of the mesh are the corners of cells in the order of the file; nodes of no cell are
      //! left out
      void collectNodes()
      {
        std::vector<bool> corner(gmsh_.nodeId.size(), false), used = corner;
        for (const GmshElement& element : gmsh_.elements)
          if (const GmshType& type = *gmshType(element.type); type.dimension == dim)
            for (std::size_t k = 0; k < element.node.size(); ++k) {
              const std::size_t i = gmsh_.nodeOfId.at(element.node[k]);
              used[i] = true;
              if (int(k) < type.corners)
                corner[i] = true;
            }
        std::vector<std::size_t> alone;
        for (std::size_t i = 0; i < used.size(); ++i) {
          if (!used[i])
            alone.push_back(gmsh_.nodeId[i]);
          if (!corner[i])
            continue;
          number_[gmsh_.nodeId[i]] = Index(mesh_.nodes.size());
          labels_.node.push_back(gmsh_.nodeId[i]);
          mesh_.nodes.push_back(position(gmsh_.nodeId[i]));
        }
        if (!alone.empty())
          notes_.push_back(std::to_string(alone.size()) +
                           (alone.size() == 1 ? " node that belongs" : " nodes that belong") +
                           " to no cell left out:" + listed(alone));
      }

      void addCell(const GmshElement& element)
      {
        const auto edges = middleEdges(element.type);
        const int corners = gmshType(element.type)->corners;
        for (std::size_t k = 0; k < edges.size(); ++k)
          middle_[edge(element.node[edges[k][0]], element.node[edges[k][1]])] =
            element.node[corners + k];
        if (corners == dim + 1) {
          typename Mesh::Simplex cell;
          for (int k = 0; k < corners; ++k)
            cell[k] = number_.at(element.node[k]);
          mesh_.simplices.push_back(cell);
          labels_.cell.push_back(element.id);
          return;
        }
        typename Mesh::Cube cell;
        for (int k = 0; k < corners; ++k)
          // Gmsh goes around, DUNE is lexicographic
          cell[k] = number_.at(element.node[k % 4 < 2 ? k : k ^ 1]);
        mesh_.cubes.push_back(cell);
        cubeId_.push_back(element.id);
      }

      //! Physical number of each facet that the file mentions
      std::map<FacetKey<dim>, int> physicalFacets() const
      {
        std::map<FacetKey<dim>, const GmshElement*> first;
        std::map<FacetKey<dim>, int> physical;
        for (const GmshElement& element : gmsh_.elements) {
          const GmshType& type = *gmshType(element.type);
          if (type.dimension != dim - 1 || element.physical == 0)
            continue;
          std::vector<Index> corners;
          for (int k = 0; k < type.corners; ++k)
            corners.push_back(number_.contains(element.node[k]) ? number_.at(element.node[k])
                                                                : Index(-2));
          const auto [place, isNew] = physical.emplace(facetKey<dim>(corners), element.physical);
          if (isNew)
            first[place->first] = &element;
          else if (place->second != element.physical)
            fail("element " + std::to_string(element.id) + " is in the physical groups " +
                 std::to_string(place->second) + " and " + std::to_string(element.physical));
        }
        std::set<FacetKey<dim>> boundary;
        for (const auto& facet : mesh_.facets)
          boundary.insert(facetKey<dim>(facet.corners()));
        for (const auto& [key, element] : first)
          if (!boundary.contains(key))
            fail("element " + std::to_string(element->id) + " of the physical group " +
                 std::to_string(element->physical) + " is not on the boundary");
        return physical;
      }

      void collectPatches()
      {
        const auto physical = physicalFacets();
        std::map<int, int> patch; // index of a physical number
        for (const auto& [key, number] : physical)
          patch[number] = 0;
        for (auto& [number, index] : patch) {
          index = int(mesh_.patches.size());
          const auto name = gmsh_.name.find({dim - 1, number});
          mesh_.patches.push_back({number, name == gmsh_.name.end() ? "" : name->second});
        }
        for (auto& facet : mesh_.facets)
          if (const auto place = physical.find(facetKey<dim>(facet.corners()));
              place != physical.end())
            facet.patch = patch.at(place->second);
      }

      /* On a line x = a + t (b - a) + 4 t (1 - t) h with the offset h of the middle node from the
       * middle, on a triangle with barycentric coordinates n: sum n_i a_i + 4 sum n_i n_j h_ij. */
      Curve<dim> curve(const typename Mesh::Facet& facet) const
      {
        std::vector<Point> a, h;
        const int n = facet.count == 2 ? 1 : facet.count; // edges
        if (facet.count == 4)
          return nullptr;
        for (Index node : facet.corners())
          a.push_back(mesh_.nodes[node]);
        for (int k = 0; k < n; ++k) {
          const int next = (k + 1) % facet.count;
          const auto middle =
            middle_.find(edge(labels_.node[facet.node[k]], labels_.node[facet.node[next]]));
          h.push_back(middle == middle_.end() ? Point(0.0)
                                              : position(middle->second) - 0.5 * (a[k] + a[next]));
        }
        return [a, h](const FieldVector<double, dim - 1>& x) {
          std::vector<double> weight(1, 1.0);
          for (double c : x) {
            weight.push_back(c);
            weight[0] -= c;
          }
          Point y(0.0);
          for (std::size_t k = 0; k < a.size(); ++k)
            y.axpy(weight[k], a[k]);
          for (std::size_t k = 0; k < h.size(); ++k)
            y.axpy(4 * weight[k] * weight[(k + 1) % a.size()], h[k]);
          return y;
        };
      }

      static Edge edge(std::size_t a, std::size_t b) { return std::minmax(a, b); }

      Point position(std::size_t id) const
      {
        Point x;
        std::copy_n(gmsh_.position[gmsh_.nodeOfId.at(id)].begin(), dim, x.begin());
        return x;
      }

      std::string file_;
      GmshFile gmsh_;
      Mesh mesh_;
      MeshLabels labels_;
      std::vector<std::string> notes_;
      std::vector<std::size_t> cubeId_;
      std::map<std::size_t, Index> number_; //!< of a corner, by its id
      std::map<Edge, std::size_t> middle_;  //!< id of the middle node of an edge
    };

  } // namespace

  template<int dim>
  CoarseMesh<dim> readGmsh(const std::string& file)
  {
    return Assembler<dim>(file).assemble();
  }

  template CoarseMesh<2> readGmsh(const std::string&);
  template CoarseMesh<3> readGmsh(const std::string&);

} // namespace Dune::Impact
