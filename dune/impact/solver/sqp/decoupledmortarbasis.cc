// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <compare>
#include <numeric>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/solver/sqp/decoupledmortarbasis.hh>

namespace Dune::Impact {

  namespace {

    constexpr double leastFree = 1e-6;      // of a normal that a node can move along
    constexpr double leastDifference = 0.5; // sine between normals that have bounds both

    //! An orthonormal basis in the making
    template<int d>
    struct Orthonormal
    {
      NodeBlock<d> vectors = NodeBlock<d>(0); //!< in columns
      int count = 0;

      //! Take the part of v that is normal to the others, if it is long enough
      bool add(FieldVector<double, d> v, double least)
      {
        for (int k = 0; k < count; ++k) {
          double product = 0;
          for (int c = 0; c < d; ++c)
            product += vectors[c][k] * v[c];
          for (int c = 0; c < d; ++c)
            v[c] -= product * vectors[c][k];
        }
        const double norm = v.two_norm();
        if (count == d || norm < least)
          return false;
        for (int c = 0; c < d; ++c)
          vectors[c][count] = v[c] / norm;
        ++count;
        return true;
      }

      //! Complete the basis, axes of the mask first; returns which vectors are such axes
      NodeMask::value_type complete(NodeMask::value_type axes)
      {
        NodeMask::value_type fixed = 0;
        for (int pass : {1, 0})
          for (int c = 0; c < d; ++c)
            if (bool(axes >> c & 1) == bool(pass)) {
              FieldVector<double, d> axis(0);
              axis[c] = 1;
              if (add(axis, pass ? 0.5 : 0.3) && pass)
                fixed |= NodeMask::value_type(1 << (count - 1));
            }
        return fixed;
      }
    };

    //! Column c of a block
    template<int d>
    FieldVector<double, d> column(const NodeBlock<d>& block, int c)
    {
      FieldVector<double, d> v;
      for (int r = 0; r < d; ++r)
        v[r] = block[r][c];
      return v;
    }

    //! q n^T
    template<int d>
    NodeBlock<d> product(const FieldVector<double, d>& q, const FieldVector<double, d>& n)
    {
      NodeBlock<d> block;
      for (int r = 0; r < d; ++r)
        for (int c = 0; c < d; ++c)
          block[r][c] = q[r] * n[c];
      return block;
    }

    //! The matrix of theta -> q n.(theta x arm)
    template<int d>
    NodeBlock<d> turnMatrix(const FieldVector<double, d>& q, const FieldVector<double, d>& n,
                            const FieldVector<double, d>& arm)
    {
      NodeBlock<d> block(0);
      if constexpr (d == 3)
        for (int i = 0; i < 3; ++i) {
          const int j = (i + 1) % 3, k = (i + 2) % 3;
          for (int r = 0; r < 3; ++r)
            // n.(theta x arm) = theta.(arm x n)
            block[r][i] = q[r] * (arm[j] * n[k] - arm[k] * n[j]);
        }
      return block;
    }

    //! Entries with the same node are added up
    template<class Entries>
    void mergeEqual(Entries& entries)
    {
      std::stable_sort(entries.begin(), entries.end(),
                       [](const auto& a, const auto& b) { return a.node < b.node; });
      std::size_t size = 0;
      for (const auto& entry : entries)
        if (size > 0 && entries[size - 1].node == entry.node)
          entries[size - 1].value += entry.value;
        else
          entries[size++] = entry;
      entries.resize(size);
    }

  } // namespace

  //! Up to d bounds per node, or one per node if the former lead to a cycle of nodes. sources_ has
  //! the columns of T, which T^T H T needs.
  template<int d>
  void DecoupledMortarBasis<d>::setup(const SignoriniConstraints<d>& constraints,
                                      const NodeMask& fixed)
  {
    choose(constraints, fixed, d);
    if (!resolve()) {
      choose(constraints, fixed, 1);
      if (!resolve())
        throw RunError("surfaces in contact form a cycle of mortar sides");
    }
    sources_.assign(coupled_ ? fixed.size() : 0, {});
    if (coupled_)
      for (std::size_t k = 0; k < nodes_.size(); ++k)
        for (std::size_t e = 0; e < nodes_[k].row.size(); ++e)
          sources_[nodes_[k].row[e].node].emplace_back(k, e);
  }

