// Lossless coding by bits back: the VAE's conditionals as the entropy coder takes them.
// [BB-ANS; codec/README 4.2]
#pragma once

#include "libcore/model/codec.hpp"

#include <memory>

namespace logpx::vae {

class VaeModel;

// Its plan() refuses what does not code, such as likelihoods of real x, which are not probabilities
// of what is stored.
[[nodiscard]] std::unique_ptr<ModelCodec> make_codec(const VaeModel& model);

}  // namespace logpx::vae
