// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <dune/impact/body/beam.hh>
#include <dune/impact/timestep/frames/frictionalequilibrium.hh>
#include <dune/impact/timestep/frames/newtonmethod.hh>

namespace Dune::Impact {

  namespace {

    std::vector<std::size_t> beginnings(const std::vector<const GapSlipGeometry*>& geometry)
    {
      std::vector<std::size_t> result{0};
      for (const GapSlipGeometry* one : geometry)
        result.push_back(result.back() + one->multipliers());
      return result;
    }

  } // namespace

  FrictionalEquilibrium::FrictionalEquilibrium(const System& system,
                                               const std::vector<Contact>& contacts,
                                               const Settings& settings)
    : system_(system)
    , contacts_(contacts)
    , settings_(settings)
    , geometry_(capabilities<GapSlipGeometry>(contacts, settings.method))
    , multiplierBegin_(beginnings(geometry_))
    , newton_(system, multiplierBegin_.back(), settings.length)
  {
    for (const GapSlipGeometry* geometry : geometry_)
      reach_ = std::min(reach_, geometry->reach());
  }

  double FrictionalEquilibrium::stiffness() const
  {
    double largest = 0;
    for (const GapSlipGeometry* geometry : geometry_)
      largest = std::max(largest, geometry->stiffness());
    return largest;
  }

  //! f_ext(t, q) + G^T lambda
  void FrictionalEquilibrium::addExternal(double t, const Solution& at,
                                          std::vector<double>& force) const
  {
    SparseVector load;
    for (const auto& interaction : system_.interactions())
      if (interaction->external())
        interaction->addForce(t, at.q, load);
    addTo(load, 1, force);
    Triplets rows;
    newton_.dynamics().addJointRows(t, at.q, 0, rows);
    for (const auto& entry : rows)
      force[std::size_t(entry.col())] += entry.value() * at.joints[std::size_t(entry.row())];
  }

  void FrictionalEquilibrium::checkTurns(ConstSpan q) const
  {
    for (std::size_t b = 0; b < system_.bodyCount(); ++b)
      if (const auto* beam = dynamic_cast<const Beam*>(&system_.body(b)))
        beam->checkTurns(system_.configurationSlice(b, q));
  }

  std::string FrictionalEquilibrium::remedies() const
  {
    std::string result;
    for (std::size_t k = 0; k < contacts_.size(); ++k)
      if (const std::string remedy = geometry_[k]->remedy(); !remedy.empty())
        result += fmt::format("; contact {}: {}", contacts_[k].name, remedy);
    return result;
  }

  std::vector<Reaction> FrictionalEquilibrium::reactions(ConstSpan q, ConstSpan joints) const
  {
    std::vector<Reaction> result;
    std::size_t first = 0;
    for (const auto& constraint : system_.constraints()) {
      constraint->addReactions(q, joints.subspan(first, constraint->rows()), result);
      first += constraint->rows();
    }
    return result;
  }

