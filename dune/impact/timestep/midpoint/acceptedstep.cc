// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>

#include <dune/impact/timestep/midpoint/acceptedstep.hh>
#include <dune/impact/timestep/midpoint/midpointhistory.hh>

namespace Dune::Impact {

  //! With the motion o of the obstacle in the step, mu.B D = mu.B (D - o) + mu.B o: the first part
  //! is the work of contact, the second that of the obstacle.
  template<int dim>
  void AcceptedStep<dim>::accountContacts()
  {
    for (std::size_t p = 0; p < constraints.size(); ++p) {
      const double pressure = MidpointHistory::pressure(to)[constraints[p].multiplier];
      if (pressure == 0)
        continue;
      const auto increment = obstacleIncrement(model.contactOf(constraints[p].multiplier));
      double work = 0, driven = 0;
      for (const auto& [node, value] : constraints.row(p))
        for (int c = 0; c < dim; ++c) {
          driven += pressure * value[c] * increment[c];
          work += pressure * value[c] * D[node * dim + c];
        }
      to.ledger.contactWork += work - driven;
      to.ledger.externalWork += driven;
    }
  }

  template<int dim>
  FieldVector<double, dim> AcceptedStep<dim>::tangential(std::size_t p) const
  {
    const std::vector<double>& all = MidpointHistory::tangential(to);
    FieldVector<double, dim> l(0);
    for (int c = 0; c < dim && !all.empty(); ++c)
      l[c] = all[constraints[p].multiplier * dim + c];
    return l;
  }

  //! T^T l . D = l.s + T^T l . o with the slip s, which the motion o of an obstacle is taken off:
  //! the first part is the work of friction, -beta mu |s|, the second that of the obstacle.
  template<int dim>
  void AcceptedStep<dim>::accountFriction()
  {
    for (std::size_t p = 0; p < constraints.size(); ++p) {
      const auto& constraint = constraints[p];
      if (!(constraint.friction > 0))
        continue;
      const auto l = tangential(p);
      const auto increment = obstacleIncrement(model.contactOf(constraint.multiplier));
      to.ledger.frictionWork += l * constraint.slip;
      for (const auto& [node, value] : constraints.friction(p))
        if (node == constraint.node) {
          FieldVector<double, dim> force(0);
          value.umtv(l, force);
          to.ledger.externalWork += force * increment;
        }
    }
  }

  //! f_ext.D, and R.D on fixed components. On the others R is the residual of the solver, and the
  //! sum of |R_i D_i| bounds the energy that it hides.
  template<int dim>
  void AcceptedStep<dim>::accountLoads()
  {
    for (std::size_t i = 0; i < D.size(); ++i) {
      const double r = R[i / dim][i % dim];
      to.ledger.externalWork += externalLoad[i] * D[i];
      if (model.isFixed(i))
        to.ledger.externalWork += r * D[i]; // what holds it, contact apart
      else
        slack += std::abs(r * D[i]);
    }
  }

  template struct AcceptedStep<2>;
  template struct AcceptedStep<3>;

} // namespace Dune::Impact
