#include "libcore/codec/adaptive/gain.hpp"

#include "libcore/codec/adaptive/adaptive.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace logpx::codec::adaptive {
namespace {

using Block = std::span<const std::uint8_t>;

constexpr std::size_t least_block = 1 << 18, part_bytes = 1 << 12;

// Bytes that a code by the frequencies of a part would save, less what 255 frequencies seem to save
// on noise: half a nat each, and three deviations of their sum.
double saved_by_frequencies(Block part) {
  std::array<std::size_t, 256> counts{};
  for (const std::uint8_t byte : part) ++counts[byte];
  const auto all = static_cast<double>(part.size());
  double nats = 0;
  for (const std::size_t count : counts)
    if (count > 0) {
      const auto n = static_cast<double>(count);
      nats -= n * det_log(n / all);
    }
  constexpr double nats_of_a_byte = 5.545177444479562, nats_of_counts = 160;
  return std::max(0.0, all - (nats + nats_of_counts) / nats_of_a_byte);
}

double saved_by_frequencies_of_parts(Block data) {
  double saved = 0;
  for (; !data.empty(); data = data.subspan(std::min(data.size(), part_bytes)))
    saved += saved_by_frequencies(data.first(std::min(data.size(), part_bytes)));
  return saved;
}

// Estimates how many bytes repeat earlier ones, by the runs of 32 bytes whose hash begins with
// eight zero bits: of two equal runs both are looked at, wherever they begin.
std::size_t repeated_bytes(Block data) {
  constexpr std::size_t run = 32, one_of = 256;
  constexpr std::uint64_t factor = 0x9E3779B97F4A7C15u;
  std::uint64_t power = 1, hash = 0;
  for (std::size_t i = 0; i < run; ++i) power *= factor;
  std::vector<std::uint64_t> met;
  for (std::size_t i = 0; i < data.size(); ++i) {
    hash = hash * factor + data[i] + 1;
    if (i >= run) hash -= power * (data[i - run] + std::uint64_t{1});
    if (i + 1 >= run && hash * factor >> 56 == 0) met.push_back(hash);
  }
  std::ranges::sort(met);
  const auto again = std::unique(met.begin(), met.end());
  return static_cast<std::size_t>(met.end() - again) * one_of;
}

// Whether the model makes parts a thousandth shorter. They are long, since the little that
// compressors leave is learned slowly.
bool shortens_parts(Block data, const Form& form) {
  constexpr std::size_t parts = 2;
  const std::size_t size = std::clamp<std::size_t>(data.size() / 16, 1 << 12, 1 << 16);
  const std::size_t unit = std::max<std::size_t>({3, form.row, form.plane});
  std::size_t saved = 0;
  for (std::size_t i = 1; i <= parts; ++i) {
    const std::size_t begin = (data.size() - size) / (parts + 1) * i / unit * unit;
    saved += size - std::min(size, bytes_of_part(data.first(begin + size), begin, form, size));
  }
  return 1000 * saved > parts * size;
}

}  // namespace

bool gains_nothing(Block data, const Form& form) {
  if (data.size() < least_block) return false;
  const auto worth = static_cast<double>(data.size()) / 1000;
  return saved_by_frequencies_of_parts(data) < worth &&
         static_cast<double>(repeated_bytes(data)) < worth && !shortens_parts(data, form);
}

}  // namespace logpx::codec::adaptive
