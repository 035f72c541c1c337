#include "libcore/det/draws.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/arrays.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

constexpr double two_pi = 0x1.921fb54442d18p+2;

std::array<double, 2> on_circle(double radius, double turn) {
  const SinCos angle = det_sincos(two_pi * turn);
  return {radius * angle.cos, radius * angle.sin};
}

}  // namespace

std::array<double, 2> normal_pair(double u_a, double u_b) {
  return on_circle(std::sqrt(-2.0 * det_log(u_a)), u_b);
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

namespace {

// Some blocks of a substream, each of which gives two pairs of normals; all logarithms at once.
class NormalBlocks {
 public:
  static constexpr std::size_t most = 64;

  void fill(const Substream& substream, std::uint64_t first_block, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const Words4 words = substream.block(first_block + i);
      for (std::size_t pair = 0; pair < 2; ++pair) {
        radius_[2 * i + pair] = uniform_of(words[2 * pair]);
        turn_[2 * i + pair] = uniform_of(words[2 * pair + 1]);
      }
    }
    const std::span<double> logs = std::span(radius_).first(2 * count);
    det::log(logs, logs);
    for (std::size_t i = 0; i < 2 * count; ++i) {
      const auto [cosine, sine] = on_circle(std::sqrt(-2.0 * radius_[i]), turn_[i]);
      values_[2 * i] = static_cast<float>(cosine);
      values_[2 * i + 1] = static_cast<float>(sine);
    }
  }
  [[nodiscard]] std::span<const float> values() const { return values_; }

 private:
  std::array<double, 2 * most> radius_, turn_;
  std::array<float, 4 * most> values_;
};

}  // namespace

void fill_normals(const Substream& substream, std::uint64_t first_element, std::span<float> out) {
  NormalBlocks blocks;
  while (!out.empty()) {
    const std::size_t skipped = first_element % 4;
    const std::size_t wanted = (skipped + out.size() + 3) / 4;
    const std::size_t count = std::min(wanted, NormalBlocks::most);
    blocks.fill(substream, first_element / 4, count);
    const std::size_t n = std::min(4 * count - skipped, out.size());
    std::ranges::copy(blocks.values().subspan(skipped, n), out.begin());
    out = out.subspan(n);
    first_element += n;
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
