#include "tools/sessions/judge_report.hpp"

#include "formats/report.hpp"
#include "libcore/base/number_text.hpp"
#include "tools/frame/app.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace logpx {
namespace {

const char* word_of_interval(IntervalKind kind) {
  switch (kind) {
    case IntervalKind::bootstrap: return "bootstrap";
    case IntervalKind::regression: return "regression";
    case IntervalKind::rows: break;
  }
  return "rows";
}

Json interval_json(const ScoreInterval& interval) {
  return Json::array({interval.low, interval.high});
}

// "FID"
std::string title_of(std::string metric) {
  std::ranges::transform(metric, metric.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  });
  return metric;
}

Json estimate(double value, const std::string& unit, std::optional<double> std_error,
              std::int64_t n) {
  return to_json(
      Quantity{.value = value, .unit = unit, .kind = "estimate", .std_error = std_error, .n = n});
}

Json subsets_json(const std::vector<double>& values) {
  double mean = 0, squares = 0;
  const auto count = static_cast<double>(values.size());
  for (const double value : values) mean += value / count;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return Json::object()
      .set("mean",
           estimate(mean, "KID", std::sqrt(squares / (count - 1) / count), std::ssize(values)))
      .set("std", std::sqrt(squares / count));
}

struct NamedShares {
  const char* name;
  const RowShares NeighbourScores::*shares;
  bool of_fake;  // shares belong to rows of the samples; else to real rows
};
constexpr std::array neighbour_names = {NamedShares{"precision", &NeighbourScores::precision, true},
                                        NamedShares{"recall", &NeighbourScores::recall, false},
                                        NamedShares{"density", &NeighbourScores::density, true},
                                        NamedShares{"coverage", &NeighbourScores::coverage, false}};

Json neighbours_json(const NeighbourScores& scores, const SideCounts& rows) {
  Json json = Json::object().set("real_rows", rows.real).set("fake_rows", rows.fake);
  for (const NamedShares& one : neighbour_names) {
    const RowShares& shares = scores.*one.shares;
    json.set(one.name,
             estimate(shares.mean(), "ratio", shares.std_error(), std::ssize(shares.shares)));
  }
  return json;
}

const char* word_of_better(Better better) {
  if (better == Better::neither) return "neither";
  return better == Better::a ? "A" : "B";
}

Json difference_json(const ScoreDifference& difference, Better better, double level) {
  return Json::object()
      .set("difference", difference.value)
      .set("std_error", difference.std_error)
      .set(interval_key(level), interval_json(difference.interval))
      .set("interval", word_of_interval(difference.interval.kind))
      .set("better", word_of_better(better));
}

// Shares of real rows are compared row by row; A and B have different samples.
ScoreDifference difference_of(const RowShares& a, const RowShares& b, bool of_fake, double level) {
  ScoreDifference difference{.value = a.mean() - b.mean()};
  difference.std_error = std::hypot(a.std_error(), b.std_error());
  if (!of_fake) {
    RowShares moves = a;
    for (std::size_t i = 0; i < moves.shares.size(); ++i) moves.shares[i] -= b.shares[i];
    difference.std_error = moves.std_error();
  }
  difference.interval = rows_interval(difference.value, difference.std_error, level);
  return difference;
}

}  // namespace

std::string interval_key(double level) {
  // 100 times 0.999 is not a short decimal, its shortest decimal in single precision is.
  return "ci" + to_text(static_cast<float>(100 * level));
}

Json to_json(const Extrapolation& told, const std::string& unit, double level) {
  const ScoreLine& line = told.line;
  Json points = Json::array();
  for (const ScorePoint& point : told.points)
    points.push(
        Json::object().set("n", point.n).set("repeat", point.repeat).set("score", point.score));
  const auto enough = told.rows_for_one_percent();
  return Json::object()
      .set("infinity", estimate(line.intercept, unit, told.std_error, told.most))
      .set("slope", line.slope)
      .set("r2", line.r2 ? Json(*line.r2) : Json())
      .set("residual_std", line.residual_std)
      .set("slope_std_error", line.slope_std_error)
      .set(interval_key(level), interval_json(told.interval))
      .set("interval", word_of_interval(told.interval.kind))
      .set("at_max_n", estimate(told.at_most, unit, told.at_most_std_error, told.most))
      .set("bias_at_max_n", told.bias_at_most())
      .set("n_for_1_percent", enough ? Json(*enough) : Json())
      .set("points", std::move(points));
}

