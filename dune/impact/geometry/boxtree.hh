// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_GEOMETRY_BOXTREE_HH
#define DUNE_IMPACT_GEOMETRY_BOXTREE_HH

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include <dune/common/fvector.hh>

/** \file
 * \ingroup impact_geometry
 * \brief Boxes parallel to the axes, and a tree of them for the search of near facets
 */

namespace Dune::Impact {

  //! A box parallel to the axes; made without arguments it is empty
  template<int dim>
  struct Box
  {
    using Vector = FieldVector<double, dim>;

    Vector lower = Vector(std::numeric_limits<double>::infinity());
    Vector upper = Vector(-std::numeric_limits<double>::infinity());

    void add(const Vector& x)
    {
      for (int c = 0; c < dim; ++c) {
        lower[c] = std::min(lower[c], x[c]);
        upper[c] = std::max(upper[c], x[c]);
      }
    }

    void add(const Box& box)
    {
      for (int c = 0; c < dim; ++c) {
        lower[c] = std::min(lower[c], box.lower[c]);
        upper[c] = std::max(upper[c], box.upper[c]);
      }
    }

    //! The box with a margin on all sides
    Box inflated(double margin) const
    {
      Box box = *this;
      for (int c = 0; c < dim; ++c) {
        box.lower[c] -= margin;
        box.upper[c] += margin;
      }
      return box;
    }

    //! Touching counts
    bool overlaps(const Box& box) const
    {
      bool result = true;
      for (int c = 0; c < dim; ++c)
        result = result && lower[c] <= box.upper[c] && box.lower[c] <= upper[c];
      return result;
    }

    //! Square of the distance of a point, zero within the box
    double distance2(const Vector& x) const
    {
      double sum = 0;
      for (int c = 0; c < dim; ++c) {
        const double d = std::max({lower[c] - x[c], x[c] - upper[c], 0.0});
        sum += d * d;
      }
      return sum;
    }
  };

  /** \brief Tree of boxes over a list of leaves
   *
   * The tree is made once: a set of leaves is split at the median of the centres along the
   * longest side of their box, down to single leaves. Its shape then stays; where the leaves
   * move, refit() makes new boxes in one sweep over the 2n - 1 nodes of the tree. They are kept
   * outside of the tree, so that one tree serves several configurations at once.
   *
   * Nodes are stored parents first: the left child follows its parent.
   */
  template<int dim>
  class BoxTree
  {
  public:
    using Boxes = std::vector<Box<dim>>; //!< one per node of the tree, the root first

    BoxTree() = default;

    explicit BoxTree(std::span<const Box<dim>> leaves)
    {
      std::vector<std::uint32_t> order(leaves.size());
      std::iota(order.begin(), order.end(), 0);
      if (!order.empty()) {
        nodes_.reserve(2 * leaves.size() - 1);
        split(leaves, order);
      }
    }

    //! Number of leaves
    std::size_t size() const { return (nodes_.size() + 1) / 2; }

    //! Boxes of all nodes from those of the leaves
    void refit(std::span<const Box<dim>> leaves, Boxes& boxes) const
    {
      assert(leaves.size() == size());
      boxes.resize(nodes_.size());
      for (std::size_t i = nodes_.size(); i-- > 0;)
        if (nodes_[i].leaf())
          boxes[i] = leaves[nodes_[i].index];
        else {
          boxes[i] = boxes[i + 1];
          boxes[i].add(boxes[nodes_[i].index]);
        }
    }

    /** \brief Call f(leaf) for all leaves whose box overlaps a box, in an order fixed by the tree
     *
     * Returns the number of boxes looked at.
     */
    template<class F>
    std::size_t query(const Boxes& boxes, const Box<dim>& box, F&& f) const
    {
      assert(boxes.size() == nodes_.size());
      // halves of 2^32 leaves are 32 deep, and there is one entry per depth
      std::array<std::uint32_t, 64> stack;
      std::size_t count = 0, visited = 0;
      if (!nodes_.empty())
        stack[count++] = 0;
      while (count > 0) {
        const std::uint32_t i = stack[--count];
        ++visited;
        if (!boxes[i].overlaps(box))
          continue;
        if (nodes_[i].leaf())
          f(std::size_t(nodes_[i].index));
        else {
          stack[count++] = nodes_[i].index;
          stack[count++] = i + 1;
        }
      }
      return visited;
    }

    /** \brief Call f(leaf) for leaves near a point, nearer branches of the tree first
     *
     * f returns the distance that is of interest from then on, at first \a distance: leaves with
     * boxes that are farther away are left out.
     */
    template<class F>
    void queryNear(const Boxes& boxes, const FieldVector<double, dim>& x, double distance,
                   F&& f) const
    {
      assert(boxes.size() == nodes_.size());
      struct Branch
      {
        double distance2;
        std::uint32_t node;
      };
      std::array<Branch, 64> stack; // as in query()
      std::size_t count = 0;
      if (!nodes_.empty())
        stack[count++] = {boxes[0].distance2(x), 0};
      while (count > 0) {
        const auto [distance2, i] = stack[--count];
        if (distance2 > distance * distance)
          continue;
        if (nodes_[i].leaf()) {
          distance = f(std::size_t(nodes_[i].index));
          continue;
        }
        const Branch left = {boxes[i + 1].distance2(x), i + 1},
                     right = {boxes[nodes_[i].index].distance2(x), nodes_[i].index};
        const bool leftFirst = left.distance2 <= right.distance2;
        stack[count++] = leftFirst ? right : left;
        stack[count++] = leftFirst ? left : right;
      }
    }

  private:
    struct Node
    {
      std::uint32_t index; //!< of the leaf, or of the right child
      std::uint32_t leaves;

      bool leaf() const { return leaves == 1; }
    };

    //! Append the tree of some leaves
    void split(std::span<const Box<dim>> leaves, std::span<std::uint32_t> order)
    {
      const std::size_t self = nodes_.size();
      nodes_.push_back({order.front(), std::uint32_t(order.size())});
      if (order.size() == 1)
        return;
      const int axis = longestSide(leaves, order);
      const auto before = [&](std::uint32_t i, std::uint32_t j) {
        const double a = leaves[i].lower[axis] + leaves[i].upper[axis],
                     b = leaves[j].lower[axis] + leaves[j].upper[axis];
        return a < b || (a == b && i < j);
      };
      const std::size_t half = order.size() / 2;
      std::nth_element(order.begin(), order.begin() + half, order.end(), before);
      split(leaves, order.first(half));
      nodes_[self].index = std::uint32_t(nodes_.size());
      split(leaves, order.subspan(half));
    }

    static int longestSide(std::span<const Box<dim>> leaves, std::span<const std::uint32_t> order)
    {
      Box<dim> box;
      for (std::uint32_t i : order)
        box.add(leaves[i]);
      const auto size = box.upper - box.lower;
      return int(std::max_element(size.begin(), size.end()) - size.begin());
    }

    std::vector<Node> nodes_;
  };

} // namespace Dune::Impact

#endif
