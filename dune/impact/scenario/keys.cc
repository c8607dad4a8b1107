// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <charconv>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/scenario/keys.hh>
#include <dune/impact/scenario/suggest.hh>
#include <dune/impact/scenario/units.hh>

namespace Dune::Impact {

  namespace {

    template<class Items>
    auto findByName(Items& items, const std::string& name)
    {
      const auto item =
        std::find_if(items.begin(), items.end(), [&](const auto& i) { return i.name == name; });
      return item == items.end() ? nullptr : &*item;
    }

    int factorValue(const Key& key, const std::string& factor, int dimension)
    {
      if (factor == "d")
        return dimension;
      if (factor == "r")
        return dimension * (dimension - 1) / 2;
      int value = 0;
      const auto [end, error] =
        std::from_chars(factor.data(), factor.data() + factor.size(), value);
      if (error != std::errc() || end != factor.data() + factor.size() || value <= 0)
        throw std::logic_error(fmt::format("key {}: wrong size `{}`", key.name, key.size));
      return value;
    }

    bool isWhole(Kind kind)
    {
      return kind == Kind::integer || kind == Kind::count || kind == Kind::counts;
    }

    bool isNumeric(Kind kind)
    {
      return kind != Kind::word && kind != Kind::flag && kind != Kind::text && kind != Kind::path &&
             kind != Kind::words && kind != Kind::name;
    }

    void require(bool condition, const Key& key, const char* message)
    {
      if (!condition)
        throw std::logic_error(fmt::format("key {}: {}", key.name, message));
    }

    // What would make the table contradict itself
    void checkKey(const Key& key)
    {
      require(!key.name.empty() && !key.meaning.empty(), key, "needs a name and a meaning");
      require(!(key.required && key.fallback), key, "is required and has a default");
      require(isWhole(key.kind) ? key.unit.empty() || key.unit == "1"
                                : isNumeric(key.kind) != key.unit.empty(),
              key, "a unit belongs to numbers and only to them");
      const bool withWords = key.kind == Kind::word || key.kind == Kind::name;
      require(!withWords || !key.allowed.empty(), key, "needs allowed words");
      if (key.kind == Kind::word && key.fallback)
        require(std::count(key.allowed.begin(), key.allowed.end(), *key.fallback) == 1, key,
                "the default is not allowed");
      sequenceSize(key, 3);
      if (key.unit.empty())
        return;
      const auto units = parseUnits(key.unit, 3, 1);
      const bool scaleFree =
        !key.fallback || *key.fallback == "0" || *key.fallback == "free" ||
        key.kind == Kind::place ||
        std::all_of(units.begin(), units.end(), [](Unit u) { return u == Unit{}; });
      require(scaleFree, key, "a default with a unit must be zero");
    }

  } // namespace

  std::vector<Key> joinKeys(std::initializer_list<std::vector<Key>> lists)
  {
    std::vector<Key> result;
    for (const auto& list : lists)
      result.insert(result.end(), list.begin(), list.end());
    return result;
  }

  //! A sum of products of numbers, of d, the dimension, and of r = d (d - 1)/2, the number of
  //! rotations
  int sequenceSize(const Key& key, int dimension)
  {
    if (key.kind == Kind::rotation)
      return dimension * (dimension - 1) / 2;
    int sum = 0, product = 1;
    std::string factor;
    for (char c : key.size + "+")
      if (c == '+' || c == '*') {
        product *= factorValue(key, factor, dimension);
        factor.clear();
        if (c == '+')
          sum += std::exchange(product, 1);
      }
      else
        factor += c;
    return sum;
  }

