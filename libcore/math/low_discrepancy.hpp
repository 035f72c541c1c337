// Points in the unit cube that fill it more evenly than random ones.   [math/README 8.5]
//
//   const Sobol sobol(dims, rng);
//   for (std::uint32_t i = 0; i < rows; ++i) sobol.point(i, u);   // any i, in any order
#pragma once

#include "libcore/base/rng.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

// Where Sobol's sequences begin: a primitive polynomial for each dimension and the first direction
// numbers.
struct SobolNumbers {
  std::uint32_t polynomial = 0;           // bit k: the coefficient of x^k
  std::vector<std::uint32_t> first = {};  // m_i, odd, below 2^(i + 1), i from 0
};

// The numbers of dimensions 0 .. dims - 1, dims <= 1024. The first is van der Corput's, without a
// polynomial: all m_i are 1.
[[nodiscard]] std::vector<SobolNumbers> sobol_numbers(std::int64_t dims);

// A substream's 53-bit uniforms by their places, of two words each: those of Cursor::uniform53.
[[nodiscard]] double uniform53_at(const Substream& words, std::uint64_t place);

inline constexpr std::int64_t most_sobol_dims = 1024;

// Sobol's digital sequence in the order of Gray's code, with the direction numbers of Joe and Kuo.
// Each dimension is scrambled by a hash that permutes as Owen's nested scrambling does; digits past
// the 32nd are random. So every point is uniform in (0,1)^dims, with 53 bits, and all together are
// as even as the plain ones. [Owen 1995; Burley, JCGT 9 (2020)]
class Sobol {
 public:
  Sobol(std::int64_t dims, Rng rng);
  void point(std::uint32_t index, std::span<double> u) const;
  [[nodiscard]] std::int64_t dims() const { return dims_; }

  // Without scrambling: 32 binary digits of one coordinate.
  [[nodiscard]] std::uint32_t digits(std::uint32_t index, std::int64_t dim) const;

 private:
  std::int64_t dims_;
  Rng rng_;
  std::vector<std::uint32_t> directions_;  // [dims,32]
  std::vector<std::uint32_t> seeds_;       // [dims]
};

// In every dimension one point in each of `points` equal intervals, paired by random permutations.
class LatinHypercube {
 public:
  LatinHypercube(std::uint32_t points, std::int64_t dims, Rng rng);
  void point(std::uint32_t index, std::span<double> u) const;
  [[nodiscard]] std::int64_t dims() const { return dims_; }

 private:
  std::uint32_t points_;
  std::int64_t dims_;
  Rng rng_;
  std::vector<std::uint32_t> intervals_;  // [dims,points]
};

}  // namespace logpx
