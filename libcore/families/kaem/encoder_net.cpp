#include "libcore/families/kaem/encoder_net.hpp"

namespace logpx::kaem {

Encoder::Encoder(const Site& site, const Size& size)
    : hidden_(site / "hidden", size.dims, size.hidden, {.activation = Activation::tanh}),
      mean_(site / "mean", size.hidden, size.scores),
      log_var_(site / "log_var", size.hidden, size.scores) {}

EncodedGaussian Encoder::operator()(const ParamSet& params, Var x) const {
  const Graph::Scope scope(x.graph(), "encoder");
  const Var h = hidden_(params, x), log_var = log_var_(params, h);
  return {mean_(params, h), limited_log_var(log_var), log_var};
}

}  // namespace logpx::kaem