  std::string describe(const Key& key)
  {
    const auto words = fmt::format("{}", fmt::join(key.allowed, " | "));
    const auto length = key.size == "d" ? "as many {} as dimensions" : key.size + " {}";
    const auto sequence = [&](const char* what) { return fmt::format(fmt::runtime(length), what); };
    switch (key.kind) {
    case Kind::real:
      return "a number";
    case Kind::positive:
      return "a number > 0";
    case Kind::nonNegative:
      return "a number >= 0";
    case Kind::fraction:
      return "a number in [0,1]";
    case Kind::integer:
      return key.allowed.empty() ? "a whole number" : words;
    case Kind::count:
      return "a whole number > 0";
    case Kind::counts:
      return sequence("whole numbers > 0");
    case Kind::word:
      return words;
    case Kind::flag:
      return "yes | no";
    case Kind::vector:
      return sequence("numbers");
    case Kind::rotation:
      return "one number in 2D, three in 3D";
    case Kind::list:
      return "numbers";
    case Kind::text:
      return "text";
    case Kind::path:
      return "a file, relative to the scenario file";
    case Kind::words:
      return key.allowed.empty() ? "words" : "words of: " + words;
    case Kind::expression:
      return "an expression in t";
    case Kind::expressionVector:
      return sequence("expressions in t or `free`");
    case Kind::name:
      return fmt::format("the name of a {}{}", words, key.parts ? ", or name.part" : "");
    case Kind::place:
      return fmt::format("{} | node number | point", key.allowed.empty() ? "word" : words);
    }
    throw std::logic_error("unknown kind of key");
  }

  KeyTable& KeyTable::addSection(SectionKeys section, std::vector<Key> keys)
  {
    if (this->section(section.name))
      throw std::logic_error(fmt::format("section {}: added twice", section.name));
    const auto& chooser = section.chooser;
    if (!chooser.empty() && !findByName(keys, chooser))
      keys.insert(
        keys.begin(),
        Key{.name = chooser, .meaning = "what it is", .kind = Kind::word, .required = true});
    section.types = {TypeKeys{}};
    sections_.push_back(section);
    // the allowed words of the chooser come with the types, so it is checked with them
    if (auto* key = findByName(keys, chooser)) {
      sections_.back().types[0].keys.push_back(*key);
      keys.erase(keys.begin() + (key - keys.data()));
    }
    return add(section.name, "", "", keys);
  }

  KeyTable& KeyTable::add(const std::string& section, const std::string& type,
                          const std::string& summary, const std::vector<Key>& keys)
  {
    auto* info = findByName(sections_, section);
    if (!info)
      throw std::logic_error(fmt::format("section {}: add it before its type {}", section, type));
    if (!type.empty() && info->chooser.empty())
      throw std::logic_error(fmt::format("section {}: has no types", section));
    auto* entry = findByName(info->types, type);
    if (!entry) {
      entry = &info->types.emplace_back(TypeKeys{.name = type, .summary = summary, .keys = {}});
      findByName(info->types[0].keys, info->chooser)->allowed.push_back(type);
    }
    for (const auto& key : keys) {
      checkKey(key);
      require(!findByName(entry->keys, key.name), key, "is given twice");
      entry->keys.push_back(key);
    }
    return *this;
  }

  const SectionKeys* KeyTable::section(const std::string& name) const
  {
    return findByName(sections_, name);
  }

  //! A key of the type comes before the key of the same name that holds for all types.
  const Key* KeyTable::find(const std::string& section, const std::string& type,
                            const std::string& key) const
  {
    const auto* info = this->section(section);
    if (!info)
      return nullptr;
    if (const auto* special = findByName(info->types, type))
      if (const auto* found = findByName(special->keys, key))
        return found;
    return findByName(info->types[0].keys, key);
  }

  std::vector<const Key*> KeyTable::keys(const std::string& section, const std::string& type) const
  {
    std::vector<const Key*> result;
    const auto* info = this->section(section);
    if (!info)
      return result;
    const auto* special = type.empty() ? nullptr : findByName(info->types, type);
    for (const auto& key : info->types[0].keys)
      if (!special || !findByName(special->keys, key.name))
        result.push_back(&key);
    if (special)
      for (const auto& key : special->keys)
        result.push_back(&key);
    return result;
  }

