// A coding whose prior is a mixture, with the numbers given.
#pragma once

#include "libcore/det/functions.hpp"
#include "tests/support/toy_codings.hpp"

#include <limits>

namespace logpx::toy {

// The networks of toy::Vae under a mixture of gaussians, in which neighbours go together.
class OfComponents final : public codec::LatentCoding, public codec::ComponentPrior {
 public:
  explicit OfComponents(Vae vae) : vae_(std::move(vae)) {}
  [[nodiscard]] std::size_t item_size() const override { return vae_.item_size(); }
  [[nodiscard]] std::size_t latents() const override { return vae_.latents(); }
  [[nodiscard]] const codec::ComponentPrior* prior() const override { return this; }
  void posterior(std::span<const std::uint8_t> items, std::span<float> mean,
                 std::span<float> log_var) const override {
    vae_.posterior(items, mean, log_var);
  }
  [[nodiscard]] std::unique_ptr<codec::SymbolVector> likelihood(
      std::span<const float> z) const override {
    return vae_.likelihood(z);
  }

  [[nodiscard]] std::span<const double> weights() const override { return weights_; }
  void log_joint(std::span<const double> z, std::span<double> nats) const override {
    nats[2] = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < 2; ++k) {
      nats[k] = det_log(weights_[k]);
      for (std::size_t d = 0; d < z.size(); ++d) {
        const codec::Normal normal = next(k, z.first(d));
        const double off = (z[d] - normal.mu) / normal.sigma;
        nats[k] = nats[k] - 0.5 * off * off - det_log(normal.sigma) - 0.91893853320467274178;
      }
    }
  }
  [[nodiscard]] codec::Normal next(std::size_t component,
                                   std::span<const double> before) const override {
    const double above = before.empty() ? 0.0 : before.back();
    return component == 0 ? codec::Normal{0.5 + 0.75 * above, 0.5}
                          : codec::Normal{-0.25 * above, 1.0};
  }

 private:
  Vae vae_;
  std::array<double, 3> weights_ = {0.25, 0.75, 0};
};

}  // namespace logpx::toy
