#include "formats/draw/report_chart.hpp"

#include "libcore/base/error.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

namespace logpx::report_chart_test {

using namespace logpx::draw;

namespace {

std::string report_text(const std::string& result, const std::string& series = "[]") {
  std::string text = R"({
  "schema": "logpx.report/1", "tool": "elbo-eval", "command": ["elbo-eval", "m.h5", "d.h5"],
  "inputs": [{"role": "data", "path": "/far/d.h5", "kind": "dataset"}],
  "result": )";
  return text.append(result).append(", \"series\": ").append(series).append("}\n");
}

const char* const result = R"({"family": "vae",
  "log_likelihood": {"value": -98.4, "unit": "nats", "kind": "lower_bound", "std_error": 0.0312},
  "bits_per_dim": {"value": 0.18, "unit": "bits/dim", "kind": "lower_bound"},
  "terms": {"kl": {"value": 25, "unit": "nats", "kind": "estimate"}}, "count": 7})";

const char* const history =
    "{\"step\": 1, \"samples_seen\": 10, \"elbo_train\": -5, \"elbo_valid\": null, \"kl\": 1}\n"
    "\n"
    "{\"step\": 2, \"samples_seen\": 20, \"elbo_train\": -4, \"elbo_valid\": -6, \"kl\": 2}\n";

}  // namespace

TEST_CASE("report chart: the quantities of a report are bars, one panel for each unit") {
  const Chart chart = chart_of({parse_chart_input(report_text(result), "a.json")}, {});
  REQUIRE(chart.panels.size() == 2);
  REQUIRE(chart.panels[0].bars.size() == 2);
  CHECK(chart.panels[0].bars[0].label == "log_likelihood (lower bound)");
  CHECK(chart.panels[0].bars[0].value == -98.4);
  CHECK(chart.panels[0].bars[0].text == "-98.400 ± 0.031");
  CHECK(chart.panels[0].bars[1].label == "terms.kl (estimate)");
  CHECK(chart.panels[0].x.label == "nats (error bars: one standard error)");
  CHECK(chart.panels[1].x.label == "bits/dim");
  CHECK(chart.panels[1].bars[0].text == "≤ 0.18");
  CHECK(chart.title == "elbo-eval, d.h5");
  CHECK(chart.sources == std::vector<std::string>{"a: elbo-eval m.h5 d.h5"});
}

TEST_CASE("report chart: equal quantities of several reports lie side by side") {
  const ChartInput a = parse_chart_input(report_text(result), "a.json");
  const ChartInput b = parse_chart_input(report_text(result), "b.json");
  const Chart chart = chart_of({a, b}, {.names = {"terms.kl", "log_likelihood"}});
  REQUIRE(chart.panels.size() == 1);
  const auto& bars = chart.panels[0].bars;
  REQUIRE(bars.size() == 4);
  CHECK(bars[0].label == bars[1].label);
  CHECK(bars[0].series == "a");
  CHECK(bars[1].series == "b");
  CHECK(bars[2].label == "log_likelihood (lower bound)");
}

TEST_CASE("report chart: series are curves, null is a gap, and equal axes share a panel") {
  const char* const series = R"([
    {"name": "fid", "x": [1, 2], "y": [3, null], "x_label": "1/N", "y_label": "FID",
     "style": "points", "std_error": [0.5, null]},
    {"name": "fit", "x": [0, 2], "y": [1, 4], "x_label": "1/N", "y_label": "FID"},
    {"name": "scores", "x": [0], "y": [1], "x_label": "score", "y_label": "count",
     "style": "histogram"}])";
  const Chart chart = chart_of({parse_chart_input(report_text(result, series), "a.json")}, {});
  REQUIRE(chart.panels.size() == 2);
  REQUIRE(chart.panels[0].curves.size() == 2);
  CHECK(chart.panels[0].bars.empty());
  CHECK(chart.panels[0].curves[0].style == CurveStyle::points);
  CHECK(chart.panels[0].curves[0].y[0] == 3);
  CHECK(std::isnan(chart.panels[0].curves[0].y[1]));
  CHECK(chart.panels[0].curves[0].std_error[0] == 0.5);
  CHECK(chart.panels[1].curves[0].style == CurveStyle::histogram);
}

TEST_CASE("report chart: of a history the two sides of a measure are drawn first") {
  const ChartInput input = parse_chart_input(history, "m.history.jsonl");
  CHECK(input.lines.size() == 2);
  const Chart chart = chart_of({input}, {});
  REQUIRE(chart.panels.size() == 1);
  REQUIRE(chart.panels[0].curves.size() == 2);
  CHECK(chart.panels[0].curves[0].label == "elbo_train");
  CHECK(chart.panels[0].curves[0].x == std::vector<double>{1, 2});
  CHECK(chart.panels[0].curves[1].x == std::vector<double>{2});  // not measured at step 1
  CHECK(chart.panels[0].y.label == "elbo / nats");               // in every training tool
}

