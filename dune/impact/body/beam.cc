// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <dune/impact/body/beam.hh>
#include <dune/impact/body/beamcoordinates.hh>
#include <dune/impact/common/exceptions.hh>
#include <dune/impact/geometry/rigidmotion.hh>

namespace Dune::Impact {

  using namespace BeamCoordinates;

  namespace {

    //! g times a step for the node of a configuration
    void move(ConstSpan q, std::size_t node, const Frame& step, Span q1)
    {
      setRotation(q1, node, rotation(q, node) * step.rotation);
      offset(q1, node) = offset(q, node) + rotation(q, node) * step.position;
    }

    /* df/domega of Beam::driftTwist, with w = h/2 omega, l = J3 omega:
     *   J3 + hat(w) J3 - h/2 hat(l) + h/2 (w.l) I + h w l^T - h^2/4 hat(n) B^{-1} hat(gamma),
     * where B^{-1} = (I - hat(w) + w w^T)/(1 + |w|^2) */
    Matrix3 driftSlope(const Vector3& w, const Vector3& l, const Vector3& gamma, const Vector3& n,
                       const Vector3& J3, double h)
    {
      const Matrix3 G = hat(gamma), turned = G - hat(w) * G + w * w.cross(gamma).transpose();
      Matrix3 slope = hat(w) * J3.asDiagonal() - 0.5 * h * hat(l) + (h * w) * l.transpose() -
                      (0.25 * h * h / (1 + w.squaredNorm())) * (hat(n) * turned);
      slope.diagonal() += J3 + Vector3::Constant(0.5 * h * w.dot(l));
      return slope;
    }

  } // namespace

  Beam::Beam(const Settings& settings)
    : Body(settings.name)
    , section_(settings.section)
    , formulation_(settings.formulation)
    , unstressed_(settings.unstressed)
    , mesh_(uniformLine(settings.length, settings.elements))
    , inertia_(parts(section_.inertia, Vector3::Constant(section_.mass)))
    , frames_(settings.frames)
    , velocities_(settings.velocities)
    , clamped_(settings.clamped)
    , gravity_(toEigen(settings.gravity))
  {
    if (frames_.empty())
      frames_ =
        constantStrainFrames({}, unstressed_, settings.length, settings.elements, formulation_);
    velocities_.resize(frames_.size(), Vector6::Zero());
    if (frames_.size() != settings.elements + 1)
      throw InputError(fmt::format("{}: {} elements need {} frames, not {}", name(),
                                   settings.elements, settings.elements + 1, frames_.size()));
    for (std::size_t a = 0; a + 1 < frames_.size(); ++a)
      steps_.push_back(frames_[a + 1].position - frames_[a].position);
  }

  Frame Beam::frame(ConstSpan q, std::size_t node) const
  {
    return {rotation(q, node), frames_[node].position + offset(q, node)};
  }

  // -- motion ------------------------------------------------------------------------------------

  //! g_a <- g_a tau(dq_a), node by node
  void Beam::retract(ConstSpan q, ConstSpan dq, Span q1) const
  {
    for (std::size_t a = 0; a < nodes(); ++a)
      move(q, a,
           formulation_ == BeamFormulation::cayley ? Cayley::map(twist(dq, a))
                                                   : Exponential::map(twist(dq, a)),
           q1);
  }

  //! dq_a = tau^{-1}(g_a^{-1} g1_a), with differences of displacements instead of positions
  void Beam::difference(ConstSpan q, ConstSpan q1, Span dq) const
  {
    for (std::size_t a = 0; a < nodes(); ++a) {
      const Frame step{rotation(q, a).transpose() * rotation(q1, a),
                       rotation(q, a).transpose() * (offset(q1, a) - offset(q, a))};
      twist(dq, a) = formulation_ == BeamFormulation::cayley ? Cayley::inverse(step)
                                                             : Exponential::inverse(step);
    }
  }

