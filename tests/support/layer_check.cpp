#include "tests/support/layer_check.hpp"

#include "libcore/base/number_text.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/grad/executor.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::layer_check {
namespace {

constexpr double step = 1e-5, tolerance = 1e-6;
constexpr std::uint32_t entries_of_each = 6;

using Values = std::vector<double>;

Values drawn(std::int64_t count, std::uint32_t sub, double scale) {
  const Substream stream(3, Stream::test, sub);
  Values values;
  for (std::int64_t i = 0; i < count; ++i)
    values.push_back(scale * normal_at(stream, static_cast<std::uint64_t>(i)));
  return values;
}

// A built layer with everything bound.
class Bench {
 public:
  Bench(const ParamSet& params, const Build& build, const Given& given) : params_(params) {
    graph_.output("y", build(graph_));
    block_.resize(static_cast<std::size_t>(params.block_size()));
    for (int p = 0; p < params.count(); ++p) {
      const ParamInfo& info = params.infos()[static_cast<std::size_t>(p)];
      const Values start = drawn(info.shape.elements(), static_cast<std::uint32_t>(p), 0.5);
      std::copy(start.begin(), start.end(), block_.begin() + info.offset);
    }
    for (const Node& node : graph_.nodes()) {
      if (node.kind != NodeKind::input && node.kind != NodeKind::index_input) continue;
      const auto sub = static_cast<std::uint32_t>(1000 + inputs_.size());
      const auto found = given.find(node.path);
      Values values = found == given.end() ? drawn(node.shape.elements(), sub, 1) : found->second;
      indices_[node.path].assign(values.begin(), values.end());
      inputs_[node.path] = std::move(values);
      if (found == given.end()) differentiable_.push_back(node.path);
    }
  }

  struct Result {
    Values y, parameters;
    std::map<std::string, Values> inputs;
    friend bool operator==(const Result&, const Result&) = default;
  };

  [[nodiscard]] Result run(PlanRequest request) {
    request.from = "y";
    request.parameters = true;
    request.inputs = differentiable_;
    Executor<double> executor(graph_, request);
    bind(executor);
    Result result;
    result.parameters.assign(block_.size(), std::nan(""));  // to be written whole
    executor.bind_parameters(block_, result.parameters);
    executor.forward();
    result.y = copy(executor.output("y"));
    executor.backward(seed(result.y.size()));
    for (const std::string& name : differentiable_)
      result.inputs[name] = copy(executor.gradient(name));
    return result;
  }

  // d <seed, y> / d value, by a central difference.
  [[nodiscard]] double slope(double& value) {
    if (!plain_) {
      plain_ = std::make_unique<Executor<double>>(graph_, PlanRequest{});
      bind(*plain_);
      plain_->bind_parameters(block_);
    }
    const double start = value, h = step * std::max(1.0, std::abs(start));
    value = start + h;
    const double up = weighed();
    value = start - h;
    const double down = weighed();
    value = start;
    return (up - down) / (2 * h);
  }

  [[nodiscard]] const ParamSet& params() const { return params_; }
  [[nodiscard]] Values& block() { return block_; }
  [[nodiscard]] Values& input(const std::string& name) { return inputs_[name]; }
  [[nodiscard]] const std::vector<std::string>& differentiable() const { return differentiable_; }

 private:
  static Values copy(View<const double> view) { return {view.data, view.data + view.size()}; }
  static Values seed(std::size_t n) { return drawn(static_cast<std::int64_t>(n), 999, 1); }

  void bind(Executor<double>& executor) {
    for (const Node& node : graph_.nodes()) {
      if (node.kind == NodeKind::input) executor.bind(node.path, inputs_[node.path]);
      if (node.kind == NodeKind::index_input) executor.bind_index(node.path, indices_[node.path]);
    }
  }
  [[nodiscard]] double weighed() {
    plain_->forward();
    const View<const double> y = plain_->output("y");
    const Values weights = seed(static_cast<std::size_t>(y.size()));
    double sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i)
      sum += weights[i] * y[static_cast<std::int64_t>(i)];
    return sum;
  }

  const ParamSet& params_;
  Graph graph_{Precision::f64};
  Values block_;
  std::map<std::string, Values> inputs_;
  std::map<std::string, std::vector<std::int32_t>> indices_;
  std::vector<std::string> differentiable_;
  std::unique_ptr<Executor<double>> plain_;
};

// Some entries of one tensor.
std::string compare(Bench& bench, const std::string& name, std::span<double> values,
                    std::span<const double> gradient) {
  double largest = 0;
  for (const double g : gradient) largest = std::max(largest, std::abs(g));
  if (largest == 0) return is_without_slope(name) ? "" : name + ": the gradient is zero everywhere";
  Cursor cursor(Substream(5, Stream::test, static_cast<std::uint32_t>(values.size())));
  for (std::uint32_t i = 0; i < entries_of_each; ++i) {
    const std::size_t e = cursor.below(static_cast<std::uint32_t>(values.size()));
    const double expected = bench.slope(values[e]);
    const double scale = std::max(std::abs(gradient[e]), 1e-2 * largest);
    if (!(std::abs(gradient[e] - expected) <= tolerance * scale + 1e-9))
      return name + " element " + std::to_string(e) + ": gradient " + to_text(gradient[e]) +
             ", expected " + to_text(expected);
  }
  return "";
}

}  // namespace

bool is_without_slope(const std::string& name) { return name.ends_with("/k/b"); }

std::string trouble(const ParamSet& params, const Build& build, const Given& given) {
  Bench bench(params, build, given);
  const Bench::Result result = bench.run({});
  if (result != bench.run({.recompute = true})) return "recomputation changes bytes";
  if (result != bench.run({.reuse = Reuse::nothing})) return "the memory plan changes bytes";
  if (result != bench.run({.recompute = true, .reuse = Reuse::nothing}))
    return "recomputation reads what is gone";
  for (const ParamInfo& info : params.infos()) {
    const auto first = static_cast<std::size_t>(info.offset),
               count = static_cast<std::size_t>(info.shape.elements());
    if (std::string found =
            compare(bench, info.name, std::span(bench.block()).subspan(first, count),
                    std::span(result.parameters).subspan(first, count));
        !found.empty())
      return found;
  }
  for (const std::string& name : bench.differentiable())
    if (std::string found = compare(bench, name, bench.input(name), result.inputs.at(name));
        !found.empty())
      return found;
  return "";
}

std::vector<std::string> tensors(const ParamSet& params) {
  std::vector<std::string> list;
  for (const ParamInfo& info : params.infos()) list.push_back(info.name + " " + info.shape.text());
  return list;
}

}  // namespace logpx::layer_check
