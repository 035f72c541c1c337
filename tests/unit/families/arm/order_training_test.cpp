// What training computes: its estimate of the gradient, and what it agrees with.
#include "libcore/families/arm/scoring/elbo_scoring.hpp"
#include "libcore/families/arm/scoring/exact_scoring.hpp"
#include "libcore/families/arm/scoring/iwae_scoring.hpp"
#include "libcore/families/arm/training/objective.hpp"
#include "libcore/families/registry.hpp"
#include "libcore/model/plan.hpp"
#include "tests/support/order_objective.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/table_orders.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace logpx::order_training_test {

using namespace logpx::arm;
using order_objective::Draw;
using order_objective::Objective;

namespace {

// Free tables with every logit at random.
std::unique_ptr<ArmModel> table_model(std::int64_t dims, ChoiceKind choice = ChoiceKind::shared) {
  Config config;
  config.choice = choice;
  config.net.kind = NetKind::tabular;
  auto model = std::make_unique<ArmModel>(config, vectors_of(dims, 2));
  DrawCursor draws(Rng(4).stream(Stream::test));
  for (float& weight : model->param_set().block()) weight = static_cast<float>(draws.normal());
  return model;
}

std::vector<double> theta_of(const ArmModel& model) {
  const auto block = model.param_set().block();
  return {block.begin(), block.end()};
}

// Where the logits of a row begin in a table of all rows.
std::ptrdiff_t place_in_table(const ArmModel& model, const std::vector<std::int32_t>& x) {
  std::int64_t row = 0;
  for (std::size_t k = x.size(); k-- > 0;) row = row * model.levels() + x[k];
  return static_cast<std::ptrdiff_t>(row * std::ssize(x));
}

double log_q(const std::vector<double>& g, const std::vector<std::int32_t>& order) {
  double nats = 0;
  for (std::size_t j = 0; j < order.size(); ++j) {
    double rest = 0;
    for (std::size_t k = j; k < order.size(); ++k) rest += std::exp(g[at(order[k])]);
    nats += g[at(order[j])] - std::log(rest);
  }
  return nats;
}

// Logits g of a row in the table net/g.
std::vector<double> choice_of(const ArmModel& model, const std::vector<double>& theta,
                              const std::vector<std::int32_t>& x) {
  const ParamInfo& info = model.param_set().infos()[at(model.param_set().find("net/g"))];
  const auto first = theta.begin() + info.offset + place_in_table(model, x);
  return {first, first + std::ssize(x)};
}

// Every place and list of so many orders with its probability.
struct AllDraws {
  std::vector<Draw> draws;
  std::vector<double> weights;
};
AllDraws all_draws(const std::vector<double>& g, const std::vector<std::int32_t>& x,
                   std::int64_t paths = 2) {
  const std::int64_t dims = std::ssize(x);
  AllDraws all;
  for (std::int64_t i = 1; i <= dims; ++i) {
    all.draws.push_back({.x = x, .orders = {}, .i = i});
    all.weights.push_back(1 / static_cast<double>(dims));
  }
  for (std::int64_t path = 0; path < paths; ++path) {
    AllDraws longer;
    for (std::size_t d = 0; d < all.draws.size(); ++d)
      for (const auto& order : table_orders::all_orders(dims)) {
        longer.draws.push_back(all.draws[d]);
        longer.draws.back().orders.push_back(order);
        longer.weights.push_back(all.weights[d] * std::exp(log_q(g, order)));
      }
    all = std::move(longer);
  }
  return all;
}

// The mean gradient of the loss by net/g, over all that may be drawn.
std::vector<double> enumerated_gradient(const ArmModel& model, const std::vector<double>& theta,
                                        const std::vector<std::int32_t>& x,
                                        std::int64_t paths = 2) {
  const AllDraws all = all_draws(choice_of(model, theta, x), x, paths);
  Objective<double> objective(model, all.draws, {.paths = paths});
  objective.run(theta, all.weights);
  return objective.gradient_of("net/g");
}

// d log q / dg of the first i - 1 dims of an order.
std::vector<double> score_of(const std::vector<double>& g, const std::vector<std::int32_t>& order,
                             std::int64_t i) {
  std::vector<double> score(g.size());
  for (std::size_t j = 0; j + 1 < at(i); ++j) {
    double rest = 0;
    for (std::size_t k = j; k < order.size(); ++k) rest += std::exp(g[at(order[k])]);
    score[at(order[j])] += 1;
    for (std::size_t k = j; k < order.size(); ++k)
      score[at(order[k])] -= std::exp(g[at(order[k])]) / rest;
  }
  return score;
}

// F of the state that the first i - 1 dims of an order make.
double value_after(const table_orders::TableOrders& model, const std::vector<std::int32_t>& x,
                   const std::vector<std::int32_t>& order, std::int64_t i) {
  double value = 0;
  model.rows(x).look(
      1,
      [&](std::int64_t) {
        return ScoredRows::State{0, std::span(order).first(at(i - 1))};
      },
      [&](std::int64_t, const ScoredRows::State&, const ScoredRows::Terms& terms) {
        value = terms.step().value();
      });
  return value;
}

// Moments of a vector that is drawn with known probabilities.
struct Noise {
  std::vector<double> mean = std::vector<double>(3);
  double squares = 0;
  void add(const std::vector<double>& drawn, double p) {
    for (std::size_t k = 0; k < drawn.size(); ++k) {
      mean[k] += p * drawn[k];
      squares += p * drawn[k] * drawn[k];
    }
  }
  [[nodiscard]] double variance() const {
    double sum = squares;
    for (const double value : mean) sum -= value * value;
    return sum;
  }
};

// A model of three bits by tables, and its free numbers.
ArmModel shared_tables(PolicyKind policy = PolicyKind::shared) {
  Config config;
  config.choice = ChoiceKind::shared;
  config.policy = policy;
  config.net.kind = NetKind::tabular;
  return {config, vectors_of(3, 2)};
}
constexpr double beta = 0.7;
std::vector<double> theta_by(const ArmModel& model, const table_orders::Tables& tables) {
  std::vector<double> theta(at(model.param_set().block_size()));
  const auto put = [&](const char* name, const std::vector<double>& values) {
    const ParamInfo& info = model.param_set().infos()[at(model.param_set().find(name))];
    REQUIRE(std::ssize(values) == info.shape.elements());
    std::ranges::copy(values, theta.begin() + info.offset);
  };
  put("net/f", tables.f);
  put("net/g", tables.g);
  if (model.config().learns_policy()) put("net/h", tables.h);
  else put("beta", {beta});
  return theta;
}

// The gradient of the bound by g of one row: sum_z q(z) (log p(z, x) - log q(z)) d log q(z) / dg.
std::vector<double> exact_slopes(const table_orders::TableOrders& model,
                                 const std::vector<std::int32_t>& x) {
  std::vector<double> g(x.size()), slopes(x.size());
  model.predictor().choose(x, g);
  std::vector<WeighedOrder> orders;
  for (const auto& order : table_orders::all_orders(std::ssize(x))) orders.push_back({0, order});
  const std::vector<double> weights = order_weights(model.rows(x), orders);
  for (std::size_t n = 0; n < orders.size(); ++n) {
    const double share = std::exp(log_q(g, orders[n].order)) * weights[n];
    const std::vector<double> score = score_of(g, orders[n].order, std::ssize(x) + 1);
    for (std::size_t k = 0; k < score.size(); ++k) slopes[k] += share * score[k];
  }
  return slopes;
}

// Mean and standard error of the gradient over many draws as training makes them.
struct Drawn {
  std::vector<double> mean, error;
};
Drawn drawn_gradient(const ArmModel& model, const std::vector<std::int32_t>& x,
                     std::int64_t paths) {
  constexpr std::size_t batches = 200, rows = 1000;
  Graph graph;
  name_objective(graph, model, {.paths = paths}, {.rows = rows});
  const NetLayout layout(model.form(), 0);
  Executor<float> run(graph, {.from = "loss", .parameters = true});
  GraphInputs inputs(graph, "loss");
  const ParamInfo& info = model.param_set().infos()[at(model.param_set().find("net/g"))];
  const std::size_t size = at(info.shape.elements());
  std::vector<float> gradient(model.param_set().block().size());
  std::vector<double> sums(size), squares(size);
  const Substream times = Rng(8).stream(Stream::time), orders = Rng(8).stream(Stream::order);
  std::ranges::fill(inputs.values("learns"), 1.0F);
  std::ranges::fill(inputs.seed(), 1.0F / rows);
  for (std::size_t batch = 0; batch < batches; ++batch) {
    for (std::size_t row = 0; row < rows; ++row)
      bind_row(model, layout,
               {.row = row,
                .time = times.uniform(batch * rows + row),
                .orders = orders,
                .element = at(paths) * (batch * rows + row) * x.size()},
               x, inputs);
    inputs.bind_to(run);
    run.bind_parameters(model.param_set().block(), gradient);
    run.forward();
    run.backward(inputs.seed());
    for (std::size_t e = 0; e < size; ++e) {
      const auto value = static_cast<double>(gradient[at(info.offset) + e]);
      sums[e] += value;
      squares[e] += value * value;
    }
  }
  Drawn drawn;
  for (std::size_t e = 0; e < size; ++e) {
    const double mean = sums[e] / batches;
    drawn.mean.push_back(mean);
    drawn.error.push_back(std::sqrt((squares[e] / batches - mean * mean) / batches));
  }
  return drawn;
}

}  // namespace

