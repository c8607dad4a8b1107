// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <dune/impact/timestep/explicit/moreaujean.hh>

namespace Dune::Impact {

  namespace {

    //! Impulses of the last step, as first guesses
    constexpr HistoryBlock impulseBlock{0, "impulse"};

  } // namespace

  MoreauJean::MoreauJean(const System& system, const std::vector<Contact>& contacts, int dimension,
                         const Settings& settings)
    : system_(system)
    , contacts_(contacts)
    , settings_(settings)
    , impulses_(system, contacts, dimension)
    , mass_(system.velocitySize())
  {
    requireImpulsePoints(contacts, "moreau-jean", false);
    impulses_.setTolerance(settings.contactTolerance);
    impulses_.setStop(settings.stop);
    const State initial = system.initialState();
    const std::vector<double> ones(system.velocitySize(), 1);
    system.momentum(initial.q, ones, Span(mass_.data(), mass_.size()));
    if (mass_.size() > 0 && !(mass_.minCoeff() > 0))
      throw InputError("the Moreau-Jean scheme cannot move points without mass");
  }

  State MoreauJean::start(const State& initial, StepReport& report)
  {
    report.begin(system_.bodyCount(), contacts_.size(), settings_.step);
    impulses_.collect({initial.time, 0, 0}, initial.q, settings_.gapTolerance);
    impulses_.reportGaps(report);
    State state = initial;
    state.history.clear();
    impulseBlock.create(state, {});
    return state;
  }

  //! u1 = u0 + h (theta v1 + (1 - theta) v0)
  void MoreauJean::moveTo(const State& from, const Vector& v0, const Vector& v1, State& to) const
  {
    const double h = settings_.step, theta = settings_.theta;
    const Vector dq = h * (theta * v1 + (1 - theta) * v0);
    system_.retract(from.q, ConstSpan(dq.data(), dq.size()), to.q);
  }

  //! A = M + theta^2 h^2 K
  void MoreauJean::factorise(double t, ConstSpan q)
  {
    Triplets entries;
    system_.addStiffness(t, q, 0, entries);
    const double factor = settings_.theta * settings_.theta * settings_.step * settings_.step;
    for (auto& entry : entries)
      entry = {entry.row(), entry.col(), factor * entry.value()};
    for (Eigen::Index i = 0; i < mass_.size(); ++i)
      entries.emplace_back(int(i), int(i), mass_[i]);
    Eigen::SparseMatrix<double> A(mass_.size(), mass_.size());
    A.setFromTriplets(entries.begin(), entries.end());
    const bool samePattern =
      A.cols() == matrix_.cols() && A.nonZeros() == matrix_.nonZeros() &&
      std::equal(A.outerIndexPtr(), A.outerIndexPtr() + A.cols() + 1, matrix_.outerIndexPtr()) &&
      std::equal(A.innerIndexPtr(), A.innerIndexPtr() + A.nonZeros(), matrix_.innerIndexPtr());
    if (samePattern && std::equal(A.valuePtr(), A.valuePtr() + A.nonZeros(), matrix_.valuePtr()))
      return; // the factor in memory is the one that is needed
    matrix_ = A;
    if (!samePattern)
      solver_.analyzePattern(A);
    solver_.factorize(A);
    if (solver_.info() != Eigen::Success) {
      matrix_.resize(0, 0); // there is no factor to be used again
      throw RunError(fmt::format("the matrix of the implicit step is singular at time {:.6g}", t));
    }
  }

  //! Forces and inertia without contact: h [theta F(u1) + (1 - theta) F(u0)] - M (v1 - v0)
  MoreauJean::Vector MoreauJean::residual(const State& from, const State& to, const Vector& v0,
                                          const Vector& v1)
  {
    const double h = settings_.step, theta = settings_.theta;
    Vector r = Vector::Zero(mass_.size());
    const Span span(r.data(), r.size());
    system_.addForce(to.time, to.q, h * theta, span);
    system_.addForce(from.time, from.q, h * (1 - theta), span);
    return r - mass_.cwiseProduct(v1 - v0);
  }

