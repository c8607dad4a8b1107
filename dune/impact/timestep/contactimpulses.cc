// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include <dune/impact/body/lumpedbody.hh>
#include <dune/impact/solver/frictionnewton.hh>
#include <dune/impact/timestep/contactimpulses.hh>

namespace Dune::Impact {

  namespace {

    // A rate smaller than this part of the terms it is summed from is rounding, not motion:
    // bodies that move together must not be kicked by it.
    constexpr double roundOff = 8 * std::numeric_limits<double>::epsilon();

    // Law of contact where so many rows act together that only sweeps can find the impulses, in units of the speeds
    constexpr double manyTolerance = 1e-10;

    //! Append the dofs of a body; false if its mass is not diagonal, or can change
    bool addDofs(const Body& body, std::vector<ContactSweeps::Dof>& dofs)
    {
      const auto* lumped = dynamic_cast<const LumpedBody*>(&body);
      if (!lumped)
        return false;
      const std::uint32_t firstNode = dofs.empty() ? 0 : dofs.back().node + 1;
      const std::size_t dimension = lumped->dimension();
      SparseVector velocity;
      for (std::size_t dof = 0; dof < body.velocitySize(); ++dof) {
        velocity.clear();
        body.addVelocity({}, std::array{Entry{dof, 1}}, velocity);
        if (velocity.size() != 1 || velocity[0].dof != dof)
          return false;
        dofs.push_back({firstNode + std::uint32_t(dof / dimension), std::uint32_t(dof % dimension), std::sqrt(velocity[0].value)});
      }
      return true;
    }

    //! All dofs of a system whose mass is diagonal; otherwise none
    std::vector<ContactSweeps::Dof> diagonalDofs(const System& system)
    {
      std::vector<ContactSweeps::Dof> dofs;
      for (std::size_t i = 0; i < system.bodyCount(); ++i)
        if (!addDofs(system.body(i), dofs))
          return {};
      return dofs;
    }

  } // namespace

  ContactImpulses::ContactImpulses(const System& system, const std::vector<Contact>& contacts, int dimension)
    : system_(system)
    , contacts_(contacts)
  {
    bool friction = false;
    slotBegin_.push_back(0);
    for (const Contact& contact : contacts) {
      friction = friction || contact.law.friction > 0;
      guarded_ = guarded_ || (contact.law.friction > 0 && contact.law.slip == Slip::midStep);
      sameRestitution_ = sameRestitution_ && !contact.law.restitutionLaw && contact.law.restitution == contacts.front().law.restitution;
      slotBegin_.push_back(slotBegin_.back() + (contact.coupling ? contact.coupling->slots() : 0));
    }
    components_ = friction ? dimension : 1;
    auto dofs = diagonalDofs(system);
    hasDiagonalMass_ = !dofs.empty();
    sweeps_ = ContactSweeps(std::move(dofs));
  }

  void ContactImpulses::setFrictionTolerance(double tolerance)
  {
    if (components_ > 1)
      solver_ = ContactSolver({.tolerance = tolerance});
    acceptedFriction_ = std::max(acceptedFriction_, tolerance);
  }

  double ContactImpulses::collect(const Instant& at, ConstSpan q, double tolerance)
  {
    rows_.clear(components_);
    double smallest = std::numeric_limits<double>::infinity();
    for (const Contact& contact : contacts_)
      if (contact.coupling && contact.law.stiffness == 0)
        smallest = std::min(smallest, contact.coupling->addRows(at, q, tolerance, rows_));
    return smallest;
  }

  void ContactImpulses::prepare()
  {
    const std::size_t n = rows_.size() * components_;
    for (auto* x : {&before_, &free_, &rhs_, &impulse_, &after_, &size_})
      x->assign(n, 0);
    friction_.resize(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i)
      friction_[i] = contacts_[rows_[i].contact].law.friction;
    delassus_.clear(components_);
    swept_ = false;
  }

  std::span<const Entry> ContactImpulses::velocity(std::size_t row, int component) const
  {
    const std::size_t i = row * components_ + component;
    const std::size_t begin = i == 0 ? 0 : velocityEnd_[i - 1];
    return std::span(velocities_).subspan(begin, velocityEnd_[i] - begin);
  }

  //! Which rows see which dof: dofs are numbered as they are met, and the rows of one are kept together
  void ContactImpulses::findTouches()
  {
    dofNumber_.resize(system_.velocitySize(), none);
    dofs_.clear();
    touchEnd_.clear();
    const auto forEntries = [&](auto&& f) {
      for (std::size_t i = 0; i < rows_.size(); ++i)
        for (int c = 0; c < components_; ++c)
          for (const auto& [dof, value] : rows_.functional(i, c))
            if (!system_.prescribed(dof))
              f(dof, Touch{std::uint32_t(i), c, value});
    };
    forEntries([&](std::size_t dof, const Touch&) {
      if (dofNumber_[dof] == none) {
        dofNumber_[dof] = std::uint32_t(dofs_.size());
        dofs_.push_back(dof);
        touchEnd_.push_back(0);
      }
      ++touchEnd_[dofNumber_[dof]];
    });
    std::exclusive_scan(touchEnd_.begin(), touchEnd_.end(), touchEnd_.begin(), std::size_t(0));
    touches_.resize(touchEnd_.empty() ? 0 : rows_.entries());
    forEntries([&](std::size_t dof, const Touch& touch) { touches_[touchEnd_[dofNumber_[dof]]++] = touch; });
  }

