// From s, sums of z, to the heads of the likelihood: as a graph, and as numbers.
#pragma once

#include "libcore/families/kaem/positions.hpp"
#include "libcore/model/latent_decoder.hpp"

#include <optional>
#include <span>
#include <vector>

namespace logpx::kaem {

class KaemModel;

// Takes s [n,Q] where LatentDecoder speaks of "z".
[[nodiscard]] LatentDecoder make_decoder(const KaemModel& model, const Numerics& numerics = {});

// s and, behind it in each row, the numbers of Generator::noise_size() that are added before the
// last activation.
[[nodiscard]] LatentDecoder make_noisy_decoder(const KaemModel& model);

// x from s [n,Q] by a trained model: means of x, and draws of it.
class RowDecoder {
 public:
  explicit RowDecoder(const KaemModel& model);
  // As ModelLatents::mean; the likeliest symbol of each position after those before it, where the
  // generator sees these.
  [[nodiscard]] std::vector<float> mean(std::span<const float> s) const;
  // As ModelLatents::sample.
  void sample(std::span<const float> s, Rows& out, std::int64_t first, Rng rng) const;

 private:
  [[nodiscard]] std::vector<float> likeliest(std::span<const float> s) const;
  void sample_positions(std::span<const float> s, Rows& out, std::int64_t first, Rng rng) const;
  const KaemModel& model_;
  LatentDecoder decoder_;
  std::optional<PositionDecoder> by_position_;
};

// All heads of all s, for LikelihoodPairs: [n, D per_dim] each, or [1] where shared.
using HeadMatrices = std::vector<std::vector<float>>;
[[nodiscard]] HeadMatrices decode_all(const LatentDecoder& decoder,
                                      const LatentDecoder::Latents& latents);
[[nodiscard]] Likelihood::HeadValues spans_of(const HeadMatrices& heads);

}  // namespace logpx::kaem
