// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <dune/impact/timestep/midpoint.hh>

namespace Dune::Impact {

  namespace {

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

  //! The nonlinear problem of one step, for the SQP
  template<int dim>
  class Midpoint<dim>::Problem : public StepProblem<dim>
  {
  public:
    Problem(const Midpoint& stepper, const State& from, double h, double end)
      : stepper_(stepper), x_(from.q), v_(from.p), h_(h), end_(end), matrix_(stepper.pattern_)
    {
      const std::size_t n = x_.size();
      load_.assign(n, 0);
      for (const Member& member : stepper_.members_)
        member.body->addGravity(1, member.slice(Span(load_)));
      addInteractions();
      predictor_.resize(n / dim);
      Span a = numbers<dim>(predictor_);
      for (std::size_t i = 0; i < n; ++i)
        a[i] = stepper_.fixed_[i / dim] >> i % dim & 1 ? x_[i] : x_[i] + h_ * v_[i];
      stepper_.system_.placeMotions(end_, a);
      scale_ = forces();
      if (rule() == MidpointRule::dissipative)
        for (std::size_t k = 0; k < stepper_.contacts_.size(); ++k)
          stepper_.contacts_[k].coupling->addGaps(end_ - h_, x_, stepper_.slotBegin_[k], start_);
    }

    const NodeVector<dim>& predictor() const { return predictor_; }
    ConstSpan externalLoad() const { return external_; }

    std::size_t size() const override { return predictor_.size(); }
    const NodeMask& fixed() const override { return stepper_.fixed_; }
    double forceScale() const override { return scale_; }
    double lengthScale() const override { return stepper_.length_; }

    //! 2/tau^2 M (z - a) + f(x, z) - f_ext with the free flight a = x + tau v, also on fixed components
    bool residual(const NodeVector<dim>& z, NodeVector<dim>& R) override
    {
      const std::size_t n = x_.size();
      std::vector<double> inertia(n);
      const ConstSpan zs = numbers<dim>(z);
      for (std::size_t i = 0; i < n; ++i)
        inertia[i] = (zs[i] - x_[i]) - h_ * v_[i];
      const Span r = numbers<dim>(R);
      for (std::size_t i = 0; i < n; ++i)
        r[i] = -load_[i];
      for (const Member& member : stepper_.members_) {
        const ConstSpan u0 = member.slice(ConstSpan(x_)), u1 = member.slice(zs);
        if (!std::isfinite(member.body->storedEnergy(u1)))
          return false;
        member.body->addMassProduct(2 / (h_ * h_), member.slice(ConstSpan(inertia)), member.slice(r));
        if (rule() == MidpointRule::dissipative)
          member.body->addAveragedForce(u0, u1, 1, member.slice(r));
        else
          member.body->addMidpointForce(u0, u1, 1, member.slice(r));
      }
      return true;
    }

    //! 2/tau^2 M + 1/2 W''((x+z)/2), or the symmetric surrogate of the averaged force
    const BlockMatrix<dim>& matrix(const NodeVector<dim>& z) override
    {
      const ConstSpan zs = numbers<dim>(z);
      for (const Member& member : stepper_.members_) {
        typename ImplicitBody<dim>::Matrix A(member.body->pattern());
        const ConstSpan u0 = member.slice(ConstSpan(x_)), u1 = member.slice(zs);
        member.body->addMass(2 / (h_ * h_), A);
        if (rule() == MidpointRule::dissipative)
          member.body->addAveragedTangent(u0, u1, 1, A);
        else
          member.body->addMidpointTangent(u0, u1, 0.5, A);
        for (std::size_t k = 0; k < member.place.size(); ++k)
          matrix_.block(member.place[k]) = A.block[k];
      }
      return matrix_;
    }

