#include "formats/draw/history_units.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace logpx::draw {

namespace {

constexpr std::array<std::string_view, 5> loss_terms = {"loss", "recon", "kl", "prior",
                                                        "diffusion"};
constexpr std::array<std::pair<std::string_view, const char*>, 13> usual_units = {
    {{"elbo", "nats"},
     {"nll", "nats"},
     {"nll_bound", "nats"},
     {"log_p", "nats"},
     {"log_evidence", "nats"},
     {"log_evidence_valid_se", "nats"},
     {"objective", "nats"},
     {"kl_order", "nats"},
     {"bits", "dim"},
     {"ess", "samples"},
     {"ess_min", "samples"},
     {"recon_sq_error", "squared values"},
     {"seconds", "s"}}};

// Null for counts and unknown keys.
const char* usual_unit(const std::string& stem, const char* of_loss) {
  if (std::find(loss_terms.begin(), loss_terms.end(), stem) != loss_terms.end()) return of_loss;
  for (const auto& [name, unit] : usual_units)
    if (stem == name) return unit;
  return nullptr;
}

}  // namespace

std::string stem_of(const std::string& key) {
  for (const std::string_view part : {"train", "valid", "test"}) {
    if (key.size() <= part.size() + 1) continue;
    if (key.ends_with(part) && key[key.size() - part.size() - 1] == '_')
      return key.substr(0, key.size() - part.size() - 1);
    if (key.starts_with(part) && key[part.size()] == '_') return key.substr(part.size() + 1);
  }
  return key;
}

Json units_of_history(const Json& header, const std::vector<Json>& lines) {
  const Json* given = header.find("units");
  Json units = given != nullptr ? *given : Json::object();
  const char* of_loss = "nats";
  for (const Json& line : lines)
    for (const auto& [key, value] : line.members())
      if (stem_of(key) == "bits_per_dim") of_loss = "bits/dim";
  for (const Json& line : lines)
    for (const auto& [key, value] : line.members()) {
      const char* unit = usual_unit(stem_of(key), of_loss);
      if (unit != nullptr && units.find(key) == nullptr) units.set(key, unit);
    }
  return units;
}

}  // namespace logpx::draw
