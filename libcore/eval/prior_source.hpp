// Samples of a model's prior from uniform numbers, by the inverse of each of its densities.
// [eval/README 7]
//
//   const PriorSource source(*can.prior, {.method = Inversion::exact}, workers);
//   const auto points = sobol_points(source.uniforms(), rng);
//   InverseSampler sampler(source, *points, workers);
//   const std::vector<float> x = decoded(*can.prior, sampler.draw(0, 64), {}, workers);
#pragma once

#include "libcore/eval/inverse_samples.hpp"
#include "libcore/model/prior.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace logpx {

class PriorSource final : public InverseSource {
 public:
  // Keeps references to the prior and the threads. A component without finite mass is a numeric
  // error that names its place.
  PriorSource(const ModelPrior& prior, const InversionOptions& options, Workers& workers);

  // One for each p where they are shared; one for each (q,p), or, of a mixture, two for each q: the
  // first chooses the component, the second its z.
  [[nodiscard]] std::int64_t uniforms() const override;
  [[nodiscard]] std::vector<std::int64_t> shape() const override;  // [Q,P], of a mixture [Q]
  // The least and the largest end over all components.
  [[nodiscard]] std::pair<double, double> domain() const override;
  void map(std::span<const double> u, std::span<double> z) const override;
  [[nodiscard]] double u_error(std::span<const double> u, std::span<const double> z) const override;

  // For a mixture: the p that these numbers choose for every latent of the samples, [n,Q].
  [[nodiscard]] std::vector<std::int32_t> components(std::span<const double> u) const;

 private:
  // The samples of one component: their u, and their places in z.
  struct Share {
    std::vector<double> u, z;
    std::vector<std::size_t> places;
  };
  [[nodiscard]] std::int64_t count() const { return shape_.latents * shape_.parts; }
  // The numbers of samples and, for a mixture, the components that they choose, [n,Q].
  struct Uniforms {
    std::span<const double> u;
    std::vector<std::int32_t> chosen;
  };
  [[nodiscard]] Uniforms with_choices(std::span<const double> u) const;
  void gather(std::int64_t number, const Uniforms& from, Share& share) const;

  const ModelPrior& prior_;
  Workers& workers_;
  PriorShape shape_;
  std::vector<double> weights_;                      // alpha [Q,P], for a mixture
  std::vector<std::optional<InverseCdf>> inverses_;  // [Q,P]; none for removed ones
  std::pair<double, double> domain_;
};

// The means of p(x|z) of these samples, [n, dims of x], as ModelPrior::decode gives them; each
// depends on its number, not on how many there are.
[[nodiscard]] std::vector<float> decoded(const ModelPrior& prior, const InverseSamples& samples,
                                         const std::optional<ModelPrior::Noise>& noise,
                                         Workers& workers);

}  // namespace logpx
