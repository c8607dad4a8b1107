// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include <dune/impact/solver/multigrid/boxhierarchy.hh>

namespace Dune::Impact {

  namespace {

    template<int d>
    bool isInside(const CorrectionBounds<d>& bounds, const NodeVector<d>& v)
    {
      for (std::size_t i = 0; i < v.size(); ++i)
        for (int c = 0; c < d; ++c)
          if (!(bounds.lower[i][c] <= v[i][c] && v[i][c] <= bounds.upper[i][c]))
            return false;
      return true;
    }

    // What is left of the bounds after the correction v
    template<int d>
    void subtract(const CorrectionBounds<d>& bounds, const NodeVector<d>& v,
                  CorrectionBounds<d>& rest)
    {
      rest.resize(v.size());
      for (std::size_t i = 0; i < v.size(); ++i)
        for (int c = 0; c < d; ++c) {
          rest.lower[i][c] = bounds.lower[i][c] - v[i][c];
          rest.upper[i][c] = bounds.upper[i][c] - v[i][c];
        }
    }

    // Removes the round-off of a prolonged correction
    template<int d>
    void clamp(const CorrectionBounds<d>& bounds, NodeVector<d>& v)
    {
      for (std::size_t i = 0; i < v.size(); ++i)
        for (int c = 0; c < d; ++c)
          v[i][c] = std::clamp(v[i][c], bounds.lower[i][c], bounds.upper[i][c]);
    }

    template<int d>
    bool isZero(const NodeVector<d>& v)
    {
      const double* p = data<d>(v);
      return std::all_of(p, p + v.size() * d, [](double y) { return y == 0; });
    }

    // Coarse nodes that depend on these fine nodes, sorted
    template<int d>
    std::vector<int> parentsOf(const Transfer<d>& transfer, const std::vector<int>& nodes)
    {
      std::vector<char> mark(transfer.coarseSize(), false);
      for (const int i : nodes)
        for (const auto& parent : transfer.parents(i))
          mark[parent.node] = true;
      std::vector<int> result;
      for (std::size_t I = 0; I < mark.size(); ++I)
        if (mark[I])
          result.push_back(I);
      return result;
    }

    // The nodes and all their neighbours
    template<int d>
    std::vector<int> withNeighbours(const BlockMatrix<d>& matrix, const std::vector<int>& nodes)
    {
      std::vector<int> result;
      for (const int i : nodes)
        for (const auto [begin, end] : matrix.row(i))
          for (std::size_t k = begin; k < end; ++k)
            result.push_back(matrix.column(k));
      std::sort(result.begin(), result.end());
      result.erase(std::unique(result.begin(), result.end()), result.end());
      return result;
    }

  } // namespace

  template<int d>
  void BoxHierarchy<d>::Level::resize()
  {
    for (NodeVector<d>* vector : {&b, &v, &r, &step, &rest})
      vector->resize(matrix->size());
  }

  template<int d>
  void BoxHierarchy<d>::setTransfers(Transfers transfers)
  {
    newPattern_.resize(transfers.size(), true);
    for (std::size_t l = 0; l < transfers.size(); ++l)
      if (l >= transfers_.size() ||
          (transfers[l] != transfers_[l] && !transfers[l]->samePattern(*transfers_[l])))
        newPattern_[l] = true;
    transfers_ = std::move(transfers);
  }

