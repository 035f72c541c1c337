#include "formats/draw/report_chart.hpp"

#include "formats/draw/history_units.hpp"
#include "formats/draw/mixed_inputs.hpp"
#include "formats/file/signature.hpp"
#include "formats/report.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/spelling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace logpx::draw {

namespace {

constexpr const char* history_schema = "logpx.history/1";
// Keys that count the steps of a history: drawn only when asked for.
constexpr std::array<std::string_view, 6> counters = {"step",    "epoch", "samples_seen",
                                                      "seconds", "lr",    "eta"};

struct FoundCurve {
  std::string name;
  std::size_t input = 0;  // its number
  bool of_history = false;
  std::string x_label, y_label;
  Curve curve;
};
struct FoundQuantity {
  std::string name;
  std::size_t input = 0;
  Quantity quantity;
};
struct Found {
  std::vector<FoundCurve> curves;
  std::vector<FoundQuantity> quantities;
};

template <typename Items, typename Item>
bool contains(const Items& items, const Item& item) {
  return std::find(items.begin(), items.end(), item) != items.end();
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (!contains(names, name)) names.push_back(name);
}

double number_or_gap(const Json* value) {
  return value != nullptr && value->is_number() ? value->number() : static_cast<double>(NAN);
}

std::vector<double> numbers(const Json& array) {
  std::vector<double> result;
  for (const Json& item : array.items()) result.push_back(number_or_gap(&item));
  return result;
}

CurveStyle style_of(const Json& series) {
  const Json* style = series.find("style");
  if (style == nullptr || style->string() == "line") return CurveStyle::line;
  if (style->string() == "points") return CurveStyle::points;
  if (style->string() == "histogram") return CurveStyle::histogram;
  fail(ErrorKind::data, "series " + series.at("name").string(),
       "style is " + style->dump(-1) + ", expected line, points or histogram");
}

FoundCurve series_curve(const Json& series, std::size_t input) {
  FoundCurve found{
      .name = series.at("name").string(),
      .input = input,
      .x_label = series.at("x_label").string(),
      .y_label = series.at("y_label").string(),
      .curve = {
          .style = style_of(series), .x = numbers(series.at("x")), .y = numbers(series.at("y"))}};
  if (const Json* errors = series.find("std_error")) found.curve.std_error = numbers(*errors);
  const std::size_t count = found.curve.x.size(), errors = found.curve.std_error.size();
  if (found.curve.y.size() != count || (errors != 0 && errors != count))
    fail(ErrorKind::data, "series " + found.name, "x, y and std_error have different lengths");
  return found;
}

std::string spaced(std::string word) {
  std::replace(word.begin(), word.end(), '_', ' ');
  return word;
}

// "elbo / nats"
std::string with_unit(const Json& header, const std::string& key, const std::string& text) {
  const Json* unit = header.at("units").find(key);
  if (unit != nullptr && unit->is_string()) return spaced(text) + " / " + unit->string();
  return spaced(text);
}

void find_in_history(const ChartInput& input, std::size_t number, const std::string& x,
                     Found& found) {
  std::vector<std::string> keys;
  bool has_x = false;
  for (const Json& line : input.lines)
    for (const auto& [key, value] : line.members()) {
      if ((value.is_number() || value.is_null()) && key != x) add_once(keys, key);
      has_x = has_x || (key == x && value.is_number());
    }
  if (!has_x && x == "step")
    fail(ErrorKind::data, input.label, "is not a training history: no line has a step");
  if (!has_x)
    fail(ErrorKind::usage, "--x", input.label + " has no number " + x + did_you_mean(x, keys));
  for (const std::string& key : keys) {
    FoundCurve one{.name = key,
                   .input = number,
                   .of_history = true,
                   .x_label = with_unit(input.header, x, x),
                   .y_label = with_unit(input.header, key, stem_of(key)),
                   .curve = {}};
    for (const Json& line : input.lines) {
      const Json* value = line.find(key);
      if (value == nullptr || !value->is_number()) continue;  // not measured at this step
      one.curve.x.push_back(number_or_gap(line.find(x)));
      one.curve.y.push_back(value->number());
    }
    if (!one.curve.x.empty()) found.curves.push_back(std::move(one));
  }
}

// Quantities at any depth of objects: "log_likelihood", "terms.kl".
void find_quantities(const Json& value, const std::string& path, std::size_t input, Found& found) {
  if (!value.is_object()) return;
  if (const std::optional<Quantity> quantity = as_quantity(value)) {
    if (std::isfinite(quantity->value)) found.quantities.push_back({path, input, *quantity});
    return;
  }
  for (const auto& [key, member] : value.members())
    find_quantities(member, path.empty() ? key : path + '.' + key, input, found);
}

Found find_all(const std::vector<ChartInput>& inputs, const std::string& x) {
  Found found;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Json& report = inputs[i].report;
    if (report.is_null()) {
      find_in_history(inputs[i], i, x, found);
      continue;
    }
    if (const Json* series = report.find("series"))
      for (const Json& one : series->items()) found.curves.push_back(series_curve(one, i));
    find_quantities(report.at("result"), "", i, found);
  }
  return found;
}

