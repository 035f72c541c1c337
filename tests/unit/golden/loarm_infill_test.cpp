// Completions of rows of which a part is known, against tests/golden/loarm.json.
#include "libcore/families/arm/sampling/infill.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_layer.hpp"
#include "tests/support/table_orders.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>

namespace logpx::loarm_infill_test {

using namespace logpx::arm;
using namespace logpx::table_orders;

namespace {

std::vector<double> numbers(const Json& list) { return golden_layer::tensor(list).data; }

std::vector<std::int32_t> whole(const Json& list) {
  std::vector<std::int32_t> all;
  for (const Json& item : list.items()) all.push_back(static_cast<std::int32_t>(item.integer()));
  return all;
}

// Model and row of the file, and its numbers for every completion.
struct Golden {
  explicit Golden(const Json& item)
      : model({.dims = item.at("L").integer(),
               .levels = item.at("m").integer(),
               .f = numbers(item.at("f")),
               .h = numbers(item.at("h")),
               .g = numbers(item.at("g"))}) {
    model.follow({.kind = RuleKind::network});
    row.x.resize(at(model.dims()));
    row.seen.resize(row.x.size());
    const Json& infill = item.at("infill");
    for (const auto& [dim, value] : infill.at("observed").members()) {
      row.x[at(std::stol(dim))] = static_cast<std::int32_t>(value.integer());
      row.seen[at(std::stol(dim))] = 1;
    }
    for (const Json& one : infill.at("completions").items()) {
      exact[whole(one.at("x"))] = golden::real(one.at("exact_conditional"));
      by_policy[whole(one.at("x"))] = golden::real(one.at("policy_restricted"));
    }
  }
  TableOrders model;
  PartlyKnown row;
  std::map<std::vector<std::int32_t>, double> exact, by_policy;
};

template <typename Check>
void for_each_model(Check check) {
  const Json* models = golden::field("loarm", "tabular");
  if (models == nullptr) return;
  for (const Json& item : models->items()) {
    const Golden golden(item);
    check(golden);
  }
}

// Shares of completions are within five standard errors of what they should be.
void check_shares(const std::map<std::vector<std::int32_t>, double>& shares,
                  const std::map<std::vector<std::int32_t>, double>& expected, double draws) {
  for (const auto& [x, p] : expected) {
    const auto found = shares.find(x);
    const double share = found == shares.end() ? 0 : found->second;
    CHECK(std::abs(share - p) <= 5 * std::sqrt(p * (1 - p) / draws) + 1e-4);
  }
}

}  // namespace

TEST_CASE("golden/loarm/tabular: completions have the probabilities of the joint, exactly") {
  for_each_model([](const Golden& golden) {
    const ExactCompletions all = exact_completions(golden.model, golden.row);
    CHECK(all.p.size() == golden.exact.size());
    for (std::size_t i = 0; i < all.p.size(); ++i) {
      const auto first = all.x.begin() + static_cast<std::ptrdiff_t>(i * golden.row.x.size());
      const std::vector<std::int32_t> x(first, first + std::ssize(golden.row.x));
      CHECK(all.p[i] == doctest::Approx(golden.exact.at(x)).epsilon(1e-9));
    }
  });
}

TEST_CASE(
    "golden/loarm/tabular: the policy completes rows by its own steps, weights as the joint") {
  for_each_model([](const Golden& golden) {
    constexpr std::int64_t draws = 20'000;
    const OrderSampler sampler(golden.model.predictor(), golden.model.rule(), {});
    const WeighedCompletions all =
        weighed_completions(golden.model, sampler, golden.row, draws, Rng(3), 0);
    std::map<std::vector<std::int32_t>, double> plain, weighed;
    double total = 0, squares = 0;
    for (std::size_t i = 0; i < at(draws); ++i) {
      const auto first = all.x.begin() + static_cast<std::ptrdiff_t>(i * golden.row.x.size());
      const std::vector<std::int32_t> x(first, first + std::ssize(golden.row.x));
      const double weight = std::exp(all.log_weights[i]);
      plain[x] += 1.0 / draws;
      weighed[x] += weight;
      total += weight;
      squares += weight * weight;
    }
    check_shares(plain, golden.by_policy, draws);
    for (auto& [x, share] : weighed) share /= total;
    check_shares(weighed, golden.exact, total * total / squares);
  });
}

}  // namespace logpx::loarm_infill_test
