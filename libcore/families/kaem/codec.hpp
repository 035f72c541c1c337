// Lossless coding by a codebook of prior samples, or by bits back with an encoder.
// [spec/kaem.md section 18]
#pragma once

#include "libcore/model/codec.hpp"

#include <memory>

namespace logpx::kaem {

class KaemModel;

// It refers to the model. Plans say why a model cannot code.
[[nodiscard]] std::unique_ptr<ModelCodec> make_codec(const KaemModel& model);

}  // namespace logpx::kaem