    //! J(z) - J(a) + 2 W = 1/tau^2 (z-a).M(z-a) + 2 W((x+z)/2) - f_ext.(z-a)
    std::optional<double> energy(const NodeVector<dim>& z) override
    {
      if (rule() == MidpointRule::dissipative)
        return std::nullopt;
      const std::size_t n = x_.size();
      const ConstSpan zs = numbers<dim>(z);
      std::vector<double> way(n), mean(n), product(n, 0);
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) {
        way[i] = (zs[i] - x_[i]) - h_ * v_[i];
        mean[i] = 0.5 * (x_[i] + zs[i]);
      }
      for (const Member& member : stepper_.members_) {
        member.body->addMassProduct(1 / (h_ * h_), member.slice(ConstSpan(way)), member.slice(Span(product)));
        sum += 2 * member.body->storedEnergy(member.slice(ConstSpan(mean)));
      }
      for (std::size_t i = 0; i < n; ++i)
        sum += (product[i] - load_[i]) * way[i];
      return sum;
    }

    void constraints(const NodeVector<dim>& z, Constraints<dim>& constraints) override
    {
      constraints.clear();
      gaps_.clear();
      const bool middle = rule() == MidpointRule::midpoint;
      std::vector<double> u(numbers<dim>(z).begin(), numbers<dim>(z).end());
      if (middle)
        for (std::size_t i = 0; i < u.size(); ++i)
          u[i] = 0.5 * (u[i] + x_[i]);
      for (std::size_t k = 0; k < stepper_.contacts_.size(); ++k)
        stepper_.contacts_[k].coupling->addGaps(middle ? end_ - 0.5 * h_ : end_, u, stepper_.slotBegin_[k], gaps_);
      if (rule() == MidpointRule::dissipative)
        return addDiscreteGradients(z, constraints);
      const double factor = middle ? 0.5 : 1;
      for (std::size_t p = 0; p < gaps_.size(); ++p) {
        const auto& gap = gaps_[p];
        constraints.add({gap.slot, gap.node, gap.value, factor * gap.weight, gap.weight, gap.normal});
        for (const auto& [node, value] : gaps_.derivative(p)) {
          auto scaled = value;
          constraints.addEntry({node, scaled *= factor});
        }
        constraints.finishRow();
      }
    }

  private:
    MidpointRule rule() const { return stepper_.settings_.rule; }

    //! Springs and loads at the middle of the step; external ones are kept for the ledger
    void addInteractions()
    {
      external_.assign(x_.size(), 0);
      SparseVector force;
      for (const auto& interaction : stepper_.system_.interactions()) {
        force.clear();
        interaction->addForce(end_ - 0.5 * h_, x_, force);
        addTo(force, 1, load_);
        addTo(force, 1, external_);
      }
    }

    //! The forces that balance: inertia of the given motion, loads, elastic forces of the start
    double forces() const
    {
      std::vector<double> inertia(x_.size(), 0), elastic(x_.size(), 0);
      for (const Member& member : stepper_.members_) {
        const ConstSpan u = member.slice(ConstSpan(x_));
        member.body->addMassProduct(1 / h_, member.slice(ConstSpan(v_)), member.slice(Span(inertia)));
        member.body->addMidpointForce(u, u, 1, member.slice(Span(elastic)));
      }
      const double scale = std::max({maxNorm(inertia), maxNorm(load_), maxNorm(elastic)});
      return scale > 0 ? scale : std::numeric_limits<double>::min();
    }

    /* B_p = g + e D/|D|^2 on the nodes of row p. Both gap sets come from the same couplings; a gap
     * that exists at one end only has no constraint in this step. */
    void addDiscreteGradients(const NodeVector<dim>& z, Constraints<dim>& constraints)
    {
      const ConstSpan zs = numbers<dim>(z);
      std::size_t other = 0;
      for (std::size_t p = 0; p < gaps_.size(); ++p) {
        const auto& gap = gaps_[p];
        while (other < start_.size() && start_[other].slot < gap.slot)
          ++other;
        if (other == start_.size() || start_[other].slot != gap.slot)
          continue;
        constraints.add({gap.slot, gap.node, gap.value + std::max(0.0, -start_[other].value), gap.weight, gap.weight, gap.normal});
        row_.clear();
        for (const auto* source : {&gaps_, &start_})
          for (const auto& [node, value] : source->derivative(source == &gaps_ ? p : other))
            addHalf(node, value);
        correctRow(zs, gap.value - start_[other].value);
        for (const auto& entry : row_)
          constraints.addEntry(entry);
        constraints.finishRow();
      }
    }