  /* The twist xi = (omega, gamma) with T^{-T}(h xi) J xi = (m, n), J = diag(J3, M I). The linear
   * part follows from the angular one,
   *
   *     gamma = B^{-1} n / M,   B = I + h/2 hat(omega),
   *     f(omega) = J3 omega + h/2 omega x J3 omega + h^2/4 (omega . J3 omega) omega
   *                + h/2 gamma x n - m = 0,
   *
   * which Newton's method solves, with a new derivative in every third iteration only. After a
   * change c of omega the error is about kappa |c| |c0|/|omega| with the change c0 since the
   * derivative and the size kappa of what bends f, so the iteration may end long before c is a
   * rounding error. */
  Vector6 Beam::driftTwist(const Vector6& p, const Vector6& J, double h) const
  {
    const Vector3 m = p.head<3>(), n = p.tail<3>(), J3 = J.head<3>();
    const double coupling = h * h * n.squaredNorm() / (J[3] * J3.minCoeff());
    Vector3 omega = m.cwiseQuotient(J3);
    omega -= (0.5 * h * omega.cross(m)).cwiseQuotient(J3); // first order in h
    Matrix3 inverse;
    double first = 0;
    for (int i = 0; i < 60; ++i) {
      const Vector3 w = 0.5 * h * omega, l = J3.cwiseProduct(omega),
                    gamma = RotationCayley::solve(-2 * w, n) / J[3];
      const Vector3 f = l + w.cross(l) + w.dot(l) * w + 0.5 * h * gamma.cross(n) - m;
      if (i % 3 == 0)
        inverse = driftSlope(w, l, gamma, n, J3, h).inverse();
      const Vector3 change = inverse * f;
      omega -= change;
      const double size = change.squaredNorm(), speed = omega.squaredNorm(),
                   kappa = 2 * (h * h * speed + coupling * coupling);
      if (i % 3 == 0)
        first = size;
      if (kappa * first * size <= 0x1p-112 * speed * speed) // squares of all sizes
        return parts(omega, RotationCayley::solve(-h * omega, n) / J[3]);
    }
    throw RunError(fmt::format("{}: a node turns too far in a step of {:.6g}", name(), h));
  }

  /* With the twist xi of the momentum p the frame becomes g tau(h xi), the momentum
   * p1 = T^{-T}(-h xi) J xi, so that the spatial momentum of each node stays. Returns the sum of
   * 1/2 xi.J xi. */
  double Beam::drift(ConstSpan q, ConstSpan p, double h, Span q1, Span p1) const
  {
    double sum = 0;
    for (std::size_t a = 0; a < nodes(); ++a) {
      if (fixed(a)) {
        std::copy_n(q.data() + 12 * a, 12, q1.data() + 12 * a);
        twist(p1, a) = twist(p, a);
        continue;
      }
      const Vector6 J = inertia(a), xi = driftTwist(twist(p, a), J, h),
                    momentum = J.cwiseProduct(xi);
      move(q, a, Cayley::map(h * xi), q1);
      twist(p1, a) = Cayley::tangentInverseTransposed(-h * xi, momentum);
      sum += momentum.dot(xi);
    }
    return 0.5 * sum;
  }

  void Beam::driftVelocity(ConstSpan, ConstSpan p, double h, Span v) const
  {
    for (std::size_t a = 0; a < nodes(); ++a)
      twist(v, a) = fixed(a) ? Vector6(Vector6::Zero()) : driftTwist(twist(p, a), inertia(a), h);
  }

  //! T^{-T}(h xi) J xi
  void Beam::driftMomentum(ConstSpan, ConstSpan v, double h, Span p) const
  {
    for (std::size_t a = 0; a < nodes(); ++a) {
      const Vector6 xi = twist(v, a);
      twist(p, a) = fixed(a)
                      ? Vector6(Vector6::Zero())
                      : Cayley::tangentInverseTransposed(h * xi, inertia(a).cwiseProduct(xi));
    }
  }

  void Beam::velocity(ConstSpan, ConstSpan p, Span v) const
  {
    for (std::size_t a = 0; a < nodes(); ++a)
      twist(v, a) =
        fixed(a) ? Vector6(Vector6::Zero()) : Vector6(twist(p, a).cwiseQuotient(inertia(a)));
  }

