#include "libcore/codec/distribution.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/codec/analytic.hpp"
#include "libcore/codec/bins.hpp"
#include "libcore/codec/lattice.hpp"
#include "libcore/codec/tables.hpp"
#include "tests/support/random_values.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace logpx::distribution_test {

using namespace logpx::codec;

static_assert(Dist<Table> && Dist<Bernoulli> && Dist<Analytic<Normal>> &&
              Dist<Analytic<Mixture<Logistic>>> && Dist<WindowDist> && Dist<PosteriorBins>);

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// F starts at 0, ends at 2^r and rises at every symbol: what a decoder may pop.
template <Dist D>
void check_complete(const D& dist) {
  REQUIRE(dist.cdf(0) == 0);
  REQUIRE(dist.cdf(dist.n()) == 1u << dist.precision());
  std::uint32_t falls = 0;
  for (std::uint32_t i = 0; i < dist.n(); ++i) falls += dist.cdf(i + 1) <= dist.cdf(i);
  REQUIRE(falls == 0);
}

// Whatever part the state shows, find gives a symbol that holds it, and pop and push are inverse.
template <Dist D>
void check_inverse(const D& dist) {
  Cursor random(Rng(7).stream(Stream::test, 600));
  for (int i = 0; i < 50; ++i) {
    const std::uint32_t part = random.word() >> (32 - dist.precision());
    const std::uint32_t symbol = dist.find(part);
    REQUIRE(dist.cdf(symbol) <= part);
    REQUIRE(part < dist.cdf(symbol + 1));
  }
  Message message(1);
  for (int i = 0; i < 4; ++i) message.push_bits(random.word() >> 4, 28);
  const Message before = message;
  const std::uint32_t symbol = pop(message, dist);
  push(message, dist, symbol);
  REQUIRE(message == before);
}

const double extremes[] = {0,    1e-300, 1e-6,      0.3,  1,        5,
                           -7.5, 1e6,    -1234.567, 1e15, infinity, -infinity};
const double widths[] = {1e-6, 1e-3, 0.7, 12, 1e6};

}  // namespace

TEST_CASE("dist: the leaky table gives every symbol a part, the posterior table none to weight 0") {
  for (const int precision : {12, 16, 24, 28}) {
    const std::vector<double> normals = random_values<double>(601, 257);
    std::vector<double> weights;
    for (const double v : normals) weights.push_back(std::exp(12 * v));
    for (std::size_t i = 5; i < 30; ++i) weights[i] = 0;
    const Table leaky = Table::leaky(weights, precision);
    check_complete(leaky);
    check_inverse(leaky);
    const Table exact = Table::posterior(weights, precision);
    check_inverse(exact);
    for (std::uint32_t i = 5; i < 30; ++i) CHECK(slot_of(exact, i).frequency == 0);
    const Table one = Table::leaky(std::array{3.0}, precision);
    CHECK(slot_of(one, 0).frequency == 1u << precision);
  }
}

TEST_CASE("dist: weights that are no weights are refused with the symbol's number") {
  const auto said = [](std::vector<double> weights) -> std::string {
    try {
      (void)Table::leaky(weights, 16);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::numeric);
      CHECK_THROWS_AS((void)Table::posterior(weights, 16), Error);
      return error.message();
    }
    return "";
  };
  CHECK(said({1, 2, -0.5}) == "the model gives symbol 2 a probability that is negative");
  CHECK(said({1, NAN}) == "the model gives symbol 1 a probability that is not finite");
  CHECK(said({infinity}) == "the model gives symbol 0 a probability that is not finite");
  CHECK(said({0, 0}) == "the model's probabilities of symbols 0 to 1 are all 0");
  CHECK(said({1e308, 1e308}) == "the model's probabilities of symbols 0 to 1 have an infinite sum");
}

