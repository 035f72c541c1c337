// The width of vectors in what is compiled once per instruction set; nothing else includes this.
#pragma once

namespace logpx {

#if defined(__AVX512F__)
constexpr int vector_bytes = 64;
#elif defined(__AVX2__)
constexpr int vector_bytes = 32;
#else
constexpr int vector_bytes = 16;
#endif

}  // namespace logpx
