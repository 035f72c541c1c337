#include "libcore/families/vdm/training/augmentation.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"

#include <algorithm>

namespace logpx::vdm {
namespace {

constexpr std::uint64_t blocks_of_a_row = 4096;  // words for any number of channels

}  // namespace

Augmentation::Augmentation(const std::vector<std::string>& words, const Extents& extents,
                           bool is_picture)
    : extents_(extents) {
  for (const std::string& word : words) {
    if (word == "flip") flips_ = true;
    else if (word == "rot90") turns_ = true;
    else if (word == "channels") mixes_ = true;
    else fail(ErrorKind::usage, "--augment", "'" + word + "' is not one of flip, rot90, channels");
  }
  if (any() && !is_picture) fail(ErrorKind::usage, "--augment", "needs pictures");
  if (turns_ && extents.height != extents.width)
    fail(ErrorKind::usage, "--augment rot90", "needs pictures as wide as they are high");
  if (mixes_ && extents.channels == 1)
    fail(ErrorKind::usage, "--augment channels", "needs pictures of several channels");
}

bool Augmentation::change(const Substream& words, std::int64_t place, std::span<float> x) const {
  Cursor draws(words, static_cast<std::uint64_t>(place) * blocks_of_a_row);
  const bool flips = draws.uniform() < 0.5 && flips_, turns = draws.uniform() < 0.5 && turns_,
             mixes = draws.uniform() < 0.5 && mixes_;
  const std::uint32_t quarters = 1 + draws.below(3);
  if (flips) flip(x);
  for (std::uint32_t i = 0; turns && i < quarters; ++i) turn(x);
  if (mixes) mix(draws, x);
  return flips || turns || mixes;
}

void Augmentation::flip(std::span<float> x) const {
  const std::size_t width = at(extents_.width);
  for (std::size_t row = 0; row < x.size(); row += width)
    std::ranges::reverse(x.subspan(row, width));
}

void Augmentation::turn(std::span<float> x) const {
  const std::size_t side = at(extents_.width), pixels = side * side;
  std::vector<float> before(pixels);
  for (std::size_t channel = 0; channel < x.size(); channel += pixels) {
    std::ranges::copy(x.subspan(channel, pixels), before.begin());
    for (std::size_t i = 0; i < side; ++i)
      for (std::size_t j = 0; j < side; ++j)
        x[channel + i * side + j] = before[j * side + (side - 1 - i)];
  }
}

void Augmentation::mix(Cursor& words, std::span<float> x) const {
  const std::size_t pixels = at(extents_.height * extents_.width);
  for (std::size_t i = at(extents_.channels); i-- > 1;) {
    const std::size_t j = words.below(static_cast<std::uint32_t>(i + 1));
    if (j != i)
      std::swap_ranges(x.begin() + static_cast<std::ptrdiff_t>(i * pixels),
                       x.begin() + static_cast<std::ptrdiff_t>((i + 1) * pixels),
                       x.begin() + static_cast<std::ptrdiff_t>(j * pixels));
  }
}

}  // namespace logpx::vdm
