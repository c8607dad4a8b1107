// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <dune/impact/scenario/scenariofile.hh>
#include <dune/impact/scenario/suggest.hh>

namespace Dune::Impact {

  namespace {

    std::string kindOf(const std::string& section)
    {
      return section.substr(0, section.find('.'));
    }

    IniFile readWithOverrides(const std::filesystem::path& path,
                              const std::vector<std::string>& overrides)
    {
      auto file = IniFile::read(path);
      for (const auto& assignment : overrides)
        file.set(assignment);
      return file;
    }

    bool contains(const std::vector<std::string>& words, const std::string& word)
    {
      return std::find(words.begin(), words.end(), word) != words.end();
    }

    std::uint64_t fnv1a(const std::string& text, std::uint64_t hash)
    {
      for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
      return hash;
    }

  } // namespace

  ScenarioFile::ScenarioFile(const std::filesystem::path& path,
                             const std::vector<std::string>& overrides, const KeyTable& table)
    : ScenarioFile(readWithOverrides(path, overrides), table)
  {}

  ScenarioFile::ScenarioFile(IniFile file, const KeyTable& table)
    : data_(std::make_shared<ScenarioData>(ScenarioData{.ini = std::move(file), .table = table}))
  {
    checkSections();
    checkKeys();
    if (table.find("", "", "dimension"))
      data_->dimension = static_cast<int>(top().integer("dimension"));
  }

  void ScenarioFile::checkSections() const
  {
    std::vector<std::string> known;
    for (const auto& section : data_->table.sections())
      if (!section.name.empty())
        known.push_back(section.name);
    for (const auto& name : data_->ini.sections()) {
      const auto kind = kindOf(name);
      const auto* section = data_->table.section(kind);
      if (!section) {
        const auto nearest = nearestName(kind, known);
        fail(fmt::format("unknown section [{}]{}", shown(name),
                         nearest.empty() ? "" : ", did you mean " + nearest + "?"));
      }
      if (section->named && name == kind)
        fail(fmt::format("section [{0}] needs a name, as in [{0}.NAME]", kind));
      if (section->named && name.find('.', kind.size() + 1) != name.npos)
        fail(fmt::format("section [{}]: a name must not contain a dot", shown(name)));
      if (!section->named && name != kind)
        fail(fmt::format("section [{}]: there is only one section [{}]", shown(name), kind));
    }
  }

  // Names only; of the values only the words that choose the type are read. That a type was
  // chosen does not count as using the section.
  void ScenarioFile::checkKeys() const
  {
    std::map<std::string, std::string> types; // of the sections seen so far
    for (const auto& entry : data_->ini.entries()) {
      const auto kind = kindOf(entry.section);
      if (const auto all = data_->table.keyNames(kind); !contains(all, entry.key))
        fail(fmt::format("{}{}unknown key `{}`{}", entry.section, entry.section.empty() ? "" : ": ",
                         shown(entry.key), suggestion(entry.key, all)));
      auto type = types.find(entry.section);
      if (type == types.end())
        type = types.emplace(entry.section, section(entry.section).type()).first;
      if (!data_->table.find(kind, type->second, entry.key))
        fail(fmt::format("{}: has no meaning for {} = {}", entry.name(),
                         data_->table.section(kind)->chooser, type->second));
    }
    data_->usedSections.clear();
  }

  std::vector<std::string> ScenarioFile::names(const std::string& kind) const
  {
    std::vector<std::string> result;
    for (const auto& section : data_->ini.sections())
      if (section.starts_with(kind + "."))
        result.push_back(section.substr(kind.size() + 1));
    return result;
  }

  Section ScenarioFile::section(const std::string& name) const
  {
    const auto* info = data_->table.section(kindOf(name));
    if (info && info->named && !data_->ini.hasSection(name))
      throw std::logic_error("the scenario has no section " + name);
    return Section(data_, name);
  }

  // The condition Key::when is "key = word word ..."
  std::string ScenarioFile::whyUnused(const IniEntry& entry) const
  {
    const auto type = section(entry.section).type();
    const auto* key = data_->table.find(kindOf(entry.section), type, entry.key);
    if (const auto words = splitWords(key->when); words.size() > 2) {
      const auto value = effective(entry.section, words[0]).text;
      if (!contains({words.begin() + 2, words.end()}, value))
        return fmt::format("has no meaning for {} = {}", words[0], shown(value));
    }
    return "is not used in this scenario";
  }

