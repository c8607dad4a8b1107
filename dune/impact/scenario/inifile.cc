// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include <dune/common/parametertree.hh>
#include <dune/common/parametertreeparser.hh>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/scenario/inifile.hh>

namespace Dune::Impact {

  namespace {

    constexpr std::string_view blanks = " \t\n\r"; // what Dune's parser trims
    constexpr std::size_t largestFile = std::size_t(1) << 20;

    std::string_view trim(std::string_view s)
    {
      const auto begin = s.find_first_not_of(blanks);
      if (begin == s.npos)
        return {};
      return s.substr(begin, s.find_last_not_of(blanks) + 1 - begin);
    }

    // One or more words of letters, digits, _ and -, joined by single dots
    bool isName(std::string_view s)
    {
      char last = '.';
      for (char c : s) {
        const bool legal = std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
        if (!legal && (c != '.' || last == '.'))
          return false;
        last = c;
      }
      return last != '.';
    }

    // Length of the UTF-8 character at the begin of s, 0 if there is none. The smallest
    // number that needs a given length excludes the overlong forms.
    std::size_t utf8Length(std::string_view s)
    {
      const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
      const unsigned first = byte(0);
      if (first < 0x80)
        return 1;
      const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
      if (first < 0xc2 || first > 0xf4 || s.size() < length)
        return 0;
      unsigned long code = first & (0x7f >> length);
      for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80)
          return 0;
        code = code << 6 | (byte(i) & 0x3f);
      }
      constexpr unsigned long smallest[] = {0, 0, 0x80, 0x800, 0x10000};
      const bool surrogate = code >= 0xd800 && code < 0xe000;
      return code < smallest[length] || code > 0x10ffff || surrogate ? 0 : length;
    }

    bool isControl(char c)
    {
      const auto byte = static_cast<unsigned char>(c);
      return (byte < 0x20 && blanks.find(c) == blanks.npos) || byte == 0x7f;
    }

    // Text is valid UTF-8 without control characters other than blanks
    bool isText(std::string_view s)
    {
      while (!s.empty()) {
        const auto length = utf8Length(s);
        if (length == 0 || isControl(s[0]))
          return false;
        s.remove_prefix(length);
      }
      return true;
    }

    std::string readAll(const std::filesystem::path& path)
    {
      const auto fail = [&](const char* what) { throw InputError(path.string() + ": " + what); };
      std::error_code error;
      const auto status = std::filesystem::status(path, error);
      if (status.type() == std::filesystem::file_type::not_found)
        fail("there is no such file");
      if (status.type() == std::filesystem::file_type::directory)
        fail("is a directory, not a scenario file");
      std::ifstream in(path, std::ios::binary);
      if (!in)
        fail("cannot be opened for reading");
      std::string text(largestFile + 1, '\0');
      in.read(text.data(), text.size());
      if (in.bad())
        fail("cannot be read");
      text.resize(in.gcount());
      if (text.size() > largestFile)
        fail("is larger than 1 MiB, not a scenario file");
      return text;
    }

    // Lines of a text with their numbers, as std::getline sees them
    class Lines
    {
    public:
      explicit Lines(const std::string& text) : in_(text) {}

      bool next()
      {
        ++number;
        return static_cast<bool>(std::getline(in_, line));
      }

      std::string line;
      int number = 0;

    private:
      std::istringstream in_;
    };

  } // namespace

  std::string fullName(const std::string& section, const std::string& key)
  {
    return section.empty() ? key : section + "." + key;
  }

  std::string IniEntry::name() const
  {
    return fullName(section, key);
  }

  IniFile IniFile::read(const std::filesystem::path& path)
  {
    return parse(readAll(path), path.string());
  }

  IniFile IniFile::parse(std::string text, const std::string& source)
  {
    IniFile file;
    file.source_ = source;
    if (text.starts_with("\xef\xbb\xbf")) // a byte order mark, as some editors write
      text.erase(0, 3);
    if (!isText(text))
      file.fail("is not a text file in UTF-8");
    file.scan(text);
    file.checkNames();
    file.readValues(text);
    if (file.entries_.empty())
      file.fail("is empty, it gives no values");
    return file;
  }

  void IniFile::fail(const std::string& message) const
  {
    throw InputError(source_ + ": " + message);
  }

  namespace {

    // The rules of quotes in Dune's parser: a `#` ends the first line even within quotes; a
    // quoted value ends at the first line that ends with the quote. It must not be called
    // with nothing behind the opening quote, and it would take text behind the closing
    // quote for the begin of a value of many lines; both are refused here.
    void skipQuoted(std::string_view first, Lines& lines, const IniFile& file)
    {
      const int begin = lines.number;
      const char quote = first[0];
      const auto rest = trim(first.substr(1));
      if (rest.empty())
        file.fail(fmt::format("line {}: nothing follows the opening quote", begin));
      if (rest.back() == quote)
        return;
      if (rest.find(quote) != rest.npos)
        file.fail(fmt::format("line {}: text follows the closing quote", begin));
      while (lines.next())
        if (const auto line = trim(lines.line); !line.empty() && line.back() == quote)
          return;
      file.fail(fmt::format("line {}: the quote is not closed", begin));
    }

  } // namespace

  void IniFile::scan(const std::string& text)
  {
    std::string prefix;
    for (Lines lines(text); lines.next();) {
      auto line = trim(lines.line);
      if (line.empty() || line[0] == '#')
        continue;
      if (line[0] == '[') {
        if (line.back() != ']')
          fail(
            fmt::format("line {}: a section ends with `]`, got `{}`", lines.number, shown(line)));
        const auto name = trim(line.substr(1, line.size() - 2));
        if (!name.empty() && !isName(name))
          fail(fmt::format("line {}: `{}` is not a name of a section", lines.number, shown(name)));
        prefix = name;
        addSection(prefix);
        continue;
      }
      line = line.substr(0, line.find('#'));
      const auto equal = line.find('=');
      if (equal == line.npos)
        fail(fmt::format("line {}: expected `key = value`, `[section]` or a comment, got `{}`",
                         lines.number, shown(trim(line))));
      const auto key = trim(line.substr(0, equal));
      if (key.empty() || !isName(key))
        fail(fmt::format("line {}: `{}` is not a name of a key", lines.number, shown(key)));
      addEntry(fullName(prefix, std::string(key)), lines.number);
      const auto value = trim(line.substr(equal + 1));
      if (!value.empty() && (value[0] == '"' || value[0] == '\''))
        skipQuoted(value, lines, *this);
    }
  }

  void IniFile::addSection(const std::string& name)
  {
    if (!name.empty() && known_.insert(name).second)
      sections_.push_back(name);
  }

  // `body.ball.density = 1` at the top and `density = 1` in [body.ball] are the same
  void IniFile::addEntry(std::string_view name, int line)
  {
    const auto dot = name.rfind('.');
    IniEntry entry;
    entry.line = line;
    entry.section = dot == name.npos ? "" : name.substr(0, dot);
    entry.key = name.substr(dot == name.npos ? 0 : dot + 1);
    const auto [previous, isNew] = index_.emplace(name, entries_.size());
    if (!isNew)
      fail(fmt::format("line {}: {} was already given in line {}", line, shown(name),
                       entries_[previous->second].line));
    addSection(entry.section);
    entries_.push_back(std::move(entry));
  }

  // A name cannot be a key and the begin of another name at once
  void IniFile::checkNames() const
  {
    for (const auto& section : sections_)
      for (auto end = section.size(); end != section.npos; end = section.rfind('.', end - 1))
        if (const auto name = section.substr(0, end); index_.contains(name))
          fail(fmt::format("{} is given as a key and as a section", shown(name)));
  }

  //! Lines and names come from scan(), values from Dune's parser: its rules hold for them.
  void IniFile::readValues(const std::string& text)
  {
    std::istringstream in(text);
    ParameterTree tree;
    ParameterTreeParser::readINITree(in, tree, source_);
    for (auto& entry : entries_)
      entry.value = tree[entry.name()]; // get<std::string>() would trim quoted blanks
  }

  const IniEntry* IniFile::find(const std::string& section, const std::string& key) const
  {
    const auto entry = index_.find(fullName(section, key));
    return entry == index_.end() ? nullptr : &entries_[entry->second];
  }

  // An override is read as a file of one line
  void IniFile::set(const std::string& assignment)
  {
    const auto fail = [&](const char* why) {
      throw InputError(fmt::format("--set {}: {}", shown(assignment), why));
    };
    const auto equal = assignment.find('=');
    if (equal == assignment.npos)
      fail("expected section.key=value");
    const auto name = trim(std::string_view(assignment).substr(0, equal));
    if (name.empty() || !isName(name))
      fail("the part before `=` is not a name of a key");
    if (!isText(assignment) || assignment.find_first_of("\n\r") != assignment.npos)
      fail("the value must be one line of text");
    if (assignment.find('#') != assignment.npos)
      fail("the value must not contain `#`");
    const auto change = parse(assignment, "--set " + shown(assignment)).entries_.front();
    if (!find(change.section, change.key)) {
      addEntry(name, 0);
      checkNames();
    }
    entries_[index_.at(change.name())].value = change.value;
  }

  //! Quotes are added where they are needed to read the same value back.
  std::string iniText(const std::string& value)
  {
    const auto firstLine = value.substr(0, value.find('\n'));
    if (firstLine.find('#') != value.npos)
      throw InputError(fmt::format("`{}` contains a `#`, which begins a comment", shown(value)));
    if (value.empty() || (trim(value) == value && value[0] != '"' && value[0] != '\'' &&
                          value.find('\n') == value.npos))
      return value;
    for (const char quote : {'"', '\''}) {
      const auto text = quote + value + quote;
      try {
        if (IniFile::parse("value = " + text, "").entries().front().value == value)
          return text;
      }
      catch (const InputError&) {
        // this quote ends the value too early, try the other
      }
    }
    throw InputError(fmt::format("`{}` cannot be written as a value", shown(value)));
  }

  std::string shown(std::string_view value, std::size_t longest)
  {
    std::string text;
    while (!value.empty() && text.size() < longest) {
      const auto length = utf8Length(value);
      const bool plain =
        length > 1 || (length == 1 && std::isprint(static_cast<unsigned char>(value[0])));
      text += plain ? value.substr(0, length) : "?";
      value.remove_prefix(std::max<std::size_t>(1, length));
    }
    return value.empty() ? text : text + "...";
  }

} // namespace Dune::Impact
