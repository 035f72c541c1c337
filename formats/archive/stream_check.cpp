#include "formats/archive/stream_check.hpp"

#include <zlib.h>

#include <algorithm>

namespace logpx::archive {

void StreamCheck::add(ByteView content) {
  size_ += content.size();
  if (layer_ == Layer::gzip) crc_ = crc32_of(content, crc_);
  if (layer_ == Layer::zlib)
    adler_ = static_cast<std::uint32_t>(
        adler32_z(adler_, reinterpret_cast<const Bytef*>(content.data()), content.size()));
}

ByteVector StreamCheck::bytes() const {
  if (layer_ == Layer::gzip)
    return WireWriter().u32(crc_).u32(static_cast<std::uint32_t>(size_)).bytes();
  ByteVector bytes;
  if (layer_ == Layer::zlib) {
    bytes = WireWriter().u32(adler_).bytes();
    std::ranges::reverse(bytes);
  }
  return bytes;
}

}  // namespace logpx::archive
