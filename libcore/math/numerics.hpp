// Which of several kernels computes: fixed when a graph is planned, recorded in provenance.
#pragma once

namespace logpx {

enum class Product { blas, ordered };  // ordered: repeatable bits everywhere (libcore/det)
enum class Convolution { onednn, im2col, ordered };

struct Numerics {
  Product product = Product::blas;
  Convolution convolution = Convolution::im2col;
  friend bool operator==(const Numerics&, const Numerics&) = default;
};

}  // namespace logpx
