// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_STEPPROBLEM_HH
#define DUNE_IMPACT_SOLVER_STEPPROBLEM_HH

#include <optional>
#include <span>
#include <vector>

#include <dune/impact/solver/blockmatrix.hh>

/** \file
 * \brief The nonlinear problem of one implicit step, as the SQP sees it
 */

namespace Dune::Impact {

  //! One entry of the derivative of a constraint
  template<int d>
  struct NodeEntry
  {
    std::size_t node;
    FieldVector<double, d> value;
  };

  /** \brief Inequality constraints phi_p(z) >= 0 of one configuration
   *
   * Constraint p belongs to a node of its own. Its force is mu_p B_p with the row B_p, and its
   * simplified derivative, from which bounds are made, acts on that node alone:
   *
   *     phi_p(z + d) ~ phi_p - weight_p n_p . d_p
   *
   * n_p is a unit vector, weight_p > 0. The force row B_p can differ from it (exact derivative,
   * discrete gradient): the SQP corrects the difference.
   */
  template<int d>
  class Constraints
  {
  public:
    struct Constraint
    {
      std::size_t slot;   //!< number that stays the same from step to step, for multipliers
      std::size_t node;
      double value;       //!< phi_p
      double weight;
      double length;      //!< phi_p / length is a distance
      FieldVector<double, d> normal;
    };

    void clear()
    {
      constraints_.clear();
      entries_.clear();
      ends_.clear();
    }

    void add(const Constraint& constraint) { constraints_.push_back(constraint); }

    //! Entry of the force row of the constraint added last
    void addEntry(const NodeEntry<d>& entry) { entries_.push_back(entry); }

    //! To be called after the entries of a constraint
    void finishRow() { ends_.push_back(entries_.size()); }

    std::size_t size() const { return constraints_.size(); }
    const Constraint& operator[](std::size_t p) const { return constraints_[p]; }

    //! Force row B_p
    std::span<const NodeEntry<d>> row(std::size_t p) const
    {
      const std::size_t begin = p == 0 ? 0 : ends_[p - 1];
      return std::span(entries_).subspan(begin, ends_[p] - begin);
    }

  private:
    std::vector<Constraint> constraints_;
    std::vector<NodeEntry<d>> entries_;
    std::vector<std::size_t> ends_;
  };

  /** \brief Find z and mu with R(z) = B(z)^T mu, 0 <= mu perp phi(z) >= 0
   *
   * R is the gradient of an energy J for rules that minimise, and a residual without potential
   * for others; the matrix is symmetric in both cases (Hessian, or a surrogate of the derivative).
   * Fixed components of z do not move.
   */
  template<int d>
  class StepProblem
  {
  public:
    virtual ~StepProblem() = default;

    //! Number of nodes
    virtual std::size_t size() const = 0;

    //! Components that do not move
    virtual const NodeMask& fixed() const = 0;

    //! R(z); false if z is not admissible (an inverted cell)
    virtual bool residual(const NodeVector<d>& z, NodeVector<d>& R) = 0;

    //! Symmetric matrix at z
    virtual const BlockMatrix<d>& matrix(const NodeVector<d>& z) = 0;

    //! J(z) up to a constant, evaluated without cancellation; nothing if R has no potential
    virtual std::optional<double> energy(const NodeVector<d>& z) = 0;

    //! Constraints at z
    virtual void constraints(const NodeVector<d>& z, Constraints<d>& constraints) = 0;

    //! Size of the forces that balance in R, and a length of the mesh: scales of the tolerances
    virtual double forceScale() const = 0;
    virtual double lengthScale() const = 0;
  };

} // namespace Dune::Impact

#endif