    void addHalf(std::size_t node, const FieldVector<double, dim>& value)
    {
      const auto known = std::find_if(row_.begin(), row_.end(), [&](const auto& entry) { return entry.node == node; });
      auto& entry = known == row_.end() ? row_.emplace_back(NodeEntry<dim>{node, FieldVector<double, dim>(0)}) : *known;
      entry.value.axpy(0.5, value);
    }

    //! Add e D/|D|^2 so that the row times D is the change of the gap
    void correctRow(ConstSpan z, double change)
    {
      double product = 0, square = 0;
      for (const auto& [node, value] : row_)
        for (int c = 0; c < dim; ++c) {
          const double D = z[node * dim + c] - x_[node * dim + c];
          product += value[c] * D;
          square += D * D;
        }
      if (square <= 1e-24 * stepper_.length_ * stepper_.length_)
        return;
      for (auto& [node, value] : row_)
        for (int c = 0; c < dim; ++c)
          value[c] += (change - product) / square * (z[node * dim + c] - x_[node * dim + c]);
    }

    const Midpoint& stepper_;
    const std::vector<double>& x_;
    const std::vector<double>& v_;
    double h_, end_, scale_;
    std::vector<double> load_, external_;
    NodeVector<dim> predictor_;
    GapSet<dim> gaps_, start_;
    BlockMatrix<dim> matrix_;
    std::vector<NodeEntry<dim>> row_;
  };

  template<int dim>
  Midpoint<dim>::Midpoint(const System& system, const std::vector<SurfaceContact<dim>>& contacts, const Settings& settings)
    : system_(system)
    , contacts_(contacts)
    , settings_(settings)
    , sqp_(settings.sqp, settings.inner)
  {
    slotBegin_.push_back(0);
    for (const auto& contact : contacts)
      slotBegin_.push_back(slotBegin_.back() + contact.coupling->slots());
    std::size_t nodes = 0;
    for (std::size_t i = 0; i < system.bodyCount(); ++i) {
      const auto* body = dynamic_cast<const ImplicitBody<dim>*>(&system.body(i));
      if (!body)
        throw InputError(system.body(i).name() + ": a midpoint rule cannot move this body");
      members_.push_back({body, nodes, {}});
      nodes += body->mesh().nodes.size();
      fixed_.insert(fixed_.end(), body->fixed().begin(), body->fixed().end());
    }
    for (const Motion& motion : system.motions())
      fixed_[motion.velocity / dim] |= NodeMask::value_type(1 << motion.velocity % dim);
    buildPattern();
    buildTransfers();
  }

  template<int dim>
  void Midpoint<dim>::buildPattern()
  {
    std::vector<std::size_t> rowBegin = {0};
    std::vector<typename BlockMatrix<dim>::Index> columns;
    length_ = std::numeric_limits<double>::infinity();
    for (const Member& member : members_) {
      const SparsityPattern& pattern = *member.body->pattern();
      for (std::size_t i = 0; i < pattern.rows(); ++i) {
        for (std::size_t k = pattern.rowStart[i]; k < pattern.rowStart[i + 1]; ++k)
          columns.push_back(typename BlockMatrix<dim>::Index(member.node + pattern.column[k]));
        rowBegin.push_back(columns.size());
      }
      const auto& mesh = member.body->mesh();
      for (const auto& facet : mesh.facets) // shortest edge of the surface
        for (int c = 0; c < facet.count; ++c)
          length_ = std::min(length_, (mesh.nodes[facet.node[c]] - mesh.nodes[facet.node[(c + 1) % facet.count]]).two_norm());
    }
    pattern_ = BlockMatrix<dim>(rowBegin, columns);
    for (Member& member : members_) {
      const SparsityPattern& pattern = *member.body->pattern();
      for (std::size_t i = 0; i < pattern.rows(); ++i)
        for (std::size_t k = pattern.rowStart[i]; k < pattern.rowStart[i + 1]; ++k)
          member.place.push_back(pattern_.find(member.node + i, member.node + pattern.column[k]));
    }
  }

