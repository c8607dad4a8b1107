// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <dune/impact/timestep/midpoint/midpointrule.hh>

namespace Dune::Impact {

  //! B_p = dc_p/dz, with the factor 1/2 if gaps belong to the middle (x + z)/2
  template<int dim>
  void MidpointRule<dim>::forceRow(const StepGap<dim>& gap, Row& row) const
  {
    row.assign(gap.derivative.begin(), gap.derivative.end());
    for (auto& entry : row)
      entry.value *= gap.factor;
  }

  //! Works of contact and loads, and the defect W(z) - W(x) - f(x, z).(z - x) of the bulk force for
  //! rules without exactWork()
  template<int dim>
  void MidpointRule<dim>::accountWork(AcceptedStep<dim>& step) const
  {
    step.accountContacts();
    step.accountFriction();
    step.accountLoads();
    if (exactWork())
      return;
    for (const auto& member : step.model.members) {
      const ConstSpan x = member.slice(ConstSpan(step.from.q)),
                      z = member.slice(ConstSpan(step.to.q));
      std::vector<double> force(x.size(), 0);
      addForce(*member.body, x, z, force);
      step.to.ledger.stepWork += member.body->storedEnergy(z) - member.body->storedEnergy(x) -
                                 (dot(force, z) - dot(force, x));
    }
  }

  template class MidpointRule<2>;
  template class MidpointRule<3>;

} // namespace Dune::Impact
