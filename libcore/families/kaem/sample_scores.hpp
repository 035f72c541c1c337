// log p(x_b|s_k) of every row b under every sample k, as importance sampling asks for it: by heads
// that all rows share or, where the generator sees the symbols of a row, by graphs of pairs.
// [kaem/README 6]
#pragma once

#include "libcore/math/repeatable.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace logpx::kaem {

class KaemModel;

class SampleScores {
 public:
  virtual ~SampleScores() = default;
  // s [S,Q] under these weights; both must live until the next call. One thread calls it, before
  // the function below.
  virtual void take(std::span<const float> theta, std::span<const float> s) = 0;
  // x [B,D] to [B,S]. Any thread.
  virtual void log_prob(std::span<const float> x, std::span<double> log_p) const = 0;
  [[nodiscard]] virtual std::int64_t samples() const = 0;
  [[nodiscard]] virtual std::int64_t dims() const = 0;  // D
};

// Refers to the model.
[[nodiscard]] std::unique_ptr<SampleScores> sample_scores(const KaemModel& model,
                                                          const Numerics& numerics);

}  // namespace logpx::kaem
