// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>

#include <dune/impact/body/solidloads.hh>
#include <dune/impact/body/surfaceload.hh>

namespace Dune::Impact {

  //! The facets of a patch, with their nodes numbered from zero in the order of the mesh
  template<int dim>
  PatchSurface<dim>::PatchSurface(const SolidMesh<dim>& whole, int patch)
  {
    std::copy_if(whole.facets.begin(), whole.facets.end(), std::back_inserter(mesh.facets),
                 [&](const auto& facet) { return facet.patch == patch; });
    for (const auto& facet : mesh.facets)
      node.insert(node.end(), facet.nodes().begin(), facet.nodes().end());
    std::sort(node.begin(), node.end());
    node.erase(std::unique(node.begin(), node.end()), node.end());
    for (Index i : node)
      mesh.nodes.push_back(whole.nodes[i]);
    mesh.patches = {whole.patches[patch]};
    for (auto& facet : mesh.facets) {
      facet.patch = 0;
      for (std::size_t k = 0; k < facet.nodes().size(); ++k)
        facet.node[k] =
          Index(std::lower_bound(node.begin(), node.end(), facet.node[k]) - node.begin());
    }
  }

  //! Shares int N_a / area of the nodes in a force that is spread evenly over the patch
  template<int dim>
  SurfaceLoad<dim>::SurfaceLoad(const SolidMesh<dim>& mesh, int patch, Offsets offsets,
                                const std::array<Expression, 3>& force)
    : surface_(mesh, patch)
    , offsets_(offsets)
    , force_(force)
    , nodal_(surface_.node.size() * dim, 0)
  {
    addTraction(surface_.mesh, 0, FieldVector<double, dim>(1.0), Span(nodal_));
    double area = 0;
    for (std::size_t i = 0; i < nodal_.size(); i += dim)
      area += nodal_[i];
    for (double& f : nodal_)
      f /= area;
  }

  //! -int n N_a over the reference surface: nodal forces of a unit pressure
  template<int dim>
  SurfaceLoad<dim>::SurfaceLoad(const SolidMesh<dim>& mesh, int patch, Offsets offsets,
                                const Expression& pressure, bool follower)
    : surface_(mesh, patch)
    , offsets_(offsets)
    , pressure_(pressure)
    , follower_(follower)
    , nodal_(surface_.node.size() * dim, 0)
  {
    addPressure(surface_.mesh, 0, 1, {}, Span(nodal_));
  }

  template<int dim>
  std::vector<double> SurfaceLoad<dim>::displacements(ConstSpan q) const
  {
    std::vector<double> u;
    u.reserve(nodal_.size());
    for (Index node : surface_.node)
      for (int i = 0; i < dim; ++i)
        u.push_back(q[offsets_.configuration + node * dim + i]);
    return u;
  }

  template<int dim>
  void SurfaceLoad<dim>::append(double factor, ConstSpan nodal, SparseVector& force) const
  {
    for (std::size_t i = 0; i < nodal.size(); ++i)
      force.push_back(
        {offsets_.velocity + surface_.node[i / dim] * dim + i % dim, factor * nodal[i]});
  }

  //! Dead loads scale nodal forces of the reference configuration by F(t) or by the pressure p(t);
  //! follower pressure is integrated over the current surface.
  template<int dim>
  void SurfaceLoad<dim>::addForce(double t, ConstSpan q, SparseVector& force) const
  {
    if (force_) {
      std::vector<double> nodal = nodal_;
      std::array<double, dim> total;
      for (int i = 0; i < dim; ++i)
        total[i] = (*force_)[i](t);
      for (std::size_t i = 0; i < nodal.size(); ++i)
        nodal[i] *= total[i % dim];
      return append(1, nodal, force);
    }
    if (!follower_)
      return append(pressure_(t), nodal_, force);
    std::vector<double> nodal(nodal_.size(), 0);
    addPressure(surface_.mesh, 0, 1, displacements(q), Span(nodal));
    append(pressure_(t), nodal, force);
  }

  /* The force of a facet is a polynomial of its positions, linear in two dimensions and at most
   * quadratic in each position in three, for every order of the facet. Its central differences are
   * therefore exact for any step; a step of the size of the facet loses no digits. */
  template<int dim>
  void SurfaceLoad<dim>::addStiffness(double t, ConstSpan q, Triplets& entries) const
  {
    if (!follower_)
      return;
    const double pressure = pressure_(t);
    const std::vector<double> u = displacements(q);
    for (const auto& facet : surface_.mesh.facets) {
      const int count = int(facet.nodes().size());
      SolidMesh<dim> one;
      one.facets = {facet};
      one.facets[0].patch = 0;
      for (int a = 0; a < count; ++a) {
        one.facets[0].node[a] = Index(a);
        one.nodes.push_back(surface_.mesh.nodes[facet.node[a]]);
        for (int i = 0; i < dim; ++i)
          one.nodes[a][i] += u[facet.node[a] * dim + i];
      }
      const double step = (one.nodes[1] - one.nodes[0]).two_norm();
      const auto dof = [&](int i) {
        return int(offsets_.velocity + surface_.node[facet.node[i / dim]] * dim + i % dim);
      };
      for (int j = 0; j < count * dim; ++j) {
        std::vector<double> shift(count * dim, 0), difference(shift.size(), 0);
        shift[j] = step;
        addPressure(one, 0, pressure, ConstSpan(shift), Span(difference));
        shift[j] = -step;
        addPressure(one, 0, -pressure, ConstSpan(shift), Span(difference));
        for (int i = 0; i < count * dim; ++i)
          entries.emplace_back(dof(i), dof(j), -difference[i] / (2 * step));
      }
    }
  }

  template struct PatchSurface<2>;
  template struct PatchSurface<3>;
  template class SurfaceLoad<2>;
  template class SurfaceLoad<3>;

} // namespace Dune::Impact
