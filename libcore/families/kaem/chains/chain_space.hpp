// Where chains move: z itself, or the logits v of uniforms, z = F^-1(1 / (1 + e^-v)).
// [kaem/README 7.1]
#pragma once

#include "libcore/families/kaem/prior/prior_values.hpp"
#include "libcore/math/inverse_cdf.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace logpx::kaem {

// One thread at a time.
class ChainSpace {
 public:
  virtual ~ChainSpace() = default;
  [[nodiscard]] virtual std::int64_t dims() const = 0;
  // z [n,z_dims()] in the order of files, of places c [n,dims()].
  virtual void to_z(std::span<const double> c, std::span<double> z) = 0;
  // log of the prior's density at c, up to a constant [n], and its gradient [n,dims()]; both are
  // set.
  virtual void log_prior(std::span<const double> c, std::span<double> log_p,
                         std::span<double> gradient) = 0;
  // gradient += the gradient of a function whose slopes by s are by_s [n,Q], at the places of the
  // last to_z().
  virtual void pull_back(std::span<const float> by_s, std::span<double> gradient) const = 0;
};

// log_z [F,C] matters to mixtures only.
[[nodiscard]] std::unique_ptr<ChainSpace> z_space(const PriorValues& values,
                                                  std::span<const double> log_z);
// v [n,form.score_dims()], by the inverses of all numbers of z, which must outlive it.
[[nodiscard]] std::unique_ptr<ChainSpace> u_space(const PriorForm& form,
                                                  std::span<const InverseCdf> inverses);

}  // namespace logpx::kaem
