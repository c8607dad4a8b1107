// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <dune/impact/body/bar.hh>
#include <dune/impact/grid/linemesh.hh>

namespace Dune::Impact {

  namespace {

    //! Give the share of an end node to its neighbour
    void shiftTipMass(LineMesh& mesh, Bar::End end)
    {
      const std::size_t last = mesh.share.size() - 1, node = end == Bar::left ? 0 : last,
                        neighbour = end == Bar::left ? 1 : last - 1;
      mesh.share[neighbour] += mesh.share[node];
      mesh.share[node] = 0;
    }

    //! Split the element at an end: the share of the end stays on the new node, the end has none
    void splitTip(LineMesh& mesh, Bar::End end, double fraction)
    {
      if (end == Bar::left) {
        const double l = mesh.length.front();
        mesh.coordinate.insert(mesh.coordinate.begin() + 1, mesh.coordinate.front() + fraction * l);
        mesh.length.front() = l - fraction * l;
        mesh.length.insert(mesh.length.begin(), fraction * l);
        mesh.share.insert(mesh.share.begin(), 0);
        return;
      }
      const double l = mesh.length.back();
      mesh.coordinate.insert(mesh.coordinate.end() - 1, mesh.coordinate.back() - fraction * l);
      mesh.length.back() = l - fraction * l;
      mesh.length.push_back(fraction * l);
      mesh.share.push_back(0);
    }

  } // namespace

  Bar::Bar(const Settings& settings)
    : LumpedBody(settings.name, settings.dimension, settings.gravity, settings.motion)
    , tip_(settings.tip)
    , area_(settings.area)
    , sectionRadius_(std::sqrt(settings.area / std::numbers::pi))
  {
    LineMesh mesh = uniformLine(settings.length, settings.elements);
    for (End end : {left, right})
      if (tip_[end] == Tip::masslessShifted)
        shiftTipMass(mesh, end);
      else if (tip_[end] == Tip::masslessSplit)
        splitTip(mesh, end, settings.tipFraction);

    const Vec3 axis = settings.axis / settings.axis.two_norm();
    std::vector<Vec3> reference;
    for (double s : mesh.coordinate)
      reference.push_back(settings.position + Vec3(axis) * s);
    std::vector<double> mass = std::move(mesh.share);
    for (double& m : mass)
      m *= settings.density * settings.area;
    setNodes(std::move(reference), std::move(mass));

    length_ = std::move(mesh.length);
    for (double l : length_)
      stiffness_.push_back(settings.young * settings.area / l);
  }

  /* With d = X_{e+1} - X_e and w = u_{e+1} - u_e the stretch is
   *   |d + w| - l = (2 d.w + w.w) / (|d + w| + l),
   * which keeps its digits when the displacements are small. */
  Bar::Stretch Bar::stretch(ConstSpan q, std::size_t element) const
  {
    const Vec3 d = reference(element + 1) - reference(element);
    const Vec3 w = displacement(q, element + 1) - displacement(q, element);
    const double length = (d + w).two_norm();
    return {(2 * (d * w) + w * w) / (length + length_[element]), (d + w) / length, length};
  }

  //! Difference of the tensions k (q_{i+1} - q_i) to the right and to the left of each node
  void Bar::addForceLinear(ConstSpan q, double weight, Span p) const
  {
    double left = 0; // tension in the element to the left of node i
    for (std::size_t i = 0; i + 1 < q.size(); ++i) {
      const double right = stiffness_[i] * (q[i + 1] - q[i]);
      p[i] += weight * (right - left);
      left = right;
    }
    p[q.size() - 1] -= weight * left;
  }

  //! Element e with the stretch s along n pulls with k s n at node e and with -k s n at node e+1
  void Bar::addForce(double t, ConstSpan q, double weight, Span p) const
  {
    LumpedBody::addForce(t, q, weight, p);
    if (dimension() == 1) {
      addForceLinear(q, weight, p);
      for (End end : {left, right})
        if (massless(end))
          p[endNode(end)] = 0; // what pulls there is balanced by contact
      return;
    }
    for (std::size_t e = 0; e < length_.size(); ++e) {
      const auto [value, direction, length] = stretch(q, e);
      for (int c = 0; c < dimension(); ++c) {
        const double f = weight * (stiffness_[e] * value * direction[c]);
        p[e * dimension() + c] += f;
        p[(e + 1) * dimension() + c] -= f;
      }
    }
  }

