#include "formats/report.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace logpx {
namespace {

constexpr std::array<std::string_view, 6> kinds = {
    "exact", "lower_bound", "stochastic_lower_bound", "upper_bound", "estimate", "surrogate"};

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
