#include "libcore/families/kaem/decoding.hpp"

#include "libcore/families/kaem/model.hpp"

namespace logpx::kaem {

LatentDecoder make_decoder(const KaemModel& model, const Numerics& numerics) {
  const auto build = [&model](std::int64_t rows, std::int64_t) {
    auto graph = std::make_unique<Graph>();
    const Var s = graph->input("z", {rows, model.prior_form().n_q});
    name_heads(*graph, model.generator()(model.param_set(), s));
    return graph;
  };
  return {build,
          {.likelihood = model.likelihood(),
           .samples = model.info().samples,
           .rules = model.reader().rules(),
           .bind = [&model](GraphInputs& inputs) { model.generator().bind(inputs); },
           .numerics = numerics}};
}

HeadMatrices decode_all(const LatentDecoder& decoder, const LatentDecoder::Latents& latents) {
  HeadMatrices all;
  decoder.for_each(latents, [&](std::int64_t, const Likelihood::HeadValues& heads) {
    all.resize(heads.size());
    for (std::size_t h = 0; h < heads.size(); ++h)
      if (heads[h].size() > 1 || all[h].empty())
        all[h].insert(all[h].end(), heads[h].begin(), heads[h].end());
  });
  return all;
}

Likelihood::HeadValues spans_of(const HeadMatrices& heads) { return {heads.begin(), heads.end()}; }

}  // namespace logpx::kaem