  //! H_ij = (M^{-1} G_i^T) . G_j over the dofs that are free to move, for the rows j that share one with row i
  void ContactImpulses::assembleRow(std::size_t row)
  {
    const std::size_t size = std::size_t(components_) * components_;
    neighbours_.assign(1, row);
    blocks_.assign(size, 0);
    number_[row] = 0;
    for (int c = 0; c < components_; ++c)
      for (const auto& [dof, value] : velocity(row, c)) {
        const std::uint32_t d = dofNumber_[dof];
        if (d == none)
          continue;
        for (std::size_t k = d == 0 ? 0 : touchEnd_[d - 1]; k < touchEnd_[d]; ++k) {
          const Touch& touch = touches_[k];
          std::uint32_t& number = number_[touch.row];
          if (number == none) {
            number = std::uint32_t(neighbours_.size());
            neighbours_.push_back(touch.row);
            blocks_.resize(blocks_.size() + size, 0);
          }
          blocks_[number * size + c * components_ + touch.component] += value * touch.value;
        }
      }
    delassus_.beginRow();
    for (std::size_t k = 0; k < neighbours_.size(); ++k) {
      delassus_.add(neighbours_[k], &blocks_[k * size]);
      number_[neighbours_[k]] = none;
    }
  }

  //! True for so many rows that the matrix would be used for sweeps only
  bool ContactImpulses::wantsSweeps() const
  {
    const std::size_t few = components_ == 1 ? std::size_t(solver_.settings().activeSetLimit) : FrictionNewton::limit / components_;
    return hasDiagonalMass_ && rows_.size() > few;
  }

  //! Prescribed dofs have rates, and impulses do not move them
  void ContactImpulses::assembleSweeps(ConstSpan before, ConstSpan p)
  {
    swept_ = true;
    sweeps_.clear(components_);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (int c = 0; c < components_; ++c)
        sweeps_.add(rows_.functional(i, c));
    sweeps_.rates(before, before_, size_);
    sweeps_.rates(p, free_, after_);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (int c = 0; c < components_; ++c) {
        const std::size_t k = i * components_ + c;
        before_[k] += rows_[i].driveBefore[c];
        free_[k] += rows_[i].driveAfter[c];
        size_[k] += after_[k];
      }
    if (system_.motions().empty())
      sweeps_.finish();
    else
      sweeps_.finish([&](std::size_t dof) { return system_.prescribed(dof); });
  }

  /* The rates need no velocities: G M^{-1} p = (M^{-1} G^T) . p, a sparse product per row. */
  void ContactImpulses::assembleSparse(ConstSpan q, ConstSpan before, ConstSpan p)
  {
    velocities_.clear();
    velocityEnd_.clear();
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (int c = 0; c < components_; ++c) {
        system_.addVelocity(q, rows_.functional(i, c), velocities_);
        velocityEnd_.push_back(velocities_.size());
        setRates(i, c, velocity(i, c), before, p);
      }
    findTouches();
    number_.resize(std::max(number_.size(), rows_.size()), none);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      assembleRow(i);
    for (std::size_t dof : dofs_)
      dofNumber_[dof] = none;
  }

  void ContactImpulses::setRates(std::size_t row, int component, std::span<const Entry> functional, ConstSpan before, ConstSpan free)
  {
    const std::size_t i = row * components_ + component;
    before_[i] = dot(functional, before) + rows_[row].driveBefore[component];
    free_[i] = dot(functional, free) + rows_[row].driveAfter[component];
    size_[i] = dotSize(functional, before) + dotSize(functional, free);
  }

