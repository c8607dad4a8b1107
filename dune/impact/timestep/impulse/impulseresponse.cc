// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>

#include <dune/impact/solver/impulse/connected.hh>
#include <dune/impact/timestep/impulse/impulseresponse.hh>

namespace Dune::Impact {

  //! M^{-1} G^T as a sparse velocity for each point and component
  void ImpulseResponse::set(ConstSpan q, const ContactPoints& points)
  {
    points_ = &points;
    velocities_.clear();
    for (std::size_t i = 0; i < points.size(); ++i)
      for (int c = 0; c < points.components(); ++c)
        velocities_.addRow(
          [&](SparseVector& entries) { system_.addVelocity(q, points.functional(i, c), entries); });
  }

  void ImpulseResponse::forgetDofs()
  {
    for (std::size_t dof : dofs_)
      dofNumber_[dof] = none;
  }

  //! Connected components of the points. Each point is connected to the first point that sees the
  //! same dof, which is enough: no pairs are formed.
  std::size_t ImpulseResponse::findIslands()
  {
    const std::size_t n = points_->size();
    dofNumber_.resize(system_.velocitySize(), none); // here: the first point that sees a dof
    dofs_.clear();
    const std::size_t islands = labelComponents(
      n,
      [&](auto&& connect) {
        for (std::uint32_t i = 0; i < n; ++i)
          for (int c = 0; c < points_->components(); ++c)
            for (const auto& [dof, value] : points_->functional(i, c))
              if (dofNumber_[dof] != none)
                connect(i, dofNumber_[dof]);
              else if (!system_.prescribed(dof)) {
                dofNumber_[dof] = i;
                dofs_.push_back(dof);
              }
      },
      labels_);
    forgetDofs();
    islands_.group(islands, [&](auto&& add) {
      for (std::uint32_t i = 0; i < n; ++i)
        add(labels_[i], i);
    });
    return islands;
  }

  //! Which points see which dof: dofs are numbered as they are met, and the entries of one are kept
  //! together
  void ImpulseResponse::findTouches(Points points)
  {
    dofNumber_.resize(system_.velocitySize(), none);
    dofs_.clear();
    touches_.group(0, [&](auto&& add) {
      for (std::size_t i = 0; i < points.size(); ++i)
        for (int c = 0; c < points_->components(); ++c)
          for (const auto& [dof, value] : points_->functional(points[i], c)) {
            if (system_.prescribed(dof))
              continue;
            if (dofNumber_[dof] == none) {
              dofNumber_[dof] = std::uint32_t(dofs_.size());
              dofs_.push_back(dof);
            }
            add(dofNumber_[dof], Touch{std::uint32_t(i), c, value});
          }
    });
  }

  //! Some points, for the assembly: a ContactResponse after findTouches(), a SparseContactResponse
  struct ImpulseResponse::Part
  {
    const ImpulseResponse& response;
    Points points;

    std::size_t size() const { return points.size(); }
    int blockSize() const { return response.points_->components(); }
    bool isFree(std::size_t dof) const { return !response.system_.prescribed(dof); }
    std::span<const Entry> functional(std::size_t i, int c) const
    {
      return response.points_->functional(points[i], c);
    }
    std::span<const Entry> velocity(std::size_t i, int c) const
    {
      return response.velocity(points[i], c);
    }

    //! H_ij = (M^{-1} G_i^T) . G_j over the dofs that are free to move, for the points j that share
    //! one with point i; the diagonal block comes first
    template<class Block>
    void addBlocks(std::size_t i, Block&& block) const
    {
      block(i);
      for (int c = 0; c < blockSize(); ++c)
        for (const auto& [dof, value] : velocity(i, c)) {
          const std::uint32_t d = response.dofNumber_[dof];
          if (d == none)
            continue;
          for (const Touch& touch : response.touches_[d])
            block(touch.point)[c * blockSize() + touch.component] += value * touch.value;
        }
    }
  };

  void ImpulseResponse::assemble(Points points, Delassus& matrix)
  {
    findTouches(points);
    assembly_.assemble(Part{*this, points}, matrix);
    forgetDofs();
  }

  void ImpulseResponse::assemble(Points points, FactoredDelassus& matrix) const
  {
    assembleFactors(Part{*this, points}, matrix);
  }

} // namespace Dune::Impact