  //! The response A^{-1} G^T to impulses, which couples all points
  struct MoreauJean::Response
  {
    const ContactPoints& points;
    const std::vector<Vector>& velocity; //!< A^{-1} G^T, per point and component

    std::size_t size() const { return points.size(); }
    int blockSize() const { return points.components(); }

    //! H_ij = (A^{-1} G_i^T) . G_j
    template<class Block>
    void addBlocks(std::size_t i, Block&& block) const
    {
      const int d = blockSize();
      for (std::size_t j = 0; j < size(); ++j) {
        double* values = block(j);
        for (int a = 0; a < d; ++a)
          for (int b = 0; b < d; ++b) {
            const Vector& v = velocity[i * d + a];
            values[a * d + b] = dot(points.functional(j, b), ConstSpan(v.data(), v.size()));
          }
      }
    }
  };

  //! Rates and Delassus matrix G A^{-1} G^T of the contact points for the free velocity
  void MoreauJean::condense(const Vector& v0, const Vector& free)
  {
    const ContactPoints& points = impulses_.points();
    const int d = points.components();
    impulses_.prepare();
    response_.clear();
    Vector functional(mass_.size());
    for (std::size_t i = 0; i < points.size() * d; ++i) {
      const auto entries = points.functional(i / d, int(i % d));
      functional.setZero();
      addTo(entries, 1, Span(functional.data(), functional.size()));
      response_.push_back(solver_.solve(functional));
      impulses_.setRates(i / d, int(i % d), entries, ConstSpan(v0.data(), v0.size()),
                         ConstSpan(free.data(), free.size()));
    }
    assembly_.assemble(Response{points, response_}, impulses_.delassus());
  }

  //! Name of the body with the largest change, or with one that is not a number
  std::string MoreauJean::worstBody(const Vector& change) const
  {
    Eigen::Index worst = 0;
    for (Eigen::Index i = 0; i < change.size(); ++i)
      if (!(std::abs(change[i]) <= std::abs(change[worst])))
        worst = i;
    return system_.body(system_.owner(std::size_t(worst))).name();
  }

  /* A Newton iteration: the free velocity v = v1 + A^{-1} residual(v1), then v + A^{-1} G^T r with
   * the impulses r of the contact problem for v. `free` receives the size of the first part,
   * `contact` how well the laws of contact hold. */
  MoreauJean::Vector MoreauJean::improve(const State& from, const Vector& v0, const Vector& v1,
                                         State& to, double& free, SolveReport& contact)
  {
    moveTo(from, v0, v1, to);
    factorise(to.time, to.q);
    Vector next = v1 + solver_.solve(residual(from, to, v0, v1));
    free = (next - v1).lpNorm<Eigen::Infinity>();
    if (impulses_.points().size() > 0) {
      condense(v0, next);
      contact = impulses_.solve(impulseBlock(to));
      for (std::size_t i = 0; i < response_.size(); ++i)
        next += impulses_.impulses()[i] * response_[i];
    }
    return next;
  }

