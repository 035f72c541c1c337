#include "libcore/data/row_values.hpp"

#include "libcore/base/error.hpp"
#include "libcore/data/real_vectors.hpp"
#include "tests/support/synthetic.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace logpx::row_values_test {
namespace {

std::vector<float> row(const SyntheticRows& source, const Rows& rows, RowAt at,
                       const RowRules& rules, const RowNoise& noise) {
  std::vector<float> out(static_cast<std::size_t>(source.info().dims()));
  row_values(source.info(), rows, at, rules, noise, out);
  return out;
}

}  // namespace

TEST_CASE("row values: pictures come channels first and go back as they were") {
  Workers workers(1);
  const auto source = make_synthetic(request_of({"scenes", {"size=8"}}, 3), workers);
  const Rows stored = source->read(0, 3);
  Rows back;
  back.x.resize(stored.x.size());
  for (const ValueScale scale : {ValueScale::stored, ValueScale::unit}) {
    const RowRules rules{.scale = scale};
    const float factor = scale == ValueScale::unit ? 1 / 255.0F : 1.0F;
    for (std::int64_t i = 0; i < 3; ++i) {
      const auto x = row(*source, stored, {.from = i, .number = i}, rules, evaluation_noise(rules));
      for (std::size_t p = 0; p < 64; ++p)
        for (std::size_t c = 0; c < 3; ++c)
          CHECK(x[c * 64 + p] ==
                factor * static_cast<float>(
                             stored.values<std::uint8_t>()[static_cast<std::size_t>(i) * 192 +
                                                           p * 3 + c]));
      store_values(source->info(), rules, x, i, back);
    }
    CHECK(back.x == stored.x);
  }
}

TEST_CASE("row values: what is not a number is not stored as a level") {
  Workers workers(1);
  const auto source = make_synthetic(request_of({"scenes", {"size=8"}}, 2), workers);
  Rows stored = source->read(0, 2);
  std::vector<float> x(192, 1);
  x[5] = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_WITH_AS(store_values(source->info(), {}, x, 1, stored),
                       doctest::Contains("row 1, value"), Error);
}

TEST_CASE("row values: symbols and vectors come as they are") {
  Workers workers(1);
  for (const char* name : {"hub", "gauss"}) {
    const auto source = make_synthetic(request_of({name, {}}, 30), workers);
    const Rows stored = source->read(0, 30);
    const auto x = row(*source, stored, {.from = 7, .number = 7}, {}, evaluation_noise({}));
    for (std::size_t i = 0; i < x.size(); ++i)
      CHECK(x[i] == (std::string(name) == "hub"
                         ? static_cast<float>(stored.values<std::uint8_t>()[7 * x.size() + i])
                         : stored.values<float>()[7 * x.size() + i]));
  }
}

TEST_CASE("row values: binarisation draws belong to rows of the dataset") {
  Workers workers(1);
  const auto source = make_synthetic(request_of({"digits", {}}, 40), workers);
  const Rows stored = source->read(5, 40);
  struct Case {
    Binarise rule;
    Substream bits;  // of training in epoch 2 under seed 9
  };
  for (const Case& c : {Case{Binarise::fixed, Substream(4, Stream::binarise, 0xffffffff)},
                        Case{Binarise::dynamic, Substream(9, Stream::binarise, 2)}}) {
    const RowRules rules{.binarise = {.rule = c.rule}, .static_seed = 4};
    const RowAt at{.from = 7, .number = 12};
    const auto trained = row(*source, stored, at, rules, training_noise(rules, Rng(9), 2));
    const auto judged = row(*source, stored, at, rules, evaluation_noise(rules));
    for (std::size_t j = 0; j < 784; ++j) {
      const auto expected = [&](Substream bits) {
        return bits.uniform(12 * 784 + j) < stored.values<std::uint8_t>()[7 * 784 + j] / 255.0
                   ? 1.0F
                   : 0.0F;
      };
      CHECK(trained[j] == expected(c.bits));
      CHECK(judged[j] == expected(Substream(4, Stream::binarise, 0xffffffff)));
    }
  }
  const RowRules cut{.binarise = {.rule = Binarise::threshold}};
  const auto bits = row(*source, stored, {.from = 0, .number = 5}, cut, evaluation_noise(cut));
  for (std::size_t j = 0; j < 784; ++j)
    CHECK(bits[j] == (stored.values<std::uint8_t>()[j] >= 128 ? 1.0F : 0.0F));
}

