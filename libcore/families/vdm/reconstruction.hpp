// p(x|z_0): for levels, a softmax over all of them by their squared distance to z_0 / alpha_0; for
// real numbers, a normal.   [VDM sec. 3.2, app. B; vdm/README 6.1]
//
//   const LevelDecoder decoder(256, gamma_0);
//   const double nats = decoder.log_probability(level, z_0 / alpha_0);
#pragma once

#include "libcore/base/index.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace logpx::vdm {

// Level k of V as a number between -1 and 1, in the middle of its cell.
[[nodiscard]] inline double value_of_level(std::int64_t k, std::int64_t levels) {
  return 2 * (static_cast<double>(k) + 0.5) / static_cast<double>(levels) - 1;
}
[[nodiscard]] inline std::int64_t level_of_value(double x, std::int64_t levels) {
  return std::lround((x + 1) * static_cast<double>(levels) / 2 - 0.5);
}
// The largest such value; the smallest is its negative.
[[nodiscard]] inline double top_value(std::int64_t levels) {
  return 1 - 1 / static_cast<double>(levels);
}

// p(x|z_0) of one component, with r = z_0 / alpha_0. Sums leave out levels that are 12 deviations
// further away than the nearest one is.
class LevelDecoder {
 public:
  LevelDecoder(std::int64_t levels, double gamma_0);

  [[nodiscard]] double log_probability(std::int64_t level, double r) const;
  // Derivatives of ln p by r, and by gamma_0 at fixed r.
  struct Slopes {
    double r = 0, gamma_0 = 0;
  };
  [[nodiscard]] Slopes slopes(std::int64_t level, double r) const;
  // The mean level, and a draw by u in (0, 1).
  [[nodiscard]] double mean_level(double r) const;
  [[nodiscard]] std::int64_t draw(double r, double u) const;
  // p of each level over that of the nearest one: weights for the coder's tables.
  void weights(double r, std::span<double> each) const;

  [[nodiscard]] std::int64_t levels() const { return levels_; }

 private:
  // Levels that sums go over: [begin, end) around the one that is nearest to r.
  struct Window {
    std::int64_t nearest, begin, end;
    double off;  // r less the value of the nearest
  };
  [[nodiscard]] Window window(double r) const;
  // ln p less that of the nearest level, at most 0.
  [[nodiscard]] double relative(const Window& near, std::int64_t level) const {
    const double step = static_cast<double>(level - near.nearest) * spacing_;
    return -0.5 * precision_ * step * (step - 2 * near.off);
  }
  template <typename Use>
  void for_each_weight(const Window& near, Use use) const;

  std::int64_t levels_, reach_;
  double spacing_, precision_;
};

// -ln p(x|z_0) of one real component, with off = x - z_0 / alpha_0; and its expectation.
[[nodiscard]] double real_nats(double gamma_0, double off);
[[nodiscard]] double expected_real_nats(double gamma_0);

}  // namespace logpx::vdm
