// Fuzz target of the texts that tools read back: the first byte chooses whether the rest is
// settings of a family's models or of what they are asked, as `--config` gives them, or a report or
// a training history that is described and drawn. Nothing comes of it but an error of data or
// usage.
#include "formats/draw/report_chart.hpp"
#include "formats/inspection.hpp"
#include "formats/json/fields_json.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/families/registry.hpp"
#include "tests/support/fuzz_bytes.hpp"

#include <algorithm>
#include <array>

using namespace logpx;

namespace {

void read_into(Knobs& knobs, const Json& settings) {
  Fields fields;
  knobs.describe(fields);
  read_settings(fields, settings, "fuzz", Origin::config);
}

void read_model_settings(const std::string& text) {
  const Json settings = Json::parse(text, "fuzz");
  for (const Family& family : families()) {
    try {
      Fields fields;
      const auto draft = family.draft();
      draft->describe(fields);
      read_settings(fields, settings, "fuzz", Origin::config);
    } catch (const Error&) {  // another family may know these words
    }
    for (const Job job : {Job::score, Job::sample, Job::code})
      for (const auto& knobs : family.knobs_of(job)) {
        try {
          read_into(*knobs, settings);
        } catch (const Error&) {
        }
      }
  }
}

void draw_report(const std::string& text) {
  (void)describe_text(text, "fuzz");
  const std::vector<draw::ChartInput> inputs = {draw::parse_chart_input(text, "fuzz")};
  draw::ChartRequest request;
  for (std::string& name : draw::chart_names(inputs, request))
    if (request.names.size() < 8) request.names.push_back(std::move(name));
  (void)draw::chart_of(inputs, request);
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

// Every other time a word is changed, so that the text stays one that is read to its end.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  if (size < 2 || seed % 2 == 0) return LLVMFuzzerMutate(data, size, most);
  std::array<std::uint8_t, 6> choices{};
  for (std::uint8_t& choice : choices) {
    seed = seed * 1664525 + 1013904223;
    choice = static_cast<std::uint8_t>(seed >> 24);
  }
  testing::FuzzBytes input(choices.data(), choices.size());
  std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  testing::change_word(text, input);
  text.resize(std::min(text.size(), most - 1));
  std::ranges::copy(text, data + 1);
  return text.size() + 1;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  try {
    if (data[0] % 2 == 0) read_model_settings(text);
    else draw_report(text);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data && error.kind() != ErrorKind::usage) __builtin_trap();
  }
  return 0;
}
