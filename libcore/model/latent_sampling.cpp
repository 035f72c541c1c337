#include "libcore/model/latent_sampling.hpp"

#include "libcore/base/index.hpp"
#include "libcore/model/mean_rows.hpp"

namespace logpx {

void LatentSamplingSettings::describe(Fields& f) {
  f.add("mean", mean, "write the mean of p(x|z), not a draw")
      .about(
          "A mean is smooth where a draw is grained. It is no sample of the model: the file says "
          "so, and scores of samples (fid-extrapolate) should be taken of draws.");
  f.add("temperature", temperature, "factor on z").range(0, 1e6).rank(Rank::manual);
}

DatasetInfo LatentSampling::rows() const {
  const DatasetInfo& samples = model_.info().samples;
  return settings_.mean ? mean_info(samples) : row_info(samples);
}

SampleChunk LatentSampling::make(std::int64_t first, std::int64_t last, Rng rng) const {
  std::vector<float> z(at((last - first) * latents_->dims()));
  latents_->draw_prior(z, first, rng);
  for (float& value : z) value *= static_cast<float>(settings_.temperature);
  SampleChunk chunk;
  if (settings_.mean) {
    append_means(model_.info().samples, latents_->mean(z), chunk.rows);
  } else {
    chunk.rows.count = last - first;
    latents_->sample(z, chunk.rows, first, rng);
  }
  chunk.codes = {SampleCode::of<float>("latent", {latents_->dims()}, z)};
  return chunk;
}

}  // namespace logpx