  /* Newton's method for v1. Rounding of positions is a speed of epsilon |q|/h; a change that is
   * small and no longer falls is rounding, too, or as much as the laws of contact leave open. */
  MoreauJean::Vector MoreauJean::solveVelocity(const State& from, const Vector& v0, State& to,
                                               StepReport& report)
  {
    Vector v1 = v0;
    double change = std::numeric_limits<double>::infinity(), free = 0;
    SolveReport contact;
    const double epsilon = std::numeric_limits<double>::epsilon();
    const double displaced = Eigen::Map<const Vector>(from.q.data(), Eigen::Index(from.q.size()))
                               .lpNorm<Eigen::Infinity>() /
                             settings_.step;
    for (int iteration = 1;; ++iteration) {
      settings_.stop.check();
      double increment = 0;
      const Vector next = improve(from, v0, v1, to, increment, contact);
      if (iteration == 1)
        free = increment;
      const double last = change;
      const Vector step = next - v1;
      change = step.lpNorm<Eigen::Infinity>();
      v1 = next;
      report.solve.iterations = iteration;
      report.solve.residual = contact.converged ? change : contact.residual;
      report.solve.converged = contact.converged;
      if (!std::isfinite(change))
        throw RunError(
          fmt::format("{}: Newton's method of the implicit step diverged at time {:.6g}",
                      worstBody(step), to.time));
      const double speed =
        std::max({v0.lpNorm<Eigen::Infinity>(), v1.lpNorm<Eigen::Infinity>(), free});
      if (change <= settings_.tolerance * speed + 4 * epsilon * displaced)
        return v1;
      const double open = contact.converged ? std::max(1e-10, settings_.contactTolerance)
                                            : acceptableResidual(settings_.contactTolerance);
      if (iteration > 4 && change >= 0.5 * last && change <= open * (speed + displaced))
        return v1;
      if (iteration == settings_.maxIterations)
        throw RunError(fmt::format("{}: Newton's method of the implicit step did not converge at "
                                   "time {:.6g}: last change of speed {:.3g}",
                                   worstBody(step), to.time, change));
    }
  }

  //! Contact points, normals and G are those of the predictor u0 + h v0/2; then Newton's method
  //! finds v1 and the impulses, and u1 follows, whose gaps are reported.
  void MoreauJean::step(const State& from, State& to, StepReport& report)
  {
    to = from;
    to.step = from.step + 1;
    to.time = double(to.step) * settings_.step;
    report.begin(system_.bodyCount(), contacts_.size(), settings_.step);

    const double h = settings_.step;
    Vector v0(mass_.size());
    system_.velocity(from.q, from.p, Span(v0.data(), v0.size()));
    const Vector half = 0.5 * h * v0;
    system_.retract(from.q, ConstSpan(half.data(), half.size()), to.q);
    impulses_.collect({from.time + 0.5 * h, h, h}, to.q, settings_.gapTolerance);

    const Vector v1 = solveVelocity(from, v0, to, report);
    if (impulses_.points().size() > 0)
      impulses_.accountWork(report, to.ledger);
    else
      std::fill(impulseBlock(to).begin(), impulseBlock(to).end(), 0);
    moveTo(from, v0, v1, to);
    system_.momentum(to.q, ConstSpan(v1.data(), v1.size()), to.p);
    accountLoads(from, v0, v1, to);
    to.ledger.showAll();
    impulses_.collect({to.time, h, h}, to.q, -std::numeric_limits<double>::infinity());
    impulses_.reportGaps(report);
  }

  //! Work of loads: h [theta F(u1) + (1 - theta) F(u0)] . (v0 + v1)/2
  void MoreauJean::accountLoads(const State& from, const Vector& v0, const Vector& v1,
                                State& to) const
  {
    const double h = settings_.step, theta = settings_.theta;
    const Vector mean = 0.5 * (v0 + v1);
    SparseVector force;
    for (const auto& interaction : system_.interactions())
      if (interaction->external())
        for (const auto& [state, weight] :
             {std::pair(&from, 1 - theta), std::pair<const State*, double>(&to, theta)}) {
          force.clear();
          interaction->addForce(state->time, state->q, force);
          to.ledger.externalWork += h * weight * dot(force, ConstSpan(mean.data(), mean.size()));
        }
  }

  //! T(v1) + V(u1): both belong to the end of the step
  Record MoreauJean::record(const State&, const State& to) const
  {
    Record record = Record::of(to);
    record.kinetic = system_.kinetic(to.q, to.p);
    record.stored = system_.potentials(to.time, to.q);
    record.momenta = system_.momenta(to.q, to.p);
    return record;
  }

} // namespace Dune::Impact
