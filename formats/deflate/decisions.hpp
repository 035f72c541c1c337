// Where a stream departs from what is foretold, as a sequence of bits, each in a context of its
// own. Undoing and redoing a stream walk the same way; one writes the bits, the other reads them. A
// one is always what is rarer.
#pragma once

#include <cstddef>
#include <cstdint>

namespace logpx::deflate {

constexpr std::size_t decision_contexts = 2560;

class Decisions {
 public:
  virtual ~Decisions() = default;
  // A writer takes `bit` and returns it; a reader does not look at it and returns the one it reads.
  [[nodiscard]] virtual int code(int bit, std::size_t context) = 0;
};

// A number of `bits` bits in 2^bits contexts from `context` on.
[[nodiscard]] unsigned code_bits(Decisions& decisions, unsigned number, unsigned bits,
                                 std::size_t context);

constexpr std::size_t number_contexts = 128;
constexpr std::uint32_t largest_number = (1u << 24) - 2;
// A number up to the largest: small ones cost little.
[[nodiscard]] std::uint32_t code_number(Decisions& decisions, std::uint32_t number,
                                        std::size_t context);

// Which contexts are whose. [logpx-archive(5)]
namespace contexts {
constexpr std::size_t parameters = 0;                               // 128 of them
constexpr std::size_t blocks = parameters + 128;                    // kinds and ends: 64
constexpr std::size_t stored_size = blocks + 64;                    // a number
constexpr std::size_t flags = stored_size + number_contexts;        // as foretold or not: 64
constexpr std::size_t others = flags + 64;                          // what instead: 64
constexpr std::size_t literal_to_match = others + 64;               // a number
constexpr std::size_t longer = literal_to_match + number_contexts;  // a number
constexpr std::size_t shorter = longer + number_contexts;           // a number
constexpr std::size_t places = shorter + number_contexts;           // 64
constexpr std::size_t distances = places + 128;                     // 32 symbols, their bits: 64
constexpr std::size_t trees = distances + 64;                       // 256
constexpr std::size_t lengths_up = trees + 256;                     // a number
constexpr std::size_t lengths_down = lengths_up + number_contexts;  // a number
constexpr std::size_t run_sizes = lengths_down + number_contexts;   // a number
constexpr std::size_t literal_flags = run_sizes + number_contexts;  // 72
constexpr std::size_t match_flags = literal_flags + 72;             // 224
constexpr std::size_t literals_instead = match_flags + 224;         // 28
constexpr std::size_t not_deflate = literals_instead + 28;          // 128, for formats around it
static_assert(not_deflate + 128 <= decision_contexts);
}  // namespace contexts

}  // namespace logpx::deflate
