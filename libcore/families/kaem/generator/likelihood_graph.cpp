#include "libcore/families/kaem/generator/likelihood_graph.hpp"

#include "libcore/families/kaem/model.hpp"
#include "libcore/model/latent_decoder.hpp"

#include <algorithm>
#include <vector>

namespace logpx::kaem {
namespace {

Shape with_copies(const Shape& shape, const PairedRows& paired) {
  std::vector<std::int64_t> sizes = {paired.copies, paired.rows};
  for (int axis = 1; axis < shape.rank(); ++axis) sizes.push_back(shape[axis]);
  return Shape(sizes);
}

}  // namespace

std::unique_ptr<Graph> likelihood_graph(const KaemModel& model, const PairedRows& paired) {
  auto graph = std::make_unique<Graph>();
  const std::int64_t all = paired.rows * paired.copies, dims = model.dims();
  const Likelihood& likelihood = model.likelihood();
  const Generator& generator = model.generator();
  Decoding decoding;
  if (generator.takes_tokens()) decoding.tokens = graph->index_input("tokens", {all, dims});
  if (paired.noise == PairedRows::Noise::before_activation)
    decoding.noise = graph->input("noise", {all, generator.noise_size()});
  const Var s = graph->input("s", {all, model.prior_form().n_q});
  Likelihood::Heads heads = generator(model.param_set(), s, decoding);
  if (paired.heads == PairedRows::Heads::shown) name_heads(*graph, heads);
  for (Var& head : heads)
    if (head.shape().rank() > 0) head = head.reshape(with_copies(head.shape(), paired));
  Likelihood::Target target{graph->input("x", {paired.rows, dims})};
  if (likelihood.takes_index())
    target.index = graph->index_input("index", {paired.copies, paired.rows, dims});
  graph->output("log_likelihood", likelihood.log_prob(target, heads));
  return graph;
}

void bind_rows(const KaemModel& model, std::span<const float> x, GraphInputs& inputs) {
  std::ranges::copy(x, inputs.values("x").begin());
  model.generator().bind(inputs);
  const auto repeat = [&](std::span<std::int32_t> index) {
    for (std::size_t i = 0; i < index.size(); ++i)
      index[i] = static_cast<std::int32_t>(x[i % x.size()]);
  };
  if (model.likelihood().takes_index()) repeat(inputs.indices("index"));
  if (model.generator().takes_tokens()) repeat(inputs.indices("tokens"));
}

}  // namespace logpx::kaem
