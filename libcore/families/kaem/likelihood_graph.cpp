#include "libcore/families/kaem/likelihood_graph.hpp"

#include "libcore/families/bound_pass.hpp"
#include "libcore/families/kaem/model.hpp"
#include "libcore/model/latent_decoder.hpp"

#include <algorithm>
#include <vector>

namespace logpx::kaem {

std::unique_ptr<Graph> likelihood_graph(const KaemModel& model, const PairedRows& paired) {
  auto graph = std::make_unique<Graph>();
  const std::int64_t all = paired.rows * paired.copies;
  Decoding decoding;
  if (paired.noise == PairedRows::Noise::before_activation)
    decoding.noise = graph->input("noise", {all, model.generator().noise_size()});
  const Var s = graph->input("s", {all, model.prior_form().n_q});
  const Likelihood::Heads heads = model.heads(s, decoding);
  if (paired.heads == PairedRows::Heads::shown) name_heads(*graph, heads);
  const Likelihood::Target target = model.target(*graph, paired.rows, paired.copies);
  graph->output("log_likelihood", model.log_prob(target, heads));
  return graph;
}

void bind_rows(const KaemModel& model, std::span<const float> x, GraphInputs& inputs) {
  std::ranges::copy(x, inputs.values("x").begin());
  if (model.likelihood().takes_index()) fill_index(x, inputs.indices("index"));
  model.bind(inputs);
}

}  // namespace logpx::kaem
