// Transposed convolutions of s as Q x 1 x 1; n pixels become (n - 1) stride - 2 pad + kernel.
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/families/kaem/generator/generator_bodies.hpp"
#include "libcore/grad/ops_index.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/nn/conv.hpp"
#include "libcore/nn/norm.hpp"

#include <algorithm>
#include <optional>

namespace logpx::kaem {
namespace {

constexpr std::int64_t usual_kernel = 4, last_hidden_channels = 64;

// Kernel, then doubled by each layer: 4, 8, 16, 32 for SVHN, 4 to 64 for CelebA, 7, 14, 28.
struct Doubling {
  std::int64_t first = 1, times = 0;
};
Doubling doubling_to(std::int64_t size) {
  Doubling steps{.first = size};
  for (; steps.first > 7 && steps.first % 2 == 0; ++steps.times) steps.first /= 2;
  return steps;
}

// [KAEM tabs. 7 and 8]
void choose_channels(GeneratorForm& form, const Extents& extents) {
  const Doubling steps = doubling_to(extents.height);
  for (std::int64_t i = 0; i < steps.times; ++i)
    form.channels.push_back(last_hidden_channels << (steps.times - 1 - i));
  form.channels.push_back(extents.channels);
  if (form.kernels.empty()) {
    form.kernels.assign(form.channels.size(), usual_kernel);
    form.kernels[0] = steps.first;
  }
}

void fill(std::vector<std::int64_t>& list, std::size_t layers, std::int64_t first,
          std::int64_t others) {
  if (!list.empty()) return;
  list.assign(layers, others);
  list[0] = first;
}

void check_list(const std::vector<std::int64_t>& list, const GeneratorForm& form,
                const std::string& option, std::int64_t least) {
  if (list.size() != form.channels.size())
    fail(ErrorKind::usage, option,
         "is a list of " + std::to_string(list.size()) + ", but --channels has " +
             std::to_string(form.channels.size()) + " layers");
  for (const std::int64_t value : list)
    if (value < least || value > 1 << 16)
      fail(ErrorKind::usage, option,
           "must be numbers from " + std::to_string(least) + " to 65536, not " +
               std::to_string(value));
}

std::int64_t size_made(const GeneratorForm& form) {
  std::int64_t size = 1;
  for (std::size_t k = 0; k < form.channels.size() && size >= 1 && size <= 1 << 16; ++k)
    size = (size - 1) * form.strides[k] - 2 * form.pads[k] + form.kernels[k];
  return size;
}

std::string picture_text(std::int64_t height, std::int64_t width, std::int64_t channels) {
  return std::to_string(width) + 'x' + std::to_string(height) + " pixels of " +
         counted(channels, "channel");
}

class CnnBody final : public GeneratorBody {
 public:
  explicit CnnBody(const BodyPlan& plan)
      : form_(plan.form),
        channels_(plan.extents.channels),
        heads_(plan.heads.begin(), plan.heads.end()) {
    const std::size_t layers = form_.channels.size();
    std::int64_t in = plan.latents;
    for (std::size_t k = 0; k < layers; ++k) {
      const bool last = k + 1 == layers;
      const std::int64_t out = last ? channels_ * plan.per_dim() : form_.channels[k];
      const Site layer = plan.site / ("layer" + std::to_string(k));
      convolutions_.emplace_back(layer, in, out, options_of(k));
      if (form_.batch_norm && !last) {
        norms_.emplace_back(layer / "norm", out);
        Tensor<float> statistics({2, out});
        std::ranges::fill(statistics.span().subspan(at(out)), 1.0F);  // means 0, variances 1
        add_state(layer, "statistics", k, std::move(statistics));
      }
      in = out + (form_.latent_concat ? plan.latents : 0);
    }
  }

  [[nodiscard]] std::vector<Var> operator()(const ParamSet& params, Var s,
                                            const Decoding& decoding) const override {
    const std::int64_t rows = s.shape()[0], latents = s.shape()[1];
    Var x = s.reshape({rows, latents, 1, 1});
    for (std::size_t k = 0; k < convolutions_.size(); ++k) {
      if (k > 0 && form_.latent_concat) x = concat({x, spread(s, x.shape())}, 1);
      x = convolutions_[k](params, x);
      if (k + 1 == convolutions_.size()) break;
      if (form_.batch_norm) x = normalised(params, x, k, decoding);
      if (!is_fused()) x = leaky_relu(x, form_.leaky_slope);
    }
    std::vector<Var> numbers;
    std::int64_t begin = 0;
    for (const HeadForm& head : heads_) {
      const std::int64_t end = begin + channels_ * head.per_dim;
      numbers.push_back(
          numbers_of_maps(heads_.size() == 1 ? x : slice(x, 1, begin, end), head.per_dim));
      begin = end;
    }
    return numbers;
  }

 private:
  [[nodiscard]] bool is_fused() const {
    return form_.leaky_slope == leaky_slope && !form_.batch_norm;
  }
  [[nodiscard]] ConvLayerOptions options_of(std::size_t k) const {
    const bool last = k + 1 == form_.channels.size();
    return {.kernel = form_.kernels[k],
            .stride = form_.strides[k],
            .pad = form_.pads[k],
            .activation = last || !is_fused() ? Activation::none : Activation::leaky_relu,
            .weights = {Init::Rule::glorot_normal}};
  }
  // s at every pixel.
  [[nodiscard]] static Var spread(Var s, const Shape& maps) {
    const std::int64_t pixels = maps[2] * maps[3];
    const Var copies = repeat(s.reshape({s.shape()[0], s.shape()[1], 1}), 2, pixels);
    return copies.reshape({s.shape()[0], s.shape()[1], maps[2], maps[3]});
  }
  [[nodiscard]] Var normalised(const ParamSet& params, Var x, std::size_t k,
                               const Decoding& decoding) const {
    const std::string name = "statistics" + std::to_string(k);
    if (decoding.statistics == Decoding::Statistics::running)
      return norms_[k](params, x, state_input(x.graph(), name));
    const Var own = channel_statistics(x);
    x.graph().output(name, own);
    return norms_[k](params, x, own);
  }

  GeneratorForm form_;
  std::int64_t channels_;
  std::vector<HeadForm> heads_;
  std::vector<ConvTranspose2d> convolutions_;
  std::vector<BatchNorm> norms_;
};

}  // namespace

void fit_to_pictures(GeneratorForm& form, const Extents& extents) {
  if (extents.height * extents.width * extents.channels != extents.dims || extents.height < 2)
    fail(ErrorKind::usage, "--generator cnn", "needs images");
  if (form.channels.empty()) choose_channels(form, extents);
  const std::size_t layers = form.channels.size();
  fill(form.kernels, layers, usual_kernel, usual_kernel);
  fill(form.strides, layers, 1, 2);
  fill(form.pads, layers, 0, 1);
  check_list(form.channels, form, "--channels", 1);
  check_list(form.kernels, form, "--kernel", 1);
  check_list(form.strides, form, "--strides", 1);
  check_list(form.pads, form, "--pads", 0);
  const std::int64_t made = size_made(form);
  if (made == extents.height && made == extents.width && form.channels.back() == extents.channels)
    return;
  fail(ErrorKind::data, "--generator cnn",
       "makes " + picture_text(made, made, form.channels.back()) + ", but the data have " +
           picture_text(extents.height, extents.width, extents.channels));
}

std::unique_ptr<GeneratorBody> cnn_body(const BodyPlan& plan) {
  return std::make_unique<CnnBody>(plan);
}

}  // namespace logpx::kaem
