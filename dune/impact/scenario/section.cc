// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/scenario/section.hh>
#include <dune/impact/scenario/suggest.hh>

namespace Dune::Impact {

  namespace {

    constexpr std::string_view blanks = " \t\n\r";

    template<class Number>
    std::errc parseWhole(std::string_view text, Number& value)
    {
      if (text.size() > 1 && text[0] == '+' && text[1] != '-')
        text.remove_prefix(1);
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      return error == std::errc() && end != text.data() + text.size() ? std::errc::invalid_argument
                                                                      : error;
    }

    std::string join(const std::vector<double>& values)
    {
      std::string text;
      for (double value : values)
        text += (text.empty() ? "" : " ") + formatReal(value);
      return text;
    }

    std::vector<double> firstOf(const Vec3& v, std::size_t n)
    {
      return {v.begin(), v.begin() + std::min<std::size_t>(n, 3)};
    }

    template<class Range>
    std::optional<std::string> joined(const std::optional<Range>& range)
    {
      if (!range)
        return {};
      return fmt::format("{}", fmt::join(*range, " "));
    }

  } // namespace

  //! A number out of the range of doubles counts as infinite.
  std::optional<double> parseReal(std::string_view text)
  {
    double value = 0;
    const auto error = parseWhole(text, value);
    if (error == std::errc::result_out_of_range)
      return std::numeric_limits<double>::infinity();
    if (error != std::errc())
      return {};
    return value;
  }

  std::string formatReal(double value)
  {
    return fmt::format("{}", value);
  }

  std::vector<std::string> splitWords(std::string_view text)
  {
    std::vector<std::string> words;
    for (auto begin = text.find_first_not_of(blanks); begin != text.npos;) {
      const auto end = std::min(text.find_first_of(blanks, begin), text.size());
      words.emplace_back(text.substr(begin, end - begin));
      begin = text.find_first_not_of(blanks, end);
    }
    return words;
  }

  //! Blanks separate expressions, except inside parentheses.
  std::vector<std::string> splitExpressions(std::string_view text)
  {
    std::vector<std::string> parts(1);
    int depth = 0;
    for (char c : text) {
      depth += (c == '(') - (c == ')');
      if (depth > 0 || blanks.find(c) == blanks.npos)
        parts.back() += c;
      else if (!parts.back().empty())
        parts.emplace_back();
    }
    if (parts.back().empty())
      parts.pop_back();
    return parts;
  }

  //! A whole number is a node; in dimension 1 a point needs a decimal point or an exponent.
  std::optional<Place> parsePlace(const std::string& text, int dimension)
  {
    const auto words = splitWords(text);
    long node = 0;
    if (words.size() == 1 && parseWhole(words[0], node) == std::errc())
      return node < 0 ? std::optional<Place>() : Place{.node = node};
    if (words.size() == 1 && !parseReal(words[0]))
      return Place{.word = words[0]};
    if (words.size() != std::size_t(dimension))
      return {};
    Vec3 point(0.);
    for (int i = 0; i < dimension; ++i) {
      const auto value = parseReal(words[i]);
      if (!value || !std::isfinite(*value))
        return {};
      point[i] = *value;
    }
    return Place{.point = point};
  }

  std::string formatPlace(const Place& place, int dimension)
  {
    if (place.node)
      return fmt::format("{}", *place.node);
    if (!place.point)
      return place.word;
    const auto text = join(firstOf(*place.point, dimension));
    return dimension == 1 && text.find_first_of(".e") == text.npos ? text + ".0" : text;
  }

  Section::Section(std::shared_ptr<ScenarioData> data, std::string name)
    : data_(std::move(data))
    , name_(std::move(name))
    , kind_(name_.substr(0, name_.find('.')))
  {
    if (!data_->table.section(kind_))
      throw std::logic_error("there is no section " + name_ + " in the table of keys");
    type_ = chooseType();
    data_->usedSections.insert(name_);
  }

  std::string Section::label() const
  {
    return name_.substr(name_.find('.') + 1);
  }

