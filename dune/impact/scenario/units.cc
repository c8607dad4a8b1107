// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include <fmt/format.h>

#include <dune/impact/scenario/scenariofile.hh>
#include <dune/impact/scenario/units.hh>

namespace Dune::Impact {

  namespace {

    // Recursive descent over the grammar
    //   product := factor { ["/"] factor },   factor := ("M" | "L" | "T" | "1" | "(" product ")")
    //   ["^" exponent], exponent := integer | "d" | "(" "d" ("+" | "-") integer ")".
    // A slash acts on the next factor only.
    class UnitReader
    {
    public:
      UnitReader(const std::string& text, int dimension) : text_(text), dimension_(dimension) {}

      Unit read()
      {
        const Unit result = product();
        if (position_ != text_.size())
          fail();
        return result;
      }

    private:
      [[noreturn]] void fail() const { throw std::logic_error("wrong unit `" + text_ + "`"); }

      char peek()
      {
        while (position_ < text_.size() && text_[position_] == ' ')
          ++position_;
        return position_ < text_.size() ? text_[position_] : '\0';
      }

      bool accept(char c)
      {
        if (c == '\0' || peek() != c)
          return false;
        ++position_;
        return true;
      }

      static void add(Unit& sum, const Unit& unit, int times)
      {
        sum.mass += times * unit.mass;
        sum.length += times * unit.length;
        sum.time += times * unit.time;
      }

      Unit product()
      {
        Unit result;
        add(result, factor(), 1);
        while (peek() != '\0' && peek() != ')') {
          const int sign = accept('/') ? -1 : 1;
          add(result, factor(), sign);
        }
        return result;
      }

      Unit factor()
      {
        Unit base;
        if (accept('('))
          base = closed(product());
        else if (accept('M'))
          base.mass = 1;
        else if (accept('L'))
          base.length = 1;
        else if (accept('T'))
          base.time = 1;
        else if (!accept('1'))
          fail();
        Unit result;
        add(result, base, accept('^') ? exponent() : 1);
        return result;
      }

      template<class Value>
      Value closed(Value value)
      {
        if (!accept(')'))
          fail();
        return value;
      }

      int exponent()
      {
        if (accept('d'))
          return dimension_;
        if (!accept('('))
          return integer();
        if (!accept('d'))
          return closed(integer());
        const int sign = accept('+') ? 1 : -1;
        if (sign < 0 && !accept('-'))
          fail();
        return closed(dimension_ + sign * integer());
      }

      int integer()
      {
        const int sign = accept('-') ? -1 : 1;
        if (!std::isdigit(static_cast<unsigned char>(peek())))
          fail();
        return sign * (text_[position_++] - '0');
      }

      const std::string& text_;
      int dimension_;
      std::size_t position_ = 0;
    };

    double power(double base, int exponent)
    {
      double result = 1;
      for (int i = 0; i < std::abs(exponent); ++i)
        result *= base;
      return exponent < 0 ? 1 / result : result;
    }

  } // namespace

  //! M^a L^b T^c with the exponents of the unit
  double Unit::factor(const UnitFactors& factors) const
  {
    return power(factors.mass, mass) * power(factors.length, length) * power(factors.time, time);
  }

  Unit parseUnit(const std::string& text, int dimension)
  {
    return UnitReader(text, dimension).read();
  }

  //! Units separated by commas, each with an optional count in brackets; the last one holds for all
  //! further numbers.
  std::vector<Unit> parseUnits(const std::string& text, int dimension, std::size_t count)
  {
    std::vector<Unit> units;
    for (std::size_t begin = 0; begin <= text.size();) {
      const auto end = std::min(text.find(',', begin), text.size());
      const auto part = text.substr(begin, end - begin);
      const auto bracket = part.find('[');
      int times = 1;
      if (bracket != part.npos) {
        const auto close = part.find(']');
        const Key size{.name = text,
                       .meaning = "",
                       .kind = Kind::vector,
                       .size = part.substr(bracket + 1, close - bracket - 1)};
        times = sequenceSize(size, dimension);
      }
      units.insert(units.end(), times, parseUnit(part.substr(0, bracket), dimension));
      begin = end + 1;
    }
    while (units.size() < count)
      units.push_back(units.back());
    return units;
  }

