// Compiled once per instruction set into namespace LOGPX_ISA; see libcore/judge/bit_kernels.hpp.
#include "libcore/judge/bit_kernels.hpp"

namespace logpx::LOGPX_ISA {

namespace {

#if defined(__POPCNT__) || defined(__aarch64__)
inline unsigned bits_of(unsigned long word) {
  return static_cast<unsigned>(__builtin_popcountl(word));
}
#else
// Sums of neighbouring bits, then of pairs, then of nibbles; the product adds up all bytes.
inline unsigned bits_of(unsigned long word) {
  word -= (word >> 1) & 0x5555555555555555UL;
  word = (word & 0x3333333333333333UL) + ((word >> 2) & 0x3333333333333333UL);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fUL;
  return static_cast<unsigned>(word * 0x0101010101010101UL >> 56);
}
#endif

// `fixed`: the number of words where that is known, else 0.
template <long fixed>
void shared_of(const unsigned long* row, const unsigned long* others, long n, long words,
               unsigned* out) {
  const long width = fixed > 0 ? fixed : words;
  for (long j = 0; j < n; ++j, others += width) {
    unsigned sum = 0;
    for (long w = 0; w < width; ++w) sum += bits_of(row[w] & others[w]);
    out[j] = sum;
  }
}

// 1,024 bits are what most fingerprints have.
void shared(const unsigned long* row, const unsigned long* others, long n, long words,
            unsigned* out) {
  if (words == 16) shared_of<16>(row, others, n, words, out);
  else shared_of<0>(row, others, n, words, out);
}

}  // namespace

constinit const BitKernels bit_kernels = {shared};

}  // namespace logpx::LOGPX_ISA
