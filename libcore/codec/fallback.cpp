#include "libcore/codec/fallback.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <cstdlib>

namespace logpx::codec {
namespace {

constexpr int bit_precision = 16;

// Two estimates of the chance of a one, a quick and a slow one.
struct AdaptiveBit {
  std::uint16_t quick = 32768, slow = 32768;

  [[nodiscard]] std::uint32_t ones() const {
    return std::clamp((std::uint32_t{quick} + slow) >> 1, 32u, 65504u);
  }
  void learn(unsigned bit) {
    quick = moved(quick, bit, 4);
    slow = moved(slow, bit, 7);
  }

 private:
  static std::uint16_t moved(std::uint16_t c, unsigned bit, int rate) {
    const int step = bit ? (65535 - c) >> rate : -(c >> rate);
    return static_cast<std::uint16_t>(c + step);
  }
};

Slot slot_of_bit(std::uint32_t ones, unsigned bit) {
  const std::uint32_t zeros = (1u << bit_precision) - ones;
  return bit ? Slot{zeros, ones} : Slot{0, zeros};
}

// The encoder's way to code a bit: note it, and push all of them backwards at the end.
class BitWriter {
 public:
  explicit BitWriter(std::size_t most_bits) { noted_.reserve(most_bits); }
  ~BitWriter() {
    noted_.clear();
    if (noted_.capacity() > most_kept) noted_.shrink_to_fit();
  }
  BitWriter(const BitWriter&) = delete;
  BitWriter& operator=(const BitWriter&) = delete;
  unsigned code(AdaptiveBit& chance, unsigned bit) {
    noted_.push_back(2 * chance.ones() + bit);
    chance.learn(bit);
    return bit;
  }
  void push_all(Message& message) const {
    const auto lanes = static_cast<std::size_t>(message.lanes());
    for (std::size_t i = noted_.size(); i-- > 0;)
      message.push(slot_of_bit(noted_[i] / 2, noted_[i] % 2), bit_precision,
                   static_cast<int>(i & (lanes - 1)));
  }

 private:
  // A thread keeps the memory of a usual block for its next one: the system takes a quarter of the
  // coding time to give it out anew.
  static constexpr std::size_t most_kept = std::size_t{8} << 20;
  static std::vector<std::uint32_t>& of_this_thread() {
    static thread_local std::vector<std::uint32_t> noted;
    return noted;
  }
  std::vector<std::uint32_t>& noted_ = of_this_thread();  // 2 * chance of a one + bit
};

// The decoder's way to code a bit: it ignores the one that it is given.
class BitReader {
 public:
  explicit BitReader(Message& message) : message_(message) {}
  unsigned code(AdaptiveBit& chance, unsigned) {
    const std::uint32_t ones = chance.ones();
    const unsigned bit = message_.peek(bit_precision, lane_) >= (1u << bit_precision) - ones;
    message_.pop(slot_of_bit(ones, bit), bit_precision, lane_);
    lane_ = lane_ + 1 == message_.lanes() ? 0 : lane_ + 1;
    chance.learn(bit);
    return bit;
  }

 private:
  Message& message_;
  int lane_ = 0;
};

// Eight bits, the highest first, through nodes 1..255 of the context's tree.
template <typename Bits>
std::uint8_t code_byte(Bits& bits, AdaptiveBit* tree, std::uint8_t value) {
  unsigned node = 1;
  for (int shift = 7; shift >= 0; --shift)
    node = 2 * node + bits.code(tree[node], (value >> shift) & 1u);
  return static_cast<std::uint8_t>(node);
}

template <typename Bits>
void code_bytes(Bits& bits, std::span<std::uint8_t> data) {
  std::vector<AdaptiveBit> trees(256 * 256);
  std::uint8_t before = 0;
  for (std::uint8_t& byte : data) before = byte = code_byte(bits, &trees[before * 256u], byte);
}

// Where a sample lies in its raster, and what is known around it. Left of the raster counts as the
// sample above, above it as 0.
class Neighbours {
 public:
  Neighbours(const FallbackForm& form, std::span<const std::uint8_t> data)
      : width_(form.width), channels_(form.channels), row_(width_ * channels_), data_(data) {}

  void seek(std::int64_t sample, std::int64_t in_raster) {
    sample_ = sample;
    x_ = in_raster % row_ / channels_;
    y_ = in_raster / row_;
  }
  // dy <= 0; 0 outside the raster.
  [[nodiscard]] int at(std::int64_t dy, std::int64_t dx) const {
    if (y_ + dy < 0 || x_ + dx < 0 || x_ + dx >= width_) return 0;
    return data_[static_cast<std::size_t>(sample_ + dy * row_ + dx * channels_)];
  }
  [[nodiscard]] bool leftmost() const { return x_ == 0; }

