// An encoder of a KAEM: q(v|x) = N(mean(x), diag e^log_var(x)) over the normal scores v of its
// latents, fitted to a trained model.   [kaem/README 4.4, 11.2]
//
//   h = tanh(x W + b),  mean = h Wm + bm,  log_var = h Wv + bv
#pragma once

#include "libcore/families/encoded_model.hpp"
#include "libcore/nn/linear.hpp"

#include <cstdint>

namespace logpx::kaem {

class Encoder {
 public:
  struct Size {
    std::int64_t dims = 0, hidden = 0, scores = 0;
  };
  Encoder(const Site& site, const Size& size);
  // x [M,D], scaled for the network.
  [[nodiscard]] EncodedGaussian operator()(const ParamSet& params, Var x) const;

 private:
  Linear hidden_, mean_, log_var_;
};

}  // namespace logpx::kaem
