// Lossless coding by bits back: the VAE's conditionals as the entropy coder takes them.
// [BB-ANS; codec/README 4.2]
#pragma once

#include "libcore/model/codec.hpp"

#include <memory>

namespace logpx::vae {

class VaeModel;

// Its plan() refuses models that cannot code, such as those with a likelihood of real x, which is
// no probability of what is stored.
[[nodiscard]] std::unique_ptr<ModelCodec> make_codec(const VaeModel& model);

}  // namespace logpx::vae
