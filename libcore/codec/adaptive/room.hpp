// Zeroed memory that a block's tables live in, in large pages where the system has them: what a
// model looks up lies anywhere in it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace logpx::codec::adaptive {

class Room {
 public:
  explicit Room(std::size_t bytes);
  ~Room();
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;

  [[nodiscard]] std::uint8_t* data() const { return data_; }

 private:
  std::uint8_t* data_;
};

}  // namespace logpx::codec::adaptive
