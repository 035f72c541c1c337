// Expectations of values of a row given those that are present.   [eval/README 9]
#pragma once

#include "libcore/model/queries.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

struct ValueMoments {
  std::vector<std::int64_t> places;
  std::vector<double> mean, square;  // E x, E x^2
  // [places, places] if asked for; NaN for two different real numbers.
  std::vector<double> covariance;
};

enum class Pairs { none, all };

// For these places of row i, all taken as missing; without means if the other values are
// impossible. Each pair takes one pass for every value of one of its places, one that holds
// categories.
[[nodiscard]] ValueMoments value_moments(const ModelQueries& queries, const Evidence& rows,
                                         std::int64_t i, std::span<const std::int64_t> places,
                                         Pairs pairs);

// The mean under probabilities of 0, 1, 2 ..., as ModelQueries::tables has them.
[[nodiscard]] double mean_value(const ModelQueries& queries, std::int64_t place,
                                std::span<const double> table);

// (1 + #{calibration rows that are not more likely}) / (n + 1): how far out in the tail a row lies.
// `calibration` in ascending order.
[[nodiscard]] double tail_probability(std::span<const double> calibration, double nats);

}  // namespace logpx
