// random-conv:SEED:D: convolutions with random weights, the same on every machine.
//
//   three 3x3 convolutions of stride 2 with zeros around (32, 64, 128 channels, leaky ReLU of
//   slope 0.2), mean and standard deviation of each channel over space, a fixed projection to D
#include "libcore/base/index.hpp"
#include "libcore/features/kinds.hpp"
#include "libcore/features/net_extractor.hpp"
#include "libcore/grad/ops_conv.hpp"
#include "libcore/grad/ops_index.hpp"
#include "libcore/grad/ops_matrix.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_reduce.hpp"

namespace logpx {
namespace {

constexpr std::int64_t random_channels[] = {32, 64, 128};

class RandomConv final : public NetExtractor {
 public:
  RandomConv(const ExtractorWords& words, const DatasetInfo& data)
      : NetExtractor({.name = words.text, .data = data, .width = words.numbers[1]}) {
    const Rng rng(static_cast<std::uint64_t>(words.numbers[0]));
    std::int64_t in = data.shape[2];
    for (const std::int64_t out : random_channels) {
      const std::string name = "conv" + std::to_string(convolutions_.size() + 1);
      convolutions_.push_back(params_.add(name, {out, in, 3, 3}));
      fans_.push_back(9 * in);
      in = out;
    }
    projection_ = params_.add("projection", {2 * in, info_.width});
    fans_.push_back(2 * in);
    // N(0, 2 / fan_in), tensor after tensor.
    for (int i = 0; i < params_.count(); ++i)
      fill(params_.view(i).span(), {Init::Rule::he_normal}, {.in = fans_[at(i)]},
           rng.stream(Stream::features, static_cast<std::uint32_t>(i)));
  }

 private:
  [[nodiscard]] Outputs nodes(Var x) const override {
    const ConvOptions halving{.stride = 2, .pad = 1, .activation = Activation::leaky_relu};
    for (const int w : convolutions_) x = conv2d(x, x.graph().parameter(params_, w), halving);
    const Shape maps = x.shape();
    const Var space = x.reshape({maps[0], maps[1], maps[2] * maps[3]});
    const Var moments = concat({mean(space, 2), sqrt(variance(space, 2))}, 1);
    return {.features = linear(moments, x.graph().parameter(params_, projection_))};
  }

  std::vector<int> convolutions_;
  std::vector<std::int64_t> fans_;
  int projection_ = 0;
};

}  // namespace

std::unique_ptr<Extractor> make_random_conv(const ExtractorWords& words, ExtractorParts parts) {
  require_pictures(parts.data, words.text);
  return std::make_unique<RandomConv>(words, parts.data);
}

}  // namespace logpx
