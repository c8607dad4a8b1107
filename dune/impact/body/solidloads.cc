// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>

#include <dune/geometry/quadraturerules.hh>

#include <dune/impact/body/shapefunctions.hh>
#include <dune/impact/body/solidloads.hh>

namespace Dune::Impact {

  namespace {

    //! Call f(values, weight) at the points of a rule on a cell that is exact for density N_a N_b
    template<int dim, int N, class Function>
    void integrateCell(const SolidMesh<dim>& mesh, const std::array<Index, N>& corners,
                       Function&& f)
    {
      static const double point[3] = {0.5 - std::sqrt(0.15), 0.5, 0.5 + std::sqrt(0.15)};
      static constexpr double weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
      for (int q = 0; q < (dim == 2 ? 9 : 27); ++q) {
        FieldVector<double, dim> x;
        double w = 1;
        for (int k = 0, digits = q; k < dim; ++k, digits /= 3) {
          x[k] = point[digits % 3];
          w *= weight[digits % 3];
        }
        f(shapeValues<dim, N>(x), w * shapeGradients<dim, N>(mesh, corners, x).determinant);
      }
    }

    //! The same on a simplex of second order, by a rule of degree four
    template<int dim, class Function>
    void integrateQuadratic(const SolidMesh<dim>& mesh,
                            const typename SolidMesh<dim>::QuadraticSimplex& nodes, Function&& f)
    {
      for (const auto& point : QuadratureRules<double, dim>::rule(GeometryTypes::simplex(dim), 4)) {
        const double determinant = quadraticJacobian(mesh, nodes, point.position()).determinant();
        f(quadraticValues<dim>(point.position()), point.weight() * determinant);
      }
    }

    //! Volume of a simplex
    template<int dim>
    double simplexVolume(const SolidMesh<dim>& mesh,
                         const typename SolidMesh<dim>::Simplex& corners)
    {
      return shapeGradients<dim, dim + 1>(mesh, corners, FieldVector<double, dim>(0.0))
               .determinant /
             (dim == 2 ? 2 : 6);
    }

    //! Area vector t_1 x t_2 of the tangents of a facet, or the tangent turned by -90 degrees
    template<int dim>
    FieldVector<double, dim> normal(const std::array<FieldVector<double, dim>, dim - 1>& t)
    {
      if constexpr (dim == 2)
        return {t[0][1], -t[0][0]};
      else
        return {t[0][1] * t[1][2] - t[0][2] * t[1][1], t[0][2] * t[1][0] - t[0][0] * t[1][2],
                t[0][0] * t[1][1] - t[0][1] * t[1][0]};
    }

    /* Facets of second order: n N_a is a polynomial of degree three on an edge and four on a
     * triangle. Their nodes are corners and then middles, those of the functions a lattice. */
    template<int dim, class Position, class Function>
    void integrateQuadraticFacet(const typename SolidMesh<dim>::Facet& facet, Position&& x,
                                 Function&& f)
    {
      constexpr int d = dim - 1, N = quadraticNodes<d>;
      const auto node = [&](int a) {
        constexpr std::array<int, 6> ofLattice =
          dim == 2 ? std::array<int, 6>{0, 2, 1} : std::array<int, 6>{0, 3, 1, 5, 4, 2};
        return facet.node[ofLattice[a]];
      };
      for (const auto& point : QuadratureRules<double, d>::rule(GeometryTypes::simplex(d), 5)) {
        const auto value = quadraticValues<d>(point.position());
        const auto gradient = quadraticGradients<d>(point.position());
        std::array<FieldVector<double, dim>, d> t;
        t.fill(FieldVector<double, dim>(0.0));
        for (int a = 0; a < N; ++a)
          for (int k = 0; k < d; ++k)
            t[k].axpy(gradient[a][k], x(node(a)));
        for (int a = 0; a < N; ++a)
          f(node(a), point.weight() * value[a], normal<dim>(t));
      }
    }

