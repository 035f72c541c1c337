// Models given by tables, against tests/golden/loarm.json.
#include "libcore/families/arm/sampling/sampler.hpp"
#include "libcore/families/arm/scoring/exact_scoring.hpp"
#include "libcore/families/arm/scoring/iwae_scoring.hpp"
#include "libcore/math/resample.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_layer.hpp"
#include "tests/support/table_orders.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <map>
#include <string>

namespace logpx::loarm_tables_test {

using namespace logpx::arm;
using namespace logpx::table_orders;

namespace {

std::vector<double> numbers(const Json& list) { return golden_layer::tensor(list).data; }

std::vector<std::int32_t> whole(const Json& list) {
  std::vector<std::int32_t> all;
  for (const Json& item : list.items()) all.push_back(static_cast<std::int32_t>(item.integer()));
  return all;
}

void close_to(double computed, const Json& expected, double tolerance = 1e-9) {
  const double value = golden::real(expected);
  CHECK(std::abs(computed - value) <= tolerance * (1 + std::abs(value)));
}

// A model of the file under each of its policies, with q from its table or uniform.
struct Golden {
  explicit Golden(const Json& item)
      : model({.dims = item.at("L").integer(),
               .levels = item.at("m").integer(),
               .f = numbers(item.at("f")),
               .h = numbers(item.at("h")),
               .g = numbers(item.at("g"))}),
        beta(golden::real(item.at("beta"))) {
    for (const Json& group : item.at("groups").items()) groups.push_back(group.integer());
    g = model.tables().g;
  }

  [[nodiscard]] OrderRule rule(const std::string& policy) const {
    if (policy == "biased") return {.kind = RuleKind::grouped, .groups = groups};
    if (policy == "h") return {.kind = RuleKind::network};
    // With beta 0 the policy is uniform, and q may still be another.
    return {.kind = RuleKind::entropy, .beta = policy == "entropy" ? beta : 0};
  }
  // "p_h_q_g"
  void follow(const std::string& pair) {
    const std::size_t q = pair.find("_q_");
    model.follow(rule(pair.substr(2, q - 2)));
    const bool given = pair.substr(q + 3) == "g";
    for (std::size_t i = 0; i < g.size(); ++i) model.tables().g[i] = given ? g[i] : 0;
  }
  [[nodiscard]] SubsetSums sums(const std::vector<std::int32_t>& x) const {
    return subset_sums(model.rows(x), 0);
  }

