// Position after position: what comes next is a dense layer of the last one and of what attention
// sees of all so far. Given s alone, positions are independent of the text; an autoregressive one
// adds to each the embedding of the true token before it.   [KAEM eq. 20; kaem/README 3.1]
//
//   h_1 = gelu(norm(s W + b)),  h_t+1 = gelu(norm((h_t + attention(h_t; h_1..t)) U + c)) + E[x_t]
#include "libcore/base/error.hpp"
#include "libcore/families/kaem/generator/generator_bodies.hpp"
#include "libcore/grad/ops_attention.hpp"
#include "libcore/grad/ops_index.hpp"
#include "libcore/grad/ops_matrix.hpp"
#include "libcore/grad/ops_norm.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_states.hpp"
#include "libcore/nn/embedding.hpp"
#include "libcore/nn/linear.hpp"
#include "libcore/nn/norm.hpp"

#include <optional>

namespace logpx::kaem {
namespace {

const Init projection{Init::Rule::glorot_normal};

// The tensors of a layer that attentive_states() computes with.
struct LayerTensors {
  LayerTensors(const Site& site, std::int64_t width)
      : w(site.tensor("w", {width, width}, projection, {width, width})),
        b(site.tensor("b", {width}, Init::zeros(), {width, width})) {}
  [[nodiscard]] StateSteps::Layer in(const ParamSet& params, Graph& graph) const {
    return {graph.parameter(params, w), graph.parameter(params, b)};
  }
  int w, b;
};

struct NormTensors {
  NormTensors(const Site& site, std::int64_t width)
      : scale(site.tensor("w", {width}, Init::constant(1))),
        shift(site.tensor("b", {width}, Init::zeros())) {}
  int scale, shift;
};

class SeqBody final : public GeneratorBody, public PositionWise {
 public:
  explicit SeqBody(const BodyPlan& plan)
      : positions_(plan.extents.dims),
        width_(plan.form.hidden.empty() ? plan.latents : plan.form.hidden[0]),
        heads_(plan.heads.begin(), plan.heads.end()),
        first_(plan.site / "first", plan.latents, width_, {.weights = projection}),
        first_norm_(plan.site / "first_norm", width_),
        query_(plan.site / "query", width_),
        key_(plan.site / "key", width_),
        value_(plan.site / "value", width_),
        next_(plan.site / "next", width_),
        next_norm_(plan.site / "next_norm", width_),
        last_(plan.site / "last", width_, plan.per_dim(), {.weights = projection}) {
    if (plan.form.autoregressive)
      tokens_.emplace(plan.site / "tokens", plan.heads[0].per_dim, width_, Init::normal(0.1));
  }

  [[nodiscard]] const PositionWise* position_wise() const override {
    return tokens_ ? this : nullptr;
  }
  [[nodiscard]] std::int64_t state_width() const override { return width_; }

  [[nodiscard]] std::vector<Var> operator()(const ParamSet& params, Var s,
                                            const Decoding& decoding) const override {
    LOGPX_ASSERT(decoding.tokens.has_value() == tokens_.has_value());
    Graph& graph = s.graph();
    StateSteps steps{.query = query_.in(params, graph),
                     .key = key_.in(params, graph),
                     .value = value_.in(params, graph),
                     .next = next_.in(params, graph),
                     .scale = graph.parameter(params, next_norm_.scale),
                     .shift = graph.parameter(params, next_norm_.shift),
                     .count = positions_};
    if (tokens_) steps.added = (*tokens_)(params, *decoding.tokens);
    return apart(last_(params, attentive_states(start(params, s), steps)));
  }

  [[nodiscard]] NextPosition first(const ParamSet& params, Var s) const override {
    const Var state = start(params, s);
    return {.state = state, .numbers = numbers_apart(last_(params, state), heads_, 1)};
  }
  [[nodiscard]] NextPosition next(const ParamSet& params,
                                  const KnownPositions& known) const override {
    Graph& graph = known.state.graph();
    const auto by = [&](const LayerTensors& layer, Var x) {
      const StateSteps::Layer tensors = layer.in(params, graph);
      return linear(x, tensors.w, tensors.b);
    };
    const Shape one{known.state.shape()[0], 1, width_};
    const Var key = by(key_, known.state), value = by(value_, known.state);
    const Var found =
        attention(by(query_, known.state).reshape(one), concat({known.keys, key.reshape(one)}, 1),
                  concat({known.values, value.reshape(one)}, 1), known.seen);
    const Var mixed = by(next_, add(known.state, found.reshape(known.state.shape())));
    const Var normed = layer_norm(mixed, graph.parameter(params, next_norm_.scale),
                                  graph.parameter(params, next_norm_.shift));
    const Var state = add(gelu_erf(normed), (*tokens_)(params, known.tokens));
    return {.state = state,
            .key = key,
            .value = value,
            .numbers = numbers_apart(last_(params, state), heads_, 1)};
  }

 private:
  [[nodiscard]] Var start(const ParamSet& params, Var s) const {
    return gelu_erf(first_norm_(params, first_(params, s)));
  }
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
  LayerTensors query_, key_, value_, next_;
  NormTensors next_norm_;
  Linear last_;
  std::optional<Embedding> tokens_;
};

}  // namespace

std::unique_ptr<GeneratorBody> seq_body(const BodyPlan& plan) {
  return std::make_unique<SeqBody>(plan);
}

}  // namespace logpx::kaem
