// How a model's items become a message and come back.   [codec/README 4]
#pragma once

#include "libcore/base/error.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/codec/rans.hpp"
#include "libcore/det/fp_environment.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace logpx::codec {

// For outputs of networks: a numeric error that names `what` unless all are finite.
void check_finite(std::span<const float> values, const char* what);
void check_finite(std::span<const double> values, const char* what);

enum class Part { likelihood, prior, posterior, bootstrap, labels, order };

// Bits by part; those of the posterior, and of a set's labels and order, are returned, so they
// count below zero.
struct Costs {
  std::array<double, 6> bits{};
  double& of(Part part) { return bits[static_cast<std::size_t>(part)]; }
  [[nodiscard]] double of(Part part) const { return bits[static_cast<std::size_t>(part)]; }
  [[nodiscard]] double total() const {
    double sum = 0;
    for (const double part : bits) sum += part;
    return sum;
  }
  Costs& operator+=(const Costs& other) {
    for (std::size_t i = 0; i < bits.size(); ++i) bits[i] += other.bits[i];
    return *this;
  }
};

class NextSymbol;

class Scheme {
 public:
  Scheme() = default;
  Scheme(const Scheme&) = delete;  // steps know their scheme by its address
  Scheme& operator=(const Scheme&) = delete;
  virtual ~Scheme() = default;
  [[nodiscard]] virtual std::size_t item_size() const = 0;  // symbols

  // Items lie one after another. The last of them may be shorter than item_size() where a coding
  // takes such items; the number of symbols says so.
  [[nodiscard]] std::size_t items_in(std::size_t symbols) const {
    return (symbols + item_size() - 1) / item_size();
  }
  template <typename T>
  [[nodiscard]] std::span<T> item_of(std::span<T> items, std::size_t i) const {
    const std::size_t begin = i * item_size();
    return items.subspan(begin, std::min(item_size(), items.size() - begin));
  }
  // How many of the symbols count as dims: all but those that only pad items that may have fewer.
  [[nodiscard]] virtual std::uint64_t dims_in(std::span<const std::uint8_t> items) const {
    return items.size();
  }

  // The last item goes first, so that they are decoded in order. Both may be called from several
  // threads at once. `block` is the number of the block in its archive.
  virtual void encode(Message& message, std::span<const std::uint8_t> items, std::uint64_t block,
                      Costs& costs) const = 0;
  virtual void decode(Message& message, std::span<std::uint8_t> items,
                      std::uint64_t block) const = 0;

  // ln p(x) of each item, or the bound that the code length tends to, by the coder's own numbers.
  // The caller sets a plain environment (libcore/det/fp_environment.hpp). Item i draws from
  // substream `first + i`.
  virtual void score(std::span<const std::uint8_t> items, Rng rng, std::uint32_t first,
                     std::span<double> nats) const = 0;

  // What the model expects of each symbol of a block in turn; null where it cannot say. The scheme
  // outlives it.
  [[nodiscard]] virtual std::unique_ptr<NextSymbol> next_symbol() const;
};

// When decoding, numbers that a model cannot use are the fault of what was read: an encoder would
// have stopped there.
template <typename Action>
void reading(Action action) {
  try {
    action();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::numeric) corrupt(error.message());
    throw;
  }
}

}  // namespace logpx::codec
