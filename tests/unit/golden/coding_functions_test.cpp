// Bit-for-bit comparison of the elementary functions with tests/golden/coding.json.
#include "libcore/det/functions.hpp"
#include "tests/support/golden.hpp"

#include <doctest/doctest.h>

#include <cstdint>

namespace logpx::coding_functions_test {
namespace {

void compare(const std::string& name, double (*function)(double)) {
  const Json* cases = golden::field("coding", name);
  if (!cases) return;
  for (const Json& item : cases->items()) {
    const double x = golden::real(item.at(0)), expected = golden::real(item.at(1));
    const double computed = function(x);
    CAPTURE(x);
    CAPTURE(computed);
    CAPTURE(expected);
    CHECK(golden::same_bits(computed, expected));
  }
}

}  // namespace

TEST_CASE("golden/coding/exp") { compare("exp", det_exp); }
TEST_CASE("golden/coding/log") { compare("log", det_log); }
TEST_CASE("golden/coding/tanh") { compare("tanh", det_tanh); }
TEST_CASE("golden/coding/sigmoid") { compare("sigmoid", det_sigmoid); }
TEST_CASE("golden/coding/softplus") { compare("softplus", det_softplus); }
TEST_CASE("golden/coding/ndtr") { compare("ndtr", det_ndtr); }

TEST_CASE("golden/coding/sincos") {
  const Json* cases = golden::field("coding", "sincos");
  if (!cases) return;
  for (const Json& item : cases->items()) {
    const double x = golden::real(item.at(0));
    const SinCos computed = det_sincos(x);
    CAPTURE(x);
    CHECK(golden::same_bits(computed.sin, golden::real(item.at(1))));
    CHECK(golden::same_bits(computed.cos, golden::real(item.at(2))));
  }
}

TEST_CASE("golden/coding/quantiles") {
  const Json* table = golden::field("coding", "quantiles");
  if (!table) return;
  const auto bits = static_cast<int>(table->at("b").integer());
  const Json& values = table->at("values");
  REQUIRE(values.size() == (std::size_t{1} << bits) - 1);
  Workers workers(2);
  const std::vector<double>& built = quantile_table(bits, workers);
  for (std::size_t i = 1; i <= values.size(); ++i) {
    CAPTURE(i);
    CHECK(golden::same_bits(quantile(static_cast<std::uint32_t>(i), bits),
                            golden::real(values.at(i - 1))));
    CHECK(golden::same_bits(built[i], golden::real(values.at(i - 1))));
  }
}

TEST_CASE("golden/coding/quantiles_sparse") {
  const Json* cases = golden::field("coding", "quantiles_sparse");
  if (!cases) return;
  Workers workers(2);
  for (const Json& item : cases->items()) {
    const auto bits = static_cast<int>(item.at(0).integer());
    const auto i = static_cast<std::uint32_t>(item.at(1).integer());
    CAPTURE(bits);
    CAPTURE(i);
    CHECK(golden::same_bits(quantile(i, bits), golden::real(item.at(2))));
    if (bits <= 16)
      CHECK(golden::same_bits(quantile_table(bits, workers)[i], golden::real(item.at(2))));
  }
}

}  // namespace logpx::coding_functions_test
