// Sampling of any model with latents: z ~ p(z), x ~ p(x|z), giving z along with x. A family that
// says how its latents are made, and nothing of its own about samples, is sampled so.
#pragma once

#include "libcore/model/latents.hpp"
#include "libcore/model/plan.hpp"

#include <memory>
#include <utility>

namespace logpx {

struct LatentSamplingSettings {
  bool mean = false;
  double temperature = 1;  // z ~ N(0, temperature^2)
  void describe(Fields& fields);
};

class LatentSampling final : public SamplingPlan {
 public:
  // Refers to the model.
  LatentSampling(const Model& model, std::shared_ptr<const ModelLatents> latents)
      : model_(model), latents_(std::move(latents)) {}
  void describe(Fields& fields) override { settings_.describe(fields); }
  [[nodiscard]] DatasetInfo rows() const override;
  [[nodiscard]] bool gives_means() const override { return settings_.mean; }
  [[nodiscard]] SampleChunk make(std::int64_t first, std::int64_t last, Rng rng) const override;

 private:
  const Model& model_;
  std::shared_ptr<const ModelLatents> latents_;
  LatentSamplingSettings settings_;
};

}  // namespace logpx
