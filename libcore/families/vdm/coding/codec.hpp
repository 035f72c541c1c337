// Lossless coding through T levels of noise.   [vdm/README 12]
#pragma once

#include "libcore/families/vdm/grids/step_knobs.hpp"
#include "libcore/model/codec.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace logpx::vdm {

enum class CodingOrder { bitswap, bb_ans };

struct CodingSettings {
  StepKnobs steps;
  CodingOrder order = CodingOrder::bitswap;
  std::string latent_bits;  // of bb-ans
  void describe(Fields& fields);
};
// Its plan() refuses models of real numbers, of more than 256 levels, and those that need a label.
[[nodiscard]] std::unique_ptr<ModelCodec> make_codec(const DiffusionModel& model);

}  // namespace logpx::vdm
