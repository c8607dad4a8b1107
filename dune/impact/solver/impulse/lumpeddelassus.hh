// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_IMPULSE_LUMPEDDELASSUS_HH
#define DUNE_IMPACT_SOLVER_IMPULSE_LUMPEDDELASSUS_HH

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <dune/impact/common/mortarentry.hh>
#include <dune/impact/common/types.hh>

/** \file
 * \ingroup impact_solver_impulse
 * \brief The matrix that maps contact impulses to contact velocities, for bodies with a diagonal
 * mass
 */

namespace Dune::Impact {

  class FactoredDelassus;

  /** \brief Delassus matrix H = S S^T, S = G M^-1/2, of nodes with a diagonal mass, never
   * multiplied out
   *
   * As FactoredDelassus, with both factors the same: half of the entries, kept by nodes of up to
   * three dofs, so that a surface of thousands of nodes in contact costs less than the forces of a
   * body. With u = S^T r
   *
   *     w_i = b_i + S_i u,      u += S_i^T dr_i.
   *
   * A node has four numbers in u, the last one zero, and three in each functional of a contact that
   * sees it. Nodes that only the normal functional of a contact sees come after the others, and
   * have no numbers of the tangents. Contacts of a node with partners, see MortarEntry, are
   * compressed: with the axes a_k, and s_j = weight_j and l_jk = tiltWeight_jk times the root of
   * the inverse mass of the node j,
   *
   *     S_k u = a_k.sum_j s_j u_j + a_0.sum_j l_jk u_j,   u_j += s_j f + (sum_k l_jk dr_k) a_0,
   *     f = sum_k dr_k a_k.
   *
   * The matrix is filled from the first to the last row:
   * \code
   * H.clear(d);
   * for (...)
   *   H.add({normal, tangent, ...}); // d functionals, or
   *   H.add(axes, dof, partners);    // a node and its partners
   * H.finish();
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

    //! those beyond the block size are not looked at
    using Functionals = std::array<std::span<const Entry>, 3>;

    LumpedDelassus() = default;

    //! \param dofs of the system
    explicit LumpedDelassus(std::vector<Dof> dofs);

    //! Remove all contacts; d = 1, 2 or 3 functionals per contact
    void clear(int blockSize);

    //! True if all nodes have three dofs of the same mass, so that contacts can be compressed
    bool isIsotropic() const { return isotropic_; }

    //! The next contact
    void add(const Functionals& functionals);

    //! The same for that of a node with at least one partner; the axes are orthogonal and of unit
    //! length. Needs isIsotropic().
    void add(const std::array<Vec3, 3>& axes, std::size_t dof,
             std::span<const MortarEntry> partners);

    //! To be called after the last contact
    void finish();

    //! Rates G M^-1 p of all functionals
    struct Rates
    {
      Span before, after; //!< of two momenta
      //! sums of the sizes of all terms of both; of compressed rows those of the numbers they are
      //! kept as, which are larger
      Span size;
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
          if (const std::size_t dof = seen_[node].firstDof + c;
              dof < dofs_.size() && dofs_[dof].component == std::uint32_t(c) && held(dof))
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
    const double* diagonal(std::size_t i) const
    {
      return blocks_.data() + i * blockSize_ * blockSize_;
    }

    //! Its first row, then the lower triangle of its inverse, row-wise; an inverse of zeros if
    //! there is none
    template<int d>
    const double* inverse(std::size_t i) const
    {
      return inverses_.data() + i * inverseSize(d);
    }

    //! Size of u
    std::size_t dofs() const { return lanes * seen_.size(); }

    //! w += S_i u
    template<int d>
    [[gnu::always_inline]] void addRate(std::size_t i, const double* u, double* w) const
    {
      addTerms<d, lanes, false>(i, u, w);
    }

    //! u += S_i^T change
    template<int d>
    [[gnu::always_inline]] void addVelocities(std::size_t i, const double* change, double* u) const
    {
      const Row& row = rows_[i];
      const double* value = values_.data() + row.value;
      const std::uint32_t* node = nodes_.data() + row.node;
      const auto add = [&](const Lane& x) {
        Lane at(u + *node * lanes);
        at += x;
        at.store(u + *node++ * lanes);
      };
      if (isCompressed(row)) {
        const Lane normal = entry(value);
        Lane total = normal * change[0];
        for (int k = 1; k < d; ++k)
          total += entry(value + k * entries) * change[k];
        value += d * entries;
        add(total * *value++);
        for (std::uint32_t n = 1; n < row.count; ++n, value += d) {
          Lane part = total * value[0];
          if constexpr (d > 1) {
            double tilt = 0;
            for (int k = 1; k < d; ++k)
              tilt += value[k] * change[k];
            part += normal * tilt;
          }
          add(part);
        }
        return;
      }
      std::uint32_t n = 0;
      for (; n < row.wide; ++n, value += d * entries) {
        Lane part = entry(value) * change[0];
        for (int k = 1; k < d; ++k)
          part += entry(value + k * entries) * change[k];
        add(part);
      }
      for (; n < row.count; ++n, value += entries)
        add(entry(value) * change[0]);
    }

    //! The same matrix as a product, G = S and W = S^T
    void factorise(FactoredDelassus& factors) const;

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

    using Pair [[gnu::vector_size(16), gnu::aligned(8)]] = double; // it may alias its numbers
    static_assert(alignof(Pair) == 8);

    //! Four numbers in two registers
    struct Lane
    {
      Pair low, high;

      Lane() = default;
      Lane(Pair low, Pair high) : low(low), high(high) {}
      explicit Lane(const double* x)
        : low(*reinterpret_cast<const Pair*>(x))
        , high(*reinterpret_cast<const Pair*>(x + 2))
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
    static Lane entry(const double* value)
    {
      return {*reinterpret_cast<const Pair*>(value), Pair{value[2], 0}};
    }

    //! Ask for numbers that are read soon; memory beyond the end may be asked for
    static void ask(const double* x)
    {
      __builtin_prefetch(reinterpret_cast<const char*>(x) + 1536);
      __builtin_prefetch(reinterpret_cast<const char*>(x) + 1536 + 64);
    }

    static constexpr int inverseSize(int d) { return d + d * (d + 1) / 2; }

    //! Where the nodes and numbers of a contact are; wide: nodes with numbers of all functionals,
    //! which come first, or `none` if it is compressed
    struct Row
    {
      std::size_t node, value;
      std::uint32_t wide, count;
    };

    static bool isCompressed(const Row& row) { return row.wide == none; }

    //! x or its size
    template<bool sizes>
    static double sized(double x)
    {
      return sizes ? std::abs(x) : x;
    }
    template<bool sizes>
    static Lane sized(const Lane& x)
    {
      return sizes ? x.size() : x;
    }

    //! w += S_i u for the numbers u of nodes that are `stride` apart; the same with the sizes of
    //! all entries
    template<int d, int stride, bool sizes>
    [[gnu::always_inline]] void addTerms(std::size_t i, const double* u, double* w) const
    {
      if (isCompressed(rows_[i]))
        addCompressedTerms<d, stride, sizes>(rows_[i], u, w);
      else
        addFullTerms<d, stride, sizes>(rows_[i], u, w);
    }

    template<int d, int stride, bool sizes>
    [[gnu::always_inline]] void addCompressedTerms(const Row& row, const double* u, double* w) const
    {
      const double *axes = values_.data() + row.value, *value = axes + d * entries;
      const std::uint32_t* node = nodes_.data() + row.node;
      Lane sum = Lane(u + node[0] * stride) * sized<sizes>(*value++), tilt[d];
      const Lane first(u + node[1] * stride);
      sum += first * sized<sizes>(value[0]);
      for (int k = 1; k < d; ++k)
        tilt[k] = first * sized<sizes>(value[k]);
      value += d;
      for (std::uint32_t n = 2; n < row.count; ++n, value += d) {
        const Lane at(u + node[n] * stride);
        sum += at * sized<sizes>(value[0]);
        for (int k = 1; k < d; ++k)
          tilt[k] += at * sized<sizes>(value[k]);
      }
      const Lane normal = sized<sizes>(entry(axes));
      w[0] += (normal * sum).sum();
      for (int k = 1; k < d; ++k) {
        Lane both = sized<sizes>(entry(axes + k * entries)) * sum;
        both += normal * tilt[k];
        w[k] += both.sum();
      }
    }

    //! In sums that do not wait for each other
    template<int d, int stride, bool sizes>
    [[gnu::always_inline]] void addFullTerms(const Row& row, const double* u, double* w) const
    {
      const double* value = values_.data() + row.value;
      const std::uint32_t* node = nodes_.data() + row.node;
      Lane sum[d] = {}, other = {};
      std::uint32_t n = 0;
      for (; n < row.wide; ++n, value += d * entries) {
        const Lane at(u + node[n] * stride);
        ask(value);
        for (int k = 0; k < d; ++k)
          sum[k] += sized<sizes>(entry(value + k * entries)) * at;
      }
      for (; n + 2 <= row.count; n += 2, value += 2 * entries) {
        ask(value);
        sum[0] += sized<sizes>(entry(value)) * Lane(u + node[n] * stride);
        other += sized<sizes>(entry(value + entries)) * Lane(u + node[n + 1] * stride);
      }
      if (n < row.count)
        other += sized<sizes>(entry(value)) * Lane(u + node[n] * stride);
      sum[0] += other;
      for (int k = 0; k < d; ++k)
        w[k] += sum[k].sum();
    }

    //! A node that contacts see
    struct Node
    {
      std::size_t firstDof;
      std::size_t value;               //!< where its numbers of the last contact begin
      std::uint32_t firstRow, lastRow; //!< contacts that see it
    };

    //! The number of a node that the row begun last sees
    std::uint32_t see(std::uint32_t systemNode, std::size_t firstDof)
    {
      const auto row = std::uint32_t(rows_.size() - 1);
      std::uint32_t& number = number_[systemNode];
      if (number == none) {
        number = std::uint32_t(seen_.size());
        seen_.push_back({firstDof, 0, row, none});
      }
      coupled_ = coupled_ || seen_[number].firstRow != row;
      return number;
    }

    //! Room for more values, which are not set
    double* append(std::size_t count)
    {
      if (values_.size() < valueCount_ + count)
        values_.resize(std::max(2 * values_.size(), valueCount_ + count));
      valueCount_ += count;
      return values_.data() + (valueCount_ - count);
    }

    double* numbers(const Dof& dof, std::size_t index, int component);
    template<int d>
    void setBlock(std::size_t i);
    template<int d>
    void setCompressedBlock(std::size_t i);
    template<int d>
    void applyToMomenta(const Rates& rates) const;
    bool isHeld(const Row& row) const;
    void expand(std::size_t i);
    void applyHolds();
    template<class Term>
    void forEntries(std::size_t i, Term&& term) const;

    std::vector<Dof> dofs_;
    bool isotropic_ = false;
    int blockSize_ = 1;
    bool coupled_ = false;
    //! sum of 0*diagonal: zero unless an entry is NaN or infinite
    double check_ = 0;
    //! of each node of the system among those that contacts see, or none
    std::vector<std::uint32_t> number_;
    std::vector<Node> seen_;
    std::vector<Row> rows_;
    std::vector<std::uint32_t> nodes_; //!< that the rows see, in the numbers of seen_
    //! entries of S; of compressed rows the axes, s_0, and s_j, l_jk of the partners; never made
    //! fewer
    std::vector<double> values_;
    std::size_t valueCount_ = 0;   //!< of them that are in use
    std::vector<double> blocks_;   //!< diagonal blocks
    std::vector<double> inverses_; //!< see inverse()
    std::vector<double> u_;        //!< scratch
  };

} // namespace Dune::Impact

#endif
