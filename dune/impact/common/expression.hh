// SPDX-FileCopyrightText: Copyright (C) dune-impact contributors, see LICENSE.md in module root
// SPDX-License-Identifier: LicenseRef-GPL-2.0-only-with-DUNE-exception
#ifndef DUNE_IMPACT_COMMON_EXPRESSION_HH
#define DUNE_IMPACT_COMMON_EXPRESSION_HH

#include <memory>
#include <string>

/** \file
 * \ingroup impact_common
 * \brief Functions of time that are given as text
 */

namespace Dune::Impact {

  /** \brief A function of time given as text, for example `0.1*sin(2*pi*t)`
   *
   * The language: numbers with a decimal point in every locale, the variable `t`, the
   * constant `pi`; `+ - * / ^` (with -2^2 = -4 and 2^3^2 = 512), the comparisons
   * `< > <= >= == !=` and `&& ||` with the values 0 and 1, the choice `a ? b : c`, and
   * the functions sin cos tan asin acos atan sinh cosh tanh exp log (natural) log10 sqrt
   * abs sign floor, atan2(y,x), min(...) and max(...).
   *
   * A text that is not one expression of this language, or has no finite value at t = 0,
   * is refused by an InputError; its text names no file and no key, the caller adds them.
   *
   * Values are copied freely: every copy has a parser and a variable of its own. Two
   * threads must not evaluate the same object at the same time.
   */
  class Expression
  {
  public:
    //! The constant zero
    Expression();

    //! A constant that needs no parser
    explicit Expression(double constant);

    //! Parse a text; `owner` is named in the message if a later value is not finite
    explicit Expression(const std::string& text, const std::string& owner = "");

    Expression(const Expression& other);
    Expression(Expression&& other) noexcept;
    Expression& operator=(const Expression& other);
    Expression& operator=(Expression&& other) noexcept;
    ~Expression();

    //! The value at time t; a RunError where it is not finite
    double operator()(double t) const { return parser_ ? evaluate(t) : value_; }

    //! Whether the expression does not contain t; its value is then just read
    bool isConstant() const { return !parser_; }

    //! The expression as given
    const std::string& text() const { return text_; }

  private:
    struct Parser;

    double evaluate(double t) const;

    std::string text_, owner_;
    double value_ = 0;               // the value at t = 0
    std::unique_ptr<Parser> parser_; // empty for a constant
  };

} // namespace Dune::Impact

#endif
