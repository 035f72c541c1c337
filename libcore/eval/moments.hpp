// Expectations of the values of a row given those that are there.   [eval/README 9]
#pragma once

#include "libcore/model/queries.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

struct ValueMoments {
  std::vector<std::int64_t> places;
  std::vector<double> mean, square;  // E x, E x^2
  // [places, places] where it was asked for; NaN for two different real numbers.
  std::vector<double> covariance;
};

enum class Pairs { none, all };

// Of these places of row i, which are missing or are taken as if they were. Nothing (no mean) where
// the others cannot be. Each pair takes a pass for every value of that of its places which holds
// categories.
[[nodiscard]] ValueMoments value_moments(const ModelQueries& queries, const Evidence& rows,
                                         std::int64_t i, std::span<const std::int64_t> places,
                                         Pairs pairs);

// Of the probabilities of 0, 1, 2 ..., as ModelQueries::tables has them.
[[nodiscard]] double mean_value(std::span<const double> table);

// (1 + #{calibration rows that are not more likely}) / (n + 1): how far out in the tail a row lies.
// `calibration` in ascending order.
[[nodiscard]] double tail_probability(std::span<const double> calibration, double nats);

}  // namespace logpx
