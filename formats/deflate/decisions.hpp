// Where a stream departs from what is foretold, as a sequence of bits, each in a context of its own.
// Undoing and redoing a stream walk the same way; one writes the bits, the other reads them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace logpx::deflate {

constexpr std::size_t decision_contexts = 1024;

class Decisions {
 public:
  virtual ~Decisions() = default;
  // A writer takes `bit` and returns it; a reader does not look at it and returns the one it reads.
  [[nodiscard]] virtual int code(int bit, std::size_t context) = 0;
};

// Any number below 2^32 in the 64 contexts from `context` on: small ones cost little.
[[nodiscard]] std::uint32_t code_number(Decisions& decisions, std::uint32_t number,
                                        std::size_t context);

}  // namespace logpx::deflate
