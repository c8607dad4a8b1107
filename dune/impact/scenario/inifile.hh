// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SCENARIO_INIFILE_HH
#define DUNE_IMPACT_SCENARIO_INIFILE_HH

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/** \file
 * \ingroup impact_scenario
 * \brief Strict reading of Dune's ini syntax
 *
 * Dune::ParameterTreeParser gives the values, but it drops lines that it does not
 * understand, forgets the order, and does not say where a value came from. Here the text is
 * scanned first: each line must be blank, a comment, a `[section]` or a `key = value`
 * (whose quoted value may continue on the following lines); names consist of letters,
 * digits, `_` and `-`, joined by dots; no name is given twice. A text that passes means the
 * same to Dune's parser.
 */

namespace Dune::Impact {

  //! One value of an ini file
  struct IniEntry
  {
    std::string section; //!< for example body.ball, empty at the top
    std::string key;     //!< for example density
    std::string value;
    int line = 0; //!< where it was given, 0 for an override

    //! The full name, for example body.ball.density
    std::string name() const;
  };

  //! "section.key", or "key" for the top
  std::string fullName(const std::string& section, const std::string& key);

  //! All entries of an ini file in the order of the file
  class IniFile
  {
  public:
    //! Read a file; all errors are an InputError "FILE: ..." of one sentence
    static IniFile read(const std::filesystem::path& path);

    //! Read a text; `source` stands for the file name in messages and may have a directory
    static IniFile parse(std::string text, const std::string& source);

    /** \brief Apply an override `section.key=value`
     *
     * It replaces the value of the file or adds the key, and its section if needed.
     */
    void set(const std::string& assignment);

    //! The file name as the user gave it
    const std::string& source() const { return source_; }

    //! Where the file is: relative paths in it start here
    std::filesystem::path directory() const { return std::filesystem::path(source_).parent_path(); }

    const std::vector<IniEntry>& entries() const { return entries_; }

    //! Names of the sections in order of first appearance, also the empty ones; not the top
    const std::vector<std::string>& sections() const { return sections_; }

    bool hasSection(const std::string& name) const { return known_.contains(name); }

    //! The entry of that name or a null pointer
    const IniEntry* find(const std::string& section, const std::string& key) const;

    //! Throw an InputError "FILE: message"
    [[noreturn]] void fail(const std::string& message) const;

  private:
    void scan(const std::string& text);
    void addSection(const std::string& name);
    void addEntry(std::string_view name, int line);
    void checkNames() const;
    void readValues(const std::string& text);

    std::string source_;
    std::vector<IniEntry> entries_;
    std::vector<std::string> sections_;
    std::map<std::string, std::size_t, std::less<>> index_; // full name -> position in entries_
    std::set<std::string> known_;                           // the names in sections_
  };

  /** \brief A value as it must stand behind `key =` to be read again unchanged
   *
   * Adds quotes where the syntax needs them. Throws an InputError for values that the
   * syntax cannot express, that is, with a `#` in the first line.
   */
  std::string iniText(const std::string& value);

  //! A value fit for a message of one line: no control characters, not too long
  std::string shown(std::string_view value, std::size_t longest = 60);

} // namespace Dune::Impact

#endif
