// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_SQP_DECOUPLEDMORTARBASIS_HH
#define DUNE_IMPACT_SOLVER_SQP_DECOUPLEDMORTARBASIS_HH

#include <memory>
#include <span>
#include <vector>

#include <dune/impact/solver/multigrid/transfer.hh>
#include <dune/impact/solver/sqp/stepproblem.hh>

/** \file
 * \ingroup impact_solver_sqp
 * \brief The change of coordinates that turns simplified contact constraints into bounds
 */

namespace Dune::Impact {

  /** \brief d = T w
   *
   * The simplified constraint of node p, with its mortar nodes j, is
   *
   *     phi_p - weight_p n_p . (d_p - sum_j m_pj d_j) >= 0.
   *
   * With an orthonormal basis Q_p whose first vector is n_p
   *
   *     d_p = n_p n_p . sum_j m_pj d_j + Q_p w_p,   d_i = w_i for nodes without constraint
   *
   * makes it the bound w_{p,1} <= phi_p / weight_p. Nodes follow their mortar nodes along the
   * normal only: were they to follow in all directions, mortar nodes could not slide without
   * deforming the other body, and multigrid would need more cycles. A node in contact with a rigid
   * body follows its centre and its turn, d_p = n_p n_p . (d_centre + d_turn x arm) + Q_p w_p: the
   * six dofs of the body take part in the forces on all nodes that it touches. Mortar nodes may
   * have constraints of their own with other mortar nodes (chains of bodies); the d_j are then
   * replaced in turn, and a cycle is refused. Only rows of T that belong to constraints differ from
   * the identity, and the inverse is explicit: w_p = Q_p^T (d_p - n_p n_p . sum_j m_pj d_j).
   *
   * A node with several constraints, at an edge of a body or between other bodies, has a bound for
   * each of them as far as their normals n_1, n_2, ... point in different directions: each 30
   * degrees at least out of the line or plane of those before, so that of opposite ones only one
   * has a bound; the smallest gaps come first. The first rows of the matrix N_p are then these
   * normals, the others unit vectors normal to all of them, Q_p = N_p^-1, and
   *
   *     d_p = sum_c q_c n_c . sum_j m_cj d_j + Q_p w_p,   q_c column c of Q_p,
   *
   * makes them the bounds w_{p,c} <= phi_c / weight_c. If this leads to a cycle of nodes, each node
   * has one bound only.
   *
   * A node that friction binds to its mortar nodes (Constraint::follows) and that has no second
   * bound follows them in all directions,
   *
   *     d_p = sum_j m_pj d_j + Q_p w_p,
   *
   * so that its tangential components of w are the change of its slip over weight_p.
   *
   * Components of p that are fixed stay so: Q_p contains their axes, and n_p is replaced by its
   * free part. A constraint whose normal has no free part is left out.
   */
  template<int d>
  class DecoupledMortarBasis
  {
  public:
    using Block = NodeBlock<d>;
    static constexpr int none = -1;

    //! Take the constraints of a configuration; fixed components per node
    void setup(const SignoriniConstraints<d>& constraints, const NodeMask& fixed);

    //! Has node i a bound? Then its components are those of the basis Q_p
    bool isBounded(std::size_t i) const { return nodeOf_[i] != none; }

    //! The component of its node that the bound of constraint p is on; none if it has no bound
    int component(std::size_t p) const { return component_[p]; }

    //! weight_p times the length of the free part of n_p, of a constraint with a bound
    double weight(std::size_t p) const { return weight_[p]; }

    //! Does the node of constraint p follow its mortar nodes in all directions?
    bool follows(std::size_t p) const { return follows_[p]; }

    //! Q_p of the node of a constraint with a bound, vectors in columns
    const Block& frame(std::size_t i) const { return nodes_[nodeOf_[i]].basis; }

    //! Components of w of node i that do not move
    NodeMask::value_type fixedOf(std::size_t i) const;

    //! True if some constraint has mortar nodes
    bool coupled() const { return coupled_; }

    //! d = T w
    void apply(const NodeVector<d>& w, NodeVector<d>& d_) const;

    //! g = T^T g
    void applyTransposed(NodeVector<d>& g) const;

    //! A = T^T (H + extra) T; the pattern of A is kept if it does not change
    void transform(const BlockMatrix<d>& H, const std::vector<MatrixBlock<d>>& extra,
                   BlockMatrix<d>& A, int threads = 1) const;

    //! T^-1 P
    std::shared_ptr<Transfer<d>> transform(const Transfer<d>& P) const;

    //! True if both are the same map
    bool operator==(const DecoupledMortarBasis& other) const;

  private:
    struct BlockEntry
    {
      std::size_t node;
      Block value;
      bool operator==(const BlockEntry&) const = default;
    };

    //! What belongs to a node with a constraint
    struct Node
    {
      std::size_t node;
      NodeMask::value_type fixed;     //!< vectors of the basis that do not move
      Block basis;                    //!< Q_p, vectors in columns
      Block inverse;                  //!< N_p
      std::vector<BlockEntry> mortar; //!< j, m_cj q_c n_c^T, or the matrix of a turn
      std::vector<BlockEntry> row;    //!< of T, sorted by nodes
      bool operator==(const Node&) const = default;
    };

    //! Sums the blocks of one row of a product; the columns come in any order
    struct RowAccumulator
    {
      std::vector<int> place; //!< per column: in entries, or none
      std::vector<BlockEntry> entries;
      std::vector<std::size_t> columns; //!< of the entries

      void add(std::size_t column, const Block& value);
      std::vector<BlockEntry> take();
    };

    void choose(const SignoriniConstraints<d>& constraints, const NodeMask& fixed,
                int boundsPerNode);
    void addNode(const SignoriniConstraints<d>& constraints,
                 std::span<const std::size_t> candidates, NodeMask::value_type fixed,
                 int boundsPerNode);
    void addMortar(const SignoriniConstraints<d>& constraints, std::size_t p,
                   const FieldVector<double, d>& q, const FieldVector<double, d>& n,
                   Node& node) const;
    void addFollowed(const SignoriniConstraints<d>& constraints, std::size_t p,
                     NodeMask::value_type fixed, Node& node) const;
    bool resolve();
    bool resolve(std::size_t k, std::vector<char>& state);
    void rotate(const BlockMatrix<d>& H, BlockMatrix<d>& A) const;
    bool isPlain(const BlockMatrix<d>& H, std::size_t r) const;
    bool hasRows(const BlockMatrix<d>& H, const std::vector<std::vector<BlockEntry>>& changed,
                 const BlockMatrix<d>& A, int threads) const;
    void multiplyRow(const BlockMatrix<d>& H, const std::vector<std::vector<std::size_t>>& extraOf,
                     const std::vector<MatrixBlock<d>>& extra, std::size_t r,
                     RowAccumulator& row) const;

    std::vector<Node> nodes_;
    std::vector<int> component_; //!< per constraint
    std::vector<double> weight_; //!< per constraint
    std::vector<char> follows_;  //!< per constraint
    std::vector<long> nodeOf_;   //!< per node of the system: place in nodes_ or none
    //! per node r: (place in nodes_, entry of its row) with node r
    std::vector<std::vector<std::pair<std::size_t, std::size_t>>> sources_;
    bool coupled_ = false;
  };

  extern template class DecoupledMortarBasis<2>;
  extern template class DecoupledMortarBasis<3>;

} // namespace Dune::Impact

#endif
