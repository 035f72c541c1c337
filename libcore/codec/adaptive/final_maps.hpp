// The mean of a chance and of what three maps make of it: by the bits of this byte and the repeat
// that foretells the next one, and by two contexts of the kind of data.
#pragma once

#include "libcore/codec/adaptive/final_map.hpp"
#include "libcore/codec/adaptive/past.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace logpx::codec::adaptive {

class FinalMaps {
 public:
  // `rows` for each context, a power of two.
  explicit FinalMaps(std::size_t rows)
      : by_node_(4 * 256),
        by_narrow_(rows),
        by_wide_(rows),
        row_mask_(static_cast<std::uint32_t>(rows - 1)) {}

  void begin_byte(std::uint32_t narrow, std::uint32_t wide) {
    narrow_ = narrow << 8;
    wide_ = hash_of(wide, 99) >> 16;
    prefetch(1);
    prefetch(2);
  }
  // The chance of a one, in 16 bits. `whole`: a 1, then the bits of this byte so far; `repeat`:
  // from 0, where no repeat foretells the bit, to 4 for a long one.
  [[nodiscard]] std::uint32_t refine(int logit, unsigned whole, int repeat) {
    constexpr unsigned rows[] = {0, 1, 1, 2, 3};
    const int sum = chance_of(logit) + by_node_.refine(logit, whole | rows[repeat] << 8) +
                    by_narrow_.refine(logit, (narrow_ | whole) & row_mask_) +
                    by_wide_.refine(logit, (wide_ ^ whole) & row_mask_);
    // The four rows that may be next but one; two of them share a line.
    prefetch(4 * whole & 255);
    prefetch((4 * whole & 255) + 2);
    return static_cast<std::uint32_t>(std::clamp(sum >> 2, 4, 65532));
  }
  void learn(int bit) {
    by_node_.learn(bit);
    by_narrow_.learn(bit);
    by_wide_.learn(bit);
  }

 private:
  void prefetch(unsigned whole) const {
    by_narrow_.prefetch((narrow_ | whole) & row_mask_);
    by_wide_.prefetch((wide_ ^ whole) & row_mask_);
  }

  FinalMap by_node_, by_narrow_, by_wide_;
  std::uint32_t narrow_ = 0, wide_ = 0, row_mask_;
};

}  // namespace logpx::codec::adaptive
