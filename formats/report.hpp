// The JSON report that every tool writes (logpx-report(5)).
#pragma once

#include "formats/json/value.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

inline constexpr const char* report_schema = "logpx.report/1";

// A number is never bare: it has a unit and, where it is about a likelihood, a kind of truth.
struct Quantity {
  double value = 0;
  std::string unit;
  std::string kind;  // exact lower_bound stochastic_lower_bound upper_bound estimate surrogate
  std::optional<double> std_error;
  std::optional<std::int64_t> n;
};
// An unknown kind is a programmer's mistake; a value that is not finite is a numeric failure.
[[nodiscard]] Json to_json(const Quantity& quantity);

// The quantity that a member of a report holds; nothing when it is something else. A value that is
// null stands for minus infinity: the data are impossible.
[[nodiscard]] std::optional<Quantity> as_quantity(const Json& json);
// For people: "-98.41 ± 0.03", as many digits as the error leaves; bits of a bound with the side
// on which the truth lies: "≤ 0.1811".
[[nodiscard]] std::string people_text(const Quantity& quantity);
[[nodiscard]] std::string kind_text(const Quantity& quantity);  // "stochastic lower bound"

struct Series {
  std::string name, x_label, y_label;
  std::vector<double> x, y;  // y may hold NaN for gaps: written as null
};
[[nodiscard]] Json to_json(const Series& series);

}  // namespace logpx
