#include "formats/archive/exceptions.hpp"

#include "formats/archive/records.hpp"
#include "libcore/base/error.hpp"

#include <algorithm>

namespace logpx::archive {
namespace {

constexpr std::size_t most_exceptions = max_meta_bytes / 11;  // a gap of ten bytes at worst

}  // namespace

void Exceptions::scan(ByteView bytes, std::string_view alphabet) {
  std::array<bool, 256> known{};
  for (const char c : alphabet) known[static_cast<unsigned char>(c)] = true;
  for (const std::byte byte : bytes) {
    if (!known[std::to_integer<std::size_t>(byte)] && list_.size() <= most_exceptions)
      list_.push_back({seen_, byte});
    ++seen_;
  }
}

bool Exceptions::few() const {
  return list_.size() <= most_exceptions && list_.size() * 100 <= seen_;
}

ByteVector Exceptions::serialise() const {
  WireWriter out;
  std::uint64_t last = 0;
  for (const Exception& exception : list_) {
    out.varint(exception.place - last).u8(std::to_integer<std::uint8_t>(exception.byte));
    last = exception.place;
  }
  return out.bytes();
}

Exceptions Exceptions::parse(ByteView meta) {
  Exceptions parsed;
  WireReader in(meta, "list of exceptions");
  std::uint64_t place = 0;
  while (!in.rest().empty()) {
    const std::uint64_t gap = in.varint();
    place += gap;
    if (gap >> 63 != 0 || (!parsed.list_.empty() && gap == 0))
      fail(ErrorKind::data, "list of exceptions", "has an impossible place");
    parsed.list_.push_back({place, static_cast<std::byte>(in.u8())});
  }
  return parsed;
}

template <typename Visit>
void Exceptions::each_within(std::size_t size, std::uint64_t first, const Visit& visit) const {
  auto at = std::ranges::lower_bound(list_, first, {}, &Exception::place);
  for (; at != list_.end() && at->place - first < size; ++at)
    visit(static_cast<std::size_t>(at->place - first), at->byte);
}

void Exceptions::restore(std::span<std::byte> bytes, std::uint64_t first) const {
  each_within(bytes.size(), first, [&](std::size_t i, std::byte byte) { bytes[i] = byte; });
}

void Exceptions::replace(std::span<std::byte> bytes, std::uint64_t first, char stand_in) const {
  each_within(bytes.size(), first,
              [&](std::size_t i, std::byte) { bytes[i] = static_cast<std::byte>(stand_in); });
}

}  // namespace logpx::archive
