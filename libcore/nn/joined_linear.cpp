#include "libcore/nn/joined_linear.hpp"

#include "libcore/base/error.hpp"
#include "libcore/grad/ops_index.hpp"
#include "libcore/grad/ops_matrix.hpp"

namespace logpx {

JoinedLinear::JoinedLinear(const Site& site, std::int64_t in, const std::vector<Part>& parts,
                           const LinearOptions& options)
    : activation_(options.activation) {
  LOGPX_ASSERT(options.bias == Bias::with && !parts.empty());
  for (const Part& part : parts) {
    const Site own = site / part.name;
    weights_.push_back(own.tensor("w", {in, part.out}, options.weights, {in, part.out}));
    biases_.push_back(own.tensor("b", {part.out}, options.biases, {in, part.out}));
    widths_.push_back(part.out);
  }
}

std::vector<Var> JoinedLinear::operator()(const ParamSet& params, Var x) const {
  std::vector<Var> weights, biases;
  for (const int tensor : weights_) weights.push_back(x.graph().parameter(params, tensor));
  for (const int tensor : biases_) biases.push_back(x.graph().parameter(params, tensor));
  return split(linear(x, concat(weights, 1), concat(biases, 0), activation_), -1, widths_);
}

}  // namespace logpx
