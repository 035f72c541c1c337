#include "libcore/eval/moments.hpp"

#include "libcore/base/index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace logpx {
namespace {

// The expectation of a power of a value that is known.
double power_mean(const ModelQueries& queries, std::int64_t place, std::span<const double> table,
                  int power) {
  double sum = 0, known = 0;
  for (std::int64_t k = 0; k < queries.known_at(place); ++k) {
    const double value = queries.value_at(place, k), p = table[at(k)];
    sum += p * (power == 1 ? value : value * value), known += p;
  }
  const bool news = queries.known_at(place) < queries.levels_at(place);
  return news && known > 0 ? sum / known : sum;
}

}  // namespace

double mean_value(const ModelQueries& queries, std::int64_t place, std::span<const double> table) {
  return power_mean(queries, place, table, 1);
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
  const auto mean_at = [&](const ValueTables& tables, std::int64_t row, std::int64_t place) {
    if (queries.is_real(place)) return tables.reals[at(row * rows.width + place)].mean;
    return mean_value(queries, place, table_at(tables.p, row, place));
  };
  const ValueTables alone = queries.tables(free);
  if (!std::isfinite(alone.nats[0])) return moments;
  for (const std::int64_t place : places) {
    moments.mean.push_back(mean_at(alone, 0, place));
    moments.square.push_back(queries.is_real(place)
                                 ? alone.reals[at(place)].square
                                 : power_mean(queries, place, table_at(alone.p, 0, place), 2));
  }
  if (pairs == Pairs::none) return moments;
  const std::size_t count = places.size();
  moments.covariance.assign(count * count, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t a = 0; a < count; ++a) {
    const std::int64_t own = queries.known_at(places[a]);
    moments.covariance[a * count + a] = moments.square[a] - moments.mean[a] * moments.mean[a];
    if (own == 0) continue;
    Evidence set = free.repeat(0, own);
    for (std::int64_t k = 0; k < own; ++k) set.row(k)[at(places[a])] = static_cast<std::int32_t>(k);
    const ValueTables given = queries.tables(set);
    const std::span<const double> weights = table_at(alone.p, 0, places[a]);
    for (std::size_t b = 0; b < count; ++b) {
      if (a == b) continue;
      double product = 0;
      for (std::int64_t k = 0; k < own; ++k)
        product += weights[at(k)] * queries.value_at(places[a], k) * mean_at(given, k, places[b]);
      const double covariance = product - moments.mean[a] * moments.mean[b];
      moments.covariance[a * count + b] = covariance;
      if (queries.is_real(places[b])) moments.covariance[b * count + a] = covariance;
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
