// Cumulative tables, bit for bit as in tests/golden/coding.json.
#include "libcore/codec/analytic.hpp"
#include "libcore/codec/bins.hpp"
#include "libcore/codec/lattice.hpp"
#include "libcore/codec/tables.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_message.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace logpx::coding_distributions_test {

using namespace logpx::codec;

namespace {

template <Dist D>
std::vector<std::uint32_t> bounds_of(const D& dist) {
  std::vector<std::uint32_t> bounds;
  for (std::uint32_t i = 0; i <= dist.n(); ++i) bounds.push_back(dist.cdf(i));
  return bounds;
}

int precision_of(const Json& item) { return static_cast<int>(item.at("r").integer()); }

}  // namespace

TEST_CASE("golden/coding/table_cdf") {
  const Json* cases = golden::field("coding", "table_cdf");
  if (!cases) return;
  for (const Json& item : cases->items())
    CHECK(Table::leaky(golden::reals_of(item.at("w")), precision_of(item)).bounds() ==
          golden::words_of(item.at("F")));
}

TEST_CASE("golden/coding/posterior_table") {
  const Json* cases = golden::field("coding", "posterior_table");
  if (!cases) return;
  for (const Json& item : cases->items())
    CHECK(Table::posterior(golden::reals_of(item.at("w")), precision_of(item)).bounds() ==
          golden::words_of(item.at("F")));
}

TEST_CASE("golden/coding/bernoulli") {
  const Json* cases = golden::field("coding", "bernoulli");
  if (!cases) return;
  for (const Json& item : cases->items()) {
    const auto precision = static_cast<int>(item.at(1).integer());
    CHECK(slot_of(Bernoulli(golden::real(item.at(0)), precision), 1).frequency ==
          static_cast<std::uint32_t>(item.at(2).integer()));
  }
}

TEST_CASE("golden/coding/lattice") {
  const Json* cases = golden::field("coding", "lattice");
  if (!cases) return;
  for (const Json& item : cases->items()) {
    const Cells cells{golden::real(item.at("lo")), golden::real(item.at("h")),
                      static_cast<std::uint32_t>(item.at("n").integer())};
    const double mu = golden::real(item.at("mu")), sigma = golden::real(item.at("sigma"));
    const int precision = precision_of(item);
    CHECK(bounds_of(Analytic(cells, Normal{mu, sigma}, precision)) ==
          golden::words_of(item.at("gauss_F")));
    CHECK(bounds_of(Analytic(cells, Logistic{mu, sigma}, precision)) ==
          golden::words_of(item.at("logistic_F")));
  }
}

TEST_CASE("golden/coding/beta_binomial") {
  const Json* cases = golden::field("coding", "beta_binomial");
  if (!cases) return;
  for (const Json& item : cases->items()) {
    BetaBinomial dist(static_cast<std::size_t>(item.at("n").integer()) + 1, precision_of(item));
    dist.assign(golden::real(item.at("alpha")), golden::real(item.at("beta")));
    CHECK(bounds_of(dist) == golden::words_of(item.at("F")));
    CHECK(Table::leaky(dist.weights(), precision_of(item)).bounds() ==
          golden::words_of(item.at("F")));
  }
}

TEST_CASE("golden/coding/posterior_bins") {
  const Json* cases = golden::field("coding", "posterior_bins");
  if (!cases) return;
  Workers workers(2);
  for (const Json& item : cases->items()) {
    const Bins& bins = normal_bins(static_cast<int>(item.at("b").integer()), workers);
    const Normal normal{golden::real(item.at("mu")), golden::real(item.at("sigma"))};
    CHECK(bounds_of(PosteriorBins(bins, normal, precision_of(item))) ==
          golden::words_of(item.at("F")));
  }
}

TEST_CASE("golden/coding/pop_from_empty") {
  const Json* item = golden::field("coding", "pop_from_empty");
  if (!item) return;
  Workers workers(1);
  const auto bits = static_cast<int>(item->at("b").integer());
  const Bins& bins = normal_bins(bits, workers);
  const auto expected = golden::words_of(item->at("latents"));
  Message message(1);
  std::vector<std::uint32_t> latents;
  for (std::int64_t k = 0; k < item->at("count").integer(); ++k) {
    const auto d = static_cast<double>(k);
    const Normal posterior{0.3 * d - 1, 0.2 + 0.1 * d};
    latents.push_back(pop(message, PosteriorBins(bins, posterior, precision_of(*item))));
  }
  CHECK(latents == expected);
  CHECK(std::to_string(message.state()) == item->at("after_pops").at(0).string());
  CHECK(message.borrowed() == static_cast<std::uint32_t>(item->at("after_pops").at(1).integer()));
  push_vector(message, std::span<const std::uint32_t>(latents),
              [&](std::size_t) { return UniformBits{bits}; });
  golden::check_message(message, *item, "final_state");
}

}  // namespace logpx::coding_distributions_test