  std::string Section::chooseType() const
  {
    const auto& chooser = data_->table.section(kind_)->chooser;
    return chooser.empty() ? "" : word(chooser);
  }

  bool Section::has(const std::string& key) const
  {
    return data_->ini.find(name_, key);
  }

  void Section::fail(const std::string& key, const std::string& message) const
  {
    data_->ini.fail(fullName(name_, key) + ": " + message);
  }

  const Key& Section::lookup(const std::string& name, std::initializer_list<Kind> kinds) const
  {
    const auto* key = data_->table.find(kind_, type_, name);
    if (!key)
      throw std::logic_error(
        fmt::format("key {} of [{}]: not in the table for type `{}`", name, name_, type_));
    if (std::find(kinds.begin(), kinds.end(), key->kind) == kinds.end())
      throw std::logic_error(
        fmt::format("key {} of [{}]: the getter does not fit its kind", name, name_));
    return *key;
  }

  // The text of the value: of the file, else of the caller, else of the table
  std::string Section::given(const Key& key, const std::optional<std::string>& fallback) const
  {
    if (const auto* entry = data_->ini.find(name_, key.name)) {
      if (key.kind != Kind::text && splitWords(entry->value).empty())
        fail(key.name, "has no value");
      return entry->value;
    }
    if (fallback)
      return *fallback;
    if (key.fallback)
      return spreadDefault(key);
    const bool choice = key.kind == Kind::word && !key.allowed.empty();
    fail(key.name, choice ? fmt::format("is required, one of `{}`", fmt::join(key.allowed, "`, `"))
                          : "is required");
  }

  // One default stands for all entries of a sequence
  std::string Section::spreadDefault(const Key& key) const
  {
    const bool sequence = key.kind == Kind::vector || key.kind == Kind::rotation ||
                          key.kind == Kind::counts || key.kind == Kind::expressionVector;
    if (!sequence || splitExpressions(*key.fallback).size() != 1)
      return *key.fallback;
    const std::vector<std::string> all(sequenceSize(key, dimension()), *key.fallback);
    return fmt::format("{}", fmt::join(all, " "));
  }

  void Section::record(const Key& key, const std::string& text) const
  {
    data_->values[fullName(name_, key.name)] = {text, key.kind == Kind::path};
  }

  double Section::number(const Key& key, const std::string& text) const
  {
    const auto value = parseReal(text);
    const auto must = [&](bool condition, const char* what) {
      if (!condition)
        fail(key.name, fmt::format("must be {}, got {}", what, shown(text)));
    };
    must(value.has_value(), "a number");
    must(std::isfinite(*value), "a finite number");
    must(key.kind != Kind::positive || *value > 0, "positive");
    must(key.kind != Kind::nonNegative || *value >= 0, "zero or positive");
    must(key.kind != Kind::fraction || (*value >= 0 && *value <= 1), "between 0 and 1");
    return *value;
  }

  long Section::wholeNumber(const Key& key, const std::string& text) const
  {
    long value = 0;
    const auto error = parseWhole(text, value);
    if (error == std::errc::result_out_of_range)
      fail(key.name, "is too large, got " + shown(text));
    if (error != std::errc())
      fail(key.name, "must be a whole number, got " + shown(text));
    if (key.kind != Kind::integer && value <= 0)
      fail(key.name, "must be positive, got " + shown(text));
    return value;
  }

  void Section::checkSize(const Key& key, std::size_t size, const char* what) const
  {
    const std::size_t expected = sequenceSize(key, dimension());
    if (size == expected)
      return;
    const bool varies = key.kind == Kind::rotation || key.size.find_first_of("dr") != key.size.npos;
    const auto where = varies ? fmt::format(" in dimension {}", dimension()) : "";
    if (expected == 0)
      fail(key.name, "has no meaning" + where);
    fail(key.name, fmt::format("needs {} {}{}{}, got {}", expected, what, expected == 1 ? "" : "s",
                               where, size));
  }

