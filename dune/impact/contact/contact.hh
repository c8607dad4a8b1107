// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_CONTACT_CONTACT_HH
#define DUNE_IMPACT_CONTACT_CONTACT_HH

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/contact/contactgeometry.hh>
#include <dune/impact/contact/law/contactlaw.hh>

/** \file
 * \ingroup impact_contact
 * \brief A contact of a scene: its sides, its geometry, its law
 */

namespace Dune::Impact {

  //! One side of a contact: a body, or a patch of it, or an obstacle
  struct ContactSide
  {
    std::optional<std::size_t> body;     //!< number in the system
    std::optional<std::size_t> patch;    //!< number in the mesh of the body; without one all of it
    std::optional<std::size_t> obstacle; //!< number in the scene
  };

  /** \brief A named contact of a scene
   *
   * A scene has one list of contacts, and the number of a contact in this list is what contact
   * points, reports and ledgers mean by it. The geometry knows no law, the law knows no geometry.
   */
  struct Contact
  {
    Contact(std::string name, ContactGeometry geometry, ContactLaw law = {})
      : name(std::move(name))
      , first{geometry.firstBody(), {}, {}}
      , second{geometry.secondBody(), {}, {}}
      , geometry(std::move(geometry))
      , law(std::move(law))
    {}

    std::string name;
    ContactSide first, second;
    ContactGeometry geometry;
    ContactLaw law;
  };

  //! A method cannot handle a contact: the input is wrong, in the key of the contact that is named
  struct ContactRefused : InputError
  {
    ContactRefused(std::string contact, std::string key, const std::string& sentence)
      : InputError(sentence)
      , contact(std::move(contact))
      , key(std::move(key))
    {}

    std::string contact, key;
  };

  //! The capability C of a contact; ContactRefused with method, contact and what would work if it
  //! is not offered
  template<class C>
  const C& capability(const Contact& contact, const std::string& method)
  {
    const C* found = contact.geometry.find<C>();
    if (!found)
      throw ContactRefused(contact.name, "method",
                           contact.geometry.refusal<C>(method, contact.name));
    return *found;
  }

  class System;

  //! Per massless contact of a system the number of the contact that offers it
  std::vector<std::size_t> masslessNumbers(const System& system,
                                           const std::vector<Contact>& contacts);

  //! The capability C of every contact of a list, in its order
  template<class C>
  std::vector<const C*> capabilities(const std::vector<Contact>& contacts,
                                     const std::string& method)
  {
    std::vector<const C*> result;
    for (const Contact& contact : contacts)
      result.push_back(&capability<C>(contact, method));
    return result;
  }

} // namespace Dune::Impact

#endif