TEST_CASE("arm: over all that may be drawn, the estimate is the gradient of the bound") {
  const table_orders::Tables tables = table_orders::random_tables(3, 2, 6);
  for (const PolicyKind policy : {PolicyKind::shared, PolicyKind::entropy}) {
    const ArmModel model = shared_tables(policy);
    const std::vector<double> theta = theta_by(model, tables);
    table_orders::TableOrders summed(tables);
    summed.follow(policy == PolicyKind::shared
                      ? OrderRule{.kind = RuleKind::network}
                      : OrderRule{.kind = RuleKind::entropy, .beta = beta});
    for (std::int64_t row = 0; row < 8; ++row) {
      const std::vector<std::int32_t> x = table_orders::row_of(tables, row);
      const std::vector<double> exact = exact_slopes(summed, x);
      const auto place = at(place_in_table(model, x));
      for (const std::int64_t paths : {2, 3}) {
        const std::vector<double> loss_slopes = enumerated_gradient(model, theta, x, paths);
        for (std::size_t e = 0; e < loss_slopes.size(); ++e) {
          const bool own = e >= place && e < place + x.size();
          CHECK(std::abs(loss_slopes[e] + (own ? exact[e - place] : 0)) < 1e-10);
        }
      }
    }
  }
}

TEST_CASE(
    "arm: orders that are each other's baseline leave less noise than none, in sum over rows") {
  const table_orders::Tables tables = table_orders::random_tables(3, 2, 6);
  const ArmModel model = shared_tables();
  const std::vector<double> theta = theta_by(model, tables);
  table_orders::TableOrders summed(tables);
  summed.follow({.kind = RuleKind::network});
  double with = 0, without = 0;
  for (std::int64_t row = 0; row < 8; ++row) {
    const std::vector<std::int32_t> x = table_orders::row_of(tables, row);
    const std::vector<double> g = choice_of(model, theta, x);
    const AllDraws all = all_draws(g, x);
    Objective<double> objective(model, all.draws);
    Noise paired, plain;
    for (std::size_t d = 0; d < all.draws.size(); ++d) {
      std::vector<double> one(all.draws.size());
      one[d] = 1;
      objective.run(theta, one);
      const std::vector<double> of_table = objective.gradient_of("net/g");
      const auto own = of_table.begin() + place_in_table(model, x);
      std::vector<double> slopes(own, own + std::ssize(x));
      paired.add(slopes, all.weights[d]);
      // (L/2) (s1 (F1 - F2) + s2 (F2 - F1)) has s1 F2 + s2 F1 less than without a baseline.
      const Draw& draw = all.draws[d];
      const std::vector<double> s1 = score_of(g, draw.orders[0], draw.i),
                                s2 = score_of(g, draw.orders[1], draw.i);
      const double f1 = value_after(summed, x, draw.orders[0], draw.i),
                   f2 = value_after(summed, x, draw.orders[1], draw.i);
      for (std::size_t k = 0; k < slopes.size(); ++k)
        slopes[k] -= 0.5 * static_cast<double>(std::ssize(x)) * (s1[k] * f2 + s2[k] * f1);
      plain.add(slopes, all.weights[d]);
    }
    for (std::size_t k = 0; k < x.size(); ++k)
      CHECK(paired.mean[k] == doctest::Approx(plain.mean[k]).epsilon(1e-10));
    with += paired.variance();
    without += plain.variance();
  }
  CHECK(with < 0.8 * without);
}

