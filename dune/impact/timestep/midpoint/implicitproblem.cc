// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module
// root SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dune/impact/timestep/midpoint/implicitproblem.hh>

namespace Dune::Impact {

  namespace {

    //! Part of the stiffness that is added as mass to a static problem, so that bodies without
    //! support are held
    constexpr double proximal = 1e-8;

    template<int dim>
    ConstSpan numbers(const NodeVector<dim>& x)
    {
      return {data(x), x.size() * dim};
    }

    template<int dim>
    Span numbers(NodeVector<dim>& x)
    {
      return {data(x), x.size() * dim};
    }

    double maxNorm(ConstSpan x)
    {
      double result = 0;
      for (double value : x)
        result = std::max(result, std::abs(value));
      return result;
    }

  } // namespace

  template<int dim>
  ImplicitProblem<dim>::ImplicitProblem(ImplicitModel<dim>& model, ImplicitRule rule,
                                        const State& from, double h, double end, bool definite)
    : model_(model)
    , rule_(rule)
    , x_(from.q)
    , v_(from.p)
    , h_(h)
    , end_(end)
    , definite_(definite)
    , matrix_(model.pattern)
  {
    for (const ImplicitRigid& one : model_.rigid)
      rigid_.emplace_back(*one.body, &x_[one.configuration], &v_[one.node * dim], h_, one.length);
    gravity_.assign(v_.size(), 0);
    for (const auto& member : model_.members) {
      member.body->addGravity(1, member.slice(Span(gravity_)));
      positions_.insert(positions_.end(), member.body->mesh().nodes.begin(),
                        member.body->mesh().nodes.end());
    }
    std::vector<double> begin(v_.size(), 0);
    std::copy_n(x_.begin(), model_.solidNodes() * dim, begin.begin());
    updateLoads(begin);
    buildPredictor();
    scale_ = forces();
    if (rule_ == ImplicitRule::dissipative)
      model_.gaps(end_ - h_, x_, start_);
  }

  //! Loads act at the middle of the step and of the motion, static ones at the end
  template<int dim>
  double ImplicitProblem<dim>::loadTime() const
  {
    return rule_ == ImplicitRule::quasiStatic ? end_ : end_ - 0.5 * h_;
  }

  //! The configuration that z means
  template<int dim>
  std::vector<double> ImplicitProblem<dim>::end(ConstSpan z) const
  {
    std::vector<double> q(x_.size());
    std::copy_n(z.begin(), model_.solidNodes() * dim, q.begin());
    for (std::size_t k = 0; k < rigid_.size(); ++k)
      rigid_[k].place(&z[model_.rigid[k].node * dim], &q[model_.rigid[k].configuration]);
    return q;
  }

  //! Half way to it
  template<int dim>
  std::vector<double> ImplicitProblem<dim>::middle(ConstSpan z) const
  {
    std::vector<double> q(x_.size());
    for (std::size_t i = 0; i < model_.solidNodes() * dim; ++i)
      q[i] = 0.5 * (z[i] + x_[i]);
    for (std::size_t k = 0; k < rigid_.size(); ++k)
      rigid_[k].placeMiddle(&z[model_.rigid[k].node * dim], &q[model_.rigid[k].configuration]);
    return q;
  }

  template<int dim>
  std::vector<double> ImplicitProblem<dim>::loadConfiguration(ConstSpan z) const
  {
    return rule_ == ImplicitRule::quasiStatic ? end(z) : middle(z);
  }

  template<int dim>
  void ImplicitProblem<dim>::configuration(const NodeVector<dim>& z, Span q) const
  {
    const auto result = end(numbers<dim>(z));
    std::copy(result.begin(), result.end(), q.begin());
  }

  template<int dim>
  std::vector<double> ImplicitProblem<dim>::increment(const NodeVector<dim>& z) const
  {
    const ConstSpan zs = numbers<dim>(z);
    std::vector<double> D(zs.begin(), zs.end());
    for (std::size_t i = 0; i < model_.solidNodes() * dim; ++i)
      D[i] -= x_[i];
    return D;
  }

