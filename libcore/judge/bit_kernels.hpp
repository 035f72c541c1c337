// Bits that one row of bits shares with others, compiled once per instruction set; every variant
// gives the same numbers. Like every header of per_isa sources it uses no standard header.
#pragma once

namespace logpx {

struct BitKernels {
  // out[j] = how many bits the row and others [n,words] have in common.
  void (*shared)(const unsigned long* row, const unsigned long* others, long n, long words,
                 unsigned* out);
};

namespace baseline {
extern const BitKernels bit_kernels;
}
namespace v3 {
extern const BitKernels bit_kernels;
}
namespace v4 {
extern const BitKernels bit_kernels;
}

[[nodiscard]] const BitKernels& active_bit_kernels();

}  // namespace logpx