  /* Levels are counted from the finest; a body without further levels stays as it is. */
  template<int dim>
  void Midpoint<dim>::buildTransfers()
  {
    std::size_t levels = 0;
    for (const Member& member : members_)
      levels = std::max(levels, member.body->mesh().prolongations.size());
    typename BoxMultigrid<dim>::Transfers transfers;
    for (std::size_t l = 0; settings_.multigrid && l < levels; ++l) {
      std::size_t coarse = 0, begin = 0;
      const auto prolongation = [&](const Member& member) -> const Prolongation* {
        const auto& all = member.body->mesh().prolongations;
        return l < all.size() ? &all[all.size() - 1 - l] : nullptr;
      };
      const auto fineNodes = [&](const Member& member) {
        const auto& all = member.body->mesh().prolongations;
        return all.empty() ? member.body->mesh().nodes.size() : l < all.size() ? all[all.size() - 1 - l].fineNodes() : all.front().coarseNodes;
      };
      for (const Member& member : members_)
        coarse += prolongation(member) ? prolongation(member)->coarseNodes : fineNodes(member);
      auto transfer = std::make_shared<Transfer<dim>>(coarse);
      for (const Member& member : members_) {
        const Prolongation* P = prolongation(member);
        for (std::size_t i = 0; i < fineNodes(member); ++i) {
          transfer->beginRow();
          if (!P)
            transfer->add(int(begin + i), 1.0);
          else
            for (std::size_t k = P->rowStart[i]; k < P->rowStart[i + 1]; ++k)
              transfer->add(int(begin + P->column[k]), P->weight[k]);
        }
        begin += P ? P->coarseNodes : fineNodes(member);
      }
      transfer->finish();
      transfers.push_back(transfer);
    }
    sqp_.setTransfers(transfers);
  }

