#include "formats/report.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace logpx {
namespace {

constexpr std::array<std::string_view, 6> kinds = {
    "exact", "lower_bound", "stochastic_lower_bound", "upper_bound", "estimate", "surrogate"};

std::string digits_text(double value, std::chars_format format, int precision) {
  std::array<char, 64> digits{};
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, format, precision);
  return {digits.data(), end.ptr};
}

}  // namespace

Json to_json(const Quantity& quantity) {
  LOGPX_ASSERT(std::find(kinds.begin(), kinds.end(), quantity.kind) != kinds.end());
  if (!std::isfinite(quantity.value))
    fail(ErrorKind::numeric, "", "a result in " + quantity.unit + " is not finite");
  Json json = Json::object();
  json.set("value", quantity.value).set("unit", quantity.unit).set("kind", quantity.kind);
  if (quantity.std_error) json.set("std_error", *quantity.std_error);
  if (quantity.n) json.set("n", *quantity.n);
  return json;
}

std::optional<Quantity> as_quantity(const Json& json) {
  const Json *value = json.find("value"), *unit = json.find("unit"), *kind = json.find("kind");
  if (value == nullptr || unit == nullptr || kind == nullptr) return std::nullopt;
  if (!value->is_number() && !value->is_null()) return std::nullopt;
  Quantity quantity{.value = value->is_null() ? -HUGE_VAL : value->number(),
                    .unit = unit->string(),
                    .kind = kind->string(),
                    .std_error = {},
                    .n = {}};
  if (const Json* error = json.find("std_error")) quantity.std_error = error->number();
  if (const Json* n = json.find("n")) quantity.n = n->integer();
  return quantity;
}

std::string people_text(const Quantity& quantity) {
  std::string text;
  if (quantity.unit.starts_with("bit")) {
    if (quantity.kind.ends_with("lower_bound")) text = "\u2264 ";
    if (quantity.kind == "upper_bound") text = "\u2265 ";
  }
  const double error = quantity.std_error.value_or(0);
  const bool counts =
      std::abs(quantity.value) < 1e15 && std::trunc(quantity.value) == quantity.value;
  if (!(error > 0))
    return text + (counts ? digits_text(quantity.value, std::chars_format::fixed, 0)
                          : four_digits(quantity.value));
  // Two digits of the error, and the value as far as they reach.
  const int decimals = std::max(0, 1 - static_cast<int>(std::floor(std::log10(error))));
  const bool plain = std::abs(quantity.value) < 1e9 && decimals < 9;
  const auto digits = [&](double value) {
    if (!plain) return digits_text(value, std::chars_format::general, 4);
    return digits_text(value, std::chars_format::fixed, decimals);
  };
  return text + digits(quantity.value) + " \u00b1 " + digits(error);
}

std::string kind_text(const Quantity& quantity) {
  std::string words = quantity.kind;
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

Json to_json(const Series& series) {
  LOGPX_ASSERT(series.x.size() == series.y.size());
  Json y = Json::array();
  for (const double value : series.y) y.push(std::isfinite(value) ? Json(value) : Json());
  return Json::object()
      .set("name", series.name)
      .set("x", Json::array_of(series.x))
      .set("y", std::move(y))
      .set("x_label", series.x_label)
      .set("y_label", series.y_label);
}

}  // namespace logpx
