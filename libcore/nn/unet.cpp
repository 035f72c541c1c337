#include "libcore/nn/unet.hpp"

#include "libcore/base/error.hpp"
#include "libcore/grad/ops_index.hpp"

#include <algorithm>

namespace logpx {
namespace {

bool attends(const UnetOptions& options, std::size_t level) {
  const std::vector<int>& levels = options.attention_levels;
  return std::find(levels.begin(), levels.end(), static_cast<int>(level)) != levels.end();
}

std::string numbered(const std::string& name, std::size_t number) {
  return name + std::to_string(number);
}

ImageAttention attention_at(const Site& site, std::int64_t channels, const UnetOptions& options) {
  return {site,
          channels,
          {.heads = options.heads, .groups = options.block.groups, .eps = options.block.eps}};
}

}  // namespace

std::vector<std::int64_t> multipliers_to(std::int64_t longest, std::int64_t height,
                                         std::int64_t width) {
  std::vector<std::int64_t> multipliers = {1};
  while (std::max(height, width) > longest && height % 2 == 0 && width % 2 == 0 &&
         std::ssize(multipliers) < most_resolutions) {
    height /= 2;
    width /= 2;
    multipliers.push_back(1);
  }
  return multipliers;
}

Unet::Unet(const Site& site, const UnetOptions& options)
    : step_(site.step()), conv_in_(site / "conv_in", options.in_channels, options.channels) {
  LOGPX_ASSERT(!options.multipliers.empty() && options.blocks >= 1);
  add_down(site, options);
  const std::int64_t inner = options.channels * options.multipliers.back();
  middle_.push_back({ResnetBlock(site / "mid/0", inner, inner, options.block), {}});
  if (options.middle == MiddleAttention::with)
    middle_.back().attention = attention_at(site / "mid/attn", inner, options);
  middle_.push_back({ResnetBlock(site / "mid/1", inner, inner, options.block), {}});
  add_up(site, options);
  norm_.emplace(site / "out/norm", options.channels * options.multipliers.front(),
                options.block.groups, NormOptions{options.block.eps, Activation::silu});
  conv_out_.emplace(site / "conv_out", options.channels * options.multipliers.front(),
                    options.out_channels,
                    ConvLayerOptions{.kernel = options.out_kernel,
                                     .pad = options.out_kernel / 2,
                                     .weights = options.last_weights});
}

void Unet::add_down(const Site& site, const UnetOptions& options) {
  std::int64_t channels = options.channels;
  skips_.push_back(channels);
  std::size_t number = 0;
  for (std::size_t level = 0; level < options.multipliers.size(); ++level) {
    Level& here = down_.emplace_back();
    const std::int64_t wide = options.channels * options.multipliers[level];
    for (int i = 0; i < options.blocks; ++i, ++number) {
      here.stages.push_back(
          {ResnetBlock(site / numbered("down/", number), channels, wide, options.block), {}});
      if (attends(options, level))
        here.stages.back().attention =
            attention_at(site / numbered("down/attn", number), wide, options);
      channels = wide;
      skips_.push_back(channels);
    }
    if (level + 1 == options.multipliers.size()) continue;
    here.resize.emplace(site / numbered("down/resize", level), channels, channels,
                        ConvLayerOptions{.stride = 2});
    skips_.push_back(channels);
  }
}

void Unet::add_up(const Site& site, const UnetOptions& options) {
  std::int64_t channels = options.channels * options.multipliers.back();
  std::size_t number = 0;
  for (std::size_t level = options.multipliers.size(); level-- > 0;) {
    Level& here = up_.emplace_back();
    const std::int64_t wide = options.channels * options.multipliers[level];
    for (int i = 0; i <= options.blocks; ++i, ++number) {
      here.stages.push_back({ResnetBlock(site / numbered("up/", number), channels + skips_.back(),
                                         wide, options.block),
                             {}});
      skips_.pop_back();
      if (attends(options, level))
        here.stages.back().attention =
            attention_at(site / numbered("up/attn", number), wide, options);
      channels = wide;
    }
    if (level > 0) here.resize.emplace(site / numbered("up/resize", level), channels, channels);
  }
}

Var Unet::Stage::operator()(const ParamSet& params, Var x, const std::optional<Var>& condition,
                            BlockPass pass) const {
  const Graph::Recompute region(x.graph());
  const Var h = block(params, x, condition, pass);
  return attention ? (*attention)(params, h) : h;
}

Var Unet::operator()(const ParamSet& params, Var x, std::optional<Var> condition,
                     BlockPass pass) const {
  const LayerScope scope(x, step_);
  Var h = conv_in_(params, x);
  std::vector<Var> skips = {h};
  for (const Level& level : down_) {
    for (const Stage& stage : level.stages) skips.push_back(h = stage(params, h, condition, pass));
    if (level.resize) skips.push_back(h = (*level.resize)(params, h));
  }
  for (const Stage& stage : middle_) h = stage(params, h, condition, pass);
  for (const Level& level : up_) {
    for (const Stage& stage : level.stages) {
      h = stage(params, concat({h, skips.back()}, 1), condition, pass);
      skips.pop_back();
    }
    if (level.resize) h = (*level.resize)(params, upsample_nearest2(h));
  }
  return (*conv_out_)(params, (*norm_)(params, h));
}

}  // namespace logpx
