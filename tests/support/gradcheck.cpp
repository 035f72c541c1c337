#include "libcore/base/index.hpp"
#include "tests/support/gradcheck.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/grad/executor.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "tests/support/allocations.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <type_traits>

namespace logpx::gradcheck {
namespace {

constexpr double step_scale = 1e-5;        // h = this * max(1, |x|)
constexpr double double_tolerance = 1e-7;  // relative
constexpr std::int64_t all_entries_up_to = 200;
constexpr int single_entries = 64, directions = 16;

using Values = std::vector<std::vector<double>>;  // per input

std::string name_of(std::size_t input) { return "in" + std::to_string(input); }
// Distinct, evenly spread values, so that no two entries tie in a max, and none sits on a kink.
Values draw(const Case& item) {
  Values values;
  for (std::size_t k = 0; k < item.inputs.size(); ++k) {
    const Input& input = item.inputs[k];
    const auto n = static_cast<std::uint32_t>(input.shape.elements());
    const Substream stream(7, Stream::test, static_cast<std::uint32_t>(k));
    std::vector<double>& drawn = values.emplace_back(input.values);
    if (!input.values.empty()) continue;
    const std::vector<std::uint32_t> place = permutation(n, stream);
    for (std::uint32_t i = 0; i < n; ++i) {
      if (input.classes > 0) {
        drawn.push_back(std::floor(stream.uniform(1000 + i) * static_cast<double>(input.classes)));
        continue;
      }
      const double inside =
          (static_cast<double>(k) + 0.3) / static_cast<double>(item.inputs.size());
      double x = input.low + (input.high - input.low) * (place[i] + inside) / n;
      for (const double kink : input.kinks)
        if (std::abs(x - kink) < 20 * step_scale) x = kink + 40 * step_scale;
      drawn.push_back(static_cast<float>(x));  // the same in both precisions
    }
  }
  return values;
}

enum class Uses { once, twice };

std::vector<Var> inputs_of(const Case& item, Graph& graph) {
  std::vector<Var> in;
  for (std::size_t k = 0; k < item.inputs.size(); ++k)
    in.push_back(item.inputs[k].classes > 0 ? graph.index_input(name_of(k), item.inputs[k].shape)
                                            : graph.input(name_of(k), item.inputs[k].shape));
  return in;
}

void build(const Case& item, Graph& graph, Uses uses) {
  const std::vector<Var> in = inputs_of(item, graph);
  const Var once = item.build(in);
  graph.output("y", uses == Uses::once ? once : add(once, item.build(in)));
}

template <typename T>
class Run {
 public:
  Run(const Case& item, const Values& values, PlanRequest request, Uses uses = Uses::once)
      : graph_(std::is_same_v<T, float> ? Precision::f32 : Precision::f64),
        real_(values.size()),
        index_(values.size()) {
    build(item, graph_, uses);
    executor_ = std::make_unique<Executor<T>>(graph_, request);
    for (std::size_t k = 0; k < values.size(); ++k) {
      for (const double v : values[k]) {
        real_[k].push_back(static_cast<T>(v));
        index_[k].push_back(static_cast<std::int32_t>(v));
      }
      if (item.inputs[k].classes > 0) executor_->bind_index(name_of(k), index_[k]);
      else executor_->bind(name_of(k), real_[k]);
    }
  }
  [[nodiscard]] std::vector<double> forward() {
    executor_->forward();
    return copy(executor_->output("y"));
  }
  [[nodiscard]] std::vector<double> gradient(std::size_t k) const {
    return copy(executor_->gradient(name_of(k)));
  }
  void backward(const std::vector<double>& seed) {
    const std::vector<T> typed(seed.begin(), seed.end());
    executor_->backward(typed);
  }
  [[nodiscard]] std::int64_t allocations_of_a_step(const std::vector<double>& seed) {
    const std::vector<T> typed(seed.begin(), seed.end());
    const std::int64_t before = allocations();
    executor_->forward();
    executor_->backward(typed);
    return allocations() - before;
  }
  T& value(std::size_t k, std::int64_t i) { return real_[k][at(i)]; }

