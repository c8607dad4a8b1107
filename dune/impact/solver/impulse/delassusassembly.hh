// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_IMPULSE_DELASSUSASSEMBLY_HH
#define DUNE_IMPACT_SOLVER_IMPULSE_DELASSUSASSEMBLY_HH

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <dune/impact/common/types.hh>
#include <dune/impact/solver/impulse/delassus.hh>
#include <dune/impact/solver/impulse/factoreddelassus.hh>

/** \file
 * \ingroup impact_solver_impulse
 * \brief Assembly of Delassus matrices from the response of a system to contact impulses
 */

namespace Dune::Impact {

  /** \brief How a system responds to impulses of contact points: the mass in H = G M^-1 G^T
   *
   * addBlocks(i, block) adds H_ij = G_i M^-1 G_j^T, d*d numbers row-wise, to block(j) for each
   * point j that moves with point i. A block is zero when it is asked for first, and the pointer
   * holds until the next call of block(). The order of first calls is the order of the columns in
   * the matrix.
   */
  template<class Response>
  concept ContactResponse = requires(const Response& response, std::size_t i) {
    { response.size() } -> std::convertible_to<std::size_t>; // contact points
    { response.blockSize() } -> std::same_as<int>;           // d
    response.addBlocks(i, [](std::size_t) -> double* { return nullptr; });
  };

  /** \brief A response with sparse factors: rows of G and of W^T, W = M^-1 G^T
   *
   * Impulses do not move dofs that are not free.
   */
  template<class Response>
  concept SparseContactResponse =
    requires(const Response& response, std::size_t i, int component, std::size_t dof) {
      { response.size() } -> std::convertible_to<std::size_t>;
      { response.blockSize() } -> std::same_as<int>;
      { response.functional(i, component) } -> std::convertible_to<std::span<const Entry>>;
      { response.velocity(i, component) } -> std::convertible_to<std::span<const Entry>>;
      { response.isFree(dof) } -> std::same_as<bool>;
    };

  /** \brief Assembles H = G M^-1 G^T row by row, for any mass
   *
   * The response says which points a point moves and by how much; here these blocks are gathered,
   * each of them once, and appended to the matrix. All members are scratch memory.
   *
   * A LumpedDelassus is filled without it: there M is diagonal, so that S = G M^-1/2 is all it
   * keeps, and the only blocks it forms are the diagonal ones, as sums of pairs of numbers in
   * registers. In the order of sums of this class they would have other bits, and take longer than
   * a sweep.
   */
  class DelassusAssembly
  {
  public:
    template<ContactResponse Response>
    void assemble(const Response& response, Delassus& matrix)
    {
      const std::size_t blockEntries = std::size_t(response.blockSize()) * response.blockSize();
      matrix.clear(response.blockSize());
      number_.resize(std::max<std::size_t>(number_.size(), response.size()), none);
      for (std::size_t i = 0; i < response.size(); ++i) {
        columns_.clear();
        blocks_.clear();
        response.addBlocks(i, [&](std::size_t j) { return block(j, blockEntries); });
        matrix.beginRow();
        for (std::size_t k = 0; k < columns_.size(); ++k) {
          matrix.add(columns_[k], &blocks_[k * blockEntries]);
          number_[columns_[k]] = none;
        }
      }
    }

  private:
    static constexpr std::uint32_t none = -1;

    double* block(std::size_t j, std::size_t blockEntries)
    {
      std::uint32_t& number = number_[j];
      if (number == none) {
        number = std::uint32_t(columns_.size());
        columns_.push_back(j);
        blocks_.resize(blocks_.size() + blockEntries, 0);
      }
      return &blocks_[number * blockEntries];
    }

    std::vector<std::size_t> columns_;  // of the row
    std::vector<double> blocks_;        // in these columns
    std::vector<std::uint32_t> number_; // of each point among the columns, or none
  };

  //! The same matrix as the product of its factors, H = G W
  template<SparseContactResponse Response>
  void assembleFactors(const Response& response, FactoredDelassus& matrix)
  {
    matrix.clear(response.blockSize());
    for (std::size_t i = 0; i < response.size(); ++i) {
      matrix.beginRow();
      for (int c = 0; c < response.blockSize(); ++c) {
        for (const auto& [dof, value] : response.functional(i, c))
          if (response.isFree(dof))
            matrix.addFunctional(c, dof, value);
        for (const auto& [dof, value] : response.velocity(i, c))
          if (response.isFree(dof))
            matrix.addVelocity(c, dof, value);
      }
      matrix.endRow();
    }
  }

} // namespace Dune::Impact

#endif
