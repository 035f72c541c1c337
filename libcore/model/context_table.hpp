// Which values before it each dimension of a picture sees, in raster order, and which dimensions
// can be found together, once those that they see are known.   [vae/README 3.4]
//
//   const auto table = context_table(12, extents, likelihood);
//   const Fronts fronts = fronts_of(*table);   // each may look at all before it
#pragma once

#include "libcore/grad/ops_context.hpp"
#include "libcore/model/heads.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace logpx {

inline constexpr std::int64_t most_neighbours = 24;  // those within four pixels

// The nearest pixels before a pixel, each with all its channels, and the pixel's earlier channels.
// Levels are read as networks see them, with marks for 0 and for the brightest ones.
[[nodiscard]] std::shared_ptr<const ContextTable> context_table(std::int64_t neighbours,
                                                                const Extents& extents,
                                                                const Likelihood& likelihood);

// All dimensions, ascending in each front; what a dimension sees lies in fronts before its own.
using Fronts = std::vector<std::vector<std::int32_t>>;
[[nodiscard]] Fronts fronts_of(const ContextTable& table);

// Which dimensions a step of training takes of a row: all channels of every pixel that is not
// background, 0 like all that it sees, and of a share of the others, which weigh more. A weighted
// sum over them is on average the sum over all dimensions.
class ContextChoice {
 public:
  ContextChoice(std::shared_ptr<const ContextTable> table, double share);

  // How many dimensions may be taken of x [dims].
  [[nodiscard]] std::int64_t most(std::span<const float> x) const;
  // Their numbers and weights, by a number from 0 to 1; places that are left over have weight 0.
  void choose(std::span<const float> x, double u, std::span<std::int32_t> dims,
              std::span<float> weights) const;

 private:
  [[nodiscard]] std::vector<bool> background(std::span<const float> x) const;  // [pixels]
  std::shared_ptr<const ContextTable> table_;
  double step_;                                   // of so many background pixels one is taken
  std::vector<std::vector<std::int32_t>> seers_;  // the pixels that see a pixel
};

}  // namespace logpx
