// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TIMESTEP_FRAMES_ALARTCURNIERSYSTEM_HH
#define DUNE_IMPACT_TIMESTEP_FRAMES_ALARTCURNIERSYSTEM_HH

#include <Eigen/SparseCore>

#include <dune/impact/body/dynamics.hh>
#include <dune/impact/contact/beam/gapslip.hh>
#include <dune/impact/solver/impulse/coulombprojection.hh>

/** \file
 * \ingroup impact_timestep_frames
 * \brief The linear system of one Newton iteration with joints and contact
 */

namespace Dune::Impact {

  //! Diagonal of the box around all points of a system; the other length if there is but one point
  double sizeOf(const System& system, double otherwise);

  /** \brief Equations for an increment dq, multipliers of joints and forces of contact
   *
   *     [ K      -G^T   -B^T     ] [ dq      ]
   *     [ G       0      0       ] [ dlambda ] = residual
   *     [ p P' dg 0      I - P'  ] [ dl      ]
   *
   * in dimensionless numbers: lengths are divided by the size of the system and energies by the
   * largest entry of K. The factorisation is that of an unsymmetric sparse matrix.
   */
  class AlartCurnierSystem
  {
  public:
    //! So many multipliers of contact, three equations each; a length for systems of one point
    AlartCurnierSystem(const System& system, std::size_t multipliers, double length);

    std::size_t dofs() const { return dofs_; }
    const Dynamics& dynamics() const { return dynamics_; }
    std::size_t jointRows() const { return dynamics_.jointRows(); }
    std::size_t size() const { return dofs_ + jointRows() + 3 * multipliers_; }
    double length() const { return length_; }

    //! Whether a joint holds a dof by a row of its own
    bool fixed(std::size_t dof) const { return fixed_[dof] != 0; }

    //! Forget the equations of the iteration before
    void begin();

    //! Find the scales once all entries of K are there; a dof without any is left where it is
    void scale();

    //! Add the multipliers' forces to the residual, and the entries of joints; the residuals of the
    //! rows are those given
    void addJoints(double t, ConstSpan q, ConstSpan lambda, ConstSpan rowResidual);

    //! A contact with its first multiplier; how the equations of a multiplier are weighted
    struct Cone
    {
      std::size_t firstMultiplier;
      int components;
      double friction;
      double p;
      double touching;       //!< |g| below this is zero where there is no force
      double regularisation; //!< added to I - P', for rows that depend on each other
    };

    /** \brief Add the equations l = P(l - p g) of a contact and its forces
     *
     * A multiplier whose gap depends on nothing that is free to move, as between two clamped
     * sections, carries no force: its multiplier would be arbitrary. `sets` are those of all
     * multipliers.
     */
    void addContact(const Cone& cone, const GapSlip& rows, ConstSpan l,
                    std::vector<ContactSet>& sets);

    //! Largest residual of forces, in the unit of a force, and of the rows of joints, dimensionless
    double forceResidual() const;
    double jointResidual() const;

    //! The solution, empty if the matrix is singular; destroys the entries
    Eigen::VectorXd solve();

    //! Size of an increment: lengths relative to the system, angles
    struct Size
    {
      double turn = 0, move = 0;
    };
    Size sizeOfIncrement(const Eigen::VectorXd& step) const;

    Triplets entries;
    Eigen::VectorXd residual;

  private:
    void findFixed();
    std::vector<char> usable(const GapSlip& rows) const;

    Dynamics dynamics_;
    std::size_t multipliers_, dofs_;
    double length_;
    std::vector<char> fixed_, angular_, angularRow_;
    Eigen::VectorXd rowScale_, columnScale_;
  };

} // namespace Dune::Impact

#endif
