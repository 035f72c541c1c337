#include "formats/measure.hpp"

#include <string>

namespace logpx {

void add_measure(Json& json, const MeasuredAs& measured) {
  if (!measured.known()) return;
  json.set("measure", measured.word);
  if (!measured.density_of.empty()) json.set("density_of", measured.density_of);
  if (!measured.comparable_to_rgb) json.set("comparable_to_rgb", false);
}

MeasuredAs measure_in(const Json& json) {
  const auto text = [&](const char* key) {
    const Json* const value = json.find(key);
    return value != nullptr && value->is_string() ? value->string() : std::string();
  };
  return {.word = text("measure"),
          .density_of = text("density_of"),
          .comparable_to_rgb = json.find("comparable_to_rgb") == nullptr};
}

}  // namespace logpx