  template<int dim>
  void ImplicitProblem<dim>::velocities(const NodeVector<dim>& z, Span v) const
  {
    const ConstSpan zs = numbers<dim>(z);
    for (std::size_t i = 0; i < model_.solidNodes() * dim; ++i)
      v[i] = 2 * (zs[i] - x_[i]) / h_ - v_[i];
    for (std::size_t k = 0; k < rigid_.size(); ++k)
      rigid_[k].velocities(&zs[model_.rigid[k].node * dim], &v[model_.rigid[k].node * dim]);
  }

  template<int dim>
  void ImplicitProblem<dim>::updateLoads(ConstSpan z)
  {
    external_.assign(v_.size(), 0);
    SparseVector force;
    const auto q = loadConfiguration(z);
    for (const auto& interaction : model_.system.interactions())
      interaction->addForce(loadTime(), q, force);
    addTo(force, 1, external_);
    for (const ImplicitRigid& one : model_.rigid)
      for (int c = 0; c < dim; ++c)
        external_[(one.node + 1) * dim + c] /= one.length;
    load_ = gravity_;
    for (std::size_t i = 0; i < load_.size(); ++i)
      load_[i] += external_[i];
  }

  template<int dim>
  void ImplicitProblem<dim>::buildPredictor()
  {
    predictor_.resize(model_.nodeCount());
    Span a = numbers<dim>(predictor_);
    for (std::size_t k = 0; k < rigid_.size(); ++k)
      rigid_[k].predict(&a[model_.rigid[k].node * dim]);
    for (std::size_t i = 0; i < model_.solidNodes() * dim; ++i)
      a[i] = model_.isFixed(i) || rule_ == ImplicitRule::quasiStatic ? x_[i] : x_[i] + h_ * v_[i];
    model_.system.placeMotions(end_, a);
  }

  //! The force that removes the overlap of the first guess
  template<int dim>
  double ImplicitProblem<dim>::contactForce()
  {
    model_.gaps(contactTime(), contactConfiguration(predictor_), gaps_);
    double overlap = 0;
    for (std::size_t p = 0; p < gaps_.size(); ++p)
      overlap = std::max(overlap, -gaps_[p].value / gaps_[p].weight);
    return overlap * (rule_ == ImplicitRule::quasiStatic
                        ? model_.stiffness
                        : 2 * model_.mass / (h_ * h_) + 0.5 * model_.stiffness);
  }

  /* The forces that balance: inertia of the given motion, loads, elastic forces of the start, and
   * for static problems those of the first guess; contact. Forces that deform cells by less than
   * the rounding of their size are none: a body from which contact has gone is at rest. */
  template<int dim>
  double ImplicitProblem<dim>::forces()
  {
    std::vector<double> inertia(v_.size(), 0), elastic(v_.size(), 0);
    const bool isStatic = rule_ == ImplicitRule::quasiStatic;
    const ConstSpan u = isStatic ? numbers<dim>(predictor_) : ConstSpan(x_);
    for (const auto& member : model_.members) {
      if (!isStatic)
        member.body->addMassProduct(1 / h_, member.slice(ConstSpan(v_)),
                                    member.slice(Span(inertia)));
      member.body->addMidpointForce(member.slice(u), member.slice(u), 1,
                                    member.slice(Span(elastic)));
    }
    const double least = std::numeric_limits<double>::epsilon() * model_.stiffness * lengthScale();
    double scale =
      std::max({maxNorm(inertia), maxNorm(load_), maxNorm(elastic), contactForce(), least});
    for (const RigidStep& one : rigid_)
      scale = std::max(scale, one.forces());
    return std::isfinite(scale) && scale > 0 ? scale : std::numeric_limits<double>::min();
  }