TEST_CASE("dist: a Bernoulli keeps both symbols possible, whatever p is") {
  for (const int precision : {1, 16, 24, 28})
    for (const double p : {0.0, 1e-30, 0.25, 0.5, 1 - 1e-16, 1.0, 7.0, -3.0, std::nan("")}) {
      check_complete(Bernoulli(p, precision));
      check_inverse(Bernoulli(p, precision));
    }
}

TEST_CASE("dist: F of the discretised normal, logistic and mixture rises for all parameters") {
  const Cells cells{-1 - 1.0 / 255, 2.0 / 255, 256};
  for (const double mu : extremes)
    for (const double width : widths)
      for (const int precision : {16, 24, 28}) {
        CAPTURE(mu);
        CAPTURE(width);
        check_complete(Analytic(cells, Normal{mu, width}, precision));
        check_complete(Analytic(cells, Logistic{mu, width}, precision));
        check_inverse(Analytic(cells, Normal{mu, width}, precision));
        check_inverse(Analytic(cells, Logistic{mu, width}, precision));
        const std::array weights = {0.2, 0.5, 0.3};
        const std::array parts = {Logistic{mu, width}, Logistic{0, 1}, Logistic{0.1, 1e-6}};
        const Mixture<Logistic> mixture{weights, parts};
        check_complete(Analytic(cells, mixture, precision));
        check_inverse(Analytic(cells, mixture, precision));
      }
  check_complete(Analytic(cells, Normal{std::nan(""), std::nan("")}, 24));
}

TEST_CASE("dist: a window finds every cell of its lattice, near and far, and gives none a hole") {
  const Lattice lattice{{-4, 1.0 / 16, 128}, 32};
  for (const double mu : extremes)
    for (const double sigma : widths) {
      CAPTURE(mu);
      CAPTURE(sigma);
      check_complete(WindowDist(lattice, {mu, sigma}, 24, Leak::kept));
      check_inverse(WindowDist(lattice, {mu, sigma}, 24, Leak::kept));
      check_inverse(WindowDist(lattice, {mu, sigma}, 24, Leak::none));
      const LatticeNormal coded(lattice, {mu, sigma}, 24, Leak::kept);
      Message message(2);
      for (std::uint32_t cell = 0; cell < 128; ++cell) push(message, coded, cell, 1);
      CHECK_THROWS_AS(push(message, coded, 128, 1), Error);
      Message read = Message::parse(message.serialise(), 2);
      for (std::uint32_t cell = 128; cell-- > 0;) REQUIRE(pop(read, coded, 1) == cell);
      read.check_end(message.borrowed());
    }
}

TEST_CASE("dist: a lattice narrower than its window is coded whole") {
  const LatticeNormal coded({{-1, 0.25, 8}, 32}, {0.1, 0.3}, 24, Leak::kept);
  Message message(1);
  for (std::uint32_t cell = 0; cell < 8; ++cell) push(message, coded, cell);
  for (std::uint32_t cell = 8; cell-- > 0;) CHECK(pop(message, coded) == cell);
  CHECK(message == Message(1));
}

TEST_CASE("dist: a posterior over bins puts no mass where the normal has none") {
  Workers workers(2);
  for (const int bits : {1, 6, 12}) {
    const Bins& bins = normal_bins(bits, workers);
    for (const double mu : {0.0, 1.3, -3.0, 40.0})
      for (const double sigma : {1e-3, 0.1, 1.0, 1e3})
        check_inverse(PosteriorBins(bins, {mu, sigma}, 24));
  }
  const PosteriorBins narrow(normal_bins(12, workers), {1.0, 1e-3}, 24);
  CHECK(slot_of(narrow, 0).frequency == 0);
  CHECK(slot_of(narrow, 4095).frequency == 0);
}

TEST_CASE("dist: centres of normal bins lie inside them and halve their mass") {
  Workers workers(2);
  const Bins& bins = normal_bins(10, workers);
  REQUIRE(bins.centres.size() == 1024);
  for (std::uint32_t i = 0; i < 1024; ++i) {
    CHECK(bins.edges[i] < bins.centres[i]);
    CHECK(bins.centres[i] < bins.edges[i + 1]);
    CHECK(det_ndtr(bins.centres[i]) == doctest::Approx((i + 0.5) / 1024).epsilon(1e-12).scale(0));
  }
  CHECK(&normal_bins(10, workers) == &bins);
}