TEST_CASE("row values: dequantised values stay within their level") {
  Workers workers(1);
  const auto source = make_synthetic(request_of({"gray8", {}}, 30), workers);
  const Rows stored = source->read(0, 30);
  const RowRules rules{.dequantise = Dequantise::uniform};
  double sum = 0;
  for (std::int64_t i = 0; i < 30; ++i) {
    const RowAt at{.from = i, .number = i};
    const auto x = row(*source, stored, at, rules, evaluation_noise(rules));
    for (std::size_t j = 0; j < 64; ++j) {
      const float level = stored.values<std::uint8_t>()[static_cast<std::size_t>(i) * 64 + j];
      CHECK(std::floor(x[j]) == level);
      sum += x[j] - level;
    }
    CHECK(row(*source, stored, at, rules, training_noise(rules, Rng(1), 0)) !=
          row(*source, stored, at, rules, training_noise(rules, Rng(1), 1)));
  }
  // 1920 uniforms: 5 standard errors.
  CHECK(std::fabs(sum / 1920 - 0.5) < 5 / std::sqrt(12.0 * 1920));
}

TEST_CASE("row values: dequantisation never rounds up to the next level") {
  std::vector<float> high(4'000'000, 255.0F);  // a float near 256 has 16 bits after the point
  dequantise(high, 0, evaluation_dequantisation());
  CHECK(*std::max_element(high.begin(), high.end()) < 256.0F);
  CHECK(*std::min_element(high.begin(), high.end()) >= 255.0F);
}

TEST_CASE("row values: what does not fit the data is refused") {
  Workers workers(1);
  const auto bars = make_synthetic(request_of({"bars", {}}, 5), workers);
  const auto gauss = make_synthetic(request_of({"gauss", {}}, 5), workers);
  CHECK_THROWS_WITH_AS(check_rules(bars->info(), {.binarise = {.rule = Binarise::dynamic}}),
                       "--binarise: needs pictures of 256 levels or real values in [0, 1]", Error);
  CHECK_THROWS_WITH_AS(check_rules(gauss->info(), {.dequantise = Dequantise::uniform}),
                       "--dequantise: needs discrete data without missing values", Error);
}

TEST_CASE("row values: reals are grey only where their domain is known to be [0, 1]") {
  DatasetInfo info = real_vectors(2);
  CHECK_FALSE(holds_grey(info));
  info.value_min = info.value_max = 0;  // not known
  CHECK_FALSE(holds_grey(info));
  info.value_max = 1;
  CHECK(holds_grey(info));
  const RowRules rules{.binarise = parse_binarisation("static")};
  CHECK_NOTHROW(check_rules(info, rules));
  const std::vector<float> stored = {0.5F, 1, 0, 1.5F};
  Rows rows;
  rows.count = 2;
  const auto bytes = std::as_bytes(std::span(stored));
  rows.x.assign(bytes.begin(), bytes.end());
  info.name = "grey";
  std::vector<float> out(2);
  CHECK_NOTHROW(row_values(info, rows, {0, 0}, rules, evaluation_noise(rules), out));
  CHECK_THROWS_WITH_AS(row_values(info, rows, {1, 1}, rules, evaluation_noise(rules), out),
                       "grey: row 1, dimension 1 is 1.5; --binarise takes values in [0, 1]", Error);
}

}  // namespace logpx::row_values_test
