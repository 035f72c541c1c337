#include "libcore/nn/attention.hpp"

#include "libcore/grad/ops_index.hpp"
#include "libcore/grad/ops_pointwise.hpp"

namespace logpx {
namespace {

LinearOptions projection(const Init& weights) { return {.weights = weights}; }

}  // namespace

SelfAttention::SelfAttention(const Site& site, std::int64_t width,
                             const SelfAttentionOptions& options)
    : step_(site.step()),
      q_(site / "q", width, width, projection(options.weights)),
      k_(site / "k", width, width, projection(options.weights)),
      v_(site / "v", width, width, projection(options.weights)),
      o_(site / "o", width, width, projection(options.last_weights)),
      options_{options.heads, options.probabilities} {}

Var SelfAttention::operator()(const ParamSet& params, Var x, std::optional<Var> key_mask) const {
  const LayerScope scope(x, step_);
  const Var q = q_(params, x), k = k_(params, x), v = v_(params, x);
  return o_(params,
            key_mask ? attention(q, k, v, *key_mask, options_) : attention(q, k, v, options_));
}

TransformerBlock::TransformerBlock(const Site& site, std::int64_t width, std::int64_t hidden,
                                   const SelfAttentionOptions& options)
    : step_(site.step()),
      norm_(site / "norm", width),
      attention_(site / "attn", width, options),
      dense_(site / "dense", width, hidden, {.weights = options.weights}) {}

Var TransformerBlock::operator()(const ParamSet& params, Var x, std::optional<Var> key_mask) const {
  const LayerScope scope(x, step_);
  return dense_(params, add(x, attention_(params, norm_(params, x), key_mask)));
}

ImageAttention::ImageAttention(const Site& site, std::int64_t channels,
                               const ImageAttentionOptions& options)
    : step_(site.step()),
      norm_(site / "norm", channels, options.groups, {.eps = options.eps}),
      attention_(site / "", channels, {.heads = options.heads, .last_weights = Init::zeros()}) {}

Var ImageAttention::operator()(const ParamSet& params, Var x) const {
  const LayerScope scope(x, step_);
  const Shape shape = x.shape();
  const Shape planes{shape[0], shape[1], shape[2] * shape[3]};
  const Var pixels = permute(norm_(params, x).reshape(planes), {0, 2, 1});
  const Var seen = permute(attention_(params, pixels), {0, 2, 1});
  return add(x, seen.reshape(shape));
}

}  // namespace logpx
