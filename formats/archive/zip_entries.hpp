// What a zip file says twice, or what follows from what an entry holds: sums, sizes and places.
#pragma once

#include "formats/archive/wire.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

namespace logpx::archive {

// Sum and sizes stand in an entry's header, or in 16 bytes behind its stream if the header says so.
// `check` is what follows a stream of gzip. Doing it twice changes nothing, and what agrees leaves
// zeros.
void combine_sums(std::span<std::byte> header, std::span<std::byte> behind, ByteView check,
                  std::size_t stream_bytes);
[[nodiscard]] std::size_t bytes_behind(ByteView entry_header);
// An entry of a header, a stream of gzip and what is behind it, combined; a data error for others.
[[nodiscard]] ByteVector entry_of(ByteVector combined);

class ZipEntries {
 public:
  static constexpr std::size_t most_entry = 32u << 20;  // bytes of one that is folded
  // An entry, from its header to its end, and where it begins.
  void note(ByteView entry, std::uint64_t place);
  // Combines what a header of the directory says with what is known of its entry, bit by bit: where
  // both agree, zeros are left. Doing it twice changes nothing.
  void combine(std::span<std::byte> header) const;
  [[nodiscard]] bool empty() const { return entries_.empty(); }

  // How long such a header is; nothing if there are too few bytes to say.
  [[nodiscard]] static std::optional<std::size_t> entry_header(ByteView bytes);
  [[nodiscard]] static std::optional<std::size_t> directory_header(ByteView bytes);

 private:
  std::map<std::string, ByteVector> entries_;  // by name: sum, sizes and place as they are written
};

}  // namespace logpx::archive
