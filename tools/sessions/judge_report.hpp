// The results of judges in the report of fid-extrapolate (logpx-report(5)).
#pragma once

#include "formats/json/value.hpp"
#include "tools/sessions/judgement.hpp"

#include <string>

namespace logpx {

class App;

// "ci95" for 0.95.
[[nodiscard]] std::string interval_key(double level);

// {"infinity": .., "slope": .., "points": ..}; `unit` is the name of the score.
[[nodiscard]] Json to_json(const Extrapolation& told, const std::string& unit, double level);
// {"fid": .., "kid": .., "prdc": ..}
[[nodiscard]] Json metrics_json(const Judgement& judgement, double level);
// A - B of every score, with its interval and the better one. Lower is better for fid and kid.
[[nodiscard]] Json comparison_json(const Judgement& a, const Judgement& b, double level);

// Scores on 1/N with their line and its errors, for plot-report. `of` is appended to the metric's
// name: " A".
void add_line_series(App& app, const Extrapolation& told, const std::string& metric,
                     const std::string& of = {});

// "fid 12.3 (9.8 to 14.7), kid .." for people.
[[nodiscard]] std::string summary_of(const Judgement& judgement);
// "fid: A is better; kid: neither" for people.
[[nodiscard]] std::string summary_of(const Json& comparison);

}  // namespace logpx
