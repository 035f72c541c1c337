// The objective and its gradients, against tests/golden/loarm.json.
#include "libcore/families/arm/scoring/exact_scoring.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_layer.hpp"
#include "tests/support/order_objective.hpp"
#include "tests/support/table_orders.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace logpx::loarm_training_test {

using namespace logpx::arm;
using order_objective::Draw;
using order_objective::Objective;

namespace {

std::vector<double> numbers(const Json& list) { return golden_layer::tensor(list).data; }

std::vector<std::int32_t> whole(const Json& list) {
  std::vector<std::int32_t> all;
  for (const Json& item : list.items()) all.push_back(static_cast<std::int32_t>(item.integer()));
  return all;
}

Draw draw_of(const std::vector<std::int32_t>& x, const Json& item) {
  return {
      .x = x, .orders = {whole(item.at("z1")), whole(item.at("z2"))}, .i = item.at("i").integer()};
}

void put(std::vector<double>& theta, const ParamSet& params, const std::string& name,
         const std::vector<double>& values) {
  const int tensor = params.find(name);
  REQUIRE(tensor >= 0);
  const ParamInfo& info = params.infos()[at(tensor)];
  REQUIRE(static_cast<std::int64_t>(values.size()) == info.shape.elements());
  std::ranges::copy(values, theta.begin() + info.offset);
}

void close_to(double computed, const Json& expected, double tolerance) {
  const double value = golden::real(expected);
  CHECK(std::abs(computed - value) <= tolerance * (1 + std::abs(value)));
}
void all_close(const std::vector<double>& computed, const std::vector<double>& expected,
               double tolerance) {
  golden_layer::check_close("gradient", computed, expected, tolerance,
                            std::max(1.0, golden_layer::largest_of(expected)));
}

Config shared_config(NetKind net) {
  Config config;
  config.choice = ChoiceKind::shared;
  config.net.kind = net;
  return config;
}

// F1 and F2 have this sum and this distance.
template <typename T>
void check_terms(const Objective<T>& objective, const Json& item, std::int64_t dims,
                 double tolerance) {
  const double f1 = golden::real(item.at("F1")), f2 = golden::real(item.at("F2"));
  CHECK(std::abs(-objective.output("nll_bound", 0) - 0.5 * static_cast<double>(dims) * (f1 + f2)) <=
        tolerance * 10);
  CHECK(std::abs(objective.output("f_gap", 0) - std::abs(f1 - f2)) <= tolerance * 10);
  close_to(-objective.output("loss", 0), item.at("surrogate_eq16"), tolerance);
}

struct TableTheta {
  explicit TableTheta(const ArmModel& model, const Json& item)
      : theta(at(model.param_set().block_size())) {
    put(theta, model.param_set(), "net/f", numbers(item.at("f")));
    put(theta, model.param_set(), "net/g", numbers(item.at("g")));
    if (model.config().learns_policy())
      put(theta, model.param_set(), "net/h", numbers(item.at("h")));
    else put(theta, model.param_set(), "beta", {golden::real(item.at("beta"))});
  }
  std::vector<double> theta;
};

// The part of a table's gradient that belongs to one row of x.
std::vector<double> slopes_at(const std::vector<double>& of_table,
                              const std::vector<std::int32_t>& x, std::int64_t levels) {
  std::size_t row = 0;
  for (std::size_t k = x.size(); k-- > 0;) row = row * at(levels) + at(x[k]);
  const auto first = of_table.begin() + static_cast<std::ptrdiff_t>(row * x.size());
  return {first, first + std::ssize(x)};
}

template <typename T>
void check_tables(double tolerance) {
  const Json* models = golden::field("loarm", "tabular");
  if (models == nullptr) return;
  for (const Json& item : models->items()) {
    const std::int64_t dims = item.at("L").integer(), levels = item.at("m").integer();
    const ArmModel model(shared_config(NetKind::tabular), vectors_of(dims, levels));
    const TableTheta table(model, item);
    for (const Json& one : item.at("x_cases").items())
      for (const Json& drawn : one.at("rloo").items()) {
        const std::vector<std::int32_t> x = whole(one.at("x"));
        Objective<T> objective(model, {draw_of(x, drawn)});
        objective.run(table.theta, {1});
        check_terms(objective, drawn, dims, tolerance);
        close_to(-objective.output("nll_bound", 0), drawn.at("stochastic_elbo_eq17"), tolerance);
        std::vector<double> ascent = slopes_at(objective.gradient_of("net/g"), x, levels);
        for (double& value : ascent) value = -value;
        all_close(ascent, numbers(drawn.at("grad_g")), tolerance);
      }
  }
}

// Parameters of the file by their names in a model; matrices there are [out][in].
struct MlpTheta {
  MlpTheta(const ArmModel& model, const Json& params) : theta(at(model.param_set().block_size())) {
    const ParamSet& set = model.param_set();
    for (const auto& [name, of_file] : names)
      put(theta, set, name,
          of_file[0] == 'W'
              ? golden_layer::transposed(golden_layer::tensor(params.at(of_file))).data
              : numbers(params.at(of_file)));
  }
  static std::vector<double> in_file(const Json& params, const char* name) {
    if (name[0] != 'W') return numbers(params.at(name));
    return golden_layer::transposed(golden_layer::tensor(params.at(name))).data;
  }
  static constexpr std::pair<const char*, const char*> names[] = {
      {"net/in/w", "W1"},     {"net/in/b", "b1"},     {"net/values/w", "Wf"},
      {"net/values/b", "bf"}, {"net/policy/w", "Wh"}, {"net/policy/b", "bh"},
      {"net/choice/w", "Wg"}, {"net/choice/b", "bg"}};
  std::vector<double> theta;
};

Config mlp_config(const Json& item) {
  Config config = shared_config(NetKind::mlp);
  config.net.hidden = {item.at("hidden").integer()};
  config.net.activation = Activation::tanh;
  return config;
}

template <typename T>
void check_mlp(double tolerance) {
  const Json* models = golden::field("loarm", "mlp");
  if (models == nullptr) return;
  for (const Json& item : models->items()) {
    const std::int64_t dims = item.at("L").integer();
    const ArmModel model(mlp_config(item), vectors_of(dims, item.at("m").integer()));
    const MlpTheta given(model, item.at("params"));
    Objective<T> objective(model, {draw_of(whole(item.at("x")), item)});
    objective.run(given.theta, {1});
    check_terms(objective, item, dims, tolerance);
    for (const auto& [name, of_file] : MlpTheta::names) {
      std::vector<double> ascent = objective.gradient_of(name);
      for (double& value : ascent) value = -value;
      CAPTURE(of_file);
      all_close(ascent, MlpTheta::in_file(item.at("grad_surrogate"), of_file), tolerance);
    }
  }
}

// g of a row by the model's own network, in float.
std::vector<double> choice_of(ArmModel& model, const std::vector<double>& theta,
                              const std::vector<std::int32_t>& x) {
  std::ranges::copy(theta, model.param_set().block().begin());
  std::vector<double> g(x.size());
  model.predictor().choose(x, g);
  return g;
}

// What the network says where nothing is seen.
void check_hidden_row(const ArmModel& model, const Json& item) {
  const std::vector<std::int32_t> x(at(model.dims()));
  const std::vector<std::uint8_t> seen(x.size());
  Looks said;
  model.predictor().look({x, seen}, said);
  golden_layer::check_close("f", said.values, numbers(item.at("f_all_masked")), 1e-5, 1);
  golden_layer::check_close("h", said.policy, numbers(item.at("h_all_masked")), 1e-5, 1);
}

// log q of the first dims of an order.
double log_q(const std::vector<double>& g, const std::vector<std::int32_t>& order,
             std::int64_t first) {
  double nats = 0;
  for (std::size_t j = 0; j < at(first); ++j) {
    double sum = 0;
    for (std::size_t k = j; k < order.size(); ++k) sum += std::exp(g[at(order[k])]);
    nats += g[at(order[j])] - std::log(sum);
  }
  return nats;
}

}  // namespace

