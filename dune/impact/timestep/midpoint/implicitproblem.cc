// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dune/impact/timestep/midpoint/implicitproblem.hh>

namespace Dune::Impact {

  namespace {

    //! Part of the stiffness that is added as mass to a static problem, so that bodies without
    //! support are held
    constexpr double proximal = 1e-10;

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

  } // namespace

  template<int dim>
  ImplicitProblem<dim>::ImplicitProblem(const ImplicitModel<dim>& model,
                                        const MidpointRule<dim>& rule,
                                        ImplicitWorkspace<dim>& workspace, const State& from,
                                        double h, double end, bool definite)
    : model_(model)
    , rule_(rule)
    , workspace_(workspace)
    , x_(from.q)
    , v_(from.p)
    , h_(h)
    , end_(end)
    , definite_(definite)
  {
    for (const ImplicitRigid& one : model_.rigid)
      rigid_.emplace_back(*one.body, &x_[one.configuration], &v_[one.node * dim], h_, one.length);
    gravity_.assign(v_.size(), 0);
    for (const auto& member : model_.members)
      member.body->addGravity(1, member.slice(Span(gravity_)));
    positions_ = model_.nodePositions();
    for (std::size_t k = 0; k < model_.contactCount(); ++k)
      obstacleIncrement_.push_back(model_.obstacleIncrement(k, end_, h_));
    workspace_.beginStep(model_, from.time, from.q);
    std::vector<double> begin(v_.size(), 0);
    std::copy_n(x_.begin(), model_.solidNodes() * dim, begin.begin());
    updateLoads(begin);
    buildPredictor();
    scale_ = forces();
    if (rule_.usesStartGaps() || model_.hasFriction())
      start_ = &workspace_.start.at(model_, end_ - h_, x_);
  }

  template<int dim>
  double ImplicitProblem<dim>::time(StepPoint point) const
  {
    return point == StepPoint::end ? end_ : end_ - 0.5 * h_;
  }

