#include "formats/archive/record_source.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>

namespace logpx::archive {
namespace {

constexpr std::uint64_t read_step = 1 << 20;

}  // namespace

void damaged(const std::string& place, const std::string& reason, const std::string& hint) {
  fail(ErrorKind::data, place, reason, hint);
}

std::size_t RecordSource::fill(std::span<std::byte> out) {
  const std::size_t count = supply_(out);
  offset_ += count;
  return count;
}

ByteVector RecordSource::take(std::uint64_t size, const std::string& what) {
  ByteVector bytes;
  while (bytes.size() < size) {
    const std::size_t before = bytes.size();
    bytes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(size, before + read_step)));
    const std::size_t wanted = bytes.size() - before;
    if (fill(std::span(bytes).subspan(before)) < wanted)
      damaged(what, "is cut short", "the archive is incomplete");
  }
  return bytes;
}

std::uint32_t RecordSource::pass(std::uint64_t size, const std::string& what,
                                 std::uint32_t before) {
  for (std::uint64_t left = size; left > 0;) {
    const ByteVector bytes = take(std::min(left, read_step), what);
    before = crc32_of(bytes, before);
    left -= bytes.size();
  }
  return before;
}

}  // namespace logpx::archive
