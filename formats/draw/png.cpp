#include "formats/draw/png.hpp"

#include "libcore/base/error.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace logpx::draw {

namespace {

constexpr std::array<unsigned char, 8> signature = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
constexpr std::size_t header_size = 8 + 4 + 4 + 13 + 4;  // signature and the IHDR chunk
constexpr std::array<unsigned char, 12> end_chunk = {0,   0,   0,    0,    'I',  'E',
                                                     'N', 'D', 0xae, 0x42, 0x60, 0x82};

void append(void* context, void* data, int size) {
  auto& bytes = *static_cast<std::vector<std::byte>*>(context);
  const auto* first = static_cast<const std::byte*>(data);
  bytes.insert(bytes.end(), first, first + size);
}

void append_u32(std::vector<std::byte>& bytes, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes.push_back(static_cast<std::byte>(value >> shift));
}

bool same(std::span<const std::byte> bytes, std::span<const unsigned char> expected) {
  return std::ranges::equal(bytes, std::as_bytes(expected));
}

}  // namespace

std::vector<std::byte> png_bytes(const Picture& picture) {
  std::vector<std::byte> bytes;
  const int stride = picture.width() * picture.channels();
  const int written = stbi_write_png_to_func(append, &bytes, picture.width(), picture.height(),
                                             picture.channels(), picture.pixels().data(), stride);
  if (written == 0) fail(ErrorKind::io, "picture", "not enough memory to compress it");
  return bytes;
}

std::vector<std::byte> with_png_text(std::span<const std::byte> png, std::string_view keyword,
                                     std::string_view text) {
  LOGPX_ASSERT(is_whole_png(png) && !keyword.empty() && keyword.size() < 80);
  std::vector<std::byte> result(png.begin(), png.begin() + header_size);
  append_u32(result, static_cast<std::uint32_t>(keyword.size() + 1 + text.size()));
  const std::size_t checked_from = result.size();
  for (const std::string_view part :
       {std::string_view("tEXt"), keyword, std::string_view("\0", 1), text})
    for (const char letter : part) result.push_back(static_cast<std::byte>(letter));
  const auto* checked = reinterpret_cast<const Bytef*>(result.data() + checked_from);
  append_u32(result, static_cast<std::uint32_t>(crc32_z(0, checked, result.size() - checked_from)));
  result.insert(result.end(), png.begin() + header_size, png.end());
  return result;
}

bool is_whole_png(std::span<const std::byte> bytes) {
  return bytes.size() >= header_size + end_chunk.size() &&
         same(bytes.first(signature.size()), signature) &&
         same(bytes.last(end_chunk.size()), end_chunk);
}

}  // namespace logpx::draw