  //! 2/tau^2 M (z - x - tau v) + f(x, z) - f_ext, or W'(z) - f_ext; also on fixed components
  template<int dim>
  bool ImplicitProblem<dim>::residual(const NodeVector<dim>& z, NodeVector<dim>& R)
  {
    const ConstSpan zs = numbers<dim>(z);
    const Span r = numbers<dim>(R);
    if (model_.followerLoads || !rigid_.empty()) // arms of forces on rigid bodies turn
      updateLoads(zs);
    std::fill(r.begin(), r.end(), 0);
    for (std::size_t k = 0; k < rigid_.size(); ++k)
      rigid_[k].residual(&zs[model_.rigid[k].node * dim], &r[model_.rigid[k].node * dim]);
    for (std::size_t i = 0; i < r.size(); ++i)
      r[i] -= load_[i];
    std::vector<double> inertia(r.size());
    for (std::size_t i = 0; i < model_.solidNodes() * dim; ++i)
      inertia[i] = (zs[i] - x_[i]) - h_ * v_[i];
    for (const auto& member : model_.members) {
      const ConstSpan u0 = member.slice(ConstSpan(x_)), u1 = member.slice(zs);
      if (!std::isfinite(member.body->storedEnergy(u1)))
        return false;
      if (rule_ == ImplicitRule::quasiStatic) {
        member.body->addMidpointForce(u1, u1, 1, member.slice(r));
        continue;
      }
      member.body->addMassProduct(2 / (h_ * h_), member.slice(ConstSpan(inertia)), member.slice(r));
      if (rule_ == ImplicitRule::dissipative)
        member.body->addAveragedForce(u0, u1, 1, member.slice(r));
      else
        member.body->addMidpointForce(u0, u1, 1, member.slice(r));
    }
    return true;
  }

  /* 2/tau^2 M + 1/2 W''((x+z)/2), the symmetric surrogate of the averaged force, or W''(z) with a
   * little mass if the solver needs it. The last changes the way to the solution of a static
   * problem but not the solution. */
  template<int dim>
  const BlockMatrix<dim>& ImplicitProblem<dim>::matrix(const NodeVector<dim>& z)
  {
    const ConstSpan zs = numbers<dim>(z);
    for (auto& member : model_.members) {
      auto& A = member.scratch;
      A.clear();
      const ConstSpan u0 = member.slice(ConstSpan(x_)), u1 = member.slice(zs);
      if (rule_ == ImplicitRule::quasiStatic) {
        member.body->addMass(1, A);
        const double mass = trace<dim>(A);
        A.clear();
        member.body->addMidpointTangent(u1, u1, 1, A);
        if (definite_)
          member.body->addMass(proximal * std::abs(trace<dim>(A)) / mass, A);
      }
      else {
        member.body->addMass(2 / (h_ * h_), A);
        if (rule_ == ImplicitRule::dissipative)
          member.body->addAveragedTangent(u0, u1, 1, A);
        else
          member.body->addMidpointTangent(u0, u1, 0.5, A);
      }
      A.forBlocks([&](std::size_t k) { matrix_.block(member.place[k]) = A.block[k]; });
    }
    for (std::size_t k = 0; k < rigid_.size(); ++k) {
      const std::size_t node = model_.rigid[k].node;
      auto &centre = matrix_.block(matrix_.diagonal(node)),
           &turn = matrix_.block(matrix_.diagonal(node + 1));
      const Matrix3 angular = rigid_[k].angularMass(&zs[node * dim]);
      centre = 0;
      for (int i = 0; i < dim; ++i) {
        centre[i][i] = rigid_[k].linearMass();
        for (int j = 0; j < dim; ++j)
          turn[i][j] = angular(i, j);
      }
    }
    if (model_.followerLoads)
      addLoadStiffness(zs);
    updateNoise(zs);
    return matrix_;
  }

  //! Symmetric part of the derivative of -f_ext, if loads follow the body; the rest cancels on
  //! closed surfaces
  template<int dim>
  void ImplicitProblem<dim>::addLoadStiffness(ConstSpan z)
  {
    Triplets entries;
    for (const auto& interaction : model_.system.interactions())
      interaction->addStiffness(loadTime(), loadConfiguration(z), entries);
    const double half = rule_ == ImplicitRule::quasiStatic ? 0.5 : 0.25;
    for (const auto& entry : entries) {
      const std::size_t i = entry.row(), j = entry.col();
      matrix_.block(matrix_.find(i / dim, j / dim))[i % dim][j % dim] += half * entry.value();
      matrix_.block(matrix_.find(j / dim, i / dim))[j % dim][i % dim] += half * entry.value();
    }
  }

