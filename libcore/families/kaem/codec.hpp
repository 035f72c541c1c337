// Lossless coding by a codebook of prior samples, or by bits back with an encoder.
// [kaem/README 11]
#pragma once

#include "libcore/model/codec.hpp"

#include <memory>

namespace logpx::kaem {

class KaemModel;

// Refers to the model. plan() fails with the reason where a model cannot code.
[[nodiscard]] std::unique_ptr<ModelCodec> make_codec(const KaemModel& model);

}  // namespace logpx::kaem
