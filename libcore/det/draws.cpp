#include "libcore/det/draws.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

constexpr double two_pi = 0x1.921fb54442d18p+2;

}  // namespace

std::array<double, 2> normal_pair(double u_a, double u_b) {
  const double r = std::sqrt(-2.0 * det_log(u_a));
  const SinCos angle = det_sincos(two_pi * u_b);
  return {r * angle.cos, r * angle.sin};
}

double gumbel_of(double u) { return -det_log(-det_log(u)); }

double exponential_of(double u) { return -det_log(u); }

std::size_t category_of(std::span<const double> cumulative, double u) {
  LOGPX_ASSERT(!cumulative.empty());
  const double target = u * cumulative.back();
  const auto place = std::lower_bound(cumulative.begin(), cumulative.end() - 1, target);
  return static_cast<std::size_t>(place - cumulative.begin());
}

void accumulate_log_weights(std::span<double> log_weights) {
  const double top = *std::ranges::max_element(log_weights);
  double sum = 0;
  for (double& weight : log_weights) weight = sum += det_exp(weight - top);
}

double normal_at(const Substream& substream, std::uint64_t element) {
  const Words4 words = substream.block(element / 4);
  const std::size_t pair = element % 4 / 2 * 2;
  return normal_pair(uniform_of(words[pair]), uniform_of(words[pair + 1]))[element % 2];
}

void fill_normals(const Substream& substream, std::uint64_t first_element, std::span<float> out) {
  std::size_t done = 0;
  while (done < out.size()) {
    const std::uint64_t element = first_element + done;
    const Words4 words = substream.block(element / 4);
    std::array<double, 4> normals;
    for (std::size_t pair = 0; pair < 4; pair += 2) {
      const auto both = normal_pair(uniform_of(words[pair]), uniform_of(words[pair + 1]));
      normals[pair] = both[0];
      normals[pair + 1] = both[1];
    }
    for (std::size_t j = element % 4; j < 4 && done < out.size(); ++j)
      out[done++] = static_cast<float>(normals[j]);
  }
}

double DrawCursor::normal() {
  if (sine_) {
    const double second = *sine_;
    sine_.reset();
    return second;
  }
  const double u_a = uniform();
  const auto both = normal_pair(u_a, uniform());
  sine_ = both[1];
  return both[0];
}

}  // namespace logpx
