// The coder for what no model codes: adaptive bits in small contexts, integers only.
// [codec/README 5.1]
//
//   push_fallback(message, bytes, {});                                       // the byte before
//   push_fallback(message, pixels, {.kind = FallbackKind::image, .height = 28, .width = 28});
//   std::vector<std::uint8_t> same = pop_fallback(message, pixels.size(), form);
#pragma once

#include "libcore/codec/rans.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace logpx::codec {

// bytes:  a byte in the context of the one before.
// image:  rasters [height, width, channels] one after another; the error of the median predictor
//         of JPEG-LS in the context of how rough the neighbourhood is.
// binary: rasters of 0 and 1; a pixel in the context of ten causal neighbours (JBIG's template).
enum class FallbackKind { bytes, image, binary };

struct FallbackForm {
  FallbackKind kind = FallbackKind::bytes;
  std::int64_t height = 0, width = 0, channels = 1;  // of a raster; rasters may end early
  std::int64_t rasters = 0;                          // 0: as many as there are data for
};

constexpr std::int64_t most_fallback_channels = 16;

// The form that fits items of this shape: rasters of one pixel row or many channels are bytes.
[[nodiscard]] FallbackForm fallback_form(std::int64_t height, std::int64_t width,
                                         std::int64_t channels, std::int64_t levels);

void push_fallback(Message& message, std::span<const std::uint8_t> data, const FallbackForm& form);
[[nodiscard]] std::vector<std::uint8_t> pop_fallback(Message& message, std::size_t size,
                                                     const FallbackForm& form);

// Rasters of several sizes one after another, of one kind and as many channels: what is learned
// from one serves the next.
void push_fallback_forms(Message& message, std::span<const std::uint8_t> data,
                         std::span<const FallbackForm> forms);
[[nodiscard]] std::vector<std::uint8_t> pop_fallback_forms(Message& message, std::size_t size,
                                                           std::span<const FallbackForm> forms);

}  // namespace logpx::codec