  template<int dim>
  std::vector<double> ImplicitProblem<dim>::configuration(StepPoint point, ConstSpan z) const
  {
    return point == StepPoint::end ? end(z) : middle(z);
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
  void ImplicitProblem<dim>::configuration(const NodeVector<dim>& z, Span q) const
  {
    const auto result = end(numbers<dim>(z));
    std::copy(result.begin(), result.end(), q.begin());
  }

  //! D = z - x; the unknowns of rigid bodies are increments themselves
  template<int dim>
  std::vector<double> ImplicitProblem<dim>::increment(const NodeVector<dim>& z) const
  {
    const ConstSpan zs = numbers<dim>(z);
    std::vector<double> D(zs.begin(), zs.end());
    for (std::size_t i = 0; i < model_.solidNodes() * dim; ++i)
      D[i] -= x_[i];
    return D;
  }

  //! v+ = 2 (z - x)/tau - v
  template<int dim>
  void ImplicitProblem<dim>::velocities(const NodeVector<dim>& z, Span v) const
  {
    const ConstSpan zs = numbers<dim>(z);
    for (std::size_t i = 0; i < model_.solidNodes() * dim; ++i)
      v[i] = 2 * (zs[i] - x_[i]) / h_ - v_[i];
    for (std::size_t k = 0; k < rigid_.size(); ++k)
      rigid_[k].velocities(&zs[model_.rigid[k].node * dim], &v[model_.rigid[k].node * dim]);
  }

  //! f_ext at the load point of the rule. A moment m on a rigid body is the force m/L on its
  //! unknown L theta.
  template<int dim>
  void ImplicitProblem<dim>::updateLoads(ConstSpan z)
  {
    external_.assign(v_.size(), 0);
    SparseVector force;
    const auto q = configuration(rule_.loadPoint(), z);
    for (const auto& interaction : model_.system.interactions())
      interaction->addForce(time(rule_.loadPoint()), q, force);
    addTo(force, 1, external_);
    for (const ImplicitRigid& one : model_.rigid)
      for (int c = 0; c < dim; ++c)
        external_[(one.node + 1) * dim + c] /= one.length;
    load_ = gravity_;
    for (std::size_t i = 0; i < load_.size(); ++i)
      load_[i] += external_[i];
  }

  //! Free flight x + tau v, or x without inertia; prescribed components are where they end
  template<int dim>
  void ImplicitProblem<dim>::buildPredictor()
  {
    predictor_.resize(model_.nodeCount());
    Span a = numbers<dim>(predictor_);
    for (std::size_t k = 0; k < rigid_.size(); ++k)
      rigid_[k].predict(&a[model_.rigid[k].node * dim]);
    for (std::size_t i = 0; i < model_.solidNodes() * dim; ++i)
      a[i] = model_.isFixed(i) || !rule_.hasInertia() ? x_[i] : x_[i] + h_ * v_[i];
    model_.system.placeMotions(end_, a);
  }

  //! 2/tau^2 M (z - x - tau v) + f(x, z) - f_ext, the first term with inertia only; also on fixed
  //! components
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
      if (rule_.hasInertia())
        member.body->addMassProduct(2 / (h_ * h_), member.slice(ConstSpan(inertia)),
                                    member.slice(r));
      rule_.addForce(*member.body, u0, u1, member.slice(r));
    }
    return true;
  }

  /* 2/tau^2 M and the tangent of the rule; without inertia the tangent with a little mass if the
   * solver needs it. The latter changes the way to the solution of a static problem but not the
   * solution. */
  template<int dim>
  void ImplicitProblem<dim>::bodyMatrix(const ImplicitMember<dim>& member, ConstSpan z,
                                        typename ImplicitBody<dim>::Matrix& A) const
  {
    const ConstSpan u0 = member.slice(ConstSpan(x_)), u1 = member.slice(z);
    A.clear();
    if (rule_.hasInertia()) {
      member.body->addMass(2 / (h_ * h_), A);
      rule_.addTangent(*member.body, u0, u1, A);
      return;
    }
    member.body->addMass(1, A);
    const double mass = trace<dim>(A);
    A.clear();
    rule_.addTangent(*member.body, u0, u1, A);
    if (definite_)
      member.body->addMass(proximal * std::abs(trace<dim>(A)) / mass, A);
  }

  //! 2 m/tau^2 for the centre and the inertia of the middle for the rotation: symmetric and
  //! positive, in place of the derivative of the residual
  template<int dim>
  void ImplicitProblem<dim>::rigidMatrix(ConstSpan z)
  {
    auto& matrix = workspace_.matrix;
    for (std::size_t k = 0; k < rigid_.size(); ++k) {
      const std::size_t node = model_.rigid[k].node;
      auto &centre = matrix.block(matrix.diagonal(node)),
           &turn = matrix.block(matrix.diagonal(node + 1));
      const Matrix3 angular = rigid_[k].angularMass(&z[node * dim]);
      centre = 0;
      for (int i = 0; i < dim; ++i) {
        centre[i][i] = rigid_[k].linearMass();
        for (int j = 0; j < dim; ++j)
          turn[i][j] = angular(i, j);
      }
    }
  }

  //! 2/tau^2 M plus the symmetric tangents of f and -f_ext, without contact
  template<int dim>
  const BlockMatrix<dim>& ImplicitProblem<dim>::matrix(const NodeVector<dim>& z)
  {
    const ConstSpan zs = numbers<dim>(z);
    auto& matrix = workspace_.matrix;
    for (std::size_t b = 0; b < model_.members.size(); ++b) {
      const auto& member = model_.members[b];
      auto& A = workspace_.bodies[b];
      bodyMatrix(member, zs, A);
      A.forBlocks([&](std::size_t k) { matrix.block(member.place[k]) = A.block[k]; });
    }
    rigidMatrix(zs);
    if (model_.followerLoads)
      addLoadStiffness(zs);
    updateNoise(zs);
    return matrix;
  }

  //! Symmetric part of the derivative of -f_ext, if loads follow the body; the rest cancels on
  //! closed surfaces
  template<int dim>
  void ImplicitProblem<dim>::addLoadStiffness(ConstSpan z)
  {
    Triplets entries;
    auto& matrix = workspace_.matrix;
    const auto q = configuration(rule_.loadPoint(), z);
    for (const auto& interaction : model_.system.interactions())
      interaction->addStiffness(time(rule_.loadPoint()), q, entries);
    const double half = rule_.loadPoint() == StepPoint::end ? 0.5 : 0.25;
    for (const auto& entry : entries) {
      const std::size_t i = entry.row(), j = entry.col();
      matrix.block(matrix.find(i / dim, j / dim))[i % dim][j % dim] += half * entry.value();
      matrix.block(matrix.find(j / dim, i / dim))[j % dim][i % dim] += half * entry.value();
    }
  }

  /* 1/tau^2 (z-a).M(z-a) + U(x, z) - f_ext.(z-a) with the potential U of the bulk force and the
   * free flight a = x + tau v, or U(x, z) - f_ext.(z-x). Loads that follow the body and rotations
   * have no potential. */
  template<int dim>
  std::optional<double> ImplicitProblem<dim>::energy(const NodeVector<dim>& z)
  {
    if (model_.followerLoads || !rigid_.empty())
      return std::nullopt;
    const bool inertia = rule_.hasInertia();
    const ConstSpan zs = numbers<dim>(z);
    double sum = 0;
    for (const auto& member : model_.members) {
      const auto own = rule_.potential(*member.body, member.slice(ConstSpan(x_)), member.slice(zs));
      if (!own)
        return std::nullopt;
      sum += *own;
    }
    std::vector<double> way(x_.size()), product(x_.size(), 0);
    for (std::size_t i = 0; i < way.size(); ++i)
      way[i] = inertia ? (zs[i] - x_[i]) - h_ * v_[i] : zs[i] - x_[i];
    if (inertia)
      for (const auto& member : model_.members)
        member.body->addMassProduct(1 / (h_ * h_), member.slice(ConstSpan(way)),
                                    member.slice(Span(product)));
    for (std::size_t i = 0; i < way.size(); ++i)
      sum += (product[i] - load_[i]) * way[i];
    return sum;
  }

  //! Derivative of the configuration of the gaps with respect to z
  template<int dim>
  double ImplicitProblem<dim>::gapFactor() const
  {
    return rule_.gapPoint() == StepPoint::middle ? 0.5 : 1;
  }

  //! Gaps at a configuration, at the instant that the rule wants
  template<int dim>
  const WeightedGaps<dim>& ImplicitProblem<dim>::gapsAt(ConstSpan q)
  {
    return workspace_.current.at(model_, time(rule_.gapPoint()), q);
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
    const double factor = gapFactor();
    for (auto& [node, value] : result)
      if constexpr (dim == 3) {
        if (!isTurn(node)) {
          value *= factor;
          continue;
        }
        const RigidStep& one = rigid_[rigidOf(node)];
        const double* y = &z[(node - 1) * dim];
        const Matrix3 tangent =
          rule_.gapPoint() == StepPoint::middle ? one.middleTangent(y) : one.tangent(y);
        value = toVec3(tangent.transpose() * toEigen(value));
      }
      else
        value *= factor;
    return result;
  }

  //! The gap of the same multiplier at the beginning of the step; multipliers increase in both
  //! sets. False if there is no such gap.
  template<int dim>
  bool ImplicitProblem<dim>::findStart(StepGap<dim>& gap, std::size_t& next) const
  {
    const std::size_t multiplier = gap.gap->multiplier;
    while (next < start_->size() && (*start_)[next].multiplier < multiplier)
      ++next;
    if (next == start_->size() || (*start_)[next].multiplier != multiplier)
      return false;
    gap.start = &(*start_)[next];
    gap.startDerivative = start_->derivative(next);
    return true;
  }

  /* Slip and friction row of a point that has a gap at both ends of the step. The slip is that of
   * T(x, z), with the motion of an obstacle taken off. Forces of a rule that balances at the end
   * are those of T(z, z), and the slip is turned into their tangent plane. */
  template<int dim>
  std::span<const NodeMatrix<dim>> ImplicitProblem<dim>::addFriction(
    const SlipEnd<dim>& start, const SlipEnd<dim>& end, ConstSpan z, std::size_t contact,
    typename SignoriniConstraints<dim>::Constraint& constraint)
  {
    const auto position = [&](double partOfX) {
      return [this, z, partOfX](std::size_t node) {
        FieldVector<double, dim> m = positions_[node];
        for (int c = 0; c < dim; ++c)
          m[c] += partOfX * x_[node * dim + c] + (1 - partOfX) * z[node * dim + c];
        return m;
      };
    };
    auto turn = scaled(end.gap->turn);
    if (turn) {
      turn->arm += scaled(start.gap->turn)->arm;
      turn->arm *= 0.5;
    }
    SlipRow<dim>& row = workspace_.slip;
    const auto* entries = &row.make(start, end, position(0.5), turn);
    FieldVector<double, dim> slip(0), motion;
    for (const auto& [node, value] : *entries) {
      for (int c = 0; c < dim; ++c)
        motion[c] = z[node * dim + c] - (node < model_.solidNodes() ? x_[node * dim + c] : 0);
      if (node == constraint.node)
        motion -= obstacleIncrement_[contact];
      value.umv(motion, slip);
    }
    constraint.friction = model_.friction(contact);
    constraint.axis = row.axis() / row.axis().two_norm();
    if (rule_.frictionPoint() == StepPoint::end) {
      const auto axis = constraint.axis;
      entries = &row.make(end, end, position(0), scaled(end.gap->turn));
      constraint.axis = row.axis() / row.axis().two_norm();
      slip = turned(axis, constraint.axis, slip);
    }
    constraint.slip = slip;
    return *entries;
  }

  /* One constraint phi_p >= 0 per gap, with its force row B_p and its derivative by z. For rules
   * with gaps at the start a gap that exists at one end only has none. Gaps and multipliers
   * increase together, so that one pass finds the contact and the start gap of each. */
  template<int dim>
  void ImplicitProblem<dim>::constraints(const NodeVector<dim>& z,
                                         SignoriniConstraints<dim>& constraints)
  {
    constraints.clear();
    const ConstSpan zs = numbers<dim>(z);
    const auto q = configuration(rule_.gapPoint(), zs);
    const auto& gaps = gapsAt(q);
    const StepMotion<dim> motion{x_, zs, q, positions_, model_.length, workspace_.gradient};
    StepGap<dim> step{.factor = gapFactor(), .motion = &motion};
    std::vector<NodeEntry<dim>> row;
    for (std::size_t p = 0, start = 0, contact = 0; p < gaps.size(); ++p) {
      const auto& gap = gaps[p];
      step.gap = &gap;
      step.derivative = gaps.derivative(p);
      const bool atBothEnds = start_ && findStart(step, start);
      if (rule_.usesStartGaps() && !atBothEnds)
        continue;
      while (model_.multiplierBegin[contact + 1] <= gap.multiplier)
        ++contact;
      step.geometry = &model_.geometry(contact);
      step.multiplier = gap.multiplier - model_.multiplierBegin[contact];
      step.obstacleIncrement = obstacleIncrement_[contact];
      rule_.forceRow(step, row);
      scaleTurns(row);
      typename SignoriniConstraints<dim>::Constraint constraint{
        gap.multiplier, gap.node,      rule_.constraint(step), step.factor * gap.slope * gap.weight,
        gap.weight,     gap.direction, scaled(gap.turn)};
      std::span<const NodeMatrix<dim>> friction;
      if (atBothEnds && model_.friction(contact) > 0)
        friction = addFriction({step.start, start_->mortar(start), start_->shares(start)},
                               {&gap, gaps.mortar(p), gaps.shares(p)}, zs, contact, constraint);
      constraints.add(constraint, row, derivativeRow(gaps.derivative(p), zs), gaps.mortar(p),
                      friction);
    }
  }

  //! -sum mu_p phi_p'' as the derivative of the force rows
  template<int dim>
  void ImplicitProblem<dim>::addCurvature(const NodeVector<dim>& z, const std::vector<double>& mu,
                                          std::vector<MatrixBlock<dim>>& blocks)
  {
    const auto u = configuration(rule_.gapPoint(), numbers<dim>(z));
    for (std::size_t k = 0; k < model_.contactCount(); ++k) {
      const std::span<const double> own(mu.data() + model_.multiplierBegin[k],
                                        model_.multiplierBegin[k + 1] - model_.multiplierBegin[k]);
      model_.geometry(k).addCurvature(time(rule_.gapPoint()), u, own, blocks);
    }
    const double factor = rule_.curvatureFactor();
    for (auto& block : blocks)
      block.value *= -factor;
  }

  template class ImplicitProblem<2>;
  template class ImplicitProblem<3>;

} // namespace Dune::Impact
