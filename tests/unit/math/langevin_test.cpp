#include "libcore/math/langevin.hpp"

#include "libcore/base/index.hpp"
#include "libcore/math/inverse_cdf.hpp"
#include "libcore/math/replica_exchange.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_layer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace logpx::langevin_test {
namespace {

using Numbers = std::vector<double>;

Numbers numbers(const Json& json) { return golden_layer::tensor(json).data; }

// -1/2 sum prec (z - mu)^2
LangevinDensity gaussian(Numbers mu, Numbers prec) {
  return [=](std::span<const double> z, std::span<double> log_density, std::span<double> gradient) {
    std::fill(log_density.begin(), log_density.end(), 0);
    for (std::size_t e = 0; e < z.size(); ++e) {
      const std::size_t d = e % mu.size();
      gradient[e] = -prec[d] * (z[e] - mu[d]);
      log_density[e / mu.size()] += gradient[e] * (z[e] - mu[d]) / 2;
    }
  };
}

// Two modes, of which the walls of [-1.5,1.5] cut off the outer sides.
void bimodal(std::span<const double> z, std::span<double> log_density, std::span<double> gradient) {
  for (std::size_t c = 0; c < z.size(); ++c) {
    const double right = z[c] - 1.2, left = z[c] + 1.1;
    const double a = std::exp(-3 * right * right), b = 0.5 * std::exp(-2 * left * left);
    log_density[c] = std::log(a + b);
    gradient[c] = -(6 * right * a + 4 * left * b) / (a + b);
  }
}

std::vector<std::uint64_t> counted(std::size_t n) {
  std::vector<std::uint64_t> all(n);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// Kolmogorov and Smirnov's statistic times sqrt(n): 2.2253 is passed with probability 1e-4.
double statistic(Numbers z, const PanelCdf& target) {
  std::sort(z.begin(), z.end());
  double largest = 0;
  const auto n = static_cast<double>(z.size());
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double f = target.cdf(z[i]), below = static_cast<double>(i) / n;
    largest = std::max({largest, f - below, below + 1 / n - f});
  }
  return largest * std::sqrt(n);
}

PanelCdf bimodal_target() {
  return PanelCdf({[](std::span<const double> z, std::span<double> log_density) {
                     Numbers gradient(z.size());
                     bimodal(z, log_density, gradient);
                   },
                   {-1.5, 1.5}});
}

}  // namespace

TEST_CASE("golden/kaem/langevin") {
  const Json* item = golden::field("kaem", "langevin");
  if (!item) return;
  const LangevinDensity density = gaussian(numbers(item->at("mu")), numbers(item->at("prec")));
  Numbers z = numbers(item->at("z"));
  const auto dims = std::ssize(z);
  const LangevinChains from = start_langevin(z, dims, density);
  const double eta = golden::real(item->at("eta"));
  const LangevinPoint here{from.z, from.gradient, from.log_density[0]};
  langevin_proposal(here, eta, {}, numbers(item->at("noise")), z);
  const Numbers expected = numbers(item->at("ula_next"));
  for (std::size_t d = 0; d < z.size(); ++d) CHECK(std::fabs(z[d] - expected[d]) < 1e-12);
  const LangevinChains next = start_langevin(z, dims, density);
  const double log_ratio =
      mala_log_ratio(here, {next.z, next.gradient, next.log_density[0]}, eta, {});
  const double accept = std::min(0.0, golden::real(item->at("mala_log_accept")));
  CHECK(std::fabs(std::min(0.0, log_ratio) - accept) < 1e-9);
}

