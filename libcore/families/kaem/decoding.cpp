#include "libcore/families/kaem/decoding.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/kaem/model.hpp"
#include "libcore/grad/ops_index.hpp"

#include <algorithm>
#include <utility>

namespace logpx::kaem {
namespace {

constexpr std::int64_t rows_drawn_at_a_time = 64;

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

RowDecoder::RowDecoder(const KaemModel& model) : model_(model), decoder_(make_decoder(model)) {
  if (model.generator().takes_tokens()) by_position_.emplace(model, Numerics());
}

std::vector<float> RowDecoder::mean(std::span<const float> s) const {
  if (by_position_) return likeliest(s);
  return decoder_.mean({model_.param_set().block(), s, model_.prior_form().n_q});
}

std::vector<float> RowDecoder::likeliest(std::span<const float> s) const {
  const std::size_t latents = at(model_.prior_form().n_q), dims = at(model_.dims());
  const LevelsOfX& levels = model_.likelihood().values();
  std::vector<float> all(s.size() / latents * dims);
  by_position_->go(model_.param_set().block(), s,
                   [&](std::int64_t row, std::int64_t position, const auto& heads) {
                     const std::span<const float> logits = heads[0].subspan(
                         at(position * levels.most()), at(levels.at(at(position))));
                     const auto symbol = std::ranges::max_element(logits) - logits.begin();
                     all[at(row) * dims + at(position)] = static_cast<float>(symbol);
                     return static_cast<std::int32_t>(symbol);
                   });
  std::vector<float> stored;
  for (std::size_t first = 0; first < all.size(); first += dims) {
    const std::vector<float> row = stored_order(model_.info().samples, model_.reader().rules(),
                                                std::span(all).subspan(first, dims));
    stored.insert(stored.end(), row.begin(), row.end());
  }
  return stored;
}

void RowDecoder::sample(std::span<const float> s, Rows& out, std::int64_t first, Rng rng) const {
  if (by_position_) return sample_positions(s, out, first, rng);
  decoder_.sample({model_.param_set().block(), s, model_.prior_form().n_q}, first, rng, out);
}

void RowDecoder::sample_positions(std::span<const float> s, Rows& out, std::int64_t first,
                                  Rng rng) const {
  const std::size_t latents = at(model_.prior_form().n_q), dims = at(model_.dims());
  const DatasetInfo& samples = model_.info().samples;
  out.count = std::ssize(s) / model_.prior_form().n_q;
  out.x.assign(at(out.count) * samples.row_bytes(), std::byte{0});
  for (std::int64_t start = 0; start < out.count; start += rows_drawn_at_a_time) {
    const std::int64_t rows = std::min(rows_drawn_at_a_time, out.count - start);
    std::vector<DrawCursor> draws;
    for (std::int64_t i = start; i < start + rows; ++i)
      draws.emplace_back(rng.stream(Stream::sample_model, static_cast<std::uint32_t>(first + i)));
    std::vector<float> x(at(rows) * dims);
    by_position_->go(model_.param_set().block(), s.subspan(at(start) * latents, at(rows) * latents),
                     [&](std::int64_t row, std::int64_t position, const auto& heads) {
                       const double symbol =
                           model_.likelihood().draw(heads, at(position), draws[at(row)]);
                       x[at(row) * dims + at(position)] = static_cast<float>(symbol);
                       return static_cast<std::int32_t>(symbol);
                     });
    for (std::int64_t i = 0; i < rows; ++i)
      store_values(samples, model_.reader().rules(), std::span(x).subspan(at(i) * dims, dims),
                   start + i, out);
  }
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
