// What the directory at the end of a zip file says of its entries stands before each of them
// already: sums, sizes and places.
#pragma once

#include "formats/archive/wire.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

namespace logpx::archive {

class ZipEntries {
 public:
  // An entry, from its header to its end, and where it begins.
  void note(ByteView head, ByteView tail, std::uint64_t place);
  // Combines what a header of the directory says with what is known of its entry, bit by bit: where
  // both agree, zeros are left. Doing it twice changes nothing.
  void combine(std::span<std::byte> header) const;
  [[nodiscard]] bool empty() const { return entries_.empty(); }

  static constexpr std::size_t tail_bytes = 12;  // of an entry, that hold sums and sizes behind it
  // How long such a header is; nothing if there are too few bytes to say.
  [[nodiscard]] static std::optional<std::size_t> entry_header(ByteView bytes);
  [[nodiscard]] static std::optional<std::size_t> directory_header(ByteView bytes);

 private:
  std::map<std::string, ByteVector> entries_;  // by name: sum, sizes and place as they are written
};

}  // namespace logpx::archive
