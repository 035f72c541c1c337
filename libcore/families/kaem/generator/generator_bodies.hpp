// The networks inside generators of each kind: from s [M,Q] to the numbers of every head that is
// not shared by all dimensions.   [kaem/README 3.1]
#pragma once

#include "libcore/grad/params.hpp"
#include "libcore/math/curve_grid.hpp"
#include "libcore/model/heads.hpp"
#include "libcore/nn/spline_layer.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace logpx::kaem {

enum class GeneratorKind { kan, cnn, mlp, seq };
enum class RangeFix { none, sigmoid, affine };  // what keeps the inputs of hidden layers in [0, 1]

struct GeneratorForm {
  GeneratorKind kind = GeneratorKind::kan;
  std::vector<std::int64_t> hidden = {};     // kan, mlp: widths between s and x; seq: its width
  Activation activation = Activation::silu;  // mlp: of hidden units

  SplineOptions spline = {};      // kan
  double low = -1.5, high = 1.5;  // kan: the first domain of the curves
  RangeFix range_fix = RangeFix::none;
  bool layer_norm = false;  // kan: before each layer

  // cnn, one for each layer; the last channels are those of x. Empty: by the size of the pictures.
  std::vector<std::int64_t> channels = {}, kernels = {}, strides = {}, pads = {};
  bool latent_concat = false, batch_norm = false;
  double leaky_slope = 0.2;

  bool autoregressive = true;  // seq: position t sees the true token before it
};

// What goes into a decoding besides s, and what is to come out besides the heads.
struct Decoding {
  std::optional<Var> noise = {};   // [M, noise_size()]: added to the mean before its activation
  std::optional<Var> tokens = {};  // index [M,T]: the true ones, where the form is autoregressive
  // cnn with batch_norm. own: those of the shard, which are outputs "statistics0", ... [2,C]
  enum class Statistics { running, own } statistics = Statistics::running;
  // kan. shown: what the curves of layer k get is an output "layer_input<k>" [M,in]
  enum class Inputs { hidden, shown } layer_inputs = Inputs::hidden;
};

// What a generator that sees the symbol before each position does while they are not yet known:
// one position after another, from what is known of those before.
struct KnownPositions {
  Var state;         // [M,C], of the last
  Var keys, values;  // [M,T,C], of those before it
  Var seen;          // [M,T+1]: 1 for those, and for the last of all
  Var tokens;        // index [M], of the last
};
struct NextPosition {
  Var state;                                // [M,C]
  std::optional<Var> key = {}, value = {};  // of the position before it, [M,C]
  std::vector<Var> numbers;                 // [M,per_dim] of each own head
};
class PositionWise {
 public:
  virtual ~PositionWise() = default;
  [[nodiscard]] virtual std::int64_t state_width() const = 0;  // C
  [[nodiscard]] virtual NextPosition first(const ParamSet& params, Var s) const = 0;
  [[nodiscard]] virtual NextPosition next(const ParamSet& params,
                                          const KnownPositions& known) const = 0;
};

// State of a layer that is no parameter, an input of graphs under the name `input`.
struct GeneratorState {
  std::string input;  // "grid0", "spacing0", "statistics0"
  std::string name;   // in files: "generator/layer0/grid"
  Tensor<float> values;
};

// What a body is built from.
struct BodyPlan {
  Site site;
  const GeneratorForm& form;
  std::int64_t latents;
  Extents extents;
  std::span<const HeadForm> heads;  // without shared ones

  [[nodiscard]] std::int64_t per_dim() const;  // numbers of all heads for one dimension
};

class GeneratorBody {
 public:
  virtual ~GeneratorBody() = default;
  // [M, D per_dim] for each head.
  [[nodiscard]] virtual std::vector<Var> operator()(const ParamSet& params, Var s,
                                                    const Decoding& decoding) const = 0;
  // null: all positions are made at once, and take no tokens
  [[nodiscard]] virtual const PositionWise* position_wise() const { return nullptr; }

  [[nodiscard]] std::deque<GeneratorState>& states() { return states_; }
  [[nodiscard]] const std::deque<GeneratorState>& states() const { return states_; }
  [[nodiscard]] const std::vector<SplineLayer>& splines() const { return splines_; }

 protected:
  void add_state(const Site& layer, const std::string& name, std::size_t number,
                 Tensor<float> values);
  // A node for state that add_state listed.
  [[nodiscard]] Var state_input(Graph& graph, const std::string& input) const;
  std::vector<SplineLayer> splines_;

 private:
  std::deque<GeneratorState> states_;
};

// Numbers [..., D sum of per_dim], head after head, apart.
[[nodiscard]] std::vector<Var> numbers_apart(Var all, std::span<const HeadForm> heads,
                                             std::int64_t dims);

[[nodiscard]] std::unique_ptr<GeneratorBody> kan_body(const BodyPlan& plan);
[[nodiscard]] std::unique_ptr<GeneratorBody> mlp_body(const BodyPlan& plan);
[[nodiscard]] std::unique_ptr<GeneratorBody> cnn_body(const BodyPlan& plan);
[[nodiscard]] std::unique_ptr<GeneratorBody> seq_body(const BodyPlan& plan);

// Fills empty lists of a cnn by the size of the pictures; refuses lists that do not make them.
void fit_to_pictures(GeneratorForm& form, const Extents& extents);

}  // namespace logpx::kaem
