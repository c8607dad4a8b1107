// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <stdexcept>

#include <dune/impact/body/system.hh>
#include <dune/impact/contact/contact.hh>

namespace Dune::Impact {

  std::vector<std::size_t> masslessNumbers(const System& system,
                                           const std::vector<Contact>& contacts)
  {
    std::vector<std::size_t> numbers;
    for (const auto& massless : system.masslessContacts()) {
      const auto found = std::find_if(contacts.begin(), contacts.end(), [&](const Contact& c) {
        return c.geometry.share<MasslessContact>() == massless;
      });
      if (found == contacts.end())
        throw std::logic_error("a massless contact of the system is in no list of contacts");
      numbers.push_back(std::size_t(found - contacts.begin()));
    }
    return numbers;
  }

} // namespace Dune::Impact
