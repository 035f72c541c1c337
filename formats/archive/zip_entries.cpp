#include "formats/archive/zip_entries.hpp"

#include <algorithm>

namespace logpx::archive {
namespace {

constexpr std::size_t most_entries = 1 << 16;
constexpr std::size_t entry_fixed = 30, directory_fixed = 46;
constexpr std::size_t sums_in_entry = 14, sums_in_directory = 16, place_in_directory = 42;
constexpr std::size_t sums = 12, place_bytes = 4;  // CRC-32 and both sizes; where the entry begins
constexpr std::byte behind{8};                     // flag: sums and sizes follow the stream

std::size_t short_number(ByteView bytes, std::size_t at) {
  return std::to_integer<std::size_t>(bytes[at]) | std::to_integer<std::size_t>(bytes[at + 1]) << 8;
}

std::string name_in(ByteView bytes, std::size_t at, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes.data()) + at, size};
}

}  // namespace

std::optional<std::size_t> ZipEntries::entry_header(ByteView bytes) {
  if (bytes.size() < entry_fixed) return std::nullopt;
  return entry_fixed + short_number(bytes, 26) + short_number(bytes, 28);
}

std::optional<std::size_t> ZipEntries::directory_header(ByteView bytes) {
  if (bytes.size() < directory_fixed) return std::nullopt;
  return directory_fixed + short_number(bytes, 28) + short_number(bytes, 30) +
         short_number(bytes, 32);
}

void ZipEntries::note(ByteView head, ByteView tail, std::uint64_t place) {
  const auto size = entry_header(head);
  if (!size || *size > head.size() || tail.size() < sums || entries_.size() == most_entries) return;
  const bool follow = (head[6] & behind) != std::byte{0};
  WireWriter known;
  known.raw(follow ? tail.last(sums) : head.subspan(sums_in_entry, sums));
  known.u32(static_cast<std::uint32_t>(place));
  entries_[name_in(head, entry_fixed, short_number(head, 26))] = known.bytes();
}

void ZipEntries::combine(std::span<std::byte> header) const {
  const auto found = entries_.find(name_in(header, directory_fixed, short_number(header, 28)));
  if (found == entries_.end()) return;
  const ByteVector& known = found->second;
  for (std::size_t i = 0; i < sums; ++i) header[sums_in_directory + i] ^= known[i];
  for (std::size_t i = 0; i < place_bytes; ++i) header[place_in_directory + i] ^= known[sums + i];
}

}  // namespace logpx::archive
