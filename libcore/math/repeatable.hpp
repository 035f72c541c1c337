// While one lives, the array functions of this thread (vector_math.hpp) are those of libcore/det:
// the same bits on every machine, and its products are ordered. An executor holds one while it runs
// a graph that was planned with repeatable numerics.   [math/README 3.1]
#pragma once

#include "libcore/det/fp_environment.hpp"
#include "libcore/det/functions.hpp"

#include <cmath>
#include <cstdint>
#include <optional>

namespace logpx {

// Which of several kernels computes: fixed when a graph is planned, recorded in provenance.

// Identifies how libcore/det computes: under one id no result ever changes.
inline constexpr std::uint32_t numerics_id = 1;

// ordered, repeatable: the same bits on every machine (libcore/det). bf16: by oneDNN, float32 but
// for the factors, which are rounded to 8 bits.
enum class Product { blas, ordered, bf16 };
enum class Convolution { onednn, im2col, ordered, bf16 };
enum class Functions { fast, repeatable };

// The path that the build offers and that is fastest in float32.
[[nodiscard]] Convolution best_convolution();

// By default the fastest kernels of the build.
struct Numerics {
  Product product = Product::blas;
  Convolution convolution = best_convolution();
  Functions functions = Functions::fast;
  friend bool operator==(const Numerics&, const Numerics&) = default;
};

inline constexpr Numerics repeatable_numerics = {.product = Product::ordered,
                                                 .convolution = Convolution::ordered,
                                                 .functions = Functions::repeatable};

class RepeatableFunctions {
 public:
  RepeatableFunctions();
  ~RepeatableFunctions();
  RepeatableFunctions(const RepeatableFunctions&) = delete;
  RepeatableFunctions& operator=(const RepeatableFunctions&) = delete;
  [[nodiscard]] static bool on();

 private:
  det::FpEnvironment plain_;
  static thread_local int depth_;
};

// For code beside graphs: holds a RepeatableFunctions if the numerics ask for it.
class ComputedBy {
 public:
  explicit ComputedBy(const Numerics& numerics) {
    if (numerics.functions == Functions::repeatable) repeatable_.emplace();
  }

 private:
  std::optional<RepeatableFunctions> repeatable_;
};

// How this thread computes, to be handed to threads that work for it.
[[nodiscard]] inline Numerics numerics_here() {
  Numerics numerics;
  if (RepeatableFunctions::on()) numerics.functions = Functions::repeatable;
  return numerics;
}

// ln x for any x: where it is not finite, libm's is the same everywhere.
[[nodiscard]] inline double repeatable_log(double x) {
  return x > 0 && std::isfinite(x) ? det_log(x) : std::log(x);
}

}  // namespace logpx
