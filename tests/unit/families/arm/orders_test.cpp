// What models of orders promise, on tables small enough to sum over everything.
#include "libcore/det/draws.hpp"
#include "libcore/families/arm/sampling/sampler.hpp"
#include "libcore/families/arm/scoring/elbo_scoring.hpp"
#include "libcore/families/arm/scoring/exact_scoring.hpp"
#include "libcore/families/arm/scoring/iwae_scoring.hpp"
#include "tests/support/table_orders.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>

namespace logpx::orders_test {

using namespace logpx::arm;
using namespace logpx::table_orders;

namespace {

const OrderRule by_network = {.kind = RuleKind::network};

double log_sum(const std::vector<double>& terms) {
  const double largest = *std::ranges::max_element(terms);
  double sum = 0;
  for (const double term : terms) sum += std::exp(term - largest);
  return largest + std::log(sum);
}

// log p(z, x) of every order, and log q(z|x).
struct Summed {
  std::vector<double> joint, log_q;
};
Summed over_orders(const TableOrders& model, const std::vector<std::int32_t>& x) {
  const auto orders = all_orders(std::ssize(x));
  const ScoredRows rows = model.rows(x);
  std::vector<WeighedOrder> weighed;
  for (const auto& order : orders) weighed.push_back({0, order});
  Summed summed;
  const std::vector<double> weights = order_weights(rows, weighed);
  std::vector<double> g(x.size());
  model.predictor().choose(x, g);
  for (std::size_t n = 0; n < orders.size(); ++n) {
    double nats = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      double rest = 0;
      for (std::size_t k = j; k < x.size(); ++k) rest += std::exp(g[at(orders[n][k])]);
      nats += g[at(orders[n][j])] - std::log(rest);
    }
    summed.log_q.push_back(nats);
    summed.joint.push_back(weights[n] + nats);
  }
  return summed;
}

// Pearson's statistic of counts against their probabilities.
double chi_square(const std::map<std::int64_t, std::int64_t>& counts,
                  const std::map<std::int64_t, double>& p) {
  std::int64_t all = 0;
  for (const auto& [what, count] : counts) all += count;
  double sum = 0;
  for (const auto& [what, probability] : p) {
    const double expected = probability * static_cast<double>(all);
    const auto found = counts.find(what);
    const double off = (found == counts.end() ? 0 : static_cast<double>(found->second)) - expected;
    sum += off * off / expected;
  }
  return sum;
}

std::int64_t number_of(std::span<const std::int32_t> digits, std::int64_t base) {
  std::int64_t number = 0;
  for (const std::int32_t digit : digits) number = number * base + digit;
  return number;
}

}  // namespace

TEST_CASE("arm: sums over sets of dims are sums over all orders, and p(x) sums to one") {
  for (const std::int64_t dims : {1, 2, 3, 5}) {
    TableOrders model(random_tables(dims, 2, static_cast<std::uint64_t>(dims)));
    for (const OrderRule& rule : {by_network, OrderRule{.kind = RuleKind::entropy, .beta = 1.3}}) {
      model.follow(rule);
      double total = 0;
      for (std::int64_t row = 0; row < power(2, dims); ++row) {
        const std::vector<std::int32_t> x = row_of(model.tables(), row);
        const SubsetSums sums = subset_sums(model.rows(x), 0);
        total += std::exp(sums.log_p);
        if (row % 5 != 0) continue;
        const Summed summed = over_orders(model, x);
        CHECK(sums.log_p == doctest::Approx(log_sum(summed.joint)).epsilon(1e-11));
        double elbo = 0, kl = 0;
        for (std::size_t n = 0; n < summed.joint.size(); ++n) {
          const double q = std::exp(summed.log_q[n]);
          elbo += q * (summed.joint[n] - summed.log_q[n]);
          kl += q * (summed.log_q[n] - summed.joint[n] + sums.log_p);
        }
        CHECK(sums.elbo == doctest::Approx(elbo).epsilon(1e-10));
        CHECK(std::abs(sums.kl_to_posterior - kl) < 1e-10);
        CHECK(std::abs(sums.log_p - sums.elbo - kl) < 1e-10);
      }
      CHECK(std::abs(total - 1) < 1e-10);
    }
  }
}