TEST_CASE("dist: bins of a tabulated prior hold equal mass and skip where the prior has none") {
  // Density 1/2 on [0, 1] and 1/4 on [3, 5], nothing between.
  const std::array grid = {0.0, 1.0, 3.0, 5.0}, cdf = {0.0, 0.5, 0.5, 1.0};
  const TabulatedCdf prior{grid, cdf};
  const Bins bins = tabulated_bins(prior, 4);
  CHECK(bins.edges.front() == -infinity);
  CHECK(bins.edges.back() == infinity);
  for (std::size_t i = 1; i < 16; ++i)
    CHECK(prior.at(bins.edges[i]) == doctest::Approx(static_cast<double>(i) / 16).epsilon(1e-12));
  for (std::size_t i = 0; i < 16; ++i) {
    CHECK((bins.centres[i] < 1 || bins.centres[i] > 3));
    CHECK(prior.at(bins.centres[i]) ==
          doctest::Approx((static_cast<double>(i) + 0.5) / 16).epsilon(1e-12));
  }
  check_inverse(PosteriorBins(bins, {0.5, 2.0}, 24));
}

TEST_CASE("dist: the beta-binomial is that of the gamma function") {
  for (const auto& [alpha, beta] :
       {std::pair{0.7, 2.3}, std::pair{1.0, 1.0}, std::pair{90.0, 3.0}, std::pair{0.001, 4000.0},
        std::pair{4000.0, 0.001}, std::pair{4096.0, 4096.0}}) {
    BetaBinomial dist(256, 24);
    dist.assign(alpha, beta);
    const std::span<const double> weights = dist.weights();
    double total = 0;
    for (const double w : weights) total += w;
    for (int k = 0; k < 256; k += 15) {
      const double log_p = std::lgamma(256) - std::lgamma(k + 1) - std::lgamma(256 - k) +
                           std::lgamma(k + alpha) + std::lgamma(255 - k + beta) -
                           std::lgamma(255 + alpha + beta) + std::lgamma(alpha + beta) -
                           std::lgamma(alpha) - std::lgamma(beta);
      if (log_p > -300)
        CHECK(std::log(weights[static_cast<std::size_t>(k)] / total) ==
              doctest::Approx(log_p).epsilon(1e-9));
    }
    check_complete(dist);
    const Table table = Table::leaky(weights, 24);
    for (std::uint32_t i = 0; i <= 256; ++i) CHECK(dist.cdf(i) == table.cdf(i));
  }
  BetaBinomial low(11, 24), clamped(11, 24);
  low.assign(-5, std::nan(""));
  clamped.assign(0x1p-10, 0x1p-10);
  CHECK(std::ranges::equal(low.weights(), clamped.weights()));
}

TEST_CASE("dist: a vector goes over the lanes and comes back, each element knowing those before") {
  const std::vector<std::uint32_t> symbols = {1, 0, 1, 1, 1, 0, 0, 1, 0, 1, 1};
  for (const int lanes : {1, 2, 4, 8}) {
    Message message(lanes);
    push_vector(message, std::span<const std::uint32_t>(symbols),
                [&](std::size_t i) { return Bernoulli(i > 0 && symbols[i - 1] ? 0.9 : 0.2, 24); });
    Message read = Message::parse(message.serialise(), lanes);
    std::vector<std::uint32_t> popped(symbols.size());
    pop_vector(read, std::span(popped),
               [&](std::size_t i) { return Bernoulli(i > 0 && popped[i - 1] ? 0.9 : 0.2, 24); });
    CHECK(popped == symbols);
    read.check_end(0);
  }
}

}  // namespace logpx::distribution_test