  void Beam::momentum(ConstSpan, ConstSpan v, Span p) const
  {
    for (std::size_t a = 0; a < nodes(); ++a)
      twist(p, a) =
        fixed(a) ? Vector6(Vector6::Zero()) : Vector6(twist(v, a).cwiseProduct(inertia(a)));
  }

  void Beam::addVelocity(ConstSpan, std::span<const Entry> covector, SparseVector& v) const
  {
    for (const auto& [dof, value] : covector)
      v.push_back({dof, fixed(dof / 6) ? 0 : value / inertia(dof / 6)[dof % 6]});
  }

  double Beam::kinetic(ConstSpan, ConstSpan p) const
  {
    double sum = 0;
    for (std::size_t a = 0; a < nodes(); ++a)
      if (!fixed(a))
        sum += twist(p, a).dot(twist(p, a).cwiseQuotient(inertia(a)));
    return 0.5 * sum;
  }

  //! With the momenta (m, n) in body axes: linear sum Lambda n, angular sum Lambda m + r x Lambda n
  Momenta Beam::momenta(ConstSpan q, ConstSpan p) const
  {
    Vector3 linear = Vector3::Zero(), angular = Vector3::Zero();
    for (std::size_t a = 0; a < nodes(); ++a) {
      if (fixed(a))
        continue;
      const Frame g = frame(q, a);
      const Vector3 n = g.rotation * twist(p, a).tail<3>();
      linear += n;
      angular += g.rotation * twist(p, a).head<3>() + g.position.cross(n);
    }
    return {toVec3(linear), toVec3(angular)};
  }

  // -- forces ------------------------------------------------------------------------------------

  //! x = tau^{-1}(g_a^{-1} g_{a+1}), from displacements for the digits
  Vector6 Beam::relativeTwist(ConstSpan q, std::size_t a) const
  {
    const Vector3 d = steps_[a] + (offset(q, a + 1) - offset(q, a));
    const Frame step{rotation(q, a).transpose() * rotation(q, a + 1),
                     rotation(q, a).transpose() * d};
    return formulation_ == BeamFormulation::cayley ? Cayley::inverse(step)
                                                   : Exponential::inverse(step);
  }

  Vector6 Beam::strain(ConstSpan q, std::size_t element) const
  {
    return relativeTwist(q, element) / mesh_.length[element];
  }

  void Beam::checkTurns(ConstSpan q) const
  {
    for (std::size_t e = 0; e < elements(); ++e)
      if (const double turn = relativeTwist(q, e).head<3>().norm(); turn > std::numbers::pi - 0.1)
        throw RunError(fmt::format("{}: element {} turns by {:.3g} rad, which is too close to half "
                                   "a turn; use more elements",
                                   name(), e, turn));
  }

  //! eta - e
  Vector6 Beam::excess(const Vector6& x, std::size_t element) const
  {
    return x / mesh_.length[element] - unstressed_;
  }

  //! With sigma = C (eta - e): T^{-T}(x) sigma at the node a, -T^{-T}(-x) sigma at the node a+1
  template<class Map>
  void Beam::addElementForces(ConstSpan q, double weight, Span p) const
  {
    for (std::size_t a = 0; a < elements(); ++a) {
      const Vector6 x = relativeTwist(q, a),
                    sigma = weight * section_.stiffness.cwiseProduct(excess(x, a));
      const auto [forth, back] = Map::tangentInverseTransposedPair(x, sigma);
      if (!fixed(a))
        twist(p, a) += forth;
      if (!fixed(a + 1))
        twist(p, a + 1) -= back;
    }
  }

  //! Elements, and the weight m_a Lambda^T g in body axes
  void Beam::addForce(double, ConstSpan q, double weight, Span p) const
  {
    if (formulation_ == BeamFormulation::cayley)
      addElementForces<Cayley>(q, weight, p);
    else
      addElementForces<Exponential>(q, weight, p);
    if (gravity_.isZero(0))
      return;
    for (std::size_t a = 0; a < nodes(); ++a)
      if (!fixed(a))
        twist(p, a).tail<3>() += weight * nodeMass(a) * (rotation(q, a).transpose() * gravity_);
  }