 private:
  static std::vector<double> copy(View<const T> view) {
    return {view.data, view.data + view.size()};
  }
  Graph graph_;
  std::vector<std::vector<T>> real_;
  std::vector<std::vector<std::int32_t>> index_;
  std::unique_ptr<Executor<T>> executor_;
};

std::vector<std::size_t> wanted(const Case& item) {
  std::vector<std::size_t> list;
  for (std::size_t k = 0; k < item.inputs.size(); ++k)
    if (item.inputs[k].differentiable && item.inputs[k].classes == 0) list.push_back(k);
  return list;
}

PlanRequest request_for(const std::vector<std::size_t>& inputs) {
  PlanRequest request{.from = "y"};
  for (const std::size_t k : inputs) request.inputs.push_back(name_of(k));
  return request;
}

std::vector<double> random_seed(std::size_t n) {
  std::vector<double> seed(n);
  const Substream stream(11, Stream::test, 0);
  for (std::size_t i = 0; i < n; ++i)
    seed[i] = static_cast<float>(0.25 + stream.uniform(i)) * (i % 2 == 0 ? 1 : -1);
  return seed;
}

double scale_of(const std::vector<double>& gradient) {
  double largest = 0;
  for (const double g : gradient) largest = std::max(largest, std::abs(g));
  return largest;
}

struct Difference {
  double slope = 0, rounding = 0;
};

// d <seed, y> / d t along `direction` of input k, and what rounding may add to it.
Difference central(Run<double>& run, std::size_t k, const std::vector<double>& direction,
                   const std::vector<double>& seed) {
  double largest = 1;
  for (std::size_t i = 0; i < direction.size(); ++i)
    if (direction[i] != 0)
      largest = std::max(largest, std::abs(run.value(k, static_cast<std::int64_t>(i))));
  const double h = step_scale * largest;
  std::vector<double> start(direction.size());
  for (std::size_t i = 0; i < start.size(); ++i)
    start[i] = run.value(k, static_cast<std::int64_t>(i));
  const auto shifted = [&](double t) {
    for (std::size_t i = 0; i < start.size(); ++i)
      run.value(k, static_cast<std::int64_t>(i)) = start[i] + t * direction[i];
    return run.forward();
  };
  const std::vector<double> up = shifted(h), down = shifted(-h);
  (void)shifted(0);
  Difference result;
  for (std::size_t j = 0; j < seed.size(); ++j) {
    result.slope += seed[j] * (up[j] - down[j]) / (2 * h);
    if (up[j] != down[j]) result.rounding += 8e-16 * std::abs(seed[j] * up[j]) / h;
  }
  return result;
}

std::vector<std::vector<double>> probes(std::int64_t n, std::size_t input) {
  std::vector<std::vector<double>> list;
  const auto single = [&](std::int64_t i) {
    list.emplace_back(at(n), 0.0);
    list.back()[at(i)] = 1;
  };
  if (n <= all_entries_up_to) {
    for (std::int64_t i = 0; i < n; ++i) single(i);
    return list;
  }
  Cursor cursor(Substream(13, Stream::test, static_cast<std::uint32_t>(input)));
  for (int p = 0; p < single_entries; ++p) single(cursor.below(static_cast<std::uint32_t>(n)));
  for (int p = 0; p < directions; ++p) {
    list.emplace_back(at(n));
    for (double& value : list.back()) value = 2 * cursor.uniform() - 1;
  }
  return list;
}

std::string differs(const std::string& what, std::size_t k, double computed, double expected) {
  return what + " of input " + std::to_string(k) + ": " + to_text(computed) + ", expected " +
         to_text(expected);
}

std::string against_differences(const Case& item, const Values& values) {
  Run<double> run(item, values, request_for(wanted(item)));
  const std::vector<double> seed = random_seed(run.forward().size());
  run.backward(seed);
  std::vector<std::vector<double>> gradients;
  for (const std::size_t k : wanted(item)) gradients.push_back(run.gradient(k));
  Run<double> plain(item, values, {});
  for (std::size_t g = 0; g < gradients.size(); ++g) {
    const std::size_t k = wanted(item)[g];
    const std::vector<double>& gradient = gradients[g];
    const double floor = 1e-2 * scale_of(gradient);
    for (const auto& direction : probes(static_cast<std::int64_t>(gradient.size()), k)) {
      const double along =
          std::inner_product(gradient.begin(), gradient.end(), direction.begin(), 0.0);
      const Difference numeric = central(plain, k, direction, seed);
      const double allowed =
          double_tolerance * std::max(std::abs(along), floor) + numeric.rounding + 1e-12;
      if (!(std::abs(along - numeric.slope) <= allowed))
        return differs("double gradient", k, along, numeric.slope);
    }
  }
  return "";
}

std::string float_against_double(const Case& item, const Values& values) {
  Run<double> exact(item, values, request_for(wanted(item)));
  Run<float> quick(item, values, request_for(wanted(item)));
  const std::vector<double> y = exact.forward(), y_float = quick.forward();
  const double floor = 1e-2 * scale_of(y);
  for (std::size_t i = 0; i < y.size(); ++i)
    if (!(std::abs(y[i] - y_float[i]) <=
          item.options.float_tolerance * std::max(std::abs(y[i]), floor)) &&
        y[i] != y_float[i])
      return differs("float value " + std::to_string(i), 0, y_float[i], y[i]);
  const std::vector<double> seed = random_seed(y.size());
  exact.backward(seed);
  quick.backward(seed);
  for (const std::size_t k : wanted(item)) {
    const std::vector<double> g = exact.gradient(k), g_float = quick.gradient(k);
    const double least = 1e-2 * scale_of(g);
    for (std::size_t i = 0; i < g.size(); ++i)
      if (!(std::abs(g[i] - g_float[i]) <=
            item.options.float_tolerance * std::max(std::abs(g[i]), least)))
        return differs("float gradient " + std::to_string(i), k, g_float[i], g[i]);
  }
  return "";
}

// Bytes depend neither on what else is wanted nor on memory; a second use adds the same again.
std::string in_other_company(const Case& item, const Values& values) {
  const std::vector<std::size_t> inputs = wanted(item);
  PlanRequest apart = request_for(inputs);
  apart.reuse = Reuse::nothing;
  Run<double> all(item, values, request_for(inputs)), own(item, values, apart),
      twice(item, values, request_for(inputs), Uses::twice);
  const std::vector<double> y = all.forward(), y_own = own.forward();
  (void)twice.forward();
  if (!std::equal(y.begin(), y.end(), y_own.begin())) return "the memory plan changes the result";
  const std::vector<double> seed = random_seed(y.size());
  all.backward(seed);
  if (all.allocations_of_a_step(seed) != 0) return "a step allocates";
  own.backward(seed);
  twice.backward(seed);
  for (const std::size_t k : inputs) {
    const std::vector<double> g = all.gradient(k), g_own = own.gradient(k), sum = twice.gradient(k);
    Run<double> alone(item, values, request_for({k}));
    (void)alone.forward();
    alone.backward(seed);
    if (g != g_own) return "the memory plan changes gradient " + std::to_string(k);
    if (g != alone.gradient(k)) return "gradient " + std::to_string(k) + " wanted alone differs";
    const double floor = 1e-12 * scale_of(g);
    for (std::size_t i = 0; i < g.size(); ++i)
      if (!(std::abs(sum[i] - 2 * g[i]) <= floor))
        return differs("gradient of two uses", k, sum[i], 2 * g[i]);
  }
  return "";
}

// <J v, u> = <v, J' u>, in float.
std::string linearity(const Case& item, const Values& values) {
  for (const int input : item.options.linear_in) {
    const auto k = static_cast<std::size_t>(input);
    Run<float> run(item, values, request_for({k}));
    const std::vector<double> at_v = run.forward();
    const std::vector<double> seed = random_seed(at_v.size());
    run.backward(seed);
    const std::vector<double> gradient = run.gradient(k);
    Values zeroed = values;
    std::fill(zeroed[k].begin(), zeroed[k].end(), 0.0);
    Run<float> at_zero(item, zeroed, {});
    const std::vector<double> offset = at_zero.forward();
    double left = 0, right = 0, size = 0;
    for (std::size_t j = 0; j < seed.size(); ++j) {
      left += seed[j] * (at_v[j] - offset[j]);
      size += std::abs(seed[j] * at_v[j]) + std::abs(seed[j] * offset[j]);
    }
    for (std::size_t i = 0; i < gradient.size(); ++i) right += gradient[i] * values[k][i];
    if (!(std::abs(left - right) <= 1e-5 * size)) return differs("<J v, u>", k, left, right);
  }
  return "";
}

std::string lets_nothing_through(const Case& item, const Values& values) {
  try {
    Run<double> run(item, values, request_for(wanted(item)));
  } catch (const Error&) {
    return "";
  }
  return "a gradient flows through it";
}

std::vector<Case>& listed_cases() {
  static std::vector<Case> cases;
  return cases;
}

}  // namespace

std::string trouble(const Case& item) {
  const Values values = draw(item);
  if (item.options.gradient_stops) return lets_nothing_through(item, values);
  for (const auto check : {against_differences, float_against_double, in_other_company, linearity})
    if (const std::string found = check(item, values); !found.empty()) return found;
  return "";
}

void run(const Case& item) {
  CAPTURE(item.name);
  CHECK(trouble(item) == "");
}

bool list(const std::vector<Case>& cases) {
  listed_cases().insert(listed_cases().end(), cases.begin(), cases.end());
  return true;
}

std::set<std::string> names_checked() {
  std::set<std::string> names;
  for (const Case& item : listed_cases()) {
    Graph graph;
    const int last = item.build(inputs_of(item, graph)).node();
    const Node& node = graph.nodes()[static_cast<std::size_t>(last)];
    if (node.op) names.insert(node.op->name());
  }
  return names;
}

}  // namespace logpx::gradcheck
