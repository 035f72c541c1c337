// Pictures as PNG bytes. The same picture gives the same bytes on every machine: the compressor is
// stb's own, whatever zlib the system has.
#pragma once

#include "formats/draw/picture.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace logpx::draw {

[[nodiscard]] std::vector<std::byte> png_bytes(const Picture& picture);

// The same file with a tEXt chunk (Latin-1; keyword at most 79 letters) put after the header.
[[nodiscard]] std::vector<std::byte> with_png_text(std::span<const std::byte> png,
                                                   std::string_view keyword, std::string_view text);
// Begins with the signature and ends with the IEND chunk: not cut short.
[[nodiscard]] bool is_whole_png(std::span<const std::byte> bytes);

}  // namespace logpx::draw
