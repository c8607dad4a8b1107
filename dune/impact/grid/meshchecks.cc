// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <set>
#include <sstream>

#include <dune/geometry/quadraturerules.hh>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/grid/meshchecks.hh>
#include <dune/impact/grid/quadraticsimplex.hh>
#include <dune/impact/grid/topology.hh>

namespace Dune::Impact {

  namespace {

    using Defect = std::optional<std::string>;

    //! A volume below this fraction of (longest edge)^dim counts as zero
    constexpr double flat = 1e-12;

    template<int dim>
    Defect nodeDefect(const SolidMesh<dim>& mesh, const MeshLabels& labels)
    {
      std::vector<bool> used(mesh.nodes.size(), false);
      for (std::size_t c = 0; c < mesh.cells(); ++c)
        for (Index node : mesh.cellNodes(c)) {
          if (node >= mesh.nodes.size())
            return labels.cellName(c) + " has a corner that does not exist";
          used[node] = true;
        }
      for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
        if (!used[i])
          return labels.nodeName(i) + " belongs to no cell";
        for (double x : mesh.nodes[i])
          if (!std::isfinite(x))
            return labels.nodeName(i) + " has a coordinate that is not finite";
      }
      return {};
    }

    //! Smallest determinant at the corners of a cell, relative to the cube over its longest edge
    template<int dim>
    double relativeVolume(const SolidMesh<dim>& mesh, std::span<const Index> cell)
    {
      double smallest = 0, longest = 0;
      const int corners = cell.size() == dim + 1 ? 1 : int(cell.size());
      for (int i = 0; i < corners; ++i) {
        const auto J = cornerJacobian(mesh, cell, i);
        const double det = J.determinant();
        smallest = i == 0 ? det : std::min(smallest, det);
        for (int k = 0; k < dim; ++k) {
          double square = 0;
          for (int j = 0; j < dim; ++j)
            square += J[j][k] * J[j][k];
          longest = std::max(longest, std::sqrt(square));
        }
      }
      return longest == 0 ? 0 : smallest / std::pow(longest, dim);
    }

    template<int dim>
    std::string placeName(const FieldVector<double, dim>& x)
    {
      std::ostringstream name;
      name << x;
      return name.str();
    }

    template<int dim>
    Defect volumeDefect(const SolidMesh<dim>& mesh, const MeshLabels& labels)
    {
      for (std::size_t c = 0; c < mesh.cells(); ++c) {
        const double volume = relativeVolume(mesh, mesh.cell(c));
        if (volume >= flat)
          continue;
        const std::string name = labels.cellName(c);
        if (volume > -flat)
          return name + " has no " + (dim == 2 ? "area" : "volume");
        return name + " is inverted: its corners run the wrong way round";
      }
      return {};
    }

    //! Simplices of second order: det J at the nodes and at the integration points, relative to
    //! that of the straight simplex
    template<int dim>
    Defect curvedDefect(const SolidMesh<dim>& mesh, const MeshLabels& labels)
    {
      const auto lattice = quadraticLattice<dim>();
      std::vector<FieldVector<double, dim>> places(lattice.begin(), lattice.end());
      for (int q = 0; q <= dim; ++q)
        places.push_back(quadraticPoint<dim>(q));
      for (std::size_t c = 0; c < mesh.quadratic.size(); ++c) {
        const double straight = cornerJacobian(mesh, mesh.cell(c), 0).determinant();
        for (const auto& x : places)
          if (!(quadraticJacobian(mesh, mesh.quadratic[c], x).determinant() > flat * straight))
            return labels.cellName(c) + " at " + placeName(mesh.nodes[mesh.simplices[c][0]]) +
                   " is folded: the nodes of its edges lie too far from the middle";
      }
      return {};
    }

