// Exact coding of one symbol after another by p(x_i|x_<i): no latents, no bits back. Items go W at
// a time in step: the first symbols of W items come first, then their second ones, and so on, so
// that a model advances W filters by one product of matrices. Tables do not depend on W.
// [codec/README 4.6]
//
//   const Sequential scheme(hmm, {.interleave = 64, .carry = Carry::state});
#pragma once

#include "libcore/codec/scheme.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace logpx::codec {

// Filters that have seen the symbols before, one for each of several items in step. Their numbers
// are float64 by + - * / alone, and those of an item do not depend on the others.
class SequenceState {
 public:
  virtual ~SequenceState() = default;
  virtual void begin(std::size_t items) = 0;  // nothing of them is known yet
  // What the next symbol of each of the first `items` may be: weights [items, symbols], at least 0,
  // up to a factor for each item. Items behind them have ended. Valid until advance.
  [[nodiscard]] virtual std::span<const double> weights(std::size_t items) = 0;
  virtual void advance(std::span<const std::uint32_t> symbols) = 0;  // the next one of each
};

// From a state that begins afresh after `item` symbols; 0: never. It can advance by an unknown one.
[[nodiscard]] std::unique_ptr<NextSymbol> symbols_of_state(std::unique_ptr<SequenceState> state,
                                                           std::size_t item);

class SequenceCoding {
 public:
  virtual ~SequenceCoding() = default;
  [[nodiscard]] virtual std::size_t item_size() const = 0;  // bytes
  // The number of symbols that are coded for an item of so many bytes.
  [[nodiscard]] virtual std::size_t symbols_in(std::size_t bytes) const { return bytes; }
  // The symbols of an item in the order in which they are coded: here its bytes as they are. The
  // way back says whether there is an item that has these symbols.
  virtual void to_symbols(std::span<const std::uint8_t> item,
                          std::span<std::uint32_t> symbols) const;
  [[nodiscard]] virtual bool to_item(std::span<const std::uint32_t> symbols,
                                     std::span<std::uint8_t> item) const;
  // Whether a state can go on from one item to the next without begin().
  [[nodiscard]] virtual bool carries() const { return false; }
  [[nodiscard]] virtual std::unique_ptr<SequenceState> start() const = 0;
  // What is expected of each byte of a block in turn; null where the model cannot say.
  [[nodiscard]] virtual std::unique_ptr<NextSymbol> next_symbol() const;
};

// With carry the items are cut into at most W strands, each of them one long sequence.
enum class Carry { none, state };
inline constexpr std::size_t most_interleaved = 256;
struct SequenceSettings {
  std::size_t interleave = 1;  // W
  Carry carry = Carry::none;
  int precision = 24;
};

// Items that go in step, and whether they begin afresh. An item that ends early is the last one.
struct SequenceRound {
  std::vector<std::size_t> items;
  bool begins = true;
};
[[nodiscard]] std::vector<SequenceRound> rounds_of(std::size_t items,
                                                   const SequenceSettings& settings);

class Sequential final : public Scheme {
 public:
  explicit Sequential(const SequenceCoding& coding, SequenceSettings settings = {})
      : Sequential(std::shared_ptr<const SequenceCoding>(std::shared_ptr<const void>(), &coding),
                   settings) {}
  Sequential(std::shared_ptr<const SequenceCoding> coding, SequenceSettings settings);
  [[nodiscard]] std::size_t item_size() const override { return coding_->item_size(); }
  void encode(Message& message, std::span<const std::uint8_t> items, std::uint64_t block,
              Costs& costs) const override;
  void decode(Message& message, std::span<std::uint8_t> items, std::uint64_t block) const override;
  // ln p(x), exactly; with carry, given the items before it in its strand.
  void score(std::span<const std::uint8_t> items, Rng rng, std::uint32_t first,
             std::span<double> nats) const override;
  [[nodiscard]] std::unique_ptr<NextSymbol> next_symbol() const override;

 private:
  // The symbols of the items of a round, as coded; in a decoder, room for them.
  struct Windows {
    std::vector<std::vector<std::uint32_t>> symbols;
    [[nodiscard]] std::size_t total() const;
  };
  [[nodiscard]] Windows windows_for(std::size_t symbols, const SequenceRound& round) const;
  [[nodiscard]] Windows windows_of(std::span<const std::uint8_t> items,
                                   const SequenceRound& round) const;

  std::shared_ptr<const SequenceCoding> coding_;
  SequenceSettings settings_;
};

}  // namespace logpx::codec
