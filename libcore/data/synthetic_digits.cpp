// Generator 1, digits: strokes of one writing style, bent and placed at random.   [data/README 4.3]
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/data/strokes.hpp"

#include <algorithm>
#include <set>

namespace logpx {
namespace {

constexpr int full_side = 28;

class Digits final : public Generator {
 public:
  explicit Digits(const SyntheticOptions& options)
      : side_(static_cast<int>(*options.size)),
        noise_(*options.noise),
        elastic_(options.elastic),
        classes_(options.classes) {
    if (side_ != 28 && side_ != 14 && side_ != 8)
      refuse_option("size", std::to_string(side_), "28, 14 or 8");
    if (std::set(classes_.begin(), classes_.end()).size() != classes_.size())
      fail(ErrorKind::usage, "--classes", "names a digit twice");
    info_ = discrete_info(Content::image, {side_, side_, 1}, 256);
    info_.has_labels = true;
    info_.latent_dim = elastic_ ? 16 : 8;
    info_.intrinsic_dim = info_.latent_dim;
    for (const std::int64_t digit : classes_) {
      if (digit < 0 || digit > 9) refuse_option("classes", std::to_string(digit), "a digit");
      info_.label_names.push_back(std::to_string(digit));
    }
    if (noise_ > 0)
      info_.notes.emplace_back("noise_floor_bits_per_dim", to_text(noise_floor_bits(noise_)));
  }

  void make(ExampleDraws& draws, Example& example) const override {
    const std::uint32_t label = draws.below(static_cast<std::uint32_t>(classes_.size()));
    example.label = static_cast<std::int32_t>(label);
    DigitPose pose = DigitPose::drawn(draws);
    if (!elastic_) pose.elastic = {};
    const std::array<double, 16> latent = pose.values();
    std::transform(latent.begin(), latent.begin() + info_.latent_dim, example.latent.begin(),
                   [](double value) { return static_cast<float>(value); });

    const auto digit = static_cast<int>(classes_[label]);
    const std::vector<double> strokes =
        draw_strokes(digit_segments(digit, pose, full_side), pose.radius, full_side, full_side);
    std::vector<std::uint8_t> picture(strokes.size());
    std::transform(strokes.begin(), strokes.end(), picture.begin(),
                   [&](double cover) { return to_byte(255 * pose.ink * cover); });
    if (side_ != full_side) picture = area_average(picture, full_side, side_);
    std::copy(picture.begin(), picture.end(), example.bytes.begin());
    add_noise(example.bytes, noise_, draws);
  }

 private:
  int side_;
  double noise_;
  bool elastic_;
  std::vector<std::int64_t> classes_;
};

}  // namespace

std::unique_ptr<Generator> make_digits(const SyntheticOptions& options, std::uint32_t) {
  return std::make_unique<Digits>(options);
}

}  // namespace logpx
