// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_IMPULSE_FACTOREDDELASSUS_HH
#define DUNE_IMPACT_SOLVER_IMPULSE_FACTOREDDELASSUS_HH

#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include <dune/impact/common/compressedrows.hh>
#include <dune/impact/common/types.hh>

/** \file
 * \ingroup impact_solver_impulse
 * \brief The matrix that maps contact impulses to contact velocities, as a product
 */

namespace Dune::Impact {

  /** \brief Delassus matrix H = G W, W = M^-1 G^T, that is never multiplied out
   *
   * Row i of G has an entry for each dof that contact i sees, column i of W the velocity that an
   * impulse gives to these dofs. A body that many contacts touch couples all of them, so H has a
   * dense block where G and W have a few numbers per contact: with the velocities u = W r at hand
   * the velocity of a contact is b_i + G_i u, and a change of its impulse changes u at its own dofs
   * only,
   *
   *     w_i = b_i + G_i u,      u += W_i dr_i.
   *
   * The matrix is filled from the first to the last row:
   * \code
   * H.clear(d);
   * for (...) {
   *   H.beginRow();
   *   H.addFunctional(k, dof, value); // entries of G, for each component k
   *   H.addVelocity(k, dof, value);   // entries of W
   *   H.endRow();
   * }
   * \endcode
   * Dofs are any numbers; entries of the same dof add up. Memory is kept by clear().
   */
  class FactoredDelassus
  {
  public:
    //! Remove all rows and set the number d of components of a contact: 1, 2 or 3
    void clear(int blockSize);

    void beginRow();
    void addFunctional(int component, std::size_t dof, double value)
    {
      entry(dof)[component] += value;
    }
    void addVelocity(int component, std::size_t dof, double value)
    {
      entry(dof)[blockSize_ + component] += value;
    }

    //! Complete the row begun last
    void endRow();

    //! Number of contacts
    std::size_t size() const { return columns_.size(); }

    int blockSize() const { return blockSize_; }

    //! Number of dofs that rows see, which is the size of u
    std::size_t dofs() const { return dofs_.size(); }

    //! Number of entries of G
    std::size_t entries() const { return columns_.entries().size(); }

    //! True if no entry is NaN or infinite
    bool isFinite() const { return check_ == 0; }

    //! What a contact sees: its dofs, in the numbers of u, and for each of them d numbers of G and
    //! d numbers of W
    struct Row
    {
      std::span<const std::uint32_t> dofs;
      const double* values;
    };

    Row row(std::size_t i) const
    {
      return {columns_[i], values_.data() + 2 * blockSize_ * columns_.begin(i)};
    }

    //! The diagonal block of row i of H: d*d numbers, row-wise
    const double* diagonal(std::size_t i) const
    {
      return diagonal_.data() + i * blockSize_ * blockSize_;
    }

    //! w += G_i u
    template<int d>
    void addRate(std::size_t i, const double* u, double* w) const
    {
      auto [dofs, value] = row(i);
      for (const std::uint32_t dof : dofs) {
        for (int k = 0; k < d; ++k)
          w[k] += value[k] * u[dof];
        value += 2 * d;
      }
    }

    //! u += W_i change
    template<int d>
    void addVelocities(std::size_t i, const double* change, double* u) const
    {
      auto [dofs, value] = row(i);
      for (const std::uint32_t dof : dofs) {
        double sum = 0;
        for (int k = 0; k < d; ++k)
          sum += value[d + k] * change[k];
        u[dof] += sum;
        value += 2 * d;
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

    double* entry(std::size_t dof);

    int blockSize_ = 1;
    double check_ = 0; // sum of 0*entry: zero unless an entry is NaN or infinite
    CompressedRows<std::uint32_t> columns_; // numbers of dofs among those that contacts see
    std::vector<double> values_;            // per entry: d numbers of G, d numbers of W
    std::vector<double> diagonal_;
    std::vector<std::size_t> dofs_;     // that rows see
    std::vector<std::uint32_t> number_; // of each dof among them, or none
    std::size_t cursor_ = 0;            // where in its row the entry of the next dof is expected
  };

} // namespace Dune::Impact

#endif