  void Section::checkAllowed(const Key& key, const std::string& word) const
  {
    const auto& allowed = key.allowed;
    if (allowed.empty() || std::find(allowed.begin(), allowed.end(), word) != allowed.end())
      return;
    fail(key.name, fmt::format("must be one of `{}`, got `{}`{}", fmt::join(allowed, "`, `"),
                               shown(word), suggestion(word, allowed)));
  }

  double Section::real(const std::string& name, std::optional<double> fallback) const
  {
    const auto& key = lookup(name, {Kind::real, Kind::positive, Kind::nonNegative, Kind::fraction});
    const auto text = fallback ? std::optional(formatReal(*fallback)) : std::nullopt;
    const double value = number(key, given(key, text));
    record(key, formatReal(value));
    return value;
  }

  long Section::integer(const std::string& name, std::optional<long> fallback) const
  {
    const auto& key = lookup(name, {Kind::integer, Kind::count});
    const auto text = fallback ? std::optional(fmt::format("{}", *fallback)) : std::nullopt;
    const long value = wholeNumber(key, given(key, text));
    checkAllowed(key, fmt::format("{}", value));
    record(key, fmt::format("{}", value));
    return value;
  }

  std::vector<long> Section::counts(const std::string& name,
                                    std::optional<std::vector<long>> fallback) const
  {
    const auto& key = lookup(name, {Kind::counts});
    std::vector<long> values;
    for (const auto& text : splitWords(given(key, joined(fallback))))
      values.push_back(wholeNumber(key, text));
    checkSize(key, values.size(), "number");
    record(key, fmt::format("{}", fmt::join(values, " ")));
    return values;
  }

  bool Section::flag(const std::string& name, std::optional<bool> fallback) const
  {
    const auto& key = lookup(name, {Kind::flag});
    const auto text =
      given(key, fallback ? std::optional<std::string>(*fallback ? "yes" : "no") : std::nullopt);
    if (text != "yes" && text != "no" && text != "on" && text != "off")
      fail(name, fmt::format("must be yes or no, on or off, got {}", shown(text)));
    record(key, text);
    return text == "yes" || text == "on";
  }

  std::string Section::word(const std::string& name, std::optional<std::string> fallback) const
  {
    const auto& key = lookup(name, {Kind::word});
    auto value = given(key, fallback);
    checkAllowed(key, value);
    record(key, value);
    return value;
  }

  std::vector<std::string> Section::words(const std::string& name,
                                          std::optional<std::vector<std::string>> fallback) const
  {
    const auto& key = lookup(name, {Kind::words});
    auto values = splitWords(given(key, joined(fallback)));
    for (const auto& value : values)
      checkAllowed(key, value);
    if (!values.empty()) // a default of no words cannot be written
      record(key, fmt::format("{}", fmt::join(values, " ")));
    return values;
  }

  std::vector<double> Section::numbers(const Key& key,
                                       const std::optional<std::string>& fallback) const
  {
    std::vector<double> values;
    for (const auto& text : splitWords(given(key, fallback)))
      values.push_back(number(key, text));
    if (key.kind != Kind::list)
      checkSize(key, values.size(), "number");
    if (!values.empty())
      record(key, join(values));
    return values;
  }

  Vec3 Section::vector(const std::string& name, std::optional<Vec3> fallback) const
  {
    const auto& key = lookup(name, {Kind::vector});
    const std::size_t size = sequenceSize(key, dimension());
    if (size > 3)
      throw std::logic_error("key " + name + ": has more entries than a vector of space");
    const auto text = fallback ? std::optional(join(firstOf(*fallback, size))) : std::nullopt;
    const auto values = numbers(key, text);
    Vec3 result(0.);
    std::copy(values.begin(), values.end(), result.begin());
    return result;
  }

