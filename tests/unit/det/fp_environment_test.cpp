#include "libcore/det/fp_environment.hpp"

#include "libcore/codec/bits_back.hpp"
#include "tests/support/scheme_check.hpp"
#include "tests/support/toy_codings.hpp"

#include <doctest/doctest.h>

#include <bit>

namespace logpx::fp_environment_test {
namespace {

// Flush to zero, denormals as zero, round up.
#if defined(__x86_64__)
constexpr std::uint64_t odd = 0x1f80 | 0x8000 | 0x0040 | 0x4000;
#else
constexpr std::uint64_t odd = (1u << 24) | (1u << 22);
#endif

struct Odd {
  Odd() : before(det::fp_control()) { det::set_fp_control(odd); }
  ~Odd() { det::set_fp_control(before); }
  std::uint64_t before;
};

// By bits: a comparison takes denormals as zero, too.
std::uint64_t third(double x) {
  volatile double numerator = x, divisor = 3;
  return std::bit_cast<std::uint64_t>(numerator / divisor);
}

}  // namespace

TEST_CASE("det: the environment is plain inside and as it was outside") {
  const std::uint64_t plain = third(1), tiny = third(1e-310);
  const Odd outside;
  REQUIRE(third(1) != plain);
  REQUIRE(third(1e-310) != tiny);
  {
    const det::FpEnvironment inside;
    CHECK(third(1) == plain);
    CHECK(third(1e-310) == tiny);
  }
  CHECK(third(1) != plain);
  CHECK((det::fp_control() & odd) == odd);
}

TEST_CASE("det: numbers below the normal range are 0 for as long as they are wanted so") {
  const std::uint64_t plain = third(1), tiny = third(1e-310);
  {
    const det::FlushToZero inside;
    CHECK(third(1) == plain);
    CHECK(third(1e-310) == 0);
    CHECK(third(3e-308) == 0);
  }
  CHECK(third(1e-310) == tiny);
}

TEST_CASE("det: a scheme codes the same bytes in whatever environment it is called") {
  const toy::Vae vae = toy::Vae::random(30, 3, 8);
  Workers workers(1);
  const codec::BitsBack scheme(vae, {codec::standard_bins(3, 11, workers), 24});
  const auto items = random_symbols(20 * 30, 2);
  codec::Message plain(1), odd_message(1);
  codec::Costs costs;
  scheme.encode(plain, items, 0, costs);
  const Odd outside;
  scheme.encode(odd_message, items, 0, costs);
  CHECK(odd_message == plain);
}

}  // namespace logpx::fp_environment_test
