// What training computes: its estimate of the gradient, and what it agrees with.
#include "libcore/families/arm/scoring/elbo_scoring.hpp"
#include "libcore/families/arm/scoring/subset_sums.hpp"
#include "libcore/families/arm/training/drawn_rows.hpp"
#include "libcore/families/arm/training/objective.hpp"
#include "libcore/model/plan.hpp"
#include "tests/support/order_objective.hpp"
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

double log_q(const std::vector<double>& g, const std::vector<std::int32_t>& order) {
  double nats = 0;
  for (std::size_t j = 0; j < order.size(); ++j) {
    double rest = 0;
    for (std::size_t k = j; k < order.size(); ++k) rest += std::exp(g[at(order[k])]);
    nats += g[at(order[j])] - std::log(rest);
  }
  return nats;
}

// The gradient of the loss, over every place and pair of orders with their probability.
std::vector<double> enumerated_gradient(const ArmModel& model, const std::vector<std::int32_t>& x,
                                        const LearnOptions& options = {}) {
  std::vector<double> g(x.size()), weights;
  model.predictor().choose(x, g);
  std::vector<Draw> draws;
  const std::int64_t dims = std::ssize(x);
  for (std::int64_t i = 1; i <= dims; ++i)
    for (const auto& z1 : table_orders::all_orders(dims))
      for (const auto& z2 : table_orders::all_orders(dims)) {
        draws.push_back({.x = x, .z1 = z1, .z2 = z2, .i = i});
        weights.push_back(std::exp(log_q(g, z1) + log_q(g, z2)) / static_cast<double>(dims));
      }
  Objective<double> objective(model, draws, options);
  objective.run(theta_of(model), weights);
  return objective.gradient_of("net/g");
}

// Mean and standard error of the gradient over many draws as training makes them.
struct Drawn {
  std::vector<double> mean, error;
};
Drawn drawn_gradient(const ArmModel& model, const std::vector<std::int32_t>& x) {
  constexpr std::size_t batches = 200, rows = 1000;
  Graph graph;
  name_objective(graph, model, {}, {.rows = rows});
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
                .element = 2 * (batch * rows + row) * x.size()},
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

TEST_CASE("arm: draws of training estimate the gradient without bias") {
  const auto model = table_model(3);
  const std::vector<std::int32_t> x = {1, 0, 1};
  const std::vector<double> exact = enumerated_gradient(*model, x);
  const Drawn drawn = drawn_gradient(*model, x);
  for (std::size_t e = 0; e < exact.size(); ++e)
    CHECK(std::abs(drawn.mean[e] - exact[e]) <= 4 * drawn.error[e] + 1e-6);
}

TEST_CASE("arm: a step along the gradient raises the bound") {
  const auto model = table_model(3);
  const std::vector<std::int32_t> x = {0, 1, 1};
  const std::vector<double> loss_slope = enumerated_gradient(*model, x);
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
    const auto plan = scored.scoring(elbo_method);
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
    const auto plan = model->scoring(elbo_method);
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