  template<int dim>
  double Midpoint<dim>::minGap(double t, ConstSpan u, GapSet<dim>& gaps) const
  {
    gaps.clear();
    for (std::size_t k = 0; k < contacts_.size(); ++k)
      contacts_[k].coupling->addGaps(t, u, slotBegin_[k], gaps);
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t p = 0; p < gaps.size(); ++p)
      smallest = std::min(smallest, gaps[p].value / gaps[p].weight);
    return smallest;
  }

  template<int dim>
  State Midpoint<dim>::start(const State& initial, StepReport& report)
  {
    State state = initial;
    for (const Member& member : members_)
      member.body->initialVelocity(member.slice(Span(state.p)));
    state.history = {{"pressure", 1, std::vector<double>(slotBegin_.back(), 0)}};
    report = {};
    report.weight = settings_.step;
    report.pairImpulse.assign(contacts_.size(), 0);
    report.bodyImpulse.assign(system_.bodyCount(), Vec3(0));
    GapSet<dim> gaps;
    report.minGap = minGap(0, state.q, gaps);
    return state;
  }

  template<int dim>
  void Midpoint<dim>::step(const State& from, State& to, StepReport& report)
  {
    to = from;
    report = {};
    report.weight = settings_.step;
    report.pairImpulse.assign(contacts_.size(), 0);
    report.bodyImpulse.assign(system_.bodyCount(), Vec3(0));
    to.step = from.step + 1;
    advance(to, settings_.step, double(to.step) * settings_.step, report);
    GapSet<dim> gaps;
    report.minGap = minGap(to.time, to.q, gaps);
    to.ledger.shownDissipation = to.ledger.dissipation();
    to.ledger.shownExternalWork = to.ledger.externalWork;
  }

  //! One step of length h that ends at a time, or two of half the length if it cannot be solved
  template<int dim>
  void Midpoint<dim>::advance(State& state, double h, double end, StepReport& report)
  {
    const State before = state;
    const StepReport reportBefore = report;
    try {
      solveStep(state, h, end, report);
    }
    catch (const RunError&) {
      if (0.5 * h < settings_.minStep)
        throw;
      state = before;
      report = reportBefore;
      advance(state, 0.5 * h, end - 0.5 * h, report);
      advance(state, 0.5 * h, end, report);
    }
  }

  template<int dim>
  void Midpoint<dim>::solveStep(State& state, double h, double end, StepReport& report)
  {
    Problem problem(*this, state, h, end);
    NodeVector<dim> z = problem.predictor();
    std::vector<double> mu = state.history[0].values;
    sqpReport_ = sqp_.solve(problem, z, mu);
    report.solve.iterations += sqpReport_.iterations;
    report.solve.cycles += sqpReport_.cycles;
    report.solve.residual = std::max(report.solve.residual, sqpReport_.residual);
    if (!sqpReport_.converged)
      throw RunError(fmt::format("the step of length {:.3g} to time {:.6g} was not solved: residual {:.2g} of the forces, overlap {:.2g}, after {} iterations",
                                 h, end, sqpReport_.residual, sqpReport_.infeasibility, sqpReport_.iterations));
    book(problem, z, mu, h, state, report);
    const ConstSpan zs = numbers<dim>(z);
    for (std::size_t i = 0; i < zs.size(); ++i) {
      state.p[i] = 2 * (zs[i] - state.q[i]) / h - state.p[i];
      state.q[i] = zs[i];
    }
    state.history[0].values = mu;
    state.time = end;
  }

  /* Work of contact mu.B D, of loads f.D and of prescribed dofs R.D; impulses are the step times the
   * forces. */
  template<int dim>
  void Midpoint<dim>::book(Problem& problem, const NodeVector<dim>& z, const std::vector<double>& mu, double h, State& state, StepReport& report)
  {
    const ConstSpan zs = numbers<dim>(z);
    Constraints<dim> constraints;
    problem.constraints(z, constraints);
    NodeVector<dim> R(z.size());
    problem.residual(z, R);
    const ConstSpan r = numbers<dim>(R);
    slack_ = 0;
    for (std::size_t p = 0; p < constraints.size(); ++p) {
      for (const auto& [node, value] : constraints.row(p))
        R[node].axpy(-mu[constraints[p].slot], value);
      slack_ += mu[constraints[p].slot] * std::abs(constraints[p].value);
    }
    for (std::size_t i = 0; i < zs.size(); ++i) {
      const double D = zs[i] - state.q[i];
      state.ledger.externalWork += problem.externalLoad()[i] * D;
      if (fixed_[i / dim] >> i % dim & 1)
        state.ledger.externalWork += r[i] * D; // what holds it, contact apart
      else
        slack_ += std::abs(r[i] * D);
    }
    for (std::size_t p = 0; p < constraints.size(); ++p) {
      const double pressure = mu[constraints[p].slot];
      if (pressure == 0)
        continue;
      const std::size_t contact = std::upper_bound(slotBegin_.begin(), slotBegin_.end(), constraints[p].slot) - slotBegin_.begin() - 1;
      const std::size_t body = contacts_[contact].coupling->surface().body;
      const Member& member = members_[body];
      ++report.contacts;
      report.pairImpulse[contact] += h * pressure * constraints[p].weight;
      Vec3 impulse(0);
      for (const auto& [node, value] : constraints.row(p))
        for (int c = 0; c < dim; ++c) {
          state.ledger.contactWork += pressure * value[c] * (zs[node * dim + c] - state.q[node * dim + c]);
          if (node >= member.node && node < member.node + member.body->mesh().nodes.size())
            impulse[c] += h * pressure * value[c];
        }
      report.impulse += impulse;
      report.bodyImpulse[body] += impulse;
    }
  }

  template<int dim>
  void Midpoint<dim>::momentum(ConstSpan v, Span p) const
  {
    std::fill(p.begin(), p.end(), 0);
    for (const Member& member : members_)
      member.body->addMassProduct(1, member.slice(v), member.slice(p));
  }

  template<int dim>
  Record Midpoint<dim>::record(const State&, const State& to) const
  {
    Record record;
    record.step = to.step;
    record.time = to.time;
    std::vector<double> p(to.p.size());
    momentum(to.p, p);
    for (std::size_t i = 0; i < p.size(); ++i)
      record.kinetic += 0.5 * p[i] * to.p[i];
    record.stored = system_.potentials(to.time, to.q);
    record.momenta = system_.momenta(to.q, p);
    record.dissipated = to.ledger.shownDissipation;
    record.externalWork = to.ledger.shownExternalWork;
    return record;
  }

  template class Midpoint<2>;
  template class Midpoint<3>;

} // namespace Dune::Impact
