// Entropies of a model's rows, and how far one model is from another: exact where all rows can be
// looked at, else by draws, with the error of that.   [eval/README 9]
#pragma once

#include "libcore/base/rng.hpp"
#include "libcore/model/queries.hpp"

#include <cstdint>
#include <optional>

namespace logpx {

struct DrawnMean {
  double value = 0, std_error = 0;
};
struct DrawPlan {
  std::int64_t width = 0, count = 0;  // values of a row, draws
  Rng rng;
};

// H(x) in nats by all rows of this many values; nothing if there are more than `most`, or real
// numbers among them.
[[nodiscard]] std::optional<double> exact_entropy(const ModelQueries& queries, std::int64_t width,
                                                  std::int64_t most);
// The mean of -log p(x) over draws.
[[nodiscard]] DrawnMean drawn_entropy(const ModelQueries& queries, const DrawPlan& plan);
// KL(p, q): the mean of log p(x) - log q(x) over draws of p; infinite if q lacks one of them.
[[nodiscard]] DrawnMean drawn_divergence(const ModelQueries& p, const ModelQueries& q,
                                         const DrawPlan& plan);

}  // namespace logpx
