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
   *
   * With friction beta_p > 0 the point also has a slip s_p and a tangential multiplier l_p, vectors
   * normal to the unit vector axis_p, under Coulomb's law
   *
   *     |l_p| <= beta_p mu_p,   l_p . s_p = -beta_p mu_p |s_p|.
   *
   * Its force is T_p^T l_p with a row of matrices T_p; the derivative of the slip is simplified to
   *
   *     s_p(z + d) ~ s_p + weight_p (d_p - sum_j m_pj d_j)   in the tangent plane.
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
      double friction = 0;                  //!< beta_p
      FieldVector<double, d> slip = FieldVector<double, d>(0);
      FieldVector<double, d> axis = FieldVector<double, d>(0); //!< slip and l_p are normal to it
      //! the node follows its mortar nodes in all directions, since friction binds it to them
      bool follows = false;
    };

    void clear()
    {
      constraints_.clear();
      forces_.clear();
      derivatives_.clear();
      mortar_.clear();
      frictions_.clear();
    }

    //! Add a constraint with force row, derivative row and mortar nodes; each node once per row
    void add(const Constraint& constraint, std::span<const NodeEntry<d>> force,
             std::span<const NodeEntry<d>> derivative, std::span<const NodeWeight> mortar,
             std::span<const NodeMatrix<d>> friction = {})
    {
      constraints_.push_back(constraint);
      forces_.addRow(force);
      derivatives_.addRow(derivative);
      mortar_.addRow(mortar);
      frictions_.addRow(friction);
    }

    std::size_t size() const { return constraints_.size(); }
    const Constraint& operator[](std::size_t p) const { return constraints_[p]; }
    Constraint& operator[](std::size_t p) { return constraints_[p]; }

    //! Force row B_p
    std::span<const NodeEntry<d>> row(std::size_t p) const { return forces_[p]; }

    //! Exact derivative C_p
    std::span<const NodeEntry<d>> derivative(std::size_t p) const { return derivatives_[p]; }

    //! Mortar nodes and their weights m_pj
    std::span<const NodeWeight> mortar(std::size_t p) const { return mortar_[p]; }

    //! Friction row T_p; empty without friction
    std::span<const NodeMatrix<d>> friction(std::size_t p) const { return frictions_[p]; }

  private:
    std::vector<Constraint> constraints_;
    NodalContactJacobian<d> forces_, derivatives_;
    CompressedRows<NodeWeight> mortar_;
    CompressedRows<NodeMatrix<d>> frictions_;
  };

  /** \brief The rotation that takes the unit vector a to the unit vector b on the shortest way
   *
   *     v - (a + b) (a + b).v/(1 + a.b) + 2 b a.v
   */
  template<int d>
  FieldVector<double, d> turned(const FieldVector<double, d>& a, const FieldVector<double, d>& b,
                                const FieldVector<double, d>& v)
  {
    const auto sum = a + b;
    auto result = v;
    result.axpy(-(sum * v) / (1 + a * b), sum);
    result.axpy(2 * (a * v), b);
    return result;
  }

  /** \brief Find z and mu with R(z) = B(z)^T mu, 0 <= mu perp phi(z) >= 0
   *
   * and, where there is friction, R(z) = B(z)^T mu + T(z)^T l under the law of
   * SignoriniConstraints.
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

    //! True if constraints may have friction: then there is no potential
    virtual bool hasFriction() const { return false; }

    //! True if closed constraints stick at the first guess, whatever their multiplier: without
    //! inertia nothing else might hold a body
    virtual bool sticksAtFirst() const { return false; }

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
