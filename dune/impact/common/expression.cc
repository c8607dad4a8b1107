// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#include <config.h>

#include <cmath>
#include <numbers>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <muParser.h>

#include <dune/impact/common/exceptions.hh>
#include <dune/impact/common/expression.hh>

namespace Dune::Impact {

  namespace {

    using Function = double (*)(double);

    double sign(double x)
    {
      return (x > 0) - (x < 0);
    }

    double minimum(const double* x, int n)
    {
      double result = x[0];
      for (int i = 1; i < n; ++i)
        result = std::fmin(result, x[i]);
      return result;
    }

    double maximum(const double* x, int n)
    {
      double result = x[0];
      for (int i = 1; i < n; ++i)
        result = std::fmax(result, x[i]);
      return result;
    }

    // muParser brings names of its own (_pi, _e, rint, sum, ...). Only documented
    // names are defined, from an empty list on.
    void defineLanguage(mu::Parser& parser)
    {
      parser.ClearFun();
      parser.ClearConst();
      parser.DefineConst("pi", std::numbers::pi);
      const std::pair<const char*, Function> functions[] = {
        {"sin", std::sin},   {"cos", std::cos},   {"tan", std::tan},   {"asin", std::asin},
        {"acos", std::acos}, {"atan", std::atan}, {"sinh", std::sinh}, {"cosh", std::cosh},
        {"tanh", std::tanh}, {"exp", std::exp},   {"log", std::log},   {"log10", std::log10},
        {"sqrt", std::sqrt}, {"abs", std::fabs},  {"sign", sign},      {"floor", std::floor}};
      for (const auto& [name, function] : functions)
        parser.DefineFun(name, function);
      parser.DefineFun("atan2", static_cast<double (*)(double, double)>(std::atan2));
      parser.DefineFun("min", minimum);
      parser.DefineFun("max", maximum);
    }

    bool isOneOf(char c, std::string_view set)
    {
      return set.find(c) != std::string_view::npos;
    }

    // muParser assigns to variables (`t = 3` is legal there) and knows strings: the
    // characters of both are refused. A single `=` is one that is no part of == <= >= !=.
    void checkCharacters(const std::string& text)
    {
      constexpr std::string_view legal = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                         "0123456789_.,+-*/^()<>=!&|?: \t";
      for (std::size_t i = 0; i < text.size(); ++i) {
        if (!isOneOf(text[i], legal))
          throw InputError(fmt::format("the character at position {} has no meaning", i + 1));
        if (text[i] != '=')
          continue;
        const char before = i > 0 ? text[i - 1] : ' ';
        const char after = i + 1 < text.size() ? text[i + 1] : ' ';
        if (!isOneOf(before, "=<>!") && after != '=')
          throw InputError("`=` assigns, a comparison is written `==`");
      }
    }

    // In every pair of parentheses each `:` must close a `?` before it. muParser's own
    // checks of wrong nestings like `(a ? b) : c` are not complete.
    void checkNesting(const std::string& text)
    {
      std::vector<int> open(1, 0); // open `?` per level of parentheses
      for (char c : text) {
        if (c == '(')
          open.push_back(0);
        else if (c == '?')
          ++open.back();
        else if (c == ':' && open.back()-- == 0)
          throw InputError("a `:` has no `?` before it");
        else if (c == ')' || c == ',') {
          if (open.back() != 0)
            throw InputError("a `?` has no `:` after it");
          if (c == ')')
            open.pop_back();
        }
        if (open.empty())
          throw InputError("a `)` has no `(` before it");
      }
      if (open.size() > 1)
        throw InputError("a `(` has no `)` after it");
      if (open.back() != 0)
        throw InputError("a `?` has no `:` after it");
    }

  } // namespace

  struct Expression::Parser
  {
    explicit Parser(const std::string& text)
    {
      defineLanguage(parser);
      parser.DefineVar("t", &t);
      parser.SetExpr(text);
    }

    double t = 0;
    mu::Parser parser;
  };

  Expression::Expression() : Expression(0.)
  {}

  Expression::Expression(double constant) : text_(fmt::format("{}", constant)), value_(constant)
  {}

  Expression::Expression(const std::string& text, const std::string& owner)
    : text_(text)
    , owner_(owner)
  {
    if (text.find_first_not_of(" \t") == std::string::npos)
      throw InputError("an expression is missing");
    checkCharacters(text);
    checkNesting(text);
    try {
      parser_ = std::make_unique<Parser>(text);
      value_ = parser_->parser.Eval();
      if (parser_->parser.GetNumResults() != 1)
        throw InputError("a comma separates two expressions where one is expected");
      if (parser_->parser.GetUsedVar().empty())
        parser_.reset();
    }
    catch (const mu::Parser::exception_type& error) {
      std::string message = error.GetMsg();
      while (!message.empty() && isOneOf(message.back(), ". \n"))
        message.pop_back();
      throw InputError(message);
    }
    if (!std::isfinite(value_))
      throw InputError(fmt::format("`{}` has no finite value at t = 0", text));
  }

  Expression::Expression(const Expression& other)
    : text_(other.text_)
    , owner_(other.owner_)
    , value_(other.value_)
    , parser_(other.parser_ ? std::make_unique<Parser>(other.text_) : nullptr)
  {}

  Expression::Expression(Expression&& other) noexcept = default;

  Expression& Expression::operator=(const Expression& other)
  {
    return *this = Expression(other);
  }

  Expression& Expression::operator=(Expression&& other) noexcept = default;

  Expression::~Expression() = default;

  double Expression::evaluate(double t) const
  {
    parser_->t = t;
    const double value = parser_->parser.Eval();
    if (!std::isfinite(value))
      throw RunError(fmt::format("{}{}`{}` has no finite value at t = {:.6g}", owner_,
                                 owner_.empty() ? "" : ": ", text_, t));
    return value;
  }

} // namespace Dune::Impact