  std::vector<std::string> KeyTable::types(const std::string& section) const
  {
    std::vector<std::string> result;
    if (const auto* info = this->section(section))
      for (const auto& type : info->types)
        if (!type.name.empty())
          result.push_back(type.name);
    return result;
  }

  std::vector<std::string> KeyTable::typesWith(const std::string& section,
                                               const std::string& key) const
  {
    std::vector<std::string> result;
    if (const auto* info = this->section(section))
      for (const auto& type : info->types)
        if (findByName(type.keys, key))
          result.push_back(type.name);
    return result;
  }

  std::vector<std::string> KeyTable::keyNames(const std::string& section) const
  {
    std::vector<std::string> result;
    if (const auto* info = this->section(section))
      for (const auto& type : info->types)
        for (const auto& key : type.keys)
          if (std::find(result.begin(), result.end(), key.name) == result.end())
            result.push_back(key.name);
    return result;
  }

  namespace {

    std::string defaultOf(const Key& key)
    {
      if (key.required)
        return "required";
      if (key.fallback)
        return key.fallback->empty() ? "empty" : *key.fallback;
      return key.computed.empty() ? "none" : key.computed;
    }

    std::string header(const SectionKeys& section)
    {
      return section.name.empty()
               ? "the top of the file"
               : fmt::format("[{}{}]", section.name, section.named ? ".NAME" : "");
    }

    void printKey(std::ostream& out, const Key& key)
    {
      fmt::print(out, "  {}\n      {}\n      value: {}\n", key.name, key.meaning, describe(key));
      if (!key.unit.empty() && key.unit != "1")
        fmt::print(out, "      unit: {}\n", key.unit);
      fmt::print(out, "      default: {}\n", defaultOf(key));
      if (!key.when.empty())
        fmt::print(out, "      only for: {}\n", key.when);
    }

    void printSection(std::ostream& out, const SectionKeys& section)
    {
      fmt::print(out, "{}: {}\n", header(section), section.summary);
      for (const auto& key : section.types[0].keys)
        printKey(out, key);
      for (std::size_t i = 1; i < section.types.size(); ++i)
        fmt::print(out, "{}{} = {}: {}\n", i == 1 ? "\n" : "", section.chooser,
                   section.types[i].name, section.types[i].summary);
      if (section.types.size() > 1)
        fmt::print(out, "The keys of one of them: dune-impact help {}.{}\n", section.name,
                   section.types[1].name);
    }

    void printType(std::ostream& out, const SectionKeys& section, const TypeKeys& type)
    {
      fmt::print(out, "{} with {} = {}: {}\n", header(section), section.chooser, type.name,
                 type.summary);
      for (const auto& key : type.keys)
        printKey(out, key);
      fmt::print(out, "For all of {}: {}\n", header(section), [&] {
        std::string names;
        for (const auto& key : section.types[0].keys)
          names += (names.empty() ? "" : ", ") + key.name;
        return names;
      }());
    }

