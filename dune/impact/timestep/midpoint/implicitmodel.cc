// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>

#include <dune/impact/solver/multigrid/algebraichierarchy.hh>
#include <dune/impact/timestep/midpoint/implicitmodel.hh>

namespace Dune::Impact {

  namespace {

    //! True if one of the numbers is in both increasing lists
    bool haveCommon(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b)
    {
      std::vector<std::size_t> common;
      std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
      return !common.empty();
    }

    /* In the decoupled mortar basis nodes of the nonmortar side follow nodes of the mortar side.
     * The mortar side of a contact may be the nonmortar side of another one, and so on, but not in
     * a circle: that is refused for the last contact that closes it. */
    template<int dim>
    void refuseCircle(const std::vector<Contact>& contacts,
                      const std::vector<const WeightedGapGeometry<dim>*>& geometries,
                      std::size_t last)
    {
      std::vector<std::size_t> reached = {last};
      for (std::size_t i = 0; i < reached.size(); ++i)
        for (std::size_t next = 0; next <= last; ++next) {
          const auto* mortar = geometries[reached[i]]->mortarSurface();
          if (!mortar || !haveCommon(mortar->node, geometries[next]->surface().node))
            continue;
          if (next == last)
            throw ContactRefused(contacts[last].name, "second",
                                 "contact." + contacts[last].name +
                                   " closes a circle with contact." + contacts[reached[i]].name +
                                   ": exchange first and second");
          if (std::find(reached.begin(), reached.end(), next) == reached.end())
            reached.push_back(next);
        }
    }

  } // namespace

