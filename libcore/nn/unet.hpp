#pragma once

#include "libcore/nn/attention.hpp"
#include "libcore/nn/conv.hpp"
#include "libcore/nn/resnet.hpp"

#include <optional>
#include <vector>

namespace logpx {

enum class MiddleAttention { with, without };

struct UnetOptions {
  std::int64_t in_channels = 1, out_channels = 1, channels = 32;
  // One resolution per entry, each half the size of the one before, of `channels` times the entry;
  // {1}: the network of VDM, which never changes the resolution.
  std::vector<std::int64_t> multipliers = {1};
  int blocks = 2;                          // per resolution, on the way down
  std::vector<int> attention_levels = {};  // resolutions whose blocks are followed by attention
  MiddleAttention middle = MiddleAttention::with;
  std::int64_t heads = 1, out_kernel = 3;
  Init last_weights = Init::zeros();
  ResnetOptions block = {};  // condition, groups, eps, dropout
};

inline constexpr std::int64_t most_resolutions = 8;

// A multiplier of 1 for each resolution until the longer side of a picture has at most `longest`
// pixels, as far as the sides can be halved.
[[nodiscard]] std::vector<std::int64_t> multipliers_to(std::int64_t longest, std::int64_t height,
                                                       std::int64_t width);

// conv_in; per resolution `blocks` ResNet blocks, then a strided conv; block, attention, block in
// the middle; per resolution blocks+1 blocks that each take concat(h, what came down), then
// nearest upsampling and a conv; out: norm, silu, conv_out. Every block is a recompute region.
// [VDM; vdm/README 8.2; arm/README 8.2]
class Unet {
 public:
  Unet(const Site& site, const UnetOptions& options);
  // x [N,in_channels,H,W], condition [N,block.condition], to [N,out_channels,H,W].
  [[nodiscard]] Var operator()(const ParamSet& params, Var x, std::optional<Var> condition = {},
                               BlockPass pass = BlockPass::evaluation) const;

 private:
  struct Stage {
    ResnetBlock block;
    std::optional<ImageAttention> attention;
    [[nodiscard]] Var operator()(const ParamSet& params, Var x, const std::optional<Var>& condition,
                                 BlockPass pass) const;
  };
  struct Level {
    std::vector<Stage> stages;
    std::optional<Conv2d> resize;  // after the stages; absent at the end
  };
  void add_down(const Site& site, const UnetOptions& options);
  void add_up(const Site& site, const UnetOptions& options);

  std::string step_;
  Conv2d conv_in_;
  std::vector<std::int64_t> skips_;  // channels of what goes down, while building
  std::vector<Level> down_, up_;
  std::vector<Stage> middle_;
  std::optional<GroupNorm> norm_;
  std::optional<Conv2d> conv_out_;
};

}  // namespace logpx
