// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dune/impact/contact/contactgeometry.hh>

namespace Dune::Impact {

  namespace {

    //! What users call a capability, and the methods that ask for it
    struct CapabilityWords
    {
      const char *name, *methods;
    };

    const char* const midpointRules =
      "dissipative-midpoint, modified-midpoint, midpoint and quasi-static";

    //! In the order of ContactGeometry::Capabilities
    const CapabilityWords words[] = {
      {"impulse points", "cd-lagrange, moreau-jean, energy-momentum, multisymplectic and nsga"},
      {"weighted gaps in the plane", midpointRules},
      {"weighted gaps in space", midpointRules},
      {"gaps with finite slip", "nsga, and quasi-static for beams"},
      {"contact of ends without mass", "cd-lagrange and multisymplectic"},
      {"penalty points", "energy-momentum with law = penalty"},
      {"adhesive bonds", "cd-lagrange"}};

  } // namespace

  std::array<bool, ContactGeometry::count> ContactGeometry::offered() const
  {
    return std::apply(
      [](const auto&... capability) { return std::array<bool, count>{capability != nullptr...}; },
      capabilities_);
  }

  std::string ContactGeometry::refusal(std::size_t needed, const std::string& method,
                                       const std::string& contact) const
  {
    static_assert(std::size(words) == count);
    const std::string why = reasons_[needed].empty() ? "" : ", because " + reasons_[needed];
    std::vector<std::string> instead;
    for (std::size_t i = 0; i < count; ++i)
      if (offered()[i])
        instead.push_back(fmt::format("{} for {}", words[i].name, words[i].methods));
    return fmt::format("{} needs {}, which contact.{} does not offer{}{}", method,
                       words[needed].name, contact, why,
                       instead.empty() ? "" : fmt::format("; it has {}", fmt::join(instead, ", ")));
  }

} // namespace Dune::Impact
