// Lossless coding by a codebook of prior samples, or by bits back with an encoder.
// [kaem/README 11]
#pragma once

#include "libcore/base/parallel.hpp"
#include "libcore/codec/bits_back.hpp"
#include "libcore/model/codec.hpp"
#include "libcore/model/likelihood.hpp"

#include <memory>

namespace logpx::kaem {

// Bits back on the normal scores of a KAEM, whose prior is N(0, I) whatever its energies are: a
// bin's representative becomes z through tabulated inverses of F.   [kaem/README 11.2]

class KaemModel;

// `likelihood` is what codes whole numbers by the model's heads. Refers to both, and holds
// tables of the prior as it is now.
[[nodiscard]] std::shared_ptr<const codec::LatentCoding> make_encoder_coding(
    const KaemModel& model, const Likelihood& likelihood, Workers& workers);

class KaemModel;

// Refers to the model. plan() fails with the reason where a model cannot code.
[[nodiscard]] std::unique_ptr<ModelCodec> make_codec(const KaemModel& model);

}  // namespace logpx::kaem