  //! In the plane a rotation vector has its third component only.
  Vec3 Section::rotation(const std::string& name, std::optional<Vec3> fallback) const
  {
    const auto& key = lookup(name, {Kind::rotation});
    const std::size_t first = dimension() == 3 ? 0 : 2, size = sequenceSize(key, dimension());
    std::optional<std::string> text;
    if (fallback)
      text = join({fallback->begin() + first, fallback->begin() + first + size});
    const auto values = numbers(key, text);
    Vec3 result(0.);
    std::copy(values.begin(), values.end(), result.begin() + first);
    return result;
  }

  std::vector<double> Section::reals(const std::string& name,
                                     std::optional<std::vector<double>> fallback) const
  {
    const auto& key = lookup(name, {Kind::vector, Kind::rotation, Kind::list});
    return numbers(key, fallback ? std::optional(join(*fallback)) : std::nullopt);
  }

  std::string Section::text(const std::string& name, std::optional<std::string> fallback) const
  {
    const auto& key = lookup(name, {Kind::text});
    auto value = given(key, fallback);
    record(key, value);
    return value;
  }

  std::filesystem::path Section::path(const std::string& name,
                                      std::optional<std::string> fallback) const
  {
    const auto& key = lookup(name, {Kind::path});
    const auto value = given(key, fallback);
    record(key, value);
    return data_->ini.directory() / value;
  }

  Expression Section::parseExpression(const Key& key, const std::string& text) const
  {
    try {
      return Expression(text, name() + "." + key.name);
    }
    catch (const InputError& error) {
      fail(key.name, fmt::format("is not an expression in t: {}", shown(error.what(), 160)));
    }
  }

  Expression Section::expression(const std::string& name, std::optional<std::string> fallback) const
  {
    const auto& key = lookup(name, {Kind::expression});
    const auto value = given(key, fallback);
    auto result = parseExpression(key, value);
    record(key, value);
    return result;
  }

  std::vector<std::optional<Expression>> Section::expressions(
    const std::string& name, std::optional<std::string> fallback) const
  {
    const auto& key = lookup(name, {Kind::expressionVector});
    const auto parts = splitExpressions(given(key, fallback));
    checkSize(key, parts.size(), "expression");
    std::vector<std::optional<Expression>> result(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (parts[i] != "free")
        result[i] = parseExpression(key, parts[i]);
    record(key, fmt::format("{}", fmt::join(parts, " ")));
    return result;
  }

  Reference Section::reference(const std::string& name, std::optional<std::string> fallback) const
  {
    const auto& key = lookup(name, {Kind::name});
    const auto value = given(key, fallback);
    const auto dot = value.find('.');
    if (dot != value.npos && !key.parts)
      fail(name, fmt::format("must be a name without a part, got `{}`", shown(value)));
    Reference result{.kind = "", .name = value.substr(0, dot), .part = ""};
    if (dot != value.npos)
      result.part = value.substr(dot + 1);
    std::vector<std::string> names;
    for (const auto& section : data_->ini.sections())
      for (const auto& kind : key.allowed)
        if (section.starts_with(kind + ".")) {
          names.push_back(section.substr(kind.size() + 1));
          if (names.back() == result.name && result.kind.empty())
            result.kind = kind;
        }
    if (result.kind.empty())
      fail(name, fmt::format("there is no {} `{}`{}", fmt::join(key.allowed, " or "),
                             shown(result.name), suggestion(result.name, names)));
    if (dot != value.npos && result.part.empty())
      fail(name, fmt::format("a part is missing after the dot, got `{}`", shown(value)));
    record(key, value);
    return result;
  }

  Place Section::place(const std::string& name, std::optional<std::string> fallback) const
  {
    const auto& key = lookup(name, {Kind::place});
    const auto value = given(key, fallback);
    const auto result = parsePlace(value, dimension());
    if (!result)
      fail(name, fmt::format("must be a word, a node number or a point of dimension {}, got {}",
                             dimension(), shown(value)));
    if (!result->word.empty())
      checkAllowed(key, result->word);
    record(key, formatPlace(*result, dimension()));
    return *result;
  }

} // namespace Dune::Impact