TEST_CASE("golden/loarm/tabular: the two-sample estimate of the gradient") {
  check_tables<double>(1e-9);
  check_tables<float>(1e-4);
}

TEST_CASE("golden/loarm/tabular: without a learned order the loss is that of any order") {
  const Json* models = golden::field("loarm", "tabular");
  if (models == nullptr) return;
  for (const Json& item : models->items()) {
    const std::int64_t dims = item.at("L").integer(), levels = item.at("m").integer();
    Config config = shared_config(NetKind::tabular);
    config.orders = OrderKind::any;
    const ArmModel model(config, vectors_of(dims, levels));
    std::vector<double> theta(at(model.param_set().block_size()));
    put(theta, model.param_set(), "net/f", numbers(item.at("f")));
    for (const Json& one : item.at("x_cases").items())
      for (const Json& drawn : one.at("rloo").items()) {
        const std::vector<std::int32_t> x = whole(one.at("x")), z = whole(drawn.at("z1"));
        Graph graph(Precision::f64);
        name_objective(graph, model, {}, {.rows = 1});
        Executor<double> run(graph, {});
        std::vector<double> seen(x.size()), next(x.size(), 1.0);
        for (std::int64_t i = 0; i + 1 < drawn.at("i").integer(); ++i) {
          seen[at(z[at(i)])] = 1;
          next[at(z[at(i)])] = 0;
        }
        const std::vector<double> length = {static_cast<double>(dims)}, exists(x.size(), 1.0);
        run.bind_index("x", x);
        run.bind("seen", seen);
        run.bind("next", next);
        run.bind("exists", exists);
        run.bind("length", length);
        run.bind_parameters(theta);
        run.forward();
        close_to(-run.output("nll_bound")[0], drawn.at("stochastic_aoarm_elbo_eq10_from_z1"), 1e-9);
      }
  }
}

