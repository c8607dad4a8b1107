// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module
// root SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <numeric>

#include <dune/impact/solver/impulse/connected.hh>
#include <dune/impact/timestep/impulse/impulseresponse.hh>

namespace Dune::Impact {

  void ImpulseResponse::set(ConstSpan q, const ContactPoints& rows)
  {
    rows_ = &rows;
    velocities_.clear();
    velocityEnd_.clear();
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (int c = 0; c < rows.components(); ++c) {
        system_.addVelocity(q, rows.functional(i, c), velocities_);
        velocityEnd_.push_back(velocities_.size());
      }
  }

  std::size_t ImpulseResponse::findIslands()
  {
    const std::size_t n = rows_->size();
    dofNumber_.resize(system_.velocitySize(), none); // here: the first row that sees a dof
    dofs_.clear();
    const std::size_t islands = labelComponents(
      n,
      [&](auto&& connect) {
        for (std::uint32_t i = 0; i < n; ++i)
          for (int c = 0; c < rows_->components(); ++c)
            for (const auto& [dof, value] : rows_->functional(i, c))
              if (dofNumber_[dof] != none)
                connect(i, dofNumber_[dof]);
              else if (!system_.prescribed(dof)) {
                dofNumber_[dof] = i;
                dofs_.push_back(dof);
              }
      },
      labels_);
    for (std::size_t dof : dofs_)
      dofNumber_[dof] = none;

    islandEnd_.assign(islands, 0);
    for (const std::size_t label : labels_)
      ++islandEnd_[label];
    std::exclusive_scan(islandEnd_.begin(), islandEnd_.end(), islandEnd_.begin(), std::size_t(0));
    islandRows_.resize(n);
    for (std::uint32_t i = 0; i < n; ++i)
      islandRows_[islandEnd_[labels_[i]]++] = i;
    return islandEnd_.size();
  }

  //! Which rows see which dof: dofs are numbered as they are met, and the rows of one are kept
  //! together
  void ImpulseResponse::findTouches(Rows rows)
  {
    dofNumber_.resize(system_.velocitySize(), none);
    dofs_.clear();
    touchEnd_.clear();
    std::size_t entries = 0;
    const auto forEntries = [&](auto&& f) {
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (int c = 0; c < rows_->components(); ++c)
          for (const auto& [dof, value] : rows_->functional(rows[i], c))
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
      ++entries;
    });
    std::exclusive_scan(touchEnd_.begin(), touchEnd_.end(), touchEnd_.begin(), std::size_t(0));
    touches_.resize(entries);
    forEntries(
      [&](std::size_t dof, const Touch& touch) { touches_[touchEnd_[dofNumber_[dof]]++] = touch; });
  }

  //! H_ij = (M^{-1} G_i^T) . G_j over the dofs that are free to move, for the rows j that share one
  //! with row i
  void ImpulseResponse::assembleRow(std::size_t row, std::size_t original, Delassus& matrix)
  {
    const int components = rows_->components();
    const std::size_t size = std::size_t(components) * components;
    neighbours_.assign(1, row);
    blocks_.assign(size, 0);
    number_[row] = 0;
    for (int c = 0; c < components; ++c)
      for (const auto& [dof, value] : velocity(original, c)) {
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
          blocks_[number * size + c * components + touch.component] += value * touch.value;
        }
      }
    matrix.beginRow();
    for (std::size_t k = 0; k < neighbours_.size(); ++k) {
      matrix.add(neighbours_[k], &blocks_[k * size]);
      number_[neighbours_[k]] = none;
    }
  }

  void ImpulseResponse::assemble(Rows rows, Delassus& matrix)
  {
    matrix.clear(rows_->components());
    findTouches(rows);
    number_.resize(std::max(number_.size(), rows.size()), none);
    for (std::size_t i = 0; i < rows.size(); ++i)
      assembleRow(i, rows[i], matrix);
    for (std::size_t dof : dofs_)
      dofNumber_[dof] = none;
  }

  void ImpulseResponse::assemble(Rows rows, FactoredDelassus& matrix) const
  {
    matrix.clear(rows_->components());
    for (const std::uint32_t row : rows) {
      matrix.beginRow();
      for (int c = 0; c < rows_->components(); ++c) {
        for (const auto& [dof, value] : rows_->functional(row, c))
          if (!system_.prescribed(dof))
            matrix.addFunctional(c, dof, value);
        for (const auto& [dof, value] : velocity(row, c))
          if (!system_.prescribed(dof))
            matrix.addVelocity(c, dof, value);
      }
      matrix.endRow();
    }
  }

} // namespace Dune::Impact
