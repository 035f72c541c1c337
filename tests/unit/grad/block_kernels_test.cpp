#include "libcore/grad/block_kernels.hpp"

#include "libcore/det/isa.hpp"
#include "tests/support/random_values.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace logpx::block_kernels_test {
namespace {

constexpr std::size_t longest = 45;

struct Blocks {
  std::vector<float> theta = random_values<float>(1, longest),
                     average = random_values<float>(2, longest),
                     first = random_values<float>(3, longest),
                     second = random_values<float>(4, longest),
                     gradient = random_values<float>(5, longest);
};

// The bytes that a rule leaves in all blocks.
std::string swept(void (*rule)(const Sweep&), std::size_t count, float limit, bool averaged) {
  Blocks b;
  for (float& value : b.second) value = value * value;
  b.gradient[3] = std::numeric_limits<float>::quiet_NaN();
  b.gradient[20] = std::numeric_limits<float>::infinity();
  Sweep s{};
  s.theta = b.theta.data(), s.average = averaged ? b.average.data() : nullptr;
  s.first = b.first.data(), s.second = b.second.data(), s.gradient = b.gradient.data();
  s.count = static_cast<long>(count);
  s.scale = 0.7F, s.limit = limit, s.l2 = 0.01F, s.decay = 0.002F, s.average_rate = 0.1F;
  s.rate = 0.03F, s.eps = 1e-8F, s.momentum = 0.9F;
  s.towards1 = 0.1F, s.towards2 = 0.001F, s.correction = 1.7F;
  rule(s);
  CHECK((count <= 3 || s.theta[3] != s.theta[3]));  // what is not a number shows
  std::string bytes;
  for (const auto* block : {&b.theta, &b.average, &b.first, &b.second}) {
    for (const float value : *block) {
      float shown = value == value ? value : std::numeric_limits<float>::quiet_NaN();
      bytes.append(reinterpret_cast<const char*>(&shown), sizeof shown);
    }
  }
  return bytes;
}

}  // namespace

TEST_CASE("block kernels: every instruction set gives the same bits") {
  const BlockKernels& plain = block_kernels_of(Isa::baseline);
  const float none = std::numeric_limits<float>::infinity();
  for (const Isa isa : {Isa::v3, Isa::v4}) {
    if (!isa_available(isa)) continue;
    const BlockKernels& kernels = block_kernels_of(isa);
    for (std::size_t count = 0; count <= longest; ++count) {
      CAPTURE(count);
      for (const auto rule : {&BlockKernels::sgd, &BlockKernels::momentum, &BlockKernels::nesterov,
                              &BlockKernels::adagrad, &BlockKernels::adam})
        for (const float limit : {none, 0.5F})
          for (const bool averaged : {false, true})
            CHECK(swept(kernels.*rule, count, limit, averaged) ==
                  swept(plain.*rule, count, limit, averaged));
      std::vector<float> x = random_values<float>(6, longest), y = x,
                         from = random_values<float>(7, longest);
      const auto n = static_cast<long>(count);
      CHECK(kernels.square_sum(x.data(), n) == plain.square_sum(x.data(), n));
      kernels.add(x.data(), from.data(), n);
      plain.add(y.data(), from.data(), n);
      CHECK(x == y);
    }
  }
}

}  // namespace logpx::block_kernels_test
