// p(z) of latents that depend on one another: a mixture of gaussians, whose component is coded as
// one more latent.   [codec/README 4.2]
#pragma once

#include "libcore/codec/analytic.hpp"

#include <cstddef>
#include <span>

namespace logpx::codec {

// All numbers are computed by libcore/det. Any thread may call it.
class ComponentPrior {
 public:
  virtual ~ComponentPrior() = default;
  // The components' weights, at least 0.
  [[nodiscard]] virtual std::span<const double> weights() const = 0;
  // ln of the weight times the density of each component, [components].
  virtual void log_joint(std::span<const double> z, std::span<double> nats) const = 0;
  // A latent in a component, given the latents before it, of which there are before.size().
  [[nodiscard]] virtual Normal next(std::size_t component,
                                    std::span<const double> before) const = 0;
};

}  // namespace logpx::codec