  //! sum ds/2 (eta - e)^T C (eta - e)
  double Beam::elastic(ConstSpan q) const
  {
    double sum = 0;
    for (std::size_t a = 0; a < elements(); ++a) {
      const Vector6 e = excess(relativeTwist(q, a), a);
      sum += mesh_.length[a] * e.dot(section_.stiffness.cwiseProduct(e));
    }
    return 0.5 * sum;
  }

  Potentials Beam::potentials(double, ConstSpan q) const
  {
    double weight = 0;
    if (!gravity_.isZero(0))
      for (std::size_t a = 0; a < nodes(); ++a)
        weight -= nodeMass(a) * gravity_.dot(frames_[a].position + offset(q, a));
    return {.elastic = elastic(q), .potential = weight};
  }

  Potentials Beam::intervalPotentials(double t0, ConstSpan q0, double t1, ConstSpan q1) const
  {
    const Potentials a = potentials(t0, q0), b = potentials(t1, q1);
    return {.elastic = 0.5 * (a.elastic + b.elastic),
            .potential = 0.5 * (a.potential + b.potential)};
  }

  // -- points and pictures -----------------------------------------------------------------------

  Vec3 Beam::reference(std::size_t point) const
  {
    return toVec3(frames_[point].position);
  }

  Vec3 Beam::displacement(ConstSpan q, std::size_t point) const
  {
    return toVec3(offset(q, point));
  }

  //! direction . Lambda gamma = (Lambda^T direction) . gamma with the velocity Lambda gamma
  void Beam::addPointFunctional(ConstSpan q, std::size_t point, const Vec3& direction,
                                std::size_t first, SparseVector& functional) const
  {
    const Vector3 d = rotation(q, point).transpose() * toEigen(direction);
    for (std::size_t c = 0; c < 3; ++c)
      functional.push_back({first + 6 * point + 3 + c, d[Eigen::Index(c)]});
  }

  //! direction . Lambda omega = (Lambda^T direction) . omega
  void Beam::addTurnFunctional(ConstSpan q, std::size_t point, const Vec3& direction,
                               std::size_t first, SparseVector& functional) const
  {
    const Vector3 d = rotation(q, point).transpose() * toEigen(direction);
    for (std::size_t c = 0; c < 3; ++c)
      functional.push_back({first + 6 * point + c, d[Eigen::Index(c)]});
  }

  std::vector<std::size_t> Beam::patch(const std::string& place) const
  {
    std::vector<std::size_t> all;
    if (place.empty())
      for (std::size_t a = 0; a < nodes(); ++a)
        all.push_back(a);
    else if (place == "left")
      all = {0};
    else if (place == "right" || place == "tip")
      all = {nodes() - 1};
    else if (place.size() < 10 && std::all_of(place.begin(), place.end(),
                                              [](unsigned char c) { return std::isdigit(c); }))
      if (const std::size_t node = std::stoul(place); node < nodes())
        all = {node};
    return all;
  }

  std::vector<std::string> Beam::patchNames() const
  {
    return {"left", "right", "tip", "a node from 0 to " + std::to_string(nodes() - 1)};
  }

  Vec3 Beam::centreOfMass(ConstSpan q) const
  {
    Vector3 sum = Vector3::Zero();
    for (std::size_t a = 0; a < nodes(); ++a)
      sum += nodeMass(a) * (frames_[a].position + offset(q, a));
    return toVec3(sum / mass());
  }

  void Beam::initialise(Span q, Span p) const
  {
    for (std::size_t a = 0; a < nodes(); ++a) {
      setRotation(q, a, frames_[a].rotation);
      offset(q, a) = Vector3::Zero();
      twist(p, a) =
        fixed(a) ? Vector6(Vector6::Zero()) : Vector6(inertia(a).cwiseProduct(velocities_[a]));
    }
  }

