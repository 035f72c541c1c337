#include "libcore/math/low_discrepancy.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/math/sobol_numbers.hpp"

#include <bit>

namespace logpx {
namespace {

constexpr std::size_t sobol_bits = 32;

// Substreams of Stream::qmc: one for the seeds, then two for each dimension.
std::uint32_t permutation_sub(std::size_t dim) { return static_cast<std::uint32_t>(1 + 2 * dim); }
std::uint32_t digits_sub(std::size_t dim) { return static_cast<std::uint32_t>(2 + 2 * dim); }

std::uint32_t reversed(std::uint32_t x) {
  x = ((x & 0x55555555U) << 1) | ((x >> 1) & 0x55555555U);
  x = ((x & 0x33333333U) << 2) | ((x >> 2) & 0x33333333U);
  x = ((x & 0x0f0f0f0fU) << 4) | ((x >> 4) & 0x0f0f0f0fU);
  x = ((x & 0x00ff00ffU) << 8) | ((x >> 8) & 0x00ff00ffU);
  return (x << 16) | (x >> 16);
}

// A digit is flipped or not by a hash of those before it: upwards through reversed bits, since in
// sums and even products a bit depends on lower ones alone. [Laine and Karras 2011, constants of
// Burley]
std::uint32_t scrambled(std::uint32_t x, std::uint32_t seed) {
  x = reversed(x) + seed;
  x ^= x * 0x6c50b47cU;
  x ^= x * 0xb82f1e52U;
  x ^= x * 0xc7afe638U;
  x ^= x * 0x8d22f6e6U;
  return reversed(x);
}

// v_i = m_i 2^(31 - i), and the recurrence of a primitive polynomial for those past its degree.
void set_directions(const SobolNumbers& numbers, std::span<std::uint32_t> v) {
  const std::size_t degree = numbers.first.size();
  for (std::size_t i = 0; i < sobol_bits; ++i) {
    if (i < degree) {
      v[i] = numbers.first[i] << (31 - i);
      continue;
    }
    v[i] = v[i - degree] ^ (v[i - degree] >> degree);
    for (std::size_t k = 1; k < degree; ++k)
      if ((numbers.polynomial >> (degree - k)) & 1U) v[i] ^= v[i - k];
  }
}

}  // namespace

double uniform53_at(const Substream& words, std::uint64_t place) {
  const Words4 block = words.block(place / 2);
  return place % 2 == 0 ? uniform53_of(block[0], block[1]) : uniform53_of(block[2], block[3]);
}

Sobol::Sobol(std::int64_t dims, Rng rng) : dims_(dims), rng_(rng) {
  LOGPX_ASSERT(dims >= 1 && dims <= most_sobol_dims);
  const std::vector<SobolNumbers> numbers = sobol_numbers(dims);
  directions_.resize(at(dims) * sobol_bits);
  const Substream words = rng.stream(Stream::qmc, 0);
  for (std::size_t d = 0; d < at(dims); ++d) {
    set_directions(numbers[d], std::span(directions_).subspan(d * sobol_bits, sobol_bits));
    seeds_.push_back(words.word(d));
  }
}

std::uint32_t Sobol::digits(std::uint32_t index, std::int64_t dim) const {
  std::uint32_t x = 0;
  const std::uint32_t* const v = directions_.data() + at(dim) * sobol_bits;
  for (std::uint32_t gray = index ^ (index >> 1); gray != 0; gray &= gray - 1)
    x ^= v[std::countr_zero(gray)];
  return x;
}

void Sobol::point(std::uint32_t index, std::span<double> u) const {
  LOGPX_ASSERT(u.size() == at(dims_));
  for (std::size_t d = 0; d < u.size(); ++d) {
    const std::uint32_t high = scrambled(digits(index, static_cast<std::int64_t>(d)), seeds_[d]);
    u[d] = uniform53_of(high, rng_.stream(Stream::qmc, digits_sub(d)).word(index));
  }
}

LatinHypercube::LatinHypercube(std::uint32_t points, std::int64_t dims, Rng rng)
    : points_(points), dims_(dims), rng_(rng) {
  LOGPX_ASSERT(points >= 1 && dims >= 1);
  intervals_.reserve(std::size_t{points} * at(dims));
  for (std::size_t d = 0; d < at(dims); ++d) {
    const std::vector<std::uint32_t> order =
        permutation(points, rng.stream(Stream::qmc, permutation_sub(d)));
    intervals_.insert(intervals_.end(), order.begin(), order.end());
  }
}

void LatinHypercube::point(std::uint32_t index, std::span<double> u) const {
  LOGPX_ASSERT(index < points_ && u.size() == at(dims_));
  for (std::size_t d = 0; d < u.size(); ++d) {
    const double within = uniform53_at(rng_.stream(Stream::qmc, digits_sub(d)), index);
    u[d] = (intervals_[d * points_ + index] + within) / points_;
  }
}

}  // namespace logpx
