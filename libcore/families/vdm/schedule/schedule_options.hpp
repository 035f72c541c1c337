// Which noise schedule a model has, as options say it.   [vdm/README 4]
#pragma once

#include "libcore/families/vdm/schedule/noise_schedule.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace logpx {
class Fields;
}

namespace logpx::vdm {

// linear, learned-linear, beta-linear, alpha-cosine, monotone, monotone-paper; a usage error names
// `option`. "table", whose knots are elsewhere, and "table:FILE" are words for the last kind.
[[nodiscard]] CurveKind parse_curve(const std::string& word, const std::string& option);

struct ScheduleOptions {
  std::string name = "learned-linear";
  std::int64_t hidden = 1024;
  std::optional<double> gamma_min = {};  // training starts from it; by the levels of the data
  double gamma_max = 5;
  bool raw_endpoints = false;
  std::optional<bool> learn_endpoints = {};
  std::optional<double> gamma_floor = {};  // where gamma_0 may go at least

  void describe(Fields& fields);
  [[nodiscard]] CurveKind kind() const { return parse_curve(name, "--schedule"); }
  [[nodiscard]] CurveForm form(const CurveTable& table) const {
    return {.kind = kind(), .hidden = hidden, .table = table};
  }
  // Of settled options.
  [[nodiscard]] Endpoints ends() const { return {gamma_min.value(), gamma_max}; }
  // Says what was left open. Endpoints of data of levels may move where the loss is a bound.
  void settle(const CurveTable& table, std::int64_t levels, bool bound);
};

}  // namespace logpx::vdm
