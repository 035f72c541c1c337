#include "libcore/families/arm/networks/net_predictor.hpp"

#include "libcore/base/error.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace logpx::arm {

NetLayout::NetLayout(const RowForm& form, std::int64_t extent)
    : dims_(form.dims_of(extent)),
      first_dims_(form.holds_molecules() ? extent : std::ssize(dims_)) {}

NetInputs NetLayout::whole_rows(Graph& graph, std::int64_t rows) const {
  const Var exists = graph.input("exists", {rows, dims()});
  NetInputs in{.x = graph.index_input("x", {rows, first_dims_}), .seen = exists, .exists = exists};
  if (first_dims_ < dims()) in.pairs = graph.index_input("pairs", {rows, dims() - first_dims_});
  return in;
}

NetInputs NetLayout::states(Graph& graph, std::int64_t rows) const {
  NetInputs in = whole_rows(graph, rows);
  in.seen = graph.input("seen", {rows, dims()});
  return in;
}

void NetLayout::bind_values(std::size_t row, std::span<const std::int32_t> x,
                            GraphInputs& inputs) const {
  const std::size_t all = dims_.size(), first = at(first_dims_), rest = all - first;
  const std::span<float> exists = inputs.values("exists").subspan(row * all, all);
  const std::span<std::int32_t> values = inputs.indices("x").subspan(row * first, first);
  std::span<std::int32_t> pairs;
  if (rest > 0) pairs = inputs.indices("pairs").subspan(row * rest, rest);
  for (std::size_t k = 0; k < all; ++k) {
    const std::int32_t value = dims_[k] == absent ? absent : x[at(dims_[k])];
    exists[k] = value == absent ? 0.0F : 1.0F;
    (k < first ? values[k] : pairs[k - first]) = value == absent ? 0 : value;
  }
}

namespace {

constexpr double impossible = -std::numeric_limits<double>::infinity();
// Molecules come in many sizes, and building a graph for each takes time.
constexpr std::int64_t kept_bytes = std::int64_t{256} << 20;

BuildGraph looking(OrderNets nets, const ParamSet& params, const RowForm& form) {
  return [nets, &params, form](std::int64_t rows, std::int64_t extent) {
    auto graph = std::make_unique<Graph>();
    const NetHeads heads = nets.look->look(params, NetLayout(form, extent).states(*graph, rows));
    graph->output("values", heads.values);
    if (heads.pairs) graph->output("pairs", *heads.pairs);
    if (heads.policy) graph->output("policy", *heads.policy);
    return graph;
  };
}

BuildGraph choosing(OrderNets nets, const ParamSet& params, const RowForm& form) {
  return [nets, &params, form](std::int64_t rows, std::int64_t extent) {
    auto graph = std::make_unique<Graph>();
    const NetInputs in = NetLayout(form, extent).whole_rows(*graph, rows);
    graph->output("choice", nets.choose->choose(params, in));
    return graph;
  };
}

// A few graph sizes serve any number of rows.
std::int64_t padded(std::size_t rows) { return static_cast<std::int64_t>(std::bit_ceil(rows)); }

double finite(float value, const char* output) {
  if (std::isnan(value))
    fail(ErrorKind::numeric, "model", std::string("produced a non-finite value at ") + output);
  return static_cast<double>(value);
}

// Rows x [rows, dims]; padding rows have no values, but a first dim.
void bind_rows(const NetLayout& layout, std::span<const std::int32_t> x, std::size_t dims,
               GraphInputs& inputs) {
  const std::span<float> exists = inputs.values("exists");
  const std::size_t rows = x.size() / dims, all = exists.size() / at(layout.dims());
  for (std::size_t row = 0; row < rows; ++row)
    layout.bind_values(row, x.subspan(row * dims, dims), inputs);
  const std::vector<std::int32_t> nothing(dims, absent);
  for (std::size_t row = rows; row < all; ++row) {
    layout.bind_values(row, nothing, inputs);
    exists[row * at(layout.dims())] = 1;
  }
}

// The outputs of a network, and where they belong.
struct Answers {
  const NetLayout& layout;
  const Executor<float>& run;
  std::size_t rows;
  const RowForm& form;

