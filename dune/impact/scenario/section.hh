// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SCENARIO_SECTION_HH
#define DUNE_IMPACT_SCENARIO_SECTION_HH

#include <filesystem>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <dune/impact/common/expression.hh>
#include <dune/impact/common/types.hh>
#include <dune/impact/scenario/inifile.hh>
#include <dune/impact/scenario/keys.hh>

/** \file
 * \ingroup impact_scenario
 * \brief Typed and checked access to the values of one section of a scenario
 */

namespace Dune::Impact {

  //! The number that the whole text is, also nan and inf; numbers out of range are infinite
  std::optional<double> parseReal(std::string_view text);

  //! Shortest text that is read as exactly this number
  std::string formatReal(double value);

  //! The words of a text, separated by blanks
  std::vector<std::string> splitWords(std::string_view text);

  //! The parts of a text, separated by blanks outside of parentheses
  std::vector<std::string> splitExpressions(std::string_view text);

  //! Another section, or a part of what it describes, as in `block.top`
  struct Reference
  {
    std::string kind; //!< of the section, for example body
    std::string name; //!< for example block
    std::string part; //!< for example top, or empty
  };

  //! A word, the number of a node, or a point: exactly one of them
  struct Place
  {
    std::string word = {};
    std::optional<long> node = {};
    std::optional<Vec3> point = {};
  };

  /** \brief Read a place
   *
   * A single whole number is always a node; in 1D a point is told from it by a decimal point
   * or an exponent. Nothing if the text is neither a word nor a node nor a finite point.
   */
  std::optional<Place> parsePlace(const std::string& text, int dimension);

  //! The inverse of parsePlace
  std::string formatPlace(const Place& place, int dimension);

  //! What the sections of a scenario share
  struct ScenarioData
  {
    //! A value that was read, from the file or from a default
    struct Value
    {
      std::string text;
      bool isPath = false;
    };

    IniFile ini;
    const KeyTable& table;
    int dimension = 3;
    std::map<std::string, Value> values = {}; //!< by full name: all that was read
    std::set<std::string> usedSections = {};
  };

  /** \brief The values of one section
   *
   * A getter returns the value of the file, or the default given to it, or the default of the
   * table; if there is none of them the key is required. The kind of the key in the table
   * decides what is checked, every wrong value is an InputError "FILE: section.key: ...".
   * What was returned is recorded as the effective value of the key. A key that the table
   * does not have for this section and its type, or a getter that does not fit the kind of
   * the key, is an error of the programmer: std::logic_error in every build type.
   *
   * A default goes through the same text and the same checks as a value of the file, so that
   * the effective scenario, read again, gives the same bits.
   */
  class Section
  {
  public:
    Section(std::shared_ptr<ScenarioData> data, std::string name);

    //! Full name, for example body.ball
    const std::string& name() const { return name_; }

    //! The last part of the name, for example ball
    std::string label() const;

    //! Value of the key that chooses the type, empty if the section has no types
    const std::string& type() const { return type_; }

    int dimension() const { return data_->dimension; }

    //! Whether the user gave the key; does not count as using it
    bool has(const std::string& key) const;

    //! Kinds real, positive, nonNegative, fraction
    double real(const std::string& key, std::optional<double> fallback = {}) const;

    //! Kinds integer, count
    long integer(const std::string& key, std::optional<long> fallback = {}) const;

    //! Kind counts
    std::vector<long> counts(const std::string& key,
                             std::optional<std::vector<long>> fallback = {}) const;

    //! Kind flag
    bool flag(const std::string& key, std::optional<bool> fallback = {}) const;

    //! Kind word
    std::string word(const std::string& key, std::optional<std::string> fallback = {}) const;

    //! Kind words
    std::vector<std::string> words(const std::string& key,
                                   std::optional<std::vector<std::string>> fallback = {}) const;

    //! Kind vector of at most three numbers, the missing ones are zero
    Vec3 vector(const std::string& key, std::optional<Vec3> fallback = {}) const;

    //! Kind rotation: in 2D the one number is the component about the third axis
    Vec3 rotation(const std::string& key, std::optional<Vec3> fallback = {}) const;

    //! Kinds vector, rotation, list: the numbers as they are
    std::vector<double> reals(const std::string& key,
                              std::optional<std::vector<double>> fallback = {}) const;

    //! Kind text
    std::string text(const std::string& key, std::optional<std::string> fallback = {}) const;

    //! Kind path: relative to the directory of the scenario file, existence is not checked
    std::filesystem::path path(const std::string& key,
                               std::optional<std::string> fallback = {}) const;

    //! Kind expression
    Expression expression(const std::string& key, std::optional<std::string> fallback = {}) const;

    //! Kind expressionVector: nothing for a component that is `free`
    std::vector<std::optional<Expression>> expressions(
      const std::string& key, std::optional<std::string> fallback = {}) const;

    //! Kind name: the section that is named exists
    Reference reference(const std::string& key, std::optional<std::string> fallback = {}) const;

    //! Kind place
    Place place(const std::string& key, std::optional<std::string> fallback = {}) const;

    //! Refuse the value of a key: throws an InputError "FILE: section.key: message"
    [[noreturn]] void fail(const std::string& key, const std::string& message) const;

  private:
    std::string chooseType() const;
    const Key& lookup(const std::string& key, std::initializer_list<Kind> kinds) const;
    std::string given(const Key& key, const std::optional<std::string>& fallback) const;
    std::string spreadDefault(const Key& key) const;
    void record(const Key& key, const std::string& text) const;
    double number(const Key& key, const std::string& text) const;
    long wholeNumber(const Key& key, const std::string& text) const;
    void checkSize(const Key& key, std::size_t size, const char* what) const;
    void checkAllowed(const Key& key, const std::string& word) const;
    Expression parseExpression(const Key& key, const std::string& text) const;
    std::vector<double> numbers(const Key& key, const std::optional<std::string>& fallback) const;

    std::shared_ptr<ScenarioData> data_;
    std::string name_;
    std::string kind_; // the first part of the name
    std::string type_;
  };

} // namespace Dune::Impact

#endif
