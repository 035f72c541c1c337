// How often the file that the adaptive coder reads first may be read in an archive, so that a short
// one does not take for ever: once, and beyond that 1 MiB and 64 times the content so far. Both
// sides count every block as though it read it, so that nothing depends on what was chosen before.
#pragma once

#include "formats/archive/records.hpp"

#include <cstdint>

namespace logpx::archive {

class PrimeLimit {
 public:
  // `size` of that file. Before 2.6 nobody counted, so what encoders may have made is allowed.
  PrimeLimit(std::uint64_t size, std::uint16_t minor)
      : size_(size),
        free_(minor < 6 ? 20 * std::uint64_t{max_prime_bytes} : size + (1u << 20)),
        times_(minor < 6 ? 1024 : 64) {}

  // Whether the next block, which has so many bytes, may read it.
  [[nodiscard]] bool next(std::uint64_t bytes) {
    content_ += bytes;
    read_ += size_;
    return read_ <= free_ + times_ * content_;
  }

 private:
  std::uint64_t size_, free_, times_, read_ = 0, content_ = 0;
};

}  // namespace logpx::archive
