// Samples of a model's prior from uniform numbers, by the inverse of each of its densities.
// [eval/README 7]
//
//   const PriorSource source(*model.prior(), {.method = Inversion::exact}, workers);
//   const auto points = sobol_points(source.uniforms(), rng);
//   InverseSampler sampler(source, *points, workers);
//   const std::vector<float> x = decoded(*model.prior(), sampler.draw(0, 64), {}, workers);
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
  // Borrows the prior and the threads. A component that has no finite mass is a numeric error with
  // its place for a subject.
  PriorSource(const ModelPrior& prior, const InversionOptions& options, Workers& workers);

  // One for each p where they are shared; one for each (q,p), or, of a mixture, two for each q: the
  // first chooses the component, the second its z.
  [[nodiscard]] std::int64_t uniforms() const override;
  [[nodiscard]] std::vector<std::int64_t> shape() const override;  // [Q,P], of a mixture [Q]
  // The least and the largest end of all components.
  [[nodiscard]] std::pair<double, double> domain() const override;
  void map(std::span<const double> u, std::span<double> z) const override;
  [[nodiscard]] double u_error(std::span<const double> u, std::span<const double> z) const override;

  // Of a mixture: p of every latent of the samples that these numbers make, [n,Q].
  [[nodiscard]] std::vector<std::int32_t> components(std::span<const double> u) const;

 private:
  // The samples that one component makes: their u, and where in z they belong.
  struct Share {
    std::vector<double> u, z;
    std::vector<std::size_t> places;
  };
  [[nodiscard]] std::int64_t count() const { return shape_.latents * shape_.parts; }
  // Numbers of samples and, of a mixture, the components that they choose, [n,Q].
  struct Uniforms {
    std::span<const double> u;
    std::vector<std::int32_t> chosen;
  };
  [[nodiscard]] Uniforms with_choices(std::span<const double> u) const;
  void gather(std::int64_t number, const Uniforms& from, Share& share) const;

  const ModelPrior& prior_;
  Workers& workers_;
  PriorShape shape_;
  std::vector<double> weights_;                      // alpha [Q,P] of a mixture
  std::vector<std::optional<InverseCdf>> inverses_;  // [Q,P]; none where it was removed
  std::pair<double, double> domain_;
};

// The means of p(x|z) of these samples, [n, dims of x], as ModelPrior::decode gives them; each
// depends on its number, not on how many there are.
[[nodiscard]] std::vector<float> decoded(const ModelPrior& prior, const InverseSamples& samples,
                                         const std::optional<ModelPrior::Noise>& noise,
                                         Workers& workers);

}  // namespace logpx
