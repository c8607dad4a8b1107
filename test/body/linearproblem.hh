// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TEST_BODY_LINEARPROBLEM_HH
#define DUNE_IMPACT_TEST_BODY_LINEARPROBLEM_HH

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <Eigen/SparseCholesky>

#include <dune/impact/body/elements.hh>
#include <dune/impact/body/solidloads.hh>

using namespace Dune;
using namespace Dune::Impact;

//! A linear problem on a mesh: supports, loads and the solution
template<int dim>
class LinearProblem
{
public:
  using Point = FieldVector<double, dim>;

  LinearProblem(SolidMesh<dim> mesh, double young, double poisson,
                CubeElement element = CubeElement::q1)
    : mesh_(std::move(mesh))
    , elements_(mesh_, LinearElastic<dim>{Lame::fromYoung(young, poisson)}, element)
    , fixed_(mesh_.nodes.size() * dim, false)
    , load_(Eigen::VectorXd::Zero(Eigen::Index(mesh_.nodes.size()) * dim))
  {}

  //! Hold a component of all nodes for which where(x) holds
  void hold(int component, const std::function<bool(const Point&)>& where)
  {
    for (std::size_t i = 0; i < mesh_.nodes.size(); ++i)
      if (where(mesh_.nodes[i]))
        fixed_[i * dim + std::size_t(component)] = true;
  }

  //! A constant traction on the facets whose corners all are where where(x) holds
  void pull(const Point& traction, const std::function<bool(const Point&)>& where)
  {
    SolidMesh<dim> marked = mesh_;
    for (auto& facet : marked.facets) {
      const auto corners = facet.corners();
      facet.patch = std::all_of(corners.begin(), corners.end(),
                                [&](Index node) { return where(mesh_.nodes[node]); })
                      ? 0
                      : SolidMesh<dim>::noPatch;
    }
    addTraction<dim>(marked, 0, traction, load());
  }

  //! A pressure on a patch
  void press(int patch, double pressure) { addPressure<dim>(mesh_, patch, pressure, {}, load()); }

  void solve()
  {
    typename SolidElements<dim>::Matrix K(elements_.pattern());
    elements_.addTangent(std::vector<double>(fixed_.size(), 0), 1, K);
    std::vector<Eigen::Triplet<double>> entries;
    const auto& pattern = *elements_.pattern();
    for (std::size_t i = 0; i < pattern.rows(); ++i)
      for (std::size_t k = pattern.rowStart[i]; k < pattern.rowStart[i + 1]; ++k)
        for (std::size_t a = 0; a < dim; ++a)
          for (std::size_t b = 0; b < dim; ++b) {
            const std::size_t row = i * dim + a, column = pattern.column[k] * dim + b;
            if (!fixed_[row] && !fixed_[column])
              entries.emplace_back(int(row), int(column), K.block[k][a][b]);
            else if (row == column)
              entries.emplace_back(int(row), int(column), 1);
          }
    for (std::size_t i = 0; i < fixed_.size(); ++i)
      if (fixed_[i])
        load_[Eigen::Index(i)] = 0;
    Eigen::SparseMatrix<double> matrix(load_.size(), load_.size());
    matrix.setFromTriplets(entries.begin(), entries.end());
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(matrix);
    solution_ = factor.solve(load_);
    solution_ += factor.solve(load_ - matrix * solution_);
  }

  //! Work of the loads
  double work() const { return load_.dot(solution_); }

  double displacement(const Point& place, int component) const
  {
    for (std::size_t i = 0; i < mesh_.nodes.size(); ++i)
      if ((mesh_.nodes[i] - place).two_norm() < 1e-9 * (1 + place.two_norm()))
        return solution_[Eigen::Index(i) * dim + component];
    return std::nan("");
  }

  const SolidMesh<dim>& mesh() const { return mesh_; }
  const SolidElements<dim>& elements() const { return elements_; }
  double value(std::size_t node, int component) const
  {
    return solution_[Eigen::Index(node) * dim + component];
  }

private:
  Span load() { return {load_.data(), std::size_t(load_.size())}; }

  SolidMesh<dim> mesh_;
  SolidElements<dim> elements_;
  std::vector<bool> fixed_;
  Eigen::VectorXd load_, solution_;
};

//! True for points whose coordinate has a value
inline auto at(int component, double value)
{
  return [=](const auto& x) {
    return std::abs(x[std::size_t(component)] - value) <= 1e-9 * (1 + value);
  };
}

#endif
