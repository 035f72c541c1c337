// Formulas c h(a z + b) + d in one variable, h from a short list of functions: they say what a
// fitted curve is.   [math/README 6.5]
//
//   const Formula wave{.function = symbolic_function("sin"), .a = 3, .b = 2, .c = 5, .d = 0.7};
//   std::vector<double> y(z.size());
//   evaluate(wave, z, y);
//   const std::string text = formula_text(wave);  // "5*sin(3*z + 2) + 0.7"
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace logpx {

struct SymbolicFunction {
  const char* name;   // "x^2", as reports have it
  double complexity;  // what a fit pays for it
};
// 0 x x^2 .. x^5 1/x 1/x^2 sqrt 1/sqrt exp log abs sin cos tan tanh sign asin acos atan atanh
// gaussian. Models store a function by its place here, so that places never change.
[[nodiscard]] std::span<const SymbolicFunction> symbolic_functions();
[[nodiscard]] std::int64_t symbolic_function(const std::string& name);  // its place; it exists

struct Formula {
  std::int64_t function = 0;
  double a = 1, b = 0, c = 1, d = 0;
};

// y_i = c h(a z_i + b) + d; NaN where h is not defined.
void evaluate(const Formula& formula, std::span<const double> z, std::span<double> y);
// The same, and dy/dz.
void evaluate(const Formula& formula, std::span<const double> z, std::span<double> y,
              std::span<double> slope);

// Whether h(a z + b) is finite, and has no pole, everywhere on [low, high].
[[nodiscard]] bool is_finite_on(const Formula& formula, double low, double high);
// Where its slope (abs) or its value (sign) jumps.
[[nodiscard]] std::optional<double> kink_of(const Formula& formula);

// "5*sin(3*z + 2) + 0.7", with this many digits.
[[nodiscard]] std::string formula_text(const Formula& formula, int digits = 6);

// The same as an expression of the variable z.
enum class CodeLanguage { c, python };
[[nodiscard]] std::string formula_code(const Formula& formula, CodeLanguage language);

}  // namespace logpx
