#include "libcore/eval/moments.hpp"

#include "libcore/base/index.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

double square_of(std::span<const double> table) {
  double sum = 0;
  for (std::size_t k = 0; k < table.size(); ++k)
    sum += table[k] * static_cast<double>(k) * static_cast<double>(k);
  return sum;
}

}  // namespace

double mean_value(std::span<const double> table) {
  double sum = 0;
  for (std::size_t k = 0; k < table.size(); ++k) sum += table[k] * static_cast<double>(k);
  return sum;
}

ValueMoments value_moments(const ModelQueries& queries, const Evidence& rows, std::int64_t i,
                           std::span<const std::int64_t> places, Pairs pairs) {
  const std::int64_t levels = queries.levels();
  ValueMoments moments{
      .places = {places.begin(), places.end()}, .mean = {}, .square = {}, .covariance = {}};
  Evidence free = rows.repeat(i, 1);
  for (const std::int64_t place : places) free.row(0)[at(place)] = -1;
  const auto table_at = [&](const std::vector<double>& p, std::int64_t row, std::int64_t place) {
    return std::span(p).subspan(at((row * rows.width + place) * levels), at(levels));
  };
  const ValueTables alone = queries.tables(free);
  if (!std::isfinite(alone.nats[0])) return moments;
  for (const std::int64_t place : places) {
    moments.mean.push_back(mean_value(table_at(alone.p, 0, place)));
    moments.square.push_back(square_of(table_at(alone.p, 0, place)));
  }
  if (pairs == Pairs::none) return moments;
  const std::size_t count = places.size();
  moments.covariance.resize(count * count);
  for (std::size_t a = 0; a < count; ++a) {
    const std::int64_t own = queries.levels_at(places[a]);
    Evidence set = free.repeat(0, own);
    for (std::int64_t k = 0; k < own; ++k) set.row(k)[at(places[a])] = static_cast<std::int32_t>(k);
    const std::vector<double> given = queries.tables(set).p;
    const std::span<const double> weights = table_at(alone.p, 0, places[a]);
    for (std::size_t b = 0; b < count; ++b) {
      double product = 0;
      for (std::int64_t k = 0; k < own; ++k)
        product +=
            weights[at(k)] * static_cast<double>(k) * mean_value(table_at(given, k, places[b]));
      moments.covariance[a * count + b] =
          (a == b ? moments.square[a] : product) - moments.mean[a] * moments.mean[b];
    }
  }
  return moments;
}

double tail_probability(std::span<const double> calibration, double nats) {
  const auto behind = std::ranges::upper_bound(calibration, nats);
  return static_cast<double>(1 + (behind - calibration.begin())) /
         static_cast<double>(std::ssize(calibration) + 1);
}

}  // namespace logpx
