// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

#include <dune/impact/body/implicitbody.hh>
#include <dune/impact/body/lumpedbody.hh>

#include <dune/impact/timestep/impulse/contactimpulses.hh>

namespace Dune::Impact {

  namespace {

    // A rate smaller than this part of the terms it is summed from is rounding, not motion:
    // bodies that move together must not be kicked by it.
    constexpr double roundOff = 8 * std::numeric_limits<double>::epsilon();

    // Plain sweeps that mostly find impulses of bodies with a diagonal mass
    constexpr int plainSweeps = 32;

    // Points whose matrix is formed
    constexpr std::size_t few = 120;

    //! For many points of bodies with a diagonal mass
    ContactSettings lumpedSettings(ContactSettings settings)
    {
      settings.plainSweeps = plainSweeps;
      return settings;
    }

    //! Append the dofs of a body; false if its mass is not diagonal, or can change
    bool addDofs(const Body& body, std::vector<LumpedDelassus::Dof>& dofs)
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
        dofs.push_back({firstNode + std::uint32_t(dof / dimension), std::uint32_t(dof % dimension),
                        std::sqrt(velocity[0].value)});
      }
      return true;
    }

    //! All dofs of a system whose mass is diagonal; otherwise none
    std::vector<LumpedDelassus::Dof> diagonalDofs(const System& system)
    {
      std::vector<LumpedDelassus::Dof> dofs;
      for (std::size_t i = 0; i < system.bodyCount(); ++i)
        if (!addDofs(system.body(i), dofs))
          return {};
      return dofs;
    }

  } // namespace

  void requireImpulses(const SolveReport& report, double tolerance, const std::string& contact)
  {
    const double acceptable = acceptableResidual(tolerance);
    if (report.converged || report.residual <= acceptable)
      return;
    if (!std::isfinite(report.residual))
      throw RunError(fmt::format(
        "{}: the contact impulses could not be found, velocities or masses are not finite",
        contact));
    throw RunError(fmt::format("{}: the contact impulses could not be found, residual {:.2g} of "
                               "the speed after {} iterations; up to {:.2g} is accepted, see "
                               "solver.contact-tolerance",
                               contact, report.residual, report.iterations, acceptable));
  }

  void addPart(const SolveReport& part, SolveReport& report)
  {
    report.iterations = std::max(report.iterations, part.iterations);
    report.residual = std::max(report.residual, part.residual);
    report.converged = report.converged && part.converged;
  }

  void requireImpulsePoints(const std::vector<Contact>& contacts, const std::string& method,
                            bool allowMassless)
  {
    for (const Contact& contact : contacts)
      if (!allowMassless || !contact.geometry.offers<MasslessContact>())
        capability<ImpulseGeometry>(contact, method);
  }

  ContactImpulses::ContactImpulses(const System& system, const std::vector<Contact>& contacts,
                                   int dimension)
    : system_(system)
    , contacts_(contacts)
    , response_(system)
    , lumpedSolver_(lumpedSettings({}))
  {
    bool friction = false;
    for (const Contact& contact : contacts) {
      geometry_.push_back(contact.law.stiffness == 0 ? contact.geometry.find<ImpulseGeometry>()
                                                     : nullptr);
      friction = friction || contact.law.friction > 0;
      guarded_ = guarded_ || (contact.law.friction > 0 && contact.law.slip == Slip::midStep);
      sameRestitution_ = sameRestitution_ && !contact.law.restitutionLaw &&
                         contact.law.restitution == contacts.front().law.restitution;
    }
    components_ = friction ? dimension : 1;
    gaps_.resize(contacts.size());
    for (const Contact& contact : contacts) {
      SolidDofs& dofs = solid_.emplace_back();
      const Body* body = contact.first.body ? &system.body(*contact.first.body) : nullptr;
      if (dynamic_cast<const ImplicitBody<2>*>(body))
        dofs.each = 2;
      else if (dynamic_cast<const ImplicitBody<3>*>(body))
        dofs.each = 3;
      else
        continue;
      dofs.begin = system.point(*contact.first.body, 0).velocityOffset;
      dofs.end = dofs.begin + body->velocitySize();
    }
    auto dofs = diagonalDofs(system);
    hasDiagonalMass_ = !dofs.empty();
    lumped_ = LumpedDelassus(std::move(dofs));
  }

  void ContactImpulses::setTolerance(double tolerance)
  {
    solver_ = ContactSolver({.tolerance = tolerance, .stop = solver_.settings().stop});
    lumpedSolver_ = ContactSolver(lumpedSettings(solver_.settings()));
  }

  double ContactImpulses::collect(const Instant& at, ConstSpan q, double tolerance,
                                  ContactPoints::Form form)
  {
    points_.clear(components_, hasDiagonalMass_ && lumped_.isIsotropic()
                                 ? form
                                 : ContactPoints::Form::functionals);
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      if (!geometry_[c])
        continue;
      const std::size_t begin = points_.size();
      gaps_[c] = geometry_[c]->addPoints(at, q, tolerance, points_);
      smallest = std::min(smallest, gaps_[c]);
      for (std::size_t i = begin; i < points_.size(); ++i)
        points_.point(i).contact = c;
    }
    return smallest;
  }

  void ContactImpulses::prepare()
  {
    const std::size_t n = points_.size() * components_;
    for (auto* x : {&before_, &free_, &rhs_, &after_, &size_})
      x->resize(n); // all are set
    impulse_.assign(n, 0);
    friction_.resize(points_.size());
    for (std::size_t i = 0; i < points_.size(); ++i)
      friction_[i] = contacts_[points_[i].contact].law.friction;
    delassus_.clear(components_);
  }

  //! w- = G v- + o- and w_free = G v_free + o+ with the obstacle velocities o, and the size of the
  //! summed terms
  void ContactImpulses::setRates(std::size_t point, int component,
                                 std::span<const Entry> functional, ConstSpan before,
                                 ConstSpan free)
  {
    const std::size_t i = point * components_ + component;
    before_[i] = dot(functional, before) + points_[point].obstacleVelocityBefore[component];
    free_[i] = dot(functional, free) + points_[point].obstacleVelocityAfter[component];
    size_[i] = dotSize(functional, before) + dotSize(functional, free);
  }

  //! True if points that act together have different restitution, or friction that must not raise
  //! the energy
  template<class Points>
  bool ContactImpulses::isMixed(const Points& points) const
  {
    double restitution = -1;
    for (const std::size_t point : points) {
      const double e = law(point).restitutionAt(before_[point * components_]);
      if (guarded(point) || (restitution >= 0 && restitution != e))
        return true;
      restitution = e;
    }
    return false;
  }

  /* Newton's form w+ + e w- >= 0 never raises the energy if all points that act together have the
   * same e and no friction. Otherwise w+ + w- - (1 - e) min(w-, 0) >= 0 does not raise it point by
   * point; both agree for approaching points. */
  double ContactImpulses::target(std::size_t point, int component, bool mixed) const
  {
    const std::size_t i = point * components_ + component;
    if (component > 0)
      return free_[i] + (law(point).slip == Slip::midStep ? before_[i] : 0);
    if (mixed)
      return free_[i] + before_[i] -
             (1 - law(point).restitutionAt(before_[i])) * std::min(before_[i], 0.0);
    return free_[i] + law(point).restitutionAt(before_[i]) * before_[i];
  }

  //! A target below the rounding of its terms is zero: see roundOff
  void ContactImpulses::setTarget(std::size_t point, bool mixed)
  {
    for (int c = 0; c < components_; ++c) {
      const double b = target(point, c, mixed);
      rhs_[point * components_ + c] =
        std::abs(b) > roundOff * size_[point * components_ + c] ? b : 0;
    }
  }

  //! A number for each point of each contact, exact as a floating point number; points of huge
  //! contacts may share one
  double ContactImpulses::pointNumber(std::size_t contact, std::size_t key) const
  {
    constexpr std::size_t most = std::size_t(1) << 40;
    return double(contact) * double(most) + double(key % most);
  }

  //! First guesses from a list
  void ContactImpulses::recall(ConstSpan list)
  {
    const std::size_t stride = 1 + std::size_t(components_);
    numbers_.clear();
    for (std::uint32_t i = 0; i < points_.size(); ++i)
      numbers_.emplace_back(
        pointNumber(points_[i].contact, points_[i].key == ContactPoint::sameAsMultiplier
                                          ? points_[i].multiplier
                                          : points_[i].key),
        i);
    if (!std::is_sorted(numbers_.begin(), numbers_.end()))
      std::sort(numbers_.begin(), numbers_.end());
    std::size_t at = 0;
    for (const auto& [number, point] : numbers_) {
      while (at + stride <= list.size() && list[at] < number)
        at += stride;
      if (at + stride <= list.size() && list[at] == number)
        std::copy_n(&list[at + 1], components_, &impulse_[point * components_]);
    }
  }

  void ContactImpulses::remember(std::vector<double>& list)
  {
    list.clear();
    for (const auto& [number, point] : numbers_)
      if (const double* r = &impulse_[point * components_]; r[0] != 0) {
        list.push_back(number);
        list.insert(list.end(), r, r + components_);
      }
  }

  double ContactImpulses::normalImpulse(ConstSpan list, std::size_t contact,
                                        std::size_t multiplier) const
  {
    const std::size_t stride = 1 + std::size_t(components_), n = list.size() / stride;
    const double number = pointNumber(contact, multiplier);
    std::size_t low = 0, high = n;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      (list[middle * stride] < number ? low : high) =
        list[middle * stride] < number ? middle + 1 : middle;
    }
    return low < n && list[low * stride] == number ? list[low * stride + 1] : 0;
  }

  /* Momenta are exact whatever the impulses, and these do no more work than the law allows, see
   * boundImpulses(), so that a law which holds to some part of the speed only is no reason to stop.
   * The report says that the step has not converged, and how far it is from that. */
  void ContactImpulses::check(const SolveReport& report) const
  {
    requireImpulses(report, solver_.settings().tolerance, contacts_[points_[0].contact].name);
  }

  //! Targets of all points, for a matrix that tells which of them act together
  template<class Matrix>
  void ContactImpulses::setTargets(const Matrix& matrix)
  {
    std::vector<char> mixed;
    if (points_.size() == 1 || !sameRestitution_ || guarded_) {
      std::vector<std::vector<std::size_t>> together(matrix.components(labels_));
      for (std::size_t i = 0; i < points_.size(); ++i)
        together[labels_[i]].push_back(i);
      for (const auto& points : together)
        mixed.push_back(isMixed(points));
    }
    for (std::size_t i = 0; i < points_.size(); ++i)
      setTarget(i, !mixed.empty() && mixed[labels_[i]]);
  }

  //! Impulses r with the matrix H that the stepper has assembled, and the rates w+ = w_free + H r
  SolveReport ContactImpulses::solve(std::vector<double>& list)
  {
    setTargets(delassus_);
    recall(list);
    const double size = size_.empty() ? 0 : *std::max_element(size_.begin(), size_.end());
    const SolveReport report =
      solver_.solveContact({delassus_, rhs_, friction_, 0, size}, impulse_);
    check(report);
    remember(list);
    delassus_.multiply(impulse_, after_);
    for (std::size_t i = 0; i < after_.size(); ++i)
      after_[i] += free_[i];
    return report;
  }

  //! The factors of some points, for a solver that needs them
  struct ContactImpulses::PartFactors : DelassusFactors
  {
    ContactImpulses& impulses;
    ImpulseResponse::Points points;

    PartFactors(ContactImpulses& impulses, ImpulseResponse::Points points)
      : impulses(impulses)
      , points(points)
    {}

    const FactoredDelassus& factors() override
    {
      impulses.response_.assemble(points, impulses.factored_);
      return impulses.factored_;
    }
  };

  //! Some points that act together, or each of them alone
  template<class Matrix>
  SolveReport ContactImpulses::solvePart(ImpulseResponse::Points points, bool together,
                                         Matrix& matrix)
  {
    const std::size_t d = std::size_t(components_);
    response_.assemble(points, matrix);
    const bool mixed = together && (!sameRestitution_ || guarded_) && isMixed(points);
    partRhs_.clear();
    partImpulse_.clear();
    partFriction_.clear();
    double size = 0;
    for (const std::uint32_t point : points) {
      setTarget(point, together ? mixed : guarded(point));
      partRhs_.insert(partRhs_.end(), &rhs_[point * d], &rhs_[point * d] + d);
      partImpulse_.insert(partImpulse_.end(), &impulse_[point * d], &impulse_[point * d] + d);
      partFriction_.push_back(friction_[point]);
      for (std::size_t c = 0; c < d; ++c)
        size = std::max(size, size_[point * d + c]);
    }
    const ContactProblemWith<Matrix> problem{matrix, partRhs_, partFriction_, 0, size};
    SolveReport report;
    if constexpr (std::is_same_v<Matrix, Delassus>) {
      PartFactors factors(*this, points);
      report = solver_.solveContact(problem, partImpulse_, &factors);
    }
    else
      report = solver_.solveContact(problem, partImpulse_);
    check(report);
    partProduct_.resize(partImpulse_.size());
    matrix.multiply(partImpulse_, partProduct_);
    for (std::size_t i = 0; i < points.size(); ++i)
      for (std::size_t c = 0; c < d; ++c) {
        impulse_[points[i] * d + c] = partImpulse_[i * d + c];
        after_[points[i] * d + c] = free_[points[i] * d + c] + partProduct_[i * d + c];
      }
    return report;
  }

  //! Island by island; points that act alone are taken together, since each has its closed form
  SolveReport ContactImpulses::solveIslands()
  {
    SolveReport report;
    const std::size_t islands = response_.findIslands();
    single_.clear();
    for (std::size_t i = 0; i < islands; ++i)
      if (const auto points = response_.island(i); points.size() == 1)
        single_.push_back(points[0]);
      else
        addPart(points.size() <= few ? solvePart(points, true, delassus_)
                                     : solvePart(points, true, factored_),
                report);
    if (!single_.empty())
      addPart(solvePart(single_, false, delassus_), report);
    return report;
  }

  //! All points together, of bodies with a diagonal mass; prescribed dofs have rates, and impulses
  //! do not move them
  SolveReport ContactImpulses::solveLumped(ConstSpan before, ConstSpan p)
  {
    lumped_.clear(components_);
    for (std::size_t i = 0; i < points_.size(); ++i)
      if (points_.isCompressed(i))
        lumped_.add(points_[i].axes, points_.dof(i), points_.partners(i));
      else
        lumped_.add(points_.functionals(i));
    lumped_.finish();
    lumped_.rates(before, p, {before_, free_, size_});
    for (std::size_t i = 0; i < points_.size(); ++i)
      for (int c = 0; c < components_; ++c) {
        const std::size_t k = i * components_ + c;
        before_[k] += points_[i].obstacleVelocityBefore[c];
        free_[k] += points_[i].obstacleVelocityAfter[c];
      }
    if (!system_.motions().empty())
      lumped_.hold([&](std::size_t dof) { return system_.prescribed(dof); });
    setTargets(lumped_);
    const double size = *std::max_element(size_.begin(), size_.end());
    const SolveReport report =
      lumpedSolver_.solveContact({lumped_, rhs_, friction_, 0, size}, impulse_, after_);
    check(report);
    for (std::size_t i = 0; i < after_.size(); ++i)
      after_[i] += free_[i];
    return report;
  }

  //! Each island with its matrix
  SolveReport ContactImpulses::solveGeneral(ConstSpan q, ConstSpan before, ConstSpan p)
  {
    points_.expand();
    response_.set(q, points_);
    for (std::size_t i = 0; i < points_.size(); ++i)
      for (int c = 0; c < components_; ++c)
        setRates(i, c, response_.velocity(i, c), before, p);
    return solveIslands();
  }

  // The rates need no velocities: G M^{-1} p = (M^{-1} G^T) . p, a sparse product per point.
  void ContactImpulses::kick(ConstSpan q, ConstSpan before, Span p, std::vector<double>& list,
                             StepReport& report, Ledger& ledger)
  {
    if (points_.size() == 0) {
      list.clear();
      return;
    }
    prepare();
    recall(list);
    report.solve = hasDiagonalMass_ && points_.size() > few ? solveLumped(before, p)
                                                            : solveGeneral(q, before, p);
    remember(list);
    for (std::size_t i = 0; i < points_.size(); ++i)
      points_.addImpulse(i, &impulse_[i * components_], p);
    accountWork(report, ledger);
  }

} // namespace Dune::Impact