  //! SignoriniConstraints of each node, the smallest gap first; nodes in the order of these
  template<int d>
  void DecoupledMortarBasis<d>::choose(const SignoriniConstraints<d>& constraints,
                                       const NodeMask& fixed, int boundsPerNode)
  {
    nodes_.clear();
    coupled_ = false;
    nodeOf_.assign(fixed.size(), none);
    component_.assign(constraints.size(), none);
    weight_.assign(constraints.size(), 0);
    follows_.assign(constraints.size(), false);
    std::vector<std::size_t> order(constraints.size());
    std::iota(order.begin(), order.end(), 0);
    const auto gap = [&](std::size_t p) { return constraints[p].value / constraints[p].length; };
    std::sort(order.begin(), order.end(), [&](std::size_t p, std::size_t q) {
      if (constraints[p].node != constraints[q].node)
        return constraints[p].node < constraints[q].node;
      const auto sign = std::weak_order(gap(p), gap(q)); // orders NaN as well
      return sign < 0 || (sign == 0 && p < q);
    });
    std::vector<std::span<const std::size_t>> groups;
    for (auto begin = order.begin(); begin != order.end();) {
      const auto end = std::find_if(begin, order.end(), [&](std::size_t p) {
        return constraints[p].node != constraints[*begin].node;
      });
      groups.emplace_back(begin, end);
      begin = end;
    }
    std::sort(groups.begin(), groups.end(),
              [](const auto& a, const auto& b) { return a.front() < b.front(); });
    for (const auto& group : groups)
      addNode(constraints, group, fixed[constraints[group.front()].node], boundsPerNode);
  }

  //! Give bounds to constraints on a node as far as it can move along their normals, and these
  //! differ
  template<int d>
  void DecoupledMortarBasis<d>::addNode(const SignoriniConstraints<d>& constraints,
                                        std::span<const std::size_t> candidates,
                                        NodeMask::value_type fixed, int boundsPerNode)
  {
    Orthonormal<d> basis;
    std::vector<std::size_t> chosen;
    std::vector<FieldVector<double, d>> normals;
    for (std::size_t p : candidates) {
      auto normal = constraints[p].normal;
      for (int c = 0; c < d; ++c)
        if (fixed >> c & 1)
          normal[c] = 0;
      const double free = normal.two_norm();
      if (int(chosen.size()) == boundsPerNode || free < leastFree ||
          !basis.add(normal /= free, leastDifference))
        continue;
      component_[p] = int(chosen.size());
      weight_[p] = constraints[p].weight * free;
      chosen.push_back(p);
      normals.push_back(normal);
    }
    if (chosen.empty())
      return;
    Node node{.node = constraints[chosen[0]].node,
              .fixed = basis.complete(fixed),
              .basis = basis.vectors,
              .inverse = basis.vectors.transposed(),
              .mortar = {},
              .row = {}};
    auto dual = normals; // q_c
    if (chosen.size() > 1) {
      std::copy(normals.begin(), normals.end(), node.inverse.begin());
      node.basis = node.inverse;
      node.basis.invert();
      for (std::size_t c = 0; c < dual.size(); ++c)
        dual[c] = column<d>(node.basis, int(c));
    }
    if (chosen.size() == 1 && constraints[chosen[0]].follows) {
      follows_[chosen[0]] = true;
      addFollowed(constraints, chosen[0], fixed, node);
    }
    else
      for (std::size_t c = 0; c < chosen.size(); ++c)
        addMortar(constraints, chosen[c], dual[c], normals[c], node);
    coupled_ = coupled_ || !node.mortar.empty();
    nodeOf_[node.node] = long(nodes_.size());
    nodes_.push_back(std::move(node));
  }

  //! What a node follows along q by the constraint p with the free normal n
  template<int d>
  void DecoupledMortarBasis<d>::addMortar(const SignoriniConstraints<d>& constraints, std::size_t p,
                                          const FieldVector<double, d>& q,
                                          const FieldVector<double, d>& n, Node& node) const
  {
    for (const auto& mortar : constraints.mortar(p)) {
      node.mortar.push_back({mortar.node, product<d>(q, n)});
      node.mortar.back().value *= mortar.weight;
    }
    if (const auto& turn = constraints[p].turn)
      node.mortar.push_back({turn->node, turnMatrix<d>(q, n, turn->arm)});
  }

  //! What a node follows in all directions that are free
  template<int d>
  void DecoupledMortarBasis<d>::addFollowed(const SignoriniConstraints<d>& constraints,
                                            std::size_t p, NodeMask::value_type fixed,
                                            Node& node) const
  {
    for (int c = 0; c < d; ++c)
      if (!(fixed >> c & 1)) {
        FieldVector<double, d> axis(0);
        axis[c] = 1;
        addMortar(constraints, p, axis, axis, node);
      }
    mergeEqual(node.mortar);
  }