  void FrictionalEquilibrium::evaluateContacts(const Step& step, const Solution& at,
                                               std::vector<GapSlip>& rows) const
  {
    rows.assign(contacts_.size(), {});
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
      const ConstSpan forces(at.forces.data() + 3 * multiplierBegin_[k],
                             3 * geometry_[k]->multipliers());
      geometry_[k]->evaluate(step.time, step.h, at.q, step.previous, forces, rows[k]);
    }
  }

  /* Residuals and derivatives of
   *
   *     F(q) + G^T lambda + B^T l = 0,   c(q) = 0,   l = P(l - p g)
   *
   * at a trial solution, where F are the forces of the system or those of step.balance. Also the
   * largest force, to which the residual is compared. */
  void FrictionalEquilibrium::assemble(const Step& step, double p, const Solution& at)
  {
    const std::size_t n = system_.velocitySize();
    newton_.begin();
    const Span force(newton_.residual.data(), n);
    if (step.balance) {
      step.balance->addForce(step.time, at.q, force);
      step.balance->addStiffness(step.time, at.q, newton_.entries);
    }
    else {
      system_.addForce(step.time, at.q, 1, force);
      system_.addStiffness(step.time, at.q, 0, newton_.entries);
    }
    newton_.scale();

    std::vector<double> external(n, 0), gaps = newton_.dynamics().jointGaps(step.time, at.q);
    largestForce_ = 0;
    if (!step.balance) {
      addExternal(step.time, at, external);
      for (std::size_t i = 0; i < n; ++i)
        largestForce_ =
          std::max(largestForce_, std::abs(external[i]) / (system_.angular(i) ? length() : 1));
    }
    for (double l : at.forces)
      largestForce_ = std::max(largestForce_, std::abs(l));
    for (double& gap : gaps)
      gap *= -1;
    newton_.addJoints(step.time, at.q, at.joints, gaps);

    sets_.assign(multipliers(), ContactSet::open);
    std::vector<GapSlip> rows;
    evaluateContacts(step, at, rows);
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
      const double factor = settings_.contactScaling.empty() ? 1 : settings_.contactScaling[k];
      newton_.addContact(
        {multiplierBegin_[k], geometry_[k]->components(),
         step.frictionless ? 0 : contacts_[k].law.friction, p * factor, std::ldexp(length(), -40),
         settings_.regularisation},
        rows[k],
        ConstSpan(at.forces).subspan(3 * multiplierBegin_[k], 3 * geometry_[k]->multipliers()),
        sets_);
    }
  }

  //! Applies an increment, shortened to largestTurn and to the reach of contact; returns its full
  //! size, angles or lengths relative to the system
  double FrictionalEquilibrium::apply(const Eigen::VectorXd& step, Solution& at) const
  {
    const std::size_t n = system_.velocitySize();
    const auto [turn, move] = newton_.sizeOfIncrement(step);
    const double factor =
      std::min({1.0, turn > 0 ? settings_.largestTurn / turn : 1, move > 0 ? reach_ / move : 1});
    std::vector<double> dq(n), q1(at.q.size());
    for (std::size_t i = 0; i < n; ++i)
      dq[i] = factor * step[Eigen::Index(i)];
    system_.retract(at.q, dq, q1);
    at.q.swap(q1);
    for (std::size_t i = 0; i < at.joints.size(); ++i)
      at.joints[i] += factor * step[Eigen::Index(n + i)];
    for (std::size_t i = 0; i < at.forces.size(); ++i)
      at.forces[i] += factor * step[Eigen::Index(n + jointRows() + i)];
    return std::max(turn, move / length());
  }

  //! The equations of a step, for solveNewton()
  struct FrictionalEquilibrium::Problem
  {
    FrictionalEquilibrium& owner;
    const Step& step;
    double p;
    Solution& solution;
    Outcome& outcome;
    std::vector<ContactSet> before = {};
    double forces = 0, gaps = 0;

    //! Residuals of the trial solution, relative to its largest force; false if they are not finite
    bool evaluate()
    {
      owner.assemble(step, p, solution);
      forces = owner.newton_.forceResidual();
      gaps = owner.newton_.jointResidual();
      if (!std::isfinite(forces) || !std::isfinite(gaps))
        return false;
      outcome.residual = owner.largestForce_ > 0 ? forces / owner.largestForce_ : 0;
      return true;
    }

    //! The increment is small, or the first guess is in equilibrium, and no multiplier changes its
    //! set
    bool converged(const NewtonProgress& at) const
    {
      const Settings& settings = owner.settings_;
      const bool rest = at.iterations == 0 && forces <= settings.tolerance * owner.largestForce_ &&
                        gaps <= settings.tolerance;
      const bool ends = settings.tinyIncrement == 0 || at.increment <= settings.tinyIncrement ||
                        at.increment >= 0.25 * at.last;
      const bool small = rest || (at.increment <= settings.smallIncrement && ends);
      return small && before == owner.sets_;
    }

    bool exhausted(const NewtonProgress& at) const
    {
      return at.iterations >= step.patience * owner.settings_.maxIterations ||
             (std::isfinite(at.increment) && at.increment > 1e6);
    }

    void assemble() { before = owner.sets_; }
    double apply(const Eigen::VectorXd& change) { return owner.apply(change, solution); }
  };

  //! Semismooth Newton method with one scaling p; forces of open multipliers become exactly zero
  FrictionalEquilibrium::Outcome FrictionalEquilibrium::solve(const Step& step, double p,
                                                              Solution& solution)
  {
    Outcome outcome;
    NewtonProgress progress{.stop = settings_.stop};
    outcome.converged = solveNewton(newton_, Problem{*this, step, p, solution, outcome},
                                    progress) == NewtonEnd::converged;
    outcome.iterations = progress.iterations;
    if (!outcome.converged)
      return outcome;
    for (std::size_t s = 0; s < sets_.size(); ++s) {
      outcome.active += sets_[s] != ContactSet::open;
      outcome.sticking += sets_[s] == ContactSet::stick;
      if (sets_[s] == ContactSet::open) // not even a rounding error
        std::fill_n(solution.forces.begin() + long(3 * s), 3, 0.0);
    }
    return outcome;
  }

} // namespace Dune::Impact
