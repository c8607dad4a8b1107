// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SCENARIO_CONTACTCOLUMNS_HH
#define DUNE_IMPACT_SCENARIO_CONTACTCOLUMNS_HH

#include <optional>
#include <string>
#include <vector>

#include <dune/impact/common/stepreport.hh>
#include <dune/impact/contact/mortar/contactsurface.hh>
#include <dune/impact/scenario/scene.hh>

/** \file
 * \ingroup impact_scenario
 * \brief What a row of the history shows of each contact
 */

namespace Dune::Impact {

  /** \brief The columns of one contact
   *
   * Of all contacts the force on the first side and the smallest gap; of the surface of a solid
   * the area of its nodes with a force and the largest pressure; of friction the points that
   * stick and slide, and the work.
   */
  class ContactColumns
  {
  public:
    //! Of a contact of the scene; both must outlive the object
    ContactColumns(const Scene& scene, const Contact& contact, std::size_t number);

    void addNames(std::vector<std::string>& names) const;

    //! \param frictionWork accumulated up to this row
    void addValues(const StepReport& report, ConstSpan q, double frictionWork,
                   std::vector<double>& values) const;

  private:
    template<int dim>
    std::optional<ContactSurface<dim>> surfaceOfFirst() const;
    ContactZone zone(const StepReport& report, ConstSpan q) const;

    const Scene& scene_;
    const Contact& contact_;
    std::size_t number_;
    std::optional<ContactSurface<2>> edge_;    //!< of a solid in the plane
    std::optional<ContactSurface<3>> surface_; //!< of a solid in space
  };

} // namespace Dune::Impact

#endif
