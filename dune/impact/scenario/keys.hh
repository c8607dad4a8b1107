// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SCENARIO_KEYS_HH
#define DUNE_IMPACT_SCENARIO_KEYS_HH

#include <initializer_list>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

/** \file
 * \ingroup impact_scenario
 * \brief The table of all keys of a scenario file
 *
 * The one source for what a scenario may contain: it drives the checks of the reader, the
 * output of `dune-impact help`, the page on scenarios and the change of units in tests.
 * A type of body, joint or method adds its keys here and needs to describe them nowhere
 * else.
 */

namespace Dune::Impact {

  //! What the value of a key is, which decides how it is checked and read
  enum class Kind {
    real,             //!< a finite number
    positive,         //!< a number > 0
    nonNegative,      //!< a number >= 0
    fraction,         //!< a number in [0,1]
    integer,          //!< a whole number, one of `allowed` if that is not empty
    count,            //!< a whole number > 0
    counts,           //!< `size` whole numbers > 0
    word,             //!< one of `allowed`
    flag,             //!< yes or no, also on or off
    vector,           //!< `size` numbers, blank-separated
    rotation,         //!< a rotation vector or angular velocity: one number in 2D, three in 3D
    list,             //!< one or more numbers
    text,             //!< anything
    path,             //!< a file, relative to the scenario file
    words,            //!< one or more words
    expression,       //!< an expression in t
    expressionVector, //!< `size` expressions, blank-separated, `free` leaves a component alone
    name,             //!< the name X of another section [S.X], where S is one of `allowed`
    place             //!< one of `allowed` (any word if empty), a node number, or a point
  };

  //! One row of the table
  struct Key
  {
    std::string name;
    std::string meaning;

    /** \brief Dimension of the number in mass M, length L and time T
     *
     * For example "M/L^3", "M/(L T^2)", "1"; "d" in an exponent is the dimension of the
     * scenario, as in "M/L^d" or "L^(d-1)". Sequences whose entries differ give one unit per
     * entry, "L[d], 1" for d lengths and then plain numbers; the last one repeats. Empty
     * for what is not a number.
     */
    std::string unit = "";

    /** \brief The value when the key is not given
     *
     * A number with a unit can have no default but zero, because any other value would
     * mean something else in other units. For vectors one number stands for all.
     */
    std::optional<std::string> fallback = {};

    Kind kind = Kind::real;
    std::vector<std::string> allowed = {}; //!< words, see Kind
    bool required = false;

    //! Length of a sequence: sum of products of integers, `d` (dimension), `r` (rotations)
    std::string size = "d";

    //! Description of a default that the reader computes from other values
    std::string computed = "";

    //! Condition under which the key has a meaning, for example "law = penalty rccm"
    std::string when = "";

    //! For Kind::name: a part may be named as well, X.part
    bool parts = false;

    bool operator==(const Key&) const = default;
  };

  //! The keys of several lists, one list after the other
  std::vector<Key> joinKeys(std::initializer_list<std::vector<Key>> lists);

  //! Number of entries of a sequence, see Key::size
  int sequenceSize(const Key& key, int dimension);

  //! The kind in words, for example "a number > 0"
  std::string describe(const Key& key);

  //! The keys of one type of a section
  struct TypeKeys
  {
    std::string name; //!< empty for the keys that all types have
    std::string summary;
    std::vector<Key> keys;
  };

  //! One kind of section
  struct SectionKeys
  {
    std::string name; //!< empty for the top of the file
    std::string summary;
    bool named = false;               //!< [name.X] for any X rather than one [name]
    std::string chooser = "";         //!< the key that chooses the type, if there are types
    std::vector<TypeKeys> types = {}; //!< the first entry holds the common keys
  };

  //! The table of keys
  class KeyTable
  {
  public:
    /** \brief Add a kind of section with the keys that all its types share
     *
     * If there is a chooser it becomes a required key, unless it is among the keys.
     */
    KeyTable& addSection(SectionKeys section, std::vector<Key> keys = {});

    /** \brief Add keys of a type of a section
     *
     * The type may be empty or known already, then the keys are added to its others. Errors
     * in the table are errors of the programmer: std::logic_error in every build type.
     */
    KeyTable& add(const std::string& section, const std::string& type, const std::string& summary,
                  const std::vector<Key>& keys);

    const std::vector<SectionKeys>& sections() const { return sections_; }

    //! The section of that name or a null pointer
    const SectionKeys* section(const std::string& name) const;

    //! The key of a type or common to all types; a null pointer if there is none
    const Key* find(const std::string& section, const std::string& type,
                    const std::string& key) const;

    //! All keys of a type, the common ones first
    std::vector<const Key*> keys(const std::string& section, const std::string& type) const;

    //! The names of the types of a section
    std::vector<std::string> types(const std::string& section) const;

    //! The types for which a key is known, "" if it is common to all
    std::vector<std::string> typesWith(const std::string& section, const std::string& key) const;

    //! Names of all keys of all types of a section
    std::vector<std::string> keyNames(const std::string& section) const;

    /** \brief Describe a topic: "" (overview), section, section.type, section.key, top-level key
     *
     * An unknown topic is an InputError with the nearest name.
     */
    void printHelp(std::ostream& out, const std::string& topic = "") const;

    //! The whole table as a page of Markdown
    void printMarkdown(std::ostream& out) const;

  private:
    std::vector<std::string> topics() const;

    std::vector<SectionKeys> sections_;
  };

} // namespace Dune::Impact

#endif
