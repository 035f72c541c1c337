// The chance that the next bit of a block is a one. The bit's history in each context gives a
// chance, and so do a match model and an adviser, if there is one; a mixer weighs them by several
// sets of weights, and final maps correct the result.   [codec/README 5.2]
#pragma once

#include "libcore/codec/adaptive/advice.hpp"
#include "libcore/codec/adaptive/parts.hpp"
#include "libcore/codec/adaptive/room.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

namespace logpx::codec::adaptive {

template <typename Contexts, typename Lanes, typename Advice = NoAdvice, typename Parts = AllParts>
class Predictor {
 public:
  // `data` has room for the block, and zeros before it as far as contexts reach.
  Predictor(const Form& form, std::uint8_t* data, std::size_t size, auto&... adviser)
      : Predictor(form, data, sizes_for(size, Contexts::level_of, any_rare), adviser...) {}

  [[nodiscard]] std::uint32_t chance() const { return chance_; }  // 16 bits, never 0 or all

  // The bytes read before the block end here: from now on the adviser is asked.
  void begin_block() {
    if constexpr (Advice::inputs > 0) {
      advice_.speak();
      predict();
    }
  }

  void learn(int bit) {
    const unsigned node = node_;
    whole_ = 2 * whole_ + static_cast<unsigned>(bit);
    node_ = 2 * node_ + static_cast<unsigned>(bit);
    // Prefetch what comes next while this bit is learned.
    if (whole_ >= 256) {
      take(static_cast<std::uint8_t>(whole_));
      begin_byte();
    } else if (whole_ >> 3 == 1) histories_.prefetch_second(whole_);
    learn_chances(node, bit);
    advice_.learn(bit);
    if (node_ >= 16) {
      if (whole_ <= 1) histories_.end_byte(past_);
      histories_.find(whole_);
      node_ = 1;
    }
    bit_number_ = (bit_number_ + 1) & 7;
    predict();
  }

  // Whether the next step says, before any bit of it, that a pixel is equal to the one to its left.
  static constexpr std::size_t flat_bytes = flat_pixel<Contexts>();
  static constexpr bool knows_flat = flat_bytes > 0 && Advice::inputs == 0;
  [[nodiscard]] bool asks_flat() const { return knows_flat && whole_ == 0; }
  // The bytes of that pixel, if those that come next are equal; else 0.
  [[nodiscard]] std::size_t equal_bytes(std::span<const std::uint8_t> next) const {
    const bool equal =
        next.size() >= flat_bytes && std::equal(past_.now - flat_bytes, past_.now, next.begin());
    return equal ? flat_bytes : 0;
  }
  void learn_flat(int equal) {
    learn_chances(1, equal);
    if (equal != 0) {
      for (std::size_t i = 0; i < flat_bytes; ++i)
        take(static_cast<std::uint8_t>(past_.back(flat_bytes)));
      begin_byte();
    } else {
      begin_bits();
    }
    histories_.find(whole_);
    node_ = 1;
    predict();
  }

 private:
  static constexpr int count = Contexts::count, first_rare = first_rare_of<Contexts>();
  static constexpr bool any_rare = first_rare < count;
  // Contexts, the match, and chances that the contexts foretell; the last input is a constant.
  static constexpr int lanes = (count + 1 + chances_by_kind<Contexts>() + 15) / 16 * 16,
                       inputs = 2 * lanes + Advice::inputs;
  static constexpr int match_classes = 5, known_classes = 8;
  static constexpr int repeat_rows = match_classes * known_classes * 8;
  static constexpr auto rows =
      rows_of_sets<Contexts>(repeat_rows + (knows_flat ? known_classes : 0));
  static constexpr int own_sets = rows.size(), sets = own_sets + Advice::sets;

  Predictor(const Form& form, std::uint8_t* data, const Sizes& sizes, auto&... adviser)
      : data_(data),
        contexts_(form),
        histories_(sizes),
        match_(sizes.places),
        advice_(adviser...),
        mixer_(Advice::sets_with(rows), (1 << weight_bits) * 3 / (count + 2)),
        final_(sizes.rows) {
    past_.now = data;
    if constexpr (requires { contexts_.begin(past_); }) contexts_.begin(past_);
    advice_.begin(mixer_, 2 * lanes, own_sets);
    begin_byte();
    histories_.find(whole_);
    predict();
  }

