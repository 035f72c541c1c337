#include "libcore/model/settled_size.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <vector>

namespace logpx {
namespace {

constexpr std::size_t most_sample = 16;

}  // namespace

double steady_bits(const codec::Scheme& scheme, std::span<const std::uint8_t> sample) {
  codec::Message message(1);
  codec::Costs costs;
  scheme.encode(message, sample.first(std::min(sample.size(), most_sample * scheme.item_size())), 0,
                costs);
  return costs.total();
}

std::int64_t settled_size(std::span<const std::int64_t> sizes, std::span<const std::uint8_t> sample,
                          const SchemeOfSize& scheme_of) {
  std::vector<double> bits;
  try {
    for (const std::int64_t size : sizes) bits.push_back(steady_bits(*scheme_of(size), sample));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage || bits.empty()) throw;
  }
  const double best = *std::ranges::min_element(bits);
  const auto found = std::ranges::find_if(bits, [&](double b) { return b <= 1.001 * best; });
  return sizes[static_cast<std::size_t>(found - bits.begin())];
}

}  // namespace logpx