  namespace {

    bool isNameCharacter(char c)
    {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
    }

    // Replace the variable t: a `t` that is a word of its own, not a letter of another name
    // or number. Words include the dot, which keeps `1.e5` together.
    std::string substituteTime(const std::string& text, const std::string& replacement)
    {
      std::string result;
      for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i;
        while (end < text.size() && isNameCharacter(text[end]))
          ++end;
        const auto word = text.substr(i, std::max<std::size_t>(1, end - i));
        result += word == "t" ? replacement : word;
        i += word.size();
      }
      return result;
    }

    // The numbers of a sequence times the factors of their units
    std::string rescaleNumbers(const IniFile& file, const IniEntry& entry,
                               const std::vector<double>& factors)
    {
      std::string result;
      const auto words = splitWords(entry.value);
      for (std::size_t i = 0; i < words.size(); ++i) {
        const auto value = parseReal(words[i]);
        if (!value || !std::isfinite(*value))
          file.fail(entry.name() + ": must be a finite number, got " + shown(words[i]));
        result += (i ? " " : "") + formatReal(*value * factors[std::min(i, factors.size() - 1)]);
      }
      return result;
    }

    std::string rescaleExpressions(const std::vector<std::string>& parts,
                                   const std::vector<double>& factors, double timeFactor)
    {
      std::string result;
      for (std::size_t i = 0; i < parts.size(); ++i)
        result += (i ? " " : "") +
                  rescaleExpression(parts[i], factors[std::min(i, factors.size() - 1)], timeFactor);
      return result;
    }

    std::string rescalePlace(const std::string& text, double factor, int dimension)
    {
      auto place = parsePlace(text, dimension);
      if (!place || !place->point)
        return text;
      *place->point *= factor;
      return formatPlace(*place, dimension);
    }

    std::string rescaleValue(const ScenarioFile& scenario, const IniEntry& entry, const Key& key,
                             const UnitFactors& by)
    {
      const int dimension = scenario.dimension();
      std::vector<double> factors;
      if (!key.unit.empty())
        for (const auto& unit : parseUnits(key.unit, dimension, 1))
          factors.push_back(unit.factor(by));
      switch (key.kind) {
      case Kind::real:
      case Kind::positive:
      case Kind::nonNegative:
      case Kind::fraction:
      case Kind::vector:
      case Kind::rotation:
      case Kind::list:
        return rescaleNumbers(scenario.ini(), entry, factors);
      case Kind::expression:
        return rescaleExpressions({entry.value}, factors, by.time);
      case Kind::expressionVector:
        return rescaleExpressions(splitExpressions(entry.value), factors, by.time);
      case Kind::place:
        return rescalePlace(entry.value, factors[0], dimension);
      default:
        return entry.value;
      }
    }

  } // namespace

  //! f(t) becomes a f(t/b) with the factors a of the value and b of time
  std::string rescaleExpression(const std::string& text, double valueFactor, double timeFactor)
  {
    if (text == "free")
      return text;
    if (const auto value = parseReal(text))
      return formatReal(*value * valueFactor);
    const auto inside = substituteTime(text, fmt::format("(t/{})", formatReal(timeFactor)));
    return fmt::format("{}*({})", formatReal(valueFactor), inside);
  }

  //! Every value times the factor of the unit of its key; words, names and counts stay.
  std::string rescale(const IniFile& file, const KeyTable& table, const UnitFactors& factors)
  {
    const ScenarioFile scenario(file, table);
    std::vector<std::string> sections{""};
    sections.insert(sections.end(), file.sections().begin(), file.sections().end());
    std::string result;
    for (const auto& section : sections) {
      const auto kind = section.substr(0, section.find('.'));
      if (!section.empty())
        result += "[" + section + "]\n";
      for (const auto& entry : file.entries())
        if (entry.section == section) {
          const auto* key = table.find(kind, scenario.section(section).type(), entry.key);
          result += fmt::format("{} = {}\n", entry.key,
                                iniText(rescaleValue(scenario, entry, *key, factors)));
        }
    }
    return result;
  }

} // namespace Dune::Impact
