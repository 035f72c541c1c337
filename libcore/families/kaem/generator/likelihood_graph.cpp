#include "libcore/families/kaem/generator/likelihood_graph.hpp"

#include "libcore/families/bound_pass.hpp"
#include "libcore/families/kaem/model.hpp"
#include "libcore/model/latent_decoder.hpp"

#include <algorithm>
#include <vector>

namespace logpx::kaem {
namespace {

Shape with_copies(const Shape& shape, std::int64_t copies, std::int64_t rows) {
  std::vector<std::int64_t> sizes = {copies, rows};
  for (int axis = 1; axis < shape.rank(); ++axis) sizes.push_back(shape[axis]);
  return Shape(sizes);
}

Likelihood::Heads heads_at(const KaemModel& model, Var s, Decoding decoding) {
  if (model.generator().takes_tokens())
    decoding.tokens = s.graph().index_input("tokens", {s.shape()[0], model.dims()});
  return model.generator()(model.param_set(), s, decoding);
}

// Takes heads with a row for each copy of each row of the target.
Var log_prob(const KaemModel& model, const Likelihood::Target& target, Likelihood::Heads heads) {
  const std::int64_t rows = target.x.shape()[0];
  for (Var& head : heads)
    if (head.shape().rank() > 0)
      head = head.reshape(with_copies(head.shape(), head.shape()[0] / rows, rows));
  return model.likelihood().log_prob(target, heads);
}

}  // namespace

Var log_likelihood(const KaemModel& model, const Likelihood::Target& target, Var s) {
  return log_prob(model, target, heads_at(model, s, {}));
}

std::unique_ptr<Graph> likelihood_graph(const KaemModel& model, const PairedRows& paired) {
  auto graph = std::make_unique<Graph>();
  const std::int64_t all = paired.rows * paired.copies;
  Decoding decoding;
  if (paired.noise == PairedRows::Noise::before_activation)
    decoding.noise = graph->input("noise", {all, model.generator().noise_size()});
  const Var s = graph->input("s", {all, model.prior_form().n_q});
  const Likelihood::Heads heads = heads_at(model, s, decoding);
  if (paired.heads == PairedRows::Heads::shown) name_heads(*graph, heads);
  const Likelihood::Target target = model.target(*graph, paired.rows, paired.copies);
  graph->output("log_likelihood", log_prob(model, target, heads));
  return graph;
}

void bind_rows(const KaemModel& model, std::span<const float> x, GraphInputs& inputs) {
  std::ranges::copy(x, inputs.values("x").begin());
  if (model.likelihood().takes_index()) fill_index(x, inputs.indices("index"));
  model.bind(inputs);
}

}  // namespace logpx::kaem
