// Two small models with latents whose evidence is known: linear-Gaussian in closed form, and a
// Bernoulli decoder with one tanh layer, in two dimensions, by quadrature.
#pragma once

#include "formats/json/value.hpp"
#include "libcore/model/abilities.hpp"

#include <memory>
#include <span>
#include <vector>

namespace logpx::testing {

class LatentFixture : public Model, public ModelLatents {
 public:
  [[nodiscard]] const ModelInfo& info() const override { return info_; }
  void describe(Fields&) override {}
  void params(const TensorVisitor&) override {}

  [[nodiscard]] std::int64_t dims() const override { return dims_; }
  [[nodiscard]] std::unique_ptr<LatentJoint> joint(const Examples& examples,
                                                   std::int64_t copies) const override;
  void draw_prior(std::span<float> z, std::int64_t first, Rng rng) const override;
  [[nodiscard]] std::vector<float> observed(const Examples& examples) const override;

  // log p(x|z) of one example; adds its gradient by z.
  [[nodiscard]] virtual double log_likelihood(std::span<const double> x, std::span<const double> z,
                                              std::span<double> gradient) const = 0;
  [[nodiscard]] std::vector<double> example(const Rows& rows, std::size_t row) const;

 protected:
  ModelInfo info_;
  std::int64_t dims_ = 0;
};

// What such a model can do, which is no model of a family.
[[nodiscard]] Abilities abilities(const LatentFixture& model);

// x = W z + b + sqrt(sigma2) noise. Scores exactly; q(z|x) is the best diagonal Gaussian.
class LinearGaussian final : public LatentFixture {
 public:
  struct Weights {
    std::vector<double> w, b;  // [D, J], [D]
    double sigma2 = 1;
  };
  LinearGaussian(Weights weights, std::int64_t dims);
  [[nodiscard]] Posterior encode(const Examples& examples) const override;
  [[nodiscard]] std::vector<float> mean(std::span<const float> z) const override;
  void sample(std::span<const float> z, Rows& out, std::int64_t first, Rng rng) const override;
  [[nodiscard]] double log_likelihood(std::span<const double> x, std::span<const double> z,
                                      std::span<double> gradient) const override;
  [[nodiscard]] double log_evidence(std::span<const double> x) const;

 private:
  [[nodiscard]] std::vector<double> posterior_mean(std::span<const double> x) const;
  Weights weights_;
  std::vector<double> precision_;  // of the posterior, [J, J]
};

[[nodiscard]] Abilities abilities(const LinearGaussian& model);  // scoring included

// The model of golden/vae/wake_sleep; without an encoder.
class TinyBernoulli final : public LatentFixture {
 public:
  explicit TinyBernoulli(const Json& params);
  [[nodiscard]] bool has_posterior() const override { return false; }
  [[nodiscard]] Posterior encode(const Examples& examples) const override;
  [[nodiscard]] std::vector<float> mean(std::span<const float> z) const override;
  void sample(std::span<const float> z, Rows& out, std::int64_t first, Rng rng) const override;
  [[nodiscard]] double log_likelihood(std::span<const double> x, std::span<const double> z,
                                      std::span<double> gradient) const override;

 private:
  [[nodiscard]] std::vector<double> hidden(std::span<const double> z) const;
  [[nodiscard]] double logit_of(std::span<const double> g, std::size_t d) const;
  std::vector<double> wd_, bd_, wo_, bo_;  // [J, H], [H], [H, D], [D]
};

// x [rows, dims] as a JSON file has it, in the element type of the model's data.
[[nodiscard]] Rows rows_of(const DatasetInfo& info, const Json& x);
[[nodiscard]] std::vector<double> numbers(const Json& nested);  // flattened

}  // namespace logpx::testing
