#include "libcore/math/symbolic.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string_view>

namespace logpx {
namespace {

using Real = double (*)(double);

// How h is written, with its argument at %, and at @ in brackets wherever it is more than a letter.
struct Spelling {
  const char *text, *c, *python;
};
struct Entry {
  SymbolicFunction shown;
  Real h, slope;
  bool (*finite)(double low, double high);  // on that interval of its argument
  Spelling spelling;
};

double sign_of(double u) { return u > 0 ? 1 : u < 0 ? -1 : 0; }
double bell(double u) { return std::exp(-u * u); }
double nothing(double) { return 0; }

bool always(double, double) { return true; }
bool off_zero(double low, double high) { return low > 0 || high < 0; }
bool above_zero(double low, double) { return low > 0; }
bool not_below_zero(double low, double) { return low >= 0; }
bool moderate(double, double high) { return high < 700; }
bool in_unit(double low, double high) { return low >= -1 && high <= 1; }
bool within_unit(double low, double high) { return low > -1 && high < 1; }
bool between_poles(double low, double high) {
  const double turn = std::floor(low / std::numbers::pi + 0.5);
  return turn == std::floor(high / std::numbers::pi + 0.5) && low / std::numbers::pi + 0.5 > turn;
}

// clang-format off
constexpr std::array function_table = {
    Entry{{"0", 0}, nothing, nothing, always, {"0", "0", "0"}},
    Entry{{"x", 1}, [](double u) { return u; }, [](double) { return 1.0; }, always,
          {"@", "@", "@"}},
    Entry{{"x^2", 2}, [](double u) { return u * u; }, [](double u) { return 2 * u; }, always,
          {"@^2", "pow(%, 2)", "@**2"}},
    Entry{{"x^3", 3}, [](double u) { return u * u * u; }, [](double u) { return 3 * u * u; },
          always, {"@^3", "pow(%, 3)", "@**3"}},
    Entry{{"x^4", 4}, [](double u) { return u * u * (u * u); },
          [](double u) { return 4 * u * u * u; }, always, {"@^4", "pow(%, 4)", "@**4"}},
    Entry{{"x^5", 5}, [](double u) { return u * u * (u * u) * u; },
          [](double u) { return 5 * u * u * (u * u); }, always, {"@^5", "pow(%, 5)", "@**5"}},
    Entry{{"1/x", 2}, [](double u) { return 1 / u; }, [](double u) { return -1 / (u * u); },
          off_zero, {"1/@", "1/@", "1/@"}},
    Entry{{"1/x^2", 2}, [](double u) { return 1 / (u * u); },
          [](double u) { return -2 / (u * u * u); }, off_zero, {"1/@^2", "1/pow(%, 2)", "1/@**2"}},
    Entry{{"sqrt", 2}, [](double u) { return std::sqrt(u); },
          [](double u) { return 0.5 / std::sqrt(u); }, not_below_zero,
          {"sqrt(%)", "sqrt(%)", "math.sqrt(%)"}},
    Entry{{"1/sqrt", 2}, [](double u) { return 1 / std::sqrt(u); },
          [](double u) { return -0.5 / (u * std::sqrt(u)); }, above_zero,
          {"1/sqrt(%)", "1/sqrt(%)", "1/math.sqrt(%)"}},
    Entry{{"exp", 2}, [](double u) { return std::exp(u); }, [](double u) { return std::exp(u); },
          moderate, {"exp(%)", "exp(%)", "math.exp(%)"}},
    Entry{{"log", 2}, [](double u) { return std::log(u); }, [](double u) { return 1 / u; },
          above_zero, {"log(%)", "log(%)", "math.log(%)"}},
    Entry{{"abs", 3}, [](double u) { return std::fabs(u); }, sign_of, always,
          {"abs(%)", "fabs(%)", "abs(%)"}},
    Entry{{"sin", 2}, [](double u) { return std::sin(u); }, [](double u) { return std::cos(u); },
          always, {"sin(%)", "sin(%)", "math.sin(%)"}},
    Entry{{"cos", 2}, [](double u) { return std::cos(u); }, [](double u) { return -std::sin(u); },
          always, {"cos(%)", "cos(%)", "math.cos(%)"}},
    Entry{{"tan", 3}, [](double u) { return std::tan(u); },
          [](double u) { return 1 / (std::cos(u) * std::cos(u)); }, between_poles,
          {"tan(%)", "tan(%)", "math.tan(%)"}},
    Entry{{"tanh", 3}, [](double u) { return std::tanh(u); },
          [](double u) { return 1 / (std::cosh(u) * std::cosh(u)); }, always,
          {"tanh(%)", "tanh(%)", "math.tanh(%)"}},
    Entry{{"sign", 3}, sign_of, nothing, always,
          {"sign(%)", "(((%) > 0) - ((%) < 0))", "(((%) > 0) - ((%) < 0))"}},
    Entry{{"asin", 4}, [](double u) { return std::asin(u); },
          [](double u) { return 1 / std::sqrt(1 - u * u); }, in_unit,
          {"asin(%)", "asin(%)", "math.asin(%)"}},
    Entry{{"acos", 4}, [](double u) { return std::acos(u); },
          [](double u) { return -1 / std::sqrt(1 - u * u); }, in_unit,
          {"acos(%)", "acos(%)", "math.acos(%)"}},
    Entry{{"atan", 4}, [](double u) { return std::atan(u); },
          [](double u) { return 1 / (1 + u * u); }, always,
          {"atan(%)", "atan(%)", "math.atan(%)"}},
    Entry{{"atanh", 4}, [](double u) { return std::atanh(u); },
          [](double u) { return 1 / (1 - u * u); }, within_unit,
          {"atanh(%)", "atanh(%)", "math.atanh(%)"}},
    Entry{{"gaussian", 3}, bell, [](double u) { return -2 * u * bell(u); }, always,
          {"exp(-@^2)", "exp(-pow(%, 2))", "math.exp(-@**2)"}},
};
// clang-format on

const Entry& function_entry(const Formula& formula) {
  LOGPX_ASSERT(formula.function >= 0 && formula.function < std::ssize(function_table));
  return function_table[static_cast<std::size_t>(formula.function)];
}

constexpr int all_digits = 17;  // as many as read back the same

std::string rounded(double value, int digits) {
  if (digits >= all_digits) return to_text(value);
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

// "3*z - 2"
std::string argument(const Formula& formula, int digits) {
  std::string text = formula.a == 1    ? "z"
                     : formula.a == -1 ? "-z"
                                       : rounded(formula.a, digits) + "*z";
  if (formula.b != 0)
    text += (formula.b < 0 ? " - " : " + ") + rounded(std::fabs(formula.b), digits);
  return text;
}

std::string spelled(std::string_view pattern, const std::string& inner) {
  std::string text;
  for (const char letter : pattern)
    if (letter == '%') text += inner;
    else if (letter == '@') text += inner == "z" ? inner : '(' + inner + ')';
    else text += letter;
  return text;
}

// c times that, plus d.
std::string scaled(const std::string& function, const Formula& formula, int digits) {
  if (formula.function == 0 || formula.c == 0) return rounded(formula.d, digits);
  std::string text = function;
  if (function.starts_with("1/") && formula.c != 1)
    text = rounded(formula.c, digits) + function.substr(1);
  else if (formula.c == -1) text = '-' + function;
  else if (formula.c != 1) text = rounded(formula.c, digits) + '*' + function;
  if (formula.d != 0)
    text += (formula.d < 0 ? " - " : " + ") + rounded(std::fabs(formula.d), digits);
  return text;
}

}  // namespace

std::span<const SymbolicFunction> symbolic_functions() {
  static const auto shown = [] {
    std::array<SymbolicFunction, function_table.size()> all;
    std::ranges::transform(function_table, all.begin(), &Entry::shown);
    return all;
  }();
  return shown;
}

std::int64_t symbolic_function(const std::string& name) {
  const auto found = std::ranges::find_if(
      function_table, [&](const Entry& entry) { return entry.shown.name == name; });
  LOGPX_ASSERT(found != function_table.end());
  return found - function_table.begin();
}

void evaluate(const Formula& formula, std::span<const double> z, std::span<double> y) {
  LOGPX_ASSERT(z.size() == y.size());
  const Entry& entry = function_entry(formula);
  for (std::size_t i = 0; i < z.size(); ++i)
    y[i] = formula.c * entry.h(formula.a * z[i] + formula.b) + formula.d;
}

void evaluate(const Formula& formula, std::span<const double> z, std::span<double> y,
              std::span<double> slope) {
  evaluate(formula, z, y);
  LOGPX_ASSERT(z.size() == slope.size());
  const Entry& entry = function_entry(formula);
  for (std::size_t i = 0; i < z.size(); ++i)
    slope[i] = formula.c * formula.a * entry.slope(formula.a * z[i] + formula.b);
}

bool is_finite_on(const Formula& formula, double low, double high) {
  const double from = formula.a * low + formula.b, to = formula.a * high + formula.b;
  const double least = std::min(from, to), most = std::max(from, to);
  const double bound = std::fabs(formula.c) + std::fabs(formula.d);
  return std::isfinite(least) && std::isfinite(most) && std::isfinite(bound) &&
         function_entry(formula).finite(least, most);
}

std::optional<double> kink_of(const Formula& formula) {
  const std::string_view name = function_entry(formula).shown.name;
  if (formula.a == 0 || formula.c == 0 || (name != "abs" && name != "sign")) return std::nullopt;
  return -formula.b / formula.a;
}

std::string formula_text(const Formula& formula, int digits) {
  return scaled(spelled(function_entry(formula).spelling.text, argument(formula, digits)), formula,
                digits);
}

std::string formula_code(const Formula& formula, CodeLanguage language) {
  const Spelling& spelling = function_entry(formula).spelling;
  return scaled(spelled(language == CodeLanguage::c ? spelling.c : spelling.python,
                        argument(formula, all_digits)),
                formula, all_digits);
}

}  // namespace logpx