TEST_CASE("golden/kaem/automala") {
  const Json *cases = golden::field("kaem", "automala"),
             *target = golden::field("kaem", "langevin");
  if (!cases || !target) return;
  const LangevinDensity density = gaussian(numbers(target->at("mu")), numbers(target->at("prec")));
  for (const Json& item : cases->items()) {
    const Numbers start = numbers(item.at("z"));
    const LangevinChains from = start_langevin(start, std::ssize(start), density);
    const Numbers a{golden::real(item.at("log_a"))}, b{golden::real(item.at("log_b"))};
    const AutoStep step{.eta = golden::real(item.at("eta0"))};
    const AutoLeap leap = auto_leap(from, numbers(item.at("momentum")), density, step, {a, b});
    CHECK(leap.exponent[0] == item.at("j").integer());
    CHECK(std::ldexp(step.eta, leap.exponent[0]) == doctest::Approx(golden::real(item.at("eta"))));
    const Numbers z = numbers(item.at("z_new")), y = numbers(item.at("momentum_new_flipped"));
    for (std::size_t d = 0; d < z.size(); ++d) {
      CHECK(std::fabs(leap.end.z[d] - z[d]) < 1e-9);
      CHECK(std::fabs(leap.momentum[d] - y[d]) < 1e-9);
    }
    const AutoLeap back = auto_leap(leap.end, leap.momentum, density, step, {a, b});
    CHECK(back.exponent[0] == item.at("reverse_j").integer());
    CHECK((back.exponent == leap.exponent) == item.at("reversible").boolean());
    CHECK(std::fabs(std::min(0.0, leap.log_ratio[0]) - golden::real(item.at("log_accept"))) < 1e-9);
  }
}

TEST_CASE("golden/kaem/replica_swap") {
  const Json* cases = golden::field("kaem", "replica_swap");
  if (!cases) return;
  for (const Json& item : cases->items()) {
    const double log_r =
        swap_log_ratio({golden::real(item.at("t_k")), golden::real(item.at("t_k1")),
                        golden::real(item.at("loglik_k")), golden::real(item.at("loglik_k1"))});
    const double expected = golden::real(item.at("log_r"));
    CHECK(std::fabs(log_r - expected) <= 1e-9 * (1 + std::fabs(expected)));
    CHECK(swap_accepted(log_r, golden::real(item.at("u"))) == item.at("accept").boolean());
  }
}

TEST_CASE("langevin: MALA and autoMALA keep a bimodal density between mirrors") {
  // Exact draws must stay draws of the target, whatever the moves; unadjusted steps of this length
  // fail. False alarm 1e-4 each.
  constexpr std::size_t chains = 20000;
  const Box box{{-1.5}, {1.5}};
  const PanelCdf target = bimodal_target();
  const LangevinDensity density = mirrored(bimodal, box);
  const std::vector<std::uint64_t> all = counted(chains);
  const Numbers etas(chains, 0.15);
  Numbers draws(chains);
  Cursor words(Rng(1).stream(Stream::test));
  for (double& z : draws) z = words.uniform53();
  InverseCdf(target).quantiles(draws, draws);
  LangevinChains mala = start_langevin(draws, 1, density), automatic = mala, unadjusted = mala;
  for (std::uint32_t t = 0; t < 20; ++t) {
    ula_move(unadjusted, density, {etas}, langevin_noise(Rng(2), t, all));
    fold(unadjusted, box);
    mala_move(mala, density, {etas}, langevin_noise(Rng(2), t, all));
    fold(mala, box);
  }
  AutoMove move{.step = {.eta = 0.5}};
  for (std::uint32_t t = 0; t < 20; ++t) {
    auto_mala_move(automatic, density, move, langevin_noise(Rng(3), t, all));
    fold(automatic, box);
  }
  CHECK(statistic(mala.z, target) < 2.2253);
  CHECK(statistic(automatic.z, target) < 2.2253);
  CHECK(statistic(unadjusted.z, target) > 2.2253);
  CHECK(mala.z != draws);
  const LangevinChains again = start_langevin(mala.z, 1, density);
  CHECK(again.log_density == mala.log_density);
}

TEST_CASE("langevin: the error of unadjusted steps shrinks with their length") {
  // With target N(0,1) the chain z' = (1 - eta) z + sqrt(2 eta) xi has variance 1 / (1 - eta/2).
  constexpr std::size_t chains = 20000;
  const LangevinDensity density = gaussian({0}, {1});
  const std::vector<std::uint64_t> all = counted(chains);
  for (const double eta : {0.5, 0.1}) {
    LangevinChains states = start_langevin(Numbers(chains), 1, density);
    const Numbers etas(chains, eta);
    for (std::uint32_t t = 0; t < 60; ++t)
      ula_move(states, density, {etas}, langevin_noise(Rng(5), t, all));
    double square = 0;
    for (const double z : states.z) square += z * z / chains;
    const double expected = 1 / (1 - eta / 2);
    CHECK(std::fabs(square - expected) < 4.5 * expected * std::sqrt(2.0 / chains));
  }
}