 private:
  std::int64_t width_, channels_, row_, sample_ = 0, x_ = 0, y_ = 0;
  std::span<const std::uint8_t> data_;
};

unsigned level_of(int v) { return v < 3 ? 0 : v < 16 ? 1 : 2; }

struct Prediction {
  int value;
  int roughness;
};
Prediction median_of(const Neighbours& near) {
  const int north = near.at(-1, 0);
  const int west = near.leftmost() ? north : near.at(0, -1);
  const int corner = near.leftmost() ? north : near.at(-1, -1);
  const int smaller = std::min(west, north), larger = std::max(west, north);
  const int value = std::clamp(north + west - corner, smaller, larger);
  return {value, std::abs(north - corner) + std::abs(west - corner)};
}

using Chances = std::vector<AdaptiveBit>;

Chances image_chances(std::int64_t channels) {
  return Chances(static_cast<std::size_t>(channels) * 9 * 256);
}
template <typename Bits>
void code_image(Bits& bits, Chances& trees, std::span<std::uint8_t> data,
                const FallbackForm& form) {
  const std::int64_t raster = form.height * form.width * form.channels;
  std::vector<int> errors(static_cast<std::size_t>(form.channels));
  Neighbours near(form, data);
  for (std::size_t i = 0; i < data.size(); ++i) {
    const auto in_raster = static_cast<std::int64_t>(i) % raster;
    const auto channel = static_cast<std::size_t>(in_raster % form.channels);
    if (in_raster < form.channels) errors[channel] = 0;
    near.seek(static_cast<std::int64_t>(i), in_raster);
    const Prediction guess = median_of(near);
    const std::size_t context =
        channel * 9 + 3 * level_of(guess.roughness) + level_of(std::abs(errors[channel]));
    const auto residual =
        code_byte(bits, &trees[context * 256], static_cast<std::uint8_t>(data[i] - guess.value));
    data[i] = static_cast<std::uint8_t>(residual + guess.value);
    errors[channel] = static_cast<std::int8_t>(residual);
  }
}

Chances binary_chances(std::int64_t channels) {
  return Chances(static_cast<std::size_t>(channels) << 10);
}
template <typename Bits>
void code_binary(Bits& bits, Chances& chances, std::span<std::uint8_t> data,
                 const FallbackForm& form) {
  struct Place {
    int dy, dx;
  };
  static constexpr Place nearby[] = {{-2, -1}, {-2, 0}, {-2, 1}, {-1, -2}, {-1, -1},
                                     {-1, 0},  {-1, 1}, {-1, 2}, {0, -2},  {0, -1}};
  const std::int64_t raster = form.height * form.width * form.channels;
  Neighbours near(form, data);
  for (std::size_t i = 0; i < data.size(); ++i) {
    const auto in_raster = static_cast<std::int64_t>(i) % raster;
    near.seek(static_cast<std::int64_t>(i), in_raster);
    auto context = static_cast<std::size_t>(in_raster % form.channels);
    for (const Place& p : nearby)
      context = 2 * context + static_cast<unsigned>(near.at(p.dy, p.dx));
    data[i] = static_cast<std::uint8_t>(bits.code(chances[context], data[i]));
  }
}

// Both directions: an encoder finds the data there and leaves it as it is, a decoder fills it in.
template <typename Bits>
void code(Bits& bits, std::span<std::uint8_t> data, std::span<const FallbackForm> forms) {
  if (forms.front().kind == FallbackKind::bytes) return code_bytes(bits, data);
  const FallbackForm& first = forms.front();
  LOGPX_ASSERT(first.channels > 0 && first.channels <= most_fallback_channels);
  const bool binary = first.kind == FallbackKind::binary;
  Chances chances = (binary ? binary_chances : image_chances)(first.channels);
  for (const FallbackForm& form : forms) {
    LOGPX_ASSERT(form.height > 0 && form.width > 0 && form.rasters >= 0 &&
                 form.kind == first.kind && form.channels == first.channels);
    const auto raster = static_cast<std::size_t>(form.height * form.width * form.channels);
    const std::size_t count =
        form.rasters == 0 ? data.size()
                          : std::min(data.size(), static_cast<std::size_t>(form.rasters) * raster);
    (binary ? code_binary<Bits> : code_image<Bits>)(bits, chances, data.first(count), form);
    data = data.subspan(count);
  }
  LOGPX_ASSERT(data.empty());
}

}  // namespace

FallbackForm fallback_form(std::int64_t height, std::int64_t width, std::int64_t channels,
                           std::int64_t levels) {
  const bool raster = height > 1 && width > 1 && channels <= most_fallback_channels;
  if (!raster) return {};
  return {.kind = levels == 2 ? FallbackKind::binary : FallbackKind::image,
          .height = height,
          .width = width,
          .channels = channels};
}

void push_fallback_forms(Message& message, std::span<const std::uint8_t> data,
                         std::span<const FallbackForm> forms) {
  const bool binary = forms.front().kind == FallbackKind::binary;
  if (binary && std::any_of(data.begin(), data.end(), [](std::uint8_t v) { return v > 1; }))
    fail(ErrorKind::data, "", "a binary raster holds a value above 1");
  std::vector<std::uint8_t> copy(data.begin(), data.end());
  BitWriter writer(binary ? data.size() : 8 * data.size());
  code(writer, std::span(copy), forms);
  writer.push_all(message);
}

std::vector<std::uint8_t> pop_fallback_forms(Message& message, std::size_t size,
                                             std::span<const FallbackForm> forms) {
  std::vector<std::uint8_t> data(size);
  BitReader reader(message);
  code(reader, std::span(data), forms);
  return data;
}

void push_fallback(Message& message, std::span<const std::uint8_t> data, const FallbackForm& form) {
  push_fallback_forms(message, data, std::span(&form, 1));
}

std::vector<std::uint8_t> pop_fallback(Message& message, std::size_t size,
                                       const FallbackForm& form) {
  return pop_fallback_forms(message, size, std::span(&form, 1));
}

}  // namespace logpx::codec