  //! Unknowns are the nodes of all solids, then two blocks per rigid body, centre and rotation.
  //! Components with a prescribed motion are fixed ones for the solver.
  template<int dim>
  ImplicitModel<dim>::ImplicitModel(const System& system, const std::vector<Contact>& contacts,
                                    const std::string& method)
    : system(system)
    , geometries_(capabilities<WeightedGapGeometry<dim>>(contacts, method))
  {
    for (std::size_t k = 0; k < contacts.size(); ++k)
      refuseCircle<dim>(contacts, geometries_, k);
    multiplierBegin.push_back(0);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      contactNames_.push_back(contacts[k].name);
      friction_.push_back(contacts[k].law.friction);
      multiplierBegin.push_back(multiplierBegin.back() + geometry(k).multipliers());
    }
    std::size_t nodes = 0;
    for (std::size_t i = 0; i < system.bodyCount(); ++i) {
      if (const auto* body = dynamic_cast<const RigidBody*>(&system.body(i)); body && dim == 3) {
        addRigid(*body, system.point(i, 0).configurationOffset);
        continue;
      }
      const auto* body = dynamic_cast<const ImplicitBody<dim>*>(&system.body(i));
      if (!body)
        throw InputError(system.body(i).name() +
                         ": an implicit method for solids cannot move this body");
      if (!rigid.empty())
        throw InputError(system.body(i).name() + ": solids must come before rigid bodies");
      members.push_back({body, nodes, {}});
      nodes += body->mesh().nodes.size();
      fixed.insert(fixed.end(), body->fixed().begin(), body->fixed().end());
    }
    for (const Motion& motion : system.motions())
      fixed[motion.velocity / dim] |= NodeMask::value_type(1 << motion.velocity % dim);
    for (const auto& interaction : system.interactions())
      followerLoads = followerLoads || interaction->dependsOnConfiguration();
    buildPattern();
    measure();
  }

  //! The unknown of a rotation is L theta with the radius of gyration L = (J_max/m)^{1/2}: it has
  //! the unit and the inertia of a displacement. A pivot fixes the centre.
  template<int dim>
  void ImplicitModel<dim>::addRigid(const RigidBody& body, std::size_t configuration)
  {
    const double length =
      std::sqrt(body.inverseInertia().cwiseInverse().maxCoeff() / body.memberMass());
    for (std::size_t i = 0; i < body.count(); ++i) {
      rigid.push_back({&body, i, fixed.size(), configuration + i * RigidPlace::size, length});
      fixed.insert(fixed.end(),
                   {NodeMask::value_type(body.hasPivot() ? 7 : 0), NodeMask::value_type(0)});
    }
  }

  //! Scales of mass and stiffness: the mean diagonal entries trace(M)/n and trace(K)/n of the body
  //! where they are largest, K without deformation
  template<int dim>
  void ImplicitModel<dim>::measure()
  {
    for (const ImplicitMember<dim>& member : members) {
      typename ImplicitBody<dim>::Matrix A(member.body->pattern());
      const std::vector<double> u(member.nodes() * dim, 0);
      member.body->addMass(1, A);
      mass = std::max(mass, trace<dim>(A) / double(u.size()));
      A.clear();
      member.body->addMidpointTangent(u, u, 1, A);
      stiffness = std::max(stiffness, trace<dim>(A) / double(u.size()));
    }
  }

  //! The matrix of the step has the blocks of the solids and two diagonal blocks per rigid body;
  //! `place` leads from the blocks of a solid to those of the matrix.
  template<int dim>
  void ImplicitModel<dim>::buildPattern()
  {
    rowBegin_ = {0};
    length = std::numeric_limits<double>::infinity();
    for (const ImplicitMember<dim>& member : members) {
      const SparsityPattern& own = *member.body->pattern();
      for (std::size_t i = 0; i < own.rows(); ++i) {
        for (std::size_t k = own.rowStart[i]; k < own.rowStart[i + 1]; ++k)
          columns_.push_back(typename BlockMatrix<dim>::Index(member.node + own.column[k]));
        rowBegin_.push_back(columns_.size());
      }
      const auto& mesh = member.body->mesh();
      for (const auto& facet : mesh.facets) // shortest edge of the surface
        for (int c = 0; c < facet.count; ++c)
          length = std::min(
            length,
            (mesh.nodes[facet.node[c]] - mesh.nodes[facet.node[(c + 1) % facet.count]]).two_norm());
    }
    for (std::size_t i = solidNodes(); i < nodeCount(); ++i) {
      columns_.push_back(typename BlockMatrix<dim>::Index(i));
      rowBegin_.push_back(columns_.size());
    }
    const BlockMatrix<dim> pattern = makeMatrix();
    for (ImplicitMember<dim>& member : members) {
      const SparsityPattern& own = *member.body->pattern();
      for (std::size_t i = 0; i < own.rows(); ++i)
        for (std::size_t k = own.rowStart[i]; k < own.rowStart[i + 1]; ++k)
          member.place.push_back(pattern.find(member.node + i, member.node + own.column[k]));
    }
  }

  //! Transfers of one body: the levels of its mesh, then algebraic ones as far as the coarsest
  //! level is too large for a factor
  template<int dim>
  typename BoxMultigrid<dim>::Transfers ImplicitModel<dim>::transfers(
    const ImplicitMember<dim>& member, std::size_t factorNodes) const
  {
    typename BoxMultigrid<dim>::Transfers transfers;
    NodeCloud<dim> nodes{*member.body->pattern(), member.body->mesh().nodes};
    const auto& levels = member.body->mesh().prolongations;
    for (auto P = levels.rbegin(); P != levels.rend(); ++P) {
      auto transfer = std::make_shared<Transfer<dim>>(P->coarseNodes);
      for (std::size_t i = 0; i < P->fineNodes(); ++i) {
        transfer->beginRow();
        for (std::size_t k = P->rowStart[i]; k < P->rowStart[i + 1]; ++k)
          transfer->add(int(P->column[k]), P->weight[k]);
      }
      transfer->finish();
      nodes = coarseCloud<dim>(nodes, *transfer);
      transfers.push_back(std::move(transfer));
    }
    if (nodes.positions.size() > factorNodes)
      for (auto& transfer : algebraicTransfers<dim>(std::move(nodes)))
        transfers.push_back(std::move(transfer));
    return transfers;
  }

  /* Levels are counted from the finest; a body without further levels stays as it is, and so do
   * rigid bodies. */
  template<int dim>
  typename BoxMultigrid<dim>::Transfers ImplicitModel<dim>::transfers(std::size_t factorNodes) const
  {
    std::vector<typename BoxMultigrid<dim>::Transfers> own;
    std::vector<std::size_t> size; // of the current level of each body
    std::size_t levels = 0;
    for (const ImplicitMember<dim>& member : members) {
      own.push_back(transfers(member, factorNodes));
      size.push_back(member.nodes());
      levels = std::max(levels, own.back().size());
    }
    own.emplace_back();
    size.push_back(2 * rigid.size());
    typename BoxMultigrid<dim>::Transfers all;
    for (std::size_t l = 0; l < levels; ++l) {
      std::vector<std::size_t> coarse = size;
      for (std::size_t b = 0; b < own.size(); ++b)
        if (l < own[b].size())
          coarse[b] = own[b][l]->coarseSize();
      auto transfer = std::make_shared<Transfer<dim>>(
        std::accumulate(coarse.begin(), coarse.end(), std::size_t(0)));
      for (std::size_t b = 0, begin = 0; b < own.size(); begin += coarse[b++])
        for (std::size_t i = 0; i < size[b]; ++i) {
          transfer->beginRow();
          if (l >= own[b].size())
            transfer->add(int(begin + i), 1.0);
          else
            for (const auto& entry : own[b][l]->parents(i))
              transfer->add(int(begin) + entry.node, own[b][l]->weight(entry));
        }
      transfer->finish();
      all.push_back(std::move(transfer));
      size = coarse;
    }
    return all;
  }

  template<int dim>
  void ImplicitModel<dim>::gaps(double t, ConstSpan u, WeightedGaps<dim>& gaps) const
  {
    gaps.clear();
    for (std::size_t k = 0; k < contactCount(); ++k)
      geometry(k).addGaps(t, u, multiplierBegin[k], gaps);
  }

  template<int dim>
  std::size_t ImplicitModel<dim>::contactOf(std::size_t multiplier) const
  {
    return std::upper_bound(multiplierBegin.begin(), multiplierBegin.end(), multiplier) -
           multiplierBegin.begin() - 1;
  }

  //! p = M v; members of one rigid body follow one another and are taken together
  template<int dim>
  void ImplicitModel<dim>::momentum(ConstSpan q, ConstSpan v, Span p) const
  {
    std::fill(p.begin(), p.end(), 0);
    for (const ImplicitMember<dim>& member : members)
      member.body->addMassProduct(1, member.slice(v), member.slice(p));
    for (const ImplicitRigid& one : rigid)
      if (one.member == 0)
        one.body->momentum(q.subspan(one.configuration, one.body->configurationSize()),
                           v.subspan(one.node * dim, one.body->velocitySize()),
                           p.subspan(one.node * dim, one.body->velocitySize()));
  }

  //! sum p_i and sum (X_i + u_i) x p_i over nodes, and those of rigid bodies
  template<int dim>
  Momenta ImplicitModel<dim>::momenta(ConstSpan u, ConstSpan p) const
  {
    Momenta result;
    for (const ImplicitMember<dim>& member : members)
      for (std::size_t i = 0; i < member.nodes(); ++i) {
        Vec3 x(0), own(0);
        for (int c = 0; c < dim; ++c) {
          x[c] = member.body->mesh().nodes[i][c] + u[(member.node + i) * dim + c];
          own[c] = p[(member.node + i) * dim + c];
        }
        result.linear += own;
        result.angular += cross(x, own);
      }
    for (const ImplicitRigid& one : rigid)
      if (one.member == 0) {
        const Momenta all =
          one.body->momenta(u.subspan(one.configuration, one.body->configurationSize()),
                            p.subspan(one.node * dim, one.body->velocitySize()));
        result.linear += all.linear;
        result.angular += all.angular;
      }
    return result;
  }

  template struct ImplicitModel<2>;
  template struct ImplicitModel<3>;

} // namespace Dune::Impact