    /* Call f(node, weight * N_node, n) at the points of a rule on a facet, n not normalised.
     * Flat facets have a constant normal, and int N is an equal share of the area. */
    template<int dim, class Position, class Function>
    void integrateFacet(const typename SolidMesh<dim>::Facet& facet, Position&& x, Function&& f)
    {
      if (facet.middles > 0)
        return integrateQuadraticFacet<dim>(facet, x, f);
      std::array<FieldVector<double, dim>, dim - 1> t;
      if (facet.count < 4) {
        for (int k = 0; k < dim - 1; ++k)
          t[k] = x(facet.node[k + 1]) - x(facet.node[0]);
        for (Index node : facet.corners())
          f(node, dim == 2 ? 0.5 : 1.0 / 6, normal<dim>(t));
      }
      else if constexpr (dim == 3)
        for (int q = 0; q < 4; ++q) {
          const auto local = gaussPoint<2>(q);
          const auto value = shapeValues<2, 4>(local);
          const auto gradient = localGradients<2, 4>(local);
          t.fill(FieldVector<double, dim>(0.0));
          // corners of the facet go around, shape functions are lexicographic
          for (int c = 0; c < 4; ++c)
            for (int k = 0; k < 2; ++k)
              t[k].axpy(gradient[c][k], x(facet.node[c < 2 ? c : 5 - c]));
          for (int c = 0; c < 4; ++c)
            f(facet.node[c < 2 ? c : 5 - c], 0.25 * value[c], normal<dim>(t));
        }
    }

  } // namespace

  // On a simplex int N_a N_b = volume (1 + delta_ab)/((dim + 1)(dim + 2))
  template<int dim>
  AssemblyMatrix<double> consistentMass(const SolidMesh<dim>& mesh, double density,
                                        std::shared_ptr<const SparsityPattern> pattern)
  {
    AssemblyMatrix<double> M(std::move(pattern));
    for (const auto& nodes : mesh.quadratic)
      integrateQuadratic(mesh, nodes, [&](const auto& value, double weight) {
        for (std::size_t a = 0; a < nodes.size(); ++a)
          for (std::size_t b = 0; b < nodes.size(); ++b)
            M.block[M.pattern->find(nodes[a], nodes[b])] += density * weight * value[a] * value[b];
      });
    if (mesh.order() > 1)
      return M;
    for (const auto& corners : mesh.simplices) {
      const double m = density * simplexVolume(mesh, corners) / ((dim + 1) * (dim + 2));
      for (Index a : corners)
        for (Index b : corners)
          M.block[M.pattern->find(a, b)] += a == b ? 2 * m : m;
    }
    for (const auto& corners : mesh.cubes)
      integrateCell<dim, (1 << dim)>(mesh, corners, [&](const auto& value, double weight) {
        for (std::size_t a = 0; a < corners.size(); ++a)
          for (std::size_t b = 0; b < corners.size(); ++b)
            M.block[M.pattern->find(corners[a], corners[b])] +=
              density * weight * value[a] * value[b];
      });
    return M;
  }

  //! On a simplex int N_a = volume/(dim + 1)
  template<int dim>
  std::vector<double> lumpedMass(const SolidMesh<dim>& mesh, double density)
  {
    std::vector<double> mass(mesh.nodes.size(), 0);
    for (const auto& nodes : mesh.quadratic)
      integrateQuadratic(mesh, nodes, [&](const auto& value, double weight) {
        for (std::size_t a = 0; a < nodes.size(); ++a)
          mass[nodes[a]] += density * weight * value[a];
      });
    if (mesh.order() > 1)
      return mass;
    for (const auto& corners : mesh.simplices)
      for (Index a : corners)
        mass[a] += density * simplexVolume(mesh, corners) / (dim + 1);
    for (const auto& corners : mesh.cubes)
      integrateCell<dim, (1 << dim)>(mesh, corners, [&](const auto& value, double weight) {
        for (std::size_t a = 0; a < corners.size(); ++a)
          mass[corners[a]] += density * weight * value[a];
      });
    return mass;
  }

