#include "libcore/codec/adaptive/likely_samples.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <optional>

namespace logpx::codec::adaptive {
namespace {

constexpr std::size_t most_frames = 2048;
constexpr std::array<std::uint8_t, 2> widths = {2, 3};
constexpr std::array<std::uint8_t, 8> channel_counts = {1, 2, 3, 4, 6, 8, 12, 16};

// The samples of a part as numbers of 32 bits whose highest bits they are.
std::vector<std::uint32_t> numbers_in(std::span<const std::uint8_t> part, const SampleForm& form) {
  const std::size_t most = most_frames * form.channels;
  std::vector<std::uint32_t> numbers;
  for (std::size_t at = form.offset; at + form.bytes <= part.size() && numbers.size() < most;
       at += form.bytes) {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < form.bytes; ++i)
      number = number << 8 | part[at + (form.order == ByteOrder::big ? i : form.bytes - 1u - i)];
    numbers.push_back(number << (32 - 8 * form.bytes));
  }
  return numbers;
}

// Bits that a difference takes, in the mean: of first or of second differences, of which the
// smaller counts. They are taken around the end of the range, so that signs do not matter.
double bits_of_differences(std::span<const std::uint32_t> numbers, std::size_t channels, int bits) {
  std::size_t first = 0, second = 0;
  const auto size = [bits](std::uint32_t difference) {
    const auto whole = static_cast<std::int32_t>(difference) >> (32 - bits);
    return static_cast<std::size_t>(std::bit_width(static_cast<std::uint32_t>(std::abs(whole))));
  };
  for (std::size_t i = 2 * channels; i < numbers.size(); ++i) {
    const std::uint32_t now = numbers[i] - numbers[i - channels],
                        before = numbers[i - channels] - numbers[i - 2 * channels];
    first += size(now);
    second += size(now - before);
  }
  return static_cast<double>(std::min(first, second)) /
         static_cast<double>(numbers.size() - 2 * channels);
}

// Numbers go through 0 more often than from one end of their range to the other.
Sign sign_of(std::span<const std::uint32_t> numbers, std::size_t channels) {
  std::int64_t through_zero = 0, through_middle = 0;
  for (std::size_t i = channels; i < numbers.size(); ++i) {
    const std::uint32_t now = numbers[i], before = numbers[i - channels];
    if ((now ^ before) >> 31 == 0) continue;
    const bool steps_up = now > before;
    const std::uint32_t distance = steps_up ? now - before : before - now;
    ++(distance > 1u << 31 ? through_zero : through_middle);
  }
  return through_zero >= through_middle ? Sign::highest_bit : Sign::none;
}

struct Reading {
  SampleForm form;
  double bits;  // of a difference, for each byte of a sample
};

std::optional<Reading> reading_of(std::span<const std::uint8_t> part, SampleForm form) {
  const std::vector<std::uint32_t> numbers = numbers_in(part, form);
  if (numbers.size() < 64u * form.channels) return std::nullopt;
  const double bits = bits_of_differences(numbers, form.channels, 8 * form.bytes);
  form.sign = sign_of(numbers, form.channels);
  return Reading{form, bits / form.bytes};
}

}  // namespace

std::vector<SampleForm> likely_samples(std::span<const std::uint8_t> part, std::size_t begin,
                                       std::size_t most) {
  constexpr double most_bits = 6, clearly_better = 0.05, clearly_worse = 1.15;
  std::vector<Reading> readings;
  for (const std::uint8_t bytes : widths)
    for (const auto order : {ByteOrder::little, ByteOrder::big})
      for (std::uint32_t offset = 0; offset < bytes; ++offset)
        for (const std::uint8_t channels : channel_counts) {
          const auto reading = reading_of(
              part, {.channels = channels, .bytes = bytes, .order = order, .offset = offset});
          if (reading && reading->bits < most_bits) readings.push_back(*reading);
        }
  // Channels that are like each other show at multiples of their number, too.
  std::ranges::sort(readings, {}, [&](const Reading& r) {
    return r.bits + clearly_better * std::bit_width(r.form.channels);
  });
  std::vector<SampleForm> forms;
  for (const Reading& reading : readings) {
    if (forms.size() == most || reading.bits > clearly_worse * readings.front().bits) break;
    SampleForm form = reading.form;
    const std::size_t frame = form.frame();
    form.offset = static_cast<std::uint32_t>((begin + form.offset) % frame);
    forms.push_back(form);
  }
  return forms;
}

}  // namespace logpx::codec::adaptive