  //! Galerkin matrices A_{l+1} = P^T A_l P, truncated by the mask on level 0. Patterns are found
  //! again only if that of the finer matrix or of the transfer is new.
  template<int d>
  void BoxHierarchy<d>::setup(const BlockMatrix<d>& matrix, const NodeMask& mask)
  {
    while (levels_.size() > transfers_.size() + 1)
      levels_.pop_back();
    while (levels_.size() < transfers_.size() + 1)
      levels_.emplace_back(threads_);
    levels_[0].matrix = &matrix;
    levels_[0].mask = &mask;
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      Level& level = levels_[l];
      if (l > 0) {
        Level& finer = levels_[l - 1];
        assert(transfers_[l - 1]->fineSize() == finer.matrix->size());
        if (newPattern_[l - 1] || level.patternOfFiner != finer.matrix->patternId()) {
          finer.galerkin.setup(*finer.matrix, *transfers_[l - 1], level.coarseMatrix);
          level.patternOfFiner = finer.matrix->patternId();
        }
        finer.galerkin.setTransfer(*transfers_[l - 1]);
        finer.galerkin.compute(*finer.matrix, finer.mask, level.coarseMatrix);
        level.matrix = &level.coarseMatrix;
      }
      level.resize();
      level.smoother.setup(*level.matrix, level.mask);
    }
    newPattern_.assign(transfers_.size(), false);
    factored_ = false;
  }

  //! A changed mask of a node changes its row and column of A_0, hence the coarse rows of the
  //! parents of the node and of its neighbours. Only these are computed again, level by level.
  template<int d>
  void BoxHierarchy<d>::updateMask(const std::vector<int>& nodes)
  {
    levels_[0].smoother.update(nodes);
    std::vector<int> rows = withNeighbours(*levels_[0].matrix, nodes);
    for (std::size_t l = 1; l < levels_.size(); ++l) {
      Level& finer = levels_[l - 1];
      rows = parentsOf(*transfers_[l - 1], rows);
      finer.galerkin.compute(*finer.matrix, finer.mask, rows, levels_[l].coarseMatrix);
      levels_[l].smoother.update(rows);
    }
    factored_ = false;
  }

  //! Matrix and mask change more often than a factor is asked for, so it waits until then
  template<int d>
  const SparseFactor<d>& BoxHierarchy<d>::factor()
  {
    if (!factored_)
      factor_.compute(*levels_.back().matrix, levels_.back().mask);
    factored_ = true;
    return factor_;
  }

  template<int d>
  bool BoxHierarchy<d>::positive()
  {
    return std::all_of(levels_.begin(), levels_.end(),
                       [](const Level& level) { return level.smoother.positive(); }) &&
           factor().positive();
  }

  template<int d>
  std::size_t BoxHierarchy<d>::blocks() const
  {
    std::size_t sum = 0;
    for (const Level& level : levels_)
      sum += level.matrix->blocks();
    return sum;
  }

  // b of level 0: the residual of the free components
  template<int d>
  void BoxHierarchy<d>::takeResidual(const NodeVector<d>& r)
  {
    Level& level = levels_[0];
    for (std::size_t i = 0; i < r.size(); ++i)
      for (int c = 0; c < d; ++c)
        level.b[i][c] = (*level.mask)[i] >> c & 1 ? 0 : r[i][c];
  }

  //! One V-cycle for A v = r on the free components
  template<int d>
  void BoxHierarchy<d>::cycle(const NodeVector<d>& r, NodeVector<d>& v, NodeVector<d>& Av)
  {
    takeResidual(r);
    descend(0);
    product(nullptr, Av);
    std::swap(v, levels_[0].v);
  }

  //! The same within bounds; masked components have the bounds zero
  template<int d>
  void BoxHierarchy<d>::cycle(const NodeVector<d>& r, const CorrectionBounds<d>& bounds,
                              NodeVector<d>& v, NodeVector<d>& Av)
  {
    takeResidual(r);
    Level& level = levels_[0];
    level.bounds = bounds;
    for (std::size_t i = 0; i < r.size(); ++i)
      for (int c = 0; c < d; ++c)
        if ((*level.mask)[i] >> c & 1)
          level.bounds.lower[i][c] = level.bounds.upper[i][c] = 0;
    descendWithin(0);
    product(&level.rest, Av);
    std::swap(v, level.v);
  }

  // A v from the last sweep if there was one
  template<int d>
  void BoxHierarchy<d>::product(const NodeVector<d>* rest, NodeVector<d>& Av)
  {
    Level& level = levels_[0];
    if (levels_.size() > 1 && settings_.postSweeps > 0)
      level.smoother.product(level.b, level.v, level.step, rest, Av);
    else
      level.matrix->multiply(level.v, Av);
  }

  // Smooth from zero, r = residual
  template<int d>
  void BoxHierarchy<d>::preSmooth(Level& level)
  {
    if (settings_.preSweeps == 0) {
      level.v = 0;
      level.r = level.b;
      return;
    }
    level.smoother.sweepFromZero(level.b, level.v);
    for (int s = 1; s < settings_.preSweeps; ++s)
      level.smoother.template sweep<Sweep::forward>(level.b, level.v, level.step);
    level.smoother.template residual<Sweep::forward>(settings_.preSweeps > 1 ? level.step : level.v,
                                                     nullptr, level.r);
  }

  //! The same within the bounds of the level
  template<int d>
  void BoxHierarchy<d>::preSmoothWithin(Level& level)
  {
    if (settings_.preSweeps == 0) {
      level.v = 0;
      level.r = level.b;
      return;
    }
    level.smoother.sweepFromZero(level.b, level.bounds, level.v, level.rest);
    for (int s = 1; s < settings_.preSweeps; ++s)
      level.smoother.template sweep<Sweep::forward>(level.b, level.bounds, level.v, level.step,
                                                    level.rest);
    level.smoother.template residual<Sweep::forward>(settings_.preSweeps > 1 ? level.step : level.v,
                                                     &level.rest, level.r);
  }

  //! V-cycle from level l on: forward sweeps, v += P v_c with A_c v_c ~ P^T (b - A v), backward
  //! sweeps
  template<int d>
  void BoxHierarchy<d>::descend(std::size_t l)
  {
    if (l + 1 == levels_.size())
      return solveCoarsest();
    Level &level = levels_[l], &coarse = levels_[l + 1];
    preSmooth(level);
    transfers_[l]->restrictResidual(level.r, coarse.b, threads_);
    descend(l + 1);
    transfers_[l]->addProlonged(coarse.v, level.mask, level.v, threads_);
    for (int s = 0; s < settings_.postSweeps; ++s)
      level.smoother.template sweep<Sweep::backward>(level.b, level.v, level.step);
  }

  //! V-cycle within bounds: the coarse bounds are restricted from bounds - v, so that v + P v_c
  //! stays within the bounds of level l.
  template<int d>
  void BoxHierarchy<d>::descendWithin(std::size_t l)
  {
    if (l + 1 == levels_.size())
      return solveCoarsestWithin();
    Level &level = levels_[l], &coarse = levels_[l + 1];
    preSmoothWithin(level);
    transfers_[l]->restrictResidual(level.r, coarse.b, threads_);
    subtract<d>(level.bounds, level.v, level.defectBounds);
    coarse.bounds.resize(coarse.v.size());
    transfers_[l]->restrictBounds(level.defectBounds, level.mask, coarse.bounds);
    descendWithin(l + 1);
    transfers_[l]->addProlonged(coarse.v, level.mask, level.v, threads_);
    clamp<d>(level.bounds, level.v);
    for (int s = 0; s < settings_.postSweeps; ++s)
      level.smoother.template sweep<Sweep::backward>(level.b, level.bounds, level.v, level.step,
                                                     level.rest);
  }

  template<int d>
  void BoxHierarchy<d>::solveCoarsest()
  {
    Level& level = levels_.back();
    if (factor().valid())
      factor().solve(level.b, level.v);
    else
      level.v = 0;
  }

  //! The solution of the factor if A is positive definite and it lies within the bounds, otherwise
  //! projected sweeps, forward and backward, until no component moves
  template<int d>
  void BoxHierarchy<d>::solveCoarsestWithin()
  {
    Level& level = levels_.back();
    if (factor().positive()) {
      factor().solve(level.b, level.v);
      if (isInside<d>(level.bounds, level.v))
        return;
    }
    level.v = 0;
    for (int s = 0; s < settings_.coarsestSweeps; ++s) {
      level.smoother.template sweep<Sweep::forward>(level.b, level.bounds, level.v, level.step,
                                                    level.rest);
      level.smoother.template sweep<Sweep::backward>(level.b, level.bounds, level.v, level.step,
                                                     level.rest);
      if (isZero<d>(level.step))
        return;
    }
  }

  template class BoxHierarchy<1>;
  template class BoxHierarchy<2>;
  template class BoxHierarchy<3>;

} // namespace Dune::Impact
