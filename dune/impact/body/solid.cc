// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include <dune/impact/body/elementforces.hh>
#include <dune/impact/body/solid.hh>
#include <dune/impact/body/solidloads.hh>
#include <dune/impact/common/exceptions.hh>
#include <dune/impact/geometry/tospace.hh>

namespace Dune::Impact {

  namespace {

    //! The nodes of facets, each once, in increasing order; of all facets without a patch
    template<int dim>
    std::vector<std::size_t> facetNodes(const SolidMesh<dim>& mesh, std::optional<int> patch)
    {
      std::vector<std::size_t> nodes;
      for (const auto& facet : mesh.facets)
        if (!patch || facet.patch == *patch)
          nodes.insert(nodes.end(), facet.nodes().begin(), facet.nodes().end());
      std::sort(nodes.begin(), nodes.end());
      nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
      return nodes;
    }

    //! sqrt(3/2 s : s) with the deviator s of the stress
    double vonMises(Tensor<3> s)
    {
      const double mean = trace(s) / 3;
      for (int i = 0; i < 3; ++i)
        s[i][i] -= mean;
      return std::sqrt(1.5) * s.frobenius_norm();
    }

  } // namespace

  template<int dim>
  Solid<dim>::Solid(Settings settings)
    : LumpedBody(settings.name, dim, settings.gravity, settings.motion)
    , mesh_(std::move(settings.mesh))
    , elements_(mesh_, settings.material, settings.cubes)
    , deformation_(settings.deformation)
  {
    std::vector<Vec3> reference;
    reference.reserve(mesh_.nodes.size());
    for (const auto& x : mesh_.nodes)
      reference.push_back(toSpace<dim>(x));
    setNodes(std::move(reference), settings.mass == Mass::lumped
                                     ? diagonalMass(mesh_, settings.density)
                                     : lumpedMass(mesh_, settings.density));
    addSupports(settings.supports);
    if (settings.mass == Mass::consistent) {
      mass_ = consistentMass(mesh_, settings.density, elements_.pattern());
      factor_.emplace(mass_, dim, fixed());
    }
    else if (ElementForces<dim>::hasKernel(settings.material))
      forces_ = std::make_unique<const ElementForces<dim>>(mesh_, settings.material,
                                                           settings.threads, settings.cubes);
  }

  //! A component of a node is held if one of the supports of its patches holds it
  template<int dim>
  void Solid<dim>::addSupports(const std::vector<Support>& supports)
  {
    std::vector<std::uint8_t> bits(nodes(), 0);
    for (const Support& support : supports) {
      const auto patch = mesh_.findPatch(support.patch);
      if (!patch)
        throw InputError(name() + ": the mesh has no patch " + support.patch);
      for (std::size_t node : facetNodes(mesh_, patch))
        for (int c = 0; c < dim; ++c)
          bits[node] |= std::uint8_t(support.component[c]) << c;
    }
    for (std::size_t i = 0; i < nodes() * dim; ++i)
      if (bits[i / dim] >> i % dim & 1)
        fixedDofs_.push_back(i);
    fix(std::move(bits));
  }

  //! q1 = q + h v, M v = p with the consistent mass; returns 1/2 p.v
  template<int dim>
  double Solid<dim>::drift(ConstSpan q, ConstSpan p, double h, Span q1, Span p1) const
  {
    if (lumped())
      return LumpedBody::drift(q, p, h, q1, p1);
    factor_->solve(p, q1);
    double sum = 0;
    for (std::size_t i = 0; i < q.size(); ++i) {
      sum += p[i] * q1[i];
      q1[i] = q[i] + h * q1[i];
      p1[i] = p[i];
    }
    return 0.5 * sum;
  }

  template<int dim>
  Solid<dim>::~Solid() = default;

  //! The end of a run in which a cell has turned inside out
  template<int dim>
  void Solid<dim>::refuseInverted(ConstSpan q) const
  {
    const auto inverted = elements_.invertedCell(q);
    if (!inverted)
      throw RunError(name() + ": a cell has turned inside out");
    Vec3 centre(0);
    for (Index corner : mesh_.cell(*inverted))
      centre.axpy(1.0 / double(mesh_.cell(*inverted).size()), position(q, corner));
    throw RunError(fmt::format("{}: cell {} at {:.6g} {:.6g} {:.6g} has turned inside out", name(),
                               *inverted, centre[0], centre[1], centre[2]));
  }