TEST_CASE("report chart: names, the x axis and scales are what was asked for") {
  const ChartInput input = parse_chart_input(history, "h.jsonl");
  const Chart chart =
      chart_of({input}, {.names = {"kl"}, .x = "samples_seen", .x_scale = AxisScale::log});
  REQUIRE(chart.panels.size() == 1);
  CHECK(chart.panels[0].curves[0].x == std::vector<double>{10, 20});
  CHECK(chart.panels[0].x.label == "samples seen");
  CHECK(chart.panels[0].x.scale == AxisScale::log);
  CHECK(chart_names({input}, {}) ==
        std::vector<std::string>{"samples_seen", "elbo_train", "elbo_valid", "kl"});
}

TEST_CASE("report chart: a header of a history names tool and units") {
  std::string text =
      "{\"schema\": \"logpx.history/1\", \"tool\": \"train-vae\", \"units\": {\"kl\": \"nats\"}}\n";
  const ChartInput input = parse_chart_input(text.append(history), "h.jsonl");
  CHECK(input.lines.size() == 2);
  const Chart chart = chart_of({input}, {.names = {"kl"}});
  CHECK(chart.panels[0].y.label == "kl / nats");
  CHECK(chart.title == "train-vae");
}

TEST_CASE("report chart: terms of a loss are in bits where the history has bits") {
  const auto label_of = [](const std::string& line, const std::string& key) {
    const ChartInput input = parse_chart_input(line, "h.jsonl");
    return chart_of({input}, {.names = {key}, .x = "seconds"}).panels[0].y.label;
  };
  const std::string diffusion =
      "{\"step\": 1, \"seconds\": 2, \"loss\": 3, \"prior\": 1, \"bits_per_dim_valid\": 3}\n";
  CHECK(label_of(diffusion, "loss") == "loss / bits/dim");
  CHECK(label_of(diffusion, "prior") == "prior / bits/dim");
  CHECK(label_of(diffusion, "bits_per_dim_valid") == "bits per dim");
  const std::string other =
      "{\"step\": 1, \"seconds\": 2, \"loss\": 3, \"nll_bound_valid\": 3, \"log_p_valid\": -3, "
      "\"bits_valid\": 1, \"recon_sq_error\": 4, \"grad_norm\": 1}\n";
  CHECK(label_of(other, "loss") == "loss / nats");
  CHECK(label_of(other, "nll_bound_valid") == "nll bound / nats");
  CHECK(label_of(other, "log_p_valid") == "log p / nats");
  CHECK(label_of(other, "bits_valid") == "bits / dim");
  CHECK(label_of(other, "recon_sq_error") == "recon sq error / squared values");
  CHECK(label_of(other, "grad_norm") == "grad norm");  // a number without a unit
}

TEST_CASE("report chart: several inputs are told apart in the legend") {
  const ChartInput a = parse_chart_input(history, "a.jsonl"),
                   b = parse_chart_input(history, "b.jsonl");
  const Chart chart = chart_of({a, b}, {.names = {"kl"}});
  REQUIRE(chart.panels[0].curves.size() == 2);
  CHECK(chart.panels[0].curves[0].label == "a: kl");
  CHECK(chart.panels[0].curves[1].label == "b: kl");
}

TEST_CASE("report chart: what is neither report nor history is refused by name") {
  for (const char* const text :
       {"", "[1]\n", "{\"schema\": \"logpx.dataset/1\"}", "{\n\"a\": 1}\n", "x"})
    try {
      (void)parse_chart_input(text, "a.json");
      FAIL("no error for ", text);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::data);
      CHECK(std::string(error.what()).find("a.json") != std::string::npos);
    }
  const ChartInput no_step = parse_chart_input("{\"kl\": 1}\n", "a.jsonl");
  CHECK_THROWS_AS((void)chart_of({no_step}, {}), Error);
}

TEST_CASE("report chart: an unknown name is a usage error with a suggestion") {
  try {
    (void)chart_of({parse_chart_input(history, "a.jsonl")}, {.names = {"elbo_vlid"}});
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    CHECK(error.message().find("did you mean elbo_valid?") != std::string::npos);
  }
}

TEST_CASE("report chart: the series of a report are drawn beside a history") {
  const std::string level = R"([{"name": "published", "x": [10, 20], "y": [-3, -3],
    "x_label": "samples seen", "y_label": "elbo / nats"}])";
  const Chart chart = chart_of({parse_chart_input(history, "m.history.jsonl"),
                                parse_chart_input(report_text("{}", level), "paper.json")},
                               {.x = "samples_seen"});
  REQUIRE(chart.panels.size() == 1);
  REQUIRE(chart.panels[0].curves.size() == 3);
  CHECK(chart.panels[0].curves[2].label == "paper: published");
}

}  // namespace logpx::report_chart_test