  TableOrders model;
  double beta;
  std::vector<std::int64_t> groups;
  std::vector<double> g;
};

template <typename Check>
void for_each_model(Check check) {
  const Json* models = golden::field("loarm", "tabular");
  if (models == nullptr) return;
  for (const Json& item : models->items()) {
    Golden golden(item);
    check(golden, item);
  }
}
template <typename Check>
void for_each_case(Check check) {
  for_each_model([&](Golden& golden, const Json& item) {
    for (const Json& one : item.at("x_cases").items()) check(golden, one, whole(one.at("x")));
  });
}

// All numbers of one state, [dims] each.
struct Said {
  std::vector<double> log_p, log_q, log_x;
  [[nodiscard]] double value() const { return step_terms(log_p, log_q, log_x).value(); }
};
Said said_of(const TableOrders& model, const std::vector<std::int32_t>& x,
             const std::vector<std::int32_t>& seen) {
  Said said;
  model.rows(x).look(
      1,
      [&](std::int64_t) {
        return ScoredRows::State{0, seen};
      },
      [&](std::int64_t, const ScoredRows::State&, const ScoredRows::Terms& terms) {
        said = {{terms.log_p.begin(), terms.log_p.end()},
                {terms.log_q.begin(), terms.log_q.end()},
                {terms.log_x.begin(), terms.log_x.end()}};
      });
  return said;
}

std::vector<double> weights_of(const TableOrders& model, const std::vector<std::int32_t>& x,
                               const std::vector<std::vector<std::int32_t>>& orders) {
  std::vector<WeighedOrder> weighed;
  for (const auto& order : orders) weighed.push_back({0, order});
  return order_weights(model.rows(x), weighed);
}

double log_q_of(const TableOrders& model, const std::vector<std::int32_t>& x,
                const std::vector<std::int32_t>& order) {
  double nats = 0;
  for (std::size_t i = 0; i < order.size(); ++i)
    nats += said_of(model, x, {order.begin(), order.begin() + static_cast<std::ptrdiff_t>(i)})
                .log_q[at(order[i])];
  return nats;
}

double slope(const std::function<double(double)>& f, double x) {
  constexpr double step = 1e-5;
  return (f(x + step) - f(x - step)) / (2 * step);
}

}  // namespace

TEST_CASE("golden/loarm/tabular: log p(x) and bounds by all sets of dims") {
  for_each_case([](Golden& golden, const Json& one, const std::vector<std::int32_t>& x) {
    for (const auto& [policy, expected] : one.at("loglik").members()) {
      CAPTURE(policy);
      golden.model.follow(golden.rule(policy));
      close_to(golden.sums(x).log_p, expected);
    }
    for (const auto& [pair, expected] : one.at("elbo").members()) {
      CAPTURE(pair);
      golden.follow(pair);
      const SubsetSums sums = golden.sums(x);
      close_to(sums.elbo, expected);
      CHECK(sums.kl_to_posterior == doctest::Approx(sums.log_p - sums.elbo).epsilon(1e-9));
    }
  });
}

TEST_CASE("golden/loarm/tabular: probabilities of all rows sum to one") {
  for_each_model([](Golden& golden, const Json& item) {
    for (const auto& [policy, expected] : item.at("sum_over_x_of_p").members()) {
      CAPTURE(policy);
      golden.model.follow(golden.rule(policy));
      double sum = 0;
      const Tables& tables = golden.model.tables();
      for (std::int64_t row = 0; row < power(tables.levels, tables.dims); ++row)
        sum += std::exp(golden.sums(row_of(tables, row)).log_p);
      close_to(sum, expected, 1e-10);
    }
  });
}

TEST_CASE("golden/loarm/tabular: F depends on the set that is seen") {
  for_each_case([](Golden& golden, const Json& one, const std::vector<std::int32_t>& x) {
    for (const Json& state : one.at("F").items())
      for (const auto& [pair, expected] : state.members()) {
        if (pair == "S") continue;
        CAPTURE(pair);
        golden.follow(pair);
        close_to(said_of(golden.model, x, whole(state.at("S"))).value(), expected);
      }
  });
}

TEST_CASE("golden/loarm/tabular: slopes of the bound") {
  for_each_case([](Golden& golden, const Json& one, const std::vector<std::int32_t>& x) {
    const std::size_t dims = x.size();
    std::size_t row = 0;
    for (std::size_t k = dims; k-- > 0;) row = row * at(golden.model.tables().levels) + at(x[k]);
    for (const std::string policy : {"h", "entropy"}) {
      golden.follow("p_" + policy + "_q_g");
      for (std::size_t k = 0; k < dims; ++k) {
        double& logit = golden.model.tables().g[row * dims + k];
        const double given = logit;
        close_to(slope(
                     [&](double moved) {
                       logit = moved;
                       return golden.sums(x).elbo;
                     },
                     given),
                 one.at("grad_elbo_wrt_g_p_" + policy).at(k), 1e-8);
        logit = given;
      }
    }
    close_to(slope(
                 [&](double beta) {
                   golden.model.follow({.kind = RuleKind::entropy, .beta = beta});
                   return golden.sums(x).elbo;
                 },
                 golden.beta),
             one.at("dELBO_dbeta"), 1e-7);
  });
}

TEST_CASE("golden/loarm/tabular: weights of orders and bounds made of them") {
  for_each_case([](Golden& golden, const Json& one, const std::vector<std::int32_t>& x) {
    golden.follow("p_h_q_g");
    const double log_p = golden.sums(x).log_p;
    for (const Json& order : one.at("plackett_luce").items()) {
      const std::vector<std::int32_t> z = whole(order.at("z"));
      const double log_q = log_q_of(golden.model, x, z),
                   log_joint = weights_of(golden.model, x, {z})[0] + log_q;
      close_to(std::exp(log_q), order.at("q"));
      close_to(log_joint, order.at("log_joint_h"));
      close_to(std::exp(log_joint - log_p), order.at("posterior_h"));
    }
    const auto orders = all_orders(golden.model.tables().dims);
    const std::vector<double> log_weights = weights_of(golden.model, x, orders);
    double expected = 0;
    for (std::size_t i = 0; i < orders.size(); ++i)
      for (std::size_t j = 0; j < orders.size(); ++j) {
        const double larger = std::max(log_weights[i], log_weights[j]),
                     smaller = std::min(log_weights[i], log_weights[j]);
        const double mean = larger + std::log1p(std::exp(smaller - larger)) - std::log(2.0);
        expected +=
            std::exp(log_q_of(golden.model, x, orders[i]) + log_q_of(golden.model, x, orders[j])) *
            mean;
      }
    close_to(expected, one.at("iw_bound_expected_K2"));
    std::vector<std::vector<std::int32_t>> fixed;
    for (const Json& order : one.at("iw_bound_fixed_orders").at("orders").items())
      fixed.push_back(whole(order));
    const std::vector<double> some = weights_of(golden.model, x, fixed);
    std::vector<double> weights(some.size());
    close_to(importance_weights(some, weights), one.at("iw_bound_fixed_orders").at("value"));
  });
}

TEST_CASE("golden/loarm/tabular: policies and values of single states") {
  for_each_model([](Golden& golden, const Json& item) {
    for (const Json& state : item.at("states").items()) {
      const std::vector<std::int32_t> x = whole(state.at("x")), seen = whole(state.at("unmasked"));
      const auto check = [&](const std::vector<double>& logs, const Json& expected) {
        for (const auto& [dim, p] : expected.members())
          close_to(std::exp(logs[at(std::stol(dim))]), p);
      };
      golden.follow("p_h_q_g");
      check(said_of(golden.model, x, seen).log_p, state.at("policy_h"));
      check(said_of(golden.model, x, seen).log_q, state.at("q_g"));
      golden.follow("p_entropy_q_g");
      check(said_of(golden.model, x, seen).log_p, state.at("policy_entropy"));
      golden.model.follow({.kind = RuleKind::entropy, .beta = -golden.beta});
      check(said_of(golden.model, x, seen).log_p, state.at("policy_entropy_beta_negative"));
      for (const auto& [dim, expected] : state.at("classifier").members())
        for (std::int32_t v = 0; v < golden.model.tables().levels; ++v) {
          std::vector<std::int32_t> other = x;
          other[at(std::stol(dim))] = v;
          close_to(std::exp(said_of(golden.model, other, seen).log_x[at(std::stol(dim))]),
                   expected.at(at(v)));
        }
    }
  });
}

TEST_CASE("golden/loarm/top_p: the fewest values that make up a share") {
  const Json* cases = golden::field("loarm", "top_p");
  if (cases == nullptr) return;
  for (const Json& one : cases->items()) {
    std::vector<double> p = numbers(one.at("probs"));
    keep_nucleus(p, golden::real(one.at("top_p")));
    for (std::size_t i = 0; i < p.size(); ++i) close_to(p[i], one.at("result").at(i));
  }
}

TEST_CASE("golden/loarm/gumbel_top_k: orders are those of falling logits with noise") {
  const Json* cases = golden::field("loarm", "gumbel_top_k");
  if (cases == nullptr) return;
  for (const Json& one : cases->items()) {
    std::vector<double> scores = numbers(one.at("g"));
    const std::vector<double> noise = numbers(one.at("gumbel"));
    for (std::size_t k = 0; k < scores.size(); ++k) scores[k] += noise[k];
    CHECK(order_by(scores, std::vector<std::int32_t>(scores.size())) == whole(one.at("perm")));
  }
}

}  // namespace logpx::loarm_tables_test