  //! Call out(node, force) with dW/du of each node; ends the run where a cell has turned inside out
  template<int dim>
  template<class Out>
  void Solid<dim>::forEachForce(ConstSpan q, Out&& out) const
  {
    if (forces_) {
      if (!(forces_->evaluate(q, {}, out) > 0))
        refuseInverted(q);
      return;
    }
    if (elements_.invertedCell(q))
      refuseInverted(q);
    std::vector<double> force(q.size(), 0);
    elements_.addForce(q, 1, force);
    for (std::size_t node = 0; node < nodes(); ++node)
      out(node, &force[node * dim]);
  }

  //! Gravity and -dW/du of a node
  template<int dim>
  void Solid<dim>::kickNode(std::size_t node, const double* force, double weight, Span p) const
  {
    for (int c = 0; c < dim; ++c) {
      const std::size_t i = node * dim + c;
      if (held(node, c))
        continue;
      if (hasGravity())
        p[i] += weight * (nodeMass(node) * gravity()[c]);
      p[i] -= weight * force[c];
    }
  }

  //! Lumped mass: each momentum is written as soon as the force on its node is complete, without an
  //! array of forces
  template<int dim>
  void Solid<dim>::driftKick(ConstSpan q, ConstSpan p, double h, double t1, double weight, Span q1,
                             Span p1) const
  {
    if (!lumped())
      return LumpedBody::driftKick(q, p, h, t1, weight, q1, p1);
    constexpr std::size_t block = 16384;
    parallelFor((q.size() + block - 1) / block, forces_ ? forces_->threads() : 1,
                [&](std::size_t b) {
                  for (std::size_t i = b * block; i < std::min((b + 1) * block, q.size()); ++i)
                    q1[i] = q[i] + h * (inverseMasses()[i] * p[i]);
                },
                1);
    const bool plain = !hasGravity() && fixedDofs_.empty();
    forEachForce(q1, [&](std::size_t node, const double* force) {
      for (int c = 0; c < dim; ++c)
        p1[node * dim + c] = plain ? p[node * dim + c] - weight * force[c] : p[node * dim + c];
      if (!plain)
        kickNode(node, force, weight, p1);
    });
  }

  //! y += K(q) x: the derivative of the forces in the direction x where there is a kernel,
  //! otherwise with an assembled matrix
  template<int dim>
  void Solid<dim>::addStiffnessProduct(double, ConstSpan q, ConstSpan x, Span y) const
  {
    if (forces_) {
      forces_->add(q, 1, y, x);
      return;
    }
    Matrix K(pattern());
    elements_.addTangent(q, 1, K);
    K.addProduct(1, x, dim, y);
  }

  //! Gravity and -dW/du, which on held components is balanced by the support
  template<int dim>
  void Solid<dim>::addForce(double t, ConstSpan q, double weight, Span p) const
  {
    if (lumped())
      return forEachForce(
        q, [&](std::size_t node, const double* force) { kickNode(node, force, weight, p); });
    std::vector<double> kept;
    for (std::size_t i : fixedDofs_)
      kept.push_back(p[i]);
    LumpedBody::addForce(t, q, weight, p);
    elements_.addForce(q, -weight, p);
    for (std::size_t k = 0; k < kept.size(); ++k)
      p[fixedDofs_[k]] = kept[k];
  }

  template<int dim>
  void Solid<dim>::velocity(ConstSpan q, ConstSpan p, Span v) const
  {
    if (lumped())
      return LumpedBody::velocity(q, p, v);
    factor_->solve(p, v);
  }

  //! p = M v without the rows and columns of held components
  template<int dim>
  void Solid<dim>::momentum(ConstSpan q, ConstSpan v, Span p) const
  {
    if (lumped())
      return LumpedBody::momentum(q, v, p);
    std::fill(p.begin(), p.end(), 0);
    if (fixedDofs_.empty())
      return mass_.addProduct(1, v, dim, p);
    std::vector<double> moving(v.begin(), v.end());
    for (std::size_t i : fixedDofs_)
      moving[i] = 0;
    mass_.addProduct(1, moving, dim, p);
    for (std::size_t i : fixedDofs_)
      p[i] = 0;
  }

