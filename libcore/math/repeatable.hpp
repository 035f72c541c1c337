// While one lives, the array functions of this thread (vector_math.hpp) are those of libcore/det:
// the same bits on every machine. An executor holds one while it runs a graph that was planned with
// repeatable numerics.   [spec/coding.md section 1]
#pragma once

#include "libcore/det/fp_environment.hpp"
#include "libcore/det/functions.hpp"

#include <cmath>

namespace logpx {

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

// For any x: where ln x is no finite number, libm's is the same everywhere.
[[nodiscard]] inline double repeatable_log(double x) {
  return x > 0 && std::isfinite(x) ? det_log(x) : std::log(x);
}

}  // namespace logpx