  //! Displacements have a relative error of half an epsilon each, which stiffness makes a force
  template<int dim>
  void ImplicitProblem<dim>::updateNoise(ConstSpan z)
  {
    double stiffness = 0;
    for (std::size_t i = 0; i < matrix_.size(); ++i)
      for (int c = 0; c < dim; ++c)
        stiffness = std::max(stiffness, std::abs(matrix_.block(matrix_.diagonal(i))[c][c]));
    noise_ = std::numeric_limits<double>::epsilon() * stiffness * maxNorm(z);
  }

  /* 1/tau^2 (z-a).M(z-a) + 2 W((x+z)/2) - f_ext.(z-a) with the free flight a = x + tau v, or
   * W(z) - f_ext.(z-x). Loads that follow the body and rotations have no potential. */
  template<int dim>
  std::optional<double> ImplicitProblem<dim>::energy(const NodeVector<dim>& z)
  {
    if (rule_ == ImplicitRule::dissipative || model_.followerLoads || !rigid_.empty())
      return std::nullopt;
    const bool isStatic = rule_ == ImplicitRule::quasiStatic;
    const ConstSpan zs = numbers<dim>(z);
    std::vector<double> way(x_.size()), u(x_.size()), product(x_.size(), 0);
    for (std::size_t i = 0; i < way.size(); ++i) {
      way[i] = isStatic ? zs[i] - x_[i] : (zs[i] - x_[i]) - h_ * v_[i];
      u[i] = isStatic ? zs[i] : 0.5 * (x_[i] + zs[i]);
    }
    double sum = 0;
    for (const auto& member : model_.members) {
      if (!isStatic)
        member.body->addMassProduct(1 / (h_ * h_), member.slice(ConstSpan(way)),
                                    member.slice(Span(product)));
      sum += (isStatic ? 1 : 2) * member.body->storedEnergy(member.slice(ConstSpan(u)));
    }
    for (std::size_t i = 0; i < way.size(); ++i)
      sum += (product[i] - load_[i]) * way[i];
    return sum;
  }

  //! Derivative of the configuration of the gaps with respect to z
  template<int dim>
  double ImplicitProblem<dim>::meanFactor() const
  {
    return rule_ == ImplicitRule::midpoint ? 0.5 : 1;
  }

  template<int dim>
  double ImplicitProblem<dim>::contactTime() const
  {
    return rule_ == ImplicitRule::midpoint ? end_ - 0.5 * h_ : end_;
  }

  template<int dim>
  std::vector<double> ImplicitProblem<dim>::contactConfiguration(const NodeVector<dim>& z) const
  {
    return rule_ == ImplicitRule::midpoint ? middle(numbers<dim>(z)) : end(numbers<dim>(z));
  }

  //! From moments to forces on L theta
  template<int dim>
  void ImplicitProblem<dim>::scaleTurns(std::vector<NodeEntry<dim>>& row) const
  {
    for (auto& entry : row)
      if (isTurn(entry.node))
        entry.value /= rigid_[rigidOf(entry.node)].length();
  }

  template<int dim>
  std::optional<NodeTurn<dim>> ImplicitProblem<dim>::scaled(std::optional<NodeTurn<dim>> turn) const
  {
    if (turn)
      turn->arm /= rigid_[rigidOf(turn->node)].length();
    return turn;
  }

  //! The derivative of a gap by z, from that in the configuration of the gaps: rotations of it
  //! follow those of z
  template<int dim>
  std::vector<NodeEntry<dim>> ImplicitProblem<dim>::derivativeRow(
    std::span<const NodeEntry<dim>> row, ConstSpan z) const
  {
    std::vector<NodeEntry<dim>> result(row.begin(), row.end());
    for (auto& [node, value] : result)
      if constexpr (dim == 3) {
        if (!isTurn(node)) {
          value *= meanFactor();
          continue;
        }
        const RigidStep& one = rigid_[rigidOf(node)];
        const double* y = &z[(node - 1) * dim];
        const Matrix3 tangent =
          rule_ == ImplicitRule::midpoint ? one.middleTangent(y) : one.tangent(y);
        value = toVec3(tangent.transpose() * toEigen(value));
      }
      else
        value *= meanFactor();
    return result;
  }