std::vector<std::string> names_of(const Found& found) {
  std::vector<std::string> names;
  for (const FoundCurve& curve : found.curves) add_once(names, curve.name);
  for (const FoundQuantity& quantity : found.quantities) add_once(names, quantity.name);
  return names;
}

// When nothing is asked for: the curves if there are any (in reports all, in histories those with a
// train, valid or test side); else all quantities.
std::vector<std::string> chosen_names(const Found& found) {
  std::vector<std::string> sides, curves, quantities;
  bool has_sides = false;
  for (const FoundCurve& one : found.curves) {
    const bool is_side = one.of_history && stem_of(one.name) != one.name;
    has_sides = has_sides || is_side;
    if (is_side || !one.of_history) add_once(sides, one.name);
    if (!contains(counters, one.name)) add_once(curves, one.name);
  }
  for (const FoundQuantity& one : found.quantities) add_once(quantities, one.name);
  if (has_sides) return sides;
  return curves.empty() ? quantities : curves;
}

// For each input, what is drawn about log p; in a history also all that has two sides.
std::vector<DrawnUnits> drawn_units(const Found& found, const std::vector<std::string>& names,
                                    std::size_t inputs) {
  std::vector<DrawnUnits> drawn(inputs);
  const auto note = [&](std::size_t input, const std::string& unit, bool sides) {
    const bool bits = unit.find("bits") != std::string::npos;
    drawn[input].bits = drawn[input].bits || bits;
    drawn[input].nats =
        drawn[input].nats || (!bits && (sides || unit.find("nats") != std::string::npos));
  };
  for (const FoundCurve& one : found.curves)
    if (contains(names, one.name))
      note(one.input, one.y_label, one.of_history && stem_of(one.name) != one.name);
  for (const FoundQuantity& one : found.quantities)
    if (contains(names, one.name)) note(one.input, one.quantity.unit, false);
  return drawn;
}

Panel& panel_of(Chart& chart, const Axis& x, const Axis& y) {
  for (Panel& panel : chart.panels)
    if (panel.x.label == x.label && panel.y.label == y.label) return panel;
  return chart.panels.emplace_back(Panel{.x = x, .y = y});
}

// "-500:", ":0" or "-500:0"
Axis limited(Axis axis, const std::string& text) {
  if (text.empty()) return axis;
  const std::size_t colon = text.find(':');
  const auto bad = [&] {
    fail(ErrorKind::usage, "--y-range", "'" + text + "' is not LOW:HIGH, such as -500: or 0:10");
  };
  if (colon == std::string::npos) bad();
  const auto end = [&](const std::string& part) {
    const std::optional<double> value = parse_real(part);
    if (!part.empty() && !value) bad();
    return value;
  };
  axis.low = end(text.substr(0, colon));
  axis.high = end(text.substr(colon + 1));
  if (axis.low && axis.high && !(*axis.low < *axis.high)) bad();
  if (axis.scale == AxisScale::log && std::min(axis.low.value_or(1), axis.high.value_or(1)) <= 0)
    fail(ErrorKind::usage, "--y-range", "'" + text + "' reaches zero, which --log-y never does");
  return axis;
}

// In the order of the names, so that --series decides what comes first.
void add_curves(Chart& chart, const Found& found, const ChartRequest& request,
                const std::vector<std::string>& names, const std::vector<std::string>& labels) {
  std::vector<std::string> inputs;
  for (const FoundCurve& one : found.curves) add_once(inputs, labels[one.input]);
  for (const std::string& name : names)
    for (const FoundCurve& one : found.curves) {
      if (one.name != name) continue;
      Curve curve = one.curve;
      curve.label = inputs.size() > 1 ? labels[one.input] + ": " + name : name;
      panel_of(chart, {one.x_label, request.x_scale},
               limited({one.y_label, request.y_scale}, request.y_range))
          .curves.push_back(std::move(curve));
    }
}

void add_bars(Chart& chart, const Found& found, const std::vector<std::string>& names,
              const std::vector<std::string>& labels) {
  std::vector<std::string> units;
  for (const FoundQuantity& one : found.quantities)
    if (contains(names, one.name)) add_once(units, one.quantity.unit);
  for (const std::string& unit : units) {
    Panel panel;
    bool errors = false;
    for (const std::string& name : names)
      for (const FoundQuantity& one : found.quantities) {
        if (one.name != name || one.quantity.unit != unit) continue;
        const Quantity& quantity = one.quantity;
        errors = errors || quantity.std_error.has_value();
        panel.bars.push_back({.label = one.name + " (" + kind_text(quantity) + ')',
                              .series = labels[one.input],
                              .value = quantity.value,
                              .std_error = quantity.std_error,
                              .text = people_text(quantity)});
      }
    panel.x.label = unit + (errors ? " (error bars: one standard error)" : "");
    chart.panels.push_back(std::move(panel));
  }
}

