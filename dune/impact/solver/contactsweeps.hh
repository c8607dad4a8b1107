// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_CONTACTSWEEPS_HH
#define DUNE_IMPACT_SOLVER_CONTACTSWEEPS_HH

#include <cmath>
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
   * These are the iterates of ContactSolver::solveProjectedGaussSeidel() but for rounding. A sweep costs as many
   * products as there are entries, and there is nothing to set up but diagonal blocks: of contacts with many
   * entries and as many neighbours only few sweeps would be as expensive as H alone.
   *
   * Filled row by row:
   * \code
   * sweeps.clear(d, dofs);
   * for (...) // d functionals per contact, the normal first
   *   sweeps.add(functional, inverseMass);
   * sweeps.finish();
   * \endcode
   * Memory is kept by clear().
   */
  class ContactSweeps
  {
  public:
    //! Remove all contacts; d = 1, 2 or 3 functionals per contact, on so many dofs
    void clear(int blockSize, std::size_t dofs);

    /** \brief The next functional
     *
     * \param inverseMass inverseMass(dof); zero for dofs that impulses do not move
     */
    template<class InverseMass>
    void add(std::span<const Entry> functional, InverseMass&& inverseMass)
    {
      for (const auto& [dof, value] : functional) {
        std::uint32_t& number = number_[dof];
        if (number == none) {
          const double inverse = inverseMass(dof);
          number = inverse > 0 ? std::uint32_t(root_.size()) : held;
          numbered_.push_back(dof);
          if (inverse > 0)
            addDof(std::sqrt(inverse));
        }
        if (number == held)
          continue;
        dof_.push_back(number);
        value_.push_back(root_[number] * value);
        meet(number);
      }
      end_.push_back(dof_.size());
    }

    //! After the last functional: diagonal blocks
    void finish();

    std::size_t size() const { return end_.size() / blockSize_; }

    //! True if a dof is seen by two contacts
    bool coupled() const { return coupled_; }

    //! As Delassus::components(), with contacts connected by common dofs
    std::size_t components(std::vector<std::size_t>& labels) const;

    /** \brief Sweep until the law holds
     *
     * \param b,friction as in ContactProblem
     * \param r        on entry the first guess
     * \param answer   receives H r
     */
    SolveReport solve(ConstSpan b, std::span<const double> friction, const ContactSettings& settings, Span r, Span answer);

  private:
    static constexpr std::uint32_t none = -1, held = -2;

    //! What one sweep has met and done
    struct Sweep
    {
      double residual = 0;  //!< largest natural map, each taken just before the update of its contact
      bool changed = false; //!< whether any impulse is different now
    };

    void addDof(double root)
    {
      root_.push_back(root);
      firstRow_.push_back(std::uint32_t(end_.size() / blockSize_));
    }

    void meet(std::uint32_t dof) { coupled_ = coupled_ || firstRow_[dof] != end_.size() / blockSize_; }

    std::size_t begin(std::size_t functional) const { return functional == 0 ? 0 : end_[functional - 1]; }
    double apply(std::size_t functional) const;
    void move(std::size_t functional, double impulse);
    void setVelocities(ConstSpan r);
    template<int d>
    Sweep sweep(ConstSpan b, std::span<const double> friction, Span r);
    template<int d>
    ContactResidual evaluate(ConstSpan b, std::span<const double> friction, ConstSpan r, Span answer) const;
    template<int d>
    SolveReport solveUncoupled(ConstSpan b, std::span<const double> friction, const ContactSettings& settings, Span r, Span answer) const;
    template<int d>
    SolveReport solve(ConstSpan b, std::span<const double> friction, const ContactSettings& settings, Span r, Span answer);

    int blockSize_ = 1;
    bool coupled_ = false;
    std::vector<std::uint32_t> number_;   //!< of each dof of the system
    std::vector<std::size_t> numbered_;   //!< dofs that have one
    std::vector<double> root_;            //!< M^-1/2 of each dof that contacts see
    std::vector<std::uint32_t> firstRow_; //!< the first contact that sees it
    std::vector<std::uint32_t> dof_;
    std::vector<double> value_;
    std::vector<std::size_t> end_;        //!< of the entries of each functional
    std::vector<double> diagonal_;        //!< blocks
    std::vector<double> u_;
  };

} // namespace Dune::Impact

#endif