    //! Keys are sorted: a facet of more than two cells occurs three times in a row
    template<int dim>
    Defect facetDefect(const SolidMesh<dim>& mesh, const MeshLabels& labels)
    {
      const auto keys = sortedFacetKeys(mesh);
      for (std::size_t i = 2; i < keys.size(); ++i)
        if (keys[i] == keys[i - 2]) {
          std::string text = "more than two cells share a facet:";
          for (Index node : keys[i])
            if (node < mesh.nodes.size())
              text += " " + labels.nodeName(node);
          return text;
        }
      return {};
    }

    template<int dim>
    Defect patchDefect(const SolidMesh<dim>& mesh)
    {
      std::set<std::string> names;
      for (const Patch& patch : mesh.patches)
        if (!patch.name.empty() && !names.insert(patch.name).second)
          return "the name '" + patch.name + "' is given to two patches";
      return {};
    }

  } // namespace

  template<int dim>
  std::optional<std::string> meshDefect(const SolidMesh<dim>& mesh, const MeshLabels& labels)
  {
    if (mesh.cells() == 0)
      return "the mesh has no cells";
    if (Defect defect = nodeDefect(mesh, labels))
      return defect;
    if (Defect defect = volumeDefect(mesh, labels))
      return defect;
    if (Defect defect = curvedDefect(mesh, labels))
      return defect;
    if (Defect defect = facetDefect(mesh, labels))
      return defect;
    return patchDefect(mesh);
  }

  template<int dim>
  void checkMesh(const SolidMesh<dim>& mesh, const std::string& origin, const MeshLabels& labels)
  {
    if (const Defect defect = meshDefect(mesh, labels))
      throw InputError(origin + ": " + *defect);
  }

  /* A straight simplex has det J/dim!. On one of second order det J has at most degree three. The
   * determinant of a multilinear map has degree at most two in each coordinate, which two Gauss
   * points per direction integrate exactly. */
  template<int dim>
  double cellVolume(const SolidMesh<dim>& mesh, std::size_t c)
  {
    const auto cell = mesh.cell(c);
    if (c < mesh.quadratic.size()) {
      double volume = 0;
      for (const auto& point : QuadratureRules<double, dim>::rule(GeometryTypes::simplex(dim), 3))
        volume += point.weight() *
                  quadraticJacobian(mesh, mesh.quadratic[c], point.position()).determinant();
      return volume;
    }
    if (cell.size() == dim + 1)
      return cornerJacobian(mesh, cell, 0).determinant() / (dim == 2 ? 2 : 6);
    const double a = 0.5 - 0.5 / std::sqrt(3.0);
    double volume = 0;
    for (int q = 0; q < (1 << dim); ++q) {
      FieldMatrix<double, dim, dim> J(0.0);
      for (int corner = 0; corner < (1 << dim); ++corner)
        for (int k = 0; k < dim; ++k) {
          double derivative = corner >> k & 1 ? 1 : -1;
          for (int j = 0; j < dim; ++j)
            if (j != k)
              derivative *= (corner >> j & 1) == (q >> j & 1) ? 1 - a : a;
          for (int i = 0; i < dim; ++i)
            J[i][k] += derivative * mesh.nodes[cell[corner]][i];
        }
      volume += J.determinant() / (1 << dim);
    }
    return volume;
  }

  template<int dim>
  double meshVolume(const SolidMesh<dim>& mesh)
  {
    double volume = 0;
    for (std::size_t c = 0; c < mesh.cells(); ++c)
      volume += cellVolume(mesh, c);
    return volume;
  }

  template std::optional<std::string> meshDefect(const SolidMesh<2>&, const MeshLabels&);
  template std::optional<std::string> meshDefect(const SolidMesh<3>&, const MeshLabels&);
  template void checkMesh(const SolidMesh<2>&, const std::string&, const MeshLabels&);
  template void checkMesh(const SolidMesh<3>&, const std::string&, const MeshLabels&);
  template double cellVolume(const SolidMesh<2>&, std::size_t);
  template double cellVolume(const SolidMesh<3>&, std::size_t);
  template double meshVolume(const SolidMesh<2>&);
  template double meshVolume(const SolidMesh<3>&);

} // namespace Dune::Impact
