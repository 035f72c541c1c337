// The chance that the next bit of a block is a one. The bit's history in each context gives a
// chance, and so do a match model and an adviser, if there is one; a mixer weighs them by several
// sets of weights, and final maps correct the result.   [codec/README 5.2]
#pragma once

#include "libcore/codec/adaptive/advice.hpp"
#include "libcore/codec/adaptive/blend.hpp"
#include "libcore/codec/adaptive/repeat_bit.hpp"

#include <cstdint>
#include <span>

namespace logpx::codec::adaptive {

template <typename Contexts, typename Lanes, typename Advice = NoAdvice, typename Parts = AllParts>
class Predictor {
  using Mixed = Blend<Contexts, Lanes, Advice, Parts>;

 public:
  // `data` has room for the block, and zeros before it as far as contexts reach.
  Predictor(const Form& form, std::uint8_t* data, std::size_t size, auto&... adviser)
      : contexts_(contexts_for<Contexts>(form, size)),
        histories_(sizes_of<Contexts>(size)),
        repeat_(sizes_of<Contexts>(size).places),
        blend_(sizes_of<Contexts>(size), adviser...) {
    past_.now = data;
    if constexpr (requires { contexts_.begin(past_); }) contexts_.begin(past_);
    begin_byte(true);
    begin_node();
    predict();
  }
  // Goes on behind the same bytes in another place, where a byte begins.
  Predictor(const Predictor& taught, std::uint8_t* now) : Predictor(taught) {
    past_.now = now;
    predict();
  }

  static constexpr bool is_kept = keeps_first_text<Contexts, Advice, Parts>;
  [[nodiscard]] std::size_t bytes() const { return past_.position; }  // that it has read
  [[nodiscard]] std::uint32_t chance() const { return chance_; }      // 16 bits, never 0 or all

  // The bytes read before the block end here: from now on the adviser is asked.
  void begin_block() {
    if constexpr (Advice::inputs > 0) {
      blend_.speak();
      predict();
    }
  }

  // What came of the step: a bit of a byte, or whether a pixel is flat. What both lead to is called
  // in one place, since a coder is one function into which all calls are compiled.
  void learn(int bit) {
    const bool flat = asks_flat();
    const unsigned node = node_;
    std::size_t bytes = flat && bit != 0 ? flat_bytes : 0;
    if (flat) {
      learn_chances(node, bit);
    } else {
      whole_ = 2 * whole_ + static_cast<unsigned>(bit);
      node_ = 2 * node_ + static_cast<unsigned>(bit);
      bytes = whole_ >> 8;
    }
    for (std::size_t i = 0; i < bytes; ++i)
      take(static_cast<std::uint8_t>(flat ? past_.back(flat_bytes) : whole_));
    // Prefetch what comes next while this bit is learned.
    if (bytes > 0 || flat) begin_byte(bytes > 0);
    else if (whole_ >> 3 == 1) histories_.prefetch_second(whole_);
    if (!flat) {
      learn_chances(node, bit);
      if (node_ >= 16 && whole_ <= 1) histories_.end_byte(past_);
      bit_number_ = (bit_number_ + 1) & 7;
    }
    if (flat || node_ >= 16) begin_node();
    predict();
  }

  // Whether the next step says, before any bit of it, that a pixel is equal to the one to its left.
  static constexpr std::size_t flat_bytes = Mixed::flat_bytes;
  static constexpr bool knows_flat = Mixed::knows_flat;
  [[nodiscard]] bool asks_flat() const { return knows_flat && whole_ == 0; }
  [[nodiscard]] std::span<const std::uint8_t> last_pixel() const {
    return {past_.now - flat_bytes, flat_bytes};
  }

 private:
  static constexpr int count = Mixed::count, first_rare = first_rare_of<Contexts>();

  Predictor(const Predictor&) = default;

  void learn_chances(unsigned node, int bit) {
    blend_.learn_lanes(bit);
    repeat_.learn(blend_.chances[count]);
    histories_.learn(node, bit, blend_.chances);
    blend_.learn(bit);
  }
  void take(std::uint8_t byte) {
    *past_.now = byte;
    past_.add(byte);
    contexts_.next_byte(past_, byte);
    repeat_.next_byte(past_, byte);
  }
  // A pixel that was told to differ is not asked for as a flat one again.
  void begin_byte(bool may_be_flat) {
    whole_ = 1;
    if constexpr (knows_flat)
      if (may_be_flat && contexts_.is_flat()) {
        whole_ = 0;
        contexts_.flat_hashes(past_, histories_.hashes());
      }
    if (!asks_flat()) {
      if constexpr (requires { contexts_.begin_bits(past_); }) contexts_.begin_bits(past_);
      contexts_.hashes(past_, histories_.hashes());
    }
    histories_.prefetch_first();
    blend_.begin_byte(contexts_.narrow(past_), contexts_.wide(past_), past_.position);
  }
  void begin_node() {
    histories_.find(whole_);
    node_ = 1;
  }

  void predict() {
    const int match_class =
        asks_flat() ? repeat_.foretell_nothing() : repeat_.foretell(past_, whole_, bit_number_);
    blend_.take([&](int i) {
      return i < count    ? histories_.predict(i, node_)
             : i == count ? repeat_.chance()
                          : chance_by_kind(contexts_, i - count - 1, whole_, bit_number_);
    });
    const int known = Mixed::class_of_known(
        histories_.template known<Contexts::first_seen, Contexts::last_seen>());
    blend_.mixer.select(0, Mixed::row_of(match_class, known, asks_flat() ? -1 : bit_number_));
    blend_.mixer.select(2, contexts_.row(past_, whole_, bit_number_));
    if constexpr (looks_twice<Contexts>) blend_.mixer.select(3, contexts_.other_row(whole_));
    chance_ = blend_.chance(whole_, match_class);
  }

  Past past_;
  Contexts contexts_;
  typename Parts::template ContextHistories<count, first_rare> histories_;
  RepeatBit<typename Parts::Repeats> repeat_;
  Mixed blend_;
  unsigned whole_ = 1, node_ = 1;  // the bits of this byte and half byte after a 1
  int bit_number_ = 0;
  std::uint32_t chance_ = 32768;
};

}  // namespace logpx::codec::adaptive
