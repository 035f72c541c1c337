// Which of several kernels computes: fixed when a graph is planned, recorded in provenance.
#pragma once

#include <cstdint>

namespace logpx {

// Identifies how libcore/det computes: under one id no result ever changes.
inline constexpr std::uint32_t numerics_id = 1;

// ordered, repeatable: the same bits on every machine (libcore/det)
enum class Product { blas, ordered };
enum class Convolution { onednn, im2col, ordered };
enum class Functions { fast, repeatable };

struct Numerics {
  Product product = Product::blas;
  Convolution convolution = Convolution::im2col;
  Functions functions = Functions::fast;
  friend bool operator==(const Numerics&, const Numerics&) = default;
};

inline constexpr Numerics repeatable_numerics = {.product = Product::ordered,
                                                 .convolution = Convolution::ordered,
                                                 .functions = Functions::repeatable};

}  // namespace logpx
