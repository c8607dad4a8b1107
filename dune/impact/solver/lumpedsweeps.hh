// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_LUMPEDSWEEPS_HH
#define DUNE_IMPACT_SOLVER_LUMPEDSWEEPS_HH

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <dune/impact/common/report.hh>
#include <dune/impact/common/types.hh>
#include <dune/impact/solver/contactproblem.hh>

/** \file
 * \ingroup impact_solver
 * \brief Gauss-Seidel for many contacts of bodies with a diagonal mass, without the Delassus matrix
 */

namespace Dune::Impact {

  /** \brief Contacts as functionals, and sweeps over them that carry velocities along
   *
   * With S = G M^-1/2 the Delassus matrix is H = S S^T. It is not formed: u = S^T r is kept, and for one
   * contact after the other
   *
   *     w_i = b_i + S_i u,   r_i <- solution of its law with the others held,   u += S_i^T (change of r_i).
   *
   * These are the plain sweeps of ContactSweeps for matrices that are products, for masses that need one number per
   * dof: half of the entries, kept by nodes of up to three dofs, so that a surface of thousands of nodes in contact costs
   * less than the forces of a body. Filled row by row:
   * \code
   * sweeps.clear(d);
   * for (...)
   *   sweeps.add(functional);  // d per contact, the normal first
   * sweeps.rates(p, rate, size);
   * sweeps.finish(held);
   * \endcode
   * Memory is kept by clear().
   */
  class LumpedSweeps
  {
  public:
    //! Where a dof is, and the root of its inverse mass
    struct Dof
    {
      std::uint32_t node;
      std::uint32_t component; //!< 0, 1 or 2
      double root;
    };

    LumpedSweeps() = default;

    //! \param dofs of the system
    explicit LumpedSweeps(std::vector<Dof> dofs);

    //! Remove all contacts; d = 1, 2 or 3 functionals per contact
    void clear(int blockSize);

    //! The next functional
    void add(std::span<const Entry> functional);

    //! G M^-1 p of all functionals, and the sums of the sizes of the terms
    void rates(ConstSpan p, Span rate, Span size);

    /** \brief After the last functional and the rates: diagonal blocks
     *
     * \param held held(dof) is true for dofs that impulses do not move
     */
    template<class Held>
    void finish(Held&& held)
    {
      for (std::size_t k = 0; k < blocks_.size(); ++k)
        for (int c = 0; c < 3; ++c)
          if (const std::size_t dof = firstDof_[blocks_[k].node] + c; dof < dofs_.size() && held(dof))
            blocks_[k].value[c] = 0;
      finish();
    }
    void finish();

    std::size_t size() const { return end_.size() / blockSize_; }

    //! True if a node is seen by two contacts
    bool coupled() const { return coupled_; }

    //! As Delassus::components(), with contacts connected by common nodes
    std::size_t components(std::vector<std::size_t>& labels) const;

    /** \brief Sweep until the law holds
     *
     * \param b,friction as in ContactProblem
     * \param r        on entry the first guess
     * \param answer   receives H r
     *
     * Data that are not finite give r = 0, not converged.
     */
    SolveReport solve(ConstSpan b, std::span<const double> friction, const ContactSettings& settings, Span r, Span answer);

  private:
    static constexpr std::uint32_t none = -1;

    using Numbers = std::array<double, 3>; //!< of a node; those that it does not have are zero

    struct Block
    {
      Numbers value;
      std::size_t node;
    };

    //! u of a node, as far apart as blocks are
    struct alignas(32) Velocity
    {
      Numbers value;
    };

    //! What one sweep has met and done
    struct Sweep
    {
      double change = 0; //!< largest change of a rate by the impulse of its own row
      bool changed = false;
    };

    std::span<const Block> functional(std::size_t i) const
    {
      const std::size_t begin = i == 0 ? 0 : end_[i - 1];
      return std::span(blocks_).subspan(begin, end_[i] - begin);
    }
    std::size_t row() const { return end_.size() / blockSize_; }
    struct Sum
    {
      double value, size; //!< size: of the sizes of the terms
    };
    double apply(std::size_t functional) const;
    Sum applyWithSize(std::size_t functional) const;
    void move(std::size_t functional, double impulse);
    template<int d>
    void applyRow(std::size_t row, double* w) const;
    template<int d>
    void moveRow(std::size_t row, const double* impulse);
    void setVelocities(ConstSpan r);
    template<int d>
    void solveRow(std::size_t row, const double* q, double mu, double* r) const;
    template<int d>
    Sweep sweep(ConstSpan b, std::span<const double> friction, Span r);
    template<int d>
    ContactResidual evaluate(ConstSpan b, std::span<const double> friction, ConstSpan r, Span answer) const;
    template<int d>
    SolveReport solveUncoupled(ConstSpan b, std::span<const double> friction, const ContactSettings& settings, Span r, Span answer) const;
    template<int d>
    SolveReport solve(ConstSpan b, std::span<const double> friction, const ContactSettings& settings, Span r, Span answer);

    std::vector<Dof> dofs_;
    int blockSize_ = 1;
    bool coupled_ = false;
    std::vector<std::uint32_t> number_;   //!< of each node of the system among those that contacts see, or none
    std::vector<std::size_t> firstDof_;   //!< of the nodes that contacts see
    std::vector<std::uint32_t> firstRow_; //!< the first contact that sees them
    std::vector<Block> blocks_;
    std::vector<std::size_t> end_;        //!< of the blocks of each functional
    std::vector<char> sameNodes_;         //!< per contact: its functionals have blocks of the same nodes in the same order
    std::vector<double> diagonal_;        //!< d x d numbers per contact
    std::vector<double> inverse_;         //!< of these, but for d = 2
    std::vector<Velocity> u_;
  };

} // namespace Dune::Impact

#endif