  //! All rows of T; false if there is a cycle
  template<int d>
  bool DecoupledMortarBasis<d>::resolve()
  {
    std::vector<char> state(nodes_.size(), 0);
    for (std::size_t k = 0; k < nodes_.size(); ++k)
      if (!resolve(k, state))
        return false;
    return true;
  }

  //! Row of T: mortar nodes with constraints are replaced by their own rows
  template<int d>
  bool DecoupledMortarBasis<d>::resolve(std::size_t k, std::vector<char>& state)
  {
    constexpr char open = 1, done = 2;
    if (state[k] != 0)
      return state[k] == done;
    state[k] = open;
    Node& node = nodes_[k];
    node.row = {{node.node, node.basis}};
    for (const auto& [j, factor] : node.mortar) {
      if (nodeOf_[j] == none) {
        node.row.push_back({j, factor});
        continue;
      }
      if (!resolve(std::size_t(nodeOf_[j]), state))
        return false;
      for (const auto& [column, value] : nodes_[nodeOf_[j]].row) {
        Block product = value;
        product.leftmultiply(factor);
        node.row.push_back({column, product});
      }
    }
    mergeEqual(node.row);
    state[k] = done;
    return true;
  }

  template<int d>
  NodeMask::value_type DecoupledMortarBasis<d>::fixedOf(std::size_t i) const
  {
    return nodeOf_[i] == none ? 0 : nodes_[nodeOf_[i]].fixed;
  }

  //! Rows of T differ from the identity only at nodes with bounds
  template<int d>
  void DecoupledMortarBasis<d>::apply(const NodeVector<d>& w, NodeVector<d>& d_) const
  {
    d_ = w;
    for (const Node& node : nodes_) {
      d_[node.node] = 0;
      for (const auto& [column, value] : node.row)
        value.umv(w[column], d_[node.node]);
    }
  }

  //! g <- T^T g. The forces on all nodes with bounds are set aside first, since a row of T may add
  //! to another node with bounds.
  template<int d>
  void DecoupledMortarBasis<d>::applyTransposed(NodeVector<d>& g) const
  {
    std::vector<FieldVector<double, d>> force;
    for (const Node& node : nodes_) {
      force.push_back(g[node.node]);
      g[node.node] = 0;
    }
    for (std::size_t k = 0; k < nodes_.size(); ++k)
      for (const auto& [column, value] : nodes_[k].row)
        value.umtv(force[k], g[column]);
  }

  //! T^-1 is explicit: the row of a node p with bounds becomes N_p (P_p - sum_j F_pj P_j) with the
  //! blocks F_pj of its mortar nodes j; other rows stay.
  template<int d>
  std::shared_ptr<Transfer<d>> DecoupledMortarBasis<d>::transform(const Transfer<d>& P) const
  {
    auto result = std::make_shared<Transfer<d>>(P.coarseSize());
    std::vector<BlockEntry> row;
    const auto addRow = [&](std::size_t i, const Block& factor) {
      for (const auto& entry : P.parents(i)) {
        Block block = factor;
        row.push_back({std::size_t(entry.node), block *= P.weight(entry)});
      }
    };
    for (std::size_t i = 0; i < P.fineSize(); ++i) {
      result->beginRow();
      if (nodeOf_[i] == none) {
        for (const auto& entry : P.parents(i))
          result->add(entry.node, P.weight(entry));
        continue;
      }
      const Node& node = nodes_[nodeOf_[i]];
      row.clear();
      addRow(i, node.inverse);
      for (const auto& [j, value] : node.mortar) {
        Block factor = node.inverse;
        factor *= -1.0;
        addRow(j, factor.rightmultiply(value));
      }
      mergeEqual(row);
      for (const auto& [coarse, value] : row)
        result->add(int(coarse), value);
    }
    result->finish();
    return result;
  }

  template<int d>
  bool DecoupledMortarBasis<d>::operator==(const DecoupledMortarBasis& other) const
  {
    const auto same = [](const Node& a, const Node& b) {
      return a.node == b.node && a.basis == b.basis && a.mortar == b.mortar;
    };
    return std::equal(nodes_.begin(), nodes_.end(), other.nodes_.begin(), other.nodes_.end(), same);
  }

  template class DecoupledMortarBasis<2>;
  template class DecoupledMortarBasis<3>;

} // namespace Dune::Impact