TEST_CASE("golden/loarm/mlp: the estimate through a network with a shared torso") {
  check_mlp<double>(1e-9);
  check_mlp<float>(1e-4);
}

TEST_CASE("golden/loarm/mlp: exact numbers, and the gradient over all that may be drawn") {
  const Json* models = golden::field("loarm", "mlp");
  if (models == nullptr) return;
  for (const Json& item : models->items()) {
    const std::int64_t dims = item.at("L").integer();
    ArmModel model(mlp_config(item), vectors_of(dims, item.at("m").integer()));
    const MlpTheta given(model, item.at("params"));
    const std::vector<std::int32_t> x = whole(item.at("x"));
    const std::vector<double> g = choice_of(model, given.theta, x);
    golden_layer::check_close("g", g, numbers(item.at("g_of_x")), 1e-5, 1);
    check_hidden_row(model, item);
    const SubsetSums sums = subset_sums(ScoredRows(model, x, 0), 0);
    close_to(sums.elbo, item.at("exact_elbo"), 1e-5);
    close_to(sums.log_p, item.at("exact_loglik"), 1e-5);

    // In double, by every place and pair of orders with their probability.
    const std::vector<double> exact_g = numbers(item.at("g_of_x"));
    const std::int64_t drawn = item.at("i").integer() - 1;
    close_to(log_q(exact_g, whole(item.at("z1")), drawn), item.at("logq_prefix1"), 1e-9);
    close_to(log_q(exact_g, whole(item.at("z2")), drawn), item.at("logq_prefix2"), 1e-9);
    std::vector<Draw> draws;
    std::vector<double> weights;
    for (std::int64_t i = 1; i <= dims; ++i)
      for (const auto& z1 : table_orders::all_orders(dims))
        for (const auto& z2 : table_orders::all_orders(dims)) {
          draws.push_back({.x = x, .orders = {z1, z2}, .i = i});
          weights.push_back(std::exp(log_q(exact_g, z1, dims) + log_q(exact_g, z2, dims)) /
                            static_cast<double>(dims));
        }
    Objective<double> objective(model, draws);
    objective.run(given.theta, weights);
    double elbo = 0;
    for (std::size_t d = 0; d < draws.size(); ++d)
      elbo -= weights[d] * objective.output("nll_bound", d);
    close_to(elbo, item.at("exact_elbo"), 1e-9);
    for (const auto& [name, of_file] : MlpTheta::names) {
      std::vector<double> ascent = objective.gradient_of(name);
      for (double& value : ascent) value = -value;
      CAPTURE(of_file);
      all_close(ascent, MlpTheta::in_file(item.at("grad_exact_elbo"), of_file), 1e-10);
    }
  }
}

}  // namespace logpx::loarm_training_test