TEST_CASE("arm: draws of training estimate the gradient without bias, by any number of orders" *
          testing::of_numbers) {
  const auto model = table_model(3);
  const std::vector<std::int32_t> x = {1, 0, 1};
  const std::vector<double> exact = enumerated_gradient(*model, theta_of(*model), x);
  std::vector<double> noise;
  for (const std::int64_t paths : {2, 5}) {
    const Drawn drawn = drawn_gradient(*model, x, paths);
    double squares = 0;
    for (std::size_t e = 0; e < exact.size(); ++e) {
      CHECK(std::abs(drawn.mean[e] - exact[e]) <= 4 * drawn.error[e] + 1e-6);
      squares += drawn.error[e] * drawn.error[e];
    }
    noise.push_back(squares);
  }
  CHECK(noise[1] < 0.8 * noise[0]);
}

TEST_CASE("arm: a step along the gradient raises the bound") {
  const auto model = table_model(3);
  const std::vector<std::int32_t> x = {0, 1, 1};
  const std::vector<double> loss_slope = enumerated_gradient(*model, theta_of(*model), x);
  const double before = subset_sums(ScoredRows(*model, x, 0), 0).elbo;
  const ParamInfo& info = model->param_set().infos()[at(model->param_set().find("net/g"))];
  for (std::size_t e = 0; e < loss_slope.size(); ++e)
    model->param_set().block()[at(info.offset) + e] -= static_cast<float>(0.1 * loss_slope[e]);
  CHECK(subset_sums(ScoredRows(*model, x, 0), 0).elbo > before);
}

