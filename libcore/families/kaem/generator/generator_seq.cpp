// Position after position: what comes next is a dense layer of the last one and of what attention
// sees of all so far. Given s alone, positions are independent of the text; an autoregressive one
// adds to each the embedding of the true token before it.   [KAEM eq. 20; kaem/README 3.1]
//
//   h_1 = gelu(norm(s W + b)),  h_t+1 = gelu(norm((h_t + attention(h_t; h_1..t)) U + c)) + E[x_t]
#include "libcore/base/error.hpp"
#include "libcore/families/kaem/generator/generator_bodies.hpp"
#include "libcore/grad/ops_attention.hpp"
#include "libcore/grad/ops_index.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/nn/embedding.hpp"
#include "libcore/nn/linear.hpp"
#include "libcore/nn/norm.hpp"

#include <optional>

namespace logpx::kaem {
namespace {

const LinearOptions projection = {.weights = {Init::Rule::glorot_normal}};

class SeqBody final : public GeneratorBody {
 public:
  explicit SeqBody(const BodyPlan& plan)
      : positions_(plan.extents.dims),
        width_(plan.form.hidden.empty() ? plan.latents : plan.form.hidden[0]),
        heads_(plan.heads.begin(), plan.heads.end()),
        first_(plan.site / "first", plan.latents, width_, projection),
        first_norm_(plan.site / "first_norm", width_),
        query_(plan.site / "query", width_, width_, projection),
        key_(plan.site / "key", width_, width_, projection),
        value_(plan.site / "value", width_, width_, projection),
        next_(plan.site / "next", width_, width_, projection),
        next_norm_(plan.site / "next_norm", width_),
        last_(plan.site / "last", width_, plan.per_dim(), projection) {
    if (plan.form.autoregressive)
      tokens_.emplace(plan.site / "tokens", plan.heads[0].per_dim, width_, Init::normal(0.1));
  }

  [[nodiscard]] bool takes_tokens() const override { return tokens_.has_value(); }

  [[nodiscard]] std::vector<Var> operator()(const ParamSet& params, Var s,
                                            const Decoding& decoding) const override {
    LOGPX_ASSERT(decoding.tokens.has_value() == takes_tokens());
    const std::int64_t rows = s.shape()[0];
    std::optional<Var> tokens;
    if (tokens_) tokens = (*tokens_)(params, *decoding.tokens);
    const std::int64_t positions = decoding.positions > 0 ? decoding.positions : positions_;
    Var h = gelu_erf(first_norm_(params, first_(params, s))).reshape({rows, 1, width_});
    std::vector<Var> seen = {h}, keys, values;
    for (std::int64_t t = 1; t < positions; ++t) {
      keys.push_back(key_(params, h));
      values.push_back(value_(params, h));
      const Var found =
          attention(query_(params, h), concat(keys, 1), concat(values, 1), {.heads = 1});
      h = gelu_erf(next_norm_(params, next_(params, add(h, found))));
      if (tokens) h = add(h, slice(*tokens, 1, t - 1, t));
      seen.push_back(h);
    }
    return apart(last_(params, seen.size() == 1 ? h : concat(seen, 1)));
  }

 private:
  // [M,T,numbers] to [M, T per_dim] of each head.
  [[nodiscard]] std::vector<Var> apart(Var all) const {
    std::vector<Var> numbers = numbers_apart(all, heads_, 1);
    for (Var& head : numbers) {
      const Shape& shape = head.shape();
      head = head.reshape({shape[0], shape[1] * shape[2]});
    }
    return numbers;
  }

  std::int64_t positions_, width_;
  std::vector<HeadForm> heads_;
  Linear first_;
  LayerNorm first_norm_;
  Linear query_, key_, value_, next_;
  LayerNorm next_norm_;
  Linear last_;
  std::optional<Embedding> tokens_;
};

}  // namespace

std::unique_ptr<GeneratorBody> seq_body(const BodyPlan& plan) {
  return std::make_unique<SeqBody>(plan);
}

}  // namespace logpx::kaem
