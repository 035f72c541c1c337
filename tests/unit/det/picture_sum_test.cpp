#include "libcore/det/picture_sum.hpp"

#include "libcore/base/index.hpp"
#include "libcore/det/isa.hpp"
#include "tests/support/random_values.hpp"
#include "tests/support/same_bits.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace logpx::picture_sum_test {
namespace {

// Lines of `width` positions with `margin` others between them, and the rows and channels of
// weights.
struct Sizes {
  long rows, lines, width, margin, channels;
};
// Every number of rows of a tile, one vector and many, no channel.
const std::vector<Sizes> all_sizes = {{1, 2, 16, 0, 3},  {6, 4, 16, 2, 7},  {7, 3, 32, 2, 1},
                                      {12, 1, 48, 5, 4}, {13, 2, 16, 2, 9}, {32, 6, 16, 1, 5},
                                      {5, 2, 16, 3, 0},  {23, 2, 32, 2, 11}};

template <typename T>
struct Operands {
  Operands(const Sizes& s, long run)
      : sizes(s),
        line(run + s.margin),
        lines(s.lines * s.width / run),
        weights(random_values<T>(1, at(s.rows * s.channels * tap_count + 1))),
        picture(random_values<T>(2, at(s.channels * (lines + 2) * line + 64))),
        start(random_values<T>(3, at(s.rows * s.lines * s.width))) {
    for (std::size_t i = 0; i < weights.size(); i += 3) weights[i] = i % 2 ? T(0) : -T(0);
    for (std::size_t i = 0; i < start.size(); i += 5) start[i] = -T(0);
  }
  det::PictureSum<T> call(long vector_bytes, long run, std::vector<T>& c) const {
    c = start;
    const long positions = sizes.lines * sizes.width;
    return {.rows = sizes.rows,
            .vectors = positions * static_cast<long>(sizeof(T)) / vector_bytes,
            .taps = tap_count,
            .channels = sizes.channels,
            .tap = taps().data(),
            .weights = weights.data(),
            .weight_row = sizes.channels * tap_count,
            .weight_step = tap_count,
            .picture = picture.data(),
            .plane = (lines + 2) * line,
            .run = run,
            .run_step = line,
            .c = c.data(),
            .ldc = positions};
  }
  const std::vector<det::PictureTap>& taps() const { return taps_; }

  static constexpr long tap_count = 3;
  Sizes sizes;
  long line, lines;
  std::vector<T> weights, picture, start;
  std::vector<det::PictureTap> taps_ = {{0, 1}, {2, 0}, {1, line + 2}};
};

// The rule itself. (`volatile` keeps the compiler from contracting or reordering anything.)
template <typename T>
std::vector<T> by_rule(const det::PictureSum<T>& p) {
  std::vector<T> sums;
  for (long i = 0; i < p.rows; ++i)
    for (long j = 0; j < p.ldc; ++j) {
      volatile T sum = p.c[i * p.ldc + j];
      for (long t = 0; t < p.taps; ++t)
        for (long channel = 0; channel < p.channels; ++channel) {
          const T weight = p.weights[p.tap[t].weights + i * p.weight_row + channel * p.weight_step];
          volatile T product =
              weight *
              p.picture[p.tap[t].pixels + channel * p.plane + j / p.run * p.run_step + j % p.run];
          sum = sum + product;
        }
      sums.push_back(sum + T(0));
    }
  return sums;
}

template <typename T>
void check_rule() {
  for (const Isa isa : {Isa::baseline, Isa::v3, Isa::v4}) {
    if (!isa_available(isa)) continue;
    const det::PictureKernels& kernels = det::picture_kernels_of(isa);
    const long lanes = kernels.vector_bytes / static_cast<long>(sizeof(T));
    for (const Sizes& s : all_sizes)
      for (const long run : {lanes / 2, lanes, s.width, s.lines * s.width}) {
        CAPTURE(isa_name(isa));
        CAPTURE(s.rows);
        CAPTURE(s.lines);
        CAPTURE(run);
        const Operands<T> operands(s, run);
        std::vector<T> c;
        const auto call = operands.call(kernels.vector_bytes, run, c);
        const std::vector<T> expected = by_rule(call);
        kernels(call);
        CHECK(same_bits(c, expected));
      }
  }
}

}  // namespace

TEST_CASE("det: sums over taps and channels of a picture have the bits of the rule everywhere") {
  check_rule<float>();
  check_rule<double>();
}

}  // namespace logpx::picture_sum_test
