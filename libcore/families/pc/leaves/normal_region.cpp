#include "libcore/families/pc/leaves/normal_region.hpp"

#include "libcore/det/functions.hpp"
#include "libcore/math/normal_range.hpp"
#include "libcore/math/special.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::pc {
namespace {

double times(double end, double p) { return p > 0 ? end * p : 0; }

}  // namespace

double in_deviations(double x, const SeenGaussian::Normal& of) {
  return (x - of.mean) / of.deviation;
}

NormalRegion hidden_region(const SeenGaussian& node, const SeenPlaces& places,
                           std::span<const double> z) {
  return {node.first_hidden(z), *places.region, places.whole ? Numbers::whole : Numbers::real};
}

NormalRegion::NormalRegion(const SeenGaussian::Normal& normal, const ValueRegion& region,
                           Numbers numbers)
    : normal_(normal) {
  const double margin = numbers == Numbers::whole ? 0.5 : 0;
  std::vector<NormalRange> ranges;
  std::vector<double> nats;
  for (const ValueRange& one : region.ranges) {
    parts_.push_back({.low = in_deviations(one.low - margin, normal),
                      .high = in_deviations(one.high + margin, normal),
                      .numbers = one});
    ranges.push_back(normal_range(parts_.back().low, parts_.back().high));
    nats.push_back(ranges.back().log_mass);
  }
  log_mass_ = log_sum_exp(nats);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (std::isfinite(log_mass_)) parts_[i].share = det_exp(nats[i] - log_mass_);
    const double share = parts_[i].share;
    if (!(share > 0)) continue;
    const NormalRange& range = ranges[i];
    mean_ += share * range.mean;
    square_ += share * range.square;
    ends_ += share * (range.p_low - range.p_high);
    moment_of_ends_ +=
        share * (times(parts_[i].low, range.p_low) - times(parts_[i].high, range.p_high));
  }
  std::erase_if(parts_, [](const Part& part) { return !(part.share > 0); });
}

SeenGaussian::Normal NormalRegion::inside() const {
  return {.mean = normal_.mean + normal_.deviation * mean_,
          .deviation = normal_.deviation * std::sqrt(std::max(square_ - mean_ * mean_, 0.0))};
}

SeenGaussian::Normal NormalRegion::inside_whole() const {
  constexpr double as_integral =
      32;  // deviations of which the sum over k is an integral, but for 10^-5
  const double d = normal_.deviation;
  double mean = 0, square = 0;  // of k less the normal's mean
  if (d >= as_integral) {
    // For x = k + t it is E t = (sum over k of f'(k)) / 12, and E t^2 = 1/12.
    mean = d * mean_ + ends_ / d / 12;
    square = d * d * square_ + moment_of_ends_ / 6 + 1.0 / 12;
  } else {
    for (const Part& part : parts_) add_numbers(part.numbers, mean, square);
  }
  return {.mean = normal_.mean + mean, .deviation = std::sqrt(std::max(square - mean * mean, 0.0))};
}

// From the most probable number on to either side, until nothing is left.
void NormalRegion::add_numbers(const ValueRange& numbers, double& mean, double& square) const {
  constexpr double nothing = 1e-18;
  const double d = normal_.deviation;
  const double most = std::clamp(std::nearbyint(normal_.mean), numbers.low, numbers.high);
  const auto add_from = [&](double k, double step) {
    for (double p = 1; p > nothing && numbers.low <= k && k <= numbers.high; k += step) {
      const double off = k - normal_.mean;
      p = det_exp(normal_range((off - 0.5) / d, (off + 0.5) / d).log_mass - log_mass_);
      mean += p * off;
      square += p * off * off;
    }
  };
  add_from(most, 1);
  add_from(most - 1, -1);
}

double NormalRegion::value_at(double share) const {
  if (parts_.empty()) return normal_.mean;
  auto part = parts_.begin();
  for (; share > part->share && part + 1 != parts_.end(); ++part) share -= part->share;
  const double within = std::min(share / part->share, 1.0);
  return normal_.mean + normal_.deviation * normal_range_quantile(part->low, part->high, within);
}

}  // namespace logpx::pc
