// The one file with the implementation of stb_image.
#include "formats/import/raster.hpp"
#include "libcore/base/error.hpp"

#include <memory>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_ONLY_BMP
#define STBI_NO_STDIO
#define STBI_MAX_DIMENSIONS 32768
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

namespace logpx {
namespace {

struct FreePixels {
  void operator()(void* pixels) const { stbi_image_free(pixels); }
};

[[noreturn]] void fail_decoding(const std::string& name) {
  const char* reason = stbi_failure_reason();
  fail(ErrorKind::data, name,
       std::string("picture is damaged (") + (reason == nullptr ? "?" : reason) + ")",
       "--skip-bad");
}

}  // namespace

Rectangle size_by_stb(std::span<const std::byte> bytes, const std::string& name) {
  if (bytes.size() > std::size_t{1} << 30) fail(ErrorKind::data, name, "has more than 1 GiB");
  int width = 0, height = 0, channels = 0;
  if (stbi_info_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()),
                            static_cast<int>(bytes.size()), &width, &height, &channels) == 0)
    fail_decoding(name);
  return {0, 0, width, height};
}

Raster decode_by_stb(std::span<const std::byte> bytes, Depth depth, const std::string& name) {
  check_jpeg_tables(bytes, name);
  const Rectangle declared = size_by_stb(bytes, name);
  check_picture_size(declared.width, declared.height, name);
  const auto* const data = reinterpret_cast<const stbi_uc*>(bytes.data());
  const int size = static_cast<int>(bytes.size());
  int width = 0, height = 0, channels = 0;
  const bool deep = stbi_is_16_bit_from_memory(data, size) != 0;
  if (deep && depth == Depth::refuse_16) fail_16_bit(name);

  Raster picture;
  if (deep) {
    const std::unique_ptr<stbi_us, FreePixels> wide(
        stbi_load_16_from_memory(data, size, &width, &height, &channels, 0));
    if (!wide) fail_decoding(name);
    const std::size_t count = std::size_t(width) * std::size_t(height) * std::size_t(channels);
    for (std::size_t i = 0; i < count; ++i)
      picture.pixels.push_back(static_cast<std::uint8_t>(wide.get()[i] >> 8));
  } else {
    const std::unique_ptr<stbi_uc, FreePixels> narrow(
        stbi_load_from_memory(data, size, &width, &height, &channels, 0));
    if (!narrow) fail_decoding(name);
    picture.pixels.assign(narrow.get(), narrow.get() + std::size_t(width) * std::size_t(height) *
                                                           std::size_t(channels));
  }
  picture.width = width;
  picture.height = height;
  picture.channels = channels;
  picture.deep = deep;
  return picture;
}

}  // namespace logpx
