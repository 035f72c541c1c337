#include "libcore/eval/joint_table.hpp"

#include "libcore/base/index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace logpx {
namespace {

constexpr std::int64_t most_steps = 6;  // to either side
constexpr double step_deviations = 0.5;

}  // namespace

DensityCurve density_curve(const ModelQueries& queries, const Evidence& rows, std::int64_t i,
                           std::int64_t place) {
  DensityCurve curve;
  Evidence others = rows.repeat(i, 1);
  others.set(0, place, -1);
  const ValueTables tables = queries.tables(others);
  if (!std::isfinite(tables.nats[0])) return curve;
  const double mean = tables.reals[at(place)].mean, square = tables.reals[at(place)].square;
  const double deviation = std::sqrt(std::max(0.0, square - mean * mean));
  std::vector<double> asked;
  for (std::int64_t k = -most_steps; k <= most_steps; ++k) {
    const double value = mean + static_cast<double>(k) * step_deviations * deviation;
    asked.push_back(queries.has_density(place) ? value : std::nearbyint(value));
  }
  if (!queries.has_density(place))
    asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
  Evidence points = others.repeat(0, std::ssize(asked));
  for (std::int64_t k = 0; k < points.count(); ++k) {
    points.set_real(k, place, asked[at(k)]);
    curve.values.push_back(static_cast<double>(points.reals[at(k * points.width + place)]));
  }
  for (const double nats : queries.log_p(points))
    curve.density.push_back(std::exp(nats - tables.nats[0]));
  return curve;
}

namespace {

constexpr std::int64_t assignments_at_once = 512, most_countable = std::int64_t{1} << 40;

}  // namespace

Assignments::Assignments(const ModelQueries& queries, std::vector<std::int64_t> places)
    : places_(std::move(places)) {
  for (const std::int64_t place : places_) levels_.push_back(queries.levels_at(place));
}

Assignments::Assignments(const ModelQueries& queries, std::vector<std::int64_t> places,
                         const Evidence& rows, std::int64_t i)
    : Assignments(queries, std::move(places)) {
  reals_.resize(places_.size());
  Evidence others = rows.repeat(i, 1);
  for (const std::int64_t place : places_) others.set(0, place, -1);
  for (std::size_t p = 0; p < places_.size(); ++p) {
    if (!queries.is_real(places_[p])) continue;
    reals_[p] = density_curve(queries, others, 0, places_[p]).values;
    levels_[p] = std::ssize(reals_[p]);
  }
}

bool Assignments::has_reals() const {
  return std::ranges::any_of(reals_, [](const auto& values) { return !values.empty(); });
}

std::int64_t Assignments::count(std::int64_t most) const {
  std::int64_t count = 1;
  for (const std::int64_t levels : levels_) {
    if (levels == 0) return 0;
    if (count > most / levels) return most + 1;
    count *= levels;
  }
  return count;
}

std::vector<std::int32_t> Assignments::values(std::int64_t number) const {
  std::vector<std::int32_t> values(places_.size());
  for (std::size_t i = places_.size(); i-- > 0; number /= levels_[i])
    values[i] = static_cast<std::int32_t>(number % levels_[i]);
  return values;
}

void Assignments::score(const ModelQueries& queries, const Evidence& rows, std::int64_t i,
                        const Visit& visit) const {
  const std::int64_t all = count(most_countable);
  for (std::int64_t first = 0; first < all; first += assignments_at_once) {
    Evidence some = rows.repeat(i, std::min(assignments_at_once, all - first));
    for (std::int64_t copy = 0; copy < some.count(); ++copy) {
      const std::vector<std::int32_t> own = values(first + copy);
      for (std::size_t p = 0; p < own.size(); ++p)
        if (is_real(p)) some.set_real(copy, places_[p], real(p, own[p]));
        else some.set(copy, places_[p], own[p]);
    }
    visit(first, queries.log_p(some));
  }
}

std::vector<double> joint_table(const ModelQueries& queries, const Evidence& rows, std::int64_t i,
                                const Assignments& assignments) {
  std::vector<double> p;
  assignments.score(queries, rows, i, [&](std::int64_t, std::span<const double> nats) {
    p.insert(p.end(), nats.begin(), nats.end());
  });
  if (p.empty()) return {};
  const double largest = std::ranges::max(p);
  if (!std::isfinite(largest)) return {};
  if (assignments.has_reals()) {
    Evidence others = rows.repeat(i, 1);
    for (const std::int64_t place : assignments.places()) others.set(0, place, -1);
    const double rest = queries.log_p(others)[0];
    for (double& one : p) one = std::exp(one - rest);
    return p;
  }
  double total = 0;
  for (double& one : p) total += one = std::exp(one - largest);
  for (double& one : p) one /= total;
  return p;
}

std::vector<std::int64_t> missing_places(const Evidence& rows, std::int64_t i) {
  std::vector<std::int64_t> places;
  for (std::int64_t place = 0; place < rows.lengths[at(i)]; ++place)
    if (rows.row(i)[at(place)] == -1) places.push_back(place);
  return places;
}

}  // namespace logpx