  //! m_a = m M_aa / sum_b M_bb with the mass m and the consistent mass matrix M of the cell
  template<int dim>
  std::vector<double> diagonalMass(const SolidMesh<dim>& mesh, double density)
  {
    if (mesh.order() == 1)
      return lumpedMass(mesh, density);
    std::vector<double> mass(mesh.nodes.size(), 0);
    for (const auto& nodes : mesh.quadratic) {
      std::array<double, quadraticNodes<dim>> diagonal{};
      double volume = 0, sum = 0;
      integrateQuadratic(mesh, nodes, [&](const auto& value, double weight) {
        volume += weight;
        for (std::size_t a = 0; a < nodes.size(); ++a) {
          diagonal[a] += weight * value[a] * value[a];
          sum += weight * value[a] * value[a];
        }
      });
      for (std::size_t a = 0; a < nodes.size(); ++a)
        mass[nodes[a]] += density * volume * (diagonal[a] / sum);
    }
    return mass;
  }

  template<int dim>
  void addBodyForce(const SolidMesh<dim>& mesh, const FieldVector<double, dim>& force, Span f)
  {
    const auto volume = lumpedMass(mesh, 1.0);
    for (std::size_t a = 0; a < volume.size(); ++a)
      for (int i = 0; i < dim; ++i)
        f[a * dim + i] += volume[a] * force[i];
  }

  template<int dim>
  void addTraction(const SolidMesh<dim>& mesh, int patch, const FieldVector<double, dim>& traction,
                   Span f)
  {
    for (const auto& facet : mesh.facets)
      if (facet.patch == patch)
        integrateFacet<dim>(
          facet, [&](Index node) { return mesh.nodes[node]; },
          [&](Index node, double weight, const auto& n) {
            for (int i = 0; i < dim; ++i)
              f[node * dim + i] += weight * n.two_norm() * traction[i];
          });
  }

  template<int dim>
  void addPressure(const SolidMesh<dim>& mesh, int patch, double pressure, ConstSpan u, Span f)
  {
    const auto position = [&](Index node) {
      auto x = mesh.nodes[node];
      if (!u.empty())
        for (int i = 0; i < dim; ++i)
          x[i] += u[node * dim + i];
      return x;
    };
    for (const auto& facet : mesh.facets)
      if (facet.patch == patch)
        integrateFacet<dim>(facet, position, [&](Index node, double weight, const auto& n) {
          for (int i = 0; i < dim; ++i)
            f[node * dim + i] -= weight * pressure * n[i];
        });
  }

  template AssemblyMatrix<double> consistentMass(const SolidMesh<2>&, double,
                                                 std::shared_ptr<const SparsityPattern>);
  template AssemblyMatrix<double> consistentMass(const SolidMesh<3>&, double,
                                                 std::shared_ptr<const SparsityPattern>);
  template std::vector<double> lumpedMass(const SolidMesh<2>&, double);
  template std::vector<double> lumpedMass(const SolidMesh<3>&, double);
  template std::vector<double> diagonalMass(const SolidMesh<2>&, double);
  template std::vector<double> diagonalMass(const SolidMesh<3>&, double);
  template void addBodyForce<2>(const SolidMesh<2>&, const FieldVector<double, 2>&, Span);
  template void addBodyForce<3>(const SolidMesh<3>&, const FieldVector<double, 3>&, Span);
  template void addTraction<2>(const SolidMesh<2>&, int, const FieldVector<double, 2>&, Span);
  template void addTraction<3>(const SolidMesh<3>&, int, const FieldVector<double, 3>&, Span);
  template void addPressure<2>(const SolidMesh<2>&, int, double, ConstSpan, Span);
  template void addPressure<3>(const SolidMesh<3>&, int, double, ConstSpan, Span);

} // namespace Dune::Impact