  /* One pass over memory: the drift of a chunk of nodes, then the kick of the nodes whose both
   * neighbours have drifted, while the chunk is in the cache. */
  void Bar::driftKick(ConstSpan q, ConstSpan p, double h, double t1, double weight, Span q1,
                      Span p1) const
  {
    if (dimension() != 1 || hasGravity() || hasMasslessPoints())
      return LumpedBody::driftKick(q, p, h, t1, weight, q1, p1);

    const std::size_t n = q.size(), chunk = 1024;
    const double* k = stiffness_.data();
    const double* inverseMass = inverseMasses().data();
    std::size_t kicked = 0;
    for (std::size_t begin = 0; begin < n; begin += chunk) {
      const std::size_t end = std::min(n, begin + chunk);
      for (std::size_t i = begin; i < end; ++i)
        q1[i] = q[i] + h * (inverseMass[i] * p[i]);
      if (kicked == 0)
        p1[kicked++] = p[0] + weight * (k[0] * (q1[1] - q1[0]));
      const double* x = q1.data();
      for (std::size_t i = kicked; i + 1 < end; ++i)
        p1[i] = p[i] + weight * (k[i] * (x[i + 1] - x[i]) - k[i - 1] * (x[i] - x[i - 1]));
      kicked = std::max(kicked, end - 1);
    }
    p1[n - 1] = p[n - 1] - weight * (k[n - 2] * (q1[n - 1] - q1[n - 2]));
  }

  //! sum 1/2 k s^2, the interval energy of an interval without length
  double Bar::elastic(ConstSpan q) const
  {
    return intervalElastic(q, q);
  }

  /* Per element, with tensions f = k s and the general form of the interval energy
   *   1/4 k (s0^2 + s1^2) - 1/4 (f1 n1 - f0 n0) . (w1 - w0),   w = u_{e+1} - u_e,
   * which is 1/2 k s0 s1 in one dimension. */
  double Bar::intervalElastic(ConstSpan q0, ConstSpan q1) const
  {
    double sum = 0;
    if (dimension() == 1) {
      for (std::size_t e = 0; e < length_.size(); ++e)
        sum += stiffness_[e] * (q0[e + 1] - q0[e]) * (q1[e + 1] - q1[e]);
      return 0.5 * sum;
    }
    for (std::size_t e = 0; e < length_.size(); ++e) {
      const Stretch a = stretch(q0, e), b = stretch(q1, e);
      const Vec3 w = (displacement(q1, e + 1) - displacement(q0, e + 1)) -
                     (displacement(q1, e) - displacement(q0, e));
      sum += 0.25 * stiffness_[e] *
             (a.value * a.value + b.value * b.value -
              (Vec3(b.direction) * b.value - Vec3(a.direction) * a.value) * w);
    }
    return sum;
  }

  /* d(k s n)/dw = k n n^T + k s/|x| (I - n n^T) */
  void Bar::addStiffness(double, ConstSpan q, std::size_t offset, Triplets& entries) const
  {
    const int d = dimension();
    for (std::size_t e = 0; e < length_.size(); ++e) {
      const Stretch s = d == 1 ? Stretch{0, {1, 0, 0}, 1} : stretch(q, e);
      for (int a = 0; a < d; ++a)
        for (int b = 0; b < d; ++b) {
          const double nn = s.direction[a] * s.direction[b];
          const double value = stiffness_[e] * (nn + s.value / s.length * ((a == b) - nn));
          const int i = int(offset + e * d) + a, j = int(offset + e * d) + b;
          entries.emplace_back(i, j, value);
          entries.emplace_back(i + d, j + d, value);
          entries.emplace_back(i, j + d, -value);
          entries.emplace_back(i + d, j, -value);
        }
    }
  }

  std::vector<std::size_t> Bar::patch(const std::string& place) const
  {
    if (place.empty())
      return {endNode(left), endNode(right)};
    if (place == "left")
      return {endNode(left)};
    if (place == "right" || place == "tip")
      return {endNode(right)};
    if (place.size() < 10 &&
        std::all_of(place.begin(), place.end(), [](unsigned char c) { return std::isdigit(c); }))
      if (const std::size_t node = std::stoul(place); node < nodes())
        return {node};
    return {};
  }

  std::vector<std::string> Bar::patchNames() const
  {
    return {"left", "right", "tip", "a node from 0 to " + std::to_string(nodes() - 1)};
  }

  //! An end without mass and contact carries no tension: it has the displacement of its neighbour
  void Bar::placeMasslessNodes(Span q) const
  {
    for (End end : {left, right})
      if (massless(end))
        q[endNode(end)] = q[endNeighbour(end)];
  }

  void Bar::sample(ConstSpan q, ConstSpan v, VisualizationData& visual) const
  {
    VisualizationField displacements{"displacement", 3, {}}, velocities{"velocity", 3, {}},
      stress{"stress", 1, {}};
    for (std::size_t i = 0; i < nodes(); ++i) {
      // an end without mass follows
      const std::size_t moving = carriesMass(i) ? i : i == 0 ? 1 : i - 1;
      const Vec3 u = displacement(q, i), velocity = displacement(v, moving);
      visual.points.push_back(reference(i) + u);
      displacements.values.insert(displacements.values.end(), u.begin(), u.end());
      velocities.values.insert(velocities.values.end(), velocity.begin(), velocity.end());
    }
    for (std::size_t e = 0; e < length_.size(); ++e) {
      visual.addCell(VisualizationCell::line, {e, e + 1});
      const double s = dimension() == 1 ? q[e + 1] - q[e] : stretch(q, e).value;
      stress.values.push_back(stiffness_[e] * s / area_);
    }
    visual.pointFields = {displacements, velocities};
    visual.cellFields = {stress};
  }

} // namespace Dune::Impact
