// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SCENARIO_UNITS_HH
#define DUNE_IMPACT_SCENARIO_UNITS_HH

#include <cstddef>
#include <string>
#include <vector>

/** \file
 * \ingroup impact_scenario
 * \brief Dimensions of numbers, and the same problem in other units
 *
 * A scenario has no units of its own, any consistent ones do. Its results must therefore not
 * depend on them; rescale() writes the same problem in other units, so that a test can
 * compare.
 */

namespace Dune::Impact {

  class IniFile;
  class KeyTable;

  //! How many of the new unit one old unit is: 1000 for lengths from m to mm
  struct UnitFactors
  {
    double mass = 1;
    double length = 1;
    double time = 1;
  };

  //! Exponents of mass, length and time
  struct Unit
  {
    int mass = 0;
    int length = 0;
    int time = 0;

    //! The factor of a number of this dimension; exact if the factors are powers of two
    double factor(const UnitFactors& factors) const;

    bool operator==(const Unit&) const = default;
  };

  /** \brief Read a product of powers like "M/(L T^2)"
   *
   * Exponents are integers, `d` (the dimension of the scenario), or (d-n), (d+n). Anything
   * else is a std::logic_error, as units come from the table of keys and not from a user.
   */
  Unit parseUnit(const std::string& text, int dimension);

  /** \brief Read the units of a sequence, see Key::unit
   *
   * At least `count` units; the last one repeats.
   */
  std::vector<Unit> parseUnits(const std::string& text, int dimension, std::size_t count);

  //! The expression f(t / timeFactor) * valueFactor as text
  std::string rescaleExpression(const std::string& text, double valueFactor, double timeFactor);

  /** \brief The ini text of the same problem in other units
   *
   * Every number of the file is multiplied by the factor of its unit. Defaults need no
   * change, because the table has none that carry a unit, other than zero and the scale of a
   * mesh, which must be given. The file must be valid; values that cannot be read are an
   * InputError.
   */
  std::string rescale(const IniFile& file, const KeyTable& table, const UnitFactors& factors);

} // namespace Dune::Impact

#endif
