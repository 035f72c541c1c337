// While one lives, the array functions of this thread (vector_math.hpp) are those of libcore/det:
// the same bits on every machine. With ordered products (Numerics) a whole graph is then
// repeatable, which is how networks reach the entropy coder.   [spec/coding.md section 1]
#pragma once

namespace logpx {

class RepeatableFunctions {
 public:
  RepeatableFunctions();
  ~RepeatableFunctions();
  RepeatableFunctions(const RepeatableFunctions&) = delete;
  RepeatableFunctions& operator=(const RepeatableFunctions&) = delete;
  [[nodiscard]] static bool on();

 private:
  static thread_local int depth_;
};

}  // namespace logpx
