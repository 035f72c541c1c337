#include "libcore/families/arm/networks/order_net.hpp"
#include "libcore/grad/ops_features.hpp"
#include "libcore/grad/ops_reduce.hpp"
#include "libcore/nn/mlp.hpp"
#include "libcore/nn/unet.hpp"

namespace logpx::arm {
namespace {

constexpr std::int64_t pixel_token_width = 32, condition_width = 64,
                       numbers_of_input = 2 + pixel_token_width;
constexpr Init condition_weights = {Init::Rule::lecun_normal};

UnetOptions unet_options(const NetForm& form) {
  const std::int64_t numbers =
      (form.values ? form.rows.levels() : 0) + (form.policy ? 1 : 0) + (form.choice ? 1 : 0);
  return {.in_channels = form.extents.channels * numbers_of_input,
          .out_channels = form.extents.channels * numbers,
          .channels = form.options.channels,
          .multipliers = form.options.multipliers,
          .blocks = 2,
          .attention_levels = {static_cast<int>(form.options.multipliers.size()) - 1},
          .out_kernel = 1,
          .block = {.condition = condition_width, .groups = 8}};
}

class PictureNet final : public OrderNet {
 public:
  PictureNet(const Site& site, const NetForm& form)
      : form_(form),
        tokens_(site / "token", form.rows.levels(), pixel_token_width),
        condition_(site / "", {condition_width, condition_width, condition_width},
                   {.output = Activation::silu, .weights = condition_weights}),
        unet_(site / "", unet_options(form)) {}

  [[nodiscard]] NetHeads look(const ParamSet& params, const NetInputs& in) const override {
    const Var numbers = numbers_of(params, in);
    const std::int64_t rows = numbers.shape()[0], dims = form_.extents.dims;
    NetHeads heads{slice(numbers, 2, 0, form_.rows.levels())};
    if (form_.policy)
      heads.policy =
          slice(numbers, 2, form_.rows.levels(), form_.rows.levels() + 1).reshape({rows, dims});
    return heads;
  }
  [[nodiscard]] Var choose(const ParamSet& params, const NetInputs& in) const override {
    const Var numbers = numbers_of(params, in);
    const std::int64_t all = numbers.shape()[2];
    return slice(numbers, 2, all - 1, all).reshape({numbers.shape()[0], form_.extents.dims});
  }

 private:
  // All heads of every dim, [B,D,numbers].
  [[nodiscard]] Var numbers_of(const ParamSet& params, const NetInputs& in) const {
    const auto& [dims, channels, height, width] = form_.extents;
    const std::int64_t rows = in.seen.shape()[0];
    const Var seen = in.seen.reshape({rows, dims, 1});
    const Var value = embedding(unit_values(in.seen.graph()), in.x) * seen;
    // [B, C, H W, numbers] to maps
    const Var pixels = concat({value, seen, tokens_(params, in.x, seen)}, 2)
                           .reshape({rows, channels, height * width, numbers_of_input});
    const Var maps =
        permute(pixels, {0, 1, 3, 2}).reshape({rows, channels * numbers_of_input, height, width});
    const Var share = mean(in.seen, 1);
    const Var condition = condition_(params, time_embedding(share, condition_width));
    const Var out = unet_(params, maps, condition);
    const std::int64_t numbers = out.shape()[1] / channels;
    return numbers_of_maps(out, numbers).reshape({rows, dims, numbers});
  }
  // The values of the levels, spread over [-1, 1]: [levels, 1].
  [[nodiscard]] Var unit_values(Graph& graph) const {
    Tensor<double> values({form_.rows.levels(), 1});
    for (std::int64_t v = 0; v < form_.rows.levels(); ++v)
      values[v] =
          form_.rows.levels() > 1
              ? 2 * static_cast<double>(v) / static_cast<double>(form_.rows.levels() - 1) - 1
              : 0;
    return graph.constant(values);
  }

  NetForm form_;
  Tokens tokens_;
  Mlp condition_;
  Unet unet_;
};

}  // namespace

std::unique_ptr<const OrderNet> picture_net(const Site& site, const NetForm& form) {
  return std::make_unique<PictureNet>(site, form);
}

}  // namespace logpx::arm