// "elbo-eval, digits.h5", for a history the tool that its header names.
std::string title_of(const ChartInput& input) {
  const Json& about = input.report.is_null() ? input.header : input.report;
  const Json* tool = about.find("tool");
  std::string title = tool != nullptr ? tool->string() : input.label;
  if (const Json* files = about.find("inputs"))
    for (const Json& file : files->items())
      if (file.at("kind").string() == "dataset")
        return title + ", " + std::filesystem::path(file.at("path").string()).filename().string();
  return title;
}

std::string source_of(const ChartInput& input) {
  const Json& about = input.report.is_null() ? input.header : input.report;
  const Json* command = about.find("command");
  std::string text = input.label + ':';
  if (command == nullptr) return text + ' ' + title_of(input);
  for (const Json& word : command->items()) text += ' ' + word.string();
  return text;
}

// A syntax error is reported with its place in the file: the line is parsed again at that place.
Json parse_line(const std::string& line, std::size_t lines_before, const std::string& name) {
  try {
    return Json::parse(line, name);
  } catch (const Error&) {
    return Json::parse(std::string(lines_before, '\n') + line, name);
  }
}

}  // namespace

ChartInput parse_chart_input(const std::string& text, const std::string& name) {
  if (text.starts_with(hdf5_magic))
    fail(ErrorKind::data, name, "is an HDF5 artifact, expected a report or a history",
         "every tool writes its report with --report FILE");
  const std::span<const std::byte> bytes = std::as_bytes(std::span(text));
  if (!may_be_json(bytes)) fail_as_foreign(bytes, name, "a report or a history");
  ChartInput input{.name = name, .label = std::filesystem::path(name).stem().string()};
  const std::size_t first_end = text.find('\n');
  const std::string first = text.substr(0, first_end);
  const bool by_lines = first.find_first_not_of(" \t\r{") != std::string::npos;
  if (!by_lines) {
    input.report = Json::parse(text, name);
  } else {
    const std::vector<std::string> lines = split_text(text, '\n');
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].find_first_not_of(" \t\r") == std::string::npos) continue;
      Json line = parse_line(lines[i], i, name);
      if (!line.is_object())
        fail(ErrorKind::data, name + ':' + std::to_string(i + 1), "is not a JSON object");
      const Json* schema = line.find("schema");
      if (schema == nullptr) input.lines.push_back(std::move(line));
      else if (*schema == Json(history_schema)) input.header = std::move(line);
      else input.report = std::move(line);
    }
  }
  note_reading(input);
  if (input.report.is_null() && !input.lines.empty()) {
    if (input.header.is_null()) input.header = Json::object();
    input.header.set("units", units_of_history(input.header, input.lines));
    return input;
  }
  const Json* schema = input.report.find("schema");
  if (schema == nullptr || !(*schema == Json(report_schema)) || !input.lines.empty())
    fail(ErrorKind::data, name, "is neither a report nor a training history",
         "tools write a report with --report FILE.json, trainers a history with --log FILE.jsonl");
  return input;
}

std::vector<std::string> chart_names(const std::vector<ChartInput>& inputs,
                                     const ChartRequest& request) {
  return names_of(find_all(inputs, request.x));
}

Chart chart_of(const std::vector<ChartInput>& inputs, const ChartRequest& request) {
  const Found found = find_all(inputs, request.x);
  const std::vector<std::string> known = names_of(found);
  if (known.empty())
    fail(ErrorKind::data, inputs.front().name, "holds neither series nor quantities");
  for (const std::string& name : request.names)
    if (!contains(known, name))
      fail(ErrorKind::usage, "--series", "nothing is named " + name + did_you_mean(name, known),
           "there are " + join_text(known, ", "));
  const std::vector<std::string> names =
      request.names.empty() ? chosen_names(found) : request.names;

  Chart chart;
  std::vector<std::string> titles;
  for (const ChartInput& input : inputs) {
    add_once(titles, title_of(input));
    chart.sources.push_back(source_of(input));
  }
  chart.title = join_text(titles, "; ");
  const std::vector<std::string> labels =
      labels_apart(inputs, drawn_units(found, names, inputs.size()), request);
  add_curves(chart, found, request, names, labels);
  add_bars(chart, found, names, labels);
  return chart;
}

}  // namespace logpx::draw
