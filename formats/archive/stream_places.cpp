#include "formats/archive/stream_places.hpp"

#include "formats/archive/zip_entries.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace logpx::archive {
namespace {

constexpr std::size_t longest_header = 1 << 16;
constexpr std::string_view png_signature("\x89PNG\r\n\x1a\n", 8);

std::size_t number(ByteView bytes, std::size_t at, std::size_t size) {
  std::size_t value = 0;
  for (std::size_t i = size; i-- > 0;)
    value = value << 8 | std::to_integer<std::size_t>(bytes[at + i]);
  return value;
}

constexpr StreamPlace nothing{};
StreamPlace incomplete(ByteView bytes) {
  return bytes.size() > longest_header ? nothing : StreamPlace{.kind = PlaceKind::more, .at = 0};
}

// The length of gzip's header; nothing if it is not complete.
std::optional<std::size_t> gzip_header(ByteView bytes) {
  if (bytes.size() < 10) return std::nullopt;
  const std::size_t flags = number(bytes, 3, 1);
  std::size_t at = 10;
  if ((flags & 4) != 0) {
    if (bytes.size() < at + 2) return std::nullopt;
    at += 2 + number(bytes, at, 2);
  }
  for (const std::size_t text : {8, 16}) {  // name, comment: each ends with a zero
    if ((flags & text) == 0) continue;
    while (at < bytes.size() && bytes[at] != std::byte{0}) ++at;
    ++at;
  }
  if ((flags & 2) != 0) at += 2;
  return at < bytes.size() ? std::optional(at) : std::nullopt;
}

StreamPlace after_gzip(ByteView bytes) {
  if (bytes.size() > 3 && (bytes[2] != std::byte{8} || number(bytes, 3, 1) > 31)) return nothing;
  const auto size = gzip_header(bytes);
  if (!size) return incomplete(bytes);
  return {PlaceKind::stream, *size, Layer::gzip};
}

StreamPlace after_zip(ByteView bytes) {
  const auto size = ZipEntries::entry_header(bytes);
  if (!size) return incomplete(bytes);
  if (number(bytes, 8, 2) != 8) return nothing;  // another method
  if (*size >= bytes.size()) return incomplete(bytes);
  return {PlaceKind::stream, *size, Layer::deflate, *size};
}

bool begins_with(ByteView bytes, std::string_view text) {
  const std::size_t size = std::min(bytes.size(), text.size());
  return std::ranges::equal(bytes.first(size), bytes_of(text).first(size));
}

// A window of at most 32 KiB, no dictionary, and a header that is a multiple of 31.
bool is_zlib(ByteView bytes) {
  const std::size_t method = number(bytes, 0, 1), flags = number(bytes, 1, 1);
  return (method & 15) == 8 && method < 128 && (flags & 32) == 0 &&
         (256 * method + flags) % 31 == 0;
}

// At the beginning of `bytes`, of which there are two or more.
StreamPlace place_here(ByteView bytes) {
  switch (std::to_integer<int>(bytes[0])) {
    case 0x1f: return bytes[1] == std::byte{0x8b} ? after_gzip(bytes) : nothing;
    case 'P':
      if (bytes.size() >= 4 && begins_with(bytes, "PK\1\2")) return {PlaceKind::directory, 0};
      return begins_with(bytes, "PK\3\4") ? after_zip(bytes) : nothing;
    case 0x89:
      if (!begins_with(bytes, png_signature)) return nothing;
      return bytes.size() < png_signature.size() ? incomplete(bytes)
                                                 : StreamPlace{PlaceKind::picture, 0, Layer::zlib};
    default:
      if (!is_zlib(bytes)) return nothing;
      return bytes.size() == 2 ? incomplete(bytes) : StreamPlace{PlaceKind::stream, 2, Layer::zlib};
  }
}

// Bytes that any of these headers begins with.
constexpr auto beginnings = [] {
  std::array<bool, 256> begins{};
  for (const int byte : {0x1f, 0x50, 0x89}) begins[static_cast<std::size_t>(byte)] = true;
  for (std::size_t window = 0; window < 8; ++window) begins[16 * window + 8] = true;
  return begins;
}();

}  // namespace

StreamPlace find_stream(ByteView bytes, std::size_t from) {
  for (std::size_t at = from; at < bytes.size(); ++at) {
    if (!beginnings[std::to_integer<std::size_t>(bytes[at])]) continue;
    if (at + 1 == bytes.size()) return {PlaceKind::more, at};
    StreamPlace place = place_here(bytes.subspan(at));
    place.at += at;
    if (place.kind != PlaceKind::none) return place;
  }
  return {PlaceKind::none, bytes.size()};
}

}  // namespace logpx::archive
