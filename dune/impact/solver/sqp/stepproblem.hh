// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_SQP_STEPPROBLEM_HH
#define DUNE_IMPACT_SOLVER_SQP_STEPPROBLEM_HH

#include <optional>
#include <span>
#include <vector>

#include <dune/impact/common/compressedrows.hh>
#include <dune/impact/common/nodeentry.hh>
#include <dune/impact/solver/multigrid/blockmatrix.hh>

/** \file
 * \ingroup impact_solver_sqp
 * \brief The nonlinear problem of one implicit step, as the SQP sees it
 */

namespace Dune::Impact {

  /** \brief Inequality constraints phi_p(z) >= 0 of one configuration
   *
   * Constraint p belongs to a node. Its force is mu_p B_p with the row B_p; C_p is the exact
   * derivative of phi_p. Bounds are made from a simplified derivative with mortar nodes j
   *
   *     phi_p(z + d) ~ phi_p - weight_p n_p . (d_p - sum_j m_pj d_j)
   *
   * where a rigid body adds d_turn x arm to the sum. n_p is a unit vector, weight_p > 0. B_p, C_p
   * and the simplified row can all differ: the SQP corrects the difference.
   */
  template<int d>
  class SignoriniConstraints
  {
  public:
    //! What belongs to one inequality
    struct Constraint
    {
      std::size_t multiplier; //!< number that stays the same from step to step, for multipliers
      std::size_t node;
      double value; //!< phi_p
      double weight;
      double length; //!< phi_p / length is a distance
      FieldVector<double, d> normal;
      std::optional<NodeTurn<d>> turn = {}; //!< d_p is compared with d_turn x arm besides
    };

    void clear()
    {
      constraints_.clear();
      forces_.clear();
      derivatives_.clear();
      mortar_.clear();
    }

    //! Add a constraint with force row, derivative row and mortar nodes; each node once per row
    void add(const Constraint& constraint, std::span<const NodeEntry<d>> force,
             std::span<const NodeEntry<d>> derivative, std::span<const NodeWeight> mortar)
    {
      constraints_.push_back(constraint);
      forces_.addRow(force);
      derivatives_.addRow(derivative);
      mortar_.addRow(mortar);
    }

    std::size_t size() const { return constraints_.size(); }
    const Constraint& operator[](std::size_t p) const { return constraints_[p]; }

    //! Force row B_p
    std::span<const NodeEntry<d>> row(std::size_t p) const { return forces_[p]; }

    //! Exact derivative C_p
    std::span<const NodeEntry<d>> derivative(std::size_t p) const { return derivatives_[p]; }

    //! Mortar nodes and their weights m_pj
    std::span<const NodeWeight> mortar(std::size_t p) const { return mortar_[p]; }

  private:
    std::vector<Constraint> constraints_;
    NodalContactJacobian<d> forces_, derivatives_;
    CompressedRows<NodeWeight> mortar_;
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

    //! SignoriniConstraints at z
    virtual void constraints(const NodeVector<d>& z, SignoriniConstraints<d>& constraints) = 0;

    //! Append the blocks of -sum_p mu_p phi_p'' for multipliers per multiplier, to be added to the
    //! matrix; may be left out
    virtual void addCurvature(const NodeVector<d>& z, const std::vector<double>& mu,
                              std::vector<MatrixBlock<d>>& blocks) = 0;

    //! Size of the forces that balance in R, and a length of the mesh: scales of the tolerances
    virtual double forceScale() const = 0;
    virtual double lengthScale() const = 0;

    //! Round-off of the residual: no accuracy beyond it can be reached
    virtual double forceNoise() const = 0;
  };

} // namespace Dune::Impact

#endif
