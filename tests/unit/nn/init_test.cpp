#include "libcore/nn/init.hpp"

#include "libcore/det/draws.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace logpx::init_test {
namespace {

struct Moments {
  double mean = 0, variance = 0, largest = 0;
};

Moments moments(const Init& init, const Fans& fans) {
  std::vector<float> values(40000);
  fill(values, init, fans, Substream(1, Stream::init, 4));
  Moments m;
  for (const double v : values) m.mean += v / 40000;
  for (const double v : values) {
    m.variance += (v - m.mean) * (v - m.mean) / 40000;
    m.largest = std::max(m.largest, std::abs(v));
  }
  return m;
}

}  // namespace

// The seed is fixed; five standard errors of a variance are below 5 % at 40000 draws.
TEST_CASE("init: each rule has the variance of its formula and mean zero") {
  const Fans fans{30, 70};
  const std::pair<Init, double> rules[] = {
      {Init::normal(0.1), 0.01},           {{Init::Rule::glorot_uniform}, 0.02},
      {{Init::Rule::glorot_normal}, 0.02}, {{Init::Rule::he_uniform}, 2.0 / 30},
      {{Init::Rule::he_normal}, 2.0 / 30}, {{Init::Rule::lecun_normal}, 1.0 / 30},
  };
  for (const auto& [init, variance] : rules) {
    const Moments m = moments(init, fans);
    CHECK(m.variance == doctest::Approx(variance).epsilon(0.05));
    CHECK(std::abs(m.mean) < 5 * std::sqrt(variance / 40000));
  }
}

TEST_CASE("init: uniform rules stay within the square root of three deviations") {
  CHECK(moments({Init::Rule::glorot_uniform}, {30, 70}).largest <= std::sqrt(0.06));
  CHECK(moments({Init::Rule::he_uniform}, {30, 70}).largest <= std::sqrt(0.2));
}

TEST_CASE("init: constants are constant") {
  std::vector<float> values(10);
  fill(values, Init::constant(0.75), {}, Substream(1, Stream::init, 0));
  CHECK(values == std::vector<float>(10, 0.75f));
}

TEST_CASE("init: a tensor draws from stream init under its running number") {
  ParamSet params;
  Initialisers initialisers;
  params.add("first", {3});
  const int second = params.add("second", {2, 4});
  initialisers.add(second, Init::normal(2), {});
  initialisers.run(params, Rng(9));
  const Substream stream(9, Stream::init, 1);
  for (std::uint64_t e = 0; e < 8; ++e) {
    const float normal = static_cast<float>(normal_at(stream, e));
    CHECK(params.view(second)[static_cast<std::int64_t>(e)] ==
          static_cast<float>(2 * static_cast<double>(normal)));
  }
  CHECK(params.view(0)[0] == 0);
}

}  // namespace logpx::init_test