  template<int dim>
  void ImplicitProblem<dim>::constraints(const NodeVector<dim>& z,
                                         SignoriniConstraints<dim>& constraints)
  {
    constraints.clear();
    model_.gaps(contactTime(), contactConfiguration(z), gaps_);
    if (rule_ == ImplicitRule::dissipative)
      return addDiscreteGradients(z, constraints);
    const double factor = meanFactor();
    std::vector<NodeEntry<dim>> row;
    for (std::size_t p = 0; p < gaps_.size(); ++p) {
      const auto& gap = gaps_[p];
      row.assign(gaps_.derivative(p).begin(), gaps_.derivative(p).end());
      for (auto& entry : row)
        entry.value *= factor;
      scaleTurns(row);
      constraints.add({gap.multiplier, gap.node, gap.value, factor * gap.slope * gap.weight,
                       gap.weight, gap.direction, scaled(gap.turn)},
                      row, derivativeRow(gaps_.derivative(p), numbers<dim>(z)), gaps_.mortar(p));
    }
  }

  /* Both gap sets have increasing multipliers; a gap that exists at one end only has no constraint
   * in this step. phi = c(z) + max(0, -c(x)). */
  template<int dim>
  void ImplicitProblem<dim>::addDiscreteGradients(const NodeVector<dim>& z,
                                                  SignoriniConstraints<dim>& constraints)
  {
    std::size_t other = 0;
    const auto q = end(numbers<dim>(z));
    std::vector<NodeEntry<dim>> own;
    for (std::size_t p = 0; p < gaps_.size(); ++p) {
      const auto& gap = gaps_[p];
      while (other < start_.size() && start_[other].multiplier < gap.multiplier)
        ++other;
      if (other == start_.size() || start_[other].multiplier != gap.multiplier)
        continue;
      const std::size_t contact = model_.contactOf(gap.multiplier);
      const auto& coupling = model_.geometry(contact);
      const typename SignoriniConstraints<dim>::Constraint constraint{
        gap.multiplier,         gap.node,   gap.value + std::max(0.0, -start_[other].value),
        gap.slope * gap.weight, gap.weight, gap.direction,
        scaled(gap.turn)};
      const auto derivative = derivativeRow(gaps_.derivative(p), numbers<dim>(z));
      if (coupling.discreteGradient(x_, q, gap.multiplier - model_.multiplierBegin[contact], own)) {
        scaleTurns(own);
        constraints.add(constraint, own, derivative, gaps_.mortar(p));
        continue;
      }
      const auto drive =
        coupling.obstacleDisplacement(end_) - coupling.obstacleDisplacement(end_ - h_);
      const std::span<const FieldVector<double, dim>> positions =
        coupling.mortarSurface() ? std::span<const FieldVector<double, dim>>(positions_)
                                 : std::span<const FieldVector<double, dim>>();
      const auto& row =
        gradient_.row(start_.derivative(other), gaps_.derivative(p), x_, numbers<dim>(z), positions,
                      drive, gap.value - start_[other].value, model_.length);
      constraints.add(constraint, row, derivative, gaps_.mortar(p));
    }
  }

  /* -sum mu_p phi_p'' as the derivative of the force rows: c'' at the end, 1/4 c'' at the middle,
   * and half of c'' for the discrete gradient, whose correction is left out. */
  template<int dim>
  void ImplicitProblem<dim>::addCurvature(const NodeVector<dim>& z, const std::vector<double>& mu,
                                          std::vector<MatrixBlock<dim>>& blocks)
  {
    const auto u = contactConfiguration(z);
    for (std::size_t k = 0; k < model_.contacts.size(); ++k) {
      const std::span<const double> own(mu.data() + model_.multiplierBegin[k],
                                        model_.multiplierBegin[k + 1] - model_.multiplierBegin[k]);
      model_.geometry(k).addCurvature(contactTime(), u, own, blocks);
    }
    const double factor = rule_ == ImplicitRule::dissipative ? 0.5 : meanFactor() * meanFactor();
    for (auto& block : blocks)
      block.value *= -factor;
  }

  template class ImplicitProblem<2>;
  template class ImplicitProblem<3>;

} // namespace Dune::Impact