  //! A corner o of the outline is at r + Lambda o and has the velocity Lambda (gamma + omega x o)
  void Beam::sample(ConstSpan q, ConstSpan v, VisualizationData& visual) const
  {
    VisualizationField displacements{"displacement", 3, {}}, velocities{"velocity", 3, {}};
    const auto append = [](VisualizationField& field, const Vector3& x) {
      field.values.insert(field.values.end(), x.begin(), x.end());
    };
    for (std::size_t a = 0; a < nodes(); ++a) {
      const Frame g = frame(q, a);
      const Vector6 xi = twist(v, a);
      for (const Eigen::Vector2d& corner : section_.outline) {
        const Vector3 o(corner[0], corner[1], 0), x = g.position + g.rotation * o;
        visual.points.push_back(toVec3(x));
        append(displacements, x - (frames_[a].position + frames_[a].rotation * o));
        append(velocities, g.rotation * (xi.tail<3>() + xi.head<3>().cross(o)));
      }
    }
    visual.pointFields = {displacements, velocities};
    addSkin(q, visual);
  }

  //! Quadrilaterals along the beam and triangles at its ends, with the moment and the force of
  //! their element in section axes
  void Beam::addSkin(ConstSpan q, VisualizationData& visual) const
  {
    VisualizationField moments{"moment", 3, {}}, forces{"force", 3, {}};
    const std::size_t n = section_.outline.size(), last = n * elements();
    const auto add = [&](std::size_t element) {
      const Vector6 sigma =
        section_.stiffness.cwiseProduct(excess(relativeTwist(q, element), element));
      moments.values.insert(moments.values.end(), sigma.begin(), sigma.begin() + 3);
      forces.values.insert(forces.values.end(), sigma.begin() + 3, sigma.end());
    };
    for (std::size_t a = 0; a < elements(); ++a)
      for (std::size_t k = 0; k < n; ++k) {
        const std::size_t next = (k + 1) % n;
        visual.addCell(VisualizationCell::quadrilateral,
                       {n * a + k, n * a + next, n * (a + 1) + next, n * (a + 1) + k});
        add(a);
      }
    for (std::size_t k = 1; k + 1 < n; ++k) {
      visual.addCell(VisualizationCell::triangle, {0, k + 1, k});
      add(0);
      visual.addCell(VisualizationCell::triangle, {last, last + k, last + k + 1});
      add(elements() - 1);
    }
    visual.cellFields = {moments, forces};
  }

  // -- initial data ------------------------------------------------------------------------------

  std::vector<Frame> constantStrainFrames(const Frame& first, const Vector6& strain, double length,
                                          std::size_t elements, BeamFormulation formulation)
  {
    std::vector<Frame> frames{first};
    const Vector6 x = length / double(elements) * strain;
    const Frame step =
      formulation == BeamFormulation::cayley ? Cayley::map(x) : Exponential::map(x);
    for (std::size_t a = 0; a < elements; ++a)
      frames.push_back(frames.back() * step);
    return frames;
  }

  std::vector<Vector6> velocitiesBetween(const std::vector<Frame>& frames,
                                         const std::vector<Frame>& next, double time)
  {
    std::vector<Vector6> velocities;
    for (std::size_t a = 0; a < frames.size(); ++a)
      velocities.push_back(Cayley::inverse(relative(frames[a], next[a])) / time);
    return velocities;
  }

  //! omega = Lambda^T spin, gamma = Lambda^T (v + spin x (r - centre)). The centre is that of
  //! elements of equal length, half of the mass of each at its nodes.
  std::vector<Vector6> rigidVelocities(const std::vector<Frame>& frames,
                                       const InitialMotion& motion)
  {
    Vector3 centre = -0.5 * (frames.front().position + frames.back().position); // ends carry half
    for (const Frame& g : frames)
      centre += g.position;
    centre /= double(frames.size() - 1);
    const Vector3 v = toEigen(motion.velocity), spin = toEigen(motion.spin);
    std::vector<Vector6> velocities;
    for (const Frame& g : frames)
      velocities.push_back(parts(g.rotation.transpose() * spin,
                                 g.rotation.transpose() * (v + spin.cross(g.position - centre))));
    return velocities;
  }

} // namespace Dune::Impact