TEST_CASE("arm: the bound by K orders lies between the bound and log p(x), and rises with K") {
  TableOrders model(random_tables(3, 2, 7));
  model.follow(by_network);
  for (std::int64_t row = 0; row < 8; ++row) {
    const std::vector<std::int32_t> x = row_of(model.tables(), row);
    const SubsetSums sums = subset_sums(model.rows(x), 0);
    const Summed summed = over_orders(model, x);
    const std::size_t orders = summed.joint.size();
    const auto weight = [&](std::size_t n) { return summed.joint[n] - summed.log_q[n]; };
    double two = 0, three = 0;
    for (std::size_t a = 0; a < orders; ++a)
      for (std::size_t b = 0; b < orders; ++b) {
        const double q = std::exp(summed.log_q[a] + summed.log_q[b]);
        two += q * (log_sum({weight(a), weight(b)}) - std::log(2.0));
        for (std::size_t c = 0; c < orders; ++c)
          three += q * std::exp(summed.log_q[c]) *
                   (log_sum({weight(a), weight(b), weight(c)}) - std::log(3.0));
      }
    CHECK(sums.elbo < two);
    CHECK(two < three);
    CHECK(three < sums.log_p);
  }
}

TEST_CASE("arm: orders are drawn as Plackett-Luce says, and so are their first dims") {
  constexpr std::int64_t draws = 100'000;
  const std::vector<double> g = {0.7, -0.9, 1.4, 0.1};
  const std::vector<std::int32_t> x(4);
  std::map<std::int64_t, double> p, p_of_pair;
  for (const auto& order : all_orders(4)) {
    double nats = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      double rest = 0;
      for (std::size_t k = j; k < 4; ++k) rest += std::exp(g[at(order[k])]);
      nats += g[at(order[j])] - std::log(rest);
    }
    p[number_of(order, 4)] = std::exp(nats);
    p_of_pair[(1 << order[0]) | (1 << order[1])] += std::exp(nats);
  }
  std::map<std::int64_t, std::int64_t> counts, counts_of_pair;
  const Substream words = Rng(5).stream(Stream::order);
  std::vector<double> uniforms(4);
  for (std::int64_t n = 0; n < draws; ++n) {
    for (std::size_t k = 0; k < 4; ++k)
      uniforms[k] = words.uniform(4 * static_cast<std::uint64_t>(n) + k);
    const std::vector<std::int32_t> order = drawn_order(g, uniforms, x);
    ++counts[number_of(order, 4)];
    ++counts_of_pair[(1 << order[0]) | (1 << order[1])];
  }
  // Limits that are exceeded once in ten thousand times, with 23 and 5 degrees of freedom.
  CHECK(chi_square(counts, p) < 56.0);
  CHECK(chi_square(counts_of_pair, p_of_pair) < 25.8);
}

TEST_CASE("arm: ties and extreme logits give whole orders") {
  const std::vector<double> half(5, 0.5);
  const std::vector<std::int32_t> x = {0, 0, absent, 0, 0};
  using Order = std::vector<std::int32_t>;
  CHECK(drawn_order(std::vector<double>(5), half, x) == Order{0, 1, 3, 4});
  CHECK(drawn_order(std::vector<double>{60, -60, 60, -60, 0}, half, x) == Order{0, 4, 1, 3});
  std::vector<double> log_p(5);
  const std::vector<std::uint8_t> may = {1, 1, 0, 1, 1};
  log_choice(std::vector<double>{60, -60, 60, -60, 0}, may, log_p);
  CHECK(log_p[0] == doctest::Approx(0));
  CHECK(log_p[1] == doctest::Approx(-120));
  CHECK(std::isinf(log_p[2]));
}

