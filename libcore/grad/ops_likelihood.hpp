// log p(x | parameters), each with its gradient in one op, summed over the axes that follow the
// first `kept` ones of the widest operand (its rank: no sum). Operands repeat over leading axes
// (row_function.hpp): x [M,D] serves parameters [L,M,D].   [math/README 4.4]
#pragma once

#include "libcore/grad/graph.hpp"

#include <cstdint>
#include <optional>

namespace logpx {

// x o - softplus(o). For x strictly between 0 and 1 this is a surrogate, not a likelihood.
[[nodiscard]] Var bernoulli_log_prob(Var x, Var logits, int kept);

// -(log 2 pi + s + (x - m)^2 e^-s) / 2, s the log-variance
[[nodiscard]] Var gaussian_log_prob(Var x, Var mean, Var log_var, int kept);

// Bins 0..levels-1 of a logistic on [-1, 1]; the edge bins take the tails. x holds whole numbers
// and gets no gradient.
[[nodiscard]] Var discretized_logistic_log_prob(Var x, Var mean, Var log_scale, std::int64_t levels,
                                                int kept);
// K of them: x [...,D], the rest [...,D,K]; weights softmax(logits).
struct LogisticMixture {
  Var logits, mean, log_scale;
};
[[nodiscard]] Var discretized_logistic_mixture_log_prob(Var x, const LogisticMixture& mixture,
                                                        std::int64_t levels, int kept);

// Bins 0..levels-1 of a normal, with middles x/(levels-1); the edge bins take the tails. x holds
// whole numbers and gets no gradient.
[[nodiscard]] Var discretized_gaussian_log_prob(Var x, Var mean, Var log_var, std::int64_t levels,
                                                int kept);

// Whole x in 0..n under Beta(e^log_alpha, e^log_beta); no gradient to x.
[[nodiscard]] Var beta_binomial_log_prob(Var x, Var log_alpha, Var log_beta, std::int64_t n,
                                         int kept);

// log softmax(logits)[x]: logits [...,C], x an index [...] -> [...]. A mask [...,C], or a suffix of
// that which repeats, leaves classes out where it is 0: they, and those with a logit of -inf, have
// log p = -inf and no gradient.
[[nodiscard]] Var categorical_log_prob(Var logits, Var x, std::optional<Var> mask = {});

// KL(N(mean, e^log_var) to N(0, 1)), and to N(prior_mean, e^prior_log_var).
[[nodiscard]] Var standard_normal_kl(Var mean, Var log_var, int kept);
struct NormalPair {
  Var mean, log_var, prior_mean, prior_log_var;
};
[[nodiscard]] Var normal_kl(const NormalPair& pair, int kept);

}  // namespace logpx
