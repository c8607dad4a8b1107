// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SOLVER_IMPULSE_ALARTCURNIERNEWTON_HH
#define DUNE_IMPACT_SOLVER_IMPULSE_ALARTCURNIERNEWTON_HH

#include <array>
#include <cstddef>
#include <vector>

#include <dune/impact/solver/impulse/contactproblem.hh>

/** \file
 * \ingroup impact_solver_impulse
 * \brief Newton's method for few contacts with friction
 */

namespace Dune::Impact {

  /** \brief Semismooth Newton method for the contact problem
   *
   * The method of Alart and Curnier (1991). With x = r - w/c, where c is the size of the diagonal
   * block, a contact is open (x_N <= 0), sticks (|x_T| <= mu r_N) or slides along n = x_T/|x_T|:
   *
   *     open:   r = 0
   *     stick:  w = 0
   *     slide:  w_N = 0,  r_T = mu r_N n
   *
   * Each iteration solves the linearised equations of the closed contacts at once. Where contacts
   * are redundant it takes the change of least size, by a complete orthogonal decomposition if
   * unknowns are few or the residual does not fall, and by a shifted LU factor otherwise. Good
   * where Gauss-Seidel creeps, as in stacks, once the states are nearly right. There is no proof of
   * convergence; the best iterate is kept, and four iterations that do not halve its residual are
   * the end.
   */
  class AlartCurnierNewton
  {
  public:
    //! Most unknowns: the cost is their third power
    static constexpr std::size_t limit = 360;

    //! Improve r; the report is that of the result, which is never worse than the first guess
    SolveReport solve(const ContactProblem& problem, const ContactSettings& settings, Span r);

  private:
    class Linearisation;

    //! A closed contact: c, and if it slides c x_T with its length
    struct Closed
    {
      std::size_t contact;
      double c;
      std::array<double, 2> slide;
      double length;
    };

    std::vector<Closed> closed_;
    std::vector<std::ptrdiff_t> unknowns_; // of closed contacts
  };

} // namespace Dune::Impact

#endif
