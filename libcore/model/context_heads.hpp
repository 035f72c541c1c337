// p(x|z) whose dimensions see those before them: one dense network for all dimensions, over what a
// decoder makes of z at a pixel and the values around it, gives the heads of a likelihood.
//   log p(x|z) = sum_d log Lik(x_d; net(f_d(z), c_d(x)))   [vae/README 3.4]
#pragma once

#include "libcore/model/context_table.hpp"
#include "libcore/nn/joined_linear.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace logpx {

class ContextHeads {
 public:
  static constexpr std::int64_t features_per_pixel = 8;  // that a decoder makes of z

  struct Form {
    std::int64_t neighbours = 0;
    std::vector<std::int64_t> hidden = {64, 64};
    LinearOptions layers = {};  // how weights start
  };
  ContextHeads(const Site& site, const Form& form, const Extents& extents,
               const Likelihood& likelihood);

  [[nodiscard]] const std::shared_ptr<const ContextTable>& table() const { return table_; }
  // Numbers that the network takes for a dimension: features, then its context.
  [[nodiscard]] std::int64_t width() const { return features_per_pixel + table_->width(); }
  // Biases of the heads as training starts: one distribution around the mean of all dimensions, or
  // components apart over all values.
  void start(ParamSet& params, double mean) const;
  // Rows [L,R,width] to the heads of one dimension each: [L,R,1], or [L,R,1,per_dim].
  [[nodiscard]] Likelihood::Heads heads(const ParamSet& params, Var rows) const;

  // Those that a step of training takes; their sum is weighted.   [ContextChoice]
  struct Chosen {
    Var dims, weights;              // [M,K]
    std::optional<Var> index = {};  // [L,M,K] of the values, where the likelihood takes one
  };
  // features [L,M,pixels,F]: [L,M]
  [[nodiscard]] Var log_prob(const ParamSet& params, const Likelihood::Target& target, Var features,
                             const std::optional<Chosen>& chosen = {}) const;

 private:
  const Likelihood& likelihood_;
  std::shared_ptr<const ContextTable> table_;
  std::vector<Linear> hidden_;
  std::optional<JoinedLinear> last_;
  HeadMaker maker_;
};

}  // namespace logpx