    // Types with the same row are named together, others get a row of their own
    bool printKeys(std::ostream& out, const SectionKeys& section, const std::string& name)
    {
      std::vector<std::pair<Key, std::vector<std::string>>> rows;
      for (const auto& type : section.types)
        if (const auto* key = findByName(type.keys, name)) {
          auto row =
            std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.first == *key; });
          if (row == rows.end())
            row = rows.insert(rows.end(), {*key, {}});
          row->second.push_back(type.name);
        }
      for (const auto& [key, types] : rows) {
        fmt::print(out, "{}\n", header(section));
        printKey(out, key);
        if (!types[0].empty())
          fmt::print(out, "      {}: {}\n", section.chooser, fmt::join(types, ", "));
      }
      return !rows.empty();
    }

    void printOverview(std::ostream& out, const std::vector<SectionKeys>& sections)
    {
      for (const auto& section : sections) {
        fmt::print(out, "{:<22} {}\n", header(section), section.summary);
        for (std::size_t i = 1; i < section.types.size(); ++i)
          fmt::print(out, "    {:<18} {}\n", section.types[i].name, section.types[i].summary);
      }
      fmt::print(out, "More: dune-impact help SECTION, SECTION.TYPE or SECTION.KEY\n");
    }

    constexpr std::size_t pageWidth = 100;

    // Lines of a page, all but the first indented. A word that Markdown would take for the begin
    // of a quotation, list or table stays behind the one before it.
    std::string wrapped(const std::string& text, std::size_t indent)
    {
      std::istringstream words(text);
      std::string result, line, word, next;
      words >> word;
      while (!word.empty()) {
        next.clear();
        while (words >> next && std::string("|<>=+-*#0123456789").find(next[0]) != next.npos) {
          word += ' ' + next;
          next.clear();
        }
        if (!line.empty() && line.size() + 1 + word.size() > pageWidth) {
          result += line + '\n';
          line = std::string(indent, ' ') + word;
        }
        else
          line += (line.empty() ? "" : " ") + word;
        word = std::exchange(next, "");
      }
      return result + line + '\n';
    }

    // One item per key: what it means, then what may be written and what holds without it
    void printItems(std::ostream& out, const std::vector<Key>& keys)
    {
      if (!keys.empty())
        fmt::print(out, "\n");
      for (const auto& key : keys) {
        const auto unit =
          key.unit.empty() || key.unit == "1" ? "" : fmt::format(", unit {}", key.unit);
        const auto condition = key.when.empty() ? "" : fmt::format(", only for {}", key.when);
        const auto otherwise = key.required ? "required" : "default: " + defaultOf(key);
        auto meaning = wrapped(fmt::format("- **`{}`**: {}", key.name, key.meaning), 2);
        meaning.insert(meaning.size() - 1, "\\"); // a line ends here
        const auto value = fmt::format("{}{}{}; {}", describe(key), unit, condition, otherwise);
        fmt::print(out, "{}{}", meaning, "  " + wrapped(value, 2));
      }
    }

  } // namespace

  void KeyTable::printHelp(std::ostream& out, const std::string& topic) const
  {
    if (topic.empty())
      return printOverview(out, sections_);
    const auto dot = topic.find('.');
    const auto* section = this->section(topic.substr(0, dot));
    if (section && dot == topic.npos)
      return printSection(out, *section);
    const auto* top = this->section("");
    if (dot == topic.npos && top && printKeys(out, *top, topic))
      return;
    const auto part = dot == topic.npos ? "" : topic.substr(dot + 1);
    const auto* type = section && !part.empty() ? findByName(section->types, part) : nullptr;
    if (type)
      printType(out, *section, *type);
    if ((section && printKeys(out, *section, part)) || type)
      return;
    throw InputError(fmt::format("help: unknown topic `{}`{}", topic, suggestion(topic, topics())));
  }

  std::vector<std::string> KeyTable::topics() const
  {
    std::vector<std::string> result;
    for (const auto& section : sections_) {
      const auto prefix = section.name.empty() ? "" : section.name + ".";
      if (!section.name.empty())
        result.push_back(section.name);
      for (const auto& type : types(section.name))
        result.push_back(prefix + type);
      for (const auto& key : keyNames(section.name))
        result.push_back(prefix + key);
    }
    return result;
  }

  void KeyTable::printMarkdown(std::ostream& out) const
  {
    for (const auto& section : sections_) {
      const auto title = section.name.empty() ? "Top of the file" : "`" + header(section) + "`";
      fmt::print(out, "## {}\n\n{}", title, wrapped(section.summary, 0));
      printItems(out, section.types[0].keys);
      for (std::size_t i = 1; i < section.types.size(); ++i) {
        const auto& type = section.types[i];
        fmt::print(out, "\n### `{} = {}`\n\n{}", section.chooser, type.name,
                   wrapped(type.summary, 0));
        printItems(out, type.keys);
      }
      fmt::print(out, "\n");
    }
  }

} // namespace Dune::Impact
