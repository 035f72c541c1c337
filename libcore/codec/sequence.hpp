// Exact coding of one symbol after another by p(x_i|x_<i): no latents, no bits back.
// [spec/coding.md section 4.4]
#pragma once

#include "libcore/codec/scheme.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace logpx::codec {

// A filter that has seen the symbols before. Its numbers are float64 by + - * / alone.
class SequenceState {
 public:
  virtual ~SequenceState() = default;
  virtual void start_item() = 0;  // without carry: forget what was seen
  // Weights of the symbols that may come next, up to a factor, at least 0; valid until advance.
  [[nodiscard]] virtual std::span<const double> weights() = 0;
  virtual void advance(std::uint32_t symbol) = 0;
};

class SequenceCoding {
 public:
  virtual ~SequenceCoding() = default;
  [[nodiscard]] virtual std::size_t item_size() const = 0;
  // Where in the item the i-th coded symbol is: at i in codings whose items may be shorter.
  [[nodiscard]] virtual std::size_t position(std::size_t i) const { return i; }
  [[nodiscard]] virtual std::unique_ptr<SequenceState> start() const = 0;
};

class Sequential final : public Scheme {
 public:
  explicit Sequential(const SequenceCoding& coding, int precision = 24)
      : coding_(coding), precision_(precision) {}
  [[nodiscard]] std::size_t item_size() const override { return coding_.item_size(); }
  void encode(Message& message, std::span<const std::uint8_t> items, std::uint64_t block,
              Costs& costs) const override;
  void decode(Message& message, std::span<std::uint8_t> items, std::uint64_t block) const override;
  // ln p(x), exactly.
  void score(std::span<const std::uint8_t> items, Rng rng, std::uint32_t first,
             std::span<double> nats) const override;

 private:
  const SequenceCoding& coding_;
  int precision_;
};

}  // namespace logpx::codec