  //! A value that nothing has read has no effect and is refused; values of sections in use come
  //! first, because a reason can be given for them.
  void ScenarioFile::finish() const
  {
    for (const auto& entry : data_->ini.entries())
      if (data_->usedSections.contains(entry.section) && !data_->values.contains(entry.name()))
        fail(entry.name() + ": " + whyUnused(entry));
    for (const auto& section : data_->ini.sections())
      if (!data_->usedSections.contains(section))
        fail(fmt::format("section [{}] is not used in this scenario", section));
    for (const auto& entry : data_->ini.entries())
      if (!data_->values.contains(entry.name()))
        fail(entry.name() + ": is not used in this scenario");
  }

  // The top, the sections of the file, then those of which only defaults were read
  std::vector<std::string> ScenarioFile::effectiveSections() const
  {
    std::vector<std::string> result{""};
    const auto& given = data_->ini.sections();
    result.insert(result.end(), given.begin(), given.end());
    for (const auto& section : data_->table.sections())
      if (!section.named && !section.name.empty() && !data_->ini.hasSection(section.name))
        result.push_back(section.name);
    return result;
  }

  // The keys of the file in their order, then the defaults in the order of the table
  std::vector<std::string> ScenarioFile::effectiveKeys(const std::string& section) const
  {
    std::vector<std::string> result;
    for (const auto& entry : data_->ini.entries())
      if (entry.section == section)
        result.push_back(entry.key);
    for (const auto& key : data_->table.keyNames(kindOf(section)))
      if (!contains(result, key) && data_->values.contains(fullName(section, key)))
        result.push_back(key);
    return result;
  }

  ScenarioData::Value ScenarioFile::effective(const std::string& section,
                                              const std::string& key) const
  {
    if (const auto value = data_->values.find(fullName(section, key)); value != data_->values.end())
      return value->second;
    const auto* entry = data_->ini.find(section, key);
    return {entry ? entry->value : ""};
  }

  void ScenarioFile::writeEffective(std::ostream& out) const
  {
    writeEffective(out, data_->ini.directory());
  }

  //! Relative paths are rewritten if the copy lies in another folder.
  void ScenarioFile::writeEffective(std::ostream& out, const std::filesystem::path& directory) const
  {
    namespace fs = std::filesystem;
    const bool moved = directory.lexically_normal() != data_->ini.directory().lexically_normal();
    for (const auto& section : effectiveSections()) {
      const auto keys = effectiveKeys(section);
      if (!section.empty() && (!keys.empty() || data_->ini.hasSection(section)))
        fmt::print(out, "\n[{}]\n", section);
      for (const auto& key : keys) {
        auto [text, isPath] = effective(section, key);
        if (isPath && moved && fs::path(text).is_relative())
          text = fs::absolute(data_->ini.directory() / text)
                   .lexically_normal()
                   .lexically_proximate(fs::absolute(directory).lexically_normal())
                   .string();
        fmt::print(out, "{} = {}\n", key, iniText(text));
      }
    }
  }

  //! FNV-1a of the lines section.key=value. Kinds of sections and keys are sorted, so that only the
  //! order of sections of one kind matters; of a path only the file name counts.
  std::uint64_t ScenarioFile::hash(const std::vector<std::string>& skip) const
  {
    auto sections = effectiveSections();
    std::stable_sort(sections.begin(), sections.end(),
                     [](const auto& a, const auto& b) { return kindOf(a) < kindOf(b); });
    std::uint64_t result = 0xcbf29ce484222325;
    for (const auto& section : sections) {
      if (!section.empty() && contains(skip, kindOf(section)))
        continue;
      auto keys = effectiveKeys(section);
      std::sort(keys.begin(), keys.end());
      for (const auto& key : keys) {
        const auto name = fullName(section, key);
        const auto [text, isPath] = effective(section, key);
        if (!contains(skip, name))
          result = fnv1a(name + "=" +
                           (isPath ? std::filesystem::path(text).filename().string() : text) + "\n",
                         result);
      }
    }
    return result;
  }

} // namespace Dune::Impact