Json metrics_json(const Judgement& judgement, double level) {
  Json metrics = Json::object();
  for (const auto& [metric, told] : judgement.lines) {
    Json json = to_json(told, title_of(metric), level);
    if (metric == "kid" && judgement.kid_full)
      json.set("full", estimate(judgement.kid_full->value, "KID", judgement.kid_full->std_error,
                                judgement.n));
    if (metric == "kid" && !judgement.kid_subsets.empty()) {
      const Json subsets = subsets_json(judgement.kid_subsets);
      for (const auto& [key, value] : subsets.members()) json.set(key, value);
    }
    metrics.set(metric, std::move(json));
  }
  if (judgement.neighbours)
    metrics.set("prdc", neighbours_json(*judgement.neighbours, judgement.neighbour_rows));
  return metrics;
}

Json comparison_json(const Judgement& a, const Judgement& b, double level) {
  Json comparison = Json::object();
  for (const auto& [metric, told] : a.lines) {
    const ScoreDifference moved = difference(told, *b.find(metric), level);
    const WantedSide wanted = metric == "is" ? WantedSide::high : WantedSide::low;
    comparison.set(metric, difference_json(moved, better_of(moved, wanted), level));
  }
  if (!a.neighbours) return comparison;
  for (const NamedShares& one : neighbour_names) {
    const ScoreDifference moved =
        difference_of((*a.neighbours).*one.shares, (*b.neighbours).*one.shares, one.of_fake, level);
    comparison.set(one.name, difference_json(moved, better_of(moved, WantedSide::high), level));
  }
  return comparison;
}

void add_line_series(App& app, const Extrapolation& told, const std::string& metric,
                     const std::string& of) {
  const std::string title = title_of(metric);
  Series points{.name = metric + of, .x_label = "1/N", .y_label = title, .x = {}, .y = {}};
  for (const ScorePoint& point : told.points) {
    points.x.push_back(1 / static_cast<double>(point.n));
    points.y.push_back(point.score);
  }
  Series line{.name = metric + of + " line",
              .x_label = "1/N",
              .y_label = title,
              .x = {0},
              .y = {told.line.intercept}};
  std::vector<double> errors = {told.std_error_at(0)};
  std::vector<double> places = points.x;
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  for (const double place : places) {
    line.x.push_back(place);
    line.y.push_back(told.line.at(place));
    errors.push_back(told.std_error_at(place));
  }
  app.add_series(to_json(points).set("style", "points"));
  app.add_series(to_json(line).set("style", "line").set("std_error", Json::array_of(errors)));
}

std::string summary_of(const Judgement& judgement) {
  std::vector<std::string> parts;
  for (const auto& [metric, told] : judgement.lines)
    parts.push_back(metric + ' ' + four_digits(told.line.intercept) + " (" +
                    four_digits(told.interval.low) + " to " + four_digits(told.interval.high) +
                    "), " + four_digits(told.at_most) + " at " + std::to_string(told.most));
  if (judgement.neighbours)
    for (const NamedShares& one : neighbour_names)
      parts.push_back(std::string(one.name) + ' ' +
                      four_digits(((*judgement.neighbours).*one.shares).mean()));
  return join_text(parts, "; ");
}

std::string summary_of(const Json& comparison) {
  std::vector<std::string> parts;
  for (const auto& [metric, told] : comparison.members()) {
    const std::string& better = told.at("better").string();
    parts.push_back(metric + ": " + (better == "neither" ? better : better + " is better"));
  }
  return join_text(parts, "; ");
}

}  // namespace logpx
