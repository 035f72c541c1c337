// The parameters of an archive: everything beside the model that a decoder must know, in the
// header's canonical JSON; what comes from a file is checked like any hostile input.
// [spec/coding.md section 6]
#pragma once

#include "formats/archive/content.hpp"
#include "formats/json/value.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace logpx::compress {

struct Parameters {
  std::string codec = "none";  // the family's word
  archive::CodingUnits units;
  Json settings = Json::object();  // the codec's own: latent_bits, particles, order ...
  int lanes = 1;                   // of blocks that the model codes
  std::string model;               // what it is, for people: "784-500-40, mnist"
  std::string probe;               // hash of the message of a fixed item; empty without a model
  std::string program, host;       // informative

  [[nodiscard]] Json json() const;
  [[nodiscard]] static Parameters parse(const Json& json);
};

}  // namespace logpx::compress