  // An output [rows, L] to [rows, dims].
  void take(const char* output, std::span<double> to) const {
    const std::span<const float> from = run.output(output).span();
    const std::span<const std::int32_t> dims = layout.dims_of_rows();
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t k = 0; k < dims.size(); ++k)
        if (dims[k] != absent)
          to[row * at(form.dims()) + at(dims[k])] = finite(from[row * dims.size() + k], output);
  }
  // Logits of values; one of the two outputs holds dims first .. last-1 of the layout.
  void take_values(const char* output, std::int64_t first, std::int64_t last,
                   std::span<double> to) const {
    const std::span<const float> from = run.output(output).span();
    const std::size_t count = at(last - first), levels = at(run.output(output).shape[2]);
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t k = 0; k < count; ++k) {
        const std::int32_t dim = layout.dims_of_rows()[at(first) + k];
        if (dim == absent) continue;
        const std::size_t place = (row * at(form.dims()) + at(dim)) * at(form.levels());
        const std::size_t own = std::min(levels, at(form.levels_of(dim)));
        for (std::size_t v = 0; v < own; ++v)
          to[place + v] = finite(from[(row * count + k) * levels + v], output);
      }
  }
};

bool gives(const Executor<float>& run, const char* output) {
  const auto& outputs = run.graph().outputs();
  return std::ranges::find(outputs, output, &Graph::Output::name) != outputs.end();
}

}  // namespace

NetPredictor::NetPredictor(const ParamSet& params, OrderNets nets, const RowForm& form,
                           const Numerics& numerics)
    : params_(params),
      form_(form),
      looks_(looking(nets, params, form), {.numerics = numerics}),
      choices_(choosing(nets, params, form), {.numerics = numerics}) {
  if (!form.holds_molecules()) return;
  looks_.keep_within(kept_bytes);
  choices_.keep_within(kept_bytes);
}

void NetPredictor::look(const States& states, Looks& looks) const {
  single_threaded_kernels();
  const std::size_t dims = at(form_.dims()), rows = states.x.size() / dims;
  const std::int64_t extent = form_.extent_of(states.x);
  const NetLayout layout(form_, extent);
  const ExecutorPool::Loan loan = looks_.lend({padded(rows), extent});
  bind_rows(layout, states.x, dims, loan.inputs());
  const std::span<float> seen = loan.inputs().values("seen");
  std::ranges::fill(seen, 0.0F);
  for (std::size_t row = 0; row < rows; ++row)
    layout.bind(seen, row, states.seen.subspan(row * dims, dims));
  Executor<float>& run = loan.executor();
  const std::span<const float> exists = loan.inputs().values("exists");
  for (std::size_t i = 0; i < seen.size(); ++i) seen[i] = seen[i] != 0 ? exists[i] : 0;
  run.bind_parameters(params_.block());
  run.forward();
  const Answers answers{layout, run, rows, form_};
  looks.values.assign(rows * dims * at(form_.levels()), impossible);
  answers.take_values("values", 0, layout.first_dims(), looks.values);
  if (gives(run, "pairs"))
    answers.take_values("pairs", layout.first_dims(), layout.dims(), looks.values);
  const bool orders = gives(run, "policy");
  looks.policy.assign(orders ? rows * dims : 0, 0.0);
  if (orders) answers.take("policy", looks.policy);
}

void NetPredictor::choose(std::span<const std::int32_t> x, std::span<double> g) const {
  single_threaded_kernels();
  const std::size_t dims = at(form_.dims());
  const std::int64_t extent = form_.extent_of(x);
  const NetLayout layout(form_, extent);
  const ExecutorPool::Loan loan = choices_.lend({padded(x.size() / dims), extent});
  bind_rows(layout, x, dims, loan.inputs());
  Executor<float>& run = loan.executor();
  run.bind_parameters(params_.block());
  run.forward();
  std::ranges::fill(g, 0.0);
  Answers{layout, run, x.size() / dims, form_}.take("choice", g);
}

}  // namespace logpx::arm
