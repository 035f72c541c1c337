#include "formats/draw/mixed_inputs.hpp"

#include "formats/measure.hpp"
#include "libcore/base/error.hpp"

namespace logpx::draw {
namespace {

std::string text_in(const Json* object, const char* key) {
  const Json* const value = object == nullptr ? nullptr : object->find(key);
  return value != nullptr && value->is_string() ? value->string() : "";
}

// One spelling for each rule.
std::string rule_in(const Json* object) {
  const std::string rule = text_in(object, "binarise");
  return rule == "threshold" ? rule + ":128" : rule;
}

// Something in which inputs may differ: what messages and legends say of each input.
struct Difference {
  std::vector<std::string> words, labels;  // of each input; empty where it does not matter
  std::string why, hint;
};

Difference of_binarisation(const std::vector<ChartInput>& inputs,
                           const std::vector<DrawnUnits>& drawn) {
  Difference found{.words = {},
                   .labels = {},
                   .why = ", which are other data",
                   .hint = "--mix-binarisation draws them, and the legend says which is which"};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string& rule = inputs[i].binarise;
    const bool matters = (drawn[i].nats || drawn[i].bits) && !rule.empty(), none = rule == "none";
    found.words.push_back(!matters ? "" : none ? "data as they are" : "data binarised by " + rule);
    found.labels.push_back(none ? "not binarised" : rule);
  }
  return found;
}

Difference of_measure(const std::vector<ChartInput>& inputs, const std::vector<DrawnUnits>& drawn) {
  Difference found{.words = {},
                   .labels = {},
                   .why = ", which has another scale",
                   .hint = "--mix-measures draws them, and the legend says which is which"};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const MeasuredAs& measured = inputs[i].measured;
    const bool matters = drawn[i].nats && measured.known();
    found.words.push_back(matters ? "a " + measured.text() : "");
    found.labels.push_back(measured.text());
  }
  return found;
}

// Adds to the labels if inputs differ and may do so.
void tell_apart(const std::vector<ChartInput>& inputs, const Difference& found, bool allowed,
                std::vector<std::string>& labels) {
  std::size_t first = inputs.size();
  bool differ = false;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (found.words[i].empty()) continue;
    if (first == inputs.size()) first = i;
    if (found.words[i] == found.words[first]) continue;
    if (!allowed)
      fail(ErrorKind::refused, inputs[i].name,
           "is about " + found.words[i] + ", and " + inputs[first].name + " about " +
               found.words[first] + found.why,
           found.hint);
    differ = true;
  }
  for (std::size_t i = 0; i < inputs.size() && differ; ++i)
    if (!found.words[i].empty()) labels[i] += " (" + found.labels[i] + ')';
}

}  // namespace

void note_reading(ChartInput& input) {
  if (const Json* const result = input.report.find("result")) {
    input.binarise = rule_in(result);
    if (input.binarise.empty()) input.binarise = rule_in(input.report.find("config"));
    input.measured = measure_in(*result);
  }
  for (const Json& line : input.lines) {
    input.measured = measure_in(line);
    if (!input.measured.known()) continue;  // of an older version, which says neither
    input.binarise = rule_in(&line);
    if (input.binarise.empty()) input.binarise = "none";
    break;
  }
}

std::vector<std::string> labels_apart(const std::vector<ChartInput>& inputs,
                                      const std::vector<DrawnUnits>& drawn,
                                      const ChartRequest& request) {
  std::vector<std::string> labels;
  for (const ChartInput& input : inputs) labels.push_back(input.label);
  tell_apart(inputs, of_binarisation(inputs, drawn), request.mix_binarisation, labels);
  tell_apart(inputs, of_measure(inputs, drawn), request.mix_measures, labels);
  return labels;
}

}  // namespace logpx::draw
