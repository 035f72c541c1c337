// A mixture of normal distributions of one number.
//
//   const NormalMixture twins = {{{0.5, -1, 0.2}, {0.5, 1, 0.2}}};
//   const double half = twins.below(0);        // 0.5
//   const double low = twins.quantile(0.05);   // twins.below(low) is 0.05
#pragma once

#include <vector>

namespace logpx {

struct NormalMixture {
  struct Part {
    double weight = 0, mean = 0, deviation = 1;
  };
  std::vector<Part> parts = {};  // weights sum to 1

  // The probability of all that is at most x, and its slope.
  [[nodiscard]] double below(double x) const;
  [[nodiscard]] double density(double x) const;
  // The x below which lies u, between 0 and 1.
  [[nodiscard]] double quantile(double u) const;
};

}  // namespace logpx
