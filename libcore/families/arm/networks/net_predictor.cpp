#include "libcore/families/arm/networks/net_predictor.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace logpx::arm {
namespace {

BuildGraph looking(OrderNets nets, const ParamSet& params, std::int64_t dims) {
  return [nets, &params, dims](std::int64_t rows, std::int64_t) {
    auto graph = std::make_unique<Graph>();
    const NetHeads heads = nets.look->look(params, net_inputs(*graph, rows, dims));
    graph->output("values", heads.values);
    if (heads.policy) graph->output("policy", *heads.policy);
    return graph;
  };
}

BuildGraph choosing(OrderNets nets, const ParamSet& params, std::int64_t dims) {
  return [nets, &params, dims](std::int64_t rows, std::int64_t) {
    auto graph = std::make_unique<Graph>();
    graph->output("choice", nets.choose->choose(params, net_inputs(*graph, rows, dims)));
    return graph;
  };
}

// Few sizes of graphs serve all numbers of rows.
std::int64_t padded(std::size_t rows) { return static_cast<std::int64_t>(std::bit_ceil(rows)); }

void copy_finite(const Executor<float>& run, const char* output, std::span<double> to) {
  const std::span<const float> from = run.output(output).span();
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (std::isnan(from[i]))
      fail(ErrorKind::numeric, "model", std::string("produced a non-finite value at ") + output);
    to[i] = static_cast<double>(from[i]);
  }
}

}  // namespace

NetInputs net_inputs(Graph& graph, std::int64_t rows, std::int64_t dims) {
  return {.x = graph.index_input("x", {rows, dims}),
          .seen = graph.input("seen", {rows, dims}),
          .exists = graph.input("exists", {rows, dims})};
}

void bind_values(std::span<const std::int32_t> x, GraphInputs& inputs) {
  const std::span<std::int32_t> values = inputs.indices("x");
  const std::span<float> exists = inputs.values("exists");
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool there = i < x.size() && x[i] != absent;
    values[i] = there ? x[i] : 0;
    exists[i] = there ? 1.0F : 0.0F;
  }
}

NetPredictor::NetPredictor(const ParamSet& params, OrderNets nets, const Form& form)
    : params_(params),
      form_(form),
      looks_(looking(nets, params, form.dims), {.numerics = form.numerics}),
      choices_(choosing(nets, params, form.dims), {.numerics = form.numerics}) {}

void NetPredictor::look(const States& states, Looks& looks) const {
  single_threaded_kernels();
  const std::size_t dims = at(form_.dims), rows = states.x.size() / dims;
  const ExecutorPool::Loan loan = looks_.lend({padded(rows)});
  bind_values(states.x, loan.inputs());
  const std::span<float> seen = loan.inputs().values("seen");
  std::ranges::fill(seen, 0.0F);
  for (std::size_t i = 0; i < states.seen.size(); ++i)
    seen[i] = states.seen[i] != 0 && states.x[i] != absent ? 1.0F : 0.0F;
  Executor<float>& run = loan.executor();
  run.bind_parameters(params_.block());
  run.forward();
  looks.values.resize(rows * dims * at(form_.levels));
  copy_finite(run, "values", looks.values);
  const bool orders = std::ranges::find(run.graph().outputs(), "policy", &Graph::Output::name) !=
                      run.graph().outputs().end();
  looks.policy.resize(orders ? rows * dims : 0);
  if (orders) copy_finite(run, "policy", looks.policy);
}

void NetPredictor::choose(std::span<const std::int32_t> x, std::span<double> g) const {
  single_threaded_kernels();
  const ExecutorPool::Loan loan = choices_.lend({padded(x.size() / at(form_.dims))});
  bind_values(x, loan.inputs());
  std::ranges::copy(loan.inputs().values("exists"), loan.inputs().values("seen").begin());
  Executor<float>& run = loan.executor();
  run.bind_parameters(params_.block());
  run.forward();
  copy_finite(run, "choice", g);
}

}  // namespace logpx::arm
