// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_TEST_TIMESTEP_MIDPOINT_RULES_HH
#define DUNE_IMPACT_TEST_TIMESTEP_MIDPOINT_RULES_HH

#include <memory>

#include <dune/impact/timestep/midpoint/midpointrules.hh>

/** \file
 * \brief Names of the rules, for tables of tests
 */

namespace Dune::Impact::Test {

  enum class RuleName { midpoint, modified, dissipative, quasiStatic };

  inline const char* nameOf(RuleName rule)
  {
    switch (rule) {
    case RuleName::midpoint:
      return "midpoint";
    case RuleName::modified:
      return "modified";
    case RuleName::dissipative:
      return "dissipative";
    case RuleName::quasiStatic:
      return "quasi-static";
    }
    return "";
  }

  template<int dim>
  std::shared_ptr<const MidpointRule<dim>> makeRule(RuleName rule, double returnedEnergy = 0,
                                                    bool settle = false)
  {
    switch (rule) {
    case RuleName::midpoint:
      return std::make_shared<Midpoint<dim>>();
    case RuleName::modified:
      return std::make_shared<ModifiedMidpoint<dim>>();
    case RuleName::dissipative:
      return std::make_shared<DissipativeMidpoint<dim>>(returnedEnergy, settle);
    case RuleName::quasiStatic:
      return std::make_shared<QuasiStatic<dim>>();
    }
    return nullptr;
  }

} // namespace Dune::Impact::Test

#endif