  template<int dim>
  void Solid<dim>::addVelocity(ConstSpan q, std::span<const Entry> covector, SparseVector& v) const
  {
    if (lumped())
      return LumpedBody::addVelocity(q, covector, v);
    factor_->solve(covector, v);
  }

  //! 1/2 p.M^-1 p
  template<int dim>
  double Solid<dim>::kinetic(ConstSpan q, ConstSpan p) const
  {
    if (lumped())
      return LumpedBody::kinetic(q, p);
    std::vector<double> v(p.size());
    factor_->solve(p, v);
    double sum = 0;
    for (std::size_t i = 0; i < v.size(); ++i)
      sum += p[i] * v[i];
    return 0.5 * sum;
  }

  //! Of M v with all rows: held nodes have a share in the mass of their neighbours
  template<int dim>
  Momenta Solid<dim>::momenta(ConstSpan q, ConstSpan p) const
  {
    Momenta result = LumpedBody::momenta(q, p);
    if (lumped() || fixedDofs_.empty())
      return result;
    std::vector<double> v(p.size()), all(p.size(), 0);
    factor_->solve(p, v);
    mass_.addProduct(1, v, dim, all);
    for (std::size_t i : fixedDofs_) {
      Vec3 share(0);
      share[i % dim] = all[i];
      result.linear += share;
      result.angular += cross(position(q, i / dim), share);
    }
    return result;
  }

  //! Interval energy 1/2 (W(q0) + W(q1)) - 1/4 (q1 - q0).(W'(q1) - W'(q0)), which is 1/2 q0.K q1
  //! for a linear material
  template<int dim>
  double Solid<dim>::intervalElastic(ConstSpan q0, ConstSpan q1) const
  {
    std::vector<double> difference(q0.size(), 0);
    if (forces_) {
      forces_->add(q1, 1, difference);
      forces_->add(q0, -1, difference);
    }
    else {
      elements_.addForce(q1, 1, difference);
      elements_.addForce(q0, -1, difference);
    }
    double work = 0;
    for (std::size_t i = 0; i < q0.size(); ++i)
      work += (q1[i] - q0[i]) * difference[i];
    return 0.5 * (elements_.energy(q0) + elements_.energy(q1)) - 0.25 * work;
  }

  //! d^2W/du^2 without the rows and columns of held components
  template<int dim>
  void Solid<dim>::addStiffness(double, ConstSpan q, std::size_t offset, Triplets& entries) const
  {
    Matrix K(pattern());
    elements_.addTangent(q, 1, K);
    for (std::size_t a = 0; a < nodes(); ++a)
      for (std::size_t k = pattern()->rowStart[a]; k < pattern()->rowStart[a + 1]; ++k)
        for (int i = 0; i < dim; ++i)
          for (int j = 0; j < dim; ++j)
            if (const std::size_t b = pattern()->column[k]; !held(a, i) && !held(b, j))
              entries.emplace_back(int(offset + a * dim) + i, int(offset + b * dim) + j,
                                   K.block[k][i][j]);
  }

  template<int dim>
  std::vector<std::size_t> Solid<dim>::patch(const std::string& place) const
  {
    if (place.empty())
      return facetNodes(mesh_, std::nullopt);
    if (const auto patch = mesh_.findPatch(place))
      return facetNodes(mesh_, patch);
    if (place.size() < 10 &&
        std::all_of(place.begin(), place.end(), [](unsigned char c) { return std::isdigit(c); }))
      if (const std::size_t node = std::stoul(place); node < nodes())
        return {node};
    return {};
  }

  template<int dim>
  std::vector<std::string> Solid<dim>::patchNames() const
  {
    std::vector<std::string> names = mesh_.patchNames();
    names.push_back("a node from 0 to " + std::to_string(nodes() - 1));
    return names;
  }