TEST_CASE("arm: without learning yet, or with no logits of orders, all orders are alike") {
  const auto model = table_model(3);
  Config config = model->config();
  config.orders = OrderKind::any;
  ArmModel any(config, vectors_of(3, 2));
  const ParamInfo& f = model->param_set().infos()[at(model->param_set().find("net/f"))];
  std::ranges::copy(model->param_set().block().subspan(at(f.offset), at(f.shape.elements())),
                    any.param_set().block().begin());
  for (const char* name : {"net/g", "net/h"}) {
    const ParamInfo& info = model->param_set().infos()[at(model->param_set().find(name))];
    std::ranges::fill(
        model->param_set().block().subspan(at(info.offset), at(info.shape.elements())), 0.0F);
  }
  const DatasetInfo data = vectors_of(3, 2);
  const Rows rows = rows_of({0, 1, 1, 1, 0, 0, 1, 1, 1}, 3);
  const auto scores_of = [&](const ArmModel& scored) {
    const auto plan = abilities(scored).scoring(elbo_method);
    plan->settle();
    return plan->score({data, rows, 0}, Rng(3));
  };
  const Scores learned = scores_of(*model), alike = scores_of(any);
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(learned.nats[i] == doctest::Approx(alike.nats[i]).epsilon(1e-12));
}

TEST_CASE("arm: bounds by single terms and along paths have one mean") {
  const auto model = table_model(3, ChoiceKind::separate);
  const DatasetInfo data = vectors_of(3, 2);
  const Rows rows = rows_of({0, 1, 1}, 1);
  const double exact = subset_sums(ScoredRows(*model, {0, 1, 1}, 0), 0).elbo;
  for (const char* estimator : {"path", "term"}) {
    const auto plan = abilities(*model).scoring(elbo_method);
    Fields fields;
    plan->describe(fields);
    fields.set(std::string("estimator=") + estimator, Origin::option);
    fields.set("samples=4000", Origin::option);
    plan->settle();
    const Scores scores = plan->score({data, rows, 0}, Rng(3));
    CAPTURE(estimator);
    CHECK(std::abs(scores.nats[0] - exact) < 0.1);
    CHECK(scores.terms[0].second[0] - scores.terms[1].second[0] == doctest::Approx(scores.nats[0]));
  }
}

TEST_CASE("arm: courses of factors go straight to their end") {
  LearnOptions options;
  options.q_entropy = "2:4";
  options.kl_weight = "0.5:10";
  const FactorCourse entropy = options.entropy_course(), kl = options.kl_course();
  CHECK(entropy.at(0) == 2);
  CHECK(entropy.at(1) == 1.5);
  CHECK(entropy.at(4) == 0);
  CHECK(kl.at(5) == 0.75);
  CHECK(kl.at(1000) == 1);
  CHECK(LearnOptions{}.entropy_course().at(0) == 0);
  CHECK(LearnOptions{}.kl_course().at(0) == 1);
}

}  // namespace logpx::order_training_test
