#include "libcore/codec/adaptive/sample_order.hpp"

#include <algorithm>

namespace logpx::codec::adaptive {
namespace {

template <typename Change>
void each_sample(std::span<std::uint8_t> block, const SampleForm& form, const Change& change) {
  for (std::size_t at = form.offset; at + form.bytes <= block.size(); at += form.bytes)
    change(block.subspan(at, form.bytes));
}

void turn_sign(std::span<std::uint8_t> sample, const SampleForm& form) {
  if (form.sign == Sign::highest_bit) sample.front() ^= 0x80;
}

void turn_bytes(std::span<std::uint8_t> sample, const SampleForm& form) {
  if (form.order == ByteOrder::little) std::ranges::reverse(sample);
}

}  // namespace

void order_samples(std::span<std::uint8_t> block, const SampleForm& form) {
  each_sample(block, form, [&](std::span<std::uint8_t> sample) {
    turn_bytes(sample, form);
    turn_sign(sample, form);
  });
}

void restore_samples(std::span<std::uint8_t> block, const SampleForm& form) {
  each_sample(block, form, [&](std::span<std::uint8_t> sample) {
    turn_sign(sample, form);
    turn_bytes(sample, form);
  });
}

SampleForm samples_from(std::size_t begin, const SampleForm& form) {
  SampleForm left = form;
  const std::size_t frame = form.frame();
  left.offset = static_cast<std::uint32_t>(
      begin <= form.offset ? form.offset - begin : (frame - (begin - form.offset) % frame) % frame);
  return left;
}

}  // namespace logpx::codec::adaptive
