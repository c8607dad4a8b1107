// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_SCENARIO_SCENARIOFILE_HH
#define DUNE_IMPACT_SCENARIO_SCENARIOFILE_HH

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include <dune/impact/scenario/inifile.hh>
#include <dune/impact/scenario/keys.hh>
#include <dune/impact/scenario/section.hh>

/** \file
 * \ingroup impact_scenario
 * \brief A scenario file, read against the table of keys
 */

namespace Dune::Impact {

  /** \brief A scenario file, read against a table of keys
   *
   * The constructor refuses names that the table does not know and keys that do not belong
   * to the type of their section, so that a misspelt key is reported as such and not as a
   * missing one. Values are checked when they are read from a Section. After all were read,
   * finish() refuses what was given but not used, and writeEffective() gives the scenario
   * with the values that were used.
   *
   * The table must live as long as the file and its sections. Copies share their record of
   * what was read.
   */
  class ScenarioFile
  {
  public:
    //! Read a file and apply overrides `section.key=value` in their order
    ScenarioFile(const std::filesystem::path& path, const std::vector<std::string>& overrides,
                 const KeyTable& table);

    ScenarioFile(IniFile file, const KeyTable& table);

    //! Names of the sections of a kind in the order of the file: "body" -> ball, block
    std::vector<std::string> names(const std::string& kind) const;

    //! The section of a full name: "body.ball", "time" (all defaults if not in the file), ""
    Section section(const std::string& name) const;

    //! The keys at the top of the file
    Section top() const { return section(""); }

    //! The top-level key `dimension`, 3 if the table has none
    int dimension() const { return data_->dimension; }

    const IniFile& ini() const { return data_->ini; }

    const KeyTable& table() const { return data_->table; }

    //! Throw an InputError for the first key or section that was given and never used
    void finish() const;

    /** \brief Write the scenario with all values that were read, defaults included
     *
     * Read again it gives the same values bit for bit. The text is meant for a file in
     * `directory`: relative paths are changed to fit; by default the directory of the input.
     */
    void writeEffective(std::ostream& out) const;
    void writeEffective(std::ostream& out, const std::filesystem::path& directory) const;

    /** \brief A number that changes with every value that was read (FNV-1a, 64 bit)
     *
     * \param skip full names of keys, and names of kinds of sections, that do not count
     *
     * The order of keys does not count, nor does the order of sections of different kinds, nor
     * the directories of files. The order of bodies does, because it orders the unknowns.
     */
    std::uint64_t hash(const std::vector<std::string>& skip = {}) const;

    //! Throw an InputError "FILE: message"
    [[noreturn]] void fail(const std::string& message) const { data_->ini.fail(message); }

  private:
    void checkSections() const;
    void checkKeys() const;
    std::string whyUnused(const IniEntry& entry) const;
    std::vector<std::string> effectiveSections() const;
    std::vector<std::string> effectiveKeys(const std::string& section) const;
    ScenarioData::Value effective(const std::string& section, const std::string& key) const;

    std::shared_ptr<ScenarioData> data_;
  };

} // namespace Dune::Impact

#endif
