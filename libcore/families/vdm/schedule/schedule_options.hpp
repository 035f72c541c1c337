// Options for the noise schedule of a model.   [vdm/README 4]
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
// `option`. "table" and "table:FILE" both mean the last kind, whose knots are kept elsewhere.
[[nodiscard]] CurveKind parse_curve(const std::string& word, const std::string& option);

struct ScheduleOptions {
  std::string name = "learned-linear";
  std::int64_t hidden = 1024;
  std::optional<double> gamma_min = {};  // at the start; by the levels of the data
  double gamma_max = 5;
  bool raw_endpoints = false;
  std::optional<bool> learn_endpoints = {};
  std::optional<double> gamma_floor = {};  // lower limit of gamma_0

  void describe(Fields& fields);
  [[nodiscard]] bool learns_curve() const {
    return kind() == CurveKind::monotone || kind() == CurveKind::monotone_paper;
  }
  [[nodiscard]] bool learns() const { return learns_curve() || learn_endpoints.value_or(false); }
  [[nodiscard]] CurveKind kind() const { return parse_curve(name, "--schedule"); }
  [[nodiscard]] CurveForm form(const CurveTable& table) const {
    return {.kind = kind(), .hidden = hidden, .table = table};
  }
  // Options must be settled.
  [[nodiscard]] Endpoints ends() const { return {gamma_min.value(), gamma_max}; }
  // Fills in what was left open. By default only levels have learned endpoints, under a bound.
  void settle(const CurveTable& table, std::int64_t levels, bool bound);
};

}  // namespace logpx::vdm