  //! Rows that act together with different restitution, or with friction that must not raise the energy
  void ContactImpulses::markMixedComponents()
  {
    const auto law = [&](std::size_t row) -> const ContactLaw& { return contacts_[rows_[row].contact].law; };
    const auto guarded = [&](std::size_t row) { return law(row).friction > 0 && law(row).slip == Slip::midStep; };
    mixed_.assign(rows_.size(), false);
    if (rows_.size() == 1)
      mixed_[0] = guarded(0);
    if ((sameRestitution_ && !guarded_) || rows_.size() < 2)
      return;
    std::vector<double> restitution(swept_ ? sweeps_.components(labels_) : delassus_.components(labels_), -1);
    std::vector<char> mixed(restitution.size(), false);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const double e = law(i).restitutionAt(before_[i * components_]);
      double& known = restitution[labels_[i]];
      mixed[labels_[i]] = mixed[labels_[i]] || guarded(i) || (known >= 0 && known != e);
      known = e;
    }
    for (std::size_t i = 0; i < rows_.size(); ++i)
      mixed_[i] = mixed[labels_[i]];
  }

  /* Newton's form w+ + e w- >= 0 never raises the energy if all rows that act together have the
   * same e and no friction. Otherwise w+ + w- - (1 - e) min(w-, 0) >= 0 does not raise it row by row;
   * both agree for approaching points. */
  double ContactImpulses::target(std::size_t row, int component) const
  {
    const std::size_t i = row * components_ + component;
    const ContactLaw& law = contacts_[rows_[row].contact].law;
    if (component > 0)
      return free_[i] + (law.slip == Slip::midStep ? before_[i] : 0);
    if (mixed_[row])
      return free_[i] + before_[i] - (1 - law.restitutionAt(before_[i])) * std::min(before_[i], 0.0);
    return free_[i] + law.restitutionAt(before_[i]) * before_[i];
  }

  std::size_t ContactImpulses::warmIndex(std::size_t row) const
  {
    return (slotBegin_[rows_[row].contact] + rows_[row].slot) * components_;
  }

  SolveReport ContactImpulses::solve(Span warm)
  {
    markMixedComponents();
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (int c = 0; c < components_; ++c) {
        const double b = target(i, c);
        rhs_[i * components_ + c] = std::abs(b) > roundOff * size_[i * components_ + c] ? b : 0;
        impulse_[i * components_ + c] = warm[warmIndex(i) + c];
      }
    ContactSettings many = solver_.settings();
    many.tolerance = std::max(many.tolerance, manyTolerance);
    const SolveReport report = swept_ ? sweeps_.solve(rhs_, friction_, many, impulse_, after_)
                                      : solver_.solveContact({delassus_, rhs_, friction_}, impulse_);
    // Gauss-Seidel with friction can creep in dense clusters; the balance of momentum is exact in every
    // sweep, so a law of friction that holds to this part of the speed is good enough
    if (!report.converged && !(components_ > 1 && report.residual <= acceptedFriction_))
      throw RunError(fmt::format("{}: the contact impulses could not be found, residual {:.2g} of the speed after {} iterations",
                                 contacts_[rows_[0].contact].name, report.residual, report.iterations));
    std::fill(warm.begin(), warm.end(), 0);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (int c = 0; c < components_; ++c)
        warm[warmIndex(i) + c] = impulse_[i * components_ + c];
    if (!swept_)
      delassus_.multiply(impulse_, after_);
    for (std::size_t i = 0; i < after_.size(); ++i)
      after_[i] += free_[i];
    return report;
  }

  /* Work of an impulse on the system: 1/2 r (G v+ + G v-) = 1/2 r (w+ + w-) - 1/2 r (drives); the
   * first part is what contact takes, the second what a moved obstacle gives. */
  void ContactImpulses::enter(StepReport& report, Ledger& ledger) const
  {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Row& row = rows_[i];
      if (impulse_[i * components_] == 0)
        continue;
      ++report.contacts;
      report.pairImpulse[row.contact] += impulse_[i * components_];
      Vec3 total(0);
      for (int c = 0; c < components_; ++c) {
        const double r = impulse_[i * components_ + c];
        total.axpy(r, row.axes[c]);
        double& work = c == 0 ? ledger.contactWork : ledger.frictionWork;
        work += 0.5 * r * (after_[i * components_ + c] + before_[i * components_ + c]);
        ledger.externalWork -= 0.5 * r * (row.driveBefore[c] + row.driveAfter[c]);
      }
      report.impulse += total;
      report.bodyImpulse[row.firstBody] += total;
      if (row.secondBody >= 0)
        report.bodyImpulse[row.secondBody] -= total;
    }
  }

  void ContactImpulses::reset(const System& system, std::size_t contacts, StepReport& report)
  {
    report.solve = {};
    report.contacts = 0;
    report.impulse = 0;
    report.weight = 0;
    report.pairImpulse.assign(contacts, 0);
    report.bodyImpulse.assign(system.bodyCount(), Vec3(0));
  }

  void ContactImpulses::kick(ConstSpan q, ConstSpan before, Span p, Span warm, StepReport& report, Ledger& ledger)
  {
    if (rows_.size() == 0) {
      std::fill(warm.begin(), warm.end(), 0);
      return;
    }
    prepare();
    if (wantsSweeps())
      assembleSweeps(before, p);
    else
      assembleSparse(q, before, p);
    report.solve = solve(warm);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (int c = 0; c < components_; ++c)
        addTo(rows_.functional(i, c), impulse_[i * components_ + c], p);
    enter(report, ledger);
  }

} // namespace Dune::Impact
