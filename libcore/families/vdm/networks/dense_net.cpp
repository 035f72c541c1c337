#include "libcore/families/vdm/networks/score_net.hpp"
#include "libcore/grad/ops_features.hpp"
#include "libcore/grad/ops_index.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/nn/embedding.hpp"
#include "libcore/nn/mlp.hpp"

namespace logpx::vdm {
namespace {

constexpr std::int64_t label_width = 16;

class DenseNet final : public ScoreNet {
 public:
  DenseNet(const Site& site, const NetForm& form)
      : form_(form),
        layers_(site / "", widths(form),
                {.weights = {Init::Rule::lecun_normal}, .last_weights = Init::zeros()}) {
    if (form.classes > 0) label_.emplace(site / "label", form.classes + 1, label_width);
  }

  [[nodiscard]] Var operator()(const ParamSet& params, const NetInputs& in,
                               BlockPass) const override {
    const std::int64_t rows = in.z.shape()[0];
    // 2t - 1
    const Var time = affine(in.gamma, 2 / form_.ends.gap(),
                            -(form_.ends.first + form_.ends.last) / form_.ends.gap());
    std::vector<Var> seen = {
        form_.exponents.empty() ? in.z : fourier_features(in.z, form_.exponents),
        time.reshape({rows, 1})};
    if (label_) seen.push_back((*label_)(params, *in.label));
    return in.z + layers_(params, concat(seen, 1));
  }

 private:
  static std::vector<std::int64_t> widths(const NetForm& form) {
    const std::int64_t dims = form.extents.dims,
                       waves = static_cast<std::int64_t>(form.exponents.size());
    std::vector<std::int64_t> all = {dims * (1 + 2 * waves) + 1 +
                                     (form.classes > 0 ? label_width : 0)};
    all.insert(all.end(), static_cast<std::size_t>(form.options.layers), form.options.width);
    all.push_back(dims);
    return all;
  }

  NetForm form_;
  Mlp layers_;
  std::optional<Embedding> label_;
};

}  // namespace

std::unique_ptr<const ScoreNet> dense_net(const Site& site, const NetForm& form) {
  return std::make_unique<DenseNet>(site, form);
}

}  // namespace logpx::vdm
