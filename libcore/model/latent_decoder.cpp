#include "libcore/model/latent_decoder.hpp"

#include "libcore/base/index.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace logpx {
namespace {

constexpr std::int64_t rows_decoded_at_a_time = 64;

}  // namespace

std::string output_of_head(std::size_t head) { return "head" + std::to_string(head); }

void name_heads(Graph& graph, const Likelihood::Heads& heads) {
  for (std::size_t h = 0; h < heads.size(); ++h) graph.output(output_of_head(h), heads[h]);
}

DecodedHeads::DecodedHeads(const Likelihood& likelihood, const Executor<float>& run) {
  for (std::size_t h = 0; h < likelihood.heads().size(); ++h)
    heads_.push_back(run.output(output_of_head(h)));
}

Likelihood::HeadValues DecodedHeads::row(std::int64_t i) const {
  Likelihood::HeadValues values;
  for (const View<const float>& head : heads_) {
    const bool shared = head.shape.rank() == 0;
    const auto n = static_cast<std::size_t>(shared ? 1 : head.size() / head.shape[0]);
    values.push_back(head.span().subspan(shared ? 0 : at(i) * n, n));
  }
  return values;
}

LatentDecoder::LatentDecoder(BuildGraph build, Parts parts)
    : parts_(std::move(parts)), graphs_(std::move(build), {.numerics = parts_.numerics}) {}

void LatentDecoder::for_each(const Latents& latents, const Use& use) const {
  single_threaded_kernels();
  const std::int64_t count = latents.count(), dims = latents.dims;
  for (std::int64_t first = 0; first < count; first += rows_decoded_at_a_time) {
    const std::int64_t rows = std::min(rows_decoded_at_a_time, count - first);
    const ExecutorPool::Loan loan = graphs_.lend({rows});
    Executor<float>& run = loan.executor();
    std::ranges::copy(latents.z.subspan(at(first * dims), at(rows * dims)),
                      loan.inputs().values("z").begin());
    if (parts_.bind) parts_.bind(loan.inputs());
    run.bind_parameters(latents.theta);
    run.forward();
    const DecodedHeads heads(parts_.likelihood, run);
    for (std::int64_t i = 0; i < rows; ++i) use(first + i, heads.row(i));
  }
}

template <typename Number>
void LatentDecoder::fill(Number number, std::span<float> x) const {
  const auto take = [&](std::span<float> own) {
    for (std::size_t d = 0; d < own.size(); ++d) own[d] = static_cast<float>(number(d));
  };
  if (parts_.axes == nullptr) return take(x);
  std::vector<float> scores(at(parts_.axes->axes()));
  take(scores);
  parts_.axes->point(scores, x);
}

std::vector<float> LatentDecoder::mean(const Latents& latents) const {
  std::vector<float> means, x(at(parts_.samples.dims()));
  for_each(latents, [&](std::int64_t, const Likelihood::HeadValues& heads) {
    fill([&](std::size_t d) { return parts_.likelihood.mean(heads, d); }, x);
    const std::vector<float> row = stored_order(parts_.samples, parts_.rules, x);
    means.insert(means.end(), row.begin(), row.end());
  });
  return means;
}

void LatentDecoder::sample(const Latents& latents, std::int64_t first, Rng rng, Rows& out) const {
  out.count = latents.count();
  out.x.assign(at(out.count) * parts_.samples.row_bytes(), std::byte{0});
  std::vector<float> x(at(parts_.samples.dims()));
  for_each(latents, [&](std::int64_t i, const Likelihood::HeadValues& heads) {
    DrawCursor draws(rng.stream(Stream::sample_model, static_cast<std::uint32_t>(first + i)));
    fill([&](std::size_t d) { return parts_.likelihood.draw(heads, d, draws); }, x);
    store_values(parts_.samples, parts_.rules, x, i, out);
  });
}

}  // namespace logpx
