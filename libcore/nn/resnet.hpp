#pragma once

#include "libcore/nn/conv.hpp"
#include "libcore/nn/linear.hpp"
#include "libcore/nn/norm.hpp"

#include <optional>

namespace logpx {

// In training, a block with dropout makes an input PATH/dropout_mask, of ones and zeros, to be
// bound to draws by address; in evaluation nothing is dropped.
enum class BlockPass { training, evaluation };

struct ResnetOptions {
  std::int64_t condition = 0;  // width of the condition; 0: none
  std::int64_t groups = 32;
  double eps = 1e-6, dropout = 0;
};

// h = conv1(silu(norm1(x))) + cond_proj(condition); conv2(dropout(silu(norm2(h)))) plus x, or
// plus shortcut(x) where the channels change. cond_proj and conv2 start at zero.
// [VDM; vdm/README 8.2]
class ResnetBlock {
 public:
  ResnetBlock(const Site& site, std::int64_t in, std::int64_t out,
              const ResnetOptions& options = {});
  // x [N,in,H,W], condition [N,condition].
  [[nodiscard]] Var operator()(const ParamSet& params, Var x, std::optional<Var> condition = {},
                               BlockPass pass = BlockPass::evaluation) const;

 private:
  std::string path_, step_;
  GroupNorm norm1_;
  Conv2d conv1_;
  std::optional<Linear> cond_proj_;
  GroupNorm norm2_;
  Conv2d conv2_;
  std::optional<Conv2d> shortcut_;
  double dropout_;
};

}  // namespace logpx
