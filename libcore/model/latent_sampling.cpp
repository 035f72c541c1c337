#include "libcore/model/latent_sampling.hpp"

#include "libcore/base/index.hpp"
#include "libcore/model/mean_rows.hpp"

namespace logpx {

void LatentSamplingSettings::describe(Fields& f) {
  f.add("mean", mean, "write the mean of p(x|z), not a draw");
  f.add("temperature", temperature, "factor on z").range(0, 1e6).rank(Rank::manual);
}

DatasetInfo LatentSampling::rows() const {
  const DatasetInfo& samples = model_.info().samples;
  return settings_.mean ? mean_info(samples) : row_info(samples);
}

SampleChunk LatentSampling::make(std::int64_t first, std::int64_t last, Rng rng) const {
  const ModelLatents& latents = *model_.latents();
  std::vector<float> z(at((last - first) * latents.dims()));
  latents.draw_prior(z, first, rng);
  for (float& value : z) value *= static_cast<float>(settings_.temperature);
  SampleChunk chunk;
  if (settings_.mean) {
    append_means(model_.info().samples, latents.mean(z), chunk.rows);
  } else {
    chunk.rows.count = last - first;
    latents.sample(z, chunk.rows, first, rng);
  }
  chunk.codes = {SampleCode::of<float>("latent", {latents.dims()}, z)};
  return chunk;
}

}  // namespace logpx
