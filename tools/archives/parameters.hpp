// The parameters of an archive: everything besides the model that a decoder must know, in the
// header's canonical JSON; what comes from a file is checked like any hostile input.
// [logpx-archive(5)]
#pragma once

#include "formats/archive/content.hpp"
#include "formats/json/value.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace logpx::compress {

// The default number of items in a block.
[[nodiscard]] std::int64_t usual_block_items(const archive::CodingUnits& units);
// Hexadecimal digits that are kept of the hash of the probe.
inline constexpr std::size_t probe_digits = 16;

struct Parameters {
  std::string codec = "none";  // the family's word
  archive::CodingUnits units;
  Json settings = Json::object();  // of the plan, as texts: latent_bits, particles, order ...
  int lanes = 1;                   // in blocks that the model codes
  std::string probe;               // hash of the message of a fixed item; empty without a model
  std::string host;                // informative
  std::string prime;               // hash of what the adaptive coder reads first; may be empty

  // "vae, items 28x28x1 of 256 levels"
  [[nodiscard]] std::string model_words() const;
  // Leaves out defaults.
  [[nodiscard]] Json json() const;
  [[nodiscard]] static Parameters parse(const Json& json);
};

}  // namespace logpx::compress