TEST_CASE("langevin: dimensions of unlike size are evened out by scales") {
  constexpr std::size_t chains = 4000;
  const LangevinDensity density = gaussian({0, 1}, {1e4, 1});
  const Numbers scales{0.01, 1}, etas(chains, 0.5);
  const std::vector<std::uint64_t> all = counted(chains);
  LangevinChains a = start_langevin(Numbers(2 * chains), 2, density), b = a;
  for (std::uint32_t t = 0; t < 40; ++t) {
    mala_move(a, density, {etas, scales}, langevin_noise(Rng(6), t, all));
    auto_mala_move(b, density, {.step = {.scales = scales}}, langevin_noise(Rng(7), t, all));
  }
  for (const LangevinChains& states : {a, b}) {
    double squares[2] = {};
    for (std::size_t e = 0; e < states.z.size(); ++e) {
      const double z = e % 2 == 0 ? 100 * states.z[e] : states.z[e] - 1;
      squares[e % 2] += z * z / chains;
    }
    for (const double square : squares)
      CHECK(std::fabs(square - 1) < 4.5 * std::sqrt(2.0 / chains));
  }
}

TEST_CASE("langevin: the noise of a chain depends on its number alone") {
  const LangevinDensity density = gaussian({0, 0, 0}, {1, 2, 3});
  const std::vector<std::uint64_t> all{7, 8, 9}, one{8};
  LangevinChains together = start_langevin(Numbers(9, 0.5), 3, density),
                 alone = start_langevin(Numbers(3, 0.5), 3, density);
  const Numbers etas(3, 0.3);
  for (std::uint32_t t = 0; t < 4; ++t) {
    mala_move(together, density, {etas}, langevin_noise(Rng(2), t, all));
    mala_move(alone, density, {std::span(etas).first(1)}, langevin_noise(Rng(2), t, one));
    auto_mala_move(together, density, {}, langevin_noise(Rng(4), t, all));
    auto_mala_move(alone, density, {}, langevin_noise(Rng(4), t, one));
  }
  CHECK(std::equal(alone.z.begin(), alone.z.end(), together.z.begin() + 3));
  CHECK(together.z[0] != together.z[3]);
}

TEST_CASE("replica exchange: a swap keeps the joint distribution of two states exactly") {
  // States 0, 1 with log-likelihoods l: at temperatures s < t pi(a, b) = e^(s l_a + t l_b).
  // Exchanges with probability min(1, r) balance: as much goes from (0,1) to (1,0) as comes back.
  const double l[2] = {-0.7, 1.9}, s = 0.3, t = 0.8;
  const auto joint = [&](int a, int b) { return std::exp(s * l[a] + t * l[b]); };
  const auto probability = [&](int a, int b) {
    return std::min(1.0, std::exp(swap_log_ratio({s, t, l[a], l[b]})));
  };
  CHECK(joint(0, 1) * probability(0, 1) ==
        doctest::Approx(joint(1, 0) * probability(1, 0)).epsilon(1e-14));
}

TEST_CASE("replica exchange: swaps carry likelihood and state together, pair by pair") {
  constexpr std::size_t steps = 4, chains = 2000;
  const Numbers temperatures{0, 0.2, 0.5, 1};
  const std::vector<std::uint64_t> all = counted(chains);
  Numbers likelihood(steps * chains);
  for (std::size_t i = 0; i < likelihood.size(); ++i)
    likelihood[i] = std::sin(static_cast<double>(i * i));
  for (const SwapPairs pairs : {SwapPairs::random, SwapPairs::alternating})
    for (const SwapScope scope : {SwapScope::chain, SwapScope::joint}) {
      Numbers moved = likelihood, state = likelihood;
      std::vector<std::int64_t> tried(steps - 1);
      for (std::uint32_t round = 0; round < 12; ++round) {
        const SwapCounts counts = exchange_replicas(
            {temperatures, moved, pairs, scope}, Rng(8), round, all,
            [&](std::int64_t k, std::int64_t c) {
              std::swap(state[at(k) * chains + at(c)], state[at(k + 1) * chains + at(c)]);
            });
        for (std::size_t k = 0; k + 1 < steps; ++k) {
          tried[k] += counts.tried[k];
          CHECK(counts.accepted[k] <= counts.tried[k]);
          if (scope == SwapScope::joint) CHECK(counts.accepted[k] % chains == 0);
        }
      }
      CHECK(moved == state);
      for (const std::int64_t count : tried) CHECK(count > 0);
    }
}

}  // namespace logpx::langevin_test