TEST_CASE("arm: groups come one behind the other, and a fixed order is exact along its terms") {
  TableOrders model(random_tables(4, 2, 3));
  const std::vector<std::int64_t> groups = {1, 0, 1, 0}, order = {2, 0, 3, 1};
  const std::vector<double> uniforms = {0.1, 0.2, 0.3, 0.4};
  const std::vector<std::int32_t> x = {1, 0, 0, 1};
  CHECK(drawn_order(groups, uniforms, x) == std::vector<std::int32_t>{3, 1, 2, 0});
  model.follow({.kind = RuleKind::grouped, .groups = groups});
  const SubsetSums grouped = subset_sums(model.rows(x), 0);
  CHECK(grouped.kl == 0);
  CHECK(grouped.elbo < grouped.log_p);
  model.follow({.kind = RuleKind::grouped, .groups = order});
  CHECK(model.rule().is_fixed());
  const SubsetSums fixed = subset_sums(model.rows(x), 0);
  CHECK(fixed.kl == 0);
  CHECK(fixed.elbo == doctest::Approx(fixed.log_p).epsilon(1e-12));
  const ScoredRows rows = model.rows(x);
  const std::vector<WeighedOrder> along = {{0, rows.order(0, 0, Rng(1))}};
  CHECK(along[0].order == std::vector<std::int32_t>{1, 3, 0, 2});
  CHECK(order_weights(rows, along)[0] == doctest::Approx(fixed.log_p).epsilon(1e-12));
}

TEST_CASE("arm: a policy by entropy with beta 0 is that of any order") {
  TableOrders model(random_tables(4, 3, 5));
  for (const std::int64_t row : {0, 17, 80}) {
    const std::vector<std::int32_t> x = row_of(model.tables(), row);
    std::ranges::fill(model.tables().g, 0.0);
    model.follow({.kind = RuleKind::entropy, .beta = 0});
    const SubsetSums by_entropy = subset_sums(model.rows(x), 0);
    model.follow({});
    const SubsetSums any = subset_sums(model.rows(x), 0);
    CHECK(by_entropy.log_p == doctest::Approx(any.log_p).epsilon(1e-13));
    CHECK(by_entropy.elbo == doctest::Approx(any.elbo).epsilon(1e-13));
    CHECK(std::abs(by_entropy.kl) < 1e-13);
  }
}

TEST_CASE("arm: samples of a table are distributed as p(x)") {
  constexpr std::int64_t draws = 40'000;
  TableOrders model(random_tables(3, 2, 11));
  for (const OrderRule& rule :
       {by_network, OrderRule{.kind = RuleKind::entropy, .beta = 2}, OrderRule{}}) {
    model.follow(rule);
    std::map<std::int64_t, double> p;
    for (std::int64_t row = 0; row < 8; ++row) {
      const std::vector<std::int32_t> x = row_of(model.tables(), row);
      p[number_of(x, 2)] = std::exp(subset_sums(model.rows(x), 0).log_p);
    }
    std::vector<std::int32_t> x(at(3 * draws));
    std::vector<std::uint8_t> seen(x.size());
    OrderSampler(model.predictor(), rule, {}).run({.x = x, .seen = seen}, Rng(2), 0);
    std::map<std::int64_t, std::int64_t> counts;
    for (std::int64_t n = 0; n < draws; ++n)
      ++counts[number_of(std::span(x).subspan(at(3 * n), 3), 2)];
    CHECK(chi_square(counts, p) < 29.9);  // once in ten thousand times, 7 degrees of freedom
  }
}

TEST_CASE("arm: the likeliest values alone leave one sample, that of the greedy order") {
  TableOrders model(random_tables(3, 3, 4));
  model.follow(by_network);
  std::vector<std::int32_t> x(30);
  std::vector<std::uint8_t> seen(30);
  const OrderSampler sampler(model.predictor(), by_network, {.top_p = 0, .policy_top_p = 0});
  sampler.run({.x = x, .seen = seen}, Rng(2), 0);
  for (std::size_t i = 3; i < x.size(); ++i) CHECK(x[i] == x[i % 3]);
  std::vector<std::int32_t> cold(30);
  std::ranges::fill(seen, std::uint8_t{0});
  OrderSampler(model.predictor(), by_network, {.temperature = 0, .policy_temperature = 0})
      .run({.x = cold, .seen = seen}, Rng(3), 0);
  CHECK((cold == x));
}

}  // namespace logpx::orders_test
