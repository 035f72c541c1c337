#pragma once

#include "libcore/grad/ops_conv.hpp"
#include "libcore/nn/linear.hpp"

namespace logpx {

struct ConvLayerOptions {
  PerAxis kernel = 3;
  std::int64_t stride = 1;
  PerAxis pad = 1;
  Activation activation = Activation::none;
  Bias bias = Bias::with;
  Init weights = {Init::Rule::lecun_normal};
  Init biases = Init::zeros();
};

// Tensors w [out,in,h,w] and b [out].
class Conv2d {
 public:
  Conv2d(const Site& site, std::int64_t in, std::int64_t out, const ConvLayerOptions& options = {});
  [[nodiscard]] Var operator()(const ParamSet& params, Var x) const;

 private:
  std::string step_;
  int w_;
  std::optional<int> b_;
  ConvOptions options_;
};

// Tensors w [in,out,h,w] and b [out].
class ConvTranspose2d {
 public:
  ConvTranspose2d(const Site& site, std::int64_t in, std::int64_t out,
                  const ConvLayerOptions& options = {.kernel = 4, .stride = 2, .pad = 1});
  [[nodiscard]] Var operator()(const ParamSet& params, Var x) const;

 private:
  std::string step_;
  int w_;
  std::optional<int> b_;
  ConvOptions options_;
};

}  // namespace logpx
