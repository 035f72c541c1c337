// Bits back with one layer of latents: z is drawn from q(z|x) with bits of the message, then x is
// coded under p(x|z) and z under p(z); the net length tends to the negative ELBO.
// [BB-ANS, McBits; codec/README 4.2, 4.3]
//
// A family gives a LatentCoding and gets both schemes:
//   const BitsBack scheme(coding, {.bins = coding.bins(12, workers)});
//   const Particles particles(coding, {.bins = coding.bins(12, workers)}, 16);
#pragma once

#include "libcore/codec/bins.hpp"
#include "libcore/codec/component_prior.hpp"
#include "libcore/codec/step_scheme.hpp"
#include "libcore/codec/symbol_vector.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace logpx::codec {

// All numbers are computed by libcore/det. Any thread may call it.
class LatentCoding {
 public:
  virtual ~LatentCoding() = default;
  [[nodiscard]] virtual std::size_t item_size() const = 0;
  [[nodiscard]] virtual std::size_t latents() const = 0;
  // The bins of each latent's prior, 2^bits of them: those of N(0, 1), unless a model has another
  // prior. They live as long as the coding. Not called from inside a run of the workers.
  [[nodiscard]] virtual std::vector<const Bins*> bins(int bits, Workers& workers) const;
  // p(z), where bins do not have equal mass under it; null: they have. It lives as long.
  [[nodiscard]] virtual const ComponentPrior* prior() const { return nullptr; }
  [[nodiscard]] virtual BeforeDraws before_draws() const { return BeforeDraws::nothing; }
  // q(z|x) of items [n, item_size], the last perhaps shorter: mean and log-variance [n, latents].
  // An item's numbers do not depend on the others.
  virtual void posterior(std::span<const std::uint8_t> items, std::span<float> mean,
                         std::span<float> log_var) const = 0;
  // p(x|z), z [latents].
  [[nodiscard]] virtual std::unique_ptr<SymbolVector> likelihood(
      std::span<const float> z) const = 0;
};

struct BitsBackSettings {
  std::vector<const Bins*> bins;  // of the prior of each latent, all with the same bits
  int precision = 24;             // of posteriors
  std::shared_ptr<const LatentCoding> coding = {};  // if the scheme is to own it
};
// The bins of N(0, 1) for every latent.
[[nodiscard]] std::vector<const Bins*> standard_bins(std::size_t latents, int bits,
                                                     Workers& workers);

// What is known of the item that is being coded.
struct LatentVariables {
  std::vector<std::uint8_t> x;
  std::size_t item = 0;
  std::vector<double> mean, deviation;                   // of q(z|x)
  std::vector<double> all_means, all_deviations;         // an encoder's, of all items
  std::vector<std::uint32_t> bins;                       // [latents]
  std::vector<std::uint32_t> shared, offsets, all_bins;  // particles: u; [K, latents]
  std::uint32_t chosen = 0;                              // and k
  std::uint32_t component = 0;                           // of a prior that has some
};

// What both schemes share: q over the bins, x under p(x|z), the prior.
class BinnedScheme : public StepScheme<LatentVariables> {
 public:
  BinnedScheme(const LatentCoding& coding, BitsBackSettings settings);
  [[nodiscard]] std::size_t item_size() const final { return coding_.item_size(); }
  // The mean and deviation of q(z|v.x).
  void know_posterior(LatentVariables& v) const;

 protected:
  [[nodiscard]] LatentVariables variables_for(std::span<const std::uint8_t> items,
                                              std::uint64_t block) const final;
  void code_likelihood_and_prior();  // the last steps
  // The middles of v.bins.
  [[nodiscard]] std::vector<double> centres(std::span<const std::uint32_t> bins) const;

  [[nodiscard]] PosteriorBins posterior(const LatentVariables& v, std::size_t d) const {
    return {*settings_.bins[d], {v.mean[d], v.deviation[d]}, settings_.precision};
  }
  [[nodiscard]] std::unique_ptr<SymbolVector> likelihood(std::span<const std::uint32_t> bins) const;

  const LatentCoding& coding_;
  BitsBackSettings settings_;

 private:
  void code_likelihood();
  void code_components(const ComponentPrior& prior);
};

// BB-ANS: bits of q(z|x) back, then p(x|z) and p(z).
class BitsBack final : public BinnedScheme {
 public:
  BitsBack(const LatentCoding& coding, BitsBackSettings settings);
  // The ELBO with one draw of z per item; its divergence is in closed form under N(0, 1), that of
  // the draw under a prior with components, else that of the bins.
  void score(std::span<const std::uint8_t> items, Rng rng, std::uint32_t first,
             std::span<double> nats) const override;

 private:
  double draw(const LatentVariables& v, std::size_t d, const Substream& noise, float& z) const;
  double draw_all(const LatentVariables& v, const Substream& noise, std::span<float> z) const;
};

// K coupled particles, one of them chosen by its importance weight: the net length tends to the
// bound by K samples, with the first bits of one (McBits BB-IS with coupled uniforms).
class Particles final : public BinnedScheme {
 public:
  Particles(const LatentCoding& coding, BitsBackSettings settings, std::uint32_t count);
  // The importance bound by K particles that share one draw.
  void score(std::span<const std::uint8_t> items, Rng rng, std::uint32_t first,
             std::span<double> nats) const override;

  // What the particle is drawn from, at v.x, v.shared and the posterior in v; fills v.all_bins.
  [[nodiscard]] Table choices(LatentVariables& v) const;

 private:
  [[nodiscard]] std::uint32_t shift(std::uint32_t k, std::size_t d) const;
  [[nodiscard]] std::vector<double> log_weights(LatentVariables& v) const;
  [[nodiscard]] double prior_against_bins(std::span<const std::uint32_t> bins) const;
  void restore(Message& message, LatentVariables& v) const;

  std::uint32_t count_;
};

}  // namespace logpx::codec
