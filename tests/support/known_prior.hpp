// A model whose prior is known in closed form: energies are formulas, with a wiggle where one is
// wanted, and x is a linear map of the sums of z, layer by layer.
#pragma once

#include "libcore/model/prior.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace logpx::testing {

struct KnownComponent {
  Formula formula = {};
  double wiggle = 0;  // times sin(40 z), added to the formula
  double weight = 1;
};

struct KnownPriorConfig {
  PriorShape shape;
  BaseDensity base = {.kind = BaseDensity::Kind::gaussian};
  double low = -1.5, high = 1.5;
  std::vector<KnownComponent> components;  // [Q, P]
  // Matrices [inputs, outputs] of linear layers, the first with Q inputs: their edges are |w s|.
  std::vector<std::vector<double>> layers;
};

class KnownPrior final : public Model, public ModelPrior {
 public:
  explicit KnownPrior(KnownPriorConfig config);

  [[nodiscard]] const ModelInfo& info() const override { return info_; }
  void describe(Fields&) override {}
  void params(const TensorVisitor&) override {}

  [[nodiscard]] PriorShape shape() const override { return config_.shape; }
  [[nodiscard]] PriorComponent component(std::int64_t q, std::int64_t p) const override;
  [[nodiscard]] std::vector<double> draw(std::int64_t first, std::int64_t count,
                                         Rng rng) const override;
  [[nodiscard]] std::vector<float> decode(std::span<const double> z,
                                          const std::optional<Noise>& noise) const override;
  [[nodiscard]] std::vector<LayerEdges> edge_scores(std::span<const double> z) const override;
  [[nodiscard]] std::unique_ptr<Model> changed(const PriorChanges& changes) const override;

  [[nodiscard]] const KnownPriorConfig& config() const { return config_; }

 private:
  [[nodiscard]] std::vector<double> sums(std::span<const double> z) const;

  KnownPriorConfig config_;
  ModelInfo info_;
};

// The prior of a model that was made by changing one.
[[nodiscard]] inline const ModelPrior& prior_of(const Model& changed) {
  return dynamic_cast<const ModelPrior&>(changed);
}

}  // namespace logpx::testing
