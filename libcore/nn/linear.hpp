#pragma once

#include "libcore/grad/activation.hpp"
#include "libcore/nn/site.hpp"

namespace logpx {

enum class Bias { with, without };

struct LinearOptions {
  Activation activation = Activation::none;
  Bias bias = Bias::with;
  Init weights = {Init::Rule::glorot_uniform};
  Init biases = Init::zeros();
};

// y = act(x w + b): x [...,in] to [...,out]; tensors w [in,out] and b [out].
class Linear {
 public:
  Linear(const Site& site, std::int64_t in, std::int64_t out, const LinearOptions& options = {});
  [[nodiscard]] Var operator()(const ParamSet& params, Var x) const;

 private:
  std::string step_;
  int w_;
  std::optional<int> b_;
  Activation activation_;
};

}  // namespace logpx
