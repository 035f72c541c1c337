#include "libcore/families/kaem/decoding.hpp"

#include "libcore/families/kaem/model.hpp"
#include "libcore/grad/ops_index.hpp"

#include <utility>

namespace logpx::kaem {
namespace {

LatentDecoder decoder_of(const KaemModel& model, const Numerics& numerics, BuildGraph build) {
  return {std::move(build),
          {.likelihood = model.likelihood(),
           .samples = model.info().samples,
           .rules = model.reader().rules(),
           .bind = [&model](GraphInputs& inputs) { model.generator().bind(inputs); },
           .numerics = numerics,
           .axes = model.axes()}};
}

}  // namespace

LatentDecoder make_decoder(const KaemModel& model, const Numerics& numerics) {
  return decoder_of(model, numerics, [&model](std::int64_t rows, std::int64_t) {
    auto graph = std::make_unique<Graph>();
    const Var s = graph->input("z", {rows, model.prior_form().n_q});
    name_heads(*graph, model.generator()(model.param_set(), s));
    return graph;
  });
}

LatentDecoder make_noisy_decoder(const KaemModel& model) {
  return decoder_of(model, {}, [&model](std::int64_t rows, std::int64_t) {
    auto graph = std::make_unique<Graph>();
    const std::vector<std::int64_t> widths = {model.prior_form().n_q,
                                              model.generator().noise_size()};
    const std::vector<Var> parts =
        split(graph->input("z", {rows, widths[0] + widths[1]}), -1, widths);
    name_heads(*graph, model.generator()(model.param_set(), parts[0], {.noise = parts[1]}));
    return graph;
  });
}

HeadMatrices decode_all(const LatentDecoder& decoder, const LatentDecoder::Latents& latents) {
  HeadMatrices all;
  decoder.for_each(latents, [&](std::int64_t, const Likelihood::HeadValues& heads) {
    all.resize(heads.size());
    for (std::size_t h = 0; h < heads.size(); ++h)
      if (!decoder.likelihood().heads()[h].shared || all[h].empty())
        all[h].insert(all[h].end(), heads[h].begin(), heads[h].end());
  });
  return all;
}

Likelihood::HeadValues spans_of(const HeadMatrices& heads) { return {heads.begin(), heads.end()}; }

}  // namespace logpx::kaem
