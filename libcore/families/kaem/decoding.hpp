// From s, sums of z, to the heads of the likelihood: as a graph, and as numbers.
#pragma once

#include "libcore/model/latent_decoder.hpp"

#include <memory>
#include <span>
#include <vector>

namespace logpx::kaem {

class KaemModel;

// Takes s [n,Q] where LatentDecoder speaks of "z".
[[nodiscard]] LatentDecoder make_decoder(const KaemModel& model, const Numerics& numerics = {});

// s and, behind it in each row, the numbers of Generator::noise_size() that are added before the
// last activation.
[[nodiscard]] LatentDecoder make_noisy_decoder(const KaemModel& model);

// All heads of all s, for LikelihoodPairs: [n, D per_dim] each, or [1] where shared.
using HeadMatrices = std::vector<std::vector<float>>;
[[nodiscard]] HeadMatrices decode_all(const LatentDecoder& decoder,
                                      const LatentDecoder::Latents& latents);
[[nodiscard]] Likelihood::HeadValues spans_of(const HeadMatrices& heads);

}  // namespace logpx::kaem
