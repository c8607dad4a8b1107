// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_LUMPEDDELASSUS_HH
#define DUNE_IMPACT_SOLVER_LUMPEDDELASSUS_HH

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <dune/impact/common/types.hh>

/** \file
 * \ingroup impact_solver
 * \brief The matrix that maps contact impulses to contact velocities, for bodies with a diagonal mass
 */

namespace Dune::Impact {

  /** \brief Delassus matrix H = S S^T, S = G M^-1/2, of nodes with a diagonal mass, never multiplied out
   *
   * As FactoredDelassus, with both factors the same: half of the entries, kept by nodes of up to three dofs, so that a
   * surface of thousands of nodes in contact costs less than the forces of a body. With u = S^T r
   *
   *     w_i = b_i + S_i u,      u += S_i^T dr_i.
   *
   * A node has four numbers in u, the last one zero, and three in each functional of a contact that sees it. Nodes that only the
   * normal functional of a contact sees come after the others, and have no numbers of the tangents. The matrix is filled from the
   * first to the last row:
   * \code
   * H.clear(d);
   * for (...)
   *   H.add({normal, tangent, ...}); // d functionals
   * H.rates(before, after, rates);
   * H.hold(held);
   * \endcode
   * Memory is kept by clear().
   */
  class LumpedDelassus
  {
  public:
    //! Where a dof is, and the root of its inverse mass
    struct Dof
    {
      std::uint32_t node;
      std::uint32_t component; //!< 0, 1 or 2
      double root;
    };

    using Functionals = std::array<std::span<const Entry>, 3>; //!< those beyond the block size are not looked at

    LumpedDelassus() = default;

    //! \param dofs of the system
    explicit LumpedDelassus(std::vector<Dof> dofs);

    //! Remove all contacts; d = 1, 2 or 3 functionals per contact
    void clear(int blockSize);

    //! The next contact
    void add(const Functionals& functionals);

    //! Rates G M^-1 p of all functionals
    struct Rates
    {
      Span before, after; //!< of two momenta
      Span size;          //!< sums of the sizes of all terms of both
    };

    //! Rates of the momenta before and after a step
    void rates(ConstSpan before, ConstSpan after, const Rates& rates);

    //! From now on impulses do not move the dofs with held(dof)
    template<class Held>
    void hold(Held&& held)
    {
      u_.assign(dofs(), 1);
      for (std::size_t node = 0; node < seen_.size(); ++node)
        for (int c = 0; c < 3; ++c)
          if (const std::size_t dof = seen_[node].firstDof + c; dof < dofs_.size() && dofs_[dof].component == std::uint32_t(c) && held(dof))
            u_[node * lanes + c] = 0;
      applyHolds();
    }

    //! Number of contacts
    std::size_t size() const { return rows_.size(); }

    int blockSize() const { return blockSize_; }

    //! True if no node is seen by two contacts
    bool isDiagonal() const { return !coupled_; }

    //! True if no entry is NaN or infinite
    bool isFinite() const { return check_ == 0; }

    //! As Delassus::components(), with contacts connected by common nodes
    std::size_t components(std::vector<std::size_t>& labels) const;

    //! The diagonal block of row i: d*d numbers, row-wise
    const double* diagonal(std::size_t i) const { return blocks_.data() + 2 * i * blockSize_ * blockSize_; }

    //! Its inverse; zero if it has none
    const double* inverse(std::size_t i) const { return diagonal(i) + blockSize_ * blockSize_; }

    //! Size of u
    std::size_t dofs() const { return lanes * seen_.size(); }

    //! w += S_i u, in sums that do not wait for each other
    template<int d>
    void addRate(std::size_t i, const double* u, double* w) const
    {
      const Row& row = rows_[i];
      const double* value = values_.data() + row.value;
      const std::uint32_t* node = nodes_.data() + row.node;
      Lane sum[d], other;
      std::uint32_t n = 0;
      for (; n < row.wide; ++n, value += d * entries) {
        const Lane at(u + node[n] * lanes);
        ask(value);
        for (int k = 0; k < d; ++k)
          sum[k] += entry(value + k * entries) * at;
      }
      for (; n + 2 <= row.count; n += 2, value += 2 * entries) {
        ask(value);
        sum[0] += entry(value) * Lane(u + node[n] * lanes);
        other += entry(value + entries) * Lane(u + node[n + 1] * lanes);
      }
      if (n < row.count)
        other += entry(value) * Lane(u + node[n] * lanes);
      sum[0] += other;
      for (int k = 0; k < d; ++k)
        w[k] += sum[k].sum();
    }