  //! Cells in the order of VTK, in which the corners of a quadrilateral go around, and middle nodes
  //! follow after corners
  template<int dim>
  void Solid<dim>::addCells(VisualizationData& visual) const
  {
    for (const auto& c : mesh_.quadratic)
      if constexpr (dim == 2)
        visual.addCell(VisualizationCell::quadraticTriangle, {c[0], c[2], c[5], c[1], c[4], c[3]});
      else
        visual.addCell(VisualizationCell::quadraticTetrahedron,
                       {c[0], c[2], c[5], c[9], c[1], c[4], c[3], c[6], c[7], c[8]});
    if (mesh_.order() > 1)
      return;
    for (const auto& c : mesh_.simplices)
      if constexpr (dim == 2)
        visual.addCell(VisualizationCell::triangle, {c[0], c[1], c[2]});
      else
        visual.addCell(VisualizationCell::tetrahedron, {c[0], c[1], c[2], c[3]});
    for (const auto& c : mesh_.cubes)
      if constexpr (dim == 2)
        visual.addCell(VisualizationCell::quadrilateral, {c[0], c[1], c[3], c[2]});
      else
        visual.addCell(VisualizationCell::hexahedron,
                       {c[0], c[1], c[3], c[2], c[4], c[5], c[7], c[6]});
  }

  template<int dim>
  void Solid<dim>::sample(ConstSpan q, ConstSpan v, VisualizationData& visual) const
  {
    VisualizationField displacements{"displacement", 3, {}}, velocities{"velocity", 3, {}},
      stress{"stress", 9, {}}, mises{"von_mises", 1, {}};
    for (std::size_t i = 0; i < nodes(); ++i) {
      // same layout as a displacement
      const Vec3 u = displacement(q, i), velocity = displacement(v, i);
      visual.points.push_back(reference(i) + u);
      displacements.values.insert(displacements.values.end(), u.begin(), u.end());
      velocities.values.insert(velocities.values.end(), velocity.begin(), velocity.end());
    }
    addCells(visual);
    for (const auto& sigma : elements_.stress(q)) {
      for (const auto& row : sigma)
        stress.values.insert(stress.values.end(), row.begin(), row.end());
      mises.values.push_back(vonMises(sigma));
    }
    visual.pointFields = {displacements, velocities};
    visual.cellFields = {stress, mises};
  }

  //! u = (F - I)(X - c)
  template<int dim>
  void Solid<dim>::initialDisplacement(Span q) const
  {
    std::fill(q.begin(), q.end(), 0);
    if (!deformation_)
      return;
    const Vec3 centre = centreOfMass(q);
    for (std::size_t node = 0; node < nodes(); ++node)
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
          q[node * dim + i] +=
            ((*deformation_)[i][j] - (i == j)) * (mesh_.nodes[node][j] - centre[j]);
  }

  template<int dim>
  void Solid<dim>::initialVelocity(Span v) const
  {
    std::vector<double> q(v.size());
    initialDisplacement(q);
    startVelocity(q, v);
  }

  //! p += factor M v with all rows, held components included
  template<int dim>
  void Solid<dim>::addMassProduct(double factor, ConstSpan v, Span p) const
  {
    if (!lumped())
      return mass_.addProduct(factor, v, dim, p);
    for (std::size_t i = 0; i < v.size(); ++i)
      p[i] += factor * nodeMass(i / dim) * v[i];
  }

  template<int dim>
  void Solid<dim>::addMass(double factor, Matrix& A) const
  {
    const auto add = [factor](double m, auto& block) {
      for (int i = 0; i < dim; ++i)
        block[i][i] += factor * m;
    };
    if (lumped())
      for (std::size_t node = 0; node < nodes(); ++node)
        add(nodeMass(node), A.block[A.pattern->find(node, Index(node))]);
    else
      mass_.forBlocks([&](std::size_t k) { add(mass_.block[k], A.block[k]); });
  }

  //! m_a g with the masses m_a of the nodes: those of the inertia term if it is lumped, int density
  //! N_a with the consistent mass
  template<int dim>
  void Solid<dim>::addGravity(double factor, Span f) const
  {
    for (std::size_t i = 0; i < f.size(); ++i)
      f[i] += factor * nodeMass(i / dim) * gravity()[i % dim];
  }

  template<int dim>
  void Solid<dim>::addMidpointTangent(ConstSpan u0, ConstSpan u1, double weight, Matrix& K) const
  {
    std::vector<double> mean(u0.size());
    for (std::size_t i = 0; i < mean.size(); ++i)
      mean[i] = 0.5 * (u0[i] + u1[i]);
    elements_.addTangent(mean, weight, K);
  }

  template class Solid<2>;
  template class Solid<3>;

} // namespace Dune::Impact
