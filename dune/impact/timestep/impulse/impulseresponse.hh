// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see file LICENSE.md in module
// root SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_IMPULSE_IMPULSERESPONSE_HH
#define DUNE_IMPACT_TIMESTEP_IMPULSE_IMPULSERESPONSE_HH

#include <dune/impact/body/system.hh>
#include <dune/impact/contact/impulse/contactpoints.hh>
#include <dune/impact/solver/impulse/delassus.hh>
#include <dune/impact/solver/impulse/factoreddelassus.hh>

/** \file
 * \ingroup impact_timestep_impulse
 * \brief What impulses of contact rows do to velocities, for systems with a sparse inverse mass
 */

namespace Dune::Impact {

  /** \brief M^{-1} G^T of the rows of an instant, which rows act together, and the matrices H = G
   * M^{-1} G^T of these
   *
   * Rows act together if they see the same dof, directly or over other rows: such a set is an
   * island. Dofs whose motion is prescribed connect nothing.
   */
  class ImpulseResponse
  {
  public:
    using Rows = std::span<const std::uint32_t>;

    //! The system must outlive the object
    explicit ImpulseResponse(const System& system) : system_(system) {}

    //! Take the rows of an instant, which must not change while the object is used
    void set(ConstSpan q, const ContactPoints& rows);

    //! M^{-1} G^T of a component of a row
    std::span<const Entry> velocity(std::size_t row, int component) const
    {
      const std::size_t i = row * rows_->components() + component,
                        begin = i == 0 ? 0 : velocityEnd_[i - 1];
      return std::span(velocities_).subspan(begin, velocityEnd_[i] - begin);
    }

    //! Find the islands, in the order of their first rows; returns their number
    std::size_t findIslands();

    //! The rows of an island, in their order
    Rows island(std::size_t i) const
    {
      return Rows(islandRows_)
        .subspan(i == 0 ? 0 : islandEnd_[i - 1], islandEnd_[i] - (i == 0 ? 0 : islandEnd_[i - 1]));
    }

    //! The matrix of some rows, numbered as they come
    void assemble(Rows rows, Delassus& matrix);

    //! The same as a product
    void assemble(Rows rows, FactoredDelassus& matrix) const;

  private:
    struct Touch //!< an entry of a functional, seen from its dof
    {
      std::uint32_t row;
      int component;
      double value;
    };
    static constexpr std::uint32_t none = -1;

    void findTouches(Rows rows);
    void assembleRow(std::size_t number, std::size_t row, Delassus& matrix);

    const System& system_;
    const ContactPoints* rows_ = nullptr;
    SparseVector velocities_; // of all functionals
    std::vector<std::size_t> velocityEnd_;
    // of each dof of the system among those that rows see, or none
    std::vector<std::uint32_t> dofNumber_;
    std::vector<std::size_t> dofs_;       // the dofs that rows see
    std::vector<Touch> touches_;          // entries of all functionals, those of a dof together
    std::vector<std::size_t> touchEnd_;   // end of the touches of each dof that rows see
    std::vector<std::size_t> neighbours_; // rows that share a dof with a row, this row first
    std::vector<std::uint32_t> number_;   // of each row among the neighbours, or none
    std::vector<double> blocks_;          // their blocks
    std::vector<std::size_t> labels_;     // island of each row
    std::vector<std::uint32_t> islandRows_;
    std::vector<std::size_t> islandEnd_;
  };

} // namespace Dune::Impact

#endif
