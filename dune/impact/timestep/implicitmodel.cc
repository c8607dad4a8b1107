// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <limits>
#include <memory>

#include <dune/impact/timestep/implicitmodel.hh>

namespace Dune::Impact {

  template<int dim>
  ImplicitModel<dim>::ImplicitModel(const System& system, const std::vector<SurfaceContact<dim>>& contacts)
    : system(system), contacts(contacts)
  {
    slotBegin.push_back(0);
    for (const auto& contact : contacts)
      slotBegin.push_back(slotBegin.back() + contact.coupling->slots());
    std::size_t nodes = 0;
    for (std::size_t i = 0; i < system.bodyCount(); ++i) {
      const auto* body = dynamic_cast<const ImplicitBody<dim>*>(&system.body(i));
      if (!body)
        throw InputError(system.body(i).name() + ": an implicit method for solids cannot move this body");
      members.push_back({body, nodes, {}, typename ImplicitBody<dim>::Matrix(body->pattern())});
      nodes += body->mesh().nodes.size();
      fixed.insert(fixed.end(), body->fixed().begin(), body->fixed().end());
    }
    for (const Motion& motion : system.motions())
      fixed[motion.velocity / dim] |= NodeMask::value_type(1 << motion.velocity % dim);
    for (const auto& interaction : system.interactions())
      followerLoads = followerLoads || interaction->dependsOnConfiguration();
    buildPattern();
  }

  template<int dim>
  void ImplicitModel<dim>::buildPattern()
  {
    std::vector<std::size_t> rowBegin = {0};
    std::vector<typename BlockMatrix<dim>::Index> columns;
    length = std::numeric_limits<double>::infinity();
    for (const ImplicitMember<dim>& member : members) {
      const SparsityPattern& own = *member.body->pattern();
      for (std::size_t i = 0; i < own.rows(); ++i) {
        for (std::size_t k = own.rowStart[i]; k < own.rowStart[i + 1]; ++k)
          columns.push_back(typename BlockMatrix<dim>::Index(member.node + own.column[k]));
        rowBegin.push_back(columns.size());
      }
      const auto& mesh = member.body->mesh();
      for (const auto& facet : mesh.facets) // shortest edge of the surface
        for (int c = 0; c < facet.count; ++c)
          length = std::min(length, (mesh.nodes[facet.node[c]] - mesh.nodes[facet.node[(c + 1) % facet.count]]).two_norm());
    }
    pattern = BlockMatrix<dim>(rowBegin, columns);
    for (ImplicitMember<dim>& member : members) {
      const SparsityPattern& own = *member.body->pattern();
      for (std::size_t i = 0; i < own.rows(); ++i)
        for (std::size_t k = own.rowStart[i]; k < own.rowStart[i + 1]; ++k)
          member.place.push_back(pattern.find(member.node + i, member.node + own.column[k]));
    }
  }

  /* Levels are counted from the finest; a body without further levels stays as it is. */
  template<int dim>
  typename BoxMultigrid<dim>::Transfers ImplicitModel<dim>::transfers() const
  {
    std::size_t levels = 0;
    for (const ImplicitMember<dim>& member : members)
      levels = std::max(levels, member.body->mesh().prolongations.size());
    typename BoxMultigrid<dim>::Transfers transfers;
    for (std::size_t l = 0; l < levels; ++l) {
      std::size_t coarse = 0, begin = 0;
      const auto prolongation = [&](const ImplicitMember<dim>& member) -> const Prolongation* {
        const auto& all = member.body->mesh().prolongations;
        return l < all.size() ? &all[all.size() - 1 - l] : nullptr;
      };
      const auto fineNodes = [&](const ImplicitMember<dim>& member) {
        const auto& all = member.body->mesh().prolongations;
        return all.empty() ? member.body->mesh().nodes.size() : l < all.size() ? all[all.size() - 1 - l].fineNodes() : all.front().coarseNodes;
      };
      for (const ImplicitMember<dim>& member : members)
        coarse += prolongation(member) ? prolongation(member)->coarseNodes : fineNodes(member);
      auto transfer = std::make_shared<Transfer<dim>>(coarse);
      for (const ImplicitMember<dim>& member : members) {
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
    return transfers;
  }

  template<int dim>
  void ImplicitModel<dim>::gaps(double t, ConstSpan u, GapSet<dim>& gaps) const
  {
    gaps.clear();
    for (std::size_t k = 0; k < contacts.size(); ++k)
      contacts[k].coupling->addGaps(t, u, slotBegin[k], gaps);
  }

  template<int dim>
  std::size_t ImplicitModel<dim>::contactOf(std::size_t slot) const
  {
    return std::upper_bound(slotBegin.begin(), slotBegin.end(), slot) - slotBegin.begin() - 1;
  }

  template<int dim>
  void ImplicitModel<dim>::momentum(ConstSpan v, Span p) const
  {
    std::fill(p.begin(), p.end(), 0);
    for (const ImplicitMember<dim>& member : members)
      member.body->addMassProduct(1, member.slice(v), member.slice(p));
  }

  template struct ImplicitModel<2>;
  template struct ImplicitModel<3>;

} // namespace Dune::Impact
