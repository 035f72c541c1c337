// Bytes of a text outside of a model's alphabet: the member's meta lists them, and other symbols
// are coded in their place.
#pragma once

#include "formats/archive/wire.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace logpx::archive {

class Exceptions {
 public:
  // Notes which of the next bytes of the text are not in `alphabet`.
  void scan(ByteView bytes, std::string_view alphabet);

  [[nodiscard]] std::uint64_t bytes() const { return seen_; }
  [[nodiscard]] std::size_t count() const { return list_.size(); }
  // Whether they are at most one symbol in a hundred, and few enough for the meta; otherwise the
  // file is not a text of this alphabet.
  [[nodiscard]] bool few() const;

  [[nodiscard]] ByteVector serialise() const;
  // A data error for bytes that serialise() cannot have made.
  [[nodiscard]] static Exceptions parse(ByteView meta);

  // Puts the bytes themselves back, or `stand_in` in their place; `first` is the place of bytes[0].
  void restore(std::span<std::byte> bytes, std::uint64_t first) const;
  void replace(std::span<std::byte> bytes, std::uint64_t first, char stand_in) const;

 private:
  struct Exception {
    std::uint64_t place;
    std::byte byte;
  };
  template <typename Visit>
  void each_within(std::size_t size, std::uint64_t first, const Visit& visit) const;
  std::vector<Exception> list_;
  std::uint64_t seen_ = 0;
};

}  // namespace logpx::archive
