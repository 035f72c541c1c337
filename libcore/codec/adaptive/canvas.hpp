// A block with what lies around it.
#pragma once

#include "libcore/codec/adaptive/form.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace logpx::codec::adaptive {

// The data as contexts see them: zeros, what is read before the block, the block, and a margin at
// which contexts of narrow rows look. Only whole rows or planes are read before the block, so that
// it begins where a row does.
struct Canvas {
  Canvas(const Form& form, std::span<const std::uint8_t> before, std::size_t size)
      : zeros(std::size_t{4} * form.row + std::size_t{2} * form.plane + 16 +
              std::size_t{40} * form.samples.frame()),
        read(before.size() / unit_of(form) * unit_of(form)),
        bytes(zeros + read + size + behind) {
    std::ranges::copy(before.last(read), bytes.begin() + static_cast<std::ptrdiff_t>(zeros));
    // Samples that are 0, their signs turned over.
    if (form.kind == Kind::samples)
      for (std::size_t i = form.samples.bytes; i <= zeros; i += form.samples.bytes)
        bytes[zeros - i] = 0x80;
  }
  static std::size_t unit_of(const Form& form) { return std::max(form.unit(), form.plane); }
  // The bytes that are read before, and the block.
  [[nodiscard]] std::size_t size() const { return bytes.size() - zeros - behind; }
  [[nodiscard]] std::uint8_t* data() { return bytes.data() + zeros; }
  [[nodiscard]] std::uint8_t* block() { return data() + read; }

  static constexpr std::size_t behind = 16;
  std::size_t zeros, read;
  std::vector<std::uint8_t> bytes;
  Taught* taught = nullptr;  // where the caller keeps what the bytes before the block teach
};

}  // namespace logpx::codec::adaptive
