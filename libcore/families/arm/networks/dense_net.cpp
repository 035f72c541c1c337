#include "libcore/families/arm/networks/order_net.hpp"
#include "libcore/grad/ops_index.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/nn/mlp.hpp"

namespace logpx::arm {
namespace {

constexpr std::int64_t most_one_hot = 16, token_width = 16;
constexpr Init dense_weights = {Init::Rule::lecun_normal};

class DenseNet final : public OrderNet {
 public:
  DenseNet(const Site& site, const NetForm& form)
      : dims_(form.extents.dims), levels_(form.rows.levels()), first_(first_layer(site, form)) {
    const std::vector<std::int64_t>& widths = form.options.hidden;
    for (std::size_t i = 1; i < widths.size(); ++i)
      blocks_.emplace_back(site / ("block" + std::to_string(i - 1)), widths[0], widths[i],
                           MlpOptions{.hidden = form.options.activation,
                                      .weights = dense_weights,
                                      .last_weights = Init::zeros()});
    const auto head = [&](const char* name, std::int64_t numbers, Init weights) {
      return Linear(site / name, widths[0], numbers, {.weights = weights});
    };
    if (form.values) values_ = head("values", dims_ * levels_, dense_weights);
    if (form.policy) policy_ = head("policy", dims_, Init::zeros());
    if (form.choice) choice_ = head("choice", dims_, Init::zeros());
  }

  [[nodiscard]] NetHeads look(const ParamSet& params, const NetInputs& in) const override {
    const Var torso = torso_of(params, in);
    NetHeads heads{(*values_)(params, torso).reshape({in.seen.shape()[0], dims_, levels_})};
    if (policy_) heads.policy = (*policy_)(params, torso);
    return heads;
  }
  [[nodiscard]] Var choose(const ParamSet& params, const NetInputs& in) const override {
    return (*choice_)(params, torso_of(params, in));
  }

 private:
  Linear first_layer(const Site& site, const NetForm& form) {
    if (levels_ > most_one_hot) tokens_.emplace(site / "token", levels_, token_width);
    const std::int64_t each = tokens_ ? token_width : levels_ + 1;
    return {site / "in", dims_ * each, form.options.hidden[0],
            LinearOptions{.activation = form.options.activation, .weights = dense_weights}};
  }
  [[nodiscard]] Var torso_of(const ParamSet& params, const NetInputs& in) const {
    const std::int64_t rows = in.seen.shape()[0];
    const Var seen = in.seen.reshape({rows, dims_, 1});
    const Var tokens = tokens_ ? (*tokens_)(params, in.x, seen)
                               : concat({one_hot(in.x, levels_) * seen, 1.0 - seen}, 2);
    Var torso = first_(params, tokens.reshape({rows, tokens.shape().elements() / rows}));
    for (const ResidualDense& block : blocks_) torso = block(params, torso);
    return torso;
  }

  std::int64_t dims_, levels_;
  std::optional<Tokens> tokens_;
  Linear first_;
  std::vector<ResidualDense> blocks_;
  std::optional<Linear> values_, policy_, choice_;
};

}  // namespace

std::unique_ptr<const OrderNet> dense_net(const Site& site, const NetForm& form) {
  return std::make_unique<DenseNet>(site, form);
}

}  // namespace logpx::arm
