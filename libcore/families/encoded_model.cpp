#include "libcore/families/encoded_model.hpp"

#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_sample.hpp"

namespace logpx {

// Below its least value the smooth clamp has almost no slope, and the KL pulls with 1/2 only: a
// latent that got there in its first steps would stay for good. So the gradient passes whole there.
// Above the largest value the KL pulls with e^10 / 2, and the slope that is left suffices.
Var limited_log_var(Var log_var) {
  const Var held = smooth_clamp(log_var, least_log_var, largest_log_var);
  return straight_beyond(held, log_var, {.low = least_log_var});
}

double network_scale(const Likelihood& likelihood) {
  const bool levels = likelihood.takes() == ValuesOfX::levels;
  return levels ? 2 / static_cast<double>(likelihood.levels() - 1) : 1;
}

Var network_values(const Likelihood& likelihood, Var x) {
  if (likelihood.takes() != ValuesOfX::levels) return x;
  return affine(x, network_scale(likelihood), -1);
}

Likelihood::Target EncodedModel::target(Graph& graph, std::int64_t rows,
                                        std::int64_t copies) const {
  Likelihood::Target target{graph.input("x", {rows, dims()})};
  if (likelihood().takes_index()) target.index = graph.index_input("index", {copies, rows, dims()});
  return target;
}

}  // namespace logpx