  void learn_chances(unsigned node, int bit) {
    Lanes::learn(chances_, lanes, bit);
    if (foretold_ != nullptr) *foretold_ = chances_[count];
    histories_.learn(node, bit, chances_);
    mixer_.learn(logits_, bit, rate_);
    last_.learn(logits_, bit);
    final_.learn(bit);
  }
  void take(std::uint8_t byte) {
    *data_++ = byte;
    past_.add(byte);
    contexts_.next_byte(past_, byte);
    match_.next_byte(past_, byte);
  }
  void begin_byte() {
    if constexpr (knows_flat)
      if (contexts_.is_flat()) {
        whole_ = 0;
        contexts_.flat_hashes(past_, histories_.hashes());
        return begin_step();
      }
    begin_bits();
  }
  void begin_bits() {
    whole_ = 1;
    if constexpr (requires { contexts_.begin_bits(past_); }) contexts_.begin_bits(past_);
    contexts_.hashes(past_, histories_.hashes());
    begin_step();
  }
  void begin_step() {
    histories_.prefetch_first();
    final_.begin_byte(contexts_.narrow(past_), contexts_.wide(past_));
    rate_ = Advice::rate_beside(Contexts::mixer_rate) +
            static_cast<int>(early_rate_of<Contexts>() * 2048 / (2048 + past_.position));
  }

  void predict() {
    constexpr int first = Contexts::first_seen, last = Contexts::last_seen;
    const int match_class = predict_match();
    Lanes::template fill<lanes>(chances_, [&](int i) {
      return i < count    ? histories_.predict(i, node_)
             : i == count ? foretold_chance_
                          : chance_by_kind(contexts_, i - count - 1, whole_, bit_number_);
    });
    int known = histories_.template known<first, last>();
    if (last - first >= known_classes) known = known * (known_classes - 1) / (last - first);
    std::int16_t* const x = mixer_.inputs_at();
    Lanes::inputs(chances_, lanes, x);
    mixer_.select(1, static_cast<int>(whole_));
    mixer_.select(0, asks_flat() ? repeat_rows + known
                                 : (match_class * known_classes + known) * 8 + bit_number_);
    mixer_.select(2, contexts_.row(past_, whole_, bit_number_));
    if constexpr (looks_twice<Contexts>) mixer_.select(3, contexts_.other_row(whole_));
    advice_.predict(mixer_, x + 2 * lanes, whole_);
    mixer_.mix(logits_);
    last_.select(static_cast<int>(whole_));
    chance_ = final_.refine(last_.mix(logits_), whole_, match_class);
  }
  // 0 where no repeat foretells the bit; else a class of the repeat's length.
  int predict_match() {
    foretold_chance_ = unknown_chance;
    foretold_ = nullptr;
    if (asks_flat()) return 0;
    const int expected = match_.expected(past_, whole_, bit_number_);
    if (expected < 0) return 0;
    foretold_ = &match_.chance(expected);
    foretold_chance_ = *foretold_;
    return match_.length_class();
  }

  std::uint8_t* data_;
  Past past_;
  Contexts contexts_;
  typename Parts::template ContextHistories<count, first_rare> histories_;
  typename Parts::Repeats match_;
  [[no_unique_address]] Advice advice_;
  typename Parts::template Weights<inputs, sets, Lanes> mixer_;
  typename Parts::template LastWeights<sets> last_{256};
  typename Parts::Corrections final_;
  alignas(64) std::uint32_t chances_[lanes];  // of the contexts, and of what a repeat foretells
  std::uint32_t* foretold_ = nullptr;         // where the latter comes from
  std::uint32_t foretold_chance_ = unknown_chance;
  int logits_[sets];
  unsigned whole_ = 1, node_ = 1;  // the bits of this byte and half byte after a 1
  int bit_number_ = 0, rate_ = 0;
  std::uint32_t chance_ = 32768;
};

}  // namespace logpx::codec::adaptive
