#include "libcore/families/vdm/schedule/schedule_options.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace logpx::vdm {
namespace {

constexpr std::array<std::pair<const char*, CurveKind>, 6> words = {
    {{"linear", CurveKind::linear},
     {"learned-linear", CurveKind::learned_linear},
     {"beta-linear", CurveKind::beta_linear},
     {"alpha-cosine", CurveKind::alpha_cosine},
     {"monotone", CurveKind::monotone},
     {"monotone-paper", CurveKind::monotone_paper}}};

// Levels lie 2 / L apart: as many deviations of the noise as those of 256 levels do at -13.3.
double first_gamma(std::int64_t levels) {
  const double of_pictures = -13.3;
  return levels == 0
             ? of_pictures
             : of_pictures +
                   2 * std::log(256 / static_cast<double>(std::min<std::int64_t>(levels, 256)));
}

bool learns_by_itself(CurveKind kind) {
  return kind == CurveKind::learned_linear || kind == CurveKind::monotone ||
         kind == CurveKind::monotone_paper;
}

}  // namespace

CurveKind parse_curve(const std::string& word, const std::string& option) {
  std::vector<std::string> known;
  for (const auto& [name, kind] : words) {
    if (word == name) return kind;
    known.emplace_back(name);
  }
  if (word == "table" || word.starts_with("table:")) return CurveKind::table;
  known.emplace_back("table:FILE");
  fail(ErrorKind::usage, option, "'" + word + "' is not one of " + join_text(known, ", "));
}

void ScheduleOptions::describe(Fields& f) {
  const Condition raw{[this] { return raw_endpoints; }, "--raw-endpoints"};
  f.group("noise schedule");
  f.add("schedule", name,
        "gamma(t): linear, learned-linear, beta-linear, alpha-cosine, monotone, monotone-paper or "
        "table:FILE")
      .about(
          "In continuous time the bound depends on the ends of the schedule alone; what lies "
          "between them decides how noisy its gradient is, and monotone learns that, too.")
      .metavar("NAME")
      .source("VDM sec. 3.2");
  f.add("schedule-hidden", hidden, "units of the monotone networks")
      .range(1, 1 << 16)
      .source("VDM app. H")
      .when({[this] { return learns_curve(); }, "--schedule monotone or monotone-paper"})
      .rank(Rank::manual);
  f.add("gamma-min", gamma_min, "gamma at time 0, minus the log of the signal-to-noise ratio")
      .range(-40, 40)
      .shows_default("-13.3 for 256 levels, more for fewer")
      .unless(raw)
      .rank(Rank::manual);
  f.add("gamma-max", gamma_max, "gamma at time 1").range(-40, 40).unless(raw).rank(Rank::manual);
  f.add("raw-endpoints", raw_endpoints,
        "leave beta-linear, alpha-cosine or a table between endpoints of its own")
      .rank(Rank::manual);
  f.add("learn-endpoints", learn_endpoints, "learn gamma at both ends")
      .shows_default("on for levels with learned-linear, monotone and monotone-paper")
      .source("VDM sec. 5.1")
      .rank(Rank::manual);
  f.add("gamma-floor", gamma_floor, "where a learned gamma at time 0 stops")
      .range(-40, 40)
      .when({[this] { return learn_endpoints.value_or(false); }, "--learn-endpoints"})
      .rank(Rank::manual);
}

void ScheduleOptions::settle(const CurveTable& table, std::int64_t levels, bool bound) {
  const CurveKind chosen = kind();
  const bool own_ends = chosen == CurveKind::beta_linear || chosen == CurveKind::alpha_cosine ||
                        chosen == CurveKind::table;
  if (raw_endpoints && !own_ends)
    fail(ErrorKind::usage, "--raw-endpoints", "does nothing with --schedule " + name);
  if (!learn_endpoints) learn_endpoints = bound && levels > 0 && learns_by_itself(chosen);
  if (!gamma_min) gamma_min = first_gamma(levels);
  if (raw_endpoints && *learn_endpoints)
    fail(ErrorKind::usage, "--raw-endpoints", "excludes --learn-endpoints");
  if (gamma_floor && !*learn_endpoints)
    fail(ErrorKind::usage, "--gamma-floor", "goes with --learn-endpoints");
  if (chosen == CurveKind::table) name = "table";
  if (raw_endpoints) {
    const Endpoints own = NoiseSchedule(make_curve(form(table), {})).ends();
    gamma_min = own.first;
    gamma_max = own.last;
  }
  if (!(ends().gap() > 0))
    fail(ErrorKind::usage, "--gamma-max",
         "is " + to_text(gamma_max) + ", which is not above --gamma-min " + to_text(*gamma_min));
  if (gamma_floor && *gamma_floor > *gamma_min)
    fail(ErrorKind::usage, "--gamma-floor",
         "is " + to_text(*gamma_floor) + ", above --gamma-min " + to_text(*gamma_min));
}

}  // namespace logpx::vdm
