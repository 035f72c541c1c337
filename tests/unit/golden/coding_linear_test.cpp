// The ordered product and the ordered reductions, bit for bit, against tests/golden/coding.json.
#include "libcore/det/ordered_gemm.hpp"
#include "libcore/det/ordered_kernels.hpp"
#include "libcore/det/reductions.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/same_bits.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace logpx::coding_linear_test {
namespace {

std::vector<double> reals(const Json& array) {
  std::vector<double> values;
  for (const Json& item : array.items()) values.push_back(golden::real(item));
  return values;
}

std::vector<float> floats(const Json& array) {
  std::vector<float> values;
  for (const double value : reals(array)) values.push_back(static_cast<float>(value));
  return values;
}

std::vector<float> matrix(const Json& rows) {
  std::vector<float> values;
  for (const Json& row : rows.items())
    for (const float value : floats(row)) values.push_back(value);
  return values;
}

}  // namespace

TEST_CASE("golden/coding/linear") {
  const Json* item = golden::field("coding", "linear");
  if (!item) return;
  const std::vector<float> x = matrix(item->at("x")), w = matrix(item->at("w")),
                           bias = floats(item->at("bias")), y = matrix(item->at("y"));
  const auto m = static_cast<std::int64_t>(item->at("x").size()),
             k = static_cast<std::int64_t>(item->at("w").size()),
             n = static_cast<std::int64_t>(bias.size());
  for (const Isa isa : {Isa::baseline, Isa::v3, Isa::v4}) {
    if (!isa_available(isa)) continue;
    CAPTURE(isa_name(isa));
    std::vector<float> computed(y.size());
    det::PackedB packed;
    packed.pack({w.data(), n, 1}, k, n, det::kernels_of(isa));
    det::gemm({.m = m,
               .n = n,
               .k = k,
               .a = {x.data(), k, 1},
               .b = {},
               .bias = bias.data(),
               .c = computed.data(),
               .ldc = n},
              packed);
    CHECK(same_bits(computed, y));
  }
}

TEST_CASE("golden/coding/reductions") {
  const Json* item = golden::field("coding", "reductions");
  if (!item) return;
  const std::vector<double> x = reals(item->at("x")), softmax = reals(item->at("softmax"));
  CHECK(golden::same_bits(det::sum8(x), golden::real(item->at("sum8"))));
  std::vector<double> p(x.size());
  det::softmax(x, p);
  for (std::size_t i = 0; i < p.size(); ++i) CHECK(golden::same_bits(p[i], softmax[i]));

  const std::vector<float> gamma = floats(item->at("gamma")), beta = floats(item->at("beta"));
  const std::vector<float> narrow = floats(item->at("x")), norm = floats(item->at("layer_norm"));
  std::vector<float> y(narrow.size());
  det::layer_norm(narrow, {gamma, beta}, golden::real(item->at("eps")), y);
  CHECK(same_bits(y, norm));
}

}  // namespace logpx::coding_linear_test
