// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_IMPULSE_SLIPFUNCTIONAL_HH
#define DUNE_IMPACT_CONTACT_IMPULSE_SLIPFUNCTIONAL_HH

#include <span>

#include <dune/impact/common/types.hh>
#include <dune/impact/contact/impulse/contactpoints.hh>

/** \file
 * \ingroup impact_contact_impulse
 * \brief Slip of a node along a surface that keeps angular momentum
 */

namespace Dune::Impact {

  //! Entries of the dofs of a node
  template<int dim>
  void addEntries(std::size_t dof, const Vec3& value, SparseVector& entries)
  {
    for (int c = 0; c < dim; ++c)
      entries.push_back({dof + c, value[c]});
  }

  //! Nodes of the other side with their share in a row
  struct SlipPartner
  {
    std::size_t dof;
    double weight;
    Vec3 position;
  };

  /** \brief The slip functional along t
   *
   * It is t at the node, -N_j t at its partners, and on these a turn
   *
   *     theta x (x_j - c),   theta = -J^-1 m,
   *
   * about their centre c that takes away the moment m = (x - sum N_j y_j) x t of the rest; J is the
   * inertia tensor of the partners with mass one each. As the dual of an angular velocity
   * w = J^-1 sum (y_j - c) x v_j this is the slip of NodeToFace.
   */
  template<int dim>
  class SlipFunctional
  {
  public:
    //! The partners must outlive the object
    SlipFunctional(std::size_t dof, const Vec3& x, std::span<const SlipPartner> partners)
      : dof_(dof)
      , partners_(partners)
      , centre_(0)
      , offset_(x)
      , inverse_(0)
    {
      for (const SlipPartner& p : partners) {
        centre_.axpy(1.0 / double(partners.size()), p.position);
        offset_.axpy(-p.weight, p.position);
      }
      if (partners.size() < std::size_t(dim))
        return;
      for (const SlipPartner& p : partners) {
        const Vec3 r = p.position - centre_;
        for (int i = 0; i < 3; ++i)
          for (int k = 0; k < 3; ++k)
            inverse_[i][k] += (i == k) * r.two_norm2() - r[i] * r[k];
      }
      if (dim == 2) { // turns in the plane only
        inverse_[0][0] = inverse_[1][1] = 1;
        inverse_[0][1] = inverse_[1][0] = 0;
      }
      inverse_.invert();
    }

    void add(const Vec3& t, SparseVector& entries) const
    {
      Vec3 theta;
      inverse_.mv(cross(offset_, t), theta);
      addEntries<dim>(dof_, t, entries);
      for (const SlipPartner& p : partners_) {
        Vec3 value = cross(theta, p.position - centre_);
        value *= -1;
        value.axpy(-p.weight, t);
        addEntries<dim>(p.dof, value, entries);
      }
    }

  private:
    std::size_t dof_;
    std::span<const SlipPartner> partners_;
    Vec3 centre_, offset_;
    Mat3 inverse_; //!< J^-1, zero where the partners do not span the space
  };

  //! The tangential functionals of a row
  template<int dim>
  void addSlips(const SlipFunctional<dim>& slip, const ContactPoint& row, ContactPoints& rows)
  {
    for (int c = 1; c < rows.components(); ++c)
      rows.addFunctional([&](SparseVector& entries) { slip.add(row.axes[c], entries); });
  }

} // namespace Dune::Impact

#endif
