#include "libcore/families/vdm/networks/score_net.hpp"
#include "libcore/grad/ops_features.hpp"
#include "libcore/grad/ops_index.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/nn/embedding.hpp"
#include "libcore/nn/mlp.hpp"
#include "libcore/nn/unet.hpp"

#include <numeric>

namespace logpx::vdm {
namespace {

constexpr Init lecun = {Init::Rule::lecun_normal};

UnetOptions unet_options(const NetForm& form) {
  const NetOptions& o = form.options;
  const auto waves = static_cast<std::int64_t>(form.exponents.size());
  UnetOptions unet{
      .in_channels = form.extents.channels * (1 + 2 * waves),
      .out_channels = form.extents.channels,
      .channels = o.channels,
      .multipliers = o.multipliers,
      .blocks = static_cast<int>(o.depth),
      .middle =
          o.attention == AttentionPlaces::none ? MiddleAttention::without : MiddleAttention::with,
      .block = {.condition = 4 * o.embedding, .groups = o.groups, .dropout = o.dropout}};
  if (o.attention == AttentionPlaces::all) {
    unet.attention_levels.resize(o.multipliers.size());
    std::iota(unet.attention_levels.begin(), unet.attention_levels.end(), 0);
  }
  return unet;
}

class PictureNet final : public ScoreNet {
 public:
  PictureNet(const Site& site, const NetForm& form)
      : form_(form),
        condition_(site / "", condition_widths(form),
                   {.output = Activation::silu, .weights = lecun}),
        unet_(site / "", unet_options(form)) {
    if (form.classes > 0) label_.emplace(site / "label", form.classes + 1, form.options.embedding);
  }

  [[nodiscard]] Var operator()(const ParamSet& params, const NetInputs& in,
                               BlockPass pass) const override {
    const auto& [dims, channels, height, width] = form_.extents;
    const std::int64_t rows = in.z.shape()[0];
    const Var share = (in.gamma - form_.ends.first) / form_.ends.gap();
    Var embedded = time_embedding(share, form_.options.embedding);
    if (label_) embedded = embedded + (*label_)(params, *in.label);
    if (form_.marks_changes) embedded = concat({embedded, in.changed->reshape({rows, 1})}, 1);
    const Var condition = condition_(params, embedded);
    const Var picture = in.z.reshape({rows, channels, height, width});
    const Var seen = form_.exponents.empty() ? picture : fourier_features(picture, form_.exponents);
    return in.z + unet_(params, seen, condition, pass).reshape({rows, dims});
  }

 private:
  static std::vector<std::int64_t> condition_widths(const NetForm& form) {
    const std::int64_t wide = form.options.embedding;
    return {wide + (form.marks_changes ? 1 : 0), 4 * wide, 4 * wide};
  }

  NetForm form_;
  Mlp condition_;
  Unet unet_;
  std::optional<Embedding> label_;
};

}  // namespace

std::unique_ptr<const ScoreNet> picture_net(const Site& site, const NetForm& form) {
  return std::make_unique<PictureNet>(site, form);
}

}  // namespace logpx::vdm
