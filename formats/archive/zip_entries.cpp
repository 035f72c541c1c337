#include "formats/archive/zip_entries.hpp"

#include "libcore/base/error.hpp"

namespace logpx::archive {
namespace {

constexpr std::size_t most_entries = 1 << 16;
constexpr std::size_t entry_fixed = 30, directory_fixed = 46;
constexpr std::size_t sums_in_entry = 14, sums_in_directory = 16, place_in_directory = 42;
constexpr std::size_t sums = 12, place_bytes = 4;  // CRC-32 and both sizes; where the entry begins
constexpr std::byte sums_follow{8};                // flag: they stand behind the stream
constexpr std::size_t behind_stream = 16, check_size = 8;

std::size_t short_number(ByteView bytes, std::size_t at) {
  return std::to_integer<std::size_t>(bytes[at]) | std::to_integer<std::size_t>(bytes[at + 1]) << 8;
}

std::string name_in(ByteView bytes, std::size_t at, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes.data()) + at, size};
}

}  // namespace

std::size_t bytes_behind(ByteView entry_header) {
  return (entry_header[6] & sums_follow) != std::byte{0} ? behind_stream : 0;
}

void combine_sums(std::span<std::byte> header, std::span<std::byte> behind, ByteView check,
                  std::size_t stream_bytes) {
  const ByteVector known = WireWriter()
                               .raw(check.first(4))
                               .u32(static_cast<std::uint32_t>(stream_bytes))
                               .raw(check.last(4))
                               .bytes();
  const std::span<std::byte> to =
      behind.empty() ? header.subspan(sums_in_entry, sums) : behind.last(sums);
  for (std::size_t i = 0; i < sums; ++i) to[i] ^= known[i];
}

ByteVector entry_of(ByteVector combined) {
  const auto header = ZipEntries::entry_header(combined);
  const std::size_t behind = header ? bytes_behind(combined) : 0;
  if (!header || combined.size() < *header + check_size + behind)
    fail(ErrorKind::data, "recipe", "has an entry of a zip file that is none");
  const std::span<std::byte> all = combined, last = all.last(behind);
  const std::size_t stream = all.size() - *header - check_size - behind;
  const auto check = combined.begin() + static_cast<std::ptrdiff_t>(*header + stream);
  combine_sums(all.first(*header), last, all.subspan(*header + stream, check_size), stream);
  combined.erase(check, check + check_size);
  return combined;
}

std::optional<std::size_t> ZipEntries::entry_header(ByteView bytes) {
  if (bytes.size() < entry_fixed) return std::nullopt;
  return entry_fixed + short_number(bytes, 26) + short_number(bytes, 28);
}

std::optional<std::size_t> ZipEntries::directory_header(ByteView bytes) {
  if (bytes.size() < directory_fixed) return std::nullopt;
  return directory_fixed + short_number(bytes, 28) + short_number(bytes, 30) +
         short_number(bytes, 32);
}

void ZipEntries::note(ByteView entry, std::uint64_t place) {
  const auto size = entry_header(entry);
  if (!size || *size + sums > entry.size() || entries_.size() == most_entries) return;
  WireWriter known;
  known.raw(bytes_behind(entry) > 0 ? entry.last(sums) : entry.subspan(sums_in_entry, sums));
  known.u32(static_cast<std::uint32_t>(place));
  entries_[name_in(entry, entry_fixed, short_number(entry, 26))] = known.bytes();
}

void ZipEntries::combine(std::span<std::byte> header) const {
  const auto found = entries_.find(name_in(header, directory_fixed, short_number(header, 28)));
  if (found == entries_.end()) return;
  const ByteVector& known = found->second;
  for (std::size_t i = 0; i < sums; ++i) header[sums_in_directory + i] ^= known[i];
  for (std::size_t i = 0; i < place_bytes; ++i) header[place_in_directory + i] ^= known[sums + i];
}

}  // namespace logpx::archive