    //! u += S_i^T change
    template<int d>
    void addVelocities(std::size_t i, const double* change, double* u) const
    {
      const Row& row = rows_[i];
      const double* value = values_.data() + row.value;
      const std::uint32_t* node = nodes_.data() + row.node;
      std::uint32_t n = 0;
      for (; n < row.wide; ++n, value += d * entries) {
        Lane at(u + node[n] * lanes);
        for (int k = 0; k < d; ++k)
          at += entry(value + k * entries) * change[k];
        at.store(u + node[n] * lanes);
      }
      for (; n < row.count; ++n, value += entries) {
        Lane at(u + node[n] * lanes);
        at += entry(value) * change[0];
        at.store(u + node[n] * lanes);
      }
    }

    //! See DelassusMatrix @{
    double rateSize(std::size_t i, int component, const double* s) const;
    const double* velocities(ConstSpan r, std::vector<double>& scratch) const;
    const double* velocitySizes(ConstSpan r, std::vector<double>& scratch) const;
    void multiply(ConstSpan x, Span y) const;
    //! @}

  private:
    static constexpr std::uint32_t none = -1;
    static constexpr int lanes = 4;   // numbers of a node in u
    static constexpr int entries = 3; // and in a functional

    using Pair = double __attribute__((vector_size(16), aligned(8), may_alias));

    //! Four numbers in two registers
    struct Lane
    {
      Pair low = {0, 0}, high = {0, 0};

      Lane() = default;
      Lane(Pair low, Pair high)
        : low(low), high(high)
      {}
      explicit Lane(const double* x)
        : low(*reinterpret_cast<const Pair*>(x)), high(*reinterpret_cast<const Pair*>(x + 2))
      {}

      void store(double* x) const
      {
        *reinterpret_cast<Pair*>(x) = low;
        *reinterpret_cast<Pair*>(x + 2) = high;
      }
      Lane& operator+=(const Lane& y)
      {
        low += y.low;
        high += y.high;
        return *this;
      }
      Lane operator*(const Lane& y) const { return {low * y.low, high * y.high}; }
      Lane operator*(double factor) const { return {low * factor, high * factor}; }
      Lane size() const { return {low < 0 ? -low : low, high < 0 ? -high : high}; }
      double sum() const
      {
        const Pair pair = low + high;
        return pair[0] + pair[1];
      }
    };

    //! The three numbers of a node in a functional, and zero
    static Lane entry(const double* value) { return {*reinterpret_cast<const Pair*>(value), Pair{value[2], 0}}; }

    //! Ask for numbers that are read soon; memory beyond the end may be asked for
    static void ask(const double* x)
    {
      __builtin_prefetch(reinterpret_cast<const char*>(x) + 1536);
      __builtin_prefetch(reinterpret_cast<const char*>(x) + 1536 + 64);
    }

    //! A node that contacts see
    struct Node
    {
      std::size_t firstDof;
      std::size_t value;                //!< where its numbers of the last contact begin
      std::uint32_t firstRow, lastRow; //!< contacts that see it
    };

    //! Where the nodes and numbers of a contact are; wide: nodes with numbers of all functionals, which come first
    struct Row
    {
      std::size_t node, value;
      std::uint32_t wide, count;
    };

    double* numbers(const Dof& dof, std::size_t index, int component);
    template<int d>
    void setBlock(std::size_t i);
    void setBlocks(std::size_t begin);
    template<int d>
    void applyToMomenta(const Rates& rates) const;
    void applyHolds();
    template<class Term>
    void forEntries(std::size_t i, Term&& term) const;

    std::vector<Dof> dofs_;
    int blockSize_ = 1;
    bool coupled_ = false;
    double check_ = 0;                    //!< sum of 0*diagonal: zero unless an entry is NaN or infinite
    std::vector<std::uint32_t> number_;   //!< of each node of the system among those that contacts see, or none
    std::vector<Node> seen_;
    std::vector<Row> rows_;
    std::vector<std::uint32_t> nodes_;    //!< that the rows see, in the numbers of seen_
    std::vector<double> values_;          //!< entries of S
    std::vector<double> blocks_;          //!< per contact: diagonal block, inverse
    std::vector<double> u_;               //!< scratch
  };

} // namespace Dune::Impact

#endif
