// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_MULTIGRID_BOXHIERARCHY_HH
#define DUNE_IMPACT_SOLVER_MULTIGRID_BOXHIERARCHY_HH

#include <memory>
#include <vector>

#include <dune/impact/solver/multigrid/blockmatrix.hh>
#include <dune/impact/solver/multigrid/boxsmoother.hh>
#include <dune/impact/solver/multigrid/sparsefactor.hh>
#include <dune/impact/solver/multigrid/transfer.hh>

/** \file
 * \ingroup impact_solver_multigrid
 * \brief The V-cycle on truncated problems, with and without bounds
 */

namespace Dune::Impact {

  //! Sweeps of the V-cycle, and who does them
  struct CycleSettings
  {
    int preSweeps = 1;
    int postSweeps = 1;
    //! forward and backward, on the coarsest level, where a factor is of no use
    int coarsestSweeps = 10;
    int threads = 0; //!< 0: OMP_NUM_THREADS, or one per core; results do not depend on it
  };

  /** \brief Levels of a truncated quadratic problem
   *
   * Level 0 is the given matrix A with a mask: masked components are truncated, they do not move.
   * Level l+1 has the Galerkin matrix of level l. Without transfers the only level is solved by
   * its factor. When the mask changes only the coarse rows that depend on it are computed again,
   * and the coarsest level is factorised when it is used.
   *
   * Without bounds the cycle is a fixed symmetric linear map if preSweeps = postSweeps: forward
   * sweeps before, backward sweeps after the coarse correction; it preconditions conjugate
   * gradients. With bounds every level has bounds for its correction, see
   * Transfer::restrictBounds(): no sub-step leaves the box of the finest level or raises the
   * energy, even if A is indefinite.
   */
  template<int d>
  class BoxHierarchy
  {
  public:
    using Transfers = std::vector<std::shared_ptr<const Transfer<d>>>;

    explicit BoxHierarchy(const CycleSettings& settings = {})
      : settings_(settings)
      , threads_(threadCount(settings.threads))
    {}

    //! The transfers from level 1 to level 0, from level 2 to level 1, ...
    void setTransfers(Transfers transfers);

    //! Take a new matrix; matrix and mask must outlive the hierarchy
    void setup(const BlockMatrix<d>& matrix, const NodeMask& mask);

    //! The mask of these nodes of level 0 has changed
    void updateMask(const std::vector<int>& nodes);

    //! True if no level has shown a direction of non-positive curvature
    bool positive();

    //! Number of levels
    std::size_t size() const { return levels_.size(); }

    //! Number of stored blocks of all levels
    std::size_t blocks() const;

    //! Operations of a factor of the coarsest level
    double factorOperations() { return factor_.operations(*levels_.back().matrix); }

    //! Matrix of a level
    const BlockMatrix<d>& matrix(std::size_t level) const { return *levels_[level].matrix; }

    //! v = approximate solution of A v = r on the free components, and Av = A v, all components
    void cycle(const NodeVector<d>& r, NodeVector<d>& v, NodeVector<d>& Av);

    //! The same within bounds
    void cycle(const NodeVector<d>& r, const CorrectionBounds<d>& bounds, NodeVector<d>& v,
               NodeVector<d>& Av);

  private:
    struct Level
    {
      explicit Level(int threads) : smoother(threads), galerkin(threads) {}

      BlockMatrix<d> coarseMatrix; // empty on level 0
      const BlockMatrix<d>* matrix = nullptr;
      const NodeMask* mask = nullptr; // null but on level 0
      std::uint64_t patternOfFiner = 0;
      BoxSmoother<d> smoother;
      GalerkinProduct<d> galerkin; // to the next level
      NodeVector<d> b, v, r, step, rest;
      CorrectionBounds<d> bounds, defectBounds;

      void resize();
    };

    const SparseFactor<d>& factor();
    void takeResidual(const NodeVector<d>& r);
    void descend(std::size_t l);
    void descendWithin(std::size_t l);
    void solveCoarsest();
    void solveCoarsestWithin();
    void preSmooth(Level& level);
    void preSmoothWithin(Level& level);
    void product(const NodeVector<d>* rest, NodeVector<d>& Av);

    CycleSettings settings_;
    int threads_;
    Transfers transfers_;
    std::vector<char> newPattern_; // per transfer: its entries are at other places than before
    std::vector<Level> levels_;
    SparseFactor<d> factor_; // of the coarsest level
    bool factored_ = false;  // is it that of the current matrix and mask?
  };

  extern template class BoxHierarchy<1>;
  extern template class BoxHierarchy<2>;
  extern template class BoxHierarchy<3>;

} // namespace Dune::Impact

#endif
